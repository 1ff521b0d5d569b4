/** Statements in a world of orders: terms with their days, and a closing worker whose anchors a test sets itself. */
import { markAnchored } from '../../actors/anchors/mark-anchored.ts'
import { createClosing } from '../../actors/settlement/closing-worker.ts'
import { cutOffOf, type Day } from '../../actors/terms/days.ts'
import { unanchoredClaims } from '../../persistence/queries/claims.ts'
import { partiesByName } from '../../persistence/queries/operations.ts'
import { unanchoredPayments } from '../../persistence/queries/payments.ts'
import { unanchoredStatements } from '../../persistence/queries/statements.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import type { TestNode } from './node.ts'
import { commit, type OrderWorld } from './order-world.ts'

/** Terms of a party in MXN, with these of its days planned. */
export async function agree(
  store: Store,
  partyId: string,
  days: readonly Day[],
  changes: Partial<Row<'settlement_terms'>> = {},
): Promise<void> {
  const terms = {
    party_id: partyId,
    currency: 'MXN',
    time_zone: 'America/Mexico_City',
    cut_off: '22:00',
    every_json: '"day"',
    calendar: null,
    after_banking_days: 1,
    minimum_minor: null,
    keep_minor: null,
    account: null,
    account_from_at: null,
    next_account: null,
    next_account_at: null,
    changed_at: 0,
    ...changes,
  }
  const rule = { timeZone: terms.time_zone, cutOff: terms.cut_off }
  const planned = days.map(
    (day): Write => ({
      insert: 'cut_offs',
      values: { party_id: partyId, currency: terms.currency, day, ends_at: cutOffOf(day, rule) },
    }),
  )
  await commit(store, [{ insert: 'settlement_terms', values: terms }, ...planned])
}

/** Banks that are shut on weekends, and on these days. */
export function bankCalendar(store: Store, calendar: string, closed: readonly Day[]): Promise<void> {
  return commit(store, [
    { insert: 'calendars', values: { name: calendar, weekend_json: '["SAT","SUN"]' } },
    ...closed.map((day): Write => ({ insert: 'calendar_days', values: { calendar, day, note: '' } })),
  ])
}

/** Errors that the worker told. */
export interface Closer {
  pass(store?: Store): Promise<void>
  errors: unknown[]
}

/** A worker of closings; each pass also sees what was closed anchored. */
export function closerOf(
  { store, orders, clock }: Pick<OrderWorld, 'store' | 'orders' | 'clock'>,
  {
    isTrusted = () => true,
    isStopping = () => false,
  }: { isTrusted?(): boolean; isStopping?(): boolean } = {},
): Closer {
  const errors: unknown[] = []
  const log = { info() {}, error: (facts: object) => errors.push(facts) }
  const closing = createClosing({ orders, clock, isTrusted, isStopping, log })
  return {
    errors,
    async pass(own = store) {
      await closing(own)
      await anchor(own)
      await closing(own)
    },
  }
}

/** As if what was closed and ordered were outside the database. */
export async function anchor(store: Store): Promise<void> {
  const closed = await store.query(unanchoredStatements, { limit: 1000 })
  const ordered = await store.query(unanchoredPayments, { limit: 1000 })
  await markAnchored(store, {
    closed,
    ordered,
    claimed: await store.query(unanchoredClaims, { limit: 1000 }),
  })
}

/** Deposits of the shop by one step, since each of them is a line. */
export async function addWires({ core }: Pick<TestNode, 'core'>, count: number): Promise<void> {
  const ownerId = (await core.store.query(partiesByName, { name: 'Shop' }))[0]?.id ?? ''
  const post = {
    kind: 'deposit',
    debit: { kind: 'bank', ownerId: 'main', currency: 'MXN' },
    credit: { kind: 'available', ownerId, currency: 'MXN' },
    amountMinor: 100n,
    orderId: null,
  } as const
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  await commit(
    core.store,
    numbers.map((number) => ({ post: { ...post, reference: `wire ${number}` } })),
  )
}
