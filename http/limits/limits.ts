/** What one caller may ask of the node, so that there is something left for the others (protocol 8). */

import type { Usage } from '../../actors/parties/code-budgets.ts'
import type { Instant } from '../../machines/time.ts'
import { answerRefusal, type HttpAnswer } from '../foundation/errors.ts'
import { createPacing } from './pacing.ts'
import { createRecent } from './recent.ts'
import { createTurns } from './turns.ts'
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
  /** Whether an address has used up its budget of refused signatures; nothing is counted. */
  hasRefused(address: string, now: Instant): boolean
  /** Notes that a key has signed rightly from an address; for a moment strangers have a small share then. */
  accept(address: string, key: string, now: Instant): void
  /** Whether it has of late: nobody can claim that who has not its secret and its address. */
  isAccepted(address: string, key: string, now: Instant): boolean
  /** Notes that somebody was shown an order: its id is a secret of its parties, so whoever names it is one of them. */
  noteOrder(id: string, now: Instant): void
  /** Counts a request that names an order; `false` where it is not noted, or was asked for too often this minute. */
  ofOrder(id: string, now: Instant): boolean
  /** Whether an address has sent a signature within the minute that was refused. */
  isDoubted(address: string, now: Instant): boolean
  /**
   * Counts one more of all strangers, whatever their addresses.
   * @param isTaken at its word: then it has not to wait because of signed requests beside it
   * @returns whether it has to wait for a turn of all
   */
  strangerOfAll(now: Instant, isTaken: boolean): boolean
  /** Resolves when one more of all strangers is served, an address after another. */
  turnOfAll(address: string, isWanted: () => boolean): Promise<void>
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
/** What all strangers together are served in a second, before the next of them wait for turns. */
const strangersPerSecond = 500
/**
 * And for as long after a request that was signed rightly they are served no more than so many: each takes a millisecond
 * or two, so that together they take less than a tenth of the node's thread from who has signed.
 */
const signedWorkMs = 1_000
const strangersPerSecondBeside = 20
/** A page with its stream and what its wallet asks, looked at again and again; nobody needs more of one order. */
const perOrder = 30
const maxOrders = 50_000
const orderMs = 3_600_000
/** How long a key goes straight in from an address after it has signed rightly from there, and how many such pairs. */
const acceptedMs = 600_000
const maxAccepted = 10_000

export function createLimits(settings: LimitSettings): Limits {
  const keys = createWindows({ windowMs: minuteMs, maxKeys })
  const refusals = createWindows({ windowMs: minuteMs, maxKeys })
  const addresses = createWindows({ windowMs: minuteMs, maxKeys: maxAddresses })
  const strangers = createWindows({ windowMs: minuteMs, maxKeys: maxAddresses })
  const all = createWindows({ windowMs: 1_000, maxKeys: 1 })
  let signedAt = Number.NEGATIVE_INFINITY
  const isBesideSigned = () => performance.now() - signedAt < signedWorkMs
  const turns = createTurns(() => 1_000 / (isBesideSigned() ? strangersPerSecondBeside : strangersPerSecond))
  const orders = createRecent({ forMs: orderMs, maxKeys: maxOrders })
  const ofOrders = createWindows({ windowMs: minuteMs, maxKeys: maxOrders })
  const accepted = createRecent({ forMs: acceptedMs, maxKeys: maxAccepted })
  return {
    hasRefused: (address, now) => addresses.look(address, settings.unauthenticatedPerMinute, now).isOver,
    accept(address, key, now) {
      signedAt = performance.now()
      accepted.note(`${address} ${key}`, now)
    },
    isAccepted: (address, key, now) => accepted.has(`${address} ${key}`, now),
    noteOrder: (id, now) => orders.note(id, now),
    ofOrder: (id, now) => orders.has(id, now) && !ofOrders.count(id, perOrder, now).isOver,
    isDoubted: (address, now) => addresses.look(address, 1, now).isOver,
    strangerOfAll: (now, isTaken) =>
      all.count('all', strangersPerSecond, now).isOver || (!isTaken && isBesideSigned()),
    turnOfAll: turns.take,
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
 * Both families: the three fields of draft-ietf-httpapi-ratelimit-headers up to 07, which clients know, and the two
 * structured ones since 08, which name their policy.
 */
export function rateLimitHeaders({ limit, remaining, resetMs, windowMs }: Usage): Record<string, string> {
  const resetSeconds = Math.ceil(resetMs / 1000)
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `"requests";q=${limit};w=${windowMs / 1000}`,
    RateLimit: `"requests";r=${remaining};t=${resetSeconds}`,
  }
}

/** 429 with when to come back. */
export function throttledAnswer(usage: Usage): HttpAnswer {
  const wait = Math.max(Math.ceil(usage.resetMs / 1000), 1)
  const answer = answerRefusal({ name: 'throttled', values: { wait } })
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(usage) } }
}
