/**
 * Effects are data: one total table turns each into rows of the step that decided it. Workers carry them out
 * at least once, and each execution is idempotent.
 */
import type { OrderEffect, OrderExceptionKind } from '../../machines/order.ts'
import { isOpen } from '../../machines/statuses.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { endedWhileLockedId } from '../exceptions/exception-id.ts'
import { newException, priceAtStake } from '../exceptions/kinds.ts'
import { costOf } from './fees.ts'
import { foreignPostings } from './foreign-postings.ts'
import { chainOutage, refundDue } from './order-exceptions.ts'
import { moveAll, postingsOf } from './postings.ts'
import { type Companions, type ForeignOrder, representOrder } from './representation.ts'
import { timeOrderedId } from './time-ordered-id.ts'

/** What an effect becomes. */
export interface Carried {
  writes: readonly Write[]
  wake: readonly Topic[]
  /** Columns of the order that count what the effect made. */
  counts?: Pick<Row<'orders'>, 'webhook_count'>
}

export interface EffectContext {
  /** The order as it is after the event. */
  order: Row<'orders'>
  beside: Companions
  at: Instant
  checkoutUrl: string
}

type Effects = {
  [Type in OrderEffect['type']]: (
    effect: Extract<OrderEffect, { type: Type }>,
    context: EffectContext,
  ) => Carried
}

type Opening = (order: Row<'orders'>, foreign: ForeignOrder | null, at: Instant) => Row<'exceptions'>

const openings: Record<OrderExceptionKind, Opening> = {
  expired_while_locked: endedWhileLocked('expired_while_locked'),
  cancelled_while_locked: endedWhileLocked('cancelled_while_locked'),
  refund_due: (order, foreign, at) => refundDue(order, theForeign(order, foreign), at),
  chain_outage: (order, foreign, at) => chainOutage(order, theForeign(order, foreign), at),
}

const endedReasons = {
  expired_while_locked:
    'The order expired while a provider held it; ask the provider whether the cash was handled.',
  cancelled_while_locked:
    'The order was cancelled by force while a provider held it; ask the provider whether the cash was handled.',
} as const

function endedWhileLocked(kind: keyof typeof endedReasons): Opening {
  return (order, _, at) =>
    newException({
      id: endedWhileLockedId(order.id),
      kind,
      order_id: order.id,
      reason: endedReasons[kind],
      evidence: { lock: lockEvidence(order) },
      ...priceAtStake(order),
      opened_at: at,
    })
}

function theForeign(order: Row<'orders'>, foreign: ForeignOrder | null): ForeignOrder {
  if (foreign === null) throw new Error(`Order ${order.id} has no foreign side.`)
  return foreign
}

const effects: Effects = {
  'merchant.notify': (_, { order, beside, at, checkoutUrl }) => {
    const sequence = order.webhook_count + 1
    const webhook: Write = {
      insert: 'webhooks',
      values: {
        id: timeOrderedId(at),
        order_id: order.id,
        merchant_id: order.merchant_id,
        sequence,
        order_status: order.status,
        is_final: isOpen(order.status) ? 0 : 1,
        url: order.notify_url,
        host: new URL(order.notify_url).host,
        // Each body shows its own event, whatever happens to the order later: the bytes of every attempt, but for a
        // transaction, which delivery replaces by one that can still be signed.
        body: JSON.stringify(representOrder(order, beside, checkoutUrl, beside.foreign?.transaction_text)),
        state: 'pending',
        created_at: at,
        due_at: at,
        attempts: 0,
        first_attempt_at: null,
        lease_until_at: null,
        settled_at: null,
        last_answer: null,
      },
    }
    return { writes: [webhook], wake: ['webhooks'], counts: { webhook_count: sequence } }
  },

  'funding.request': (_, { order }) => ({
    writes: [
      {
        insert: 'funding_requests',
        values: {
          order_id: order.id,
          merchant_id: order.merchant_id,
          currency: order.currency,
          price_minor: costOf(order),
        },
      },
    ],
    wake: ['funding'],
  }),

  'funding.withdraw': (_, { order }) => ({
    writes: [{ delete: 'funding_requests', key: { order_id: order.id } }],
    wake: [],
  }),

  'money.move': ({ params }, { order, beside: { foreign } }) => {
    if (foreign !== null) {
      const postings = foreignPostings(order, foreign, params.movement)
      return { writes: postings.map((post) => ({ post })), wake: [] }
    }
    return moveAll(postingsOf(order, params.movement))
  },

  'exception.open': ({ params }, { order, beside: { foreign }, at }) => ({
    writes: [{ insert: 'exceptions', values: openings[params.kind](order, foreign, at) }],
    wake: ['exceptions'],
  }),
}

/** Turns one effect into rows. */
export function carry(effect: OrderEffect, context: EffectContext): Carried {
  // TypeScript cannot see that the table's entry belongs to this very effect.
  const toRows = effects[effect.type] as (effect: OrderEffect, context: EffectContext) => Carried
  return toRows(effect, context)
}

function lockEvidence(order: Row<'orders'>): object {
  const { lock_provider_id: providerId, lock_network_id: networkId, locked_at } = order
  return { providerId, networkId, since: locked_at === null ? null : formatInstant(locked_at) }
}
