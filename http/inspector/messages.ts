/**
 * The messages of @statelyai/inspect 0.7, spoken by ourselves: its own server helper listens on every interface, asks
 * nobody where they come from, and loses ids. An order is an actor; so is whoever speaks to it.
 */

import type { ReplayStep } from '../../actors/inspection/replay.ts'
import type { WorkerState } from '../../actors/inspection/workers.ts'

/** Of the protocol; its receivers compare it. */
const version = '0.7.2'

export interface InspectMessage {
  type: '@xstate.actor' | '@xstate.event' | '@xstate.snapshot'
  [member: string]: unknown
}

interface Placed {
  sessionId: string
  at: number
}

const common = ({ sessionId, at }: Placed) => ({
  rootId: sessionId,
  sessionId,
  createdAt: String(at),
  id: null,
  _version: version,
})

export function actorMessage(
  placed: Placed,
  name: string,
  definition: unknown,
  snapshot: unknown,
): InspectMessage {
  return {
    type: '@xstate.actor',
    name,
    definition: JSON.stringify(definition),
    parentId: undefined,
    snapshot,
    ...common(placed),
  }
}

/** What a step of an order is: somebody tells it an event, and it is in a state after it. */
export function stepMessages(orderId: string, step: ReplayStep): InspectMessage[] {
  const placed = { sessionId: orderId, at: Date.parse(step.at) }
  const event = { type: step.event, ...(step.outcome === 'accepted' ? {} : { refused: step.outcome }) }
  return [
    { type: '@xstate.event', event, sourceId: step.actor, ...common(placed) },
    { type: '@xstate.snapshot', event, snapshot: snapshotOf(step), ...common(placed) },
  ]
}

export function snapshotOf({ value, context }: ReplayStep): object {
  const status = typeof value === 'string' ? 'done' : 'active'
  return { status, value, context, children: {}, historyValue: {} }
}

export function workerSnapshot({ state, failures, seen }: WorkerState): object {
  return { status: state === 'stopped' ? 'done' : 'active', value: state, context: { failures, seen } }
}

export function workerMessage(worker: WorkerState, at: number): InspectMessage {
  const snapshot = workerSnapshot(worker)
  const placed = { sessionId: `worker:${worker.name}`, at }
  return { type: '@xstate.snapshot', event: { type: 'pass' }, snapshot, ...common(placed) }
}
