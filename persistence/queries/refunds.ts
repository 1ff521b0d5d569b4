/** Reads of refunds and of what is left of pay-ins to give back. */
import { statement } from '../statement.ts'

export const refundableById = statement<{ payInId: string }>()('refund.refundable', ({ db }, arg) =>
  db.selectFrom('refundable').selectAll().where('pay_in_id', '=', arg('payInId')),
)

/** The refunds of a pay-in that are not in the archive, the oldest first. */
export const refundsOf = statement<{ payInId: string }>()('refund.ofPayIn', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'status', 'price_minor', 'currency', 'created_at'])
    .where('refund_of', '=', arg('payInId'))
    .orderBy('created_at')
    .orderBy('id'),
)

/** Rows of what is left whose pay-ins come after an id. */
export const refundablesAfter = statement<{ after: string; limit: number }>()(
  'refund.refundables',
  ({ db }, arg) =>
    db
      .selectFrom('refundable')
      .selectAll()
      .where('pay_in_id', '>', arg('after'))
      .orderBy('pay_in_id')
      .limit(arg('limit')),
)

/** Behind every id. */
export const endOfIds = '~'

/** Pay-ins whose ids come after one and not after another. */
export interface PayInRange {
  after: string
  last: string
}

/** Refunds of the pay-ins of a range. */
export const refundsBetween = statement<PayInRange>()('refund.between', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('refund_of', '>', arg('after'))
    .where('refund_of', '<=', arg('last')),
)

export const refundExceptionsBetween = statement<PayInRange>()('refund.exceptionsBetween', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .innerJoin('orders', 'orders.id', 'exceptions.order_id')
    .select(['exceptions.order_id', 'exceptions.kind', 'exceptions.state', 'exceptions.resolution'])
    .where('orders.refund_of', '>', arg('after'))
    .where('orders.refund_of', '<=', arg('last')),
)

/** The pay-ins of a range that anything can be given back of, as far as they are not in the archive. */
export const refundedBetween = statement<PayInRange>()('refund.payInsBetween', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .innerJoin('refundable', 'refundable.pay_in_id', 'orders.id')
    .selectAll('orders')
    .where('refundable.pay_in_id', '>', arg('after'))
    .where('refundable.pay_in_id', '<=', arg('last')),
)

export const refundedExceptionsBetween = statement<PayInRange>()(
  'refund.payInExceptionsBetween',
  ({ db }, arg) =>
    db
      .selectFrom('exceptions')
      .innerJoin('refundable', 'refundable.pay_in_id', 'exceptions.order_id')
      .select(['exceptions.order_id', 'exceptions.kind', 'exceptions.state', 'exceptions.resolution'])
      .where('refundable.pay_in_id', '>', arg('after'))
      .where('refundable.pay_in_id', '<=', arg('last')),
)

/** What claims have booked of the cash of the pay-ins of a range and of their refunds. */
export const refundClaimsBetween = statement<PayInRange>()('refund.claimedBetween', ({ db }, arg) =>
  db
    .selectFrom('claimed_orders')
    .innerJoin('orders', 'orders.id', 'claimed_orders.order_id')
    .selectAll('claimed_orders')
    .where(({ and, eb, or }) =>
      or([
        and([eb('orders.refund_of', '>', arg('after')), eb('orders.refund_of', '<=', arg('last'))]),
        and([
          eb('orders.direction', '=', 'PAY_IN'),
          eb('orders.id', '>', arg('after')),
          eb('orders.id', '<=', arg('last')),
        ]),
      ]),
    ),
)
