/**
 * The clock watch: a clock that jumps must not expire every order (protocol 12.2).
 *
 * The wall clock is compared with the time since boot, which runs on through a suspend. While they have parted
 * by more than 30 s, or every chain's endpoint dates its answers more than 60 s away, or a start found a time
 * before the last one recorded, nothing expires by itself, and retries are not given up, until an operator
 * accepts the clock. A restart does not do that for them.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { factByName, recordFact } from '../../persistence/queries/node.ts'
import type { Store } from '../../persistence/store.ts'
import type { Clock } from '../foundation/clock.ts'
import type { PassResult } from '../foundation/worker.ts'
import {
  type ClockReading,
  type Doubt,
  doubtOfChains,
  doubtOfJump,
  doubtOfStart,
  maxOffsetMs,
  reasonNow,
} from './clock-doubt.ts'
import type { Condition } from './condition.ts'

export interface NodeClock extends Clock {
  /** Wall clock. */
  now(): Instant
  /** Milliseconds since the machine was booted, suspends included. */
  sinceBootMs(): number
  /** Where other threads read `now`, of a clock that is not this machine's: one cell of 64-bit floating point. */
  readonly shared?: SharedArrayBuffer
}

const recordEveryMs = 10_000

/** The last time that was not in doubt. */
const lastSeen = 'last_seen_at'
/** The doubt as JSON; `null` once it was accepted. */
const inDoubt = 'clock_in_doubt'

export interface ClockState {
  state: 'trusted' | 'in_doubt'
  /** Why it is in doubt. */
  reason: string | null
  /** Since when, by that same clock. */
  since: string | null
  now: string
  /** The last time that was not in doubt. */
  lastTrusted: string | null
}

export interface ClockWatch {
  isTrusted(): boolean
  /** One look at both clocks. */
  look(): Promise<PassResult>
  /**
   * What the endpoints of the chains say: how far each is ahead of this clock, in ms. One that is wrong about the
   * time proves nothing, so the nearest of them counts.
   */
  hear(offsetsMs: readonly number[]): Promise<void>
  /** What an operator sees of it. */
  show(): Promise<ClockState>
  /** The operator says that the clock is right now. */
  accept(): Promise<void>
}

/** Reads the last recorded time, so that a clock that went back while the node was stopped is noticed. */
export async function createClockWatch(options: {
  store: Store
  clock: NodeClock
  condition: Condition
}): Promise<ClockWatch> {
  const { store, clock, condition } = options
  let offset = clock.now() - clock.sinceBootMs()
  let recordedAt: Instant | null = null
  let doubt: Doubt | null = null
  /** What the database says of it, as far as this node has written or read that. */
  let keptDoubt: Doubt | null = null
  let offsetHeard: number | null = null
  let offsetAccepted = 0

  /** Of a jump that another process has seen, or this one before its start, nothing is left to measure. */
  const readingAt = (at: Instant): ClockReading => ({
    at,
    jumpMs: doubt === known ? null : jumpAt(at),
    aheadMs: offsetHeard === null ? null : offsetHeard - offsetAccepted,
  })
  /** What was said when the doubt arose may be true no longer. */
  const tell = (at: Instant) => {
    if (doubt === null) return
    condition.send({ type: 'degrade', part: 'clock', reason: reasonNow(doubt, readingAt(at)) })
  }
  const distrust = (next: Doubt) => {
    doubt = next
    tell(clock.now())
  }
  const trust = () => {
    doubt = null
    condition.send({ type: 'recover', part: 'clock' })
  }
  const record = async (at: Instant) => {
    recordedAt = at
    await store.execute(recordFact, { name: lastSeen, value: String(at) })
  }
  const keep = async (value: Doubt | null) => {
    await store.execute(recordFact, { name: inDoubt, value: JSON.stringify(value) })
    keptDoubt = value
  }
  const follow = (at: Instant) => {
    offset = at - clock.sinceBootMs()
    offsetAccepted = offsetHeard ?? 0
    store.followClock()
    trust()
  }

  const jumpAt = (at: Instant) => at - clock.sinceBootMs() - offset
  const driftAt = (at: Instant) => doubtOfJump(jumpAt(at), at)

  const kept = await readFact(store, inDoubt)
  const known: Doubt | null = kept === null ? null : JSON.parse(kept)
  const before = await readFact(store, lastSeen)
  const behind = before === null ? null : doubtOfStart(Number(before), clock.now())
  keptDoubt = known
  if (known !== null) distrust(known)
  else if (behind !== null) {
    distrust(behind)
    if (behind.until === null) await keep(behind)
  }

  return {
    // Asked of both clocks each time: between a jump and the next look every order would have time to expire.
    isTrusted: () => doubt === null && driftAt(clock.now()) === null,

    async look() {
      const at = clock.now()
      if (doubt?.until != null && at >= doubt.until) trust()
      // On PostgreSQL `clock accept` works on the database, and this is how the nodes hear of it.
      if (doubt !== null && doubt === keptDoubt && (await readFact(store, inDoubt)) === 'null') follow(at)
      const drifted = doubt === null ? driftAt(at) : null
      if (drifted !== null) {
        distrust(drifted)
        await keep(drifted)
      }
      tell(at)
      if (doubt === null && (recordedAt === null || at - recordedAt >= recordEveryMs)) await record(at)
      return { more: false }
    },

    async hear(offsetsMs) {
      const [nearest] = offsetsMs.toSorted((a, b) => Math.abs(a) - Math.abs(b))
      if (nearest === undefined) return
      offsetHeard = nearest
      if (doubt !== null) return tell(clock.now())
      if (Math.abs(nearest - offsetAccepted) <= maxOffsetMs) return
      const found = doubtOfChains(nearest, clock.now())
      distrust(found)
      await keep(found)
    },

    async show() {
      const recorded = await readFact(store, lastSeen)
      return {
        state: doubt === null ? 'trusted' : 'in_doubt',
        reason: doubt === null ? null : reasonNow(doubt, readingAt(clock.now())),
        since: doubt === null ? null : formatInstant(doubt.since),
        now: formatInstant(clock.now()),
        lastTrusted: recorded === null ? null : formatInstant(Number(recorded)),
      }
    },

    async accept() {
      const at = clock.now()
      await record(at)
      await keep(null)
      follow(at)
    },
  }
}

async function readFact(store: Store, name: string): Promise<string | null> {
  const [fact] = await store.query(factByName, { name })
  return fact?.value ?? null
}
