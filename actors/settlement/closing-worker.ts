/**
 * The worker that closes days once they have ended, each as its party's terms have it, and seals what is closed. One node does it at a time;
 * what it missed it makes up for, one statement a period.
 */
import type { Instant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { fundableOrders } from '../../persistence/queries/orders.ts'
import { accountById, partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { bookOf, endedDays, nextCutOff, unsealedStatements } from '../../persistence/queries/statements.ts'
import { allSettlementTerms } from '../../persistence/queries/terms.ts'
import { LeadershipLost, type Row, type Store, StoreUnavailable } from '../../persistence/store.ts'
import { settlementStoppedFact } from '../anchors/restore-watch.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import type { Every } from '../terms/entries.ts'
import { closeDay } from './closing.ts'
import { isClosing } from './closing-days.ts'
import { accountOf, type Holder } from './position.ts'
import { postpone } from './postponing.ts'
import { sealStatement } from './sealing.ts'
import { setOff } from './set-off.ts'

export interface ClosingOptions {
  orders: Pick<OrderRegistry, 'fund'>
  clock: { now(): Instant }
  /** False while the clock is in doubt: then no day has ended. */
  isTrusted: () => boolean
  /** What is left is the next start's: a long statement would hold a stop up for minutes. */
  isStopping: () => boolean
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void }
}

const soonMs = 1_000
const daysPerPass = 400
const statementsPerPass = 100

export function createClosing(options: ClosingOptions): (store: Store) => Promise<PassResult> {
  const { clock } = options
  return async (store) => {
    const closed = await closeEndedDays(store, options)
    const postponed = await postpone(store)
    const waiting = await sealClosed(store, options)
    const [next] = await store.query(nextCutOff, { now: clock.now() })
    const nextAt = waiting > 0 ? clock.now() + soonMs : (next?.ends_at ?? null)
    return { more: false, nextAt, seen: { closed, postponed, waiting } }
  }
}

async function closeEndedDays(store: Store, options: ClosingOptions): Promise<number> {
  const { isTrusted, isStopping, log } = options
  const [stopped] = await store.query(factByName, { name: settlementStoppedFact })
  if (!isTrusted() || stopped !== undefined) return 0
  const kinds = await kindsOfParties(store)
  let closed = 0
  for (const terms of await store.query(allSettlementTerms, {})) {
    if (isStopping()) break
    const kind = kinds.get(terms.party_id)
    if (kind === undefined) continue
    const holder = { partyId: terms.party_id, kind, currency: terms.currency }
    try {
      closed += await closeDaysOf(store, holder, terms, options)
    } catch (error) {
      // These are not the party's; what is keeps no other from its statement.
      if (error instanceof StoreUnavailable || error instanceof LeadershipLost) throw error
      log.error({ err: error, party: terms.party_id, currency: terms.currency }, 'days could not be closed')
    }
  }
  return closed
}

async function kindsOfParties(store: Store): Promise<Map<string, Holder['kind']>> {
  const kinds = new Map<string, Holder['kind']>()
  for (const kind of ['merchant', 'provider'] as const)
    for (const { id } of await store.query(partiesOfKind, { kind })) kinds.set(id, kind)
  return kinds
}

async function closeDaysOf(
  store: Store,
  holder: Holder,
  terms: Row<'settlement_terms'>,
  { orders, clock, isTrusted, isStopping, log }: ClosingOptions,
): Promise<number> {
  const { partyId, currency } = holder
  const [book] = await store.query(bookOf, { partyId, currency })
  const after = book?.closed_day ?? ''
  const ended = await store.query(endedDays, {
    partyId,
    currency,
    after,
    now: clock.now(),
    limit: daysPerPass,
  })
  const every: Every = JSON.parse(terms.every_json)
  const days = ended.map(({ day }) => day).filter((day) => isClosing(every, day))
  let closed = 0
  for (const day of days) {
    if (!isTrusted() || isStopping()) break
    if (holder.kind === 'merchant') await fundFirst(store, holder, orders)
    const result = await closeDay(store, holder, day)
    if (!result.ok) break
    if (result.plan === null) continue
    closed += 1
    await setOff(store, holder)
    log.info({ party: partyId, currency, number: result.plan.number, day }, 'statement closed')
  }
  return closed
}

const fundingPasses = 50
const ordersPerPass = 100

/** What waits for a merchant's balance is funded before the rest is swept: so many orders at most, the oldest that fit. */
export async function fundFirst(
  store: Store,
  holder: Holder,
  orders: Pick<OrderRegistry, 'fund'>,
): Promise<void> {
  const { partyId: merchantId, currency } = holder
  for (let pass = 0; pass < fundingPasses; pass++) {
    const [account] = await store.query(accountById, { id: accountOf(holder, 'available') })
    const balanceMinor = account?.balance_minor ?? 0n
    const waiting = await store.query(fundableOrders, {
      merchantId,
      currency,
      balanceMinor,
      limit: ordersPerPass,
    })
    let funded = 0
    for (const { order_id: orderId } of waiting) {
      if ((await orders.fund({ orderId, merchantId, currency })) === 'funded') funded += 1
    }
    if (funded === 0) return
  }
}

/** @returns how many wait to be anchored, or failed. */
async function sealClosed(store: Store, { isStopping, log }: ClosingOptions): Promise<number> {
  let waiting = 0
  for (const statement of await store.query(unsealedStatements, { limit: statementsPerPass })) {
    if (isStopping()) break
    try {
      // A closing that was killed before it: what is sealed may be ordered, and is set off by then.
      await setOff(store, { partyId: statement.party_id, currency: statement.currency })
      if (!(await sealStatement(store, statement, isStopping))) waiting += 1
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof LeadershipLost) throw error
      const { party_id: party, currency, number } = statement
      log.error({ err: error, party, currency, number }, 'a statement could not be sealed')
    }
  }
  return waiting
}
