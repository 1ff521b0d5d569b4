/** Keys of merchants and providers: listed, added beside the old one, and revoked at once. */

import { randomBytes } from 'node:crypto'
import { formatInstant } from '../../machines/time.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { credentialsOfParty, ownerOfKey } from '../../persistence/queries/provisioning.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { auditReason, flag, optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { credentialName } from '../keys/credentials.ts'
import { generateSecret } from '../keys/vault.ts'
import { type CredentialDocument, credentialDocument, findParty, partyKind } from '../parties/operations.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { maxLiveCredentials } from '../provisioning/plan.ts'
import type { NodeContext } from './context.ts'

const partyName = text({ description: "A party's name." })

export interface KeyDocument extends CredentialDocument {
  party: string
  kind: PartyKind
  state: 'live' | 'revoked'
}

function keyDocument(
  party: Pick<Row<'parties'>, 'name' | 'kind'>,
  credential: Row<'credentials'>,
): KeyDocument {
  const state = credential.revoked_at === null ? 'live' : 'revoked'
  return { party: party.name, kind: party.kind, state, ...credentialDocument(credential) }
}

export const keyList = defineOperation({
  name: 'key.list',
  summary: 'List the keys of a party, with their last use.',
  fields: { party: partyName, kind: partyKind },
  arguments: ['party'],
  isRead: true,
  async run({ store }: NodeContext, { party: name, kind }): Promise<{ keys: KeyDocument[] }> {
    const party = await findParty(store, name, kind)
    const credentials = await store.query(credentialsOfParty, { partyId: party.id })
    return { keys: credentials.map((credential) => keyDocument(party, credential)) }
  },
})

export interface RotatedKey {
  party: string
  kind: PartyKind
  key: string
  /** Shown this once. */
  secret: string
  /** What else is live: to be revoked once the new one is in use. */
  others: KeyDocument[]
}

/** Both keys are live until the old one is revoked: the party changes over in between. */
export const keyRotate = defineOperation({
  name: 'key.rotate',
  summary: 'Give a party a new key beside its present one; its secret is shown this once.',
  fields: {
    party: partyName,
    kind: partyKind,
    key: optional(
      text({
        description: "The new key's name; one is made up unless it is given.",
        pattern: '^[A-Za-z0-9_.-]{1,64}$',
        option: ['--key <key>', "the new key's name; one is made up unless it is given"],
      }),
    ),
    reason: optional(auditReason),
  },
  arguments: ['party'],
  isRead: false,
  concluded: ({ key }: RotatedKey) => `key ${key} added`,
  async run({ store, vault }: NodeContext, { party: name, kind, key: wished }): Promise<RotatedKey> {
    const party = await findParty(store, name, kind)
    const key = wished ?? `${party.kind === 'merchant' ? 'mk' : 'pk'}_${randomBytes(6).toString('hex')}`
    return changeProvisioning(store, {
      read: async () => ({
        credentials: await store.query(credentialsOfParty, { partyId: party.id }),
        taken: (await store.query(ownerOfKey, { key }))[0],
      }),
      decide({ credentials, taken }, at) {
        if (taken) throw new OperationError('conflict', `The key ${key} is one of ${taken.name} already.`)
        const live = credentials.filter((credential) => credential.revoked_at === null)
        if (live.length >= maxLiveCredentials) throw tooManyKeys(party, live)
        const secret = generateSecret()
        const values = {
          key,
          party_id: party.id,
          secret_ciphertext: vault.seal(credentialName(key), secret),
          created_at: at,
        }
        const others = live.map((credential) => keyDocument(party, credential))
        return {
          answer: { party: party.name, kind: party.kind, key, secret, others },
          writes: [{ insert: 'credentials', values }],
          wake: ['provisioning'],
        }
      },
    })
  },
})

/** A revoked key signs nothing any more, neither requests nor webhooks, from its step on. */
export const keyRevoke = defineOperation({
  name: 'key.revoke',
  summary: 'Revoke a key at once.',
  fields: {
    key: text({ form: { label: 'Key' } }),
    force: optional(
      flag({
        description: "Also the party's last live key: nothing it sends is accepted then.",
        option: ['--force', "also the party's last live key: nothing it sends is accepted then"],
        form: { label: 'Also if it is the last live one' },
      }),
    ),
    reason: optional(auditReason),
  },
  arguments: ['key'],
  isRead: false,
  async run({ store }: NodeContext, { key, force = false }): Promise<KeyDocument> {
    const [owner] = await store.query(ownerOfKey, { key })
    if (owner === undefined) {
      throw new OperationError('not_found', `There is no key ${key}.`, {
        hint: 'key list shows the keys of a party.',
      })
    }
    return changeProvisioning(store, {
      read: async () => ({
        credentials: await store.query(credentialsOfParty, { partyId: owner.id }),
        party: (await store.query(partyById, { id: owner.id }))[0],
      }),
      decide({ credentials, party }, at) {
        const credential = credentials.find((one) => one.key === key)
        if (credential === undefined) throw new Error(`Key ${key} is gone.`)
        if (credential.revoked_at !== null) {
          const when = formatInstant(credential.revoked_at)
          throw new OperationError(
            'conflict',
            `The key ${key} of ${owner.name} was revoked already, at ${when}.`,
          )
        }
        const isLast = credentials.filter((one) => one.revoked_at === null).length === 1
        if (isLast && !force) throw lastKey(owner.name, key)
        const writes: Write[] = [{ update: 'credentials', key: { key }, set: { revoked_at: at } }]
        if (party?.webhook_credential_key === key) {
          const set = { webhook_credential_key: null, webhook_credential_at: null }
          writes.push({ update: 'parties', key: { id: owner.id }, set })
        }
        return {
          answer: keyDocument(owner, { ...credential, revoked_at: at }),
          writes,
          wake: ['provisioning'],
        }
      },
    })
  },
})

function tooManyKeys({ name }: Row<'parties'>, live: readonly Row<'credentials'>[]): OperationError {
  const details = live.map(({ key, last_used_at }) =>
    last_used_at === null ? `${key}: never used` : `${key}: last used at ${formatInstant(last_used_at)}`,
  )
  return new OperationError(
    'refused',
    `${name} has ${live.length} live keys already; more would only be lost.`,
    {
      details,
      hint: 'Revoke the one that is not in use: key revoke KEY',
    },
  )
}

function lastKey(name: string, key: string): OperationError {
  return new OperationError(
    'refused',
    `${key} is the only live key of ${name}: without it nothing it sends is accepted.`,
    {
      hint: `Give it another one first: key rotate "${name}". With --force the key is revoked all the same.`,
    },
  )
}
