/**
 * Where the money of a foreign-currency order goes: the asset that was sent, and the local currency it buys.
 *
 * Two currencies never meet in one posting. An exchange is two sides, each against an *exchange* account, and each
 * currency sums to zero for itself. The asset is in the treasury on the chain; in the ledger it is what the order was
 * credited with (*deposit*), what it was exchanged for, the fee, or what waits to be sent back (*suspense*).
 */
import { assetCurrency } from '../../machines/money.ts'
import type { Movement } from '../../machines/order.ts'
import { commissionLegs } from '../../machines/order-postings.ts'
import type { AccountRef, Posting, Row } from '../../persistence/store.ts'
import { amountsOf } from './fees.ts'
import { posted, type Settlement } from './postings.ts'

/** refund: what waits was sent back. keep: it stays the operator's. */
type Ending = 'refund' | 'keep'

type Leg = readonly [kind: string, from: AccountRef, to: AccountRef, amountMinor: bigint]

/** The asset a foreign order is paid in, as a currency of the ledger. */
export function currencyOf(
  foreign: Pick<Row<'foreign_orders'>, 'send_currency' | 'blockchain' | 'asset_decimals'>,
): string {
  return assetCurrency(foreign.send_currency, foreign.blockchain, foreign.asset_decimals)
}

/** The node's own account of a kind. */
export function own(kind: AccountRef['kind'], currency: string): AccountRef {
  return { kind, ownerId: '', currency }
}

/** A deposit that an order is credited with: from the treasury, where it lies, to the order's merchant. */
export function creditPosting(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  credit: { chainDepositId: string; amountMinor: bigint },
): Posting {
  const currency = currencyOf(foreign)
  return {
    kind: 'credit',
    debit: own('treasury', currency),
    credit: { kind: 'deposit', ownerId: order.merchant_id, currency },
    amountMinor: credit.amountMinor,
    orderId: order.id,
    reference: credit.chainDepositId,
  }
}

/** The postings of a movement of an order, in their order. */
export function foreignPostings(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  movement: Movement | Settlement | Ending,
): Posting[] {
  const postings = legsOf(order, foreign, movement)
    .filter(([, , , amountMinor]) => amountMinor > 0n)
    .map(
      ([kind, debit, credit, amountMinor]): Posting => ({
        kind,
        debit,
        credit,
        amountMinor,
        orderId: order.id,
        reference: null,
      }),
    )
  if (!credits.includes(movement)) return postings
  // Whoever hands out the cash earns by it as by a local order's (protocol 15.1).
  return [...postings, ...commissionLegs(amountsOf(order)).map((leg) => posted(order, leg, movement))]
}

const credits: readonly string[] = ['settle', 'honour', 'reclaim']

function legsOf(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  movement: Movement | Settlement | Ending,
): Leg[] {
  const { asset, local } = placesOf(order, foreign)
  const { price_minor: price } = order
  const { expected_minor: expected, received_minor: received, fee_minor: fee, rounding_minor } = foreign
  switch (movement) {
    case 'exchange':
      return [
        ['exchange', asset.deposit, asset.exchange, expected - fee],
        ['fee', asset.deposit, asset.fee, fee],
        ['exchange', local.exchange, local.reserved, price],
        // The cash increment left it over (protocol 10.4).
        ['rounding', local.exchange, local.rounding, rounding_minor],
      ]
    case 'unwind':
      return [['unwind', local.reserved, local.exchange, price], ...unexchange('unwind')]
    case 'return':
      return [['return', local.suspense, local.exchange, price], ...unexchange('return')]
    case 'abandon':
      return [['abandon', asset.deposit, asset.suspense, received]]
    case 'settle':
      return [['settle', local.reserved, local.provider(), price]]
    case 'suspend':
      return [['suspend', local.reserved, local.suspense, price]]
    case 'honour':
      return [['honour', local.suspense, local.provider(), price]]
    case 'reclaim':
      // The end user has the cash, and the asset may be on its way back to them: the operator bears it, until it says
      // that the asset was kept.
      return [['reclaim', local.fee, local.provider(), price]]
    case 'refund':
      return [['refund', asset.suspense, asset.treasury, received]]
    case 'keep':
      return [['keep', asset.suspense, asset.fee, received]]
    case 'reserve':
    case 'release':
      throw new Error(`Order ${order.id} is not paid from its merchant's balance.`)
  }

  function unexchange(kind: string): Leg[] {
    return [
      [kind, local.rounding, local.exchange, rounding_minor],
      [kind, asset.exchange, asset.suspense, expected - fee],
      [kind, asset.fee, asset.suspense, fee],
    ]
  }
}

function placesOf(order: Row<'orders'>, foreign: Row<'foreign_orders'>) {
  const { merchant_id: ownerId, currency, lock_provider_id } = order
  const sent = currencyOf(foreign)
  return {
    asset: {
      treasury: own('treasury', sent),
      deposit: { kind: 'deposit', ownerId, currency: sent },
      exchange: own('exchange', sent),
      fee: own('fee', sent),
      // What waits to be refunded waits in one place, whatever became of its order.
      suspense: own('suspense', sent),
    },
    local: {
      exchange: own('exchange', currency),
      rounding: own('rounding', currency),
      fee: own('fee', currency),
      reserved: { kind: 'reserved', ownerId, currency },
      suspense: { kind: 'suspense', ownerId, currency },
      provider(): AccountRef {
        if (lock_provider_id === null) throw new Error(`Order ${order.id} settles without a provider.`)
        return { kind: 'provider', ownerId: lock_provider_id, currency }
      },
    },
  } as const
}
