/**
 * Public sources by name, as their own documentation describes them. None was tried live: an operator looks
 * at `rate show` before relying on one. The price is what a buyer offers (the bid) where a source tells it,
 * because the operator sells what was sent.
 */
import type { RateSource } from './source.ts'

export interface RatePreset extends Pick<RateSource, 'url' | 'pointer' | 'inverse'> {
  send: string
  target: string
}

/** https://docs.bitso.com/bitso-api/docs/ticker: 60 requests a minute from one address. */
const bitso = (send: string, target: string): RatePreset => ({
  send,
  target,
  url: `https://api.bitso.com/v3/ticker?book=${send.toLowerCase()}_${target.toLowerCase()}`,
  pointer: '/payload/bid',
  inverse: false,
})

/** https://api.buda.com/en/, "Ticker": amounts are pairs of number and currency. */
const buda = (send: string, target: string): RatePreset => ({
  send,
  target,
  url: `https://www.buda.com/api/v2/markets/${send.toLowerCase()}-${target.toLowerCase()}/ticker`,
  pointer: '/ticker/max_bid/0',
  inverse: false,
})

/**
 * https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints, "Symbol order book
 * ticker".
 */
const binance = (send: string, target: string): RatePreset => ({
  send,
  target,
  url: `https://api.binance.com/api/v3/ticker/bookTicker?symbol=${send}${target}`,
  pointer: '/bidPrice',
  inverse: false,
})

/**
 * https://docs.coingecko.com/reference/simple-price, with the currencies of
 * https://docs.coingecko.com/docs/fiat-currencies-support: a price over many exchanges, not a bid.
 */
const coingecko = (target: string): RatePreset => {
  const currency = target.toLowerCase()
  const query = `ids=usd-coin&vs_currencies=${currency}&precision=full`
  return {
    send: 'USDC',
    target,
    url: `https://api.coingecko.com/api/v3/simple/price?${query}`,
    pointer: `/usd-coin/${currency}`,
    inverse: false,
  }
}

const presets: Readonly<Record<string, RatePreset>> = {
  'bitso-usdc-mxn': bitso('USDC', 'MXN'),
  'buda-usdc-clp': buda('USDC', 'CLP'),
  'buda-usdc-cop': buda('USDC', 'COP'),
  'buda-usdc-pen': buda('USDC', 'PEN'),
  'binance-usdc-brl': binance('USDC', 'BRL'),
  'coingecko-usdc-mxn': coingecko('MXN'),
  'coingecko-usdc-ars': coingecko('ARS'),
  'coingecko-usdc-clp': coingecko('CLP'),
  'coingecko-usdc-brl': coingecko('BRL'),
}

export const presetNames: readonly string[] = Object.keys(presets)

export function presetOf(name: string): RatePreset | undefined {
  return presets[name]
}
