/** What merchants and providers have in common, and the switch for a bad day: freezing one. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import { partiesByName } from '../../persistence/queries/operations.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { auditReason, choice, type InputOf, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'

export interface PartyDocument {
  kind: PartyKind
  name: string
  contact: string
  /** Its own limit; `null` means the node's. */
  requestsPerMinute: number | null
  frozen: { at: string; reason: string } | null
  created: string
}

export function partyDocument(party: Row<'parties'>): PartyDocument {
  return {
    kind: party.kind,
    name: party.name,
    contact: party.contact,
    requestsPerMinute: party.requests_per_minute,
    frozen:
      party.frozen_at === null
        ? null
        : { at: formatInstant(party.frozen_at), reason: party.frozen_reason ?? '' },
    created: formatInstant(party.created_at),
  }
}

export interface CredentialDocument {
  key: string
  created: string
  firstUsed: string | null
  lastUsed: string | null
  revoked: string | null
}

export function credentialDocument(credential: Row<'credentials'>): CredentialDocument {
  return {
    key: credential.key,
    created: formatInstant(credential.created_at),
    firstUsed: instant(credential.first_used_at),
    lastUsed: instant(credential.last_used_at),
    revoked: instant(credential.revoked_at),
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

/** Where a merchant and a provider share the name. */
export const partyKind = optional(
  choice(['merchant', 'provider'], {
    description: 'Where a merchant and a provider share the name.',
    option: ['--kind <kind>', 'if a merchant and a provider share the name'],
  }),
)

const freezeFields = { name: text({ minLength: 1 }), reason: auditReason, kind: partyKind }

type FreezeInput = InputOf<typeof freezeFields>

/** A frozen merchant creates no orders, a frozen provider starts none; confirmations go on. */
export const partyFreeze = defineOperation({
  name: 'party.freeze',
  summary: 'Freeze a party: it can begin nothing new, but may finish what it has begun.',
  done: 'It is frozen.',
  fields: freezeFields,
  arguments: ['name'],
  isRead: false,
  run: (context, input): Promise<PartyDocument> =>
    change(context, input, (party, at) => {
      if (party.frozen_at !== null) {
        const since = `since ${formatInstant(party.frozen_at)}: ${party.frozen_reason}`
        throw new OperationError('conflict', `${party.name} is frozen already, ${since}`)
      }
      return { frozen_at: at, frozen_reason: input.reason }
    }),
})

export const partyUnfreeze = defineOperation({
  name: 'party.unfreeze',
  summary: 'Unfreeze a party.',
  done: 'It goes on.',
  fields: freezeFields,
  arguments: ['name'],
  isRead: false,
  run: (context, input): Promise<PartyDocument> =>
    change(context, input, (party) => {
      if (party.frozen_at === null) throw new OperationError('conflict', `${party.name} is not frozen.`)
      return { frozen_at: null, frozen_reason: null }
    }),
})

type Freezing = Pick<Row<'parties'>, 'frozen_at' | 'frozen_reason'>

async function change(
  { store }: OperationContext,
  { name, kind }: FreezeInput,
  decide: (party: Row<'parties'>, at: Instant) => Freezing,
): Promise<PartyDocument> {
  const { id } = await findParty(store, name, kind)
  const result = await store.step({
    rows: { party: row('parties', { id }) },
    decide: ({ party }, at): Decision<PartyDocument> => {
      if (party === null) throw new Error(`Party ${id} is gone.`)
      const set = decide(party, at)
      return {
        answer: partyDocument({ ...party, ...set }),
        writes: [{ update: 'parties', key: { id }, set }],
        wake: ['provisioning'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Freezing violated ${result.constraint}.`)
  return result.answer
}

/** The party of that name. @throws OperationError when there is none, or one of each kind. */
export async function findParty(store: Store, name: string, kind?: PartyKind): Promise<Row<'parties'>> {
  const named = async (spelling: string) =>
    (await store.query(partiesByName, { name: spelling })).filter(
      (party) => kind === undefined || party.kind === kind,
    )
  const written = await named(name)
  const found = written.length === 0 ? await named(oneSpelling(name)) : written
  const [party] = found
  if (party === undefined) {
    const lists = kind === undefined ? 'merchant list and provider list show' : `${kind} list shows`
    throw new OperationError('not_found', `There is no ${kind ?? 'party'} ${name}.`, {
      hint: `${lists} the names.`,
    })
  }
  if (found.length === 1) return party
  throw new OperationError('invalid', `There are a merchant and a provider called ${name}.`, {
    hint: 'Say which one: --kind merchant or --kind provider.',
  })
}
