/** Orders: found by what people have in hand, and listed. */
import { readDays } from '../../../actors/foundation/day-span.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import type { OrderSummary } from '../../../actors/orders/documents.ts'
import { orderList } from '../../../actors/orders/list-operations.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { providerShow } from '../../../actors/parties/providers.ts'
import { type OrderStatus, orderStatuses } from '../../../machines/statuses.ts'
import type { Block, Field } from '../blocks.ts'
import {
  groupedCode,
  isOldestFirst,
  linkTo,
  money,
  orderLink,
  partyLink,
  sortedBy,
  state,
  time,
} from '../cells.ts'

import { choice, filled } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'
import { told } from '../wording.ts'
import { momentsOf } from '../zones.ts'
import { byWholeNames } from './whole-names.ts'

const pageLength = 45

interface Filters {
  status?: OrderStatus
  merchant?: string
  merchantOrderId?: string
  provider?: string
  from?: string
  to?: string
}

/** Days are of the reader's zone. */
function filtersOf({ query, view }: Pick<PageRequest, 'query' | 'view'>): Filters {
  const status = orderStatuses.find((known) => known === query.get('status'))
  const of = (name: string) => query.get(name)?.trim() ?? ''
  const [merchant, provider] = [of('merchant'), of('provider')]
  return {
    ...(status === undefined ? {} : { status }),
    ...filled({ merchant, merchantOrderId: of('q'), provider }),
    ...filled({ ...momentsOf({ from: of('from'), to: of('to') }, view.zone) }),
  }
}

/** What is wrong with a filter, by its name: told beside its field. */
type Problems = Readonly<Record<string, string>>

interface Found {
  orders: readonly OrderSummary[]
  next: string | null
  problems: Problems
}

export const ordersPage: Page = {
  path: /^\/orders$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const { query } = request
    const text = query.get('q')?.trim() ?? ''
    const found = await searchOrTell(request, text)
    if ('goTo' in found) return found
    const { orders, next, problems } = found
    const isWrong = Object.keys(problems).length > 0
    const empty =
      text === ''
        ? (texts: Texts) => texts.orders.noMatchingOrders
        : (texts: Texts) => texts.orders.noOrderHasThisId(text)
    return {
      title: (texts) => texts.common.orders,
      ...(query.has('cursor') || isWrong ? {} : { liveSeconds: 5 }),
      blocks: [
        filterBlock(query, problems),
        listBlock(query, orders, isWrong ? (texts) => texts.orders.noSearchWasMadeSee : empty),
        { kind: 'next', href: next === null ? null : linkTo('/orders', query, { cursor: next }) },
      ],
    }
  },
}

/** A part of a name is enough; of what is nobody's, what is wrong. */
async function searchOrTell(request: PageRequest, text: string) {
  const names = { merchant: 'merchant', provider: 'provider' } as const
  try {
    return await byWholeNames(request, '/orders', names, () => search(request, text))
  } catch (error) {
    const problems = isNotFound(error) ? await nameProblems(request, filtersOf(request)) : {}
    if (Object.keys(problems).length > 0) return { orders: [], next: null, problems }
    throw error
  }
}

async function search(request: PageRequest, text: string): Promise<Found> {
  const direct = await found(request, text)
  if (direct !== null) return { orders: [direct], next: null, problems: {} }
  const filters = filtersOf(request)
  const days = readDays(filters).problems
  if (days.length > 0) {
    const problems = Object.fromEntries(days.map(({ name, text: its }) => [name, its]))
    return { orders: [], next: null, problems }
  }
  const cursor = filled({ cursor: request.query.get('cursor') ?? '' })
  const sorting = isOldestFirst(request.query) ? { oldestFirst: true } : {}
  const limit = request.lines ?? pageLength
  const page = await request.ask(orderList, { ...filters, limit, ...cursor, ...sorting })
  return { ...page, problems: {} }
}

/** Whose name is nobody's. */
async function nameProblems({ ask }: PageRequest, { merchant, provider }: Filters): Promise<Problems> {
  const problemOf = async (name: string, asked: Promise<unknown>): Promise<Problems> => {
    try {
      await asked
      return {}
    } catch (error) {
      if (isNotFound(error)) return { [name]: error.message }
      throw error
    }
  }
  return {
    ...(merchant === undefined ? {} : await problemOf('merchant', ask(merchantShow, { name: merchant }))),
    ...(provider === undefined ? {} : await problemOf('provider', ask(providerShow, { name: provider }))),
  }
}

function isNotFound(error: unknown): error is OperationError {
  return error instanceof OperationError && error.code === 'not_found'
}

const idOrCode = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^(\d[ -]?){14}\d$/i

/** The order whose id or code it is; `null` where the text is neither, or nobody’s. */
async function found({ ask }: PageRequest, text: string): Promise<OrderSummary | null> {
  if (!idOrCode.test(text)) return null
  try {
    return await ask(orderShow, { id: text })
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

function problemOf(english: string | undefined): Pick<Field, 'problem'> {
  return english === undefined ? {} : { problem: told(english) }
}

function filterBlock(query: URLSearchParams, problems: Problems): Block {
  const field = (name: string, label: Words, type: Field['type'], maxLength: number): Field => ({
    name,
    label,
    type,
    isOptional: true,
    value: query.get(name) ?? '',
    maxLength,
    ...problemOf(problems[name]),
  })
  return {
    kind: 'filters',
    action: '/orders',
    button: (texts) => texts.common.show,
    fields: [
      field('q', (texts: Texts) => texts.orders.idOrCode, 'search', 128),
      {
        name: 'status',
        label: (texts) => texts.common.status,
        type: 'select',
        value: query.get('status') ?? '',
        options: [['', ({ words }) => words.any], ...orderStatuses.map(choice)],
      },
      field('merchant', (texts: Texts) => texts.common.merchant, 'search', 100),
      field('provider', (texts: Texts) => texts.common.provider, 'search', 100),
      field('from', (texts: Texts) => texts.common.from, 'date', 40),
      field('to', (texts: Texts) => texts.common.to, 'date', 40),
    ],
  }
}

function listBlock(query: URLSearchParams, orders: readonly OrderSummary[], empty: Words): Block {
  return {
    kind: 'table',
    label: (texts) => texts.common.orders,
    list: 'orders',
    empty,
    isList: true,
    columns: [
      { label: (texts) => texts.common.order },
      { label: (texts) => texts.common.status, key: 'status' },
      { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
      { label: (texts) => texts.common.kind, key: 'kind' },
      { label: (texts) => texts.common.merchant, key: 'merchant', isCut: true },
      { label: (texts) => texts.common.merchantsId, key: 'merchants-id', isCut: true },
      { label: (texts) => texts.common.code, key: 'code' },
      { label: (texts) => texts.common.created, key: 'created', sorted: sortedBy('/orders', query) },
      { label: (texts) => texts.orders.expires, key: 'expires' },
    ],
    rows: orders.map((order) => [
      orderLink(order.id),
      state(order.status),
      money(order.price, order.currency),
      named(order.kind),
      partyLink('merchant', order.merchant),
      order.merchantOrderId,
      groupedCode(order.code),
      time(order.created),
      time(order.expiry),
    ]),
  }
}
