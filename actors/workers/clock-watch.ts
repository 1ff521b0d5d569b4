/**
 * The clock watch: a clock that jumps must not expire every order (part 1 of the design, Money and time).
 *
 * The wall clock is compared with the time since boot, which runs on through a suspend. While they have parted
 * by more than 30 s, or a start found a time before the last one recorded, nothing expires by itself, and
 * retries are not given up, until an operator accepts the clock.
 */
import type { Instant } from '../../machines/time.ts'
import { factByName, recordFact } from '../../persistence/queries/node.ts'
import type { Store } from '../../persistence/store.ts'
import type { Condition } from '../condition.ts'
import type { PassResult } from './worker.ts'

export interface NodeClock {
  /** Wall clock. */
  now(): Instant
  /** Milliseconds since the machine was booted, suspends included. */
  sinceBootMs(): number
}

export const maxDriftMs = 30_000
const recordEveryMs = 10_000
const lastSeen = 'last_seen_at'

export interface ClockWatch {
  isTrusted(): boolean
  /** One look at both clocks. */
  look(): Promise<PassResult>
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
  let isTrusted = true

  const distrust = (reason: string) => {
    isTrusted = false
    condition.send({ type: 'degrade', part: 'clock', reason })
  }
  const record = async (at: Instant) => {
    recordedAt = at
    await store.execute(recordFact, { name: lastSeen, value: String(at) })
  }

  const [before] = await store.query(factByName, { name: lastSeen })
  const behindMs = before === undefined ? 0 : Number(before.value) - clock.now()
  if (behindMs > 0) {
    distrust(`The clock is ${seconds(behindMs)} behind the time this database last saw. ${whatToDo}`)
  }

  return {
    isTrusted: () => isTrusted,
    async look() {
      const at = clock.now()
      const driftMs = at - clock.sinceBootMs() - offset
      if (isTrusted && Math.abs(driftMs) > maxDriftMs) {
        const way = driftMs > 0 ? 'forward' : 'back'
        distrust(`The clock jumped ${seconds(Math.abs(driftMs))} ${way}. ${whatToDo}`)
      }
      if (isTrusted && (recordedAt === null || at - recordedAt >= recordEveryMs)) await record(at)
      return { more: false }
    },
    async accept() {
      const at = clock.now()
      offset = at - clock.sinceBootMs()
      await record(at)
      isTrusted = true
      condition.send({ type: 'recover', part: 'clock' })
    },
  }
}

const whatToDo = 'Nothing expires until `ventanilla clock accept`.'

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
