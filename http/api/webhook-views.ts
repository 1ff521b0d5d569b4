/** What merchants see of their webhooks: protocol 6.8. */
import type { WebhookColumns } from '../../actors/webhooks/operations.ts'
import type { OwnWebhook } from '../../actors/webhooks/own-webhooks.ts'
import type { Pinged } from '../../actors/webhooks/ping.ts'
import { formatInstant } from '../../machines/time.ts'

export interface WebhookView {
  id: string
  order: string
  sequence: number
  status: string
  notify_url: string
  state: string
  attempts: number
  last_answer: string | null
  created: string
  due: string | null
  settled: string | null
}

export interface AttemptView {
  attempt: number
  started: string
  ended: string | null
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number | null
  answer: string | null
  is_cut: boolean
  key: string | null
  message_date: string | null
}

export interface PingView {
  webhook_id: string
  notify_url: string
  key: string
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number
  answer: string | null
}

export function viewOfWebhook(webhook: WebhookColumns): WebhookView {
  return {
    id: webhook.id,
    order: webhook.order_id,
    sequence: webhook.sequence,
    status: webhook.order_status,
    notify_url: webhook.url,
    state: webhook.state,
    attempts: webhook.attempts,
    last_answer: webhook.last_answer,
    created: formatInstant(webhook.created_at),
    due: webhook.settled_at === null ? formatInstant(webhook.due_at) : null,
    settled: webhook.settled_at === null ? null : formatInstant(webhook.settled_at),
  }
}

export function viewOfOwnWebhook({ webhook, attempts }: OwnWebhook): object {
  return {
    ...viewOfWebhook(webhook),
    body: webhook.pruned_at === null ? webhook.body : null,
    history: attempts.map(viewOfAttempt),
  }
}

function viewOfAttempt(attempt: OwnWebhook['attempts'][number]): AttemptView {
  return {
    attempt: attempt.attempt,
    started: formatInstant(attempt.started_at),
    ended: attempt.ended_at === null ? null : formatInstant(attempt.ended_at),
    outcome: attempt.outcome,
    status: attempt.status,
    error: attempt.error,
    milliseconds: attempt.milliseconds,
    answer: attempt.answer,
    is_cut: attempt.is_cut === 1,
    key: attempt.credential_key,
    message_date: attempt.message_date,
  }
}

export function viewOfPing(pinged: Pinged, url: string): PingView {
  const { id, key, outcome, status, error, milliseconds, answer } = pinged
  return { webhook_id: id, notify_url: url, key, outcome, status, error, milliseconds, answer }
}
