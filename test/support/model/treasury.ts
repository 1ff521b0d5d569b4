/** Assets on chains as the bookkeeper sees them: what comes for orders, what they buy, what goes back, and what is sold. */
import type { Fact, QuoteAnswer } from './facts.ts'
import { minor } from './figures.ts'

/** What of an order in foreign currency is worked out once, in smallest units. */
export interface Bought {
  asset: string
  expected: bigint
  fee: bigint
  rounding: bigint
  received: bigint
}

/** Moves an amount between two of the operator's or a party's places. */
type Move = (
  amount: bigint,
  currency: string,
  from: readonly [string, string],
  to: readonly [string, string],
) => void

export function boughtBy({ asset, send, fee, rounding }: QuoteAnswer, currency: string): Bought {
  return {
    asset,
    expected: minor(send, asset),
    fee: minor(fee, asset),
    rounding: minor(rounding, currency),
    received: 0n,
  }
}

/** What was exchanged of an asset's symbol, in millionths of a millionth, and with how much of a money it is in the books. */
interface Pool {
  units: bigint
  booked: bigint
}

export class Treasury {
  readonly #pools = new Map<string, Pool>()

  #poolOf(asset: string, currency: string): Pool {
    const key = `${asset.split('.')[0]} ${currency}`
    const found = this.#pools.get(key) ?? { units: 0n, booked: 0n }
    this.#pools.set(key, found)
    return found
  }

  /** How much of a symbol could be sold for a money, in units of one of its chains. */
  exchangedFor(asset: string, currency: string): bigint {
    const { units, booked } = this.#poolOf(asset, currency)
    return booked > 0n ? units / fineness(asset) : 0n
  }

  come(bought: Bought, amount: bigint, merchant: string, move: Move): void {
    bought.received += amount
    move(amount, bought.asset, ['treasury', ''], ['deposit', merchant])
  }

  /** All has come: the asset is the operator's, and the price is there to be handed out. */
  exchange(bought: Bought, { merchant, currency, price }: Buyer, move: Move): void {
    const { asset, expected, fee, rounding } = bought
    move(expected - fee, asset, ['deposit', merchant], ['exchange', ''])
    move(fee, asset, ['deposit', merchant], ['fee', ''])
    move(price, currency, ['exchange', ''], ['reserved', merchant])
    move(rounding, currency, ['exchange', ''], ['rounding', ''])
    this.#change(bought, currency, price, 1n)
  }

  /** Nobody gets the cash: what was sent waits to go back. */
  unwind(bought: Bought, { merchant, currency, price }: Buyer, from: string, move: Move): void {
    const { asset, expected, fee, rounding } = bought
    move(price, currency, [from, merchant], ['exchange', ''])
    move(rounding, currency, ['rounding', ''], ['exchange', ''])
    move(expected - fee, asset, ['exchange', ''], ['suspense', ''])
    move(fee, asset, ['fee', ''], ['suspense', ''])
    this.#change(bought, currency, price, -1n)
  }

  #change({ asset, expected, fee, rounding }: Bought, currency: string, price: bigint, sign: bigint): void {
    const pool = this.#poolOf(asset, currency)
    pool.units += sign * (expected - fee) * fineness(asset)
    pool.booked += sign * (price + rounding)
  }

  sell({ asset, amount, feePart, line }: Extract<Fact, { is: 'sale' }>, move: Move): void {
    const { bank, currency } = line
    const [sold, ofFees, proceeds] = [
      minor(amount, asset),
      minor(feePart, asset),
      minor(line.amount, currency),
    ]
    const pool = this.#poolOf(asset, currency)
    const units = (sold - ofFees) * fineness(asset)
    const booked = units === 0n ? 0n : nearest(pool.booked * units, pool.units)
    const earned = nearest(proceeds * ofFees, sold)
    pool.units -= units
    pool.booked -= booked
    move(sold - ofFees, asset, ['exchange', ''], ['transit', ''])
    move(ofFees, asset, ['fee', ''], ['transit', ''])
    move(booked, currency, ['fx_result', ''], ['exchange', ''])
    move(earned, currency, ['fx_result', ''], ['fee', ''])
    move(proceeds, currency, ['bank', bank], ['fx_result', ''])
  }
}

interface Buyer {
  merchant: string
  currency: string
  price: bigint
}

function fineness(asset: string): bigint {
  return 10n ** (12n - BigInt(asset.split('/')[1] ?? '0'))
}

/** A half is one. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, numerator % denominator]
  return rest * 2n >= denominator ? whole + 1n : whole
}
