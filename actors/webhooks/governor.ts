/**
 * How much may be sent where, now: pure bookkeeping for the webhook worker.
 *
 * A *lane* is one merchant's deliveries to one host. Lanes keep merchants independent: a receiver that fails or
 * hangs slows down its own lane only, also where merchants share a host.
 */
import { type AttemptOutcome, verdicts } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'

export const governorLimits = {
  /** Attempts under way at once, in all. */
  inFlight: 256,
  perMerchant: 32,
  perHost: 10,
  /** Less than the host's, so that one merchant never takes a shared host from another. */
  perLane: 8,
  /** Lanes that hang hold their places for long; together they leave the greater part to the others. */
  hanging: 64,
}

/** After so many time-outs in a row a lane hangs; after so many failures in a row its recovery leaves a backlog. */
const outageAttempts = 5

/** A failure that took so long costs as much as a time-out. */
const slowMs = 3000

/** A backlog is released in this time, or at `leastReleasesPerSecond` if that is quicker. */
const releaseMs = 500_000
const leastReleasesPerSecond = 100
const releaseBurst = 10

/** What is remembered of a lane. */
export interface LaneHealth {
  /** Failed attempts in a row. */
  failures: number
  /** Time-outs in a row, other slow failures included. */
  timeouts: number
  /** When its last attempt began: lanes that waited longest come first. */
  attemptedAt: Instant
  /** What was due by then is backlog, released at a bounded rate; what fell due since is sent at once. */
  backlogUntil: Instant
  /** When the next event of the backlog may be released. */
  releaseAt: Instant
}

/**
 * A lane that nothing is known of. Its first attempt goes alone, as if the one before had failed; what is due
 * already, for example after a restart, is backlog.
 */
export function newLane(at: Instant): LaneHealth {
  return { failures: 1, timeouts: 0, attemptedAt: 0, backlogUntil: at, releaseAt: at }
}

/**
 * Whether the lane's next attempt is a probe for all that wait in it: until its result no other is sent, or
 * counted. Each result lets the next one have its turn, the longest due first.
 */
export function isHanging(health: LaneHealth): boolean {
  return health.timeouts >= outageAttempts
}

/** The lane after an attempt in it. */
export function laneAfter(
  health: LaneHealth,
  { outcome, startedAt, endedAt }: { outcome: AttemptOutcome; startedAt: Instant; endedAt: Instant },
): LaneHealth {
  // These say nothing about the receiver.
  if (outcome === 'forbidden' || outcome === 'unknown') return health
  if (verdicts[outcome] === 'retry') {
    const isSlow = outcome === 'timeout' || endedAt - startedAt >= slowMs
    return { ...health, failures: health.failures + 1, timeouts: isSlow ? health.timeouts + 1 : 0 }
  }
  const isRecovery = health.failures >= outageAttempts
  const backlog = isRecovery ? { backlogUntil: endedAt, releaseAt: endedAt } : {}
  return { ...health, failures: 0, timeouts: 0, ...backlog }
}

/** How many attempts a lane may have under way at once. */
export function laneLimit(health: LaneHealth): number {
  return health.failures > 0 ? 1 : governorLimits.perLane
}

/** A lane with due events, as the worker found it. */
export interface LaneView {
  merchantId: string
  host: string
  health: LaneHealth
  inFlight: number
  /** Due events that wait, by whether they were due by `backlogUntil`; only those whose turn it is. */
  backlog: number
  fresh: number
}

/** How many of a lane's events may be sent now, the longest due first. */
export interface Allotment {
  lane: LaneView
  backlog: number
  fresh: number
}

/** What is under way already, in lanes with nothing due as well. */
export interface InFlight {
  total: number
  hanging: number
  byMerchant: ReadonlyMap<string, number>
  byHost: ReadonlyMap<string, number>
}

/**
 * Shares the free places among the lanes: merchants take turns, those with the least under way first, then
 * those whose last attempt is longest ago.
 */
export function allot(lanes: readonly LaneView[], inFlight: InFlight, now: Instant): Allotment[] {
  const places = new Places(inFlight)
  const wishes = lanes.map((lane) => wishOf(lane, now)).filter(({ backlog, fresh }) => backlog + fresh > 0)
  const turns = turnsOfMerchants(wishes, inFlight)
  const given = new Map<LaneView, Allotment>()
  let isProgress = true
  while (isProgress) {
    isProgress = false
    for (const ofMerchant of turns) {
      const wish = ofMerchant.find((it) => it.backlog + it.fresh > 0 && places.take(it.lane))
      if (!wish) continue
      isProgress = true
      const kind = wish.backlog > 0 ? 'backlog' : 'fresh'
      wish[kind]--
      const allotment = given.get(wish.lane) ?? { lane: wish.lane, backlog: 0, fresh: 0 }
      allotment[kind]++
      given.set(wish.lane, allotment)
    }
  }
  return [...given.values()]
}

/** The lane once what `allot` gave it is under way. */
export function laneSending({ lane, backlog }: Allotment, now: Instant): LaneHealth {
  const health = { ...lane.health, attemptedAt: now }
  if (backlog === 0) return health
  const interval = releaseIntervalMs(lane, now)
  // Unused time is good for one burst at the most.
  const from = Math.max(health.releaseAt, now - (releaseBurst - 1) * interval)
  return { ...health, releaseAt: from + backlog * interval }
}

/** When the next event of a lane's backlog is released, if only that keeps it; otherwise `null`. */
export function laneReleasesAt({ health, backlog, fresh }: LaneView, now: Instant): Instant | null {
  return backlog > 0 && fresh === 0 && health.releaseAt > now ? Math.ceil(health.releaseAt) : null
}

function releaseIntervalMs({ health, backlog }: LaneView, now: Instant): number {
  const leftMs = Math.max(1000, health.backlogUntil + releaseMs - now)
  return Math.min(1000 / leastReleasesPerSecond, leftMs / Math.max(1, backlog))
}

function releasable(lane: LaneView, now: Instant): number {
  const { releaseAt } = lane.health
  if (releaseAt > now) return 0
  return Math.min(releaseBurst, Math.floor((now - releaseAt) / releaseIntervalMs(lane, now)) + 1)
}

function wishOf(lane: LaneView, now: Instant): Allotment {
  const room = Math.max(0, laneLimit(lane.health) - lane.inFlight)
  const backlog = Math.min(room, lane.backlog, releasable(lane, now))
  return { lane, backlog, fresh: Math.min(room - backlog, lane.fresh) }
}

function turnsOfMerchants(wishes: Allotment[], inFlight: InFlight): Allotment[][] {
  const byMerchant = Map.groupBy(
    wishes.toSorted((a, b) => a.lane.health.attemptedAt - b.lane.health.attemptedAt),
    ({ lane }) => lane.merchantId,
  )
  const load = (merchantId: string) => inFlight.byMerchant.get(merchantId) ?? 0
  // The sort is stable, so among equals the one that waited longest comes first.
  return [...byMerchant].toSorted(([a], [b]) => load(a) - load(b)).map(([, ofMerchant]) => ofMerchant)
}

/** Free places, in all, to a host and of a merchant. */
class Places {
  #total: number
  #hanging: number
  readonly #byMerchant: Map<string, number>
  readonly #byHost: Map<string, number>

  constructor(inFlight: InFlight) {
    this.#total = inFlight.total
    this.#hanging = inFlight.hanging
    this.#byMerchant = new Map(inFlight.byMerchant)
    this.#byHost = new Map(inFlight.byHost)
  }

  /** Takes a place for one more attempt in a lane, if there is one. */
  take({ merchantId, host, health }: LaneView): boolean {
    const ofMerchant = this.#byMerchant.get(merchantId) ?? 0
    const ofHost = this.#byHost.get(host) ?? 0
    if (this.#total >= governorLimits.inFlight) return false
    if (ofMerchant >= governorLimits.perMerchant || ofHost >= governorLimits.perHost) return false
    if (isHanging(health)) {
      if (this.#hanging >= governorLimits.hanging) return false
      this.#hanging++
    }
    this.#total++
    this.#byMerchant.set(merchantId, ofMerchant + 1)
    this.#byHost.set(host, ofHost + 1)
    return true
  }
}
