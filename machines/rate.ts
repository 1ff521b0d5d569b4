/** Exchange rates and fees as an operator writes them: plain decimal texts, exact to the last digit. */
import BigNumber from 'bignumber.js'

/**
 * Reads a decimal that is not negative, with at most 15 digits before the point and 18 after it; `null` for
 * any other text.
 */
export function parseDecimal(text: string): BigNumber | null {
  return /^\s*\d{1,15}(\.\d{1,18})?\s*$/.test(text) ? new BigNumber(text.trim()) : null
}

/** A rate as it is shown: with two decimals at least. */
export function formatRate(rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** The one way a decimal is written, so that equal ones are equal texts: `"17.250"` and `"017.25"` are `17.25`. */
export function formatDecimal(decimal: BigNumber): string {
  return decimal.toFixed()
}
