/**
 * What the worker knows of its lanes: their health, what is under way, and a few orders of each whose webhooks
 * are due. All of it is a hint that can be read anew; the database decides at each claim.
 */
import type { Instant } from '../../machines/time.ts'
import { countDueInLane, dueInLane } from '../../persistence/queries/webhooks.ts'
import type { Store } from '../../persistence/store.ts'
import {
  type Allotment,
  governorLimits,
  type InFlight,
  isHanging,
  type LaneHealth,
  type LaneView,
  laneLimit,
  laneReleasesAt,
  laneSending,
  newLane,
} from './governor.ts'

/** Lanes are looked into one after the other; so many in one pass. */
const lanesPerPass = 64
/** More is only a number: how fast a backlog is released does not depend on it any more. */
const maxCounted = 100_000
const forgetAfterMs = 3_600_000
/** A lane that cannot be sent to for a reason on our side is tried again so much later. */
export const blockedMs = 60_000

/** What is known of a webhook that was due when it was read. */
export interface DueWebhook {
  id: string
  orderId: string
  /** The first of its order, and never tried: it is its turn. */
  isFirst: boolean
}

export class Lane {
  readonly merchantId: string
  readonly host: string
  health: LaneHealth
  /** Claims being made, and attempts under way. */
  inFlight = 0
  /** There may be webhooks that fell due since `health.backlogUntil`, besides those of `ready`. */
  isDue = false
  /** About how many of those due by then wait; `null` when that is to be counted. */
  backlog: number | null = null
  /** There are more of them than those of `ready`. */
  hasMoreBacklog = true
  /** Nothing is sent before. */
  blockedUntil: Instant = 0
  /** The longest due first, one of each order. */
  ready: { backlog: DueWebhook[]; fresh: DueWebhook[] } = { backlog: [], fresh: [] }

  constructor(merchantId: string, host: string, now: Instant) {
    this.merchantId = merchantId
    this.host = host
    this.health = newLane(now)
  }

  get room(): number {
    return Math.max(0, laneLimit(this.health) - this.inFlight)
  }

  /** It could send more than was read. */
  get isShort(): boolean {
    const { ready, room } = this
    return (this.isDue && ready.fresh.length < room) || (this.hasMoreBacklog && ready.backlog.length < room)
  }

  get hasReady(): boolean {
    return this.ready.backlog.length > 0 || this.ready.fresh.length > 0
  }

  /** Due times have changed: what was read of them is void. */
  forget(): void {
    this.isDue = true
    this.hasMoreBacklog = true
    this.ready = { backlog: [], fresh: [] }
  }

  /** What is due by now is released at a bounded rate from now on. */
  beginBacklog(): void {
    this.forget()
    this.backlog = null
  }

  view(): LaneView {
    const { merchantId, host, health, inFlight, ready } = this
    const backlog = ready.backlog.length === 0 ? 0 : Math.max(this.backlog ?? 0, ready.backlog.length)
    return { merchantId, host, health, inFlight, backlog, fresh: ready.fresh.length }
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
  /** Those that may have something due, the longest not looked into first. */
  readonly #active = new Set<Lane>()
  readonly #busy = new Set<Lane>()
  #paused: ReadonlySet<string> = new Set()

  constructor(store: Store) {
    this.#store = store
  }

  /** Something of it has fallen due. */
  mark(merchantId: string, host: string, now: Instant): void {
    const key = `${merchantId} ${host}`
    const lane = this.#lanes.get(key) ?? new Lane(merchantId, host, now)
    this.#lanes.set(key, lane)
    lane.isDue = true
    this.#active.add(lane)
  }

  /** The lane changed while it was out of sight. */
  wake(lane: Lane): void {
    lane.forget()
    this.#active.add(lane)
  }

  pause(merchantIds: Iterable<string>): void {
    this.#paused = new Set(merchantIds)
  }

  pauseAlso(merchantId: string): void {
    this.#paused = new Set([...this.#paused, merchantId])
  }

  unblock(): void {
    for (const lane of this.#active) lane.blockedUntil = 0
  }

  /** Reads what is due in lanes that have room. @returns whether there are more such lanes. */
  async fill(now: Instant): Promise<boolean> {
    let looked = 0
    for (const lane of [...this.#active]) {
      if (!lane.isDue && !lane.hasMoreBacklog && !lane.hasReady) this.#active.delete(lane)
      if (!lane.isShort || !this.#isOpen(lane, now)) continue
      if (looked === lanesPerPass) return true
      looked++
      this.#active.delete(lane)
      this.#active.add(lane)
      await this.#look(lane, now)
    }
    return false
  }

  views(now: Instant): Map<LaneView, Lane> {
    const views = new Map<LaneView, Lane>()
    for (const lane of this.#active)
      if (lane.hasReady && lane.room > 0 && this.#isOpen(lane, now)) views.set(lane.view(), lane)
    return views
  }

  /** Gives a lane what it was allotted. */
  take(lane: Lane, allotment: Allotment, now: Instant): Place[] {
    lane.health = laneSending(allotment, now)
    lane.backlog = Math.max(0, (lane.backlog ?? 0) - allotment.backlog)
    const taken = [
      ...lane.ready.fresh.splice(0, allotment.fresh),
      ...lane.ready.backlog.splice(0, allotment.backlog),
    ]
    lane.inFlight += taken.length
    this.#busy.add(lane)
    return taken.map((due) => ({ lane, due }))
  }

  free(lane: Lane): void {
    lane.inFlight--
    if (lane.inFlight === 0) this.#busy.delete(lane)
  }

  inFlight(): InFlight {
    const byMerchant = new Map<string, number>()
    const byHost = new Map<string, number>()
    let [total, hanging] = [0, 0]
    for (const { merchantId, host, health, inFlight } of this.#busy) {
      total += inFlight
      if (isHanging(health)) hanging += inFlight
      byMerchant.set(merchantId, (byMerchant.get(merchantId) ?? 0) + inFlight)
      byHost.set(host, (byHost.get(host) ?? 0) + inFlight)
    }
    return { total, hanging, byMerchant, byHost }
  }

  /** When a lane may go on that only time keeps; `null` when there is none. */
  nextAt(now: Instant): Instant | null {
    let next = Number.POSITIVE_INFINITY
    for (const lane of this.#active) {
      if (lane.blockedUntil > now) next = Math.min(next, lane.blockedUntil)
      else if (lane.hasReady && lane.room > 0 && this.#isOpen(lane, now))
        next = Math.min(next, laneReleasesAt(lane.view(), now) ?? next)
    }
    return Number.isFinite(next) ? next : null
  }

  /** Lets go of lanes in which nothing has happened for long, and of times that a clock set back has made future. */
  keepWithin(now: Instant): void {
    for (const [key, lane] of this.#lanes) {
      const { health } = lane
      const { attemptedAt, backlogUntil, releaseAt } = health
      if (lane.inFlight === 0 && !this.#active.has(lane) && attemptedAt < now - forgetAfterMs)
        this.#lanes.delete(key)
      lane.blockedUntil = Math.min(lane.blockedUntil, now + blockedMs)
      if (Math.max(attemptedAt, backlogUntil) > now) {
        const times = { backlogUntil: now, releaseAt: Math.min(releaseAt, now) }
        lane.health = { ...health, ...times, attemptedAt: Math.min(attemptedAt, now) }
      }
    }
  }

  get seen(): Readonly<Record<string, number>> {
    const hanging = [...this.#lanes.values()].filter(({ health }) => isHanging(health)).length
    return { inFlight: this.inFlight().total, lanesDue: this.#active.size, lanesHanging: hanging }
  }

  #isOpen(lane: Lane, now: Instant): boolean {
    return lane.blockedUntil <= now && !this.#paused.has(lane.merchantId)
  }

  async #look(lane: Lane, now: Instant): Promise<void> {
    const { merchantId, host, health } = lane
    const key = { merchantId, host }
    const limit = governorLimits.perLane
    const until = Math.min(now, health.backlogUntil)
    if (lane.backlog === null) {
      const [counted] = await this.#store.query(countDueInLane, { ...key, until, limit: maxCounted })
      lane.backlog = counted?.webhooks ?? 0
    }
    if (lane.hasMoreBacklog) {
      const found = await this.#store.query(dueInLane, { ...key, after: -1, until, limit })
      lane.ready.backlog = oneOfEachOrder(found)
      lane.hasMoreBacklog = found.length === limit || lane.ready.backlog.length < found.length
      lane.backlog = lane.hasMoreBacklog ? Math.max(lane.backlog, found.length) : found.length
    }
    if (lane.isDue) {
      // Without a backlog nothing may be left behind, whatever the clock has done.
      const after = lane.backlog > 0 ? until : -1
      const found = await this.#store.query(dueInLane, { ...key, after, until: now, limit })
      lane.ready.fresh = oneOfEachOrder(found)
      lane.isDue = found.length === limit || lane.ready.fresh.length < found.length
    }
  }
}

interface DueRow {
  id: string
  order_id: string
  sequence: number
  attempts: number
}

function oneOfEachOrder(rows: readonly DueRow[]): DueWebhook[] {
  const byOrder = new Map<string, DueWebhook>()
  for (const { id, order_id, sequence, attempts } of rows) {
    const isFirst = sequence === 1 && attempts === 0
    if (!byOrder.has(order_id)) byOrder.set(order_id, { id, orderId: order_id, isFirst })
  }
  return [...byOrder.values()]
}
