/**
 * The gate: the only place that asks a chart for a transition.
 *
 * Pure and synchronous. `machine.transition` and `getInitialSnapshot` with one reused, inert scope are four times
 * faster than the free `transition()` and `initialTransition()`, which make an actor each time, but are no documented
 * API: xstate is pinned exactly, and a differential test runs every row of the charts' tables through this gate and
 * through a started, hydrated actor.
 */
import { createActor, type SnapshotFrom } from 'xstate'
import { type Chart, type ChartName, charts, chartVersion, isChartName } from '../../machines/index.ts'
import type { OrderContext, OrderEffect, OrderEvent, OrderInput } from '../../machines/order.ts'
import { publicStatus } from '../../machines/order.ts'
import { type RefusalReason, refusalOf } from '../../machines/refusals.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import { loadSnapshot, SnapshotError } from '../../persistence/snapshots.ts'
import { type InertScope, makeInertScope } from '../foundation/inert-scope.ts'

/** A snapshot as it is stored, with what is needed to read it later. */
export interface StoredSnapshot {
  machine: ChartName
  version: number
  text: string
}

export interface Accepted {
  ok: true
  status: OrderStatus
  context: OrderContext
  effects: readonly OrderEffect[]
  stored: StoredSnapshot
}

export interface Refused {
  ok: false
  reason: RefusalReason
}

type Snapshot = SnapshotFrom<Chart>

/** The first snapshot of an order, with the effects of its creation. */
export function begin(machine: ChartName, input: OrderInput): Accepted {
  const { scope, effects } = inertScope(machine)
  effects.length = 0
  const snapshot = charts[machine].getInitialSnapshot(scope, input)
  return accept(machine, snapshot, [...effects])
}

/** What becomes of an order that is told `event`. */
export function decide(stored: StoredSnapshot, event: OrderEvent): Accepted | Refused {
  const chart = charts[stored.machine]
  const { scope, effects } = inertScope(stored.machine)
  const snapshot = restore(stored)
  // A finished order still takes handlers of the root, and an action-only transition returns the same object:
  // both are why the status comes first and `can` decides.
  if (snapshot.status !== 'active' || !snapshot.can(event)) {
    return { ok: false, reason: refusalOf(statusOf(snapshot), snapshot.context, event) }
  }
  effects.length = 0
  const next = chart.transition(snapshot, event, scope)
  return accept(stored.machine, next, [...effects])
}

/** @throws SnapshotError for whatever this program cannot read. */
function restore({ machine, version, text }: StoredSnapshot): Snapshot {
  const chart = charts[machine]
  const persisted = loadSnapshot(machine, chart, version, text)
  try {
    const snapshot = chart.restoreSnapshot(persisted, inertScope(machine).scope)
    statusOf(snapshot)
    return snapshot
  } catch (error) {
    throw new SnapshotError(`A snapshot of ${machine} cannot be restored: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** Why this program cannot decide about an order; `null` where it can. */
export function unreadable(order: {
  machine: string
  machine_version: number
  snapshot: string
}): string | null {
  const { machine, machine_version: version, snapshot: text } = order
  if (!isChartName(machine)) return `It follows an unknown chart: ${machine}.`
  try {
    restore({ machine, version, text })
    return null
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function accept(machine: ChartName, snapshot: Snapshot, effects: readonly OrderEffect[]): Accepted {
  if (snapshot.status === 'error') throw snapshot.error
  const chart = charts[machine]
  return {
    ok: true,
    status: statusOf(snapshot),
    context: snapshot.context,
    effects,
    stored: {
      machine,
      version: chartVersion(chart),
      text: JSON.stringify(chart.getPersistedSnapshot(snapshot)),
    },
  }
}

/** The child of `open`, or the final state: the public status. */
function statusOf(snapshot: Snapshot): OrderStatus {
  const status = publicStatus(snapshot.value)
  if (status === null) throw new Error(`An order is in no public status: ${JSON.stringify(snapshot.value)}`)
  return status
}

const scopes = new Map<ChartName, InertScope<OrderEffect>>()

function inertScope(machine: ChartName): InertScope<OrderEffect> {
  const known = scopes.get(machine)
  if (known) return known
  const input = { orderId: '', price: '0', currency: '', createdAt: 0, expiryAt: 0, confirmGraceMs: 0 }
  const made = makeInertScope(createActor(charts[machine], { input }), toEffect)
  scopes.set(machine, made)
  return made
}

/** The one cast of the decision path: XState types an executed action's parameters as unknown. */
function toEffect(action: { type: string; params: unknown }): OrderEffect {
  return { type: action.type, params: action.params } as OrderEffect
}
