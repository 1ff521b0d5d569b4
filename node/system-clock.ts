/** The only real clock of the program. Alone, so that a command has it without loading the node. */
import { uptime } from 'node:os'
import type { NodeClock } from '../actors/condition/clock-watch.ts'

export const systemClock: NodeClock = {
  now: () => Date.now(),
  // Runs on through a suspend, unlike the monotonic clock.
  sinceBootMs: () => uptime() * 1000,
}
