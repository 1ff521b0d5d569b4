/**
 * When the webhooks of a lane that hangs are tried: one at a time, each a probe for all that wait.
 *
 * Their due times move to where they will have their turn: not before the attempts in front of them can have
 * ended, and early enough that no two attempts of one webhook are further apart than is allowed
 * (protocol 6.3), as long as that many fit one after the other.
 */
import type { Instant } from '../../machines/time.ts'

export interface WaitingWebhook {
  dueAt: Instant
  /** When its last attempt began, or it was written: its next turn comes within the longest gap from then. */
  waitsSince: Instant
}

export interface ProbeSpacing {
  /** As long as an attempt can take. */
  attemptMs: number
  /** The longest time between two attempts of one webhook. */
  maxGapMs: number
}

/** How many webhooks of a lane that hangs can each have their turn in time. */
export function probeCapacity({ attemptMs, maxGapMs }: ProbeSpacing): number {
  return Math.floor(maxGapMs / attemptMs)
}

/**
 * The due time of each of the webhooks, at most `probeCapacity` of them.
 *
 * They go by when they are due, except where one that is due later would then be late.
 */
export function probeTimes(
  waiting: readonly WaitingWebhook[],
  now: Instant,
  spacing: ProbeSpacing,
): Instant[] {
  const { attemptMs, maxGapMs } = spacing
  const rest = waiting.map(({ dueAt, waitsSince }, index) => ({
    index,
    dueAt,
    latestAt: waitsSince + maxGapMs,
  }))
  const byDue = rest.toSorted((a, b) => a.dueAt - b.dueAt)
  const byLatest = rest.toSorted((a, b) => a.latestAt - b.latestAt)
  const times = waiting.map(({ dueAt }) => dueAt)
  let free = now
  while (byDue.length > 0) {
    const [first] = byDue
    const [pressing] = byLatest
    if (first === undefined || pressing === undefined) break
    const at = Math.max(free, first.dueAt)
    // Once `first` has had its turn all others must still be in time.
    const others = byLatest.filter((it) => it !== first)
    const isInTime = at + attemptMs <= latestStart(others, attemptMs)
    const chosen = isInTime ? first : pressing
    const start = isInTime ? at : Math.max(free, Math.min(pressing.dueAt, latestStart(byLatest, attemptMs)))
    times[chosen.index] = start
    free = start + attemptMs
    byDue.splice(byDue.indexOf(chosen), 1)
    byLatest.splice(byLatest.indexOf(chosen), 1)
  }
  return times
}

/** When the first of them must begin, so that none is late; they are sorted by when each must at the latest. */
function latestStart(webhooks: readonly { latestAt: Instant }[], attemptMs: number): Instant {
  return webhooks.reduce(
    (latest, { latestAt }, index) => Math.min(latest, latestAt - index * attemptMs),
    Number.POSITIVE_INFINITY,
  )
}
