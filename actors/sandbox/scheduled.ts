/** Simulations that are due later: a row is written with the order whose name asks for one, and a worker carries it out. */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { dueSimulations, nextSimulationDue, settleSimulation } from '../../persistence/queries/sandbox.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { Simulate, Simulated } from './simulating.ts'
import { readEnding, type SimulatedStep, simulatedSteps } from './steps.ts'

/** Written in the step that makes the order. */
export function simulationsOf({ id, merchant_order_id }: Row<'orders'>, at: Instant): Write[] {
  const asked = readEnding(merchant_order_id)
  return asked === null ? [] : [scheduled(id, asked.step, at + asked.delayMs)]
}

function scheduled(orderId: string, step: SimulatedStep, dueAt: Instant): Write {
  const values = { id: randomUUID(), order_id: orderId, step, due_at: dueAt, settled_at: null, outcome: null }
  return { insert: 'simulations', values }
}

const perPass = 64

/**
 * Carries out what is due, the longest due first. One that was cut off is carried out again, which does nothing twice: a
 * message that was taken is refused, and deposits have the simulation's name.
 */
export function createSimulationWork(options: {
  store: Pick<Store, 'query' | 'execute'>
  clock: { now(): Instant }
  simulate: Simulate
}): () => Promise<PassResult> {
  const { store, clock, simulate } = options
  return async () => {
    const due = await store.query(dueSimulations, { now: clock.now(), limit: perPass })
    for (const { id, order_id: orderId, step } of due) {
      const known = simulatedSteps.find((name) => name === step)
      const outcome = known ? outcomeOf(await simulate({ id, orderId, step: known })) : 'unknown step'
      await store.execute(settleSimulation, { id, at: clock.now(), outcome })
    }
    const [next] = await store.query(nextSimulationDue, { now: clock.now() })
    return { more: due.length === perPass, nextAt: next?.due_at ?? null, seen: { carriedOut: due.length } }
  }
}

function outcomeOf(ended: Simulated): string {
  if (ended.ok) return ended.status
  return ended.reason === 'refused' ? ended.why : ended.reason
}
