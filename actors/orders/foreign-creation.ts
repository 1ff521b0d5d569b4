/**
 * The foreign side of a creation: an order is made from a quote, once, in a step that holds the quote's row and marks it
 * as used (protocol 2.3 and 4.3).
 */
import { createHmac } from 'node:crypto'
import type { Chains } from '../../chain/chain.ts'
import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import { quoteById } from '../../persistence/queries/foreign-orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { NewOrder } from './creation.ts'

/** What is asked for: the price comes from the quote, the direction is always PAY_OUT. */
export interface NewForeignOrder extends Omit<NewOrder, 'direction' | 'country' | 'priceMinor' | 'currency'> {
  quoteId: string
  /** As it was sent. */
  wallet: string
}

/** What is wrong with the quote: no such quote of this merchant, past its time, used, its chain is off. */
export type QuoteProblem = 'quote_unknown' | 'quote_expired' | 'quote_used' | 'quote_unusable'

/** A quote as it is now, and what may be said of a wallet for it. */
export interface QuoteLook {
  problem: QuoteProblem | null
  /** `null` for one that is not this merchant's. */
  quote: Row<'quotes'> | null
  /** False where the wallet cannot sign on the quote's chain; true where nobody can tell. */
  takesWallet: boolean
}

export interface ForeignContext {
  chains: Chains
  /** The node's secret that references are made with. */
  referenceKey: string
  fundingWindowMs: number
}

/** What a quote and a wallet come to; or why they come to nothing. */
export type Agreed =
  | { ok: true; priced: Pick<NewOrder, PricedField>; foreign: Row<'foreign_orders'> }
  | { ok: false; reason: Disagreement }

/** Why an order cannot be made from a quote. */
export type Disagreement = QuoteProblem | 'wallet_invalid'

type PricedField = 'direction' | 'country' | 'priceMinor' | 'currency'

/** @param id of the order that is made from it */
export function agree(
  context: ForeignContext,
  input: NewForeignOrder,
  quote: Row<'quotes'> | null,
  id: string,
  at: Instant,
): Agreed {
  const problem = problemOf(context.chains, quote, input.merchant.id, at)
  if (quote === null || problem !== null) return { ok: false, reason: problem ?? 'quote_unknown' }
  const wallet = adapterOf(context.chains, quote)?.canonicalWallet(input.wallet) ?? null
  if (wallet === null) return { ok: false, reason: 'wallet_invalid' }
  const foreign = foreignSide(context, { id, quote, wallet }, input.expiryAt, at)
  return { ok: true, priced: pricedBy(quote), foreign }
}

/** What is known of a quote before its order is made; the making looks again. */
export async function lookAtQuote(
  { store, clock, chains }: { store: Store; clock: { now(): Instant }; chains: Chains },
  { merchantId, quoteId, wallet }: { merchantId: string; quoteId: string; wallet: string },
): Promise<QuoteLook> {
  const [found] = await store.query(quoteById, { id: quoteId })
  const problem = problemOf(chains, found ?? null, merchantId, clock.now())
  const quote = found === undefined || problem === 'quote_unknown' ? null : found
  const adapter = quote === null ? undefined : adapterOf(chains, quote)
  const takesWallet = adapter === undefined || adapter.canonicalWallet(wallet) !== null
  return { problem, quote, takesWallet }
}

function problemOf(
  chains: Chains,
  quote: Row<'quotes'> | null,
  merchantId: string,
  at: Instant,
): QuoteProblem | null {
  // Another merchant's quote is as unknown as one that does not exist.
  if (quote === null || quote.merchant_id !== merchantId) return 'quote_unknown'
  if (quote.order_id !== null) return 'quote_used'
  if (at >= quote.expires_at) return 'quote_expired'
  const accepted = adapterOf(chains, quote)?.assets.some(({ id }) => id === quote.asset_id)
  return accepted ? null : 'quote_unusable'
}

function adapterOf(chains: Chains, quote: Row<'quotes'>) {
  return chains.get(blockchainOf(quote))
}

function pricedBy(quote: Row<'quotes'>): Pick<NewOrder, PricedField> {
  return {
    direction: 'PAY_OUT',
    country: quote.target_country,
    priceMinor: quote.order_price_minor,
    currency: quote.target_currency,
  }
}

/** The 32 bytes that tie a transfer to an order: nobody can tell them from the order's id, or make one up. */
function referenceOf(referenceKey: string, orderId: string): string {
  return createHmac('sha256', referenceKey).update(orderId).digest('hex')
}

function foreignSide(
  { referenceKey, fundingWindowMs }: ForeignContext,
  { id, quote, wallet }: { id: string; quote: Row<'quotes'>; wallet: string },
  expiryAt: Instant,
  at: Instant,
): Row<'foreign_orders'> {
  return {
    order_id: id,
    quote_id: quote.id,
    blockchain: blockchainOf(quote),
    send_currency: quote.send_currency,
    asset_id: quote.asset_id,
    asset_decimals: quote.asset_decimals,
    wallet,
    reference: referenceOf(referenceKey, id),
    expected_minor: quote.send_minor,
    received_minor: 0n,
    credits_json: '[]',
    fee_minor: quote.fee_minor,
    rounding_minor: quote.rounding_minor,
    // Never past the expiry (protocol 3.5).
    funding_deadline_at: Math.min(at + fundingWindowMs, expiryAt),
    seen_at: null,
    transaction_text: '',
    transaction_minor: null,
    signable_until_at: null,
    lands_until_at: null,
    transaction_error: null,
    treasuries_json: '[]',
    build_due_at: at,
  }
}

function blockchainOf({ id, blockchain }: Row<'quotes'>): Blockchain {
  const known = blockchains.find((name) => name === blockchain)
  if (known === undefined) throw new Error(`Quote ${id} names an unknown blockchain: ${blockchain}`)
  return known
}
