/**
 * How long the steps of orders take, from being asked for until their commit is durable, by event and outcome.
 *
 * It costs a step two looks at a clock and one addition: the store knows nothing of it.
 */
import { Histogram, type Registry } from 'prom-client'
import type { Core } from '../core.ts'

/** Upper ends in seconds: from a commit of a disk that keeps its word by battery, to what nobody waits for. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Orders = Pick<Core, 'orders'>

/** @returns the same, with orders whose steps are timed */
export function timeOrderSteps<Timed extends Orders>(core: Timed, registry: Registry): Timed {
  const durations = new Histogram({
    name: 'ventanilla_order_step_duration_seconds',
    help: 'Time of an order’s step until its commit is durable, in seconds, by event and outcome.',
    labelNames: ['event', 'outcome'],
    buckets,
    registers: [registry],
  })

  async function timed<Result>(
    event: string,
    step: Promise<Result>,
    outcomeOf: (result: Result) => string,
  ): Promise<Result> {
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      const result = await step
      outcome = outcomeOf(result)
      return result
    } finally {
      durations.observe({ event, outcome }, (performance.now() - startedAt) / 1000)
    }
  }

  const { orders } = core
  return {
    ...core,
    orders: {
      ...orders,
      create: (...asked) => timed('order.create', orders.create(...asked), outcomeIn),
      tell: (message) => timed(message.type, orders.tell(message), outcomeIn),
      fund: (waiting) => timed('funds.reserve', orders.fund(waiting), (outcome) => outcome),
      expire: (orderId) => timed('order.expire', orders.expire(orderId), () => 'committed'),
    },
  }
}

function outcomeIn({ outcome }: { outcome: string }): string {
  return outcome
}
