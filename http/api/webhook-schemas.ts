/** What merchants ask about their webhooks: protocol 6.8. */
import { webhookStates } from '../../actors/webhooks/operations.ts'
import { cursor, pageSize, type RequestSchema, time, url } from './field-schemas.ts'

export const webhookSchemas = {
  webhookList: {
    title: 'WebhookListQuery',
    description: 'Which webhooks of the merchant to list',
    type: 'object',
    properties: {
      state: {
        type: 'string',
        enum: webhookStates,
        description: 'Only those in this state',
        examples: ['dead'],
      },
      order: {
        type: 'string',
        format: 'uuid',
        description: 'Only those of the order with this id',
        examples: ['0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'],
      },
      limit: pageSize('How many webhooks a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
  webhookResends: {
    title: 'WebhookResendRequest',
    description: 'Dead letters to send again',
    type: 'object',
    properties: {
      since: time('Those that were given up then or later'),
      until: time('Those that were given up then or earlier; now when not sent'),
    },
    required: ['since'],
  },
  webhookPing: {
    title: 'WebhookPingRequest',
    description: 'A ping of a receiver',
    type: 'object',
    properties: { notify_url: url('Where it goes', 'https://shop.example/hooks/cash') },
    required: ['notify_url'],
  },
} as const satisfies Record<string, RequestSchema>
