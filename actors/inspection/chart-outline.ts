/** A chart as states and transitions, whatever draws them. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

export interface OutlinedState {
  /** Unique in the chart: `payIn.open.READY`. */
  id: string
  label: string
  isFinal: boolean
  /** The id of the state it begins in; `null` where it has none within it. */
  initial: string | null
  entry: readonly string[]
  exit: readonly string[]
  children: readonly OutlinedState[]
}

export interface OutlinedTransition {
  from: string
  to: string
  /** `payment.start`; `after …` for a delay, '' where it is taken at once. */
  event: string
  /** As it is written: `holdsLock && !isLocked`. */
  guard: string
  actions: readonly string[]
}

export interface ChartOutline {
  root: OutlinedState
  transitions: readonly OutlinedTransition[]
}

/** Every transition of a chart in the order in which they are outlined and drawn: state by state, those taken at once last. */
export function outlinedTransitions(
  chart: AnyStateMachine,
): { node: AnyStateNode; event: string; definition: AnyTransitionDefinition }[] {
  const visit = (node: AnyStateNode): ReturnType<typeof outlinedTransitions> => [
    ...[...node.transitions].flatMap(([event, candidates]) =>
      candidates.map((definition) => ({ node, event: eventName(event), definition })),
    ),
    ...(node.always ?? []).map((definition) => ({ node, event: '', definition })),
    ...Object.values(node.states).flatMap(visit),
  ]
  return visit(chart.root)
}

export function outlineOf(chart: AnyStateMachine): ChartOutline {
  const transitions = outlinedTransitions(chart).map(
    ({ node, event, definition: { target, guard, actions } }): OutlinedTransition => ({
      from: node.id,
      to: target?.[0]?.id ?? node.id,
      event,
      guard: guardText(guard),
      actions: namesOf(actions),
    }),
  )
  const visit = (node: AnyStateNode): OutlinedState => {
    return {
      id: node.id,
      label: node.key,
      isFinal: node.type === 'final',
      initial: node.initial.target?.[0]?.id ?? null,
      entry: namesOf(node.entry),
      exit: namesOf(node.exit),
      children: Object.values(node.states).map(visit),
    }
  }
  const root = visit(chart.root)
  return { root, transitions }
}

/** Delays and ends of what was invoked are events of XState's own. */
function eventName(event: string): string {
  const [, kind, rest = ''] = /^xstate\.(after|done|error)\.(?:actor\.)?(.*)$/.exec(event) ?? []
  if (kind === 'after') return `after ${rest.split('.')[0]}`
  return kind === undefined ? event : kind
}

/** What is written in a chart as a name, with parameters or not; a function has none that says anything. */
function nameOf(thing: unknown): string {
  if (typeof thing === 'string') return thing
  if (typeof thing === 'object' && thing !== null && 'type' in thing) return String(thing.type)
  return ''
}

function namesOf(things: readonly unknown[]): string[] {
  return things.map(nameOf).filter((name) => name !== '' && !name.startsWith('xstate.'))
}

export function guardText(guard: unknown): string {
  if (typeof guard !== 'function' || !('guards' in guard) || !Array.isArray(guard.guards))
    return nameOf(guard)
  const parts = guard.guards.map(guardText)
  // XState calls the functions that its combinators make by their names.
  if (guard.name === 'not') return `!${parts[0]}`
  return parts.join(guard.name === 'or' ? ' || ' : ' && ')
}
