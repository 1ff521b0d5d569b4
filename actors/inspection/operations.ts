/** What a developer looks at: the charts, and what they made of orders. */
import { formatInstant } from '../../machines/time.ts'
import { journalAfter, latestJournal } from '../../persistence/queries/inspection.ts'
import { journalOfOrder } from '../../persistence/queries/operations.ts'
import { optional, wholeNumber } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import { unreadable } from '../orders/decide.ts'
import { findOrder, type OrderContext, orderId } from '../orders/operations.ts'
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

export const machineList = defineOperation({
  name: 'machine.list',
  summary: 'List the charts, with their states and events.',
  fields: {},
  isRead: true,
  run: async (): Promise<{ machines: MachineDocument[] }> => ({ machines: machineDocuments() }),
})

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

export const orderReplay = defineOperation({
  name: 'order.replay',
  summary: 'Play the journal of an order through its chart again, step by step.',
  fields: { id: orderId },
  arguments: ['id'],
  isRead: true,
  async run(context: OrderContext, { id }): Promise<Replay & { id: string }> {
    const order = await findOrder(context, id)
    const journal = await context.store.query(journalOfOrder, { orderId: order.id })
    const problem = unreadable(order)
    if (problem !== null) throw new UnreadableOrder(order.id, problem)
    return { id: order.id, ...replay(order, journal) }
  },
})

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

export const journalList = defineOperation({
  name: 'journal.list',
  summary:
    'List what orders were told last, the newest first, or what came after a position, the oldest first.',
  fields: {
    after: optional(wholeNumber({ description: 'A position, as an earlier list told it.', minimum: 0 })),
    limit: optional(
      wholeNumber({ description: 'At most so many; 50 unless given.', minimum: 1, maximum: 500 }),
    ),
  },
  isRead: true,
  async run({ store }, { after, limit = 50 }): Promise<{ entries: JournalDocument[] }> {
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
})
