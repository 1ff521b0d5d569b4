/** What is answered in a sandbox alone. */
import { orderStatuses } from '../../../machines/statuses.ts'
import type { RequestView } from '../sandbox-views.ts'
import { type AnswerField, object, schemaReference, text, time } from './answer-fields.ts'

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

export const sandboxAnswers = {
  request: object('LoggedRequest', 'A request of one of your keys', requestFields),
  requestPage: object('LoggedRequests', 'Requests of your keys, the newest first', {
    results: {
      type: 'array',
      description: 'At most `limit` requests',
      items: schemaReference('LoggedRequest'),
    },
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
