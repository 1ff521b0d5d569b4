/** An order's amounts: what was agreed on with its merchant and its provider, chosen by time and stored with it. */
import { feeOf } from '../../machines/fees.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Commission, Direction, OrderEvent } from '../../machines/order.ts'
import { type OrderAmounts, wholeOf } from '../../machines/order-postings.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { feeTermsAt, feeTermsOf } from '../terms/in-force.ts'

type FeeTerms = Row<'fee_terms'>

type FeeColumns = Pick<Row<'orders'>, 'fee_minor' | 'fee_tax_minor' | 'fee_terms_id'>
export type CommissionColumns = Pick<
  Row<'orders'>,
  'commission_minor' | 'commission_tax_minor' | 'commission_terms_id'
>

export const noCommission: CommissionColumns = {
  commission_minor: 0n,
  commission_tax_minor: 0n,
  commission_terms_id: null,
}

/** Of an order from before there were fees, and of one that nobody agreed on any for. */
export const noFees: FeeColumns & CommissionColumns = {
  fee_minor: 0n,
  fee_tax_minor: 0n,
  fee_terms_id: null,
  ...noCommission,
}

/** @param terms of the merchant, for the order's country, whatever they are about and from when */
export function feeColumns(
  terms: readonly FeeTerms[],
  order: { direction: Direction; currency: string; priceMinor: bigint },
  at: Instant,
): FeeColumns {
  const inForce = feeTermsAt(terms, order, at)
  if (inForce === null) return { fee_minor: 0n, fee_tax_minor: 0n, fee_terms_id: null }
  const { feeMinor, taxMinor } = feeOf(feeTermsOf(inForce), order.priceMinor)
  return { fee_minor: feeMinor, fee_tax_minor: taxMinor, fee_terms_id: inForce.id }
}

/** Whether what a pay-in brings is enough for what it costs; a pay-out brings nothing, and costs beside its price. */
export function coversFee(direction: Direction, priceMinor: bigint, fee: FeeColumns): boolean {
  return direction === 'PAY_OUT' || priceMinor >= fee.fee_minor + fee.fee_tax_minor
}

/** The same for what a pay-in would cost that nobody has made yet. */
export function coversPayIn(
  terms: readonly FeeTerms[],
  { currency, priceMinor }: { currency: string; priceMinor: bigint },
  at: Instant,
): boolean {
  const direction = 'PAY_IN'
  return coversFee(direction, priceMinor, feeColumns(terms, { direction, currency, priceMinor }, at))
}

/** @param terms of the network that takes the lock; undefined where none are in force */
export function commissionAt(
  terms: readonly FeeTerms[],
  order: Row<'orders'>,
  at: Instant,
): Commission | undefined {
  const inForce = feeTermsAt(terms, order, at)
  if (inForce === null) return undefined
  const { feeMinor, taxMinor } = feeOf(feeTermsOf(inForce), order.price_minor)
  return { terms: inForce.id, amount: feeMinor.toString(), tax: taxMinor.toString() }
}

/** The columns that an accepted event leaves: whoever takes the lock brings its commission, and it goes with the lock. */
export function commissionAfter(
  before: CommissionColumns,
  event: OrderEvent,
  isLocked: boolean,
): CommissionColumns {
  if (!isLocked) return noCommission
  if ('commission' in event && event.commission !== undefined) return commissionColumns(event.commission)
  if (event.type === 'payment.start') return noCommission
  const { commission_minor, commission_tax_minor, commission_terms_id } = before
  return { commission_minor, commission_tax_minor, commission_terms_id }
}

/** @param commission undefined where none was agreed on */
export function commissionColumns(commission: Commission | undefined): CommissionColumns {
  if (commission === undefined) return noCommission
  return {
    commission_minor: BigInt(commission.amount),
    commission_tax_minor: BigInt(commission.tax),
    commission_terms_id: commission.terms,
  }
}

export function amountsOf(order: Row<'orders'>): OrderAmounts {
  return {
    priceMinor: order.price_minor,
    feeMinor: order.fee_minor,
    feeTaxMinor: order.fee_tax_minor,
    commissionMinor: order.commission_minor,
    commissionTaxMinor: order.commission_tax_minor,
  }
}

/** What a local pay-out takes from its merchant, and what is reserved for it. */
export function costOf(order: Row<'orders'>): bigint {
  return wholeOf(amountsOf(order))
}

/** What the merchant is charged, as the journal keeps it; undefined where no terms were in force. */
export function feeAgreement(
  order: FeeColumns & Pick<Row<'orders'>, 'currency'>,
): { terms: string; amount: string; tax: string } | undefined {
  const { fee_terms_id: terms, fee_minor, fee_tax_minor, currency } = order
  if (terms === null) return undefined
  return { terms, amount: formatPrice(fee_minor, currency), tax: formatPrice(fee_tax_minor, currency) }
}
