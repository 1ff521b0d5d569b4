/** Making an order, of either type and direction: one step, which is taken again where its random code exists already. */
import type { Instant } from '../../machines/time.ts'
import { type Decision, type LockedRows, row, type Store, type Write } from '../../persistence/store.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  remember,
  repeated,
} from './answers.ts'
import { generateCode } from './code.ts'
import {
  type Creation,
  type CreationContext,
  createOrder,
  type NewOrder,
  type OrderWithConsumer,
} from './creation.ts'
import { coversFee, feeColumns } from './fees.ts'
import { agree, type Disagreement, type ForeignContext, type NewForeignOrder } from './foreign-creation.ts'
import { claim, type RefundProblem, refundRows } from './refunds.ts'
import { type Order, representForMerchant } from './representation.ts'
import { freeBalanceOf, reserveAtOnce } from './reserving.ts'
import { timeOrderedId } from './time-ordered-id.ts'
import { type CreationVeto, creationVeto, creationVetoRows } from './vetoes.ts'

/** `price_below_fee`: the price of a pay-in does not cover what it costs its merchant. */
export type CreationRefusal = Disagreement | 'price_below_fee'

export type Created =
  /** The order as its step has left it; it is answered as it was created. */
  | { outcome: 'created'; order: Order; answer: Answer }
  /** Of a dry run: it could be made, and was not. */
  | { outcome: 'creatable'; answer: Answer }
  | { outcome: 'vetoed'; veto: CreationVeto }
  | { outcome: 'duplicate_merchant_order_id' }
  | { outcome: 'refused'; reason: CreationRefusal }
  /** Of what it is to give back. */
  | { outcome: 'refund_refused'; problem: RefundProblem }
  | Repeated

/** What is answered of it, without the order's whole row. */
export type CreatedAnswer =
  | { outcome: 'created'; order: Pick<Order, 'id'>; answer: Answer }
  | Exclude<Created, { outcome: 'created' }>

const taken = { outcome: 'duplicate_merchant_order_id' } as const

export interface CreatingOptions extends CreationContext, ForeignContext {
  store: Store
  clock: { now(): Instant }
  /** What else is written with a new order. */
  writesBeside?: (order: Order, at: Instant) => readonly Write[]
}

export async function create(
  options: CreatingOptions,
  input: NewOrder | NewForeignOrder,
  guard?: MessageGuard,
): Promise<Created> {
  let freeMinor = await freeBalanceFor(options.store, input)
  for (;;) {
    const identity = { id: timeOrderedId(options.clock.now()), code: generateCode() }
    const result = await options.store.step({
      rows: rowsOf(input, guard),
      // A new order can be made elsewhere or later; those that are under way need the room that is left.
      isEssential: false,
      decide: (rows, at) => decideCreation(options, input, guard, rows, { ...identity, freeMinor }, at),
    })
    if (result.outcome === 'committed') return result.answer
    if (result.constraint === 'orders.merchant_order_id') return taken
    if (result.constraint === 'idempotency_keys.key') return { outcome: 'in_flight' }
    // What was free went to others meanwhile: it waits.
    if (result.constraint === 'accounts.funds' && freeMinor > 0n) freeMinor = 0n
    // Codes are random: another one will do.
    else if (result.constraint !== 'orders.code') throw new Error(`A creation violated ${result.constraint}.`)
  }
}

/** What a new order may take at once; of a pay-out in local currency alone. */
async function freeBalanceFor(store: Store, input: NewOrder | NewForeignOrder): Promise<bigint> {
  if ('quoteId' in input || input.direction !== 'PAY_OUT' || input.isDryRun === true) return 0n
  return freeBalanceOf(store, { merchantId: input.merchant.id, currency: input.currency })
}

/**
 * What a creation locks: held against changes the fact that drains the node and the merchant, and of a refund its
 * pay-in with what is open about that; held alone the quote, what is left of the pay-in, and the message's digest and key.
 * A row that is not there is decided anew where another step makes it first. What a creation inserts is guarded by constraints:
 * the order's number, its code, the two keys of a repetition.
 */
function rowsOf(input: NewOrder | NewForeignOrder, guard: MessageGuard | undefined) {
  return {
    ...creationVetoRows(input.merchant.id),
    quote: 'quoteId' in input ? row('quotes', { id: input.quoteId }) : undefined,
    ...refundRows(input.refundOf),
    ...guardRows(guard),
    ...namesakeRows(input),
  }
}

/** What the constraint would find, where nothing is inserted. */
function namesakeRows({ merchant, merchantOrderId, isDryRun }: NewOrder | NewForeignOrder) {
  const key = { merchant_id: merchant.id, merchant_order_id: merchantOrderId }
  return {
    namesake: isDryRun === true ? row('orders', key) : undefined,
    archivedNamesake: isDryRun === true ? row('archived_orders', key) : undefined,
  }
}

function decideCreation(
  options: CreatingOptions,
  input: NewOrder | NewForeignOrder,
  guard: MessageGuard | undefined,
  rows: LockedRows<ReturnType<typeof rowsOf>>,
  { freeMinor, ...identity }: { id: string; code: string; freeMinor: bigint },
  at: Instant,
): Decision<Created> {
  const known = recall(guard, rows, null, at)
  if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
  const veto = creationVeto(rows)
  if (veto !== null) return { answer: { outcome: 'vetoed', veto }, writes: [] }
  const made = make(options, input, rows.quote, identity, at)
  if (!made.ok) return { answer: { outcome: 'refused', reason: made.reason }, writes: [] }
  const { creation } = made
  const claimed = claimOf(input, rows, creation.order)
  if (!claimed.ok) return { answer: { outcome: 'refund_refused', problem: claimed.problem }, writes: [] }
  const answer = creationAnswer(creation, options.checkoutUrl)
  if (input.isDryRun === true) {
    const isTaken = rows.namesake !== null || rows.archivedNamesake !== null
    const tried = isTaken ? taken : ({ outcome: 'creatable', answer: unmade(answer) } as const)
    return { answer: tried, writes: [] }
  }
  const { order, writes, wake } = reserveAtOnce(options, creation, freeMinor, at)
  return {
    answer: { outcome: 'created', order, answer },
    writes: [
      { insert: 'orders', values: order },
      ...writes,
      ...claimed.writes,
      ...remember(guard, rows, creation.order, answer, at),
      ...(options.writesBeside?.(order, at) ?? []),
    ],
    wake,
  }
}

/** What it takes of the pay-in that it gives back, in this step: of two refunds the second sees what the first has claimed. */
function claimOf(
  { refundOf }: Pick<NewOrder, 'refundOf'>,
  rows: LockedRows<ReturnType<typeof rowsOf>>,
  order: Order,
): { ok: true; writes: readonly Write[] } | { ok: false; problem: RefundProblem } {
  if (refundOf === undefined) return { ok: true, writes: [] }
  if (order.machine !== 'payOutLocal') throw new Error(`A ${order.machine} gives nothing back.`)
  const { payIn, ended, disputed, refundable, claimed } = rows
  const asked = { payInId: refundOf, merchantId: order.merchant_id, currency: order.currency }
  return claim({ payIn, ended, disputed, refundable, claimed }, asked, order.price_minor)
}

type Made = { ok: true; creation: Creation } | { ok: false; reason: CreationRefusal }

function make(
  options: CreatingOptions,
  input: NewOrder | NewForeignOrder,
  quote: LockedRows<ReturnType<typeof rowsOf>>['quote'],
  identity: { id: string; code: string },
  at: Instant,
): Made {
  if (!('quoteId' in input)) {
    const fee = feeColumns(input.feeTerms ?? [], input, at)
    if (!coversFee(input.direction, input.priceMinor, fee)) return { ok: false, reason: 'price_below_fee' }
    return { ok: true, creation: createOrder(options, { ...input, ...identity }, at) }
  }
  const agreed = agree(options, input, quote, identity.id, at)
  if (!agreed.ok) return agreed
  const creation = createOrder(options, { ...input, ...identity, ...agreed.priced }, at, agreed.foreign)
  const used = { update: 'quotes', key: { id: input.quoteId }, set: { order_id: identity.id } } as const
  return { ok: true, creation: { ...creation, writes: [...creation.writes, used] } }
}

/** What the merchant is answered with; kept under its Idempotency-Key. */
function creationAnswer({ order, consumer, foreign }: OrderWithConsumer, checkoutUrl: string): Answer {
  const represented = representForMerchant(order, { consumer, foreign }, checkoutUrl)
  // An order from a quote tells its direction when it is made.
  const document = foreign === null ? represented : { ...represented, direction: order.direction }
  return { status: 201, body: JSON.stringify(document) }
}

/** The same without what only an order has that is there: nobody is to look for it, or to show its code. */
function unmade({ status, body }: Answer): Answer {
  const { id, redirect_url, code, ...rest }: Record<string, unknown> = JSON.parse(body)
  return { status, body: JSON.stringify(rest) }
}
