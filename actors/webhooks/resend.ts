/** Sends a webhook again: the same bytes under the same Webhook-Id, with all its attempts before it. */
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'

/** Attempts that were made stay counted, but not against the limit of those to come. */
export function resend({ id, attempts }: Row<'webhooks'>, dueAt: Instant): Write {
  return {
    update: 'webhooks',
    key: { id },
    set: {
      state: 'pending',
      settled_at: null,
      due_at: dueAt,
      attempts_before: attempts,
      first_attempt_at: null,
    },
  }
}
