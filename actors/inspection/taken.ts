/** Which transition of a chart an event takes in a state, and what each guard that it asks says there: for people, who look at it later. */
import type { AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate'
import { guardText, outlinedTransitions } from './chart-outline.ts'

export interface AskedGuard {
  /** As it is written: `holdsLock && !isLocked`. */
  guard: string
  /** Where it would lead: a state. */
  to: string
  /** `null` where it cannot be told. */
  passes: boolean | null
}

export interface Taken {
  /** Its place among the chart's transitions, as they are drawn; `null` where none was taken. */
  transition: number | null
  /** Of the transitions that the event could take there, in their order. */
  guards: AskedGuard[]
}

export function takenBy(
  chart: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: { type: string },
): Taken {
  const [taken] = chart.getTransitionData(snapshot, event)
  const all = outlinedTransitions(chart)
  const index = all.findIndex(({ definition }) => definition === taken)
  const isHere = ({ source }: AnyTransitionDefinition) => snapshot._nodes.includes(source)
  const guards = all
    .map(({ definition }) => definition)
    .filter((definition) => definition.eventType === event.type && isHere(definition))
    .filter(({ guard }) => guard !== undefined)
    .map((definition) => ({
      guard: guardText(definition.guard),
      to: definition.target?.[0]?.key ?? definition.source.key,
      passes: passes(chart, definition.guard, snapshot, event),
    }))
  return { transition: index === -1 ? null : index, guards }
}

/** As XState asks it; a function that has no name says nothing. */
function passes(
  chart: AnyStateMachine,
  guard: unknown,
  snapshot: AnyMachineSnapshot,
  event: { type: string },
): boolean | null {
  if (typeof guard === 'function' && 'guards' in guard && Array.isArray(guard.guards)) {
    const parts = guard.guards.map((part: unknown) => passes(chart, part, snapshot, event))
    if (parts.includes(null)) return null
    if (guard.name === 'not') return parts[0] === false
    return guard.name === 'or' ? parts.includes(true) : !parts.includes(false)
  }
  const name = typeof guard === 'string' ? guard : typeOf(guard)
  const known = name === null ? undefined : chart.implementations.guards[name]
  if (typeof known !== 'function') return null
  const { context } = snapshot
  const params = paramsOf(guard, { context, event })
  return Boolean((known as (scope: object, params: unknown) => unknown)({ context, event }, params))
}

function typeOf(guard: unknown): string | null {
  return typeof guard === 'object' && guard !== null && 'type' in guard ? String(guard.type) : null
}

function paramsOf(guard: unknown, scope: object): unknown {
  if (typeof guard !== 'object' || guard === null || !('params' in guard)) return undefined
  return typeof guard.params === 'function' ? guard.params(scope) : guard.params
}
