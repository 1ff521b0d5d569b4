/** Valid bodies to change one thing of, and what is said of them. */
import type { HttpRefusal } from '../../http/foundation/errors.ts'

/** 1 January 2026, before the expiry of `localOrder`. */
export const newYear = Date.UTC(2026, 0, 1)

export const localOrder = {
  order_type: 'LocalCurrencyOrder',
  country: 'MX',
  price: '1000.00',
  price_currency: 'MXN',
  description: 'Refund of order 1234',
  merchant_order_id: 'order-1234',
  notify_url: 'https://shop.example/hooks/cash?source=node',
  return_url: 'https://shop.example/orders/1234',
  expiry: '2026-01-03T12:00:00Z',
  consumer_email: 'ana@example.com',
}

export const foreignOrder = {
  order_type: 'ForeignCurrencyOrder',
  quote: '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55',
  description: 'Refund of order 1234',
  merchant_order_id: 'order-1234',
  notify_url: 'https://shop.example/hooks/cash',
  return_url: 'https://shop.example/orders/1234',
  expiry: '2026-01-03T12:00:00Z',
  consumer_phone_number: '+525512345678',
  wallet: 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
}

/** `attr code` of each error; none for a request that was taken. */
export function problemsOf(outcome: { ok: boolean; refusal?: HttpRefusal }): string[] {
  if (outcome.refusal === undefined) return []
  if (outcome.refusal.name !== 'fields') throw new Error(`Refused as ${outcome.refusal.name}.`)
  return outcome.refusal.errors.map(({ attr, code }) => `${attr} ${code}`)
}

/** 17 pesos for a dollar, less a fee of 0.50 and one per cent, on one blockchain or more. */
export function testRate(...blockchains: string[]) {
  return {
    blockchains,
    send: 'USDC',
    country: 'MX',
    target: 'MXN',
    rate: '17.00',
    feeFixed: '0.50',
    feeBps: 100,
  }
}
