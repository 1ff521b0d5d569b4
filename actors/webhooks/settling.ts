/**
 * Ends an attempt: what came of it is written down and decides what becomes of the webhook, in one step.
 *
 * The back-off of one that failed is in `machines/retry.ts` (protocol 6.3). A dead letter opens an
 * exception in that step, and a resend that ends resolves it (protocol 6.6).
 */
import {
  type AttemptOutcome,
  type EndedAttempt as EndedTry,
  nextAttemptAt,
  type RetryPolicy,
  verdicts,
} from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { pendingOfOrder } from '../../persistence/queries/webhooks.ts'
import { type Decision, type Row, row, rows, type Store } from '../../persistence/store.ts'
import type { Claim, OpenAttempt } from './claim.ts'
import { type DeathReason, deadLetterId, openDeadLetter, resolveDeadLetter } from './dead-letters.ts'
import type { AttemptResult } from './sender.ts'

export type Ending =
  | { state: 'delivered' | 'superseded' }
  | { state: 'dead'; reason: DeathReason }
  | { state: 'pending'; dueAt: Instant }

/**
 * What becomes of a webhook after an attempt.
 *
 * @param ended its attempts counted from the first, or from the operator's last resend
 * @param isFinalWaiting a later event of the order is final and waits
 * @param random from 0 to 1
 */
export function endingOf(
  ended: EndedTry & { outcome: AttemptOutcome; isFinalWaiting: boolean },
  policy: RetryPolicy,
  random: number,
): Ending {
  switch (verdicts[ended.outcome]) {
    case 'delivered':
      return { state: 'delivered' }
    case 'dead':
      return { state: 'dead', reason: 'refused' }
    case 'retry': {
      // What may not have been sent has not had its attempt.
      if (ended.isFinalWaiting && ended.outcome !== 'unknown') return { state: 'superseded' }
      const dueAt = nextAttemptAt(policy, ended, random)
      return dueAt === null ? { state: 'dead', reason: 'given_up' } : { state: 'pending', dueAt }
    }
  }
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
  const { id, order_id, merchant_id, attempts_before } = ended.webhook
  const others = ended.isAlone ? [] : await store.query(pendingOfOrder, { orderId: order_id })
  const isDelivered = verdicts[ended.result.outcome] === 'delivered'
  const isResend = attempts_before > 0
  const step = await store.step({
    rows: {
      others: rows(
        'webhooks',
        others.map((other) => ({ id: other.id })),
      ),
      webhook: row('webhooks', { id }),
      merchants: rows('parties', isDelivered ? [] : [{ id: merchant_id }]),
      // The exception that its last end has opened.
      deadLetters: rows('exceptions', isResend ? [{ id: deadLetterId(id, attempts_before) }] : []),
    },
    decide: ({ others, webhook, merchants, deadLetters }, stepAt): Decision<Settled> => {
      const at = Math.max(stepAt, ended.endedAt)
      if (webhook === null || !holdsLease(webhook, ended)) return { answer: null, writes: [] }
      const [merchant = null] = merchants
      const [deadLetter = null] = deadLetters
      const waiting = others
        .filter((other) => other !== null)
        .filter((other) => other.id !== id && other.settled_at === null)
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
      const set = columnsAfter(ending, ended, at)
      const settled = { ...webhook, ...set }
      const isDead = ending.state === 'dead'
      const resolved =
        deadLetter?.state === 'open' && (ending.state === 'delivered' || ending.state === 'dead')
          ? [resolveDeadLetter(deadLetter, ending.state, at)]
          : []
      return {
        answer: { ending, webhook: settled },
        writes: [
          endOfAttempt(ended, at),
          { update: 'webhooks', key: { id }, set },
          ...(ended.result.writes ?? []),
          ...putOthers(waiting, ending, at),
          ...(isDead ? [openDeadLetter(settled, merchant, ending.reason, ended.result, at)] : []),
          ...resolved,
        ],
        wake: isDead || resolved.length > 0 ? ['exceptions'] : [],
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
export async function handBack(store: Store, claim: Claim, delayMs: number): Promise<void> {
  const { attempt, webhook: before } = claim
  const { id, attempts, first_attempt_at, last_attempt_at } = before
  await store.step({
    rows: { webhook: row('webhooks', { id }) },
    decide: ({ webhook }, at): Decision<null> => {
      if (webhook === null || !holdsLease(webhook, claim)) return { answer: null, writes: [] }
      const taken = { attempts, first_attempt_at, last_attempt_at }
      const set = { ...taken, lease_until_at: null, due_at: at + delayMs }
      return {
        answer: null,
        writes: [
          { update: 'webhooks', key: { id }, set },
          { delete: 'webhook_attempts', key: { webhook_id: id, attempt } },
        ],
      }
    },
  })
}

function holdsLease(webhook: Row<'webhooks'>, { attempt, leaseUntilAt }: OpenAttempt): boolean {
  return webhook.attempts === attempt && webhook.lease_until_at === leaseUntilAt
}

function endOfAttempt({ webhook, attempt, result, signed }: EndedAttempt, at: Instant) {
  return {
    update: 'webhook_attempts',
    key: { webhook_id: webhook.id, attempt },
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
