/**
 * The gate of durable actors whose snapshot is a row of their own: the only place that asks their chart for a transition.
 * Pure and synchronous. Orders have a gate of their own (`actors/orders/decide.ts`).
 */
import { type AnyStateMachine, createActor, initialTransition } from 'xstate'
import type { StoredChartName } from '../../machines/index.ts'
import { loadSnapshot } from '../../persistence/snapshots.ts'
import { type InertScope, makeInertScope } from './inert-scope.ts'

/** A snapshot as its row holds it. */
export interface StoredSnapshot {
  machine_version: number
  snapshot: string
}

export interface Told<State, Context, Effect> {
  ok: true
  state: State
  context: Context
  /** In order; assignments are carried out already. */
  effects: readonly Effect[]
  stored: StoredSnapshot
}

export interface RowGate<State, Context, Event, Effect, Input> {
  begin(input: Input): Told<State, Context, Effect>
  /**
   * @returns the state it stays in, where there is no such event in it
   * @throws SnapshotError for a snapshot that this program cannot read.
   */
  tell(stored: StoredSnapshot, event: Event): Told<State, Context, Effect> | { ok: false; state: State }
}

/** A chart, the states it may be in, and an input for an actor that is never started. */
export interface GateOptions<State, Input> {
  name: StoredChartName
  chart: AnyStateMachine
  states: readonly State[]
  idle: Input
}

interface Snapshot<Event> {
  status: string
  value: unknown
  context: unknown
  can(event: Event): boolean
}

export function createRowGate<
  State extends string,
  Context,
  Event extends { type: string },
  Effect extends { type: string },
  Input,
>({ name, chart, states, idle }: GateOptions<State, Input>): RowGate<State, Context, Event, Effect, Input> {
  let known: InertScope<Effect> | null = null
  // XState types an executed action's parameters as unknown.
  const toEffect = ({ type, params }: { type: string; params: unknown }) =>
    ({ type, params }) as unknown as Effect

  const inertScope = (): InertScope<Effect> => {
    known ??= makeInertScope(createActor(chart, { input: idle }), toEffect)
    return known
  }

  function stateOf({ value }: Snapshot<Event>): State {
    const state = states.find((one) => one === value)
    if (state === undefined) throw new Error(`A ${name} is in no state: ${JSON.stringify(value)}`)
    return state
  }

  function accept(snapshot: Snapshot<Event>, effects: readonly Effect[]): Told<State, Context, Effect> {
    return {
      ok: true,
      state: stateOf(snapshot),
      context: snapshot.context as Context,
      effects,
      stored: {
        machine_version: Number(chart.version),
        snapshot: JSON.stringify(chart.getPersistedSnapshot(snapshot as never)),
      },
    }
  }

  return {
    begin(input) {
      const [snapshot, actions] = initialTransition(chart, input)
      return accept(snapshot, actions.map(toEffect))
    },
    tell({ machine_version, snapshot: text }, event) {
      const { scope, effects } = inertScope()
      // What is stored was made by this chart; `restoreSnapshot` reads it as one of its own.
      const persisted = loadSnapshot(name, chart as never, machine_version, text) as never
      const snapshot: Snapshot<Event> = chart.restoreSnapshot(persisted, scope)
      if (snapshot.status !== 'active' || !snapshot.can(event)) return { ok: false, state: stateOf(snapshot) }
      effects.length = 0
      const next: Snapshot<Event> = chart.transition(snapshot as never, event, scope)
      return accept(next, [...effects])
    },
  }
}
