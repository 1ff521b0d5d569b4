/** What an operator may ask about one order. */

import { formatInstant } from '../../machines/time.ts'
import { archivedOrderByCode, archivedOrderById } from '../../persistence/queries/archive.ts'
import type { Row } from '../../persistence/store.ts'
import { text } from '../foundation/fields.ts'
import type { OperationContext } from '../foundation/operation.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { forViewers, type OrderDocument, orderDocument } from './documents.ts'
import type { OrderRegistry } from './registry.ts'

/** What the operations on orders need of the node. */
export interface OrderContext extends OperationContext {
  orders: OrderRegistry
}

export const orderId = text({ description: "The order's id, or its code." })

export const orderShow = defineOperation({
  name: 'order.show',
  summary: 'Show an order with its journal, its money and its webhooks.',
  fields: { id: orderId },
  arguments: ['id'],
  isRead: true,
  forViewers,
  run: async (context: OrderContext, { id }): Promise<OrderDocument> =>
    orderDocument(context, await findOrder(context, id)),
})

/** The order of an id or a code, as of now. @throws OperationError when there is none. */
export async function findOrder({ orders, store }: OrderContext, idOrCode: string): Promise<Row<'orders'>> {
  const { id, code } = readIdOrCode(idOrCode)
  const found =
    code === null
      ? (await orders.find(id))?.order
      : ((await orders.findByCode(code, 'PAY_OUT')) ?? (await orders.findByCode(code, 'PAY_IN')))
  if (found) return found
  const archived = await findArchivedOrder(store, idOrCode)
  if (archived !== null) throw inArchive(archived)
  throw new OperationError('not_found', `There is no order ${idOrCode}.`, {
    hint: 'order list shows ids and codes.',
  })
}

/** What is left of an archived order, by its id or code; `null` when there is none. */
export async function findArchivedOrder(
  store: OrderContext['store'],
  idOrCode: string,
): Promise<Row<'archived_orders'> | null> {
  const { id, code } = readIdOrCode(idOrCode)
  const [found] = await (code === null
    ? store.query(archivedOrderById, { id })
    : store.query(archivedOrderByCode, { code }))
  return found ?? null
}

function readIdOrCode(text: string): { id: string; code: string | null } {
  const id = text.trim().toLowerCase()
  // People read codes out in groups.
  const code = id.replace(/[ -]/g, '')
  return { id, code: /^\d{15}$/.test(code) ? code : null }
}

function inArchive({ id, status, archived_at, file }: Row<'archived_orders'>): OperationError {
  const at = formatInstant(archived_at)
  return new OperationError(
    'not_found',
    `The order ended ${status}, and was archived at ${at}, in ${file}.`,
    {
      hint: `ventanilla archive show ${id} reads it there.`,
    },
  )
}
