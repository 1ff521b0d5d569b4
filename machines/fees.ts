/**
 * What an order costs its merchant (a fee), and what a provider earns by it (a commission): protocol 15.1.
 *
 * Exact, in minor units of the order's currency, rounded once and half up. What was computed is stored with the
 * order; a reversal negates the stored amounts, and nothing is computed again.
 */

/** Terms of a fee or a commission. Amounts in minor units, rates in basis points (hundredths of a percent). */
export interface FeeTerms {
  fixedMinor: bigint
  bps: number
  /** Bounds of the fee before tax; `null` where there is none. */
  minMinor: bigint | null
  maxMinor: bigint | null
  /** On the rounded fee. */
  taxBps: number
}

export interface Fee {
  feeMinor: bigint
  taxMinor: bigint
}

export const noFee: Fee = { feeMinor: 0n, taxMinor: 0n }

/** @param terms `null` where none were agreed on: then there is no fee. */
export function feeOf(terms: FeeTerms | null, priceMinor: bigint): Fee {
  if (terms === null) return noFee
  const { fixedMinor, bps, minMinor, maxMinor, taxBps } = terms
  const feeMinor = bounded(fixedMinor + shareOf(priceMinor, bps), minMinor, maxMinor)
  return { feeMinor, taxMinor: shareOf(feeMinor, taxBps) }
}

/** Half a minor unit is rounded up; no amount here is negative. */
function shareOf(amountMinor: bigint, bps: number): bigint {
  return (amountMinor * BigInt(bps) + 5_000n) / 10_000n
}

function bounded(amountMinor: bigint, minMinor: bigint | null, maxMinor: bigint | null): bigint {
  if (minMinor !== null && amountMinor < minMinor) return minMinor
  if (maxMinor !== null && amountMinor > maxMinor) return maxMinor
  return amountMinor
}
