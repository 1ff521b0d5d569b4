/** What the checkout page may know of an order, as it is now. */

import type { FreshTransactions } from '../actors/chains/transactions.ts'
import { missingOf, offeredTransaction } from '../actors/chains/transactions.ts'
import type { OrderRegistry } from '../actors/orders/registry.ts'
import type { ForeignOrder } from '../actors/orders/representation.ts'
import { versionOf } from '../actors/orders/watch.ts'
import type { Directory } from '../actors/parties.ts'
import type { Blockchain } from '../chain/chain.ts'
import type { CheckoutFunding, CheckoutOrder } from '../http/checkout/view.ts'
import { formatAmount, formatPrice } from '../machines/money.ts'
import type { Instant } from '../machines/time.ts'

export interface CheckoutOrdersOptions {
  readonly orders: Pick<OrderRegistry, 'find'>
  readonly directory: Pick<Directory, 'nameOf'>
  readonly fresh: FreshTransactions
  readonly clock: { now(): Instant }
}

export function createCheckoutOrders(options: CheckoutOrdersOptions) {
  return async function find(id: string): Promise<CheckoutOrder | null> {
    const found = await options.orders.find(id)
    if (found === null) return null
    const { order, foreign } = found
    const now = options.clock.now()
    const isOffered = foreign !== null && offeredTransaction(options.fresh, order, foreign, now) !== ''
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
      merchantName: await options.directory.nameOf(order.merchant_id),
      version: versionOf(order, foreign),
      funding: foreign && fundingOf(foreign, isOffered),
    }
  }
}

const networkNames: Readonly<Record<Blockchain, string>> = {
  SOLANA: 'Solana',
  STELLAR: 'Stellar',
  MONAD: 'Monad',
}

function fundingOf(foreign: ForeignOrder, isOffered: boolean): CheckoutFunding {
  const text = (minor: bigint) => formatAmount(minor, foreign.asset_decimals)
  const missing = missingOf(foreign)
  return {
    network: networkNames[foreign.blockchain],
    asset: foreign.send_currency,
    expected: text(foreign.expected_minor),
    received: text(foreign.received_minor),
    missing: missing === 0n ? null : text(missing),
    wallet: foreign.wallet,
    isOffered,
    isSeen: foreign.seen_at !== null,
    deadlineAt: foreign.funding_deadline_at,
  }
}
