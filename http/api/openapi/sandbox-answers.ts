/** What is answered in a sandbox alone. */
import { orderStatuses } from '../../../machines/statuses.ts'
import { object, text } from './answer-fields.ts'

export const sandboxAnswers = {
  simulation: object('Simulation', 'What was simulated', {
    order: {
      ...text('The order’s id', '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'),
      format: 'uuid',
    },
    status: { ...text('The status of the order now', 'COMPLETED'), enum: orderStatuses },
    done: text('What was brought about, in its order', 'fund start confirm'),
  }),
} as const
