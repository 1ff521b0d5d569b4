/**
 * What sources tell, made a rate of or refused (protocol 10.4). Decimals are texts, exact; what
 * has to be rounded is rounded down, so that nobody is promised more than was told.
 */
import BigNumber from 'bignumber.js'
import { formatDecimal, parseDecimal } from './rate.ts'

export type RateResult = { ok: true; rate: string } | { ok: false; problem: string }

/** How a source's number becomes a rate: target currency for one unit of the asset. */
export interface Reading {
  /** The number says what one unit of the target currency is worth in the asset. */
  inverse: boolean
  /** Hundredths of a percent by which it is lowered. */
  spreadBps: number
}

/** More than any exchange tells; an inverse has no end. */
const rateDecimals = 10

/** A result has 30 exact digits before it is rounded. */
const Exact = BigNumber.clone({ DECIMAL_PLACES: 30, ROUNDING_MODE: BigNumber.ROUND_DOWN })

/** Two sources that are further apart than this tell of two different things. */
const maxDistanceBps = 1_000
/** No rate moves this far from one reading to the next. */
const maxLeap = 10

/** A rate from a source's number as it was written; `null` stands for JSON's. */
export function rateFrom(told: string | null, { inverse, spreadBps }: Reading): RateResult {
  if (told === null) return { ok: false, problem: 'it tells null' }
  const text = told.trim()
  // Not by `parseDecimal`: sources tell more digits than an operator may write.
  if (!/^-?\d{1,30}(\.\d{1,60})?$/.test(text)) {
    return { ok: false, problem: `it tells ${shown(told)}, which is no plain decimal` }
  }
  const value = new Exact(text)
  if (value.isZero()) return { ok: false, problem: 'it tells zero' }
  if (value.isNegative()) return { ok: false, problem: `it tells ${shown(text)}, which is below zero` }
  const share = new Exact(10_000 - spreadBps).shiftedBy(-4)
  // One division, so that it is rounded once.
  const exact = inverse ? share.dividedBy(value) : value.times(share)
  const rate = formatDecimal(exact.decimalPlaces(rateDecimals, BigNumber.ROUND_DOWN))
  return parseDecimal(rate) === null || rate === '0'
    ? { ok: false, problem: `it tells ${shown(text)}, which no rate can be made of` }
    : { ok: true, rate }
}

/** One rate of several, those that are far from the others left out. */
export type Combined =
  | {
      ok: true
      rate: string
      /** Which of them it was made of, by their places. */
      used: readonly number[]
    }
  | { ok: false; problem: string }

/**
 * The median; with an even number the mean of the two in the middle. What is further than 10 % from the one in
 * the middle, or from the lower of two, is left out first. Where no more than half would be left, nobody can
 * tell who is right.
 *
 * @param rates one or more
 */
export function combineRates(rates: readonly string[]): Combined {
  const values = rates.map((rate) => new Exact(rate))
  const [middle] = middleOf(values)
  const used = values.flatMap((value, place) => (isNear(value, middle) ? [place] : []))
  if (used.length * 2 <= values.length) {
    return { ok: false, problem: `the sources disagree: ${rates.join(', ')}` }
  }
  const kept = median(values.filter((_, place) => used.includes(place)))
  return { ok: true, rate: formatDecimal(kept.decimalPlaces(rateDecimals, BigNumber.ROUND_DOWN)), used }
}

/** Why a rate cannot follow the last one, or what was expected; `null` when it can. */
export function leapProblem(rate: string, last: string | null): string | null {
  if (last === null) return null
  const [now, before] = [new Exact(rate), new Exact(last)]
  const isLeap = now.gte(before.times(maxLeap)) || now.times(maxLeap).lte(before)
  return isLeap ? `${rate} is ${maxLeap} times away from ${last}, or further` : null
}

function median(values: readonly BigNumber[]): BigNumber {
  const [lower, upper] = middleOf(values)
  return lower.plus(upper).dividedBy(2)
}

/** The lower and the upper one in the middle: the same one of an odd number. */
function middleOf(values: readonly BigNumber[]): [lower: BigNumber, upper: BigNumber] {
  const sorted = values.toSorted((a, b) => a.comparedTo(b) ?? 0)
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  const upper = sorted[Math.floor(sorted.length / 2)]
  if (lower === undefined || upper === undefined) throw new Error('Nothing has no middle.')
  return [lower, upper]
}

function isNear(value: BigNumber, middle: BigNumber): boolean {
  return value.minus(middle).abs().times(10_000).lte(middle.times(maxDistanceBps))
}

/** What a stranger's server sent, fit for an operator's terminal. */
function shown(text: string): string {
  const json = JSON.stringify(text)
  return json.length > 42 ? `${json.slice(0, 41)}…` : json
}
