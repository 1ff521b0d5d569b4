/** What a developer looks at: the charts, and what they made of orders. */
import { formatInstant } from '../../machines/time.ts'
import { journalAfter, latestJournal } from '../../persistence/queries/inspection.ts'
import { journalOfOrder } from '../../persistence/queries/operations.ts'
import type { Operation } from '../foundation/operation.ts'
import { unreadable } from '../orders/decide.ts'
import { findOrder, type OrderContext, orderIdSchema } from '../orders/operations.ts'
import { UnreadableOrder } from '../orders/unreadable-order.ts'
import { type OutlinedState, outlineOf } from './chart-outline.ts'
import { drawnMachines } from './machines.ts'
import { type Replay, replay } from './replay.ts'

export interface MachineDocument {
  name: string
  /** Of its snapshots; `null` for a machine that is never stored. */
  version: number | null
  states: string[]
  events: string[]
}

export const machineList: Operation<Record<string, never>, { machines: MachineDocument[] }> = {
  name: 'machine.list',
  summary: 'List the charts, with their states and events.',
  input: { type: 'object', additionalProperties: false },
  isRead: true,
  run: async () => ({ machines: machineDocuments() }),
}

export function machineDocuments(): MachineDocument[] {
  return Object.entries(drawnMachines).map(([name, machine]) => {
    const { root, transitions } = outlineOf(machine)
    return {
      name,
      version: machine.version === undefined ? null : Number(machine.version),
      states: stateNames(root),
      events: [...new Set(transitions.map(({ event }) => event))].filter((event) => event !== ''),
    }
  })
}

function stateNames({ children }: OutlinedState): string[] {
  return children.flatMap((child) => [child.id, ...stateNames(child)])
}

export const orderReplay: Operation<{ id: string }, Replay & { id: string }, OrderContext> = {
  name: 'order.replay',
  summary: 'Play the journal of an order through its chart again, step by step.',
  input: {
    type: 'object',
    properties: { id: orderIdSchema() },
    required: ['id'],
    additionalProperties: false,
  },
  isRead: true,
  role: 'operator',
  async run(context, { id }) {
    const order = await findOrder(context, id)
    const journal = await context.store.query(journalOfOrder, { orderId: order.id })
    const problem = unreadable(order)
    if (problem !== null) throw new UnreadableOrder(order.id, problem)
    return { id: order.id, ...replay(order, journal) }
  },
}

export interface JournalDocument {
  /** Over all orders. */
  position: number
  order: string
  sequence: number
  at: string
  actor: string
  event: string
  from: string | null
  to: string
  outcome: string
}

export const journalList: Operation<{ after?: number; limit?: number }, { entries: JournalDocument[] }> = {
  name: 'journal.list',
  summary:
    'List what orders were told last, the newest first, or what came after a position, the oldest first.',
  input: {
    type: 'object',
    properties: {
      after: { type: 'integer', minimum: 0, description: 'A position, as an earlier list told it.' },
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'At most so many; 50 unless given.' },
    },
    additionalProperties: false,
  },
  isRead: true,
  role: 'operator',
  async run({ store }, { after, limit = 50 }) {
    const rows =
      after === undefined
        ? await store.query(latestJournal, { limit })
        : await store.query(journalAfter, { after, limit })
    return {
      entries: rows.map((row) => ({
        position: row.position,
        order: row.order_id,
        sequence: row.sequence,
        at: formatInstant(row.entry_at),
        actor: row.actor,
        event: (JSON.parse(row.event_json) as { type: string }).type,
        from: row.from_status,
        to: row.to_status,
        outcome: row.outcome,
      })),
    }
  },
}
