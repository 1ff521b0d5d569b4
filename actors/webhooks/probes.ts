/**
 * When the webhooks of a lane that hangs are tried: one at a time, each a probe for all that wait.
 *
 * Their due times move to where they will have their turn: not before the attempts in front of them can have
 * ended, and early enough that no two attempts of one webhook are further apart than is allowed
 * (protocol 6.3), as long as that many fit one after the other.
 */
import type { Instant } from '../../machines/time.ts'
import { type LaneKey, waitingInLane } from '../../persistence/queries/webhooks.ts'
import { rows, type Store } from '../../persistence/store.ts'

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
  { attemptMs, maxGapMs }: ProbeSpacing,
): Instant[] {
  const times = waiting.map(({ dueAt }) => dueAt)
  const left = waiting
    .map(({ dueAt, waitsSince }, index) => ({ index, dueAt, latestAt: waitsSince + maxGapMs }))
    .toSorted((a, b) => a.latestAt - b.latestAt)
  for (let free = now; left.length > 0; ) {
    const first = left.reduce((a, b) => (b.dueAt < a.dueAt ? b : a))
    const [pressing = first] = left
    // Once `first` has had its turn all others must still be in time.
    const others = left.filter((it) => it !== first)
    const isInTime = Math.max(free, first.dueAt) + attemptMs <= latestStart(others, attemptMs)
    const chosen = isInTime ? first : pressing
    const wished = isInTime ? first.dueAt : Math.min(pressing.dueAt, latestStart(left, attemptMs))
    const start = Math.max(free, wished)
    times[chosen.index] = start
    free = start + attemptMs
    left.splice(left.indexOf(chosen), 1)
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

/**
 * After an attempt in a lane that hangs, gives each webhook that waits its place among the probes; where more wait
 * than can have their turn in time, they go by when they were due. After the first answer of one that hung, all
 * that was put off for that is due now.
 */
export async function moveProbes(
  store: Store,
  { merchantId, host }: LaneKey,
  now: Instant,
  { isBack, ...spacing }: ProbeSpacing & { isBack: boolean },
): Promise<void> {
  const capacity = probeCapacity(spacing)
  const after = isBack ? now : -1
  const waiting = await store.query(waitingInLane, { merchantId, host, after, limit: capacity + 1 })
  if (!isBack && waiting.length > capacity) return
  const asked = waiting.map((it) => ({ dueAt: it.due_at, waitsSince: it.last_attempt_at ?? it.created_at }))
  const times = isBack ? waiting.map(() => now) : probeTimes(asked, now, spacing)
  const moves = waiting
    .map(({ id, due_at }, index) => ({ id, from: due_at, to: times[index] ?? due_at }))
    .filter(({ from, to }) => from !== to)
  if (moves.length === 0) return
  const keys = moves.map(({ id }) => ({ id }))
  await store.step({
    rows: { webhooks: rows('webhooks', keys) },
    decide: ({ webhooks }) => ({
      answer: null,
      writes: moves
        // Somebody may have claimed, resent or settled one meanwhile.
        .filter(({ from }, index) => webhooks[index]?.due_at === from && webhooks[index].settled_at === null)
        .map(({ id, to }) => ({ update: 'webhooks', key: { id }, set: { due_at: to } }) as const),
    }),
  })
}
