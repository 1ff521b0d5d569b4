/** The only real clock of the program. Alone, so that a command has it without loading the node. */
import { uptime } from 'node:os'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import type { Instant } from '../machines/time.ts'

/** On another thread: the clock that is shared with it, or else this machine's. */
export function clockOf(shared: SharedArrayBuffer | null): { now(): Instant } {
  if (shared === null) return systemClock
  const cells = new Float64Array(shared)
  return { now: () => cells[0] ?? 0 }
}

export const systemClock: NodeClock = {
  now: () => Date.now(),
  // Runs on through a suspend, unlike the monotonic clock.
  sinceBootMs: () => uptime() * 1000,
}
