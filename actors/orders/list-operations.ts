/** Orders in lists: narrowed, the newest first. */

import { heldStatuses, orderStatuses } from '../../machines/statuses.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import { type OrderFilter, ordersPage } from '../../persistence/queries/operations.ts'
import { partyByName } from '../../persistence/queries/provisioning.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { spanOf } from '../foundation/day-span.ts'
import { choice, type InputOf, optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { bothWays, type Page, pageFields, readPage } from '../foundation/paging.ts'
import { type OrderSummary, orderSummary, withHiddenCode } from './documents.ts'
import type { OrderContext } from './operations.ts'

type ListedOrder = Row<'orders'> & { merchant_name: string }

const listFields = {
  ...pageFields,
  ...bothWays,
  status: optional(choice(orderStatuses, { option: ['--status <status>', 'only those with this status'] })),
  merchant: optional(
    text({
      description: "A merchant's name.",
      option: ['--merchant <name>', 'only those of this merchant'],
    }),
  ),
  merchantOrderId: optional(
    text({
      description: "The merchant's own id of the order.",
      option: ['--merchant-order-id <id>', "only the one with this merchant's id"],
    }),
  ),
  provider: optional(
    text({
      description: "A provider's name: it holds the order, or held it when it ended, as who has paid.",
      option: ['--provider <name>', 'only those that this provider holds, or held when they ended'],
    }),
  ),
  from: optional(
    text({
      description: 'Made on this day (UTC) or later; ISO 8601, a time too.',
      option: [
        '--from <day>',
        'only those created on or after this day (UTC) or time (2026-03-01T12:00:00Z)',
      ],
    }),
  ),
  to: optional(
    text({
      description: 'Made on this day (UTC) at the latest; with a time, before it.',
      option: ['--to <day>', 'only those created on or before this day (UTC), or before this time'],
    }),
  ),
}

export const orderList = defineOperation({
  name: 'order.list',
  summary: 'List orders, the newest first.',
  fields: listFields,
  isRead: true,
  forViewers: ({ orders, next }: { orders: OrderSummary[]; next: string | null }) => ({
    orders: orders.map(withHiddenCode),
    next,
  }),
  async run(context: OrderContext, input): Promise<{ orders: OrderSummary[]; next: string | null }> {
    let page = await readOrders(context, input)
    // What fell due ends when it is read, here as anywhere.
    const now = context.clock.now()
    const due = page.items.filter((order) => order.due_at !== null && order.due_at <= now)
    if (due.length > 0) {
      for (const order of due) await context.orders.tryExpire(order.id)
      page = await readOrders(context, input)
    }
    return { orders: page.items.map((order) => orderSummary(order, order.merchant_name)), next: page.next }
  },
})

async function readOrders(
  { store }: OrderContext,
  input: InputOf<typeof listFields>,
): Promise<Page<ListedOrder>> {
  const { status, merchant, merchantOrderId, provider, from, to, ...page } = input
  const filter: OrderFilter = {
    status,
    merchantOrderId,
    merchantId: merchant === undefined ? undefined : await idOf(store, 'merchant', merchant),
    providerId: provider === undefined ? undefined : await idOf(store, 'provider', provider),
    ...spanOf({ from, to }),
  }
  return readPage<ListedOrder>(
    page,
    (order) => ({ at: order.created_at, id: order.id }),
    orderPartsOf(filter).map((part) => (request) => store.query(ordersPage(part, request), {})),
  )
}

/** The list as parts that each have an index. */
export function orderPartsOf(filter: OrderFilter): readonly OrderFilter[] {
  const { status, merchantId, merchantOrderId, providerId } = filter
  if (merchantOrderId !== undefined) return [filter]
  if (providerId !== undefined) {
    const statuses = heldStatuses.filter((one) => status === undefined || status === one)
    return statuses.map((one) => ({ ...filter, status: one }))
  }
  if (merchantId === undefined) return [filter]
  return (['PAY_OUT', 'PAY_IN'] as const).map((direction) => ({ ...filter, direction }))
}

async function idOf(store: Store, kind: PartyKind, name: string): Promise<string> {
  const [written] = await store.query(partyByName, { kind, name })
  const party = written ?? (await store.query(partyByName, { kind, name: oneSpelling(name) }))[0]
  if (party !== undefined) return party.id
  throw new OperationError('not_found', `There is no ${kind} ${name}.`, {
    hint: `${kind} list shows their names.`,
  })
}
