/** What parties of a sandbox send: protocol 18. */

import { faultLimits, receiverFaults } from '../../actors/sandbox/receiver-faults.ts'
import { simulatedSteps } from '../../actors/sandbox/steps.ts'
import { cursor, type FieldSchema, pageSize, type RequestSchema } from './field-schemas.ts'

const order = (description: string): FieldSchema => ({
  type: 'string',
  format: 'uuid',
  description,
  examples: ['0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'],
})

const whole = (description: string, example: number, minimum = 1): FieldSchema => ({
  type: 'integer',
  minimum,
  description,
  examples: [example],
})

export const sandboxSchemas = {
  requestList: {
    title: 'RequestListQuery',
    description: 'How many requests to list',
    type: 'object',
    properties: { limit: pageSize('How many requests; 100 when not sent, and at most', 100), cursor },
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
  fault: {
    title: 'FaultRequest',
    description: 'What is to go wrong with the next webhooks',
    type: 'object',
    properties: {
      fault: {
        type: 'string',
        enum: receiverFaults,
        description:
          '`status`, `redirect`, `hang`: your receiver is not asked; `delay`: it is asked late; `cut`: its answer is lost; `duplicate`: it ' +
          'is asked twice; `out_of_order`: an earlier webhook comes after this one; `bad_signature`: a wrong signature comes first',
        examples: ['duplicate'],
      },
      status: whole('Of `status` (503 when not sent) and `redirect` (302)', 503, 200),
      seconds: whole(`Of a \`delay\`, ${faultLimits.seconds} at most; 5 when not sent`, 5),
      order: order('Only with webhooks of this order; with all, and pings, when not sent'),
      deliveries: whole(`With how many deliveries, ${faultLimits.deliveries} at most; one when not sent`, 1),
    },
    required: ['fault'],
  },
  deliveryList: {
    title: 'DeliveryListQuery',
    description: 'Which deliveries to list',
    type: 'object',
    properties: {
      order: order('Only those of the order with this id'),
      limit: pageSize('How many deliveries a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
  arrivalList: {
    title: 'ArrivalListQuery',
    description: 'How much of the inbox to list',
    type: 'object',
    properties: {
      limit: pageSize('How many arrivals a page has; 100 when not sent, and at most', 100),
      cursor,
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>
