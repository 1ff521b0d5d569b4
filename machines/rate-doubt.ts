/**
 * When a rate that sources tell is doubted: it is too far from what was accepted last, and no second source says the
 * same. Pure; decimals are exact texts.
 */
import BigNumber from 'bignumber.js'
import type { Instant } from './time.ts'

/** How far a rate may move where nothing else is said. */
export const usualMaxJumpPercent = 15

/** `rates.doubt_json`: what was told, until somebody agrees. */
export interface RateDoubt {
  rate: string
  /** When it was told. */
  at: Instant
  /** When the doubt began. */
  since: Instant
  /** What it was made of. */
  readingJson: string
}

/** What a rate is held against. */
export interface Accepted {
  /** `null` where none was. */
  last: string | null
  /** The one accepted at the beginning of the present hour, for one that creeps. */
  base: string | null
  baseAt: Instant | null
}

/** A source that moves a little each minute must not get further in an hour than in one leap. */
export const jumpWindowMs = 3_600_000

/** Why a rate is doubted; `null` when it is not. */
export function jumpProblem(
  rate: string,
  { last, base, baseAt }: Accepted,
  maxJumpPercent: number,
  now: Instant,
): string | null {
  if (last !== null && isBeyond(rate, last, maxJumpPercent)) {
    return `${rate} is ${percentBetween(rate, last)} % away from ${last}, the last one accepted; ${maxJumpPercent} % are allowed`
  }
  if (base === null || !isWithin(baseAt, now) || !isBeyond(rate, base, maxJumpPercent)) return null
  const moved = `${rate} is ${percentBetween(rate, base)} % away from ${base}, accepted less than an hour before`
  return `${moved}; ${maxJumpPercent} % are allowed`
}

/** What the next rates of the hour are held against, once a rate was accepted. */
export function nextBase(rate: string, accepted: Accepted, now: Instant): { base: string; baseAt: Instant } {
  const { base, baseAt } = accepted
  if (base !== null && baseAt !== null && isWithin(baseAt, now)) return { base, baseAt }
  return { base: rate, baseAt: now }
}

/** A time that lies ahead was written by a clock that was wrong. */
function isWithin(baseAt: Instant | null, now: Instant): boolean {
  return baseAt !== null && now >= baseAt && now - baseAt < jumpWindowMs
}

function isBeyond(rate: string, from: string, maxJumpPercent: number): boolean {
  const before = new BigNumber(from)
  return new BigNumber(rate).minus(before).abs().times(100).gt(before.times(maxJumpPercent))
}

/** With one decimal, rounded up: what is just beyond is not told as allowed. */
function percentBetween(rate: string, from: string): string {
  const Exact = BigNumber.clone({ DECIMAL_PLACES: 30 })
  const before = new Exact(from)
  const percent = new Exact(rate).minus(before).abs().times(100).dividedBy(before)
  return percent.decimalPlaces(1, BigNumber.ROUND_UP).toFixed()
}

export function writeDoubt(doubt: RateDoubt): string {
  return JSON.stringify(doubt)
}

/** Reads what `writeDoubt` wrote. */
export function readDoubt(json: string): RateDoubt {
  return JSON.parse(json)
}
