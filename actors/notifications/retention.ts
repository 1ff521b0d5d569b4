/** Removes notifications that were delivered long ago. What was not delivered stays until somebody has it sent again. */
import type { Instant } from '../../machines/time.ts'
import { oldNotifications } from '../../persistence/queries/notifications.ts'
import { type Decision, rows, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'

const perPass = 500
const dayMs = 86_400_000

export async function pruneNotifications(
  store: Store,
  {
    retentionDays,
    clock,
    isTrusted,
  }: {
    retentionDays: number
    clock: { now(): Instant }
    /** False while the clock is in doubt: then nothing is old. */
    isTrusted: () => boolean
  },
): Promise<PassResult> {
  if (!isTrusted()) return { more: false }
  const before = clock.now() - retentionDays * dayMs
  const old = await store.query(oldNotifications, { before, limit: perPass })
  if (old.length === 0) return { more: false }
  await store.step({
    rows: { old: rows('notifications', old) },
    decide: ({ old: held }): Decision<null> => {
      const writes = held.flatMap((notification): Write[] => {
        // Somebody may have had it sent again meanwhile.
        const isOld = notification?.state === 'delivered'
        return isOld ? [{ delete: 'notifications', key: { id: notification.id } }] : []
      })
      return { answer: null, writes }
    },
  })
  return { more: old.length === perPass }
}
