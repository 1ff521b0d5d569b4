/**
 * The order registry: how the rest of the program creates orders and speaks to them.
 *
 * Each call is one step of the store. What has fallen due by the step's time is applied first.
 */
import type { Direction, OrderEvent } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { Instant } from '../../machines/time.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { consumerOfOrder, idempotencyKey, orderByCode, orderById } from '../../persistence/queries/orders.ts'
import { accountId, type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../exceptions/exception-id.ts'
import { type Advance, type AdvanceContext, advance, updateOrder } from './advance.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repetition,
  recall,
  remember,
  rememberRefusal,
} from './answers.ts'
import { type Ending, judgeEnding, outageBefore, waitsForChain } from './chain-expiry.ts'
import { generateCode } from './code.ts'
import { type CreationContext, createOrder, type NewOrder, type OrderWithConsumer } from './creation.ts'
import type { Actor } from './journal.ts'
import { type JoinableException, joinLateConfirmation } from './late-confirmations.ts'
import type { Companions } from './representation.ts'
import { timeOrderedId } from './time-ordered-id.ts'
import { UnreadableOrder } from './unreadable-order.ts'

export { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'

/** A message that was judged before, or that cannot be told from one that was. */
export type Repeated =
  | { outcome: 'repeated'; answer: Answer }
  /** The order has changed since the first time. */
  | { outcome: 'stale_repetition' }
  /** The idempotency key was used for something else. */
  | { outcome: 'other_payload' }
  | { outcome: 'in_flight' }

export type Created =
  | { outcome: 'created'; order: Row<'orders'>; answer: Answer }
  | { outcome: 'duplicate_merchant_order_id' }
  | Repeated

/** What an order is told, by whom. */
export interface Message {
  orderId: string
  actor: Actor
  /** Made inside the step: time is the step's. */
  event: (at: Instant) => OrderEvent
  /** The revision the speaker saw; the order must not have changed since. */
  revision?: number
  /** Refuses, for a reason outside the order, what the order itself would accept. */
  veto?: RefusalReason | undefined
  guard?: MessageGuard | undefined
  /** What the speaker is answered when the event is accepted; kept where `guard` asks for it. */
  answer: (order: Row<'orders'>) => Answer
  /** What the speaker is answered when it is refused, kept likewise; `null` where that is no judgement (5xx). */
  refusal?: (order: Row<'orders'>, reason: RefusalReason) => Answer | null
}

/** A message that was refused before anybody told it to an order. */
export interface RefusedMessage {
  /** `null` where its order was not even looked for. */
  orderId: string | null
  guard: MessageGuard
  answer: Answer
}

export type Told =
  | { outcome: 'accepted'; order: Row<'orders'>; answer: Answer }
  /** The holder confirms again what it has paid: nothing changes. */
  | { outcome: 'already_confirmed'; order: Row<'orders'>; answer: Answer }
  | { outcome: 'refused'; reason: RefusalReason; order: Row<'orders'> }
  | { outcome: 'changed_since'; order: Row<'orders'> }
  | { outcome: 'unknown_order' }
  | Repeated

export interface OrderRegistry {
  /** What each step of an order needs, for those that tell one something in a step of their own. */
  readonly context: AdvanceContext
  /** @param answer what the merchant is answered with; kept where `guard` asks for it. */
  create(order: NewOrder, answer: (made: OrderWithConsumer) => Answer, guard?: MessageGuard): Promise<Created>
  /** What an idempotency key of a message that binds no revision already stands for; `null` when nothing. */
  recall(guard: MessageGuard): Promise<Repeated | null>
  tell(message: Message): Promise<Told>
  /** Keeps a refusal, so that its message is not judged again; says what it was answered where it was judged before. */
  refuseOnce(message: RefusedMessage): Promise<{ outcome: 'refused'; answer: Answer } | Repeated>
  /** Reserves the price of a waiting order when its merchant's balance holds it. */
  fund(order: { orderId: string; merchantId: string; currency: string }): Promise<'funded' | 'not_funded'>
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
}

export interface RegistryOptions extends CreationContext {
  store: Store
  clock: { now(): Instant }
  /** How long an order waits past its expiry for a chain that cannot be read. */
  maxOutageMs: number
  /** False while the clock is in doubt: then nothing expires by itself. */
  mayExpire: () => boolean
}

/** An order that waits for its chain is past its expiry. */
type ChainUnasked = { outcome: 'chain_unasked'; order: Row<'orders'> }

const clockActor: Actor = { kind: 'clock' }
const fundingActor: Actor = { kind: 'funding' }
const noConsumer = { email: '', phone_number: '' }
/** A local order tells nobody that it is READY. */
const nothingBeside = { consumer: null, foreign: null }

export function createOrderRegistry(options: RegistryOptions): OrderRegistry {
  const { store, clock, mayExpire } = options
  const chainExpiry = { maxOutageMs: options.maxOutageMs, startedAt: clock.now() }

  // Who may have been paid since a backup is not expired: its stake could be given back for cash that was handed out.
  const isDue = (order: Row<'orders'>, at: Instant) =>
    order.due_at !== null && order.due_at <= at && order.quarantined_at === null && mayExpire()

  /** The order with its due expiry applied, and what that takes; `null` where its chain has to be asked first. */
  function settled(
    order: Row<'orders'>,
    beside: Companions,
    at: Instant,
    ending: Ending | null,
  ): Advance | null {
    const unchanged = { refusal: null, order, writes: [], wake: [] }
    if (!isDue(order, at)) return unchanged
    if (waitsForChain(order)) {
      if (ending === null) return null
      if (ending === 'chain_behind') return unchanged
    }
    const outage = waitsForChain(order) && ending === 'chain_out' ? { isChainOut: true as const } : {}
    return advance(options, order, beside, { type: 'order.expire', at, ...outage }, clockActor)
  }

  const askChain = (order: Row<'orders'>) => judgeEnding(store, order, chainExpiry, clock.now())

  /** An order that is given back does not expire while nobody knows the time, nor while it is quarantined. */
  const withDoubts = (event: OrderEvent, { quarantined_at }: Row<'orders'>): OrderEvent =>
    event.type === 'payment.cancel'
      ? {
          ...event,
          ...(mayExpire() ? {} : { isClockInDoubt: true as const }),
          ...(quarantined_at === null ? {} : { isQuarantined: true as const }),
        }
      : event

  async function create(
    input: NewOrder,
    answer: (made: OrderWithConsumer) => Answer,
    guard?: MessageGuard,
  ): Promise<Created> {
    for (;;) {
      const identity = { id: timeOrderedId(clock.now()), code: generateCode() }
      const result = await store.step({
        rows: guardRows(guard),
        // A new order can be made elsewhere or later; those that are under way need the room that is left.
        isEssential: false,
        decide: (rows, at): Decision<Created> => {
          const known = recall(guard, rows, null, at)
          if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
          const made = createOrder(options, { ...input, ...identity }, at)
          const answered = answer(made)
          return {
            answer: { outcome: 'created', order: made.order, answer: answered },
            writes: [...made.writes, ...remember(guard, rows, made.order, answered, at)],
            wake: made.wake,
          }
        },
      })
      if (result.outcome === 'committed') return result.answer
      if (result.constraint === 'orders.merchant_order_id') return { outcome: 'duplicate_merchant_order_id' }
      if (result.constraint === 'idempotency_keys.key') return { outcome: 'in_flight' }
      // Codes are random: another one will do.
      if (result.constraint !== 'orders.code') throw new Error(`A creation violated ${result.constraint}.`)
    }
  }

  async function recallAnswer(guard: MessageGuard): Promise<Repeated | null> {
    if (guard.idempotency === undefined) return null
    const { partyId, idempotency } = guard
    const [idempotent] = await store.query(idempotencyKey, { partyId, key: idempotency.key })
    const known = recall(guard, { idempotent: idempotent ?? null, repeated: null }, null, clock.now())
    return known.kind === 'new' ? null : repeated(known)
  }

  async function tell(message: Message): Promise<Told> {
    const told = await tellOnce(message, null)
    if (told.outcome !== 'chain_unasked') return told
    const again = await tellOnce(message, await askChain(told.order))
    if (again.outcome === 'chain_unasked') throw new Error(`Order ${message.orderId} was asked for twice.`)
    return again
  }

  async function tellOnce(message: Message, ending: Ending | null): Promise<Told | ChainUnasked> {
    const { orderId, guard, actor } = message
    // An event's type is the same at any time, and only a confirmation can come too late.
    const isConfirmation = message.event(clock.now()).type === 'payment.confirm'
    const result = await store.step({
      rows: {
        order: row('orders', { id: orderId }),
        consumer: row('consumers', { order_id: orderId }),
        foreign: row('foreign_orders', { order_id: orderId }),
        ended: isConfirmation ? row('exceptions', { id: endedWhileLockedId(orderId) }) : undefined,
        disputed: isConfirmation ? row('exceptions', { id: confirmedAfterReturnId(orderId) }) : undefined,
        ...guardRows(guard),
      },
      decide: (rows, at): Decision<Told | ChainUnasked> => {
        if (rows.order === null) return { answer: { outcome: 'unknown_order' }, writes: [] }
        const present = settled(rows.order, rows, at, ending)
        if (present === null) return { answer: { outcome: 'chain_unasked', order: rows.order }, writes: [] }
        const before = rows.order
        const finish = (answer: Told, last: Advance): Decision<Told> => ({
          answer,
          writes: [
            ...present.writes,
            ...(last === present ? [] : last.writes),
            ...changes(before, last.order),
          ],
          wake: [...present.wake, ...last.wake],
        })

        const event = withDoubts(message.event(at), present.order)
        const known = recall(guard, rows, present.order.revision, at)
        // Whatever its bytes: who has paid hears so again, and may have tried too early before.
        const isPaid = isConfirmedAgain(present.order, event) && rows.idempotent === null
        if (known.kind !== 'new' && !isPaid) return finish(repeated(known), present)
        if (message.revision !== undefined && message.revision !== present.order.revision) {
          return finish({ outcome: 'changed_since', order: present.order }, present)
        }
        if (isConfirmedAgain(present.order, event)) {
          const answer = message.answer(present.order)
          return finish({ outcome: 'already_confirmed', order: present.order, answer }, present)
        }
        const next = advance(options, present.order, rows, event, actor, message.veto)
        if (next.refusal !== null) {
          const kept = message.refusal?.(next.order, next.refusal) ?? null
          const told = finish({ outcome: 'refused', reason: next.refusal, order: next.order }, next)
          const writes = kept === null ? [] : rememberRefusal(guard, rows, next.order, kept, at)
          const refused = { ...told, writes: [...told.writes, ...writes] }
          if (next.refusal !== 'ended_while_locked' || !('credential' in actor)) return refused
          const ended = rows.ended ?? openedIn(present.writes)
          const joined = joinLateConfirmation({ ...rows, ended }, next.order, actor, at)
          return { ...refused, writes: [...refused.writes, ...joined], wake: [...present.wake, 'exceptions'] }
        }
        const answer = message.answer(next.order)
        const accepted = finish({ outcome: 'accepted', order: next.order, answer }, next)
        const kept = remember(guard, rows, next.order, answer, at)
        return { ...accepted, writes: [...accepted.writes, ...kept] }
      },
    })
    if (result.outcome === 'committed') return result.answer
    if (result.constraint === 'idempotency_keys.key' || result.constraint === 'repeated_messages.digest') {
      return { outcome: 'in_flight' }
    }
    throw new Error(`An event of order ${orderId} violated ${result.constraint}.`)
  }

  async function refuseOnce({ orderId, guard, answer }: RefusedMessage) {
    type Refused = { outcome: 'refused'; answer: Answer } | Repeated
    const result = await store.step({
      rows: {
        order: orderId === null ? undefined : row('orders', { id: orderId }),
        ...guardRows(guard),
      },
      // Without room nobody is told that it was judged.
      isEssential: false,
      decide: (rows, at): Decision<Refused> => {
        const known = recall(guard, rows, rows.order?.revision ?? null, at)
        if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
        return {
          answer: { outcome: 'refused', answer },
          writes: rememberRefusal(guard, rows, rows.order, answer, at),
        }
      },
    })
    if (result.outcome === 'committed') return result.answer
    if (result.constraint === 'repeated_messages.digest') return { outcome: 'in_flight' } as const
    throw new Error(`A refusal violated ${result.constraint}.`)
  }

  async function fund(waiting: { orderId: string; merchantId: string; currency: string }) {
    const available = { kind: 'available', ownerId: waiting.merchantId, currency: waiting.currency } as const
    const result = await store.step({
      rows: {
        order: row('orders', { id: waiting.orderId }),
        account: row('accounts', { id: accountId(available) }),
      },
      decide: ({ order, account }, at): Decision<'funded' | 'not_funded'> => {
        const balance = account?.balance_minor ?? 0n
        if (order === null || order.status !== 'CREATED' || balance < order.price_minor) {
          return { answer: 'not_funded', writes: [] }
        }
        // Past its expiry the chart refuses; the sweep will expire it, and that is no one's mistake to journal.
        const next = advance(options, order, nothingBeside, { type: 'funds.reserve', at }, fundingActor)
        if (next.refusal !== null) return { answer: 'not_funded', writes: [] }
        return {
          answer: 'funded',
          writes: [...next.writes, updateOrder(order, next.order)],
          wake: next.wake,
        }
      },
    })
    return result.outcome === 'committed' ? result.answer : 'not_funded'
  }

  async function expire(orderId: string): Promise<void> {
    const [known] = await store.query(orderById, { id: orderId })
    const ending = known !== undefined && waitsForChain(known) ? await askChain(known) : null
    const result = await store.step({
      rows: {
        order: row('orders', { id: orderId }),
        consumer: row('consumers', { order_id: orderId }),
        foreign: row('foreign_orders', { order_id: orderId }),
      },
      decide: ({ order, ...beside }, at) => {
        const present = order && settled(order, beside, at, ending)
        if (order === null || present === null) return { answer: undefined, writes: [] }
        return {
          answer: undefined,
          writes: [...present.writes, ...changes(order, present.order)],
          wake: present.wake,
        }
      },
    })
    if (result.outcome === 'violated') {
      throw new Error(`The expiry of order ${orderId} violated ${result.constraint}.`)
    }
  }

  async function find(id: string): Promise<OrderWithConsumer | null> {
    const order = await fresh((await store.query(orderById, { id }))[0])
    if (order === null) return null
    const [consumer] = await store.query(consumerOfOrder, { orderId: id })
    const isForeign = order.machine === 'payOutForeign'
    const [foreign] = isForeign ? await store.query(foreignOrderById, { orderId: id }) : []
    return { order, consumer: consumer ?? noConsumer, foreign: foreign ?? null }
  }

  async function findByCode(code: string, direction?: Direction): Promise<Row<'orders'> | null> {
    const [order] = await store.query(orderByCode, { code })
    return direction === undefined || order?.direction === direction ? fresh(order) : null
  }

  /** An order that cannot be read can be looked at all the same, as it was. */
  async function tryExpire(orderId: string): Promise<boolean> {
    try {
      await expire(orderId)
      return true
    } catch (error) {
      if (error instanceof UnreadableOrder) return false
      throw error
    }
  }

  /** Expiry on touch: nobody reads an order that should have ended. */
  async function fresh(order: Row<'orders'> | undefined): Promise<Row<'orders'> | null> {
    if (order === undefined) return null
    if (!isDue(order, clock.now())) return order
    if (!(await tryExpire(order.id))) return order
    const [expired] = await store.query(orderById, { id: order.id })
    return expired ?? null
  }

  return {
    context: { journalKey: options.journalKey, checkoutUrl: options.checkoutUrl },
    create,
    recall: recallAnswer,
    tell,
    refuseOnce,
    fund,
    find,
    findByCode,
    expire,
    tryExpire,
    outageBefore: (now) => outageBefore(chainExpiry, now),
  }
}

/** The exception that a step has opened before it came to its message. */
function openedIn(writes: readonly Write[]): JoinableException | null {
  const opening = writes.find((write) => 'insert' in write && write.insert === 'exceptions')
  if (opening === undefined || !('insert' in opening) || opening.insert !== 'exceptions') return null
  return { resolution: null, resolved_at: null, ...opening.values }
}

function changes(before: Row<'orders'>, after: Row<'orders'>) {
  return before === after ? [] : [updateOrder(before, after)]
}

function repeated(known: Exclude<Repetition, { kind: 'new' }>): Repeated {
  switch (known.kind) {
    case 'repeated':
      return { outcome: 'repeated', answer: known.answer }
    case 'stale':
      return { outcome: 'stale_repetition' }
    case 'other_payload':
      return { outcome: 'other_payload' }
  }
}

/** Cash cannot be un-handed: a repeated confirmation is answered from the row, before the gate. */
function isConfirmedAgain(order: Row<'orders'>, event: OrderEvent): boolean {
  return (
    event.type === 'payment.confirm' &&
    order.status === 'COMPLETED' &&
    order.lock_provider_id === event.providerId
  )
}
