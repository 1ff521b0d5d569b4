/** The gate of claims: the only place that asks their chart for a transition. Pure and synchronous. */
import { createActor, initialTransition, type SnapshotFrom } from 'xstate'
import {
  type ClaimContext,
  type ClaimEffect,
  type ClaimEvent,
  type ClaimInput,
  type ClaimState,
  claim,
  claimStates,
} from '../../machines/claim.ts'
import { loadSnapshot } from '../../persistence/snapshots.ts'
import { type InertScope, makeInertScope } from '../foundation/inert-scope.ts'

/** A snapshot as its row holds it. */
export interface StoredClaim {
  machine_version: number
  snapshot: string
}

export interface AcceptedClaim {
  ok: true
  state: ClaimState
  context: ClaimContext
  effects: readonly ClaimEffect[]
  stored: StoredClaim
}

type Snapshot = SnapshotFrom<typeof claim>

export function beginClaim(input: ClaimInput): AcceptedClaim {
  const [snapshot] = initialTransition(claim, input)
  return accept(snapshot, [])
}

/** @throws SnapshotError for a snapshot that this program cannot read. */
export function tellClaim(
  { machine_version, snapshot: text }: StoredClaim,
  event: ClaimEvent,
): AcceptedClaim | { ok: false; state: ClaimState } {
  const { scope, effects } = inertScope()
  // What is stored was made by this chart; `restoreSnapshot` reads it as one of its own.
  const persisted = loadSnapshot('claim', claim, machine_version, text) as never
  const snapshot = claim.restoreSnapshot(persisted, scope)
  if (snapshot.status !== 'active' || !snapshot.can(event)) return { ok: false, state: stateOf(snapshot) }
  effects.length = 0
  const next = claim.transition(snapshot, event, scope)
  return accept(
    next,
    effects.filter(({ type }) => type === 'claim.settle'),
  )
}

function accept(snapshot: Snapshot, effects: readonly ClaimEffect[]): AcceptedClaim {
  return {
    ok: true,
    state: stateOf(snapshot),
    context: snapshot.context,
    effects,
    stored: {
      machine_version: Number(claim.version),
      snapshot: JSON.stringify(claim.getPersistedSnapshot(snapshot)),
    },
  }
}

function stateOf({ value }: Snapshot): ClaimState {
  const state = claimStates.find((one) => one === value)
  if (state === undefined) throw new Error(`A claim is in no state: ${JSON.stringify(value)}`)
  return state
}

let known: InertScope<ClaimEffect> | null = null

function inertScope(): InertScope<ClaimEffect> {
  const input: ClaimInput = {
    claimId: '',
    kind: 'twice',
    claimant: 'operator',
    respondent: 'merchant',
    at: 0,
  }
  known ??= makeInertScope(createActor(claim, { input }), toEffect)
  return known
}

/** XState types an executed action's parameters as unknown. */
function toEffect(action: { type: string; params: unknown }): ClaimEffect {
  return { type: action.type, params: action.params } as ClaimEffect
}
