/** A clock that stands still until a test moves it. */
import type { Instant } from '../../machines/time.ts'

export interface FakeClock {
  now(): Instant
  sinceBootMs(): number
  /** Time passes. */
  advance(ms: number): void
  /** The wall clock jumps, and no time passes. */
  jump(ms: number): void
}

/** 2026-03-01T12:00:00Z unless told otherwise. */
export function fakeClock(start: Instant = Date.UTC(2026, 2, 1, 12)): FakeClock {
  let wall = start
  let boot = 1_000_000
  return {
    now: () => wall,
    sinceBootMs: () => boot,
    advance(ms) {
      wall += ms
      boot += ms
    },
    jump(ms) {
      wall += ms
    },
  }
}
