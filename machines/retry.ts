/**
 * The back-off of webhooks: when one is tried again, and when no more (protocol 6.3). Nothing here reads a clock or
 * throws dice: times and the random number are arguments.
 */
import type { Instant } from './time.ts'

export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  maxAttempts: number
  maxGapMs: number
  /** A receiver's Retry-After may lengthen a gap, up to `maxGapMs`. */
  heedsRetryAfter: boolean
  /**
   * An event is given up this long after its first attempt, however few attempts were made. `Infinity` while
   * the clock is in doubt: a clock that jumped must not end any merchant's deliveries.
   */
  maxAgeMs: number
}

/** 600 attempts, gaps min(600, 2^(n − 1)) s after the n-th: 354,423 s, about 4.1 days. */
export const productionRetries: RetryPolicy = {
  maxAttempts: 600,
  maxGapMs: 600_000,
  heedsRetryAfter: true,
  maxAgeMs: 354_423_000,
}

/** 3 attempts, gaps of 1 s and 2 s, whatever the receiver asks for: who tries the node out does not wait. */
export const sandboxRetries: RetryPolicy = {
  maxAttempts: 3,
  maxGapMs: 600_000,
  heedsRetryAfter: false,
  maxAgeMs: 354_423_000,
}

/** How an attempt ended. */
export type AttemptOutcome =
  /** 200 or 201. */
  | 'acknowledged'
  /** 5xx, 408 or 429. */
  | 'unavailable'
  /** Any other status. */
  | 'refused'
  /** A limit passed: of the name's resolution, of the connection, or of the whole attempt. */
  | 'timeout'
  | 'connection'
  | 'dns'
  | 'tls'
  /** The target is not a public one; nothing was sent. */
  | 'forbidden'
  /** The node stopped meanwhile: the merchant may have received it or not. */
  | 'unknown'

/** What follows from an outcome. */
export type Verdict = 'delivered' | 'retry' | 'dead'

/** Only what may pass by itself is tried again; everything else is a dead letter after that one attempt. */
export const verdicts: Readonly<Record<AttemptOutcome, Verdict>> = {
  acknowledged: 'delivered',
  unavailable: 'retry',
  refused: 'dead',
  timeout: 'retry',
  connection: 'retry',
  dns: 'retry',
  tls: 'retry',
  forbidden: 'dead',
  unknown: 'retry',
}

/** Judges an HTTP status: 200 and 201 acknowledge, 202 and 204 do not. */
export function judgeStatus(status: number): 'acknowledged' | 'unavailable' | 'refused' {
  if (status === 200 || status === 201) return 'acknowledged'
  if ((status >= 500 && status <= 599) || status === 408 || status === 429) return 'unavailable'
  return 'refused'
}

/** The gap after the `attempts`-th attempt (1 = the first), before jitter. */
export function gapMs(policy: RetryPolicy, attempts: number): number {
  return Math.min(policy.maxGapMs, 1000 * 2 ** Math.min(attempts - 1, 30))
}

/** An attempt that ended and is to be followed by another. */
export interface EndedAttempt {
  /** Which one it was: 1 = the first. */
  attempts: number
  firstAttemptAt: Instant
  startedAt: Instant
  endedAt: Instant
  /** The answer's Retry-After header as it came. */
  retryAfter: string | null
}

/**
 * When the next attempt is due, or `null` when the event is given up.
 *
 * Jitter shortens the gap to 0.9 to 1.0 of itself, so that no gap is ever longer than protocol 6.3 has it.
 * Retry-After lengthens it where the policy heeds it, to `maxGapMs` at most. The gap begins with the attempt's
 * end, but never reaches further than `maxGapMs` from its start. A last attempt is made when the event's time
 * runs out.
 *
 * @param random from 0 to 1
 */
export function nextAttemptAt(policy: RetryPolicy, ended: EndedAttempt, random: number): Instant | null {
  const { attempts, firstAttemptAt, startedAt, endedAt } = ended
  const deadline = firstAttemptAt + policy.maxAgeMs
  if (attempts >= policy.maxAttempts || endedAt >= deadline) return null
  const gap = Math.round(gapMs(policy, attempts) * (1 - 0.1 * random))
  const isAsked = policy.heedsRetryAfter && ended.retryAfter !== null
  const wished = isAsked ? (retryAfterMs(ended.retryAfter ?? '', endedAt) ?? 0) : 0
  const wait = Math.min(policy.maxGapMs, Math.max(gap, wished))
  const due = Math.min(endedAt + wait, startedAt + policy.maxGapMs, deadline)
  return Math.max(due, endedAt)
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sun, 06 Nov 1994 08:49:37 GMT`, and the older `Sunday, 06-Nov-94 08:49:37 GMT`. */
const dayFirst = /^[A-Za-z]+, (\d{2})[ -]([A-Za-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
/** `Sun Nov  6 08:49:37 1994`, the oldest form; it is UTC too. */
const monthFirst = /^[A-Za-z]{3} ([A-Za-z]{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/**
 * Reads a Retry-After header: whole seconds, or a date in any of the three forms of RFC 9110, part 5.6.7.
 * Milliseconds from `now`, negative for a date that has passed; `null` for anything else.
 */
export function retryAfterMs(text: string, now: Instant): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const modern = dayFirst.exec(text)
  if (modern) {
    const [, day, month, year = '', hour, minute, second] = modern
    // Two digits are of this century: the header tells of the near future.
    return untilDate([year.length === 2 ? `20${year}` : year, month, day, hour, minute, second], now)
  }
  const oldest = monthFirst.exec(text)
  if (!oldest) return null
  const [, month, day, hour, minute, second, year] = oldest
  return untilDate([year, month, day, hour, minute, second], now)
}

function untilDate(fields: (string | undefined)[], now: Instant): number | null {
  const [year, month = '', day, hour, minute, second] = fields
  const monthIndex = monthNames.indexOf(month)
  if (monthIndex < 0) return null
  return Date.UTC(Number(year), monthIndex, Number(day), Number(hour), Number(minute), Number(second)) - now
}
