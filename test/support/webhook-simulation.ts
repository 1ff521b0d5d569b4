/** Plays the governor and the retry schedule on a simulated clock: receivers are functions of time. */
import {
  type Allotment,
  allot,
  isHanging,
  type LaneView,
  laneAfter,
  laneReleasesAt,
  newLane,
} from '../../actors/webhooks/governor.ts'
import { probeCapacity, probeTimes } from '../../actors/webhooks/probes.ts'
import { endingOf } from '../../actors/webhooks/settling.ts'
import { type AttemptOutcome, productionRetries } from '../../machines/retry.ts'

export interface SimulatedEvent {
  merchantId: string
  host: string
  createdAt: number
  dueAt: number
  attemptsAt: number[]
  /** 0 while it is not delivered, dead or given up. */
  settledAt: number
}

/** How a receiver treats a request that arrives at `at`. */
export type Receiving = (event: SimulatedEvent, at: number) => { outcome: AttemptOutcome; afterMs: number }

export function simulatedEvent(merchantId: string, host: string, at: number): SimulatedEvent {
  return { merchantId, host, createdAt: at, dueAt: at, attemptsAt: [], settledAt: 0 }
}

/** As the worker has it for attempts of 15 s. */
const spacing = { attemptMs: 15_250, maxGapMs: productionRetries.maxGapMs }

interface Lane extends LaneView {
  /** Not under way, sorted by when they are due. */
  pending: SimulatedEvent[]
}

interface Sending {
  lane: Lane
  event: SimulatedEvent
  endsAt: number
  outcome: AttemptOutcome
}

export class WebhookSimulation {
  now: number
  /** The most attempts under way at once, by host and by merchant. */
  readonly peaks = new Map<string, number>()
  #sendings: Sending[] = []
  readonly #lanes = new Map<string, Lane>()
  readonly #receive: Receiving

  /** The node starts at `startedAt`: what is due before is a backlog, and nothing is known of any lane. */
  constructor(events: SimulatedEvent[], receive: Receiving, startedAt: number) {
    this.#receive = receive
    this.now = startedAt
    for (const event of events.toSorted((a, b) => a.dueAt - b.dueAt)) {
      const { merchantId, host } = event
      const lane = this.#lanes.get(`${merchantId} ${host}`) ?? {
        ...{ merchantId, host, inFlight: 0, pending: [], backlog: [], fresh: [] },
        health: newLane(startedAt),
      }
      lane.pending.push(event)
      this.#lanes.set(`${merchantId} ${host}`, lane)
    }
  }

  /** Goes on until `until`, or until nothing is left to do. */
  run(until: number): void {
    while (this.now < until) {
      for (const sending of this.#sendings) if (sending.endsAt <= this.now) this.#settle(sending)
      this.#sendings = this.#sendings.filter(({ endsAt }) => endsAt > this.now)
      const lanes = [...this.#lanes.values()]
      for (const lane of lanes) this.#look(lane)
      for (const allotment of allot(lanes, lanes, this.now)) this.#send(allotment)
      const next = this.#nextInstant()
      if (next === Number.POSITIVE_INFINITY) return
      this.now = Math.max(next, this.now + 1)
    }
  }

  #look(lane: Lane): void {
    const due = lane.pending.slice(0, countDue(lane.pending, this.now))
    const backlog = countDue(due, lane.health.backlogUntil)
    Object.assign(lane, { backlog: due.slice(0, backlog), fresh: due.slice(backlog) })
  }

  #send({ lane, backlog, fresh, health }: Allotment<Lane>): void {
    lane.health = health
    const chosen = [...lane.pending.splice(lane.backlog.length, fresh), ...lane.pending.splice(0, backlog)]
    for (const event of chosen) {
      lane.inFlight++
      event.attemptsAt.push(this.now)
      const { outcome, afterMs } = this.#receive(event, this.now)
      this.#sendings.push({ lane, event, endsAt: this.now + afterMs, outcome })
    }
    for (const key of ['host', 'merchantId'] as const) {
      const together = this.#sendings.filter((sending) => sending.lane[key] === lane[key]).length
      this.peaks.set(lane[key], Math.max(this.peaks.get(lane[key]) ?? 0, together))
    }
  }

  #settle({ lane, event, endsAt, outcome }: Sending): void {
    const startedAt = event.attemptsAt.at(-1) ?? 0
    const times = { firstAttemptAt: event.attemptsAt[0] ?? 0, startedAt, endedAt: endsAt }
    const attempts = event.attemptsAt.length
    const ended = { outcome, attempts, ...times, retryAfter: null, isFinalWaiting: false }
    const ending = endingOf(ended, productionRetries, 0)
    const wasHanging = isHanging(lane.health)
    lane.inFlight--
    lane.health = laneAfter(lane.health, { outcome, startedAt, endedAt: endsAt })
    if (ending.state === 'pending') {
      event.dueAt = ending.dueAt
      lane.pending.splice(countDue(lane.pending, event.dueAt), 0, event)
    } else {
      event.settledAt = endsAt
    }
    if (isHanging(lane.health)) this.#space(lane)
    else if (wasHanging) moveDue(lane, (waiting) => Math.min(waiting.dueAt, endsAt))
  }

  #space(lane: Lane): void {
    if (lane.pending.length > probeCapacity(spacing)) return
    const waiting = lane.pending.map(({ dueAt, createdAt, attemptsAt }) => ({
      dueAt,
      waitsSince: attemptsAt.at(-1) ?? createdAt,
    }))
    const times = probeTimes(waiting, this.now, spacing)
    moveDue(lane, ({ dueAt }, index) => times[index] ?? dueAt)
  }

  #nextInstant(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { endsAt } of this.#sendings) next = Math.min(next, endsAt)
    for (const lane of this.#lanes.values()) {
      this.#look(lane)
      next = Math.min(next, lane.pending[lane.backlog.length + lane.fresh.length]?.dueAt ?? next)
      next = Math.min(next, laneReleasesAt(lane, this.now) ?? next)
    }
    return next
  }
}

function moveDue({ pending }: Lane, dueAt: (event: SimulatedEvent, index: number) => number): void {
  for (const [index, event] of pending.entries()) event.dueAt = dueAt(event, index)
  pending.sort((a, b) => a.dueAt - b.dueAt)
}

/** How many of the sorted events are due by then. */
function countDue(pending: readonly SimulatedEvent[], by: number): number {
  let [low, high] = [0, pending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pending[middle]?.dueAt ?? 0) <= by) low = middle + 1
    else high = middle
  }
  return low
}
