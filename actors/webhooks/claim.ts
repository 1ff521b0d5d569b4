/**
 * Claims one webhook for one attempt: a short step that counts the attempt, writes it down as started and takes
 * a lease. What is sent is sent after its commit.
 *
 * Only the webhook whose turn it is in its order is claimed: first in, first out, and a final event is never
 * hidden behind an earlier one that keeps failing (protocol 6.2). Those behind it are put off until it can be
 * tried, so that what is due never begins with what cannot be sent.
 */
import type { AttemptOutcome } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { pendingOfOrder } from '../../persistence/queries/webhooks.ts'
import { type Decision, type Row, rows, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import type { DueWebhook } from './lanes.ts'

/** One webhook that is neither delivered nor dead nor superseded, as far as its turn is concerned. */
export type PendingWebhook = Pick<
  Row<'webhooks'>,
  'sequence' | 'is_final' | 'attempts' | 'attempts_before' | 'last_answer' | 'lease_until_at'
>

export interface Turn<Webhook> {
  /** Had their attempt and stand before a final event: they are tried no more. */
  superseded: Webhook[]
  /** The one that may be tried once it is due; `null` while an attempt is under way, or when nothing waits. */
  next: Webhook | null
}

/** The last answer of a webhook whose attempt nobody has ended. */
const lostAnswer: AttemptOutcome = 'unknown'

/** Whose turn it is. @param pending all pending webhooks of one order */
export function turnOf<Webhook extends PendingWebhook>(pending: readonly Webhook[]): Turn<Webhook> {
  const inOrder = pending.toSorted((a, b) => a.sequence - b.sequence)
  const lastFinal = inOrder.findLast(({ is_final }) => is_final === 1)?.sequence ?? 0
  const superseded = inOrder.filter(
    (webhook) => webhook.lease_until_at === null && webhook.sequence < lastFinal && wasTried(webhook),
  )
  const first = inOrder.find((webhook) => !superseded.includes(webhook)) ?? null
  // Only one request of an order is under way at a time, or the receiver could see them in another order.
  const isBusy = inOrder.some(({ lease_until_at }) => lease_until_at !== null)
  return { superseded, next: isBusy ? null : first }
}

/** A resend has its attempt again, and so has what died with its node and may not have been sent. */
function wasTried({ attempts, attempts_before, last_answer }: PendingWebhook): boolean {
  return attempts > attempts_before && last_answer !== lostAnswer
}

/** An attempt under way. */
export interface OpenAttempt {
  webhook: Pick<Row<'webhooks'>, 'id' | 'order_id' | 'merchant_id' | 'attempts_before'>
  /** 1 = the first; goes on over resends. */
  attempt: number
  startedAt: Instant
  /** As long as this is the webhook's, nobody else has ended the attempt. */
  leaseUntilAt: Instant
  /** No other webhook of its order is pending, and none will follow. */
  isAlone: boolean
}

export interface Claim extends OpenAttempt {
  /** As it was read, before the attempt was counted. */
  webhook: Row<'webhooks'>
  merchantName: string
}

/** `waiting`: nothing of the order may be sent now, and what is due in its lane has changed. */
export type Claiming = Claim | 'waiting' | 'paused'

/** Behind an attempt that should have ended already, its end is waited for so long. */
const leastPutOffMs = 1000

/**
 * @param due one that is due; an earlier one of its order may go instead
 * @param now what is due by then may go, also when the time of steps stands still
 */
export async function claimWebhook(
  store: Store,
  due: DueWebhook,
  { merchantId, leaseMs, now }: { merchantId: string; leaseMs: number; now: Instant },
): Promise<Claiming> {
  // Nothing comes before the first of an order, and what comes after it falls due by itself; so does what is
  // written after this read.
  const found = due.isFirst ? [due] : await store.query(pendingOfOrder, { orderId: due.orderId })
  const keys = found.map(({ id }) => ({ id }))
  const result = await store.step({
    rows: { merchant: sharedRow('parties', { id: merchantId }), webhooks: rows('webhooks', keys) },
    decide: ({ merchant, webhooks }, at): Decision<Claiming> => {
      if (merchant === null) throw new Error(`The merchant ${merchantId} is gone.`)
      if (merchant.webhooks_paused_at !== null) return { answer: 'paused', writes: [] }
      const pending = webhooks
        .filter((webhook) => webhook !== null)
        .filter(({ settled_at }) => settled_at === null)
      return decideClaim(pending, merchant.name, leaseMs, Math.max(at, now))
    },
  })
  if (result.outcome === 'violated') throw new Error(`A claim violated ${result.constraint}.`)
  return result.answer
}

function decideClaim(
  pending: readonly Row<'webhooks'>[],
  merchantName: string,
  leaseMs: number,
  at: Instant,
): Decision<Claiming> {
  const { superseded, next } = turnOf(pending)
  const claimed = next !== null && next.due_at <= at ? next : null
  const front = next ?? pending.find(({ lease_until_at }) => lease_until_at !== null)
  const frontDueAt = claimed ? at + leaseMs : Math.max(front?.due_at ?? at, at + leastPutOffMs)
  const behind = pending.filter(
    (webhook) => webhook !== front && !superseded.includes(webhook) && webhook.due_at < frontDueAt,
  )
  const writes = [
    ...superseded.map(({ id }) => update(id, { state: 'superseded', settled_at: at })),
    ...behind.map(({ id }) => update(id, { due_at: frontDueAt })),
  ]
  if (claimed === null) return { answer: 'waiting', writes }
  const attempt = claimed.attempts + 1
  return {
    answer: {
      webhook: claimed,
      merchantName,
      attempt,
      startedAt: at,
      leaseUntilAt: frontDueAt,
      isAlone: pending.length === 1 && claimed.is_final === 1,
    },
    writes: [
      ...writes,
      update(claimed.id, {
        attempts: attempt,
        first_attempt_at: claimed.first_attempt_at ?? at,
        last_attempt_at: at,
        lease_until_at: frontDueAt,
        due_at: frontDueAt,
      }),
      {
        insert: 'webhook_attempts',
        values: { webhook_id: claimed.id, attempt, started_at: at, outcome: 'started' },
      },
    ],
  }
}

function update(id: string, set: Partial<Row<'webhooks'>>): Write {
  return { update: 'webhooks', key: { id }, set }
}
