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
  nextDueAt,
} from '../../persistence/queries/webhooks.ts'
import type { Store } from '../../persistence/store.ts'
import type { Lanes } from './lanes.ts'

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

  /** Begins a walk when it is time for one, and puts right what the clock has done to due times. */
  async beginWalk(): Promise<void> {
    if (this.#walkAt > this.now()) return
    const step = await this.#store.step({ rows: {}, decide: (_, at) => ({ answer: at, writes: [] }) })
    const stepAheadMs = step.outcome === 'committed' ? step.at - this.#clock.now() : 0
    this.#aheadMs = stepAheadMs > 0 ? Math.max(stepAheadMs, this.#aheadMs) : 0
    const now = this.now()
    this.#walkAt = now + walkEveryMs
    this.#walkedTo = beforeAllLanes
    this.#lanes.keepWithin(now)
    await this.#store.execute(bringForward, { latest: now + latestDueMs, now, limit: duePerLook })
  }

  /** Marks lanes in which something is due. @returns whether there is more to look at. */
  async look(now: Instant): Promise<boolean> {
    const from = Math.min(this.#lookedUntil ?? now, now) - overlapMs[this.#store.engine]
    const fallen = await this.#store.query(lanesFallenDue, { from, to: now, limit: duePerLook })
    for (const { merchant_id, host } of fallen) this.#lanes.mark({ merchantId: merchant_id, host }, now)
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

  async #walk(now: Instant): Promise<boolean> {
    for (let count = 0; this.#walkedTo !== null; count++) {
      if (count === lanesPerPass) return true
      const [lane] = await this.#store.query(laneAfterLane, this.#walkedTo)
      this.#walkedTo = lane ? { merchantId: lane.merchant_id, host: lane.host } : null
      if (lane && this.#walkedTo && lane.due_at <= now) this.#lanes.mark(this.#walkedTo, now)
    }
    return false
  }
}
