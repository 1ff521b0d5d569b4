/** A quote as its merchant sees it (protocol 2.4). The key order is the documented one. */
import { formatPrice, formatUnits } from '../../machines/money.ts'
import { formatRate } from '../../machines/rate.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

export interface QuoteRepresentation {
  id: string
  blockchain: string
  send: string
  send_currency: string
  target_country: string
  target_currency: string
  fee: string
  fee_currency: string
  order_price: string
  order_price_currency: string
  rate: string
  expires: string
}

export function representQuote(quote: Row<'quotes'>): QuoteRepresentation {
  return {
    id: quote.id,
    blockchain: quote.blockchain,
    send: formatUnits(quote.send_minor, quote.asset_decimals),
    send_currency: quote.send_currency,
    target_country: quote.target_country,
    target_currency: quote.target_currency,
    fee: formatUnits(quote.fee_minor, quote.asset_decimals),
    // The fee is taken out of what is sent (protocol 10.4).
    fee_currency: quote.send_currency,
    order_price: formatPrice(quote.order_price_minor, quote.target_currency),
    order_price_currency: quote.target_currency,
    rate: formatRate(quote.rate),
    expires: formatInstant(quote.expires_at),
  }
}
