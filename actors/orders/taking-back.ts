/**
 * Taking from a merchant what it may no longer have (protocol 10.1): from what is available, then from what was set aside for it and is not
 * ordered yet, which is due no more, and what both lack is a debt, which what arrives later repays.
 */
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import {
  accountId,
  type Posting,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'

/** Under the step's locks: what a merchant's money may be taken back from. */
export interface Takeable {
  available: Row<'accounts'> | null
  payable: Row<'accounts'> | null
  /** Something is left of them, the oldest first. */
  statements: readonly (Row<'statements'> | null)[]
}

export const nothingToTake: Takeable = { available: null, payable: null, statements: [] }

const maxStatements = 256

/** The rows of a step that takes something back. */
export async function takeableRows(
  store: Store,
  { ownerId, currency }: { ownerId: string; currency: string },
) {
  const open = await store.query(openStatementsOf, { partyId: ownerId, currency, limit: maxStatements })
  return {
    available: row('accounts', { id: accountId({ kind: 'available', ownerId, currency }) }),
    payable: row('accounts', { id: accountId({ kind: 'payable', ownerId, currency }) }),
    statements: rows(
      'statements',
      open.map(({ number }) => ({ party_id: ownerId, currency, number })),
    ),
  }
}

export function takeBack(posting: Posting, from: Takeable, at: number): Write[] {
  return takeAllBack([posting], from, at)
}

/** The same for all that is taken at once. */
export function takeAllBack(postings: readonly Posting[], from: Takeable, at: number): Write[] {
  const writes = postings.map((post): Write => ({ post }))
  const taken = postings.filter(({ debit }) => debit.kind === 'available')
  const [first] = taken
  const sum = taken.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  const missing = sum - (from.available?.balance_minor ?? 0n)
  if (first === undefined || missing <= 0n) return writes
  const swept = sweepBack(first, missing, from, at)
  const borrowedMinor = missing - swept.minor
  const reference = first.reference ?? first.orderId
  const borrowed: Posting = {
    kind: 'borrow',
    debit: { ...first.debit, kind: 'debt' },
    credit: first.debit,
    amountMinor: borrowedMinor,
    orderId: null,
    reference,
  }
  // These first: what is available never goes below zero, not even within a step.
  return [...swept.writes, ...(borrowedMinor === 0n ? [] : [{ post: borrowed }]), ...writes]
}

/** What was set aside goes back to what is available, and is due no more: of the oldest statement first. */
function sweepBack(
  { kind, debit, reference: named, orderId }: Posting,
  missing: bigint,
  { payable, statements }: Takeable,
  at: number,
): { minor: bigint; writes: Write[] } {
  const { ownerId: party_id, currency } = debit
  const source_id = named ?? orderId ?? ''
  let left = least(missing, payable?.balance_minor ?? 0n)
  const parts = statements.flatMap((one) => {
    const open = one === null ? 0n : one.due_minor - one.allocated_minor
    if (one === null || open <= 0n || left <= 0n) return []
    const amountMinor = least(open, left)
    left -= amountMinor
    return [{ statement: one, amountMinor }]
  })
  const minor = parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  if (minor === 0n) return { minor, writes: [] }
  const post: Posting = {
    kind: 'sweep_back',
    debit: { ...debit, kind: 'payable' },
    credit: debit,
    amountMinor: minor,
    orderId: null,
    reference: source_id,
  }
  const settled = parts.flatMap(({ statement, amountMinor }): Write[] => {
    const { number, allocated_minor } = statement
    const values = {
      id: `reversal/${kind}/${party_id}/${source_id}/${number}`,
      party_id,
      currency,
      number,
      source: 'reversal',
      source_id,
      amount_minor: amountMinor,
      allocated_at: at,
    } as const
    const set = { allocated_minor: allocated_minor + amountMinor }
    return [
      { insert: 'allocations', values },
      { update: 'statements', key: { party_id, currency, number }, set },
    ]
  })
  return { minor, writes: [{ post }, ...settled] }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
