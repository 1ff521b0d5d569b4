/**
 * Removes what is old of the webhooks: their bodies, which hold consumers' data, and their attempts. Never of
 * what was not delivered, or settled by a person. The rows stay: an order's webhooks are part of its story.
 */
import type { Instant } from '../../machines/time.ts'
import {
  prunableDead,
  prunableDelivered,
  prunableSuperseded,
} from '../../persistence/queries/webhook-retention.ts'
import { type Decision, row, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'

const webhooksPerPass = 50
const dayMs = 86_400_000

export interface RetentionOptions {
  retentionDays: number
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nothing is old. */
  isTrusted: () => boolean
}

export async function pruneWebhooks(store: Store, options: RetentionOptions): Promise<PassResult> {
  const { retentionDays, clock, isTrusted } = options
  if (!isTrusted()) return { more: false }
  const before = clock.now() - retentionDays * dayMs
  // Dead letters last: all that stay are looked at each time.
  for (const prunable of [prunableDelivered, prunableSuperseded, prunableDead]) {
    const found = await store.query(prunable, { before, limit: webhooksPerPass })
    await Promise.all(found.map(({ id }) => prune(store, id)))
    if (found.length === webhooksPerPass) return { more: true }
  }
  return { more: false }
}

async function prune(store: Store, id: string): Promise<void> {
  await store.step({
    rows: { webhook: row('webhooks', { id }) },
    decide: ({ webhook }, at): Decision<null> => {
      // Somebody may have had it sent again meanwhile.
      if (webhook === null || webhook.settled_at === null) return { answer: null, writes: [] }
      const attempts = Array.from({ length: webhook.attempts }, (_, index): Write => {
        return { delete: 'webhook_attempts', key: { webhook_id: id, attempt: index + 1 } }
      })
      const set = { body: '', pruned_at: at }
      return { answer: null, writes: [...attempts, { update: 'webhooks', key: { id }, set }] }
    },
  })
}
