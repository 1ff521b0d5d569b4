/** Orders that are quarantined since a backup was restored, until somebody knows that they were not paid. */
import { orderClear, orderQuarantined } from '../../../actors/orders/quarantine-operations.ts'
import { reconciliationDays } from '../../../actors/reconciliation/day-operations.ts'
import type { Block } from '../blocks.ts'
import { groupedCode, inGroups, linkTo, orderLink, shortId, state, time } from '../cells.ts'
import { filled, operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { readForm } from './reconciliation.ts'

const pageLength = 50

export const quarantinedPage: Page = {
  path: /^\/quarantined$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const { ask, query, lines } = request
    const cursor = query.get('cursor') ?? ''
    const { orders, next } = await ask(orderQuarantined, {
      limit: lines ?? pageLength,
      ...filled({ cursor }),
    })
    return {
      title: (texts) => texts.quarantined.quarantinedOrders,
      crumb: { href: '/orders', text: (texts) => texts.common.orders },
      blocks: [
        {
          kind: 'text',
          text: (texts) => texts.quarantined.theyWereOpenInA,
        },
        {
          kind: 'table',
          label: (texts) => texts.quarantined.quarantinedOrders,
          list: 'quarantined',
          empty: (texts) => texts.quarantined.noQuarantinedOrders,
          isList: true,
          columns: [
            { label: (texts) => texts.common.order },
            { label: (texts) => texts.common.status },
            { label: (texts) => texts.common.code },
            { label: (texts) => texts.quarantined.quarantinedSince },
            { label: (texts) => texts.quarantined.waitsFor, isCut: true },
          ],
          rows: orders.map((order) => [
            orderLink(order.id),
            state(order.status),
            order.code === '' ? null : groupedCode(order.code),
            time(order.quarantinedSince),
            order.waitsFor.join(', ') || null,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/quarantined', query, { cursor: next }) },
        ...(orders.length === 0
          ? []
          : [
              ...readForm(request, null, (await request.ask(reconciliationDays, {})).networks),
              ...clearForms(request, orders),
            ]),
      ],
    }
  },
}

function clearForms(request: PageRequest, orders: readonly { id: string; code: string }[]): Block[] {
  const options = orders.map(
    ({ id, code }) => [id, (texts: Texts) => texts.quarantined.order(inGroups(code), shortId(id))] as const,
  )
  return [
    ...operationForm(request, orderClear, {
      title: (texts) => texts.quarantined.clearOne,
      lead: (texts) => texts.quarantined.providersCanStartItAgain,
      button: (texts) => texts.quarantined.clearIt,
      fields: ['ids', 'reason'],
      adjusted: { ids: { type: 'select', options, isOptional: false } },
    }),
    ...operationForm(request, orderClear, {
      title: (texts) => texts.quarantined.clearAll,
      lead: (texts) => texts.quarantined.everyQuarantinedOrderIncludingThose,
      button: (texts) => texts.quarantined.clearAll,
      isDanger: true,
      fields: ['reason'],
      hidden: { all: 'yes' },
    }),
  ]
}

/** On the page of an order that is quarantined. */
export function quarantineBlocks(
  request: PageRequest,
  { id, quarantinedSince }: { id: string; quarantinedSince: string | null },
): Block[] {
  if (quarantinedSince === null) return []
  const lines = [(texts: Texts) => texts.quarantined.itWasOpenInA]
  const notice: Block = {
    kind: 'notice',
    tone: 'waiting',
    title: (texts) => texts.quarantined.quarantined,
    lines,
  }
  return [
    notice,
    ...operationForm(request, orderClear, {
      title: (texts) => texts.quarantined.clearIt,
      lead: (texts) => texts.quarantined.theProvidersSayThatIt,
      button: (texts) => texts.quarantined.clearIt,
      fields: ['reason'],
      hidden: { ids: id },
    }),
  ]
}

/** At the top of the first page. */
export async function quarantineNotice({ ask }: PageRequest): Promise<Block[]> {
  const { orders } = await ask(orderQuarantined, { limit: 1 })
  if (orders.length === 0) return []
  const title = (texts: Texts) => texts.quarantined.ordersAreQuarantinedAfterA
  return [
    { kind: 'notice', tone: 'waiting', title, lines: [] },
    {
      kind: 'links',
      items: [{ text: (texts) => texts.quarantined.seeWhichAndClearThem, href: '/quarantined' }],
    },
  ]
}
