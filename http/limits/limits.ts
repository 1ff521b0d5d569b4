/** What one caller may ask of the node, so that there is something left for the others (protocol 8). */

import type { Usage } from '../../actors/parties/code-budgets.ts'
import type { Instant } from '../../machines/time.ts'
import { answerRefusal, type HttpAnswer } from '../foundation/errors.ts'
import { createPacing } from './pacing.ts'
import { createWindows } from './windows.ts'

export interface LimitSettings {
  requestsPerMinute: number
  unauthenticatedPerMinute: number
}

export interface Limits {
  /** Counts a signed request of a key; a party may have its own limit. */
  request(identity: { key: string; requestsPerMinute: number | null }, now: Instant): Usage
  /** Counts a refusal that is kept although its key is over its limit: as many are kept as it has requests. */
  refusalBeyond(identity: { key: string; requestsPerMinute: number | null }, now: Instant): Usage
  /** Counts a refused signature from an address. What is signed rightly is never counted there. */
  refusedSignature(address: string, now: Instant): Usage
  /** Counts what does not even claim to be signed; beyond the same budget it waits for turns (see `strangers.ts`). */
  stranger(address: string, now: Instant): Usage
  /**
   * Resolves when an address that is over one of these budgets is served: one request after another, so that however many
   * connections it has, it cannot take the node's time from others.
   */
  turnToBeTold(address: string): Promise<void>
}

const minuteMs = 60_000
/** Keys are those of registered parties; addresses are anybody's. */
const maxKeys = 10_000
const maxAddresses = 50_000
/** A hundred answers a second for whoever sends nothing right. */
const toldEveryMs = 10

export function createLimits(settings: LimitSettings): Limits {
  const keys = createWindows({ windowMs: minuteMs, maxKeys })
  const refusals = createWindows({ windowMs: minuteMs, maxKeys })
  const addresses = createWindows({ windowMs: minuteMs, maxKeys: maxAddresses })
  const strangers = createWindows({ windowMs: minuteMs, maxKeys: maxAddresses })
  return {
    request: ({ key, requestsPerMinute }, now) =>
      keys.count(key, requestsPerMinute ?? settings.requestsPerMinute, now),
    refusalBeyond: ({ key, requestsPerMinute }, now) =>
      refusals.count(key, requestsPerMinute ?? settings.requestsPerMinute, now),
    refusedSignature: (address, now) => addresses.count(address, settings.unauthenticatedPerMinute, now),
    stranger: (address, now) => strangers.count(address, settings.unauthenticatedPerMinute, now),
    turnToBeTold: createPacing({ gapMs: toldEveryMs, maxKeys: maxAddresses }),
  }
}

/**
 * The three fields that clients know; later drafts of the same standard (`RateLimit-Policy`, `RateLimit`) can be
 * added beside them.
 */
export function rateLimitHeaders({ limit, remaining, resetMs }: Usage): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
  }
}

/** 429 with when to come back. */
export function throttledAnswer(usage: Usage): HttpAnswer {
  const wait = Math.max(Math.ceil(usage.resetMs / 1000), 1)
  const answer = answerRefusal({ name: 'throttled', values: { wait } })
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(usage) } }
}
