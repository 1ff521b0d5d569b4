/** A world in which something is due: banks, terms, and statements as closings leave them. */
import * as assert from 'uvu/assert'
import { ledgerProblems, readLedgerFacts } from '../../actors/verification/money.ts'
import { readPaymentFindings } from '../../actors/verification/payments.ts'
import { openReader } from '../../persistence/index.ts'
import type { AccountRef, Store, Write } from '../../persistence/store.ts'
import { operatorOf } from './operations.ts'
import { commit, type OrderWorld, shop, tills } from './order-world.ts'

const today = '2026-03-01'
export const network = tills.A

const pair = {
  country: 'MX',
  currency: 'MXN',
  min_minor: 1n,
  max_minor: 10_000_000n,
  cash_increment_minor: 1n,
  pay_out: 1,
  pay_in: 1,
} as const

export function termsOf(partyId: string, account: string | null): Write {
  return {
    insert: 'settlement_terms',
    values: {
      party_id: partyId,
      currency: 'MXN',
      time_zone: 'UTC',
      cut_off: '24:00',
      every_json: '"day"',
      after_banking_days: 0,
      account,
      account_from_at: account === null ? null : 0,
      changed_at: 0,
    },
  }
}

export interface Closed {
  number: number
  dueMinor: bigint
  dueOn?: string | null
  kind?: 'merchant' | 'provider'
  isSealed?: boolean
}

/** A statement as a closing leaves it: what is due to a merchant is *payable*, what is to a provider is in its account. */
export async function close(
  { store }: Pick<OrderWorld, 'store'>,
  partyId: string,
  closed: Closed,
): Promise<void> {
  const {
    number,
    dueMinor,
    dueOn = today,
    kind = partyId === shop.id ? 'merchant' : 'provider',
    isSealed = true,
  } = closed
  const key = { party_id: partyId, currency: 'MXN' }
  const account: AccountRef = {
    kind: kind === 'merchant' ? 'payable' : 'provider',
    ownerId: partyId,
    currency: 'MXN',
  }
  const equity: AccountRef = { kind: 'equity', ownerId: '', currency: 'MXN' }
  const [debit, credit] = dueMinor > 0n ? [equity, account] : [account, equity]
  const amountMinor = dueMinor > 0n ? dueMinor : -dueMinor
  const book = { last_number: number, closed_day: today, closed_at: number }
  await commit(store, [
    number === 1
      ? { insert: 'statement_books', values: { ...key, ...book } }
      : { update: 'statement_books', key, set: book },
    { post: { kind: 'closed', debit, credit, amountMinor, orderId: null, reference: null } },
    {
      insert: 'statements',
      values: {
        ...key,
        number,
        party_kind: kind,
        from_day: `2026-02-${String(number).padStart(2, '0')}`,
        to_day: `2026-02-${String(number).padStart(2, '0')}`,
        closed_at: number,
        due_on: dueOn,
        opening_minor: 0n,
        closing_minor: dueMinor,
        due_minor: dueMinor,
        swept_minor: 0n,
        line_count: 1,
      },
    },
  ])
  if (isSealed) await seal(store, partyId, number)
}

/** As whoever seals it leaves it, without its lines. */
export async function seal(store: Store, party_id: string, number: number): Promise<void> {
  const set = { anchored_at: number, sealed_at: number, previous_digest: '', digest: 'of a test' }
  await commit(store, [{ update: 'statements', key: { party_id, currency: 'MXN', number }, set }])
}

/** Two bank accounts, a shop and a network with accounts of their own. */
export async function settle(world: OrderWorld) {
  await commit(world.store, [
    { insert: 'banks', values: { name: 'main', currency: 'MXN' } },
    { insert: 'banks', values: { name: 'dollars', currency: 'USD' } },
    { insert: 'pairs', values: { merchant_id: shop.id, ...pair } },
    termsOf(shop.id, 'CLABE 5678'),
    termsOf(network.id, 'CLABE 1234'),
  ])
  return operatorOf(world)
}

/** What `verify` finds of payments. */
export async function paymentProblems({ url }: Pick<OrderWorld, 'url'>): Promise<string[]> {
  const reader = await openReader(url)
  try {
    return (await readPaymentFindings(reader)).problems
  } finally {
    await reader.close()
  }
}

/** Every currency sums to zero, each account is what its postings say, and payments are where they say. */
export async function assertBooks({ store, url }: OrderWorld): Promise<void> {
  assert.ok(store)
  const reader = await openReader(url)
  try {
    assert.equal(ledgerProblems(await readLedgerFacts(reader)), [])
  } finally {
    await reader.close()
  }
  assert.equal(await paymentProblems({ url }), [])
}

/** What is left of each statement, in the order of their numbers. */
export async function remainders(world: OrderWorld, partyId: string = shop.id): Promise<bigint[]> {
  const statements = (await world.rows('statements')).filter(({ party_id }) => party_id === partyId)
  return statements
    .sort((a, b) => a.number - b.number)
    .map(({ due_minor, allocated_minor }) => due_minor - allocated_minor)
}
