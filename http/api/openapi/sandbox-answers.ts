/** What is answered in a sandbox alone. */

import { receiverFaults } from '../../../actors/sandbox/receiver-faults.ts'
import { orderStatuses } from '../../../machines/statuses.ts'
import type { ArrivalView, DeliveryView, FaultView, GoLiveView, RequestView } from '../sandbox-views.ts'
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

const requestFields: Record<keyof RequestView, AnswerField> = {
  request_id: text('The Request-Id of its answer', '7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa'),
  at: time('When it was answered', '2026-03-01T12:05:00.000Z'),
  key: text('The key that it names', 'mk_test_3f2a63a4c1aa'),
  method: text('Its method', 'POST'),
  path: text('Its path, of codes the end alone', '/api/v1/merchants/orders/pay-out/'),
  status: count('What it was answered', 403),
  refused: maybe('Why its signature was refused, or `throttled`', 'signature'),
  milliseconds: count('How long that took', 12),
  body: maybe('The beginning of its body; of what was signed wrongly none', null),
  mistake: maybe('What its signer did', 'the path is signed without the slash at its end'),
  signed_string: maybe(
    'What has to be signed for it, up to the beginning of its body',
    'mk_test_3f2a63a4c1aa:1772366400.250:POST:/api/v1/merchants/orders/pay-out/:{"price":"1.00"}',
  ),
  differs_at: {
    type: ['integer', 'null'],
    description: 'The first byte, from 0 on, in which what was signed differs from that, where it is known',
    examples: [66],
  },
  clock_offset: maybe('Message-Date minus the clock of this node', '0.3 s'),
}

const uuid = (description: string): AnswerField => ({
  ...text(description, '7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa'),
  format: 'uuid',
})
const maybeCount = (description: string, example: number | null): AnswerField => ({
  type: ['integer', 'null'],
  description,
  examples: [example],
})
const flag = (description: string, example: boolean): AnswerField => ({
  type: 'boolean',
  description,
  examples: [example],
})
const orderOf = maybe(
  'Id of the order that it tells of; null for a ping',
  '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10',
)
const orderStatus = maybe('The status that it tells', 'COMPLETED')

const faultFields: Record<keyof FaultView, AnswerField> = {
  id: uuid('What it is removed by'),
  fault: { ...text('What is to go wrong', 'duplicate'), enum: receiverFaults },
  status: maybeCount('Of `status` and `redirect`', null),
  seconds: maybeCount('Of a `delay`', null),
  order: maybe('Only with webhooks of this order', null),
  deliveries: count('With how many deliveries, still', 1),
  created: time('When it was asked for', '2026-03-01T12:05:00.000Z'),
  created_by: text('`merchant`, or the operator who has asked for it', 'merchant'),
}

const deliveryFields: Record<keyof DeliveryView, AnswerField> = {
  id: uuid('Its id'),
  webhook_id: uuid('The Webhook-Id'),
  order: orderOf,
  order_status: orderStatus,
  attempt: count('Webhook-Attempt', 1),
  sent: time('When it ended', '2026-03-01T12:05:00.000Z'),
  notify_url: { ...text('Where it went', 'https://shop.example/hooks/cash'), format: 'uri' },
  headers: text('The headers that were added to it as sent, a line each', 'Webhook-Attempt: 1'),
  body: maybe('The body; null once it was removed', '{"id":"…"}'),
  fault: maybe('What was made to go wrong', 'duplicate'),
  was_sent: flag('Your receiver may have seen it', true),
  outcome: text('As of an attempt', 'acknowledged'),
  status: maybeCount('The HTTP status, where one came', 200),
  error: maybe('Why there is no answer, or the fault', null),
  milliseconds: count('How long it took', 42),
  answer: maybe('The beginning of what came back', 'ok'),
  verdict: maybe(
    'What your inbox has found: `verified`, or what is wrong; null of other receivers',
    'verified',
  ),
}

const arrivalFields: Record<keyof ArrivalView, AnswerField> = {
  id: uuid('Its id'),
  received: time('When it came', '2026-03-01T12:05:00.000Z'),
  webhook_id: maybe('The Webhook-Id that it says', '7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa'),
  attempt: maybe('The Webhook-Attempt that it says', '1'),
  order: orderOf,
  order_status: orderStatus,
  is_verified: flag('Its signature is right', true),
  problem: maybe('What is wrong with its signature', null),
  is_standard: flag('It was signed by Standard Webhooks, too, and rightly', false),
  bytes: count('How long its body was', 412),
  body: maybe(
    'The body of the webhook; null of what was not verified, of a ping, and once it was removed',
    '{"id":"…"}',
  ),
}

const goLiveFields: Record<keyof GoLiveView, AnswerField> = {
  step: text('Its name', 'webhook_verified'),
  what: text('What it is', 'A webhook arrived, and its signature was verified'),
  how: text('How it is done', 'GET /sandbox/inbox/ has a notify_url for it'),
  done: maybe('When it was done first; null for never', '2026-03-01T12:05:00.000Z'),
  evidence: maybe('By what it was seen', 'request 7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa'),
}

const listOf = (description: string, name: string): AnswerField => ({
  type: 'array',
  description,
  items: schemaReference(name),
})

export const sandboxAnswers = {
  request: object('LoggedRequest', 'A request of one of your keys', requestFields),
  requestPage: object('LoggedRequests', 'Requests of your keys, the newest first', {
    results: {
      type: 'array',
      description: 'At most `limit` requests',
      items: schemaReference('LoggedRequest'),
    },
    next: cursorOfNext,
  }),
  fault: object('Fault', 'What is to go wrong with webhooks', faultFields),
  faultList: object('Faults', 'What is to go wrong with your webhooks', {
    results: listOf('The newest first', 'Fault'),
  }),
  delivery: object('Delivery', 'A request to one of your receivers', deliveryFields),
  deliveryPage: object('DeliveryPage', 'One page of requests to your receivers, the newest first', {
    results: listOf('At most `limit` of them', 'Delivery'),
    next: cursorOfNext,
  }),
  arrival: object('Arrival', 'What came to your inbox', arrivalFields),
  inbox: object('Inbox', 'Your inbox, and one page of what came there, the newest first', {
    notify_url: {
      ...text(
        'Your inbox: give it as notify_url',
        'https://sandbox.example/sandbox/inbox/AZyl5uM3cAC2xV9oQ0Rk1J4m7aXn2pS8tYw3uFhKc0E',
      ),
      format: 'uri',
    },
    results: listOf('At most `limit` of them', 'Arrival'),
    next: cursorOfNext,
  }),
  goLiveStep: object('GoLiveStep', 'What an integration has to have done', goLiveFields),
  goLive: object('GoLive', 'What your integration has done, and what it has not', {
    done: count('How many steps it has done', 5),
    open: count('How many it has not', 7),
    results: listOf('All of them, in the order in which they are done best', 'GoLiveStep'),
  }),
  simulation: object('Simulation', 'What was simulated', {
    order: {
      ...text('The order’s id', '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'),
      format: 'uuid',
    },
    status: { ...text('The status of the order now', 'COMPLETED'), enum: orderStatuses },
    done: text('What was brought about, in its order', 'fund start confirm'),
  }),
} as const
