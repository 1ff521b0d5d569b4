/**
 * What the worker knows of its lanes: their health, what is under way, and a few orders of each whose webhooks
 * are due. All of it is a hint that can be read anew; the database decides at each claim.
 */
import type { Instant } from '../../machines/time.ts'
import { countDueInLane, dueInLane, type LaneKey } from '../../persistence/queries/webhooks.ts'
import type { Store } from '../../persistence/store.ts'
import {
  allot,
  governorLimits,
  isHanging,
  type LaneHealth,
  type LaneView,
  laneBy,
  laneReleasesAt,
  newLane,
  releaseEveryMs,
  roomIn,
} from './governor.ts'

/** Lanes are looked into one after the other; so many in one pass. */
const lanesPerPass = 64
/** More is only a number. */
const maxCounted = 100_000
const forgetAfterMs = 3_600_000
/** A lane that cannot be sent to for a reason on our side, or is paused, is tried again so much later. */
export const blockedMs = 60_000

/** What is known of a webhook that was due when it was read. */
export interface DueWebhook {
  id: string
  orderId: string
  /** The first of its order, and never tried: it is its turn. */
  isFirst: boolean
}

/** Due webhooks of a lane that were read, the longest due first, one of each order. */
class DueQueue {
  ready: DueWebhook[] = []
  /** There may be others in the database. */
  hasMore = true

  get length(): number {
    return this.ready.length
  }
}

export class Lane implements LaneView {
  readonly merchantId: string
  readonly host: string
  health: LaneHealth
  /** Claims being made, and attempts under way. */
  inFlight = 0
  /** Nothing is sent before. */
  blockedUntil: Instant = 0
  /** What was due by `health.backlogUntil`, and what fell due since. */
  backlog = new DueQueue()
  fresh = new DueQueue()

  constructor({ merchantId, host }: LaneKey, now: Instant) {
    this.merchantId = merchantId
    this.host = host
    this.health = newLane(now)
  }

  get isReady(): boolean {
    return this.backlog.length + this.fresh.length > 0 && roomIn(this) > 0
  }

  /** It could send more than was read. */
  get isShort(): boolean {
    const room = roomIn(this)
    return [this.backlog, this.fresh].some((queue) => queue.hasMore && queue.length < room)
  }

  get isIdle(): boolean {
    const isEmpty = [this.backlog, this.fresh].every((queue) => queue.length === 0 && !queue.hasMore)
    return isEmpty && this.inFlight === 0
  }

  /** Due times have changed: what was read of them is void. */
  forget(): void {
    this.backlog = new DueQueue()
    this.fresh = new DueQueue()
  }

  block(now: Instant): void {
    this.blockedUntil = now + blockedMs
    this.forget()
  }
}

/** A place that was given to the order of a webhook that is due. */
export interface Place {
  lane: Lane
  due: DueWebhook
}

export class Lanes {
  readonly #store: Store
  readonly #lanes = new Map<string, Lane>()
  /** Those that have attempts under way, or may have something due; the longest not looked into first. */
  readonly #active = new Set<Lane>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Something of it has fallen due. */
  mark({ merchantId, host }: LaneKey, now: Instant): void {
    const key = `${merchantId} ${host}`
    const lane = this.#lanes.get(key) ?? new Lane({ merchantId, host }, now)
    this.#lanes.set(key, lane)
    lane.fresh.hasMore = true
    this.#active.add(lane)
  }

  unblock(): void {
    for (const lane of this.#active) lane.blockedUntil = 0
  }

  /** Reads what is due in lanes that have room. @returns whether there are more such lanes. */
  async fill(now: Instant): Promise<boolean> {
    let looked = 0
    for (const lane of [...this.#active]) {
      if (lane.isIdle) this.#active.delete(lane)
      if (!lane.isShort || lane.blockedUntil > now) continue
      if (looked++ === lanesPerPass) return true
      this.#active.delete(lane)
      this.#active.add(lane)
      await this.#read(lane, now)
    }
    return false
  }

  /** Gives out the places that are free. */
  take(now: Instant): Place[] {
    const active = [...this.#active]
    const ready = active.filter((lane) => lane.isReady && lane.blockedUntil <= now)
    return allot(ready, active, now).flatMap(({ lane, backlog, fresh, health }) => {
      lane.health = health
      lane.inFlight += backlog + fresh
      const taken = [...lane.fresh.ready.splice(0, fresh), ...lane.backlog.ready.splice(0, backlog)]
      return taken.map((due) => ({ lane, due }))
    })
  }

  /** When a lane may go on that only time keeps; `null` when there is none. */
  nextAt(now: Instant): Instant | null {
    let next = Number.POSITIVE_INFINITY
    for (const lane of this.#active) {
      if (lane.blockedUntil > now) next = Math.min(next, lane.blockedUntil)
      else if (lane.isReady) next = Math.min(next, laneReleasesAt(lane, now) ?? next)
    }
    return Number.isFinite(next) ? next : null
  }

  /** Lets go of lanes in which nothing has happened for long, and of times that a clock set back has made future. */
  keepWithin(now: Instant): void {
    for (const [key, lane] of this.#lanes) {
      if (!this.#active.has(lane) && lane.health.attemptedAt < now - forgetAfterMs) this.#lanes.delete(key)
      lane.blockedUntil = Math.min(lane.blockedUntil, now + blockedMs)
      lane.health = laneBy(now, lane.health)
    }
  }

  get seen(): Readonly<Record<string, number>> {
    const active = [...this.#active]
    return {
      inFlight: active.reduce((sum, { inFlight }) => sum + inFlight, 0),
      lanesActive: active.length,
      lanesHanging: [...this.#lanes.values()].filter(({ health }) => isHanging(health)).length,
    }
  }

  async #read(lane: Lane, now: Instant): Promise<void> {
    const { merchantId, host } = lane
    const until = Math.min(now, lane.health.backlogUntil)
    if (lane.health.releaseEveryMs === null) {
      const asked = { merchantId, host, until, limit: maxCounted }
      const [counted] = await this.#store.query(countDueInLane, asked)
      lane.health = { ...lane.health, releaseEveryMs: releaseEveryMs(counted?.webhooks ?? 0) }
    }
    if (lane.backlog.hasMore) await this.#fill(lane, lane.backlog, -1, until)
    // Without a backlog nothing may be left behind, whatever the clock has done.
    if (lane.fresh.hasMore) await this.#fill(lane, lane.fresh, lane.backlog.length > 0 ? until : -1, now)
  }

  async #fill({ merchantId, host }: Lane, queue: DueQueue, after: Instant, until: Instant): Promise<void> {
    const limit = governorLimits.perLane * governorLimits.proven
    const found = await this.#store.query(dueInLane, { merchantId, host, after, until, limit })
    const byOrder = new Map<string, DueWebhook>()
    for (const { id, order_id, sequence, attempts } of found) {
      const isFirst = sequence === 1 && attempts === 0
      if (!byOrder.has(order_id)) byOrder.set(order_id, { id, orderId: order_id, isFirst })
    }
    queue.ready = [...byOrder.values()]
    queue.hasMore = found.length === limit || queue.ready.length < found.length
  }
}
