/**
 * Ends an attempt: what came of it is written down and decides what becomes of the webhook, in one step.
 *
 * A dead letter opens an exception in that step, and a resend that arrives resolves it (protocol 6.6).
 */
import { type RetryPolicy, verdicts } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { pendingOfOrder } from '../../persistence/queries/webhooks.ts'
import {
  type Decision,
  type Row,
  type RowRef,
  type RowRefs,
  row,
  rows,
  type Store,
} from '../../persistence/store.ts'
import { deadLetterId, openDeadLetter, resolveDeadLetter } from './dead-letters.ts'
import type { AttemptResult } from './sender.ts'
import { type Ending, endingOf } from './turn.ts'

/** An attempt under way. */
export interface OpenAttempt {
  webhookId: string
  orderId: string
  merchantId: string
  attempt: number
  startedAt: Instant
  /** As long as this is the webhook's, nobody else has ended the attempt. */
  leaseUntilAt: Instant
  /** Made before the last resend. */
  attemptsBefore: number
  /** No other webhook of its order is pending, and none will follow. */
  isAlone: boolean
}

export interface EndedAttempt extends OpenAttempt {
  result: Omit<AttemptResult, 'wasSent' | 'milliseconds'> & { milliseconds: number | null }
  /** What it was signed with; `null` when that is not known. */
  signed: { key: string; messageDate: string } | null
  /** What was sent in place of what is stored; `null` where that was sent. */
  body: string | null
  /** The time of its step may stand still, and would have it tried again at once. */
  endedAt: Instant
}

/** What became of the webhook; `null` when its attempt had been ended before. */
export type Settled = { ending: Ending; webhook: Row<'webhooks'> } | null

/** @param random from 0 to 1 */
export async function settleAttempt(
  store: Store,
  ended: EndedAttempt,
  policy: RetryPolicy,
  random: number,
): Promise<Settled> {
  const others = ended.isAlone ? [] : await store.query(pendingOfOrder, { orderId: ended.orderId })
  const step = await store.step({
    rows: rowsOf(
      ended,
      others.map(({ id }) => id),
    ),
    decide: (rows, stepAt): Decision<Settled> => {
      const { webhook, merchant, deadLetter } = rows
      const at = Math.max(stepAt, ended.endedAt)
      if (webhook === null || !holdsLease(webhook, ended)) return { answer: null, writes: [] }
      const waiting = rows.others
        .filter((other) => other !== null)
        .filter(({ id, settled_at }) => id !== webhook.id && settled_at === null)
      const ending = endingOf(
        {
          outcome: ended.result.outcome,
          retryAfter: ended.result.retryAfter,
          attempts: webhook.attempts - webhook.attempts_before,
          // While its merchant was paused it did not age.
          firstAttemptAt: Math.max(
            webhook.first_attempt_at ?? ended.startedAt,
            merchant?.webhooks_resumed_at ?? 0,
          ),
          startedAt: ended.startedAt,
          endedAt: at,
          isFinalWaiting: waiting.some((it) => it.is_final === 1 && it.sequence > webhook.sequence),
        },
        policy,
        random,
      )
      const settled = { ...webhook, ...columnsAfter(ending, ended, at) }
      const isDead = ending.state === 'dead'
      const isResolved = ending.state === 'delivered' && deadLetter?.state === 'open'
      return {
        answer: { ending, webhook: settled },
        writes: [
          endOfAttempt(ended, at),
          { update: 'webhooks', key: { id: webhook.id }, set: columnsAfter(ending, ended, at) },
          ...putOthers(waiting, ending, at),
          ...(isDead ? [openDeadLetter(settled, merchant, ending.reason, ended.result, at)] : []),
          ...(isResolved ? [resolveDeadLetter(deadLetter, at)] : []),
        ],
        wake: isDead || isResolved ? ['exceptions'] : [],
      }
    },
  })
  if (step.outcome === 'violated') throw new Error(`The end of an attempt violated ${step.constraint}.`)
  return step.answer
}

/**
 * Takes back a claim of which the receiver has seen nothing: the attempt does not count, and the webhook is due
 * again after `delayMs`.
 */
export async function handBack(
  store: Store,
  open: OpenAttempt,
  before: Pick<Row<'webhooks'>, 'first_attempt_at' | 'last_attempt_at'>,
  delayMs: number,
): Promise<void> {
  const { webhookId, attempt } = open
  const { first_attempt_at, last_attempt_at } = before
  await store.step({
    rows: { webhook: row('webhooks', { id: webhookId }) },
    decide: ({ webhook }, at): Decision<null> => {
      if (webhook === null || !holdsLease(webhook, open)) return { answer: null, writes: [] }
      const set = {
        attempts: attempt - 1,
        first_attempt_at,
        last_attempt_at,
        lease_until_at: null,
        due_at: at + delayMs,
      }
      return {
        answer: null,
        writes: [
          { update: 'webhooks', key: { id: webhookId }, set },
          { delete: 'webhook_attempts', key: { webhook_id: webhookId, attempt } },
        ],
      }
    },
  })
}

interface SettlingRows extends RowRefs {
  webhook: RowRef<'webhooks'>
  /** Not of one that is delivered. */
  merchant: RowRef<'parties'> | undefined
  /** The exception that its last end has opened; only after a resend. */
  deadLetter: RowRef<'exceptions'> | undefined
  others: readonly RowRef<'webhooks'>[]
}

function rowsOf(ended: EndedAttempt, otherIds: readonly string[]): SettlingRows {
  const { webhookId, merchantId, attemptsBefore } = ended
  const isDelivered = verdicts[ended.result.outcome] === 'delivered'
  return {
    others: rows(
      'webhooks',
      otherIds.map((id) => ({ id })),
    ),
    webhook: row('webhooks', { id: webhookId }),
    merchant: isDelivered ? undefined : row('parties', { id: merchantId }),
    deadLetter:
      attemptsBefore === 0 ? undefined : row('exceptions', { id: deadLetterId(webhookId, attemptsBefore) }),
  }
}

function holdsLease(webhook: Row<'webhooks'>, { attempt, leaseUntilAt }: OpenAttempt): boolean {
  return webhook.attempts === attempt && webhook.lease_until_at === leaseUntilAt
}

function endOfAttempt({ webhookId, attempt, result, signed }: EndedAttempt, at: Instant) {
  return {
    update: 'webhook_attempts',
    key: { webhook_id: webhookId, attempt },
    set: {
      ended_at: at,
      milliseconds: result.milliseconds,
      status: result.status,
      outcome: result.outcome,
      error: result.error,
      address: result.address,
      answer: result.answer,
      answer_bytes: result.answerBytes,
      is_cut: result.isCut ? 1 : 0,
      credential_key: signed?.key ?? null,
      message_date: signed?.messageDate ?? null,
    },
  } as const
}

function columnsAfter(ending: Ending, { result, body }: EndedAttempt, at: Instant) {
  const columns = {
    lease_until_at: null,
    last_answer: answerInWords(result),
    ...(body === null ? {} : { body }),
  }
  return ending.state === 'pending'
    ? { ...columns, due_at: ending.dueAt }
    : { ...columns, due_at: at, state: ending.state, settled_at: at }
}

/** `503`, or `timeout` where no answer counts. */
function answerInWords({ outcome, status }: EndedAttempt['result']): string {
  const isAnswer = outcome === 'acknowledged' || outcome === 'unavailable' || outcome === 'refused'
  return isAnswer && status !== null ? String(status) : outcome
}

/** The webhooks behind it wait as long as it does; the first of them is due once it is out of the way. */
function putOthers(waiting: readonly Row<'webhooks'>[], ending: Ending, at: Instant) {
  const dueAt = ending.state === 'pending' ? ending.dueAt : at
  // One that was tried since its last resend has its own time.
  const [first] = waiting
  const moved = ending.state === 'pending' ? waiting : first && first.lease_until_at === null ? [first] : []
  return moved
    .filter((it) => it.attempts === it.attempts_before && it.due_at !== dueAt)
    .map(({ id }) => ({ update: 'webhooks', key: { id }, set: { due_at: dueAt } }) as const)
}
