/** The gate of payments: the only place that asks their chart for a transition. Pure and synchronous. */
import { createActor, initialTransition, type SnapshotFrom } from 'xstate'
import {
  type PaymentContext,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentInput,
  type PaymentState,
  payment,
  paymentStates,
} from '../../machines/payment.ts'
import { loadSnapshot } from '../../persistence/snapshots.ts'
import { type InertScope, makeInertScope } from '../foundation/inert-scope.ts'

/** A snapshot as its row holds it. */
export interface StoredPayment {
  machine_version: number
  snapshot: string
}

interface AcceptedPayment {
  ok: true
  state: PaymentState
  context: PaymentContext
  effects: readonly PaymentEffect[]
  stored: StoredPayment
}

/** `exported`: the file of its run has it, so that it may be paid. `wrong_state`: there is no such event in it. */
export type PaymentRefusal = 'wrong_state' | 'exported'

type Snapshot = SnapshotFrom<typeof payment>

export function beginPayment(input: PaymentInput): AcceptedPayment {
  const [snapshot, actions] = initialTransition(payment, input)
  return accept(snapshot, actions.map(toEffect))
}

/** @throws SnapshotError for a snapshot that this program cannot read. */
export function tellPayment(
  { machine_version, snapshot: text }: StoredPayment,
  event: PaymentEvent,
): AcceptedPayment | { ok: false; reason: PaymentRefusal; state: PaymentState } {
  const { scope, effects } = inertScope()
  // What is stored was made by this chart; `restoreSnapshot` reads it as one of its own.
  const persisted = loadSnapshot('payment', payment, machine_version, text) as never
  const snapshot = payment.restoreSnapshot(persisted, scope)
  if (snapshot.status !== 'active' || !snapshot.can(event)) {
    const state = stateOf(snapshot)
    const isExported = state === 'ordered' && event.type === 'payment.return'
    return { ok: false, reason: isExported ? 'exported' : 'wrong_state', state }
  }
  effects.length = 0
  const next = payment.transition(snapshot, event, scope)
  return accept(next, [...effects])
}

function accept(snapshot: Snapshot, effects: readonly PaymentEffect[]): AcceptedPayment {
  return {
    ok: true,
    state: stateOf(snapshot),
    context: snapshot.context,
    // Assignments are carried out already.
    effects,
    stored: {
      machine_version: Number(payment.version),
      snapshot: JSON.stringify(payment.getPersistedSnapshot(snapshot)),
    },
  }
}

function stateOf({ value }: Snapshot): PaymentState {
  const state = paymentStates.find((one) => one === value)
  if (state === undefined) throw new Error(`A payment is in no state: ${JSON.stringify(value)}`)
  return state
}

let known: InertScope<PaymentEffect> | null = null

function inertScope(): InertScope<PaymentEffect> {
  const input: PaymentInput = { paymentId: '', direction: 'out', amount: '0', currency: '', at: 0 }
  known ??= makeInertScope(createActor(payment, { input }), toEffect)
  return known
}

/** XState types an executed action's parameters as unknown. */
function toEffect(action: { type: string; params: unknown }): PaymentEffect {
  return { type: action.type, params: action.params } as PaymentEffect
}
