/**
 * Foreign-currency orders are made from a quote, once: the step that makes one holds the quote's row, and marks it as
 * used (protocol 2.3 and 4.3).
 */
import { createHmac } from 'node:crypto'
import { type Blockchain, blockchains, type Chains } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import { quoteById } from '../../persistence/queries/foreign-orders.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { type Answer, guardRows, type MessageGuard, recall, remember } from './answers.ts'
import { generateCode } from './code.ts'
import { type CreationContext, createOrder, type NewOrder, type OrderWithConsumer } from './creation.ts'
import type { Repeated } from './registry.ts'
import { timeOrderedId } from './time-ordered-id.ts'

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
  takesWallet(wallet: string): boolean
}

export type ForeignCreated =
  | { outcome: 'created'; order: Row<'orders'>; answer: Answer }
  | { outcome: 'duplicate_merchant_order_id' }
  | { outcome: 'quote_refused'; problem: QuoteProblem }
  | { outcome: 'wallet_invalid' }
  | Repeated

export interface ForeignOrders {
  /** What is known of a quote before its order is made; the making looks again. */
  look(merchantId: string, quoteId: string): Promise<QuoteLook>
  /** @param answer what the merchant is answered with; kept where `guard` asks for it. */
  create(
    order: NewForeignOrder,
    answer: (made: OrderWithConsumer) => Answer,
    guard?: MessageGuard,
  ): Promise<ForeignCreated>
}

export interface ForeignOrdersOptions extends CreationContext {
  store: Store
  clock: { now(): Instant }
  chains: Chains
  /** The node's secret that references are made with. */
  referenceKey: string
  fundingWindowMs: number
}

export function createForeignOrders(options: ForeignOrdersOptions): ForeignOrders {
  const { store, clock, chains } = options

  const adapterOf = (quote: Row<'quotes'>) => chains.get(blockchainOf(quote))

  function problemOf(quote: Row<'quotes'> | null, merchantId: string, at: Instant): QuoteProblem | null {
    // Another merchant's quote is as unknown as one that does not exist.
    if (quote === null || quote.merchant_id !== merchantId) return 'quote_unknown'
    if (quote.order_id !== null) return 'quote_used'
    if (at >= quote.expires_at) return 'quote_expired'
    const accepted = adapterOf(quote)?.assets.some(({ id }) => id === quote.asset_id)
    return accepted ? null : 'quote_unusable'
  }

  async function create(
    { quoteId, wallet, ...input }: NewForeignOrder,
    answer: (made: OrderWithConsumer) => Answer,
    guard?: MessageGuard,
  ): Promise<ForeignCreated> {
    for (;;) {
      const identity = { id: timeOrderedId(clock.now()), code: generateCode() }
      const result = await store.step({
        rows: { quote: row('quotes', { id: quoteId }), ...guardRows(guard) },
        // As for any new order.
        isEssential: false,
        decide: (rows, at): Decision<ForeignCreated> => {
          const known = recall(guard, rows, null, at)
          if (known.kind === 'repeated') {
            return { answer: { outcome: 'repeated', answer: known.answer }, writes: [] }
          }
          if (known.kind !== 'new') return { answer: { outcome: 'other_payload' }, writes: [] }
          const { quote } = rows
          const problem = problemOf(quote, input.merchant.id, at)
          if (quote === null || problem !== null) {
            return { answer: { outcome: 'quote_refused', problem: problem ?? 'quote_unknown' }, writes: [] }
          }
          const canonical = adapterOf(quote)?.canonicalWallet(wallet) ?? null
          if (canonical === null) return { answer: { outcome: 'wallet_invalid' }, writes: [] }
          const foreign = foreignSide(
            options,
            { id: identity.id, quote, wallet: canonical },
            input.expiryAt,
            at,
          )
          const made = createOrder(options, { ...input, ...identity, ...pricedBy(quote) }, at, foreign)
          const answered = answer(made)
          return {
            answer: { outcome: 'created', order: made.order, answer: answered },
            writes: [
              ...made.writes,
              { update: 'quotes', key: { id: quoteId }, set: { order_id: identity.id } },
              ...remember(guard, rows, made.order, answered, at),
            ],
            wake: made.wake,
          }
        },
      })
      if (result.outcome === 'committed') return result.answer
      if (result.constraint === 'orders.merchant_order_id') return { outcome: 'duplicate_merchant_order_id' }
      if (result.constraint === 'idempotency_keys.key') return { outcome: 'in_flight' }
      // Codes are random: another one will do.
      if (result.constraint !== 'orders.code') throw new Error(`A creation violated ${result.constraint}.`)
    }
  }

  return {
    create,
    async look(merchantId, quoteId) {
      const [found] = await store.query(quoteById, { id: quoteId })
      const problem = problemOf(found ?? null, merchantId, clock.now())
      const quote = found === undefined || problem === 'quote_unknown' ? null : found
      const adapter = quote === null ? undefined : adapterOf(quote)
      const takesWallet = (wallet: string) =>
        adapter === undefined || adapter.canonicalWallet(wallet) !== null
      return { problem, quote, takesWallet }
    },
  }
}

function pricedBy(quote: Row<'quotes'>) {
  return {
    direction: 'PAY_OUT' as const,
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
  { referenceKey, fundingWindowMs }: ForeignOrdersOptions,
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
