/**
 * Where the money of a foreign-currency order is: what its deposits brought, what it was exchanged for, and what waits
 * to be sent back. Worked out from the order's rows alone, and held against its postings.
 */
import { factsOf } from '../../machines/statuses.ts'
import { type AccountRef, accountId } from '../../persistence/store.ts'
import { currencyOf, own } from '../orders/foreign-postings.ts'
import type { OrderFacts } from './order-facts.ts'

export type Moves = readonly (readonly [account: string, amountMinor: bigint])[]

type Foreign = NonNullable<OrderFacts['foreign']>

/** Where an order's money may be by its status and what was said of its exceptions; none where nothing fits. */
export function foreignPlaces(facts: OrderFacts): readonly Moves[] {
  const { order, foreign, exceptions } = facts
  if (foreign === null) return []
  const { deposited, exchanged, paid, lost } = movesOf(facts, foreign)
  const reserved = accountId({ kind: 'reserved', ownerId: order.merchant_id, currency: order.currency })
  switch (factsOf(order.status).money) {
    case 'awaited':
      return [deposited]
    case 'reserved':
      return [exchanged(reserved)]
    case 'paid':
      return paid
    case 'returned':
      break
  }
  const wasLocked = exceptions.find(
    ({ kind }) => kind === 'expired_while_locked' || kind === 'cancelled_while_locked',
  )
  if (wasLocked === undefined) return [restOf(facts, foreign)]
  const suspense = accountId({ kind: 'suspense', ownerId: order.merchant_id, currency: order.currency })
  if (wasLocked.state === 'open') return [exchanged(suspense)]
  if (wasLocked.resolution === 'honour') return paid
  const wasReclaimed = exceptions.some(
    ({ kind, resolution }) => kind === 'confirmed_after_return' && resolution === 'honour',
  )
  const rest = restOf(facts, foreign)
  return wasReclaimed ? lost.map((moves) => [...rest, ...moves]) : [rest]
}

function movesOf({ order }: OrderFacts, foreign: Foreign) {
  const sent = currencyOf(foreign)
  const { expected_minor: expected, received_minor: received, fee_minor: fee, rounding_minor } = foreign
  const { price_minor: price, currency, merchant_id: ownerId, lock_provider_id } = order
  const treasury = accountId(own('treasury', sent))
  const local = (kind: AccountRef['kind']) => accountId(own(kind, currency))
  return {
    deposited: [
      [treasury, -received],
      [accountId({ kind: 'deposit', ownerId, currency: sent }), received],
    ] satisfies Moves,
    /** The price is in the account that is given. */
    exchanged: (place: string): Moves => exchangedTo([[place, price]]),
    paid: lock_provider_id === null ? [] : [exchangedTo(creditedTo(order, lock_provider_id, price))],
    lost:
      lock_provider_id === null
        ? []
        : [[[local('fee'), -price], ...creditedTo(order, lock_provider_id, price)] satisfies Moves],
  }

  function exchangedTo(places: Moves): Moves {
    return [
      [treasury, -expected],
      [accountId(own('exchange', sent)), expected - fee],
      [accountId(own('fee', sent)), fee],
      [local('exchange'), -price - rounding_minor],
      [local('rounding'), rounding_minor],
      ...places,
    ]
  }
}

/** What a provider is credited with for the cash of an order, its commission and the tax on it included. */
export function creditedTo(
  { currency, commission_minor: commission, commission_tax_minor: tax }: OrderFacts['order'],
  ownerId: string,
  cashMinor: bigint,
): Moves {
  return [
    [accountId({ kind: 'provider', ownerId, currency }), cashMinor + commission + tax],
    [accountId({ kind: 'fee', ownerId, currency }), -commission],
    [accountId({ kind: 'tax_credited', ownerId, currency }), -tax],
  ]
}

/** What is left of an order that ended unpaid: to be sent back, sent back, or kept. */
function restOf({ exceptions }: OrderFacts, foreign: Foreign): Moves {
  const sent = currencyOf(foreign)
  const { received_minor: received } = foreign
  if (received === 0n) return []
  const due = exceptions.find(({ kind }) => kind === 'refund_due')
  if (due?.resolution === 'refunded') return []
  const place = due?.resolution === 'dismiss' ? 'fee' : 'suspense'
  return [
    [accountId(own('treasury', sent)), -received],
    [accountId(own(place, sent)), received],
  ]
}

/** What is wrong between a foreign order, its quote and its deposits, one sentence each. */
export function foreignProblems({ order, foreign, quote, deposits, exceptions }: OrderFacts): string[] {
  if (order.machine !== 'payOutForeign')
    return foreign === null ? [] : ['it has a foreign side that it should not']
  if (foreign === null) return ['its foreign side is missing']
  const problems: string[] = []
  const credited = deposits.reduce((sum, deposit) => sum + deposit.credited_minor, 0n)
  if (credited !== foreign.received_minor)
    problems.push(`it has received ${foreign.received_minor}, its deposits say ${credited}`)
  if (deposits.some((deposit) => deposit.asset_id !== foreign.asset_id))
    problems.push('it was credited with another asset than its own')
  const isFunded = foreign.received_minor === foreign.expected_minor
  const { money } = factsOf(order.status)
  const needsFunds = money === 'reserved' || money === 'paid'
  if (needsFunds && !isFunded) problems.push(`it is ${order.status}, and was not paid`)
  if (money === 'awaited' && isFunded) problems.push(`it is ${order.status}, and was paid`)
  const isLeft = money === 'returned'
  const wasLocked = exceptions.some(
    ({ kind, resolution }) => kind.endsWith('_while_locked') && resolution !== 'return',
  )
  const isDue = isLeft && foreign.received_minor > 0n && !wasLocked
  if (isDue !== exceptions.some(({ kind }) => kind === 'refund_due'))
    problems.push(isDue ? 'nobody is told of its refund' : 'a refund is due that should not be')
  if (quote === null || quote.order_id !== order.id) problems.push('its quote is not marked as used for it')
  else if (
    quote.order_price_minor !== order.price_minor ||
    quote.target_currency !== order.currency ||
    quote.send_minor !== foreign.expected_minor ||
    quote.fee_minor !== foreign.fee_minor ||
    quote.rounding_minor !== foreign.rounding_minor
  )
    problems.push('its amounts are not those of its quote')
  return problems
}
