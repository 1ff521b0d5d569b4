/**
 * Telling an order something: one step, in which repetitions are found, what fell due is applied, vetoes are judged on
 * rows that are held, and the answer is kept.
 */
import type { OrderEvent } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { Instant } from '../../machines/time.ts'
import {
  type Decision,
  type LockedRows,
  row,
  type Store,
  type Topic,
  type Write,
} from '../../persistence/store.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../exceptions/exception-id.ts'
import { type Advance, type AdvanceContext, advance, updateOrder } from './advance.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  remember,
  rememberRefusal,
  repeated,
} from './answers.ts'
import type { Ending } from './chain-expiry.ts'
import type { Due } from './due.ts'
import type { Actor } from './journal.ts'
import { type JoinableException, joinLateConfirmation } from './late-confirmations.ts'
import { referenceAfter, referenceRow } from './network-references.ts'
import { refundableRow } from './refunds.ts'
import type { Order } from './representation.ts'
import {
  commissionOf,
  countStart,
  readStartTerms,
  type StartTerms,
  startTermsRows,
  termsVeto,
} from './start-terms.ts'
import { startVeto, startVetoRows } from './vetoes.ts'

/** What never changes of an order: it tells a step which rows to hold. */
export type OrderRef = Pick<Order, 'id' | 'merchant_id' | 'machine' | 'currency' | 'direction' | 'refund_of'>

export function orderRef(order: OrderRef): OrderRef {
  const { id, merchant_id, machine, currency, direction, refund_of } = order
  return { id, merchant_id, machine, currency, direction, refund_of }
}

type ToldType = 'payment.start' | 'payment.confirm' | 'payment.cancel' | 'operator.cancel'

type Untimed<Event> = Event extends OrderEvent
  ? Omit<Event, 'at' | 'isClockInDoubt' | 'isQuarantined' | 'commission'>
  : never

/** An event of the charts, without what the step adds to it: its time, and what is in doubt. */
export type Said = Untimed<Extract<OrderEvent, { type: ToldType }>>

/** What an order is told, by whom: data, which may come from another thread. */
export type Message = Said & {
  order: OrderRef
  actor: Actor
  /** The revision the speaker saw; the order must not have changed since. */
  revision?: number
  guard?: MessageGuard
  /** Something was agreed on with the network that starts it; without, nothing is looked for. */
  hasTerms?: true
}

/** What the speaker is answered; `refusal` is why the order has refused, `null` where it has accepted. Pure. */
export type AnswerTo = (message: Message, order: Order, refusal: RefusalReason | null) => Answer

export type Told =
  | { outcome: 'accepted'; order: Order; answer: Answer }
  /** The holder confirms again what it has paid: nothing changes. */
  | { outcome: 'already_confirmed'; order: Order; answer: Answer }
  | { outcome: 'refused'; reason: RefusalReason; order: Order }
  | { outcome: 'changed_since'; order: Order }
  | { outcome: 'unknown_order' }
  | Repeated

/** What its refusal is told by. */
export type RefusedOrder = Pick<Order, 'status' | 'direction' | 'currency'>

/** What is answered of it, without the order's whole row. */
export type ToldAnswer =
  | { outcome: 'accepted' | 'already_confirmed'; answer: Answer }
  | { outcome: 'refused'; reason: RefusalReason; order: RefusedOrder }
  | { outcome: 'changed_since' | 'unknown_order' }
  | Repeated

export interface TellingOptions {
  store: Store
  context: AdvanceContext
  due: Due
  answerTo: AnswerTo
}

/** What a step has to be told that few steps need: it says so, and is taken again. */
interface Asked {
  /** What the chain of a waiting order says to its end. */
  ending: Ending | null
  /** The exceptions that a late confirmation may join are held. */
  isLate: boolean
  terms: StartTerms | null
}

type Unasked = { outcome: 'chain_unasked'; order: Order } | { outcome: 'late_unasked' }

export async function tell(options: TellingOptions, message: Message): Promise<Told> {
  const { order, hasTerms } = message
  const isTermed = message.type === 'payment.start' && hasTerms === true
  const terms = isTermed ? await readStartTerms(options.store, message, order) : null
  let asked: Asked = { ending: null, isLate: false, terms }
  for (;;) {
    const told = await tellOnce(options, message, asked)
    if (told.outcome === 'chain_unasked') asked = { ...asked, ending: await options.due.askChain(told.order) }
    else if (told.outcome === 'late_unasked') asked = { ...asked, isLate: true }
    else return told
  }
}

async function tellOnce(options: TellingOptions, message: Message, asked: Asked): Promise<Told | Unasked> {
  const { id } = message.order
  const result = await options.store.step({
    rows: rowsOf(message, asked),
    decide: (rows, at) => decideTelling(options, message, asked, rows, at),
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'idempotency_keys.key' || result.constraint === 'repeated_messages.digest') {
    return { outcome: 'in_flight' }
  }
  throw new Error(`An event of order ${id} violated ${result.constraint}.`)
}

function rowsOf(message: Message, { isLate, terms }: Asked) {
  const { id, merchant_id: merchantId, machine } = message.order
  const start = message.type === 'payment.start' ? { merchantId, providerId: message.providerId } : null
  return {
    ...startVetoRows(start),
    ...startTermsRows(terms, message.order.currency),
    order: row('orders', { id }),
    consumer: row('consumers', { order_id: id }),
    foreign: machine === 'payOutForeign' ? row('foreign_orders', { order_id: id }) : undefined,
    refundable: refundableRow(message.order),
    ended: isLate ? row('exceptions', { id: endedWhileLockedId(id) }) : undefined,
    disputed: isLate ? row('exceptions', { id: confirmedAfterReturnId(id) }) : undefined,
    reference: referenceRow(message),
    ...guardRows(message.guard),
  }
}

type HeldRows = LockedRows<ReturnType<typeof rowsOf>>

function decideTelling(
  options: TellingOptions,
  message: Message,
  asked: Asked,
  rows: HeldRows,
  at: Instant,
): Decision<Told | Unasked> {
  const { order } = rows
  if (order === null) return { answer: { outcome: 'unknown_order' }, writes: [] }
  const present = options.due.settled(order, rows, at, asked.ending)
  if (present === null) return { answer: { outcome: 'chain_unasked', order }, writes: [] }
  const judged = judge(options, message, asked, rows, present, at)
  if (judged === null) return { answer: { outcome: 'late_unasked' }, writes: [] }
  const { told, next, kept = [], wake = [] } = judged
  const after = next?.order ?? present.order
  return {
    answer: told,
    writes: [
      ...present.writes,
      ...(next?.writes ?? []),
      ...(after === order ? [] : [updateOrder(order, after)]),
      ...kept,
    ],
    wake: [...present.wake, ...(next?.wake ?? []), ...wake],
  }
}

/** What comes of a message. */
interface Judged {
  told: Told
  /** What the order did; nothing where it was not asked. */
  next?: Advance
  kept?: readonly Write[]
  wake?: readonly Topic[]
}

/** @returns `null` where the rows that a late confirmation needs were not named. */
function judge(
  { context, due, answerTo }: TellingOptions,
  message: Message,
  { isLate, terms }: Asked,
  rows: HeldRows,
  present: Advance,
  at: Instant,
): Judged | null {
  const { guard, actor } = message
  const { order } = present
  const event = due.withDoubts(eventOf(message, terms, order, at), order)
  const known = recall(guard, rows, order.revision, at)
  const isPaid = isConfirmedAgain(order, event)
  // Whatever its bytes: who has paid hears so again, and may have tried too early before.
  if (known.kind !== 'new' && !(isPaid && rows.idempotent === null)) return { told: repeated(known) }
  if (message.revision !== undefined && message.revision !== order.revision) {
    return { told: { outcome: 'changed_since', order } }
  }
  if (isPaid) return { told: { outcome: 'already_confirmed', order, answer: answerTo(message, order, null) } }

  const veto =
    message.type === 'payment.start' ? (startVeto(rows, order) ?? agreedVeto(terms, rows, order)) : null
  const next = advance(context, order, rows, event, actor, veto)
  const answer = answerTo(message, next.order, next.refusal)
  if (next.refusal === null) {
    const kept = [
      ...remember(guard, rows, next.order, answer, at),
      ...countStart(terms, rows, order),
      ...referenceAfter(message, rows),
    ]
    return { told: { outcome: 'accepted', order: next.order, answer }, next, kept }
  }
  const told: Told = { outcome: 'refused', reason: next.refusal, order: next.order }
  const kept = rememberRefusal(guard, rows, next.order, answer, at)
  if (next.refusal !== 'ended_while_locked' || !('credential' in actor)) return { told, next, kept }
  if (!isLate) return null
  const ended = rows.ended ?? openedIn(present.writes)
  const joined = joinLateConfirmation({ ...rows, ended }, next.order, actor, at)
  return { told, next, kept: [...kept, ...joined, ...referenceAfter(message, rows)], wake: ['exceptions'] }
}

function agreedVeto(terms: StartTerms | null, rows: HeldRows, order: Order): RefusalReason | null {
  return terms === null ? null : termsVeto(terms, rows, order)
}

function eventOf(message: Message, terms: StartTerms | null, present: Order, at: Instant): OrderEvent {
  const { order, actor, revision, guard, hasTerms, ...said } = message
  return { ...said, at, ...commissionOf(terms, present, at) }
}

/** Cash cannot be un-handed: a repeated confirmation is answered from the row, before the gate. */
function isConfirmedAgain(order: Order, event: OrderEvent): boolean {
  return (
    event.type === 'payment.confirm' &&
    order.status === 'COMPLETED' &&
    order.lock_provider_id === event.providerId
  )
}

/** The exception that a step has opened before it came to its message. */
function openedIn(writes: readonly Write[]): JoinableException | null {
  const opening = writes.find((write) => 'insert' in write && write.insert === 'exceptions')
  if (opening === undefined || !('insert' in opening) || opening.insert !== 'exceptions') return null
  return { resolution: null, resolved_at: null, ...opening.values }
}

/** A message that was refused before anybody told it to an order. */
export interface RefusedMessage {
  /** `null` where its order was not even looked for. */
  orderId: string | null
  guard: MessageGuard
  answer: Answer
}

export type RefusedOnce = { outcome: 'refused'; answer: Answer } | Repeated

/** Keeps a refusal, so that its message is not judged again; says what it was answered where it was judged before. */
export async function refuseOnce(
  store: Store,
  { orderId, guard, answer }: RefusedMessage,
): Promise<RefusedOnce> {
  const result = await store.step({
    rows: {
      order: orderId === null ? undefined : row('orders', { id: orderId }),
      ...guardRows(guard),
    },
    // Without room nobody is told that it was judged.
    isEssential: false,
    decide: (rows, at): Decision<RefusedOnce> => {
      const known = recall(guard, rows, rows.order?.revision ?? null, at)
      if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
      return {
        answer: { outcome: 'refused', answer },
        writes: rememberRefusal(guard, rows, rows.order, answer, at),
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'repeated_messages.digest') return { outcome: 'in_flight' }
  throw new Error(`A refusal violated ${result.constraint}.`)
}
