/**
 * An order's history, played through its chart again: what each entry of its journal found, did and asked for.
 *
 * The gate decides as it did, so that a replay is also a proof that the chart still says what happened.
 */
import { type AnyStateMachine, getNextTransitions } from 'xstate'
import { charts, isChartName } from '../../machines/index.ts'
import type { OrderContext, OrderEffect, OrderEvent, OrderInput } from '../../machines/order.ts'
import { formatInstant } from '../../machines/time.ts'
import { loadSnapshot } from '../../persistence/snapshots.ts'
import type { Row } from '../../persistence/store.ts'
import { begin, decide, type StoredSnapshot } from '../orders/decide.ts'
import { recordedBeside } from '../orders/journal.ts'
import { type Taken, takenBy } from './taken.ts'

export interface ReplayStep {
  sequence: number
  at: string
  /** `merchant:NAME`, `clock` … */
  actor: string
  event: string
  /** `accepted`, or why it was refused. */
  outcome: string
  from: string | null
  to: string
  /** As XState has it: `{ open: 'READY' }`, `COMPLETED`. */
  value: unknown
  context: Readonly<Record<string, unknown>>
  effects: readonly string[]
  /** What the chart would take in this state; its guards may still refuse it. */
  next: readonly string[]
  /** Of the chart, the one that was taken, and what its guards said; `null` of what no chart was asked. */
  taken: Taken | null
  /** Today’s chart decides differently from the journal. */
  differs: boolean
}

export interface Replay {
  chart: string
  steps: ReplayStep[]
}

/** Journals are sealed, so that they keep the words that an event had before it was renamed. */
function inPresentWords({ isHeld, ...event }: JournalledEvent): JournalledEvent {
  const type = event.type === 'hold.report' ? 'quarantine.report' : event.type
  return { ...event, type, ...(isHeld === true ? { isQuarantined: true } : {}) }
}

interface JournalledEvent {
  type: string
  isHeld?: true
}

/** @throws Error when the order's chart is not one of this version. */
export function replay(order: Row<'orders'>, journal: readonly Row<'journal'>[]): Replay {
  const { machine } = order
  if (!isChartName(machine)) throw new Error(`There is no chart ${machine}.`)
  const last = loadSnapshot(machine, charts[machine], order.machine_version, order.snapshot)
  // What an order begins with stays in its context for ever.
  let present = begin(machine, contextOf(last))
  const steps: ReplayStep[] = []
  for (const entry of journal) {
    const told = JSON.parse(entry.event_json) as JournalledEvent
    const event = { ...inPresentWords(told), at: entry.entry_at }
    let effects: readonly OrderEffect[] = []
    let differs = false
    let taken: Taken | null = null
    if (event.type === 'order.create') effects = present.effects
    else if (entry.outcome === 'accepted' && !recordedBeside.has(event.type)) {
      taken = takenIn(present.stored, event)
      // It stands in the journal because the chart has taken it.
      const decided = decide(present.stored, event as OrderEvent)
      if (decided.ok) {
        present = decided
        effects = decided.effects
      }
      differs = !decided.ok || decided.status !== entry.to_status
    }
    steps.push({
      sequence: entry.sequence,
      at: formatInstant(entry.entry_at),
      actor: entry.actor,
      event: event.type,
      outcome: entry.outcome,
      from: entry.from_status,
      to: entry.to_status,
      value: (JSON.parse(present.stored.text) as { value: unknown }).value,
      context: { ...present.context },
      effects: effects.map(effectText),
      next: nextEvents(present.stored),
      taken,
      differs,
    })
  }
  return { chart: machine, steps }
}

function takenIn({ machine, version, text }: StoredSnapshot, event: { type: string }): Taken {
  const chart: AnyStateMachine = charts[machine]
  return takenBy(
    chart,
    chart.resolveState(loadSnapshot(machine, charts[machine], version, text) as never),
    event,
  )
}

function contextOf(snapshot: unknown): OrderInput {
  // The snapshot was loaded for its chart, whose context this is.
  return (snapshot as { context: OrderContext }).context
}

function effectText({ type, params }: OrderEffect): string {
  return params === undefined ? type : `${type} ${Object.values(params).join(' ')}`
}

function nextEvents({ machine, version, text }: StoredSnapshot): string[] {
  const chart = charts[machine]
  const snapshot = chart.resolveState(loadSnapshot(machine, chart, version, text) as never)
  return snapshot.status === 'active'
    ? [...new Set(getNextTransitions(snapshot).map(({ eventType }) => eventType))]
    : []
}
