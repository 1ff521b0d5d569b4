/** What an operator of a sandbox may simulate. */
import { choice } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { findOrder, type OrderContext, orderId } from '../orders/operations.ts'
import type { SandboxParts } from './parts.ts'
import type { Simulate } from './simulating.ts'
import { simulatedSteps, stepTexts } from './steps.ts'

export interface SandboxContext extends OrderContext {
  /** `null` in production. */
  simulate: Simulate | null
  /** `null` in production. */
  sandbox: SandboxParts | null
}

export interface SimulatedDocument {
  order: string
  status: string
  /** What was brought about, in its order. */
  done: readonly string[]
}

/** For sandboxes only. */
export const sandboxSimulate = defineOperation({
  name: 'sandbox.simulate',
  summary: 'Simulate what happens to an order, through the code of real lives (sandbox only).',
  examples: ['sandbox simulate 0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10 confirm'],
  done: 'It is simulated.',
  fields: {
    id: orderId,
    step: choice(simulatedSteps, { form: { label: 'What happens', choices: stepTexts } }),
  },
  arguments: ['id', 'step'],
  isRead: false,
  concluded: ({ done, status }: SimulatedDocument) => `${done.join(', ')}: ${status}`,
  async run(context: SandboxContext, { id, step }): Promise<SimulatedDocument> {
    const { simulate } = context
    if (simulate === null) throw new OperationError('refused', 'Nothing is simulated in production.')
    const order = await findOrder(context, id)
    const simulated = await simulate({ orderId: order.id, step })
    if (simulated.ok) return { order: order.id, status: simulated.status, done: simulated.done }
    if (simulated.reason === 'refused') throw new OperationError('refused', simulated.why)
    throw new OperationError('not_found', `There is no order ${id}.`)
  },
})
