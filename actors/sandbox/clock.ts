/**
 * The clock of a sandbox: the machine's, and as far ahead of it as somebody has moved it. It only goes forward.
 *
 * How far it was ahead since when is kept, so that an instant of one clock can be told on the other (protocol 18.8).
 */
import type { Instant } from '../../machines/time.ts'
import type { NodeClock } from '../condition/clock-watch.ts'
import type { WorldClock } from '../foundation/clock.ts'

/** From an instant of the world on the sandbox's clock is so far ahead. */
export interface ClockSpan {
  from: Instant
  aheadMs: number
}

export interface SandboxClock extends NodeClock {
  readonly world: WorldClock
  /** The machine's, as it was given. */
  readonly machine: NodeClock
  /** How far it is ahead, for other threads: one whole number of 64 bits. */
  readonly aheadShared: SharedArrayBuffer
  readonly aheadMs: number
  /** Where it is being moved to; `null` while nobody moves it. */
  readonly movingTo: Instant | null
  /** From now on it goes by what is kept. */
  follow(kept: { spans: readonly ClockSpan[]; movingTo: Instant | null }): void
}

/** The machine's clock itself in production, where there is no other. */
export function clockOfMode(mode: 'sandbox' | 'production', clock: NodeClock): NodeClock {
  return mode === 'production' || sandboxClock(clock) !== null ? clock : createSandboxClock(clock)
}

const made = new WeakSet<object>()

/** `null` of any other clock. */
export function sandboxClock(clock: { now(): Instant }): SandboxClock | null {
  return isSandboxClock(clock) ? clock : null
}

function isSandboxClock(clock: { now(): Instant }): clock is SandboxClock {
  return made.has(clock)
}

export function createSandboxClock(machine: NodeClock): SandboxClock {
  const aheadShared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  const ahead = new BigInt64Array(aheadShared)
  const aheadMs = () => Number(Atomics.load(ahead, 0))
  let spans: readonly ClockSpan[] = []
  let movingTo: Instant | null = null
  const clock: SandboxClock = {
    now: () => machine.now() + aheadMs(),
    sinceBootMs: machine.sinceBootMs,
    ...(machine.shared === undefined ? {} : { shared: machine.shared }),
    machine,
    world: {
      now: machine.now,
      of: (shown) => instantOf(spans, shown),
      shownAt: (instant) => instant + aheadAt(spans, instant),
    },
    aheadShared,
    get aheadMs() {
      return aheadMs()
    },
    get movingTo() {
      return movingTo
    },
    follow(kept) {
      spans = kept.spans
      movingTo = kept.movingTo
      Atomics.store(ahead, 0, BigInt(spans.at(-1)?.aheadMs ?? 0))
    },
  }
  made.add(clock)
  return clock
}

/** Of a thread that hears of each move by what is shared. It is asked what time it is, here and in the world. */
export function sandboxClockOver(
  machine: { now(): Instant },
  aheadShared: SharedArrayBuffer,
): { now(): Instant; world: WorldClock } {
  const ahead = new BigInt64Array(aheadShared)
  const aheadMs = () => Number(Atomics.load(ahead, 0))
  return {
    now: () => machine.now() + aheadMs(),
    world: {
      now: machine.now,
      of: (shown) => shown - aheadMs(),
      shownAt: (instant) => instant + aheadMs(),
    },
  }
}

function aheadAt(spans: readonly ClockSpan[], instant: Instant): number {
  return spans.findLast(({ from }) => from <= instant)?.aheadMs ?? 0
}

function instantOf(spans: readonly ClockSpan[], shown: Instant): Instant {
  const index = spans.findLastIndex(({ from, aheadMs }) => from + aheadMs <= shown)
  const instant = shown - (spans[index]?.aheadMs ?? 0)
  const next = spans[index + 1]
  // Between two spans the clock has skipped what lies between them, all of it at that moment.
  return next === undefined ? instant : Math.min(instant, next.from)
}

/** So many moves are told apart; what is older is one. */
const mostSpans = 200

/** Moved ahead by so much more at an instant of the world; what one advance moves is one span. */
export function movedAhead(
  spans: readonly ClockSpan[],
  { at, aheadMs, since }: { at: Instant; aheadMs: number; since: Instant },
): ClockSpan[] {
  const last = spans.at(-1)
  const present = last?.aheadMs ?? 0
  if (aheadMs < present) throw new Error(`The sandbox's clock is ${present} ms ahead, and never less.`)
  const kept = last !== undefined && last.from >= since ? spans.slice(0, -1) : spans
  const from = last !== undefined && last.from >= since ? last.from : at
  return [...kept, { from, aheadMs }].slice(-mostSpans)
}
