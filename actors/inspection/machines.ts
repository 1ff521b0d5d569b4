/** What there is to look at: the charts of the orders, of payments, claims and approvals, and the worker that all workers are. */
import type { AnyStateMachine } from 'xstate'
import { storedCharts } from '../../machines/index.ts'
import { worker } from '../foundation/worker.ts'

export const drawnMachines: Readonly<Record<string, AnyStateMachine>> = { ...storedCharts, worker }

/** Each chart's definition as data: functions by their names, as the official inspector has them. */
export function chartDefinitions(): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(drawnMachines).map(([name, { config }]) => [
      name,
      JSON.parse(JSON.stringify(config, withNames)),
    ]),
  )
}

function withNames(_key: string, value: unknown): unknown {
  return typeof value === 'function' ? { type: value.name } : value
}
