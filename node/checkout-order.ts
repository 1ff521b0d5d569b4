/** What the checkout page may know of an order, as it is now. */

import { isPayable, missingOf, type OfferedTransactions } from '../actors/chains/transactions.ts'
import type { OrderRegistry } from '../actors/orders/registry.ts'
import type { ForeignOrder } from '../actors/orders/representation.ts'
import { versionOf } from '../actors/orders/watch.ts'
import type { Directory } from '../actors/parties/party-limits.ts'
import type { Chains, Relayed } from '../chain/chain.ts'
import type {
  CheckoutFunding,
  CheckoutOrder,
  CheckoutPlaces,
  CheckoutSigning,
} from '../http/checkout/view.ts'
import { type Blockchain, blockchainFacts, evmBlockchains } from '../machines/blockchains.ts'
import { formatAmount, formatPrice } from '../machines/money.ts'
import type { Instant } from '../machines/time.ts'
import { placesForOrder } from '../persistence/queries/checkout.ts'
import type { Row, Store } from '../persistence/store.ts'
import type { Settings } from './settings/config.ts'

export interface CheckoutOrdersOptions {
  readonly orders: Pick<OrderRegistry, 'find'>
  readonly directory: Pick<Directory, 'partyOf'>
  readonly store: Pick<Store, 'query'>
  /** Whether starts are refused altogether. */
  isDrained(): boolean
  readonly transactions: OfferedTransactions
  readonly clock: { now(): Instant }
  /** Of the chains that are on. */
  readonly places: PaymentPlaces
}

/** Where the money of each chain goes, and how wallets name the network. */
export type PaymentPlaces = ReadonlyMap<Blockchain, Pick<CheckoutSigning, 'network' | 'recipient'>>

export function paymentPlaces({ SOLANA, STELLAR, ...others }: Settings['chains']): PaymentPlaces {
  const places = new Map<Blockchain, Pick<CheckoutSigning, 'network' | 'recipient'>>()
  if (SOLANA !== null) {
    const { cluster, treasury } = SOLANA
    const network = `solana:${cluster === 'mainnet-beta' ? 'mainnet' : cluster}`
    places.set('SOLANA', { network, recipient: treasury })
  }
  if (STELLAR !== null) places.set('STELLAR', { network: STELLAR.passphrase, recipient: STELLAR.treasury })
  for (const name of evmBlockchains) {
    const evm = others[name]
    if (evm !== null) places.set(name, { network: `0x${evm.chainId.toString(16)}`, recipient: evm.treasury })
  }
  return places
}

/** Sends on what an order's wallet has signed, where its wallets do not send themselves; `null` for no such order. */
export function createCheckoutRelay(orders: Pick<OrderRegistry, 'find'>, chains: Chains) {
  return async function relay(id: string, signed: string): Promise<Relayed | null> {
    const foreign = (await orders.find(id))?.foreign ?? null
    if (foreign === null) return null
    const { wallet, reference } = foreign
    return (await chains.get(foreign.blockchain)?.relay?.(signed, { wallet, reference })) ?? 'failed'
  }
}

export function createCheckoutOrders(options: CheckoutOrdersOptions) {
  return async function find(id: string): Promise<CheckoutOrder | null> {
    const found = await options.orders.find(id)
    if (found === null) return null
    const { order, foreign, refundable = null } = found
    const now = options.clock.now()
    const merchant = await options.directory.partyOf(order.merchant_id)
    // What a start would be refused for, whoever asks (actors/orders/vetoes.ts).
    const isStartable = !merchant.isFrozen && order.quarantined_at === null && !options.isDrained()
    const transaction = foreign === null ? '' : await options.transactions.offer(order, foreign, now)
    return {
      id: order.id,
      status: order.status,
      direction: order.direction,
      country: order.country,
      price: formatPrice(order.price_minor, order.currency),
      currency: order.currency,
      description: order.description,
      code: order.code,
      expiryAt: order.expiry_at,
      paidAt: order.paid_at,
      returnUrl: order.return_url,
      merchantName: merchant.name,
      merchantContact: merchant.contact,
      places: order.status === 'READY' && isStartable ? await placesOf(options.store, order) : null,
      version: versionOf(order, foreign),
      refund: refundable && {
        description: refundable.description,
        price: formatPrice(refundable.credited_minor, refundable.currency),
        paidAt: refundable.paid_at,
      },
      funding:
        foreign &&
        fundingOf(foreign, { transaction, isOffered: isPayable(order, foreign, now) }, options.places),
    }
  }
}

/** What was agreed on with networks, without what is between them and the operator. */
async function placesOf(store: Pick<Store, 'query'>, order: Row<'orders'>): Promise<CheckoutPlaces> {
  const { country, currency, price_minor: priceMinor } = order
  const networks = await store.query(placesForOrder, { country, currency, priceMinor })
  const listed = networks.map((network) => {
    const amount = (minor: bigint | null) =>
      minor === null || network.currency === null ? null : formatPrice(minor, network.currency)
    return {
      name: network.name ?? '',
      min: amount(network.min_minor),
      max: amount(network.max_minor),
      counterFee: amount(network.counter_fee_minor),
      hours: network.hours,
      text: network.text_json === null ? {} : JSON.parse(network.text_json),
    }
  })
  return { listed, count: networks[0]?.places ?? 0 }
}

function fundingOf(
  foreign: ForeignOrder,
  { transaction, isOffered }: { transaction: string; isOffered: boolean },
  places: PaymentPlaces,
): CheckoutFunding {
  const text = (minor: bigint) => formatAmount(minor, foreign.asset_decimals)
  const missing = missingOf(foreign)
  const { blockchain } = foreign
  const place = places.get(blockchain)
  return {
    network: blockchainFacts[blockchain].title,
    asset: foreign.send_currency,
    expected: text(foreign.expected_minor),
    received: text(foreign.received_minor),
    missing: missing === 0n ? null : text(missing),
    wallet: foreign.wallet,
    isOffered,
    isSeen: foreign.seen_at !== null,
    deadlineAt: foreign.funding_deadline_at,
    signing: place === undefined ? null : { ...place, blockchain, transaction },
  }
}
