/** What is answered about a merchant's webhooks. */
import { webhookStates } from '../../../actors/webhooks/operations.ts'
import { orderStatuses } from '../../../machines/statuses.ts'
import type { AttemptView, PingView, WebhookView } from '../webhook-views.ts'
import { type AnswerField, cursorOfNext, object, schemaReference, text, time } from './answer-fields.ts'

const maybe = (description: string, example: string | null): AnswerField => ({
  type: ['string', 'null'],
  description,
  examples: [example],
})
const count = (description: string, example: number): AnswerField => ({
  type: 'integer',
  description,
  examples: [example],
})
const status: AnswerField = {
  type: ['integer', 'null'],
  description: 'The HTTP status, where one came',
  examples: [200],
}
const uuid = (description: string): AnswerField => ({
  ...text(description, '7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa'),
  format: 'uuid',
})
const notifyUrl: AnswerField = { ...text('Where it goes', 'https://shop.example/hooks/cash'), format: 'uri' }
const answer = maybe('The beginning of the body that came back', 'ok')
const error = maybe('Why there is no answer', null)
const outcome = text(
  '`acknowledged` (200 or 201), `unavailable` (5xx, 408, 429), `refused` (any other status), `timeout`, `connection`, `dns`, ' +
    '`tls`, `forbidden` (no public address), `unknown`; `started` while it is under way',
  'acknowledged',
)

const webhookFields: Record<keyof WebhookView, AnswerField> = {
  id: uuid('The Webhook-Id, the same over all attempts'),
  order: uuid('Id of the order that it tells of'),
  sequence: count('Webhook-Sequence: counts the webhooks of an order, from 1', 1),
  status: { ...text('The status of the order that it tells', 'COMPLETED'), enum: orderStatuses },
  notify_url: notifyUrl,
  state: {
    ...text('`dead`: given up; `superseded`: a final one went out before it', 'delivered'),
    enum: webhookStates,
  },
  attempts: count('How many were made', 1),
  last_answer: maybe('What the last attempt ended with: a status, or why there was none', '200'),
  created: time('When what it tells happened', '2026-03-01T12:05:00.000Z'),
  due: maybe('When it may be tried next; null once it is settled', null),
  settled: maybe('When it was delivered or given up', '2026-03-01T12:05:00.420Z'),
}

const attemptFields: Record<keyof AttemptView, AnswerField> = {
  attempt: count('Webhook-Attempt: 1 for the first', 1),
  started: time('When it began', '2026-03-01T12:05:00.100Z'),
  ended: maybe('When it ended; null while it is under way', '2026-03-01T12:05:00.420Z'),
  outcome,
  status,
  error,
  milliseconds: { type: ['integer', 'null'], description: 'How long it took', examples: [320] },
  answer,
  is_cut: { type: 'boolean', description: 'More came back than what was read', examples: [false] },
  key: maybe('The key that it was signed with', 'mk_shop'),
  message_date: maybe('The Message-Date that it was signed for', '1772366700.100'),
}

const pingFields: Record<keyof PingView, AnswerField> = {
  webhook_id: uuid('Its Webhook-Id'),
  notify_url: notifyUrl,
  key: text('The key that it was signed with', 'mk_shop'),
  outcome,
  status,
  error,
  milliseconds: count('How long it took', 320),
  answer,
}

export const webhookAnswers = {
  webhook: object('Webhook', 'A webhook of the merchant', webhookFields),
  webhookAttempt: object('WebhookAttempt', 'An attempt to deliver a webhook', attemptFields),
  webhookDetails: object('WebhookDetails', 'A webhook with its body and every attempt', {
    ...webhookFields,
    body: maybe('The exact text that is sent; null once it was removed for its age', '{"id":"…"}'),
    history: {
      type: 'array',
      description: 'Every attempt, the first one first',
      items: schemaReference('WebhookAttempt'),
    },
  }),
  webhookPage: object('WebhookPage', 'One page of webhooks, the newest first', {
    results: { type: 'array', description: 'At most `limit` webhooks', items: schemaReference('Webhook') },
    next: cursorOfNext,
  }),
  webhookResends: object('WebhookResends', 'What is sent again', {
    resent: count('How many are sent again', 12),
    has_more: { type: 'boolean', description: 'There may be more of them: ask again', examples: [false] },
  }),
  webhookPing: object('WebhookPing', 'What came of a ping', pingFields),
} as const
