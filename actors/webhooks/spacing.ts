/** Moves the due times of what waits in a lane that hangs, and of what waited in one that has come back. */
import type { Instant } from '../../machines/time.ts'
import { type LaneKey, waitingInLane } from '../../persistence/queries/webhooks.ts'
import { rows, type Store } from '../../persistence/store.ts'
import { type ProbeSpacing, probeCapacity, probeTimes } from './probes.ts'

/**
 * After an attempt in a lane that hangs: gives each webhook that waits its place among the probes. Where more
 * wait than can have their turn in time, they go by when they were due.
 */
export async function spaceProbes(
  store: Store,
  lane: LaneKey,
  now: Instant,
  spacing: ProbeSpacing,
): Promise<void> {
  const { merchantId, host } = lane
  const capacity = probeCapacity(spacing)
  const waiting = await store.query(waitingInLane, { merchantId, host, after: -1, limit: capacity + 1 })
  if (waiting.length > capacity) return
  const times = probeTimes(
    waiting.map(({ due_at, created_at, last_attempt_at }) => ({
      dueAt: due_at,
      waitsSince: last_attempt_at ?? created_at,
    })),
    now,
    spacing,
  )
  await move(
    store,
    waiting.map(({ id, due_at }, index) => ({ id, from: due_at, to: times[index] ?? due_at })),
  )
}

/** After the first answer: what was put off to have its turn among the probes is due now. */
export async function endProbes(
  store: Store,
  lane: LaneKey,
  now: Instant,
  spacing: ProbeSpacing,
): Promise<void> {
  const { merchantId, host } = lane
  const limit = probeCapacity(spacing)
  const waiting = await store.query(waitingInLane, { merchantId, host, after: now, limit })
  await move(
    store,
    waiting.map(({ id, due_at }) => ({ id, from: due_at, to: now })),
  )
}

async function move(
  store: Store,
  moves: readonly { id: string; from: Instant; to: Instant }[],
): Promise<void> {
  const changed = moves.filter(({ from, to }) => from !== to)
  if (changed.length === 0) return
  const keys = changed.map(({ id }) => ({ id }))
  await store.step({
    rows: { webhooks: rows('webhooks', keys) },
    decide: ({ webhooks }) => ({
      answer: null,
      writes: changed
        // Somebody may have claimed, resent or settled one meanwhile.
        .filter(({ from }, index) => {
          const found = webhooks[index]
          return found?.due_at === from && found.settled_at === null
        })
        .map(({ id, to }) => ({ update: 'webhooks', key: { id }, set: { due_at: to } }) as const),
    }),
  })
}
