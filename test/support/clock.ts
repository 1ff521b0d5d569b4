/** A clock that stands still until a test moves it. */
import type { Instant } from '../../machines/time.ts'

export interface FakeClock {
  now(): Instant
  sinceBootMs(): number
  readonly shared?: SharedArrayBuffer
  /** Time passes. */
  advance(ms: number): void
  /** The wall clock jumps, and no time passes. */
  jump(ms: number): void
}

/** 2026-03-01T12:00:00Z unless told otherwise. */
export function fakeClock(start: Instant = Date.UTC(2026, 2, 1, 12)): FakeClock {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)
  const wall = new Float64Array(shared).fill(start)
  let boot = 1_000_000
  const now = () => wall[0] ?? start
  const jump = (ms: number) => void wall.fill(now() + ms)
  return {
    now,
    sinceBootMs: () => boot,
    shared,
    advance(ms) {
      jump(ms)
      boot += ms
    },
    jump,
  }
}
