/**
 * The two clocks of a node: its own, by which everything is written and judged, and the world's. They are one and the same but in a
 * sandbox whose clock was moved ahead. What the world has a part in goes by the world's: docs/decisions has the list, and a test
 * holds the sources to it.
 */
import type { Instant } from '../../machines/time.ts'

export interface Clock {
  now(): Instant
  /** Absent where it is this very clock. */
  readonly world?: WorldClock
}

export interface WorldClock {
  now(): Instant
  /** When in the world this clock has shown, or will show, an instant; of one that was skipped, when it was. */
  of(shown: Instant): Instant
  /** What this clock has shown, or will show, at an instant of the world. */
  shownAt(instant: Instant): Instant
}

/** The world's time. */
export function worldNow(clock: Clock): Instant {
  return (clock.world ?? clock).now()
}

/** How long ago in the world something was, whose time is of this clock; below zero where it is to come. */
export function worldAge(clock: Clock, since: Instant): number {
  return worldNow(clock) - (clock.world?.of(since) ?? since)
}

/** The time by which something happened on this clock that is so old in the world now. */
export function worldAgo(clock: Clock, ageMs: number): Instant {
  const at = worldNow(clock) - ageMs
  return clock.world?.shownAt(at) ?? at
}

/** The world's clock alone, for what knows no other. */
export function worldClockOf(clock: Clock): { now(): Instant } {
  return clock.world ?? clock
}
