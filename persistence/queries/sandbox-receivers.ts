/** What a sandbox keeps of its receivers: faults, deliveries, arrivals, and what integrations have done. */
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

type Nothing = Record<never, never>

/** What is to go wrong with a delivery of an order, the first that was asked for; of a ping, which has none, what is of all orders. */
export const faultsFor = statement<{ merchantId: string; orderId: string }>()('fault.for', ({ db }, arg) =>
  db
    .selectFrom('receiver_faults')
    .selectAll()
    .where('merchant_id', '=', arg('merchantId'))
    .where((eb) => eb.or([eb('order_id', 'is', null), eb('order_id', '=', arg('orderId'))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

/** Of one merchant, the newest first. */
export const faultsOf = statement<{ merchantId: string; limit: number }>()('fault.of', ({ db }, arg) =>
  db
    .selectFrom('receiver_faults')
    .selectAll()
    .where('merchant_id', '=', arg('merchantId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(arg('limit')),
)

/** What was sent to the merchant's receivers, with the bodies that are still kept. */
export function deliveriesPage(
  { merchantId, orderId }: { merchantId: string; orderId?: string | undefined },
  { after, limit }: PageRequest,
) {
  return statement<Nothing>()('sandboxDelivery.page', ({ db }) => {
    let query = db
      .selectFrom('sandbox_deliveries as d')
      .leftJoin('webhooks as w', 'w.id', 'd.webhook_id')
      .leftJoin('webhook_attempts as a', (join) =>
        join.onRef('a.webhook_id', '=', 'd.webhook_id').onRef('a.attempt', '=', 'd.attempt'),
      )
      .selectAll('d')
      .select(['w.body', 'w.pruned_at', 'w.order_status', 'w.sequence', 'a.answer'])
      .where('d.merchant_id', '=', merchantId)
    if (orderId !== undefined) query = query.where('d.order_id', '=', orderId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('d.sent_at', 'd.id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('d.sent_at', 'desc').orderBy('d.id', 'desc').limit(limit)
  })
}

/** Lets go of all but the last ones of a merchant. */
export const trimDeliveries = statement<{ merchantId: string; keep: number }>()(
  'sandboxDelivery.trim',
  ({ db }, arg) =>
    db
      .deleteFrom('sandbox_deliveries')
      .where('merchant_id', '=', arg('merchantId'))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('sandbox_deliveries')
          .select('id')
          .where('merchant_id', '=', arg('merchantId'))
          .orderBy('sent_at', 'desc')
          .orderBy('id', 'desc')
          .limit(1_000)
          .offset(arg('keep')),
      )
      .returning('id'),
)

export function arrivalsPage({ merchantId }: { merchantId: string }, { after, limit }: PageRequest) {
  return statement<Nothing>()('inbox.page', ({ db }) => {
    let query = db
      .selectFrom('inbox_arrivals as i')
      .leftJoin('webhooks as w', (join) =>
        join.onRef('w.id', '=', 'i.webhook_id').onRef('w.merchant_id', '=', 'i.merchant_id'),
      )
      .selectAll('i')
      .select(['w.order_id', 'w.order_status', 'w.sequence', 'w.body', 'w.pruned_at'])
      .where('i.merchant_id', '=', merchantId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('i.received_at', 'i.id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('i.received_at', 'desc').orderBy('i.id', 'desc').limit(limit)
  })
}

export const trimArrivals = statement<{ merchantId: string; keep: number }>()('inbox.trim', ({ db }, arg) =>
  db
    .deleteFrom('inbox_arrivals')
    .where('merchant_id', '=', arg('merchantId'))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('inbox_arrivals')
        .select('id')
        .where('merchant_id', '=', arg('merchantId'))
        .orderBy('received_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1_000)
        .offset(arg('keep')),
    )
    .returning('id'),
)

export const goLiveStepsOf = statement<{ partyId: string }>()('goLive.of', ({ db }, arg) =>
  db.selectFrom('go_live_steps').selectAll().where('party_id', '=', arg('partyId')),
)
