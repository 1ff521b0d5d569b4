/**
 * The order registry: how the rest of the program creates orders and speaks to them.
 *
 * Each call is one step of the store. What has fallen due by the step's time is applied first. What goes in and what
 * comes out is data: callers may be on another thread.
 */
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { idempotencyKey } from '../../persistence/queries/orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { AdvanceContext } from './advance.ts'
import { type MessageGuard, type Repeated, recall, repeated } from './answers.ts'
import type { ChainExpiryOptions } from './chain-expiry.ts'
import { type Created, type CreatedAnswer, type CreatingOptions, create } from './creating.ts'
import type { NewOrder, OrderWithConsumer } from './creation.ts'
import { createDue, type DueOptions } from './due.ts'
import { type FindingOptions, find, findByCode } from './finding.ts'
import { lookAtQuote, type NewForeignOrder, type QuoteLook } from './foreign-creation.ts'
import { lookAtRefund, type RefundAsked, type RefundLook } from './refunds.ts'
import { reserve, type WaitingOrder } from './reserving.ts'
import {
  type AnswerTo,
  type Message,
  type RefusedMessage,
  type RefusedOnce,
  refuseOnce,
  type Told,
  type ToldAnswer,
  tell,
} from './telling.ts'

export { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'

export interface OrderRegistry {
  /** What each step of an order needs, for those that tell one something in a step of their own. */
  readonly context: AdvanceContext
  create(order: NewOrder | NewForeignOrder, guard?: MessageGuard): Promise<Created>
  /** What is known of a quote before its order is made; the making looks again. */
  lookAtQuote(asked: { merchantId: string; quoteId: string; wallet: string }): Promise<QuoteLook>
  /** What is left of a pay-in before a refund of it is made; the making looks again. */
  lookAtRefund(asked: RefundAsked): Promise<RefundLook>
  /** What an idempotency key of a message that binds no revision already stands for; `null` when nothing. */
  recall(guard: MessageGuard): Promise<Repeated | null>
  tell(message: Message): Promise<Told>
  /** Keeps a refusal, so that its message is not judged again; says what it was answered where it was judged before. */
  refuseOnce(message: RefusedMessage): Promise<RefusedOnce>
  /** Reserves the price of a waiting order when its merchant's balance holds it. */
  fund(order: WaitingOrder): Promise<'funded' | 'not_funded'>
  /** The order as of now: what fell due is applied first. */
  find(id: string): Promise<OrderWithConsumer | null>
  /** A code is unique over both directions: without one, an order of either is found. */
  findByCode(code: string, direction?: Direction): Promise<Row<'orders'> | null>
  /** Applies the expiry of an order that is due; harmless on any other. @throws UnreadableOrder */
  expire(orderId: string): Promise<void>
  /** The same for whoever only looks: false for an order that cannot be read, which stays as it is. */
  tryExpire(orderId: string): Promise<boolean>
  /** What `dueOrders` asks for: a chain that was not read since then no longer holds back an expiry. */
  outageBefore(now: Instant): Instant
  /** The same orders, through a store that looks at what is written. */
  over(store: Store): OrderRegistry
  /** For whoever asks that on another thread. */
  readonly chainExpiry: ChainExpiryOptions
}

/** What the public listener tells orders, and asks of them. */
export type PublicOrders = PublicOrderReads & {
  create(order: NewOrder | NewForeignOrder, guard?: MessageGuard): Promise<CreatedAnswer>
  tell(message: Message): Promise<ToldAnswer>
} & Pick<OrderRegistry, 'lookAtQuote' | 'refuseOnce'>

/** Those for which reading is enough, but for what fell due. */
export type PublicOrderReads = Pick<OrderRegistry, 'find' | 'findByCode' | 'recall' | 'lookAtRefund'>

export interface RegistryOptions extends CreatingOptions, DueOptions {
  /** Makes what the speakers of messages are answered. */
  answerTo: AnswerTo
}

export function createOrderRegistry(options: RegistryOptions): OrderRegistry {
  const { store, clock, answerTo } = options
  const context = { journalKey: options.journalKey, checkoutUrl: options.checkoutUrl }
  const due = createDue(options)
  const telling = { store, context, due, answerTo }
  return {
    context,
    ...createOrderReads({ store, clock, due }),
    create: (order, guard) => create(options, order, guard),
    lookAtQuote: (asked) => lookAtQuote(options, asked),
    tell: tell.bind(null, telling),
    refuseOnce: (message) => refuseOnce(store, message),
    fund: (order) => reserve(store, context, order),
    expire: due.expire,
    tryExpire: due.tryExpire,
    outageBefore: due.outageBefore,
    chainExpiry: due.chainExpiry,
    over: (other) => createOrderRegistry({ ...options, store: other }),
  }
}

/** Beside the registry, or on another thread: what it reads is committed, and what fell due is applied by `due`. */
export function createOrderReads(finding: FindingOptions): PublicOrderReads {
  const { store, clock } = finding
  return {
    find: (id) => find(finding, id),
    findByCode: (code, direction) => findByCode(finding, code, direction),
    recall: (guard) => recallAnswer(store, guard, clock.now()),
    lookAtRefund: (asked) => lookAtRefund(store, asked),
  }
}

async function recallAnswer(
  store: Pick<Store, 'query'>,
  guard: MessageGuard,
  now: Instant,
): Promise<Repeated | null> {
  if (guard.idempotency === undefined) return null
  const { partyId, idempotency } = guard
  const [idempotent] = await store.query(idempotencyKey, { partyId, key: idempotency.key })
  const known = recall(guard, { idempotent: idempotent ?? null, repeated: null }, null, now)
  return known.kind === 'new' ? null : repeated(known)
}
