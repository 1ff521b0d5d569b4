/**
 * Whose turn it is among one order's webhooks, and what becomes of one after an attempt: first in, first out,
 * and a final event is never hidden behind an earlier one that keeps failing (protocol 6.2).
 */
import { type AttemptOutcome, nextAttemptAt, type RetryPolicy, verdicts } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'

/** One webhook that is neither delivered nor dead nor superseded. */
export interface PendingWebhook {
  sequence: number
  isFinal: boolean
  /** 0 also when it is not known whether the last one was sent at all: then it has its attempt again. */
  attempts: number
  /** An attempt is under way. */
  isLeased: boolean
}

export interface Turn<W extends PendingWebhook> {
  /** Had their attempt and stand before a final event: they are tried no more. */
  superseded: W[]
  /** The one that may be tried once it is due; `null` while an attempt is under way, or when nothing waits. */
  next: W | null
}

/** @param pending all pending webhooks of one order */
export function turnOf<W extends PendingWebhook>(pending: readonly W[]): Turn<W> {
  const inOrder = pending.toSorted((a, b) => a.sequence - b.sequence)
  const lastFinal = inOrder.findLast(({ isFinal }) => isFinal)
  const isPassed = (webhook: W) =>
    lastFinal !== undefined && webhook.sequence < lastFinal.sequence && webhook.attempts > 0
  const superseded = inOrder.filter((webhook) => !webhook.isLeased && isPassed(webhook))
  const first = inOrder.find((webhook) => !superseded.includes(webhook)) ?? null
  // Only one request of an order is under way at a time, or the receiver could see them in another order.
  const isBusy = inOrder.some(({ isLeased }) => isLeased)
  return { superseded, next: isBusy ? null : first }
}

export type Ending =
  | { state: 'delivered' | 'superseded' }
  /** `reason` tells the operator why: refused at once, or given up after all attempts. */
  | { state: 'dead'; reason: 'refused' | 'given_up' }
  | { state: 'pending'; dueAt: Instant }

export interface EndedTry {
  outcome: AttemptOutcome
  retryAfter: string | null
  /** Counted from the first attempt, or from the operator's last resend. */
  attempts: number
  firstAttemptAt: Instant
  startedAt: Instant
  endedAt: Instant
  /** A later event of the order is final and waits. */
  isFinalWaiting: boolean
}

/** What becomes of a webhook after an attempt. @param random from 0 to 1 */
export function endingOf(ended: EndedTry, policy: RetryPolicy, random: number): Ending {
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
