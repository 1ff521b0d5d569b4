/** Exceptions of foreign-currency orders that ended with something left to do. */
import { formatUnits } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { chainOutageId, refundDueId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import type { AtStake } from '../exceptions/stake.ts'
import { namedDeposits } from './credits.ts'
import { currencyOf } from './foreign-postings.ts'

/** Money of its end user that was not paid out: the whole of it waits in suspense. */
export function refundDue(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  at: Instant,
): Row<'exceptions'> {
  const { blockchain, send_currency: asset, asset_decimals, asset_id, wallet } = foreign
  const amount = formatUnits(foreign.received_minor, asset_decimals)
  const expected = formatUnits(foreign.expected_minor, asset_decimals)
  const deposits = namedDeposits(foreign)
  const ids = [...new Set(deposits.map(({ transactionId }) => transactionId))]
  const stake: AtStake = { currency: currencyOf(foreign), minor: foreign.received_minor.toString() }
  return newException({
    id: refundDueId(order.id),
    kind: 'refund_due',
    order_id: order.id,
    reason:
      (foreign.received_minor < foreign.expected_minor
        ? `The order ended ${order.status} with ${amount} of ${expected} ${asset}: send them back.`
        : `The order was paid and ended ${order.status} without its cash: send the ${amount} ${asset} back.`) +
      (ids.length === 0 ? '' : ` They came by ${ids.join(', ')}.`),
    evidence: { stake, assetId: asset_id, wallet, received: amount, expected, deposits },
    opened_at: at,
    amount,
    asset,
    chain: blockchain,
    transaction_id: ids.length === 1 ? (ids[0] ?? null) : null,
    sender: wallet,
  })
}

/** It waited for its chain as long as it may. */
export function chainOutage(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  at: Instant,
): Row<'exceptions'> {
  const { blockchain, wallet, funding_deadline_at } = foreign
  return newException({
    id: chainOutageId(order.id),
    kind: 'chain_outage',
    order_id: order.id,
    reason:
      `The order expired although ${blockchain} was not read past its expiry: money may have come for it. ` +
      'If so, it is told as soon as the chain is read again.',
    evidence: {
      wallet,
      expiry: formatInstant(order.expiry_at),
      fundingDeadline: formatInstant(funding_deadline_at),
    },
    opened_at: at,
    chain: blockchain,
    sender: wallet,
  })
}
