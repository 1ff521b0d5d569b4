/**
 * Quotes: what a merchant is promised for a while (protocol 2.4 and 10.4).
 *
 * A quote is one step: pair and rate are what they are when it is committed, and its row keeps what it was
 * made of.
 */
import { randomUUID } from 'node:crypto'
import type { Asset, Chains } from '../../chain/chain.ts'
import { blockchains } from '../../machines/blockchains.ts'
import { currencyDecimals } from '../../machines/money.ts'
import { type Priced, priceQuote } from '../../machines/pricing.ts'
import type { Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { type Answer, guardRows, type MessageGuard, recall, rememberUnderKey } from '../orders/answers.ts'
import { acceptRate } from '../rates/acceptance.ts'
import { isRateOut, rateOutageRow } from './outage.ts'
import { representQuote } from './representation.ts'

export interface NewQuote {
  merchantId: string
  blockchain: string
  sendCurrency: string
  /** Smallest units of the asset. */
  sendMinor: bigint
  targetCountry: string
  targetCurrency: string
  /** Everything is checked, and nothing is written. */
  isDryRun?: boolean
}

export type QuoteRefusal =
  /** The merchant is not enabled for pay-outs in the country and currency. */
  | 'pair_not_configured'
  /** The chain is off, does not know the asset, or nobody has said a rate. */
  | 'pair_invalid'
  | 'no_rate'
  | 'too_low'
  | 'too_high'

export type Quoted =
  | { outcome: 'quoted'; quote: Pick<Row<'quotes'>, 'id'>; answer: Answer }
  /** Of a dry run: it could be made, and was not. */
  | { outcome: 'quotable'; answer: Answer }
  /** `why` is for the log. */
  | { outcome: 'refused'; reason: QuoteRefusal; why: string | null }
  | { outcome: 'repeated'; answer: Answer }
  /** The idempotency key was used for something else. */
  | { outcome: 'other_payload' }
  | { outcome: 'in_flight' }

export interface Quotes {
  /** Of an asset that the settings accept on a blockchain that is on; undefined for any other. */
  assetDecimals(blockchain: string, symbol: string): number | undefined
  /** What the merchant is answered is kept where `guard` asks for it. */
  create(input: NewQuote, guard?: MessageGuard): Promise<Quoted>
}

export interface QuotesOptions {
  store: Store
  chains: Chains
  validityMs: number
  /** Its merchants may have asked for an outage of all rates. */
  isSandbox?: boolean
}

interface QuoteRows {
  pair: Row<'pairs'> | null
  rate: Row<'rates'> | null
  outage: Row<'facts'> | null
}

export function createQuotes({ store, chains, validityMs, isSandbox = false }: QuotesOptions): Quotes {
  return {
    assetDecimals: (blockchain, symbol) => assetOf(chains, blockchain, symbol)?.decimals,
    async create(input, guard) {
      const id = randomUUID()
      const { merchantId, targetCountry: country, targetCurrency: currency } = input
      const pair = { merchant_id: merchantId, country, currency }
      const { blockchain, sendCurrency: send_currency } = input
      const rate = { blockchain, send_currency, country, target_currency: currency }
      const result = await store.step({
        rows: {
          pair: row('pairs', pair),
          rate: row('rates', rate),
          outage: isSandbox ? rateOutageRow(merchantId) : undefined,
          ...guardRows(guard),
        },
        // Whoever is quoted nothing has lost nothing; what is under way needs the room that is left.
        isEssential: false,
        decide: (rows, at): Decision<Quoted> => {
          const known = recall(guard, rows, null, at)
          if (known.kind === 'repeated') {
            return { answer: { outcome: 'repeated', answer: known.answer }, writes: [] }
          }
          if (known.kind !== 'new') return { answer: { outcome: 'other_payload' }, writes: [] }
          const asset = assetOf(chains, blockchain, send_currency)
          const made = decideQuote(input, rows, asset, { id, at, validityMs })
          if (!made.ok) {
            const { reason, why } = made
            return { answer: { outcome: 'refused', reason, why }, writes: [] }
          }
          const { quote } = made
          const represented = representQuote(quote)
          const answered = { status: 201, body: JSON.stringify(represented) }
          if (input.isDryRun === true) {
            const { id: _, ...rest } = represented
            const answer = { ...answered, body: JSON.stringify(rest) }
            return { answer: { outcome: 'quotable', answer }, writes: [] }
          }
          const kept = rememberUnderKey(guard, rows, { order_id: null, revision: null }, answered, at)
          return {
            answer: { outcome: 'quoted', quote, answer: answered },
            writes: [{ insert: 'quotes', values: quote }, ...kept],
          }
        },
      })
      if (result.outcome === 'committed') return result.answer
      if (result.constraint === 'idempotency_keys.key') return { outcome: 'in_flight' }
      throw new Error(`A quote violated ${result.constraint}.`)
    },
  }
}

function assetOf(chains: Chains, blockchain: string, symbol: string): Asset | undefined {
  const name = blockchains.find((known) => known === blockchain)
  return name && chains.get(name)?.assets.find((asset) => asset.symbol === symbol)
}

/** `why` is for the log. */
type Made = { ok: true; quote: Row<'quotes'> } | { ok: false; reason: QuoteRefusal; why: string | null }

function decideQuote(
  input: NewQuote,
  { pair, rate, outage }: QuoteRows,
  asset: Asset | undefined,
  { id, at, validityMs }: { id: string; at: Instant; validityMs: number },
): Made {
  const refused = (reason: QuoteRefusal, why: string | null = null): Made => ({ ok: false, reason, why })
  if (pair?.pay_out !== 1) return refused('pair_not_configured')
  if (asset === undefined) return refused('pair_invalid', 'the chain is off, or has no such asset')
  if (rate === null) return refused('pair_invalid', 'there is no such rate')
  if (isRateOut(outage, at)) return refused('no_rate', 'a simulated outage')
  const accepted = acceptRate(rate, at)
  if (!accepted.ok) return refused('no_rate', accepted.problem)
  const terms = {
    sendUnits: input.sendMinor,
    assetDecimals: asset.decimals,
    feeFixed: rate.fee_fixed,
    feeBps: rate.fee_bps,
    rate: accepted.rate,
    targetDecimals: currencyDecimals(input.targetCurrency),
    cashIncrementMinor: pair.cash_increment_minor,
  }
  const priced = priceQuote(terms)
  const outside = outsideLimits(priced, pair)
  if (outside !== null) return refused(outside)
  const quote: Row<'quotes'> = {
    id,
    merchant_id: input.merchantId,
    blockchain: input.blockchain,
    send_currency: input.sendCurrency,
    asset_id: asset.id,
    asset_decimals: asset.decimals,
    send_minor: input.sendMinor,
    fee_minor: priced.feeUnits,
    target_country: input.targetCountry,
    target_currency: input.targetCurrency,
    order_price_minor: priced.orderPriceMinor,
    rounding_minor: priced.roundingMinor,
    rate: accepted.rate,
    rate_source: accepted.source,
    rate_at: rate.updated_at,
    evidence_json: evidenceOf(rate, pair),
    created_at: at,
    expires_at: at + validityMs,
    order_id: null,
  }
  return { ok: true, quote }
}

function outsideLimits({ orderPriceMinor }: Priced, pair: Row<'pairs'>): 'too_low' | 'too_high' | null {
  if (orderPriceMinor <= 0n || orderPriceMinor < pair.min_minor) return 'too_low'
  return orderPriceMinor > pair.max_minor ? 'too_high' : null
}

/** What the price was made of besides the columns: whoever doubts a quote can work it out again. */
function evidenceOf(rate: Row<'rates'>, pair: Row<'pairs'>): string {
  return JSON.stringify({
    feeFixed: rate.fee_fixed,
    feeBps: rate.fee_bps,
    cashIncrementMinor: pair.cash_increment_minor.toString(),
    minMinor: pair.min_minor.toString(),
    maxMinor: pair.max_minor.toString(),
    reading: rate.reading_json === null ? null : JSON.parse(rate.reading_json),
  })
}
