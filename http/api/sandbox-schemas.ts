/** What parties of a sandbox send: protocol 18. */
import { simulatedSteps } from '../../actors/sandbox/steps.ts'
import { pageSize, type RequestSchema } from './field-schemas.ts'

export const sandboxSchemas = {
  requestList: {
    title: 'RequestListQuery',
    description: 'How many requests to list',
    type: 'object',
    properties: { limit: pageSize('How many requests; 100 when not sent, and at most', 100) },
    required: [],
  },
  simulation: {
    title: 'SimulationRequest',
    description: 'What happens to an order of a sandbox',
    type: 'object',
    properties: {
      step: {
        type: 'string',
        enum: simulatedSteps,
        description: 'What happens; deposits and outages of rates are of orders in foreign currency',
        examples: ['confirm'],
      },
    },
    required: ['step'],
  },
} as const satisfies Record<string, RequestSchema>
