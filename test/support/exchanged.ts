/** Assets that were exchanged by orders and lie in a treasury, and what leaves it to be sold. */
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../chain/chain.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import { assetCurrency } from '../../machines/money.ts'
import { chainDepositFor, chains, type ForeignPlay } from './foreign-orders.ts'

export interface Exchange {
  chain: Blockchain
  symbol?: string
  /** Smallest units that were exchanged, and those that are of the operator's fees beside them. */
  units: bigint
  feeUnits?: bigint
  /** What the order is to be paid out with; nothing is left over. */
  minor: bigint
  money?: 'MXN' | 'CLP'
}

const countries = { MXN: 'MX', CLP: 'CL' } as const

export function assetOf(blockchain: Blockchain, symbol = 'USDC'): ChainAdapter['assets'][number] {
  const asset = chains.get(blockchain)?.assets.find((one) => one.symbol === symbol)
  if (asset === undefined) throw new Error(`${blockchain} has no ${symbol}.`)
  return asset
}

/** As a currency of the ledger. */
export function currencyOn(blockchain: Blockchain, symbol = 'USDC'): string {
  return assetCurrency(symbol, blockchain, assetOf(blockchain, symbol).decimals)
}

/** An order that was paid on its chain, and waits to be paid out. */
export async function exchange(
  world: ForeignPlay,
  { chain, symbol = 'USDC', units, feeUnits = 0n, minor, money = 'MXN' }: Exchange,
): Promise<string> {
  const { id, decimals } = assetOf(chain, symbol)
  const side = await world.foreign(undefined, {
    blockchain: chain,
    send_currency: symbol,
    asset_id: id,
    asset_decimals: decimals,
    send_minor: units + feeUnits,
    fee_minor: feeUnits,
    target_country: countries[money],
    target_currency: money,
    order_price_minor: minor,
    rounding_minor: 0n,
  })
  const deposit = chainDepositFor(side, world.clock.now(), { blockchain: chain, symbol })
  await world.read([deposit], world.clock.now(), chain)
  assert.is((await world.row(side.order_id)).status, 'READY')
  return side.order_id
}

/** The chain shows it leaving. */
export async function leave(
  world: ForeignPlay,
  transactionId: string,
  { chain, symbol = 'USDC', units }: Pick<Exchange, 'chain' | 'symbol' | 'units'>,
): Promise<void> {
  const asset = assetOf(chain, symbol)
  await world.deposits.recordFound(
    { blockchain: chain, assets: [asset] },
    {
      deposits: [],
      outflows: [
        {
          ...{ blockchain: chain, transactionId, index: '0', height: '1000', at: world.clock.now() },
          ...{ assetId: asset.id, amount: units, to: 'the exchange', references: [] },
        },
      ],
      cursor: '0',
      more: false,
      scannedTo: null,
    },
  )
}
