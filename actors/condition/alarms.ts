/**
 * Alarms, not blocks: what an operator should look at before it is a bad day. Nothing is refused because of one,
 * and the node is not degraded: it does what it should.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { blockchains } from '../../machines/blockchains.ts'
import { formatPrice, formatUnits } from '../../machines/money.ts'
import { readDoubt } from '../../machines/rate-doubt.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import {
  heldCount,
  heldSince,
  oftenReleased,
  placesLost,
  quarantinedPastExpiry,
  stuckOrderExceptions,
  waitingOnChain,
} from '../../persistence/queries/alarms.ts'
import { overdueClaims } from '../../persistence/queries/claims.ts'
import { exposuresOfAll, type Used, usedOf } from '../../persistence/queries/exposure.ts'
import { chainCursor } from '../../persistence/queries/foreign-orders.ts'
import { partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { ratesInDoubt } from '../../persistence/queries/rates.ts'
import { treasuryCounts } from '../../persistence/queries/treasuries.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'

const longHeldMs = 3_600_000
export const maxHeld = 200

export type AlarmKind =
  | 'often_released'
  | 'long_held'
  | 'many_held'
  | 'quarantined_past_expiry'
  | 'rate_in_doubt'
  | 'chain_stalled'
  | 'order_stuck'
  | 'treasury_differs'
  | 'chain_place_lost'
  | 'exposure_high'
  | 'claim_overdue'

/** Five minutes: blocks count as read a minute or two after they are final, and endpoints have their moments. */
const stalledMs = 300_000

/** Orders whose funding window closed before this may be past hope already. */
const waitingMs = 21_600_000

export interface Alarm {
  kind: AlarmKind
  order: string | null
  /** A provider's name. */
  provider: string | null
  /** A blockchain's. */
  chain: string | null
  since: string | null
  /** Releases, or orders held. */
  count: number | null
  /** Of `exposure_high`: amounts in the currency. */
  exposure?: { currency: string; used: string; limit: string; warnAtPercent: number }
  /** For people. */
  message: string
}

export interface Alarms {
  alarms: Alarm[]
  /** There are more of a kind than are told. */
  more: boolean
}

/** Of each kind, and of each provider's orders. */
const maxTold = 50
const turnEvery = 32

interface Exposure extends Used {
  name: string
  currency: string
  limit_minor: bigint
  warn_at_percent: number
}

/** Limits of exposure that are looked at. */
const maxLimits = 1000

export async function findAlarms({
  store,
  clock,
}: {
  store: Store
  clock: { now(): Instant }
}): Promise<Alarms> {
  const released = await store.query(oftenReleased, { limit: maxTold + 1 })
  const alarms = released.slice(0, maxTold).map(oftenReleasedAlarm)
  let more = released.length > maxTold
  alarms.push(
    ...(await quarantinedPastExpiryAlarm(store, clock.now())),
    ...(await stalledAlarms(store, clock.now())),
  )
  const doubted = await store.query(ratesInDoubt, { limit: maxTold + 1 })
  alarms.push(...doubted.slice(0, maxTold).flatMap(rateAlarm))
  more ||= doubted.length > maxTold
  const stuck = await store.query(stuckOrderExceptions, { limit: maxTold + 1 })
  alarms.push(...stuck.slice(0, maxTold).map(stuckAlarm))
  more ||= stuck.length > maxTold
  alarms.push(...(await treasuryAlarms(store)), ...(await store.query(placesLost, {})).map(placeLostAlarm))
  const exposures = await store.query(exposuresOfAll, { limit: maxLimits + 1 })
  const high = exposures.slice(0, maxLimits).flatMap(exposureAlarm)
  alarms.push(...high.slice(0, maxTold))
  more ||= exposures.length > maxLimits || high.length > maxTold
  const overdue = await store.query(overdueClaims, { now: clock.now(), limit: maxTold + 1 })
  alarms.push(...overdue.slice(0, maxTold).map(overdueAlarm))
  more ||= overdue.length > maxTold
  const providers = await store.query(partiesOfKind, { kind: 'provider' })
  for (const [index, provider] of providers.entries()) {
    if (index % turnEvery === turnEvery - 1) await nextTurn()
    const ofProvider = await alarmsOf(store, provider, clock.now())
    alarms.push(...ofProvider.alarms)
    more ||= ofProvider.more
  }
  return { alarms, more }
}

async function alarmsOf(store: Store, { id, name }: Row<'parties'>, now: Instant): Promise<Alarms> {
  const before = now - longHeldMs
  const held = await store.query(heldSince, { providerId: id, before, limit: maxTold + 1 })
  const alarms = held.slice(0, maxTold).map(({ id: order, code, locked_at }): Alarm => {
    const since = formatInstant(locked_at ?? now)
    const message = `${name} has held order ${code} since ${since}: ask whether its till works.`
    return { kind: 'long_held', order, provider: name, chain: null, since, count: null, message }
  })
  const [counted] = await store.query(heldCount, { providerId: id, limit: maxHeld + 1 })
  if ((counted?.orders ?? 0) > maxHeld) {
    const message = `${name} holds more than ${maxHeld} orders: its tills may be starting orders without finishing them.`
    alarms.push({
      kind: 'many_held',
      order: null,
      provider: name,
      chain: null,
      since: null,
      count: maxHeld + 1,
      message,
    })
  }
  return { alarms, more: held.length > maxTold }
}

/** Their stakes stay reserved until somebody says what was paid: one alarm for all of them. */
async function quarantinedPastExpiryAlarm(store: Store, now: Instant): Promise<Alarm[]> {
  const waiting = await store.query(quarantinedPastExpiry, { now, limit: maxHeld + 1 })
  const [oldest] = waiting
  if (oldest === undefined) return []
  const since = formatInstant(oldest.due_at ?? now)
  const told = waiting.length > maxHeld ? `More than ${maxHeld}` : `${waiting.length}`
  const message =
    `${told} orders that are quarantined since a backup was restored are past their expiry, the oldest since ${since}. ` +
    'They expire once cleared: first ask the providers what they paid.'
  return [
    {
      kind: 'quarantined_past_expiry',
      order: null,
      provider: null,
      chain: null,
      since,
      count: waiting.length,
      message,
    },
  ]
}

/** A chain that is not read on, for whatever reason, while somebody may have paid on it. */
async function stalledAlarms(store: Store, now: Instant): Promise<Alarm[]> {
  const alarms: Alarm[] = []
  for (const blockchain of blockchains) {
    const [cursor] = await store.query(chainCursor, { blockchain })
    if (cursor === undefined) continue
    const readTo = cursor.scanned_to_at ?? cursor.read_at
    if (now - readTo <= stalledMs) continue
    const limit = maxHeld + 1
    const waiting = await store.query(waitingOnChain, { blockchain, since: now - waitingMs, limit })
    if (waiting.length === 0) continue
    const since = formatInstant(readTo)
    const told = waiting.length > maxHeld ? `More than ${maxHeld}` : `${waiting.length}`
    const message =
      `${blockchain} has not been read past ${since}, and nothing is passed over: ${told} of its orders wait for money ` +
      'that may have come. `ventanilla chain lag` says why; another endpoint in the settings may help.'
    alarms.push({
      kind: 'chain_stalled',
      order: null,
      provider: null,
      chain: blockchain,
      since,
      count: waiting.length,
      message,
    })
  }
  return alarms
}

function rateAlarm({
  doubt_json,
  problem,
  send_currency: send,
  country,
  target_currency: target,
  blockchain,
}: Row<'rates'>): Alarm[] {
  if (doubt_json === null) return []
  const since = formatInstant(readDoubt(doubt_json).since)
  const rate = `${send} to ${country} ${target} on ${blockchain}`
  const message = `The rate of ${rate} is in doubt, so quotes do not use it: ${problem}.`
  return [{ kind: 'rate_in_doubt', order: null, provider: null, chain: null, since, count: null, message }]
}

function stuckAlarm({
  order_id: order,
  reason,
  opened_at,
}: Pick<Row<'exceptions'>, 'order_id' | 'reason' | 'opened_at'>): Alarm {
  const message = `Order ${order}: ${reason} Run the version that stored it, or ask for help with this order.`
  return {
    kind: 'order_stuck',
    order,
    provider: null,
    chain: null,
    since: formatInstant(opened_at),
    count: null,
    message,
  }
}

function overdueAlarm({
  number,
  kind,
  state,
  respondent,
  order_id: order,
  due_at,
  due_on,
}: Pick<
  Row<'claims'>,
  'number' | 'kind' | 'state' | 'respondent' | 'order_id' | 'due_at' | 'due_on'
>): Alarm {
  const said = state === 'open' ? `the ${respondent} has not answered` : `the ${respondent} has ${state}`
  const message = `Claim ${number} (${kind.replaceAll('_', ' ')}) was to be decided by ${due_on}, and ${said}: claim show ${number}`
  const since = formatInstant(due_at)
  return { kind: 'claim_overdue', order, provider: null, chain: null, since, count: null, message }
}

function placeLostAlarm({
  id,
  chain,
  opened_at,
}: Pick<Row<'exceptions'>, 'id' | 'chain' | 'opened_at'>): Alarm {
  const message = `How far ${chain} was read was lost, and open orders may have been paid meanwhile: exception show ${id}`
  const since = formatInstant(opened_at)
  return { kind: 'chain_place_lost', order: null, provider: null, chain, since, count: null, message }
}

/** Starts of its pay-ins are refused soon: what it owes is collected, or its limit raised, before that. */
function exposureAlarm(exposure: Exposure): Alarm[] {
  const { name, currency, limit_minor: limit, warn_at_percent: percent } = exposure
  const used = usedOf(exposure)
  if (used * 100n < limit * BigInt(percent)) return []
  const told = {
    currency,
    used: formatPrice(used, currency),
    limit: formatPrice(limit, currency),
    warnAtPercent: percent,
  }
  const reached = limit === 0n ? '' : ` (${(used * 100n) / limit} %)`
  const message =
    `${name} owes, holds or may owe ${told.used} of ${told.limit} ${currency}${reached}; the warning is from ${percent} % on. ` +
    'At the limit its pay-ins are refused: collect what it owes, or raise its limit.'
  return [
    {
      kind: 'exposure_high',
      order: null,
      provider: name,
      chain: null,
      since: null,
      count: null,
      exposure: told,
      message,
    },
  ]
}

/** One for each asset of a chain. */
async function treasuryAlarms(store: Store): Promise<Alarm[]> {
  const counts = (await store.query(treasuryCounts, {})).filter(({ told_units }) => told_units !== '0')
  return counts.map(({ blockchain, symbol, decimals, told_units, exception_id }) => {
    const units = BigInt(told_units)
    const amount = `${formatUnits(units < 0n ? -units : units, decimals)} ${symbol}`
    const message =
      `The treasury on ${blockchain} holds ${amount} ${units < 0n ? 'less' : 'more'} than its books say: ` +
      `exception show ${exception_id}`
    return {
      kind: 'treasury_differs',
      order: null,
      provider: null,
      chain: blockchain,
      since: null,
      count: null,
      message,
    }
  })
}

function oftenReleasedAlarm(
  order: Pick<Row<'orders'>, 'id' | 'code' | 'status' | 'locks' | 'modified_at'>,
): Alarm {
  const count = order.locks - (order.status === 'PAYMENT_STARTED' ? 1 : 0)
  return {
    kind: 'often_released',
    order: order.id,
    provider: null,
    chain: null,
    since: formatInstant(order.modified_at),
    count,
    message: `Order ${order.code} was started and released ${count} times: ask the providers why.`,
  }
}

/** Tells the log of each alarm once, for as long as it lasts. */
export function createAlarmWatch(options: {
  store: Store
  clock: { now(): Instant }
  log: { warn(facts: object, message: string): void }
}): () => Promise<PassResult> {
  let told = new Set<string>()
  return async () => {
    const { alarms, more } = await findAlarms(options)
    const present = new Set<string>()
    for (const { message, ...alarm } of alarms) {
      const about = alarm.order ?? alarm.provider ?? alarm.chain ?? message.split(',', 1)[0]
      const name = [alarm.kind, about, alarm.exposure?.currency].join(' ')
      present.add(name)
      if (!told.has(name)) options.log.warn({ alarm }, message)
    }
    // Of those beyond the limit nobody knows whether they are over.
    told = more ? new Set([...told, ...present]) : present
    return { more: false }
  }
}
