/**
 * Notices what falls due, in which lane: by the due times that have passed since the last look, and now and
 * then by a walk through all lanes, which also finds what a clock that jumped has hidden.
 */
import type { Instant } from '../../machines/time.ts'
import {
  bringForward,
  type LaneKey,
  laneAfterLane,
  lanesFallenDue,
  leasedUntil,
  nextDueAt,
  pausedMerchants,
} from '../../persistence/queries/webhooks.ts'
import type { Store } from '../../persistence/store.ts'
import { governorLimits } from './governor.ts'
import type { Lanes } from './lanes.ts'
import type { OpenAttempt } from './settling.ts'

const walkEveryMs = 30_000
const lanesPerPass = 200
const duePerLook = 1000
/** No webhook is ever due later than this from now: retries are at most ten minutes apart. */
const latestDueMs = 660_000
/** Commits of other nodes become visible in another order than that of their times. */
const overlapMs = { sqlite: 0, postgres: 2000 }

const beforeAllLanes: LaneKey = { merchantId: '', host: '' }

export class DueWatch {
  readonly #store: Store
  readonly #lanes: Lanes
  readonly #clock: { now(): Instant }
  /** How far the time of steps is ahead of the clock, which somebody has set back. */
  #aheadMs = 0
  #clockAt: Instant = Number.NEGATIVE_INFINITY
  #lookedUntil: Instant | null = null
  /** The lane the walk has come to; `null` between two walks. */
  #walkedTo: LaneKey | null = beforeAllLanes
  #walkAt: Instant = Number.NEGATIVE_INFINITY
  #arePausesKnown = false

  constructor(store: Store, lanes: Lanes, clock: { now(): Instant }) {
    this.#store = store
    this.#lanes = lanes
    this.#clock = clock
  }

  /**
   * The time by which webhooks are due. Due times are those of steps, which stand still when the clock is set back:
   * here time goes on from there, until steps follow the clock again.
   */
  now(): Instant {
    const at = this.#clock.now()
    if (at < this.#clockAt) {
      this.#aheadMs += this.#clockAt - at
      this.#walkAt = Number.NEGATIVE_INFINITY
    }
    this.#clockAt = at
    return at + this.#aheadMs
  }

  /** An operator has paused or resumed a merchant. */
  forgetPauses(): void {
    this.#arePausesKnown = false
  }

  /** Begins a walk when it is time for one, and puts right what the clock has done to due times. */
  async beginWalk(): Promise<boolean> {
    if (this.#walkAt > this.now()) return false
    const step = await this.#store.step({ rows: {}, decide: (_, at) => ({ answer: at, writes: [] }) })
    const stepAheadMs = step.outcome === 'committed' ? step.at - this.#clock.now() : 0
    this.#aheadMs = stepAheadMs > 0 ? Math.max(stepAheadMs, this.#aheadMs) : 0
    const now = this.now()
    this.#walkAt = now + walkEveryMs
    this.#walkedTo = beforeAllLanes
    this.#arePausesKnown = false
    this.#lanes.keepWithin(now)
    await this.#store.execute(bringForward, { latest: now + latestDueMs, now, limit: duePerLook })
    return true
  }

  /** Marks lanes in which something is due. @returns whether there is more to look at. */
  async look(now: Instant): Promise<boolean> {
    if (!this.#arePausesKnown) {
      const paused = await this.#store.query(pausedMerchants, {})
      this.#lanes.pause(paused.map(({ id }) => id))
      this.#arePausesKnown = true
    }
    const from = Math.min(this.#lookedUntil ?? now, now) - overlapMs[this.#store.engine]
    const fallen = await this.#store.query(lanesFallenDue, { from, to: now, limit: duePerLook })
    for (const { merchant_id, host } of fallen) this.#lanes.mark(merchant_id, host, now)
    const looked = fallen.reduce((sum, { webhooks }) => sum + webhooks, 0)
    // Rather through the lanes than through all of it.
    if (looked === duePerLook) this.#walkedTo = beforeAllLanes
    this.#lookedUntil = now
    return this.#walk(now)
  }

  async nextAt(now: Instant): Promise<Instant | null> {
    const [next] = await this.#store.query(nextDueAt, { now })
    return next?.due_at ?? null
  }

  /** Attempts whose lease ends by then; all that were begun for `null`. */
  async leasedUntil(until: Instant | null): Promise<OpenAttempt[]> {
    const found = await this.#store.query(leasedUntil, {
      until: until ?? Number.MAX_SAFE_INTEGER,
      limit: governorLimits.inFlight * 4,
    })
    return found.map((webhook) => ({
      webhookId: webhook.id,
      orderId: webhook.order_id,
      merchantId: webhook.merchant_id,
      attempt: webhook.attempts,
      startedAt: webhook.last_attempt_at ?? 0,
      leaseUntilAt: webhook.lease_until_at ?? 0,
      attemptsBefore: webhook.attempts_before,
      isAlone: false,
    }))
  }

  async #walk(now: Instant): Promise<boolean> {
    for (let count = 0; this.#walkedTo !== null; count++) {
      if (count === lanesPerPass) return true
      const [lane] = await this.#store.query(laneAfterLane, this.#walkedTo)
      this.#walkedTo = lane ? { merchantId: lane.merchant_id, host: lane.host } : null
      if (lane && lane.due_at <= now) this.#lanes.mark(lane.merchant_id, lane.host, now)
    }
    return false
  }
}
