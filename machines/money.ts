/**
 * Money: decimal strings at every border, BigInt minor units inside. Never a float.
 *
 * A *minor unit* is the smallest unit of a currency: a centavo of MXN, a whole peso of CLP.
 */

/** The currencies of ISO 4217 whose minor unit is not the usual hundredth (list one, published by SIX). */
const unusualExponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** The largest amount the ledger keeps: SQLite's and PostgreSQL's integers end here. */
export const maxMinorUnits = 2n ** 63n - 1n

/**
 * An asset of a blockchain as a currency of the ledger: `USDC.SOLANA/6`. Its decimals are part of its name, so that
 * what was booked means the same for ever, whatever the settings say later, and nobody has to look them up.
 */
export function assetCurrency(symbol: string, blockchain: string, decimals: number): string {
  return `${symbol}.${blockchain}/${decimals}`
}

const assetPattern = /^([A-Za-z0-9]+\.[A-Z]+)\/([0-9])$/

/** A currency as people read it: `USDC.SOLANA`, `MXN`. */
export function currencyName(currency: string): string {
  return assetPattern.exec(currency)?.[1] ?? currency
}

/** Decimals of a currency, for example 2 for MXN, 0 for CLP and 6 for `USDC.SOLANA/6`. */
export function currencyDecimals(currency: string): number {
  const asset = assetPattern.exec(currency)
  if (asset) return Number(asset[2])
  // A currency is a caller's text: `constructor` must not find what every object has.
  return (Object.hasOwn(unusualExponents, currency) ? unusualExponents[currency] : undefined) ?? 2
}

/** Why a text is not an amount of a currency. */
export type AmountProblem = 'not_a_number' | 'too_many_decimals' | 'too_large'

/**
 * Reads a plain decimal text (`"100"`, `"100.50"`, blanks around and leading zeros are harmless) into minor
 * units. Zeros beyond the decimals of the currency are harmless too; other digits there are not.
 */
export function parseAmount(text: string, decimals: number): bigint | AmountProblem {
  const match = /^\s*(-?)([0-9]+)(?:\.([0-9]+))?\s*$/.exec(text)
  if (!match) return 'not_a_number'
  const fraction = withoutTrailingZeros(match[3] ?? '')
  if (fraction.length > decimals) return 'too_many_decimals'
  const minor = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'))
  if (minor > maxMinorUnits) return 'too_large'
  return match[1] === '-' ? -minor : minor
}

/** Not `/0+$/`: it takes seconds for a body full of zeros that ends in another digit. */
function withoutTrailingZeros(digits: string): string {
  let length = digits.length
  while (digits[length - 1] === '0') length--
  return digits.slice(0, length)
}

/** Writes minor units as a decimal text with at least two decimals: `"1000.00"` for a thousand CLP. */
export function formatAmount(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals)
  return `${sign}${whole}.${fraction.padEnd(2, '0')}`
}

/**
 * Writes the smallest units of an asset with as many decimals as they need, and at least two: assets have more
 * of them than anybody types.
 */
export function formatUnits(units: bigint, decimals: number): string {
  const text = formatAmount(units, decimals)
  const end = withoutTrailingZeros(text).length
  return text.slice(0, Math.max(end, text.indexOf('.') + 3))
}

/** An amount of a named currency as it appears in answers and webhooks. */
export function formatPrice(minor: bigint, currency: string): string {
  const format = assetPattern.test(currency) ? formatUnits : formatAmount
  return format(minor, currencyDecimals(currency))
}
