/** Orders: found by what people have in hand, listed, and as a table for a spreadsheet. */

import { OperationError } from '../../../actors/operations/operation.ts'
import type { OrderSummary } from '../../../actors/operations/order-documents.ts'
import { orderList, orderShow } from '../../../actors/operations/orders.ts'
import { type OrderStatus, orderStatuses } from '../../../machines/order.ts'
import type { Block } from '../blocks.ts'
import { groupedCode, linkTo, money, orderLink, partyLink, state, time } from '../cells.ts'
import { csv } from '../csv.ts'
import { filled } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { words } from '../readable.ts'

const pageLength = 50
/** More than a spreadsheet is read for; what is older is a click further. */
const maxExported = 10_000

interface Filters {
  status?: OrderStatus
  merchant?: string
  merchantOrderId?: string
}

function filtersOf(query: URLSearchParams): Filters {
  const status = orderStatuses.find((known) => known === query.get('status'))
  const merchant = query.get('merchant')?.trim() ?? ''
  const text = query.get('q')?.trim() ?? ''
  return {
    ...(status === undefined ? {} : { status }),
    ...filled({ merchant, merchantOrderId: text }),
  }
}

export const ordersPage: Page = {
  path: /^\/orders$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const { query, ask } = request
    const text = query.get('q')?.trim() ?? ''
    const direct = await found(request, text)
    const { orders, next } =
      direct === null
        ? await ask(orderList, {
            ...filtersOf(query),
            limit: pageLength,
            ...filled({ cursor: query.get('cursor') ?? '' }),
          })
        : { orders: [direct], next: null }
    return {
      title: 'Orders',
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        filterBlock(query),
        listBlock(
          orders,
          text === '' ? 'No order is like that.' : `No order has this id, code or merchant’s id: ${text}`,
        ),
        { kind: 'next', href: next === null ? null : linkTo('/orders', query, { cursor: next }) },
        {
          kind: 'links',
          items: [
            {
              text: `As a table (CSV, at most ${maxExported} lines)`,
              href: linkTo('/orders.csv', query, {}),
            },
          ],
        },
      ],
    }
  },
}

const idOrCode = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^(\d[ -]?){14}\d$/i

/** The order whose id or code it is; `null` where the text is neither, or nobody’s. */
async function found({ ask }: PageRequest, text: string): Promise<OrderSummary | null> {
  if (!idOrCode.test(text)) return null
  try {
    return await ask(orderShow, { id: text })
  } catch (error) {
    if (error instanceof OperationError && error.code === 'not_found') return null
    throw error
  }
}

function filterBlock(query: URLSearchParams): Block {
  return {
    kind: 'filters',
    action: '/orders',
    button: 'Show',
    fields: [
      {
        name: 'q',
        label: 'Any id, or a code',
        type: 'search',
        isOptional: true,
        value: query.get('q') ?? '',
        maxLength: 128,
      },
      {
        name: 'status',
        label: 'Status',
        type: 'select',
        value: query.get('status') ?? '',
        options: [['', 'any'], ...orderStatuses.map((status): [string, string] => [status, words(status)])],
      },
      {
        name: 'merchant',
        label: 'Merchant',
        type: 'search',
        isOptional: true,
        value: query.get('merchant') ?? '',
        maxLength: 100,
      },
    ],
  }
}

function listBlock(orders: readonly OrderSummary[], empty: string): Block {
  return {
    kind: 'table',
    label: 'Orders',
    empty,
    columns: [
      { label: 'Order' },
      { label: 'Status' },
      { label: 'Amount', isRight: true },
      { label: 'Merchant' },
      { label: 'Code' },
      { label: 'Made' },
      { label: 'Expires' },
    ],
    rows: orders.map((order) => [
      orderLink(order.id),
      state(order.status),
      { ...money(order.price, order.currency), note: words(order.kind) },
      { ...partyLink('merchant', order.merchant), note: order.merchantOrderId },
      groupedCode(order.code),
      time(order.created),
      time(order.expiry),
    ]),
  }
}

const columns = [
  'id',
  'code',
  'kind',
  'merchant',
  'merchantOrderId',
  'status',
  'price',
  'currency',
  'created',
  'expiry',
] as const

export const ordersTable = {
  path: '/orders.csv',
  name: 'orders.csv',
  type: 'text/csv; charset=utf-8',
  async read({ ask, query }: PageRequest): Promise<string> {
    const rows: OrderSummary[] = []
    let cursor = query.get('cursor')
    do {
      const limit = Math.min(1000, maxExported - rows.length)
      const page = await ask(orderList, { ...filtersOf(query), limit, ...filled({ cursor: cursor ?? '' }) })
      rows.push(...page.orders)
      cursor = page.next
    } while (cursor !== null && rows.length < maxExported)
    return csv(
      columns,
      rows.map((row) => columns.map((column) => row[column])),
    )
  },
}
