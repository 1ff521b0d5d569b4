/** What merchants are told: protocol 6. */

import type { Part } from '../operation.ts'
import { type AnswerSchema, schemaReference } from './answer-fields.ts'
import { webhookSchemas } from './answers.ts'
import { webhookHeaderTexts, webhookText } from './texts.ts'

const parameters = Object.entries(webhookHeaderTexts).map(([name, { description, example }]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

const responses = {
  '200': { description: 'Acknowledged' },
  '201': { description: 'Acknowledged' },
  '408': { description: 'It is sent again' },
  '429': { description: 'It is sent again' },
  '4XX': { description: 'The attempts end, and the operator gets in touch' },
  '5XX': { description: 'It is sent again' },
}

function webhook(operationId: string, summary: string, schema: AnswerSchema, status: string): Part {
  const example = Object.entries(schema.properties).map(([name, field]) => [name, field.examples?.[0]])
  const told = { status, paid: status === 'COMPLETED' ? '2026-03-01T12:05:00.000Z' : null }
  return {
    post: {
      operationId,
      summary,
      description: webhookText,
      tags: ['webhook'],
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaReference(schema.title),
            example: { ...Object.fromEntries(example), ...told },
          },
        },
      },
      responses,
    },
  }
}

export const webhooks: Readonly<Record<string, Part>> = {
  payOutChanged: webhook(
    'payOutChanged',
    'A pay-out was completed, cancelled, or has expired',
    webhookSchemas.payOutWebhook,
    'COMPLETED',
  ),
  payInChanged: webhook(
    'payInChanged',
    'A pay-in was completed, cancelled, or has expired',
    webhookSchemas.payInWebhook,
    'COMPLETED',
  ),
}
