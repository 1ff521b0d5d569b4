/**
 * What a quote comes to (protocol 10.4): exact to the smallest unit, with decimals and
 * integers only.
 */
import BigNumber from 'bignumber.js'
import { parseDecimal } from './rate.ts'

export interface QuoteTerms {
  /** Smallest units of the asset that the end user sends. */
  sendUnits: bigint
  assetDecimals: number
  /** Decimal text, in the asset. */
  feeFixed: string
  /** Hundredths of a percent of what is sent. */
  feeBps: number
  /** Target currency for one unit of the asset, decimal text, positive. */
  rate: string
  targetDecimals: number
  /** Minor units of the target currency that cash comes in. */
  cashIncrementMinor: bigint
}

export interface Priced {
  /** Smallest units of the asset; rounded up. */
  feeUnits: bigint
  /** Minor units, a multiple of the cash increment; zero when the fee eats it all. */
  orderPriceMinor: bigint
  /** Minor units that the increment leaves over; what is below a minor unit is nobody's. */
  roundingMinor: bigint
}

/** Products, sums and shifts of the decimal library are exact; only what is said here is rounded. */
export function priceQuote(terms: QuoteTerms): Priced {
  const { assetDecimals, targetDecimals, cashIncrementMinor } = terms
  const send = new BigNumber(terms.sendUnits.toString())
  const fixed = decimal(terms.feeFixed).shiftedBy(assetDecimals)
  const fee = fixed.plus(send.times(terms.feeBps).shiftedBy(-4)).integerValue(BigNumber.ROUND_CEIL)
  const exchanged = BigNumber.max(send.minus(fee), 0)
  const exactMinor = whole(exchanged.times(decimal(terms.rate)).shiftedBy(targetDecimals - assetDecimals))
  const roundingMinor = exactMinor % cashIncrementMinor
  return { feeUnits: whole(fee), orderPriceMinor: exactMinor - roundingMinor, roundingMinor }
}

function decimal(text: string): BigNumber {
  const read = parseDecimal(text)
  if (read === null) throw new RangeError(`Not a plain decimal: ${text}`)
  return read
}

function whole(value: BigNumber): bigint {
  return BigInt(value.integerValue(BigNumber.ROUND_FLOOR).toFixed(0))
}
