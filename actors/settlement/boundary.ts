/**
 * Where a day ends in the accounts of a party. First the accounts are *shut*: no posting that comes belongs to the day any more, or to
 * one before it. From then on what they held at its end is the same whoever reads it, and whenever.
 */
import { accountById } from '../../persistence/queries/provisioning.ts'
import {
  creditAmounts,
  debitAmounts,
  firstCreditFrom,
  firstDebitFrom,
} from '../../persistence/queries/statements.ts'
import { accountId, type Query, type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import { addDays, type Day } from '../terms/days.ts'
import { type Holder, positionOf } from './position.ts'

/** What an account held at the end of a day. */
export interface Boundary {
  account: string
  /** The number of its last posting that belongs to the day, or to one before it. */
  last: number
  balanceMinor: bigint
  /** What was taken to *payable* after it. */
  sweptSinceMinor: bigint
}

/** Accounts that are not there yet come into being shut, so that what they are told first is of a later day, too. */
export async function shut(store: Store, holder: Holder, day: Day): Promise<void> {
  const accounts = positionOf(holder)
  const open = addDays(day, 1)
  const result = await store.step({
    rows: {
      found: rows(
        'accounts',
        accounts.map((account) => ({ id: accountId(account) })),
      ),
    },
    decide: ({ found }) => ({
      answer: null,
      writes: accounts.flatMap((account, index): Write[] => {
        const { kind, ownerId: owner_id, currency } = account
        const [id, before] = [accountId(account), found[index] ?? null]
        if (before === null) {
          const values = { id, kind, owner_id, currency, balance_minor: 0n, posting_count: 0 }
          return [{ insert: 'accounts', values: { ...values, first_open_day: open } }]
        }
        if (before.first_open_day >= open) return []
        return [{ update: 'accounts', key: { id }, set: { first_open_day: open } }]
      }),
    }),
  })
  if (result.outcome === 'violated') throw new Error(`The end of ${day} violated ${result.constraint}.`)
}

/** Of each account of the position. @param since the numbers that the statement before ended with, by account */
export async function readBoundaries(
  query: Query,
  holder: Holder,
  { day, since }: { day: Day; since: ReadonlyMap<string, number> },
): Promise<Boundary[]> {
  const found: Boundary[] = []
  for (const account of positionOf(holder).map(accountId)) {
    const [row]: (Row<'accounts'> | undefined)[] = await query(accountById, { id: account })
    if (row === undefined) continue
    const last = await lastNumberOf(query, row, { day, since: since.get(account) ?? 0 })
    const later = await sumOf(query, { account, first: last + 1, last: row.posting_count })
    found.push({
      account,
      last,
      balanceMinor: row.balance_minor - later.minor,
      sweptSinceMinor: later.sweptMinor,
    })
  }
  return found
}

/** By halves: days never go back from one number to the next. */
export async function lastNumberOf(
  query: Query,
  { id: account, posting_count, first_open_day }: Row<'accounts'>,
  { day, since }: { day: Day; since: number },
): Promise<number> {
  if (first_open_day <= day) return posting_count
  let [low, high] = [since, posting_count]
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    const side = await firstFrom(query, account, middle)
    // What is missing is in the archive, and so older than any day that is still to be closed.
    if (side === null || side.number > high) return high
    if (side.day <= day) low = side.number
    else high = middle - 1
  }
  return low
}

async function firstFrom(
  query: Query,
  account: string,
  first: number,
): Promise<{ number: number; day: string } | null> {
  const [debit] = await query(firstDebitFrom, { account, first })
  const [credit] = await query(firstCreditFrom, { account, first })
  if (debit === undefined || credit === undefined) return debit ?? credit ?? null
  return debit.number < credit.number ? debit : credit
}

const numbersPerPage = 1000
/** Of the posting that takes what is due to *payable*. */
export const sweepKind = 'sweep'

async function sumOf(
  query: Query,
  range: { account: string; first: number; last: number },
): Promise<{ minor: bigint; sweptMinor: bigint }> {
  const sum = { minor: 0n, sweptMinor: 0n }
  for (let first = range.first; first <= range.last; first += numbersPerPage) {
    const page = { ...range, first, last: Math.min(first + numbersPerPage - 1, range.last) }
    for (const { kind, amount_minor } of await query(debitAmounts, page)) {
      sum.minor -= amount_minor
      if (kind === sweepKind) sum.sweptMinor += amount_minor
    }
    for (const { amount_minor } of await query(creditAmounts, page)) sum.minor += amount_minor
  }
  return sum
}
