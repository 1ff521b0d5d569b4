/** Conversions as operations tell of them. */
import { currencyName, formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

export interface ConversionDocument {
  id: string
  chain: string
  transaction: string
  asset: string
  amount: string
  state: 'sent' | 'sold'
  recorded: string
  recordedBy: string
  reason: string
  /** Null, like all below, until it is sold. */
  sold: string | null
  bank: string | null
  bankReference: string | null
  proceeds: string | null
  currency: string | null
  /** Of the asset, what was of the operator's fees, and what it brought. */
  feePart: string | null
  fee: string | null
  /** At which *exchange* was relieved, and what the sale brought more; below zero less. */
  booked: string | null
  result: string | null
  revision: number
}

export type Outflow = Pick<Row<'treasury_outflows'>, 'blockchain' | 'transaction_id'>

export function conversionDocument(row: Row<'conversions'>, outflow: Outflow): ConversionDocument {
  const money = (minor: bigint | null) =>
    minor === null || row.bank_currency === null ? null : formatPrice(minor, row.bank_currency)
  const asset = (minor: bigint | null) => (minor === null ? null : formatPrice(minor, row.currency))
  return {
    id: row.id,
    chain: outflow.blockchain,
    transaction: outflow.transaction_id,
    asset: currencyName(row.currency),
    amount: formatPrice(row.amount_minor, row.currency),
    state: row.sold_at === null ? 'sent' : 'sold',
    recorded: formatInstant(row.recorded_at),
    recordedBy: row.recorded_by,
    reason: row.reason,
    sold: row.sold_at === null ? null : formatInstant(row.sold_at),
    bank: row.bank,
    bankReference: row.bank_reference,
    proceeds: money(row.proceeds_minor),
    currency: row.bank_currency,
    feePart: asset(row.fee_part_minor),
    fee: money(row.fee_minor),
    booked: money(row.booked_minor),
    result: money(row.result_minor),
    revision: row.revision,
  }
}
