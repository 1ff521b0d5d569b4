/**
 * Removes notifications that were delivered long ago. What was not delivered stays until somebody has it sent again, save invitations: a
 * day later they make no account, and there is nothing to be sent.
 */
import type { Instant } from '../../machines/time.ts'
import { oldNotifications, overInvitations } from '../../persistence/queries/notifications.ts'
import { type Decision, rows, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { invitationMs } from '../people/invitations.ts'

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
  const now = clock.now()
  const old = [
    ...(await store.query(oldNotifications, { before: now - retentionDays * dayMs, limit: perPass })),
    ...(await store.query(overInvitations, { before: now - invitationMs, limit: perPass })),
  ]
  if (old.length === 0) return { more: false }
  await store.step({
    rows: { old: rows('notifications', old) },
    decide: ({ old: held }): Decision<null> => {
      const writes = held.flatMap((notification): Write[] => {
        // Somebody may have had it sent again meanwhile.
        const isOver = notification?.state === 'dead' && notification.purpose === 'invitation'
        const isOld = notification?.state === 'delivered' || isOver
        return isOld && notification !== null
          ? [{ delete: 'notifications', key: { id: notification.id } }]
          : []
      })
      return { answer: null, writes }
    },
  })
  return { more: old.length >= perPass }
}
