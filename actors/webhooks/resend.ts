/** Sends a webhook again: the same bytes under the same Webhook-Id, with all its attempts before it. */
import type { Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'

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

/** What is sent again by the hundred falls due one after the other, all of it within this time. */
const spreadMs = { each: 10, all: 500_000 }

/** The webhook as it is now; or why it is left alone: an attempt of it is under way, or its body is gone. */
export type ResendOutcome = Row<'webhooks'> | 'unknown' | 'in_flight' | 'removed'

/**
 * @param merchantId whose it has to be, where only its own may be sent again
 * @param position among those that are sent again together, from 0
 */
export async function sendAgain(
  store: Pick<Store, 'step'>,
  id: string,
  { merchantId, position = 0 }: { merchantId?: string; position?: number } = {},
): Promise<ResendOutcome> {
  const delayMs = Math.min(position * spreadMs.each, spreadMs.all)
  const result = await store.step({
    rows: { webhook: row('webhooks', { id }) },
    decide: ({ webhook }, at): Decision<ResendOutcome> => {
      const isOther = merchantId !== undefined && webhook?.merchant_id !== merchantId
      if (webhook === null || isOther) return { answer: 'unknown', writes: [] }
      if (webhook.lease_until_at !== null) return { answer: 'in_flight', writes: [] }
      if (webhook.pruned_at !== null) return { answer: 'removed', writes: [] }
      const due_at = at + delayMs
      return {
        answer: { ...webhook, state: 'pending', due_at },
        writes: [resend(webhook, due_at)],
        wake: ['webhooks'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A resend violated ${result.constraint}.`)
  return result.answer
}
