/**
 * What every order is made of: its statuses, what it remembers, what it can be told, and what it asks for.
 *
 * An order is a durable actor: its snapshot is a row, time arrives in its events, and its effects are data
 * (protocol 13.1). The charts are one file each beside this one.
 */
import { assign, setup } from 'xstate'
import { factsOf, type OrderStatus, orderStatuses } from './statuses.ts'
import type { Instant } from './time.ts'

export type Direction = 'PAY_OUT' | 'PAY_IN'

/** Which provider holds an order, through which of its networks, since when. */
export interface Lock {
  providerId: string
  networkId: string
  at: Instant
}

export interface OrderInput {
  orderId: string
  /** Minor units as a decimal string: snapshots are JSON, and JSON has no BigInt. */
  price: string
  currency: string
  createdAt: Instant
  expiryAt: Instant
  /** How long after `expiryAt` a locked order still waits for its confirmation. */
  confirmGraceMs: number
}

export interface OrderContext extends OrderInput {
  modifiedAt: Instant
  /** The price was taken from the merchant's available balance. Never so for a pay-in. */
  isReserved: boolean
  /** Kept in a final state: it tells who paid, or who held the order when it ended. */
  lock: Lock | null
  /** How often a provider has taken the lock. */
  locks: number
  paidAt: Instant | null
  /** Of a foreign order: money has come for it, perhaps not all. */
  hasDeposit?: true
}

/** A credit to a foreign order, in smallest units of its asset, as decimal strings. */
export interface Credit {
  /** The deposit's identity: chain, transaction and index. */
  deposit: string
  amount: string
  /** What is missing after it; `0` when the order is funded. */
  missing: string
}

/** What a provider earns by an order: the terms it follows from, and amounts in minor units, as decimal strings. */
export interface Commission {
  terms: string
  amount: string
  tax: string
}

/** Where a till says that it is, and what its network calls the payment: recorded, and never looked at by a chart. */
export interface TillNote {
  reference?: string
  shopId?: string
  tillId?: string
}

/** What a provider's report says of a payment. */
export interface ReportedPayment {
  providerId: string
  networkId: string
  paidAt: Instant
  /** In the order's currency, minor units as a decimal string. */
  amount: string
  /** The provider's own name of the payment. */
  reference: string
  /** Where terms were agreed on, and nobody held the order. */
  commission?: Commission
}

export type OrderEvent =
  | { type: 'funds.reserve'; at: Instant }
  /** The first unsigned transaction: what it moves, and the SHA-256 of its text. */
  | { type: 'transaction.built'; at: Instant; amount: string; digest: string }
  /** A final deposit that belongs to the order without any doubt. */
  | ({ type: 'funds.credit'; at: Instant } & Credit)
  /** One that was in doubt, and that an operator takes for the order's. */
  | ({ type: 'funds.accept'; at: Instant; reason: string } & Credit)
  /** `commission` where terms were agreed on with the network. */
  | ({
      type: 'payment.start'
      at: Instant
      providerId: string
      networkId: string
      commission?: Commission
    } & TillNote)
  /**
   * `networkId` where a till says it: perhaps another of the holder's networks than the lock's, which stays. `reason`
   * where an operator speaks for the provider, whose till is dead.
   */
  | ({
      type: 'payment.confirm'
      at: Instant
      providerId: string
      networkId?: string
      reason?: string
    } & TillNote)
  /**
   * `isClockInDoubt` where nothing may expire by itself, `isQuarantined` where this order may not, because it may have been
   * paid since a backup: then a late one makes the order READY, too.
   */
  | {
      type: 'payment.cancel'
      at: Instant
      providerId: string
      networkId?: string
      reason?: string
      isClockInDoubt?: true
      isQuarantined?: true
    }
  /** A provider's report says that it handled the cash: of an order that was quarantined since a backup was restored. */
  | ({ type: 'payment.report'; at: Instant; reason: string } & ReportedPayment)
  | { type: 'operator.cancel'; at: Instant; reason: string; force: boolean }
  /** `isChainOut` where the chain of a waiting order could not be read past its expiry for too long. */
  | { type: 'order.expire'; at: Instant; isChainOut?: true }

export type OrderEventType = OrderEvent['type']

/**
 * Effects are data: the step that decides them writes each as a row, in its own transaction, and a worker
 * carries it out at least once (`actors/orders/effects.ts` maps each one).
 */
export type OrderEffect =
  /** The merchant learns of the order's present status. */
  | { type: 'merchant.notify'; params: undefined }
  /** The price is to be reserved from the merchant's available balance as soon as it suffices. */
  | { type: 'funding.request'; params: undefined }
  | { type: 'funding.withdraw'; params: undefined }
  /** The order's money moves; `actors/orders/postings.ts` says from where to where. */
  | { type: 'money.move'; params: { movement: Movement } }
  /** A person has to look at it. */
  | { type: 'exception.open'; params: { kind: OrderExceptionKind } }

/** reserve: available → reserved. release: back. settle: the cash was handled. suspend: nobody knows yet. */
export type LocalMovement = 'reserve' | 'release' | 'settle' | 'suspend'

/**
 * exchange: what was deposited becomes the price, in reserve. unwind: back, and the asset waits to be refunded.
 * abandon: what was deposited of a part waits to be refunded.
 */
export type ForeignMovement = 'exchange' | 'unwind' | 'abandon' | 'settle' | 'suspend'

export type Movement = LocalMovement | ForeignMovement

export type OrderExceptionKind =
  | 'expired_while_locked'
  | 'cancelled_while_locked'
  /** It ended with money of its end user that was not paid out. */
  | 'refund_due'
  /** It expired although its chain was not read past its expiry: money may have come for it. */
  | 'chain_outage'

/** What a chart's state says in public: the child of `open`, or the final state; `null` where it says nothing. */
export function publicStatus(value: unknown): OrderStatus | null {
  const child: unknown = typeof value === 'object' && value !== null ? Object.values(value)[0] : value
  // A child that has children of its own is named by its key.
  const name: unknown = typeof child === 'object' && child !== null ? Object.keys(child)[0] : child
  return orderStatuses.find((status) => status === name) ?? null
}

/** When an order in this status falls due by itself; `null` when it never does. */
export function dueAt(status: OrderStatus, context: OrderContext): Instant | null {
  const { due } = factsOf(status)
  if (due === null) return null
  return due === 'grace' ? context.expiryAt + context.confirmGraceMs : context.expiryAt
}

/** Facts, verbs and effects that the charts share. An `assign` outside `setup` breaks TypeScript's inference. */
export const orderSetup = setup({
  types: {} as { context: OrderContext; events: OrderEvent; input: OrderInput },
  guards: {
    /** The provider that speaks is the one that holds the order. */
    holdsLock: ({ context, event }) => 'providerId' in event && context.lock?.providerId === event.providerId,
    isLocked: ({ context }) => context.lock !== null,
    isReserved: ({ context }) => context.isReserved,
    isForced: ({ event }) => event.type === 'operator.cancel' && event.force,
    isPastExpiry: ({ context, event }) => event.at >= context.expiryAt,
    mayExpire: ({ event }) => !('isClockInDoubt' in event) && !('isQuarantined' in event),
    isChainOut: ({ event }) => 'isChainOut' in event,
    hasDeposit: ({ context }) => context.hasDeposit === true,
    /** The credit brings all that was missing. */
    isFunded: ({ event }) => 'missing' in event && event.missing === '0',
    /** A locked order gets its grace: cash may be on the counter already. */
    isDue: ({ context, event }) =>
      event.at >= context.expiryAt + (context.lock === null ? 0 : context.confirmGraceMs),
  },
  actions: {
    takeLock: assign({
      lock: (_, params: Lock) => params,
      locks: ({ context }) => context.locks + 1,
    }),
    releaseLock: assign({ lock: null }),
    recordReserved: assign({ isReserved: true }),
    recordDeposit: assign({ hasDeposit: true }),
    recordPaid: assign({ paidAt: (_, params: { at: Instant }) => params.at }),
    touch: assign({ modifiedAt: ({ event }) => event.at }),
    'merchant.notify': () => {},
    'funding.request': () => {},
    'funding.withdraw': () => {},
    'money.move': (_, _params: { movement: Movement }) => {},
    'exception.open': (_, _params: { kind: OrderExceptionKind }) => {},
  },
})

/** The context an order begins with. */
export function newOrder({ input }: { input: OrderInput }): OrderContext {
  return { ...input, modifiedAt: input.createdAt, isReserved: false, lock: null, locks: 0, paidAt: null }
}
