/**
 * What may be sent where, now, and when what waits may follow. All of it is pure.
 *
 * A *lane* is one merchant's deliveries to one host. Lanes keep merchants independent: a receiver that fails or
 * hangs slows down its own lane only, also where merchants share a host.
 */
import { type AttemptOutcome, verdicts } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'

export const governorLimits = {
  /** Attempts under way at once, in all. */
  inFlight: 512,
  perMerchant: 32,
  perHost: 10,
  /** Less than the host's, so that one merchant never takes a shared host from another. */
  perLane: 8,
  /** A receiver that has proved quick bears so many times as much at once. */
  proven: 2,
  /** Lanes that hang hold their places for long; together they leave the greater part to the others. */
  hanging: 64,
}

/** After so many time-outs in a row a lane hangs; after so many failures in a row its recovery leaves a backlog. */
const outageAttempts = 5

/** A failure that took so long costs as much as a time-out. */
const slowMs = 3000

/** After so many answers in a row, each as quick as this, a receiver has proved quick. */
const provenAnswers = 64
const quickMs = 1000

/** A backlog is released in this time, or one every `usualReleaseMs` if that is quicker. */
const longestReleaseMs = 500_000
const usualReleaseMs = 10
const releaseBurst = 10

/** What is remembered of a lane. */
export interface LaneHealth {
  /** Failed attempts in a row. */
  failures: number
  /** Time-outs in a row, other slow failures included. */
  timeouts: number
  /** Quick answers in a row. */
  quick: number
  /** When its last attempt began: lanes that waited longest come first. */
  attemptedAt: Instant
  /** What was due by then is backlog, released at a bounded rate; what fell due since is sent at once. */
  backlogUntil: Instant
  /** When the next event of the backlog may be released. */
  releaseAt: Instant
  /** The time between two releases; `null` until the backlog has been counted. */
  releaseEveryMs: number | null
}

/**
 * A lane that nothing is known of. Its first attempt goes alone, as if the one before had failed; what is due
 * already, for example after a restart, is backlog.
 */
export function newLane(at: Instant): LaneHealth {
  const known = { failures: 1, timeouts: 0, quick: 0, attemptedAt: 0 }
  return { ...known, backlogUntil: at, releaseAt: at, releaseEveryMs: null }
}

/**
 * Whether the lane's next attempt is a probe for all that wait in it: until its result no other is sent, or
 * counted. Each result lets the next one have its turn, the longest due first.
 */
export function isHanging({ timeouts }: LaneHealth): boolean {
  return timeouts >= outageAttempts
}

/** The lane after an attempt in it. */
export function laneAfter(
  health: LaneHealth,
  { outcome, startedAt, endedAt }: { outcome: AttemptOutcome; startedAt: Instant; endedAt: Instant },
): LaneHealth {
  // These say nothing about the receiver.
  if (outcome === 'forbidden' || outcome === 'unknown') return health
  const tookMs = endedAt - startedAt
  if (verdicts[outcome] === 'retry') {
    const isSlow = outcome === 'timeout' || tookMs >= slowMs
    return { ...health, failures: health.failures + 1, timeouts: isSlow ? health.timeouts + 1 : 0, quick: 0 }
  }
  const quick = tookMs < quickMs ? health.quick + 1 : 0
  const isRecovery = health.failures >= outageAttempts
  const backlog = isRecovery ? { backlogUntil: endedAt, releaseAt: endedAt, releaseEveryMs: null } : {}
  return { ...health, failures: 0, timeouts: 0, quick, ...backlog }
}

/** The lane by a clock that may have been set back: nothing of it has happened in the future. */
export function laneBy(now: Instant, health: LaneHealth): LaneHealth {
  const { attemptedAt, backlogUntil, releaseAt } = health
  return {
    ...health,
    attemptedAt: Math.min(attemptedAt, now),
    backlogUntil: Math.min(backlogUntil, now),
    releaseAt: Math.min(releaseAt, now),
  }
}

/** The time between two releases of a backlog of so many. */
export function releaseEveryMs(backlog: number): number {
  return Math.min(usualReleaseMs, longestReleaseMs / Math.max(1, backlog))
}

export interface LaneView {
  merchantId: string
  host: string
  health: LaneHealth
  /** Attempts under way. */
  inFlight: number
  /** Due events whose turn it is, by whether they were due by `health.backlogUntil`. */
  backlog: { readonly length: number }
  fresh: { readonly length: number }
}

/** How many of a lane's events are sent now, the longest due first, and the lane once they are under way. */
export interface Allotment<Lane extends LaneView> {
  lane: Lane
  backlog: number
  fresh: number
  health: LaneHealth
}

/** How many more attempts the lane itself bears. */
export function roomIn({ health, inFlight }: Pick<LaneView, 'health' | 'inFlight'>): number {
  const { perLane, proven } = governorLimits
  const most = health.failures > 0 ? 1 : perLane * (hasProved(health) ? proven : 1)
  return Math.max(0, most - inFlight)
}

function hasProved({ quick }: LaneHealth): boolean {
  return quick >= provenAnswers
}

/** When the next event of a lane's backlog is released, if only that keeps it; otherwise `null`. */
export function laneReleasesAt({ health, backlog, fresh }: LaneView, now: Instant): Instant | null {
  return backlog.length > 0 && fresh.length === 0 && health.releaseAt > now
    ? Math.ceil(health.releaseAt)
    : null
}

/**
 * Shares the free places among the lanes: merchants take turns, those with the least under way first, then
 * those whose last attempt is longest ago.
 *
 * @param lanes where something may be sent
 * @param busy all that have attempts under way
 */
export function allot<Lane extends LaneView>(
  lanes: readonly Lane[],
  busy: Iterable<LaneView>,
  now: Instant,
): Allotment<Lane>[] {
  const places = new Places(busy)
  const wishes = lanes
    .toSorted((a, b) => a.health.attemptedAt - b.health.attemptedAt)
    .map((lane) => ({ lane, ...wishOf(lane, now), given: 0 }))
  // The sort is stable, so among equals the one that waited longest comes first.
  const turns = [...Map.groupBy(wishes, ({ lane }) => lane.merchantId)].toSorted(
    ([a], [b]) => places.of(a) - places.of(b),
  )
  for (let isProgress = true; isProgress; ) {
    isProgress = false
    for (const [, ofMerchant] of turns) {
      const next = ofMerchant.find(({ lane, given, wanted }) => given < wanted && places.take(lane))
      if (next === undefined) continue
      next.given++
      isProgress = true
    }
  }
  return wishes
    .filter(({ given }) => given > 0)
    .map(({ lane, releasable, given }) => {
      const backlog = Math.min(given, releasable)
      return { lane, backlog, fresh: given - backlog, health: laneSending(lane.health, backlog, now) }
    })
}

function wishOf(lane: LaneView, now: Instant): { releasable: number; wanted: number } {
  const { releaseAt, releaseEveryMs } = lane.health
  const accrued = Math.floor((now - releaseAt) / (releaseEveryMs ?? usualReleaseMs)) + 1
  const releasable = Math.min(lane.backlog.length, releaseBurst, Math.max(0, accrued))
  return { releasable, wanted: Math.min(roomIn(lane), releasable + lane.fresh.length) }
}

function laneSending(health: LaneHealth, backlog: number, now: Instant): LaneHealth {
  const everyMs = health.releaseEveryMs ?? usualReleaseMs
  // Unused time is good for one burst at the most.
  const from = Math.max(health.releaseAt, now - (releaseBurst - 1) * everyMs)
  return {
    ...health,
    attemptedAt: now,
    releaseAt: backlog === 0 ? health.releaseAt : from + backlog * everyMs,
  }
}

/** The places that are taken, in all, to a host and of a merchant. */
class Places {
  #total = 0
  #hanging = 0
  readonly #byMerchant = new Map<string, number>()
  readonly #byHost = new Map<string, number>()
  /** Where a receiver has proved quick. */
  readonly #proven = new Set<string>()

  constructor(busy: Iterable<LaneView>) {
    for (const lane of busy) this.#add(lane, lane.inFlight)
  }

  of(merchantId: string): number {
    return this.#byMerchant.get(merchantId) ?? 0
  }

  /** Takes a place for one more attempt in a lane, if there is one. */
  take(lane: LaneView): boolean {
    const { inFlight, hanging, perMerchant, perHost, proven } = governorLimits
    if (this.#total >= inFlight || this.of(lane.merchantId) >= perMerchant) return false
    // Of the host, whoever asks: what one merchant has there is less, so that another finds a place.
    const mostOfHost = this.#proven.has(lane.host) ? perHost * proven : perHost
    if ((this.#byHost.get(lane.host) ?? 0) >= mostOfHost) return false
    if (isHanging(lane.health) && this.#hanging >= hanging) return false
    this.#add(lane, 1)
    return true
  }

  #add({ merchantId, host, health }: LaneView, attempts: number): void {
    this.#total += attempts
    if (isHanging(health)) this.#hanging += attempts
    if (hasProved(health)) this.#proven.add(host)
    this.#byMerchant.set(merchantId, this.of(merchantId) + attempts)
    this.#byHost.set(host, (this.#byHost.get(host) ?? 0) + attempts)
  }
}
