/** What an operator may ask about orders. */
import { type OrderStatus, orderStatuses } from '../../machines/order.ts'
import { ordersPage } from '../../persistence/queries/operations.ts'
import { partyByName } from '../../persistence/queries/provisioning.ts'
import type { Row } from '../../persistence/store.ts'
import { type Operation, type OperationContext, OperationError } from './operation.ts'
import {
  type OrderDocument,
  type OrderSummary,
  orderDocument,
  orderSummary,
  withHiddenCode,
} from './order-documents.ts'
import { type Page, type PageInput, pageSchema, readPage } from './paging.ts'

interface OrderListInput extends PageInput {
  status?: OrderStatus
  merchant?: string
  merchantOrderId?: string
}

type ListedOrder = Row<'orders'> & { merchant_name: string }

export const orderList: Operation<OrderListInput, { orders: OrderSummary[]; next: string | null }> = {
  name: 'order.list',
  summary: 'List orders, the newest first.',
  input: {
    type: 'object',
    properties: {
      status: { enum: orderStatuses },
      merchant: { type: 'string', description: "A merchant's name." },
      merchantOrderId: { type: 'string', description: "The merchant's own id of the order." },
      ...pageSchema,
    },
    additionalProperties: false,
  },
  isRead: true,
  forViewers: ({ orders, next }) => ({ orders: orders.map(withHiddenCode), next }),
  async run(context, input) {
    let page = await readOrders(context, input)
    // What fell due ends when it is read, here as anywhere.
    const now = context.clock.now()
    const due = page.items.filter((order) => order.due_at !== null && order.due_at <= now)
    if (due.length > 0) {
      for (const order of due) await context.orders.expire(order.id)
      page = await readOrders(context, input)
    }
    return { orders: page.items.map((order) => orderSummary(order, order.merchant_name)), next: page.next }
  },
}

async function readOrders({ store }: OperationContext, input: OrderListInput): Promise<Page<ListedOrder>> {
  const { status, merchant, merchantOrderId, ...page } = input
  const merchantId = merchant === undefined ? undefined : await merchantIdOf(store, merchant)
  const directions = merchantId === undefined ? [undefined] : (['PAY_OUT', 'PAY_IN'] as const)
  return readPage<ListedOrder>(
    page,
    (order) => ({ at: order.created_at, id: order.id }),
    directions.map((direction) => (request) => {
      return store.query(ordersPage({ status, merchantId, direction, merchantOrderId }, request), {})
    }),
  )
}

async function merchantIdOf(store: OperationContext['store'], name: string): Promise<string> {
  const [merchant] = await store.query(partyByName, { kind: 'merchant', name })
  if (merchant !== undefined) return merchant.id
  throw new OperationError('not_found', `There is no merchant ${name}.`, {
    hint: 'merchant list shows their names.',
  })
}

export const orderShow: Operation<{ id: string }, OrderDocument> = {
  name: 'order.show',
  summary: 'Show an order with its journal, its money and its webhooks.',
  input: {
    type: 'object',
    properties: { id: orderIdSchema() },
    required: ['id'],
    additionalProperties: false,
  },
  isRead: true,
  forViewers: withHiddenCode,
  run: async (context, { id }) => orderDocument(context.store, await findOrder(context, id)),
}

export function orderIdSchema() {
  return { type: 'string', description: "The order's id, or its code." }
}

/** The order of an id or a code, as of now. @throws OperationError when there is none. */
export async function findOrder({ orders }: OperationContext, idOrCode: string): Promise<Row<'orders'>> {
  const text = idOrCode.trim().toLowerCase()
  // People read codes out in groups.
  const code = text.replace(/[ -]/g, '')
  const found = /^\d{15}$/.test(code)
    ? ((await orders.findByCode(code, 'PAY_OUT')) ?? (await orders.findByCode(code, 'PAY_IN')))
    : (await orders.find(text))?.order
  if (found) return found
  throw new OperationError('not_found', `There is no order ${idOrCode}.`, {
    hint: 'order list shows ids and codes.',
  })
}
