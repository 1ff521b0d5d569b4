/**
 * The master key is changed while the node runs: all that is sealed is sealed anew in one step, and the key's file
 * is replaced. `MasterKeyFile` says why it is safe wherever it is cut off.
 */

import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { allCredentials, allSecrets, standardSecrets } from '../../persistence/queries/node.ts'
import { authenticators } from '../../persistence/queries/people.ts'
import { OutcomeUnknown, row, type Store, type Write } from '../../persistence/store.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { credentialName } from '../keys/credentials.ts'
import type { MasterKeyFile } from '../keys/master-key.ts'
import { masterKeyFact, secretName } from '../keys/node-secrets.ts'
import { standardSecretName } from '../keys/standard-signature.ts'
import { createVault, parseMasterKey, type Vault, VaultError } from '../keys/vault.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { totpName } from '../people/factors.ts'
import type { NodeContext } from './context.ts'

export interface RewrappedKeys {
  fingerprintBefore: string
  fingerprint: string
  /** So many secrets of parties were sealed anew, those of revoked keys included. */
  credentials: number
  /** It holds the new key now. */
  keyFile: string
  /** It holds the key before: what was backed up until now opens with no other. */
  keptFile: string
}

export const keyRewrap = defineOperation({
  name: 'key.rewrap',
  summary: 'Re-encrypt all secrets under a new master key while the node runs.',
  fields: {
    newKeyFile: text({
      description: 'The whole path of a file with 32 random bytes as one line of base64.',
      pattern: '^/|^[A-Za-z]:',
      option: [
        '--new-key-file <file>',
        '32 random bytes as one line of base64: head -c 32 /dev/urandom | base64 > new.key',
      ],
    }),
  },
  isRead: false,
  concluded: ({ fingerprintBefore, fingerprint }: RewrappedKeys) =>
    `from ${fingerprintBefore} to ${fingerprint}`,
  async run({ store, vault, masterKey }: NodeContext, { newKeyFile }): Promise<RewrappedKeys> {
    const key = readKey(newKeyFile)
    const next = createVault(key)
    const fingerprintBefore = vault.fingerprint
    if (next.fingerprint === fingerprintBefore) {
      throw new OperationError('refused', `${newKeyFile} holds the key that is in use.`)
    }
    // Whoever read a secret just before the step opens it just behind it.
    if (!vault.admit(next)) throw new OperationError('conflict', 'The master key is being changed already.')
    try {
      assertInPlace(masterKey, fingerprintBefore)
      prepare(masterKey, key)
      const credentials = await sealAnew(store, vault, next, masterKey)
      const keptFile = promote(masterKey, fingerprintBefore)
      const { path: keyFile } = masterKey
      return { fingerprintBefore, fingerprint: next.fingerprint, credentials, keyFile, keptFile }
    } finally {
      vault.forgetOther()
    }
  },
})

/** The key in use must never be nowhere but beside the file: there the next one is put. */
function assertInPlace(masterKey: MasterKeyFile, fingerprint: string): void {
  const { path } = masterKey
  let problem = 'it holds another key'
  try {
    if (createVault(masterKey.read()).fingerprint === fingerprint) return
  } catch (error) {
    problem = error instanceof VaultError ? error.message : `it cannot be read (${codeOf(error)})`
  }
  throw new OperationError(
    'refused',
    `${path} does not hold the key in use: ${problem}; nothing was changed.`,
    {
      hint: `If a change before this one was cut off, start the node again, or rename ${path}.next to ${path}.`,
    },
  )
}

function readKey(file: string): Uint8Array {
  try {
    return parseMasterKey(readFileSync(file))
  } catch (error) {
    const cause = error instanceof VaultError ? error.message : `It cannot be read (${codeOf(error)}).`
    throw new OperationError('invalid', `${file}: ${cause}`, {
      hint: 'A key is made with `head -c 32 /dev/urandom | base64`.',
    })
  }
}

function prepare(masterKey: MasterKeyFile, key: Uint8Array): void {
  try {
    masterKey.prepare(key)
  } catch (error) {
    throw new OperationError(
      'refused',
      `No key can be put beside ${masterKey.path} (${codeOf(error)}); nothing was changed.`,
      { hint: 'The node has to be able to write in the folder of keys.file.' },
    )
  }
}

/** @returns how many credentials there are. */
async function sealAnew(
  store: Store,
  vault: ChangingVault,
  next: Vault,
  masterKey: MasterKeyFile,
): Promise<number> {
  try {
    const credentials = await changeProvisioning(store, {
      read: () => readSealedAnew(store, vault, next),
      decide: ({ writes, credentials }) => ({
        answer: credentials,
        writes: [...writes, fingerprintOf(next)],
      }),
    })
    vault.change()
    await nextTurn()
    await sealLateAuthenticators(store, vault, next)
    return credentials
  } catch (error) {
    // What is true is read at the next start, which finds both keys.
    if (!(error instanceof OutcomeUnknown)) masterKey.withdraw()
    throw error
  }
}

const turnEvery = 256

async function readSealedAnew(store: Store, vault: Vault, next: Vault) {
  const writes: Write[] = []
  const anew = (name: string, sealed: string) => next.seal(name, vault.open(name, sealed))
  for (const { name, ciphertext } of await store.query(allSecrets, {})) {
    const set = { ciphertext: anew(secretName(name), ciphertext) }
    writes.push({ update: 'secrets', key: { name }, set })
  }
  const credentials = await store.query(allCredentials, {})
  for (const [index, { key, secret_ciphertext }] of credentials.entries()) {
    // Sealing thousands takes a while, and the node answers meanwhile.
    if (index % turnEvery === turnEvery - 1) await nextTurn()
    const set = { secret_ciphertext: anew(credentialName(key), secret_ciphertext) }
    writes.push({ update: 'credentials', key: { key }, set })
  }
  for (const party of await store.query(standardSecrets, {})) {
    const again = (sealed: string | null) =>
      sealed === null ? null : anew(standardSecretName(party.id), sealed)
    const set = {
      webhook_secret_ciphertext: again(party.webhook_secret_ciphertext),
      former_webhook_secret_ciphertext: again(party.former_webhook_secret_ciphertext),
    }
    writes.push({ update: 'parties', key: { id: party.id }, set })
  }
  for (const { name, totp_ciphertext } of await store.query(authenticators, {})) {
    if (totp_ciphertext === null) continue
    const set = { totp_ciphertext: anew(totpName(name), totp_ciphertext) }
    writes.push({ update: 'people', key: { name }, set })
  }
  return { writes, credentials: credentials.length }
}

/** People add authenticators while the rest is sealed anew, and count nothing up: those are sealed behind the step. */
async function sealLateAuthenticators(store: Store, vault: ChangingVault, next: Vault): Promise<void> {
  for (const { name } of await store.query(authenticators, {})) {
    await store.step({
      rows: { person: row('people', { name }) },
      decide: ({ person }) => {
        const sealed = person?.totp_ciphertext ?? null
        if (sealed === null || opensUnder(next, name, sealed)) return { answer: null, writes: [] }
        const set = { totp_ciphertext: next.seal(totpName(name), vault.open(totpName(name), sealed)) }
        return { answer: null, writes: [{ update: 'people', key: { name }, set }] }
      },
    })
  }
}

function opensUnder(vault: Vault, name: string, sealed: string): boolean {
  try {
    vault.open(totpName(name), sealed)
    return true
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}

function fingerprintOf({ fingerprint }: Vault): Write {
  return { update: 'facts', key: { name: masterKeyFact }, set: { value: fingerprint } }
}

function promote(masterKey: MasterKeyFile, fingerprintBefore: string): string {
  try {
    return masterKey.promote(fingerprintBefore)
  } catch (error) {
    const { path } = masterKey
    throw new OperationError(
      'refused',
      `Everything is under the new key now, but ${path} could not be replaced (${codeOf(error)}).`,
      { hint: `Rename ${path}.next to ${path}, or start the node again: it does so then.` },
    )
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
