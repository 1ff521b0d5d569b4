/**
 * Gives back to the system what a thread's heap has spare, while nobody needs the thread: V8 keeps what a start or a load has
 * grown for as long as anything happens at all, about half of an idle node's memory (docs/performance.md).
 *
 * The collection for it holds the thread up, for about as long as a hundred requests take: so only in silence, and seldom.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

/** What a thread is seen to be. */
export interface ThreadLook {
  /** Milliseconds of any clock that only goes on. */
  at: number
  /** Of the time since the look before, 0 to 1. */
  utilization: number
  spareBytes: number
}

/** What has been seen so far. */
export interface SpareMemory {
  /** Since when it has been silent; `null` while it is not. */
  silentSince: number | null
  givenAt: number | null
}

export const nothingSeen: SpareMemory = { silentSince: null, givenAt: null }

/** Less than this is what a heap has spare anyway. */
const leastSpareBytes = 12_000_000
const silentUtilization = 0.05
/** Whoever asks now and then, such as a monitor, makes it no less silent. */
const silentMs = 3_000
const leastBetweenMs = 600_000

/** Whether it is to be given back now, and what has been seen then. */
export function judgeSpare(
  seen: SpareMemory,
  { at, utilization, spareBytes }: ThreadLook,
): { isGiven: boolean; seen: SpareMemory } {
  const silentSince = utilization > silentUtilization ? null : (seen.silentSince ?? at)
  const isSilent = silentSince !== null && at - silentSince >= silentMs
  const isRested = seen.givenAt === null || at - seen.givenAt >= leastBetweenMs
  const isGiven = isSilent && isRested && spareBytes >= leastSpareBytes
  return { isGiven, seen: { silentSince, givenAt: isGiven ? at : seen.givenAt } }
}

const lookEveryMs = 1_000

/**
 * Watches the thread that calls it, until it is stopped. Does nothing where the program was not started with `--expose-gc`:
 * nobody may collect anything then.
 * @returns stops it
 */
export function returnSpareMemory(): () => void {
  const { gc } = globalThis
  if (gc === undefined) return () => {}
  let seen = nothingSeen
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const heap = getHeapStatistics()
    const spareBytes = heap.total_physical_size - heap.used_heap_size
    const judged = judgeSpare(seen, { at: performance.now(), utilization, spareBytes })
    seen = judged.seen
    // Of all kinds of collection it alone makes the young generation small again.
    if (judged.isGiven) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
