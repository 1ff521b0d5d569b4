/**
 * Claims one webhook for one attempt: a short step that counts the attempt, writes it down as started and takes
 * a lease. What is sent is sent after its commit.
 *
 * Only the webhook whose turn it is in its order is claimed. Those behind it are put off until it can be tried,
 * so that what is due never begins with what cannot be sent.
 */
import type { AttemptOutcome } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { pendingOfOrder } from '../../persistence/queries/webhooks.ts'
import { type Decision, type Row, row, rows, type Store, type Write } from '../../persistence/store.ts'
import type { DueWebhook } from './lanes.ts'
import { turnOf } from './turn.ts'

export interface Claim {
  /** As it was read, before the attempt was counted. */
  webhook: Row<'webhooks'>
  merchantName: string
  /** 1 = the first; goes on over resends. */
  attempt: number
  startedAt: Instant
  leaseUntilAt: Instant
  /** No other webhook of its order is pending, and none will follow. */
  isAlone: boolean
}

export type Claiming =
  | { outcome: 'claimed'; claim: Claim }
  /** Nothing of the order may be sent now; whether that was not known yet, and what is due has changed. */
  | { outcome: 'waiting'; isNews: boolean }
  | { outcome: 'paused' }

/** The last answer of a webhook whose attempt nobody has ended. */
const lostAnswer: AttemptOutcome = 'unknown'

export interface ClaimRequest {
  /** One that is due; an earlier one of its order may go instead. */
  due: DueWebhook
  merchantId: string
  leaseMs: number
  /** What is due by then may go, also when the time of steps stands still. */
  now: Instant
}

/** Behind an attempt that should have ended already, its end is waited for so long. */
const leastPutOffMs = 1000

export async function claimWebhook(
  store: Store,
  { due, merchantId, leaseMs, now }: ClaimRequest,
): Promise<Claiming> {
  // Nothing comes before the first of an order, and what comes after it falls due by itself; so does what is
  // written after this read.
  const ids = due.isFirst ? [due] : await store.query(pendingOfOrder, { orderId: due.orderId })
  const result = await store.step({
    rows: {
      merchant: row('parties', { id: merchantId }),
      webhooks: rows(
        'webhooks',
        ids.map(({ id }) => ({ id })),
      ),
    },
    decide: ({ merchant, webhooks }, at): Decision<Claiming> => {
      if (merchant === null) throw new Error(`The merchant ${merchantId} is gone.`)
      if (merchant.webhooks_paused_at !== null) return { answer: { outcome: 'paused' }, writes: [] }
      const pending = webhooks.filter((webhook) => webhook !== null)
      return decideClaim(
        pending.filter(({ settled_at }) => settled_at === null),
        merchant,
        leaseMs,
        Math.max(at, now),
      )
    },
  })
  if (result.outcome === 'violated') throw new Error(`A claim violated ${result.constraint}.`)
  return result.answer
}

function decideClaim(
  pending: readonly Row<'webhooks'>[],
  merchant: Row<'parties'>,
  leaseMs: number,
  at: Instant,
): Decision<Claiming> {
  const { superseded, next } = turnOf(
    pending.map((webhook) => ({
      webhook,
      sequence: webhook.sequence,
      isFinal: webhook.is_final === 1,
      // A resend has its attempt again, and so has what died with its node, also before a final event.
      attempts: webhook.last_answer === lostAnswer ? 0 : webhook.attempts - webhook.attempts_before,
      isLeased: webhook.lease_until_at !== null,
    })),
  )
  const writes = superseded.map(({ webhook }) => supersede(webhook, at))
  const passed = new Set(superseded.map(({ webhook }) => webhook))
  const claimed = next !== null && next.webhook.due_at <= at ? next.webhook : null
  const front = next?.webhook ?? pending.find((webhook) => webhook.lease_until_at !== null)
  const frontDueAt = claimed ? at + leaseMs : Math.max(front?.due_at ?? at, at + leastPutOffMs)
  for (const webhook of pending) {
    if (webhook === front || passed.has(webhook) || webhook.due_at >= frontDueAt) continue
    writes.push({ update: 'webhooks', key: { id: webhook.id }, set: { due_at: frontDueAt } })
  }
  if (claimed === null) return { answer: { outcome: 'waiting', isNews: writes.length > 0 }, writes }
  const attempt = claimed.attempts + 1
  return {
    answer: {
      outcome: 'claimed',
      claim: {
        webhook: claimed,
        merchantName: merchant.name,
        attempt,
        startedAt: at,
        leaseUntilAt: frontDueAt,
        isAlone: pending.length === 1 && claimed.is_final === 1,
      },
    },
    writes: [...writes, ...beginAttempt(claimed, attempt, at, frontDueAt)],
  }
}

function beginAttempt(
  webhook: Row<'webhooks'>,
  attempt: number,
  at: Instant,
  leaseUntilAt: Instant,
): Write[] {
  const { id, first_attempt_at } = webhook
  const set = {
    attempts: attempt,
    first_attempt_at: first_attempt_at ?? at,
    last_attempt_at: at,
    lease_until_at: leaseUntilAt,
    due_at: leaseUntilAt,
  }
  return [
    { update: 'webhooks', key: { id }, set },
    {
      insert: 'webhook_attempts',
      values: { webhook_id: id, attempt, started_at: at, outcome: 'started' },
    },
  ]
}

function supersede({ id }: Row<'webhooks'>, at: Instant): Write {
  return { update: 'webhooks', key: { id }, set: { state: 'superseded', settled_at: at } }
}
