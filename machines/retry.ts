/**
 * The two retry schedules of webhook deliveries (part 6 of the specification, rule 3; part 2 of the design).
 */

export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  maxAttempts: number
  maxGapMs: number
  /** An event is given up this long after its first attempt, however few attempts were made. */
  maxAgeMs: number
}

/** 600 attempts, gaps min(600, 2^n) s: 354,423 s, about 4.1 days. */
export const productionRetries: RetryPolicy = { maxAttempts: 600, maxGapMs: 600_000, maxAgeMs: 354_423_000 }

/** 3 attempts, gaps of 1 s and 2 s. */
export const sandboxRetries: RetryPolicy = { maxAttempts: 3, maxGapMs: 600_000, maxAgeMs: 354_423_000 }

/** The gap after the `attempts`-th attempt (1 = the first), before jitter. */
export function gapMs(policy: RetryPolicy, attempts: number): number {
  return Math.min(policy.maxGapMs, 1000 * 2 ** Math.min(attempts - 1, 30))
}
