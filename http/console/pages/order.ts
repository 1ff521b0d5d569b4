/** One order: whose it is, what an operator may do with it now, and all that has happened. */

import { orderChanges } from '../../../actors/orders/change-operations.ts'
import { type OrderDocument, type OrderFact, orderFacts } from '../../../actors/orders/documents.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { webhookRetry } from '../../../actors/webhooks/delivery-operations.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { code, groupedCode, money, partyLink, shortId, shortLink, state, time } from '../cells.ts'
import { offeredForms, operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { capital, grouped, words } from '../readable.ts'
import { eraseOrderForms } from './erasure.ts'
import { refundBlocks } from './order-charges.ts'
import { quarantineBlocks } from './quarantined.ts'
import { timeLine } from './time-line.ts'

export const orderPage: Page = {
  path: /^\/orders\/(?<id>[\w-]{1,64})$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const order = await request.ask(orderShow, { id: request.params.id ?? '' })
    return {
      title: `Order ${shortId(order.id)}`,
      heading: `${grouped(order.price)} ${order.currency}, ${words(order.status)}`,
      crumb: { href: '/orders', text: 'Orders' },
      liveSeconds: 5,
      blocks: [
        ...exceptionNotices(order),
        ...quarantineBlocks(request, order),
        factsOf(order),
        ...orderForms(request, order),
        ...chartOf(request, order),
        ...refundBlocks(order),
        ...orderHistory(order),
      ],
    }
  },
}

function exceptionNotices({ exceptions }: OrderDocument): Block[] {
  const open = exceptions.filter(({ state: its }) => its === 'open')
  if (open.length === 0) return []
  const items = open.map(({ id, reason }) => ({ text: reason, href: `/exceptions/${id}` }))
  return [
    { kind: 'notice', tone: 'bad', title: 'Needs attention', lines: [] },
    { kind: 'links', items },
  ]
}

/** Most is about some orders only. */
function factsOf(order: OrderDocument): Block {
  const known = orderFacts(order).filter(({ text, label }) => text !== null && !isSaidAbove(label))
  return { kind: 'facts', items: known.map((fact) => [capital(fact.label), factCell(fact)]) }
}

/** In the heading. */
const isSaidAbove = (label: string) => label === 'price'

function factCell(fact: OrderFact): Cell {
  const cell = plainCell(fact)
  return fact.note ? { ...cell, note: fact.note } : cell
}

function plainCell({ text, kind, currency }: OrderFact): Text {
  const value = text ?? ''
  switch (kind) {
    case 'status':
      return state(value)
    case 'code':
      // Viewers see its end alone.
      return { ...groupedCode(value), ...(/^\d+$/.test(value) ? { copy: value } : {}) }
    case 'time':
      return { text: value, time: value }
    case 'order':
      return shortLink(`/orders/${value}`, value)
    case 'merchant':
    case 'provider':
      return partyLink(kind, value)
    case 'name':
      return { text: words(value) }
    case 'id':
      return { text: value, isCode: true, isLong: true, copy: true }
    case 'link':
      return { text: value, href: value, isLong: true, copy: true }
    default:
      return currency === undefined ? { text: value } : money(value, currency)
  }
}

function chartOf(request: PageRequest, order: OrderDocument): Block[] {
  const svg = request.drawing(order.kind, { status: order.status })
  if (svg === null) return []
  const label = `Chart of ${words(order.kind)}; it is ${words(order.status)}`
  return [{ kind: 'fold', title: 'Chart', blocks: [{ kind: 'drawing', label, svg }] }]
}

/** What the order allows as it is, and the operator's role. */
function orderForms(request: PageRequest, order: OrderDocument): Block[] {
  const known = { id: order.id, revision: String(order.revision) }
  const forms = offeredForms(request, orderChanges, order, known)
  if (order.webhooks.some(({ state: its }) => its === 'dead')) {
    forms.push(
      ...operationForm(request, webhookRetry, {
        title: 'Resend its webhooks',
        lead: 'All that are not delivered; their attempts are counted anew.',
        button: 'Send again',
        fields: [],
        hidden: { order: order.id },
      }),
    )
  }
  forms.push(...eraseOrderForms(request, order))
  return forms.length === 0 ? [] : [{ kind: 'heading', text: 'Actions' }, ...forms]
}

/** What happened, and what is on its blockchain. */
export function orderHistory(order: OrderDocument): Block[] {
  return [...timeLine(order), ...chainDepositsOf(order), ...exceptionsOf(order)]
}

function chainDepositsOf({ foreign, deposits }: OrderDocument): Block[] {
  if (foreign === null) return []
  return [
    { kind: 'heading', text: 'On its blockchain', note: 'what it waits for, and what was sent for it' },
    {
      kind: 'facts',
      items: Object.entries(foreign).flatMap(([name, value]): [string, Cell][] =>
        value === null ? [] : [[capital(words(name)), foreignCell(name, String(value))]],
      ),
    },
    {
      kind: 'table',
      label: 'Chain deposits',
      empty: 'Nothing sent yet.',
      columns: [
        { label: 'Transaction', isCut: true },
        { label: 'From', isCut: true },
        { label: 'Sent', isRight: true },
        { label: 'Credited', isRight: true },
        { label: 'Sent at' },
        { label: 'Outcome' },
      ],
      rows: deposits.map((line) => [
        code(line.transactionId),
        code(line.sender),
        money(line.amount, line.asset),
        line.credited,
        time(line.madeAt ?? line.recordedAt),
        words(line.outcome),
      ]),
    },
  ]
}

function foreignCell(name: string, value: string): Cell {
  if (name === 'fundingDeadline' || name === 'seen') return time(value)
  const isId = ['assetId', 'wallet', 'quote', 'reference'].includes(name)
  return isId ? { text: value, isCode: true, isLong: true, copy: true } : value
}

function exceptionsOf({ exceptions }: OrderDocument): Block[] {
  if (exceptions.length === 0) return []
  return [
    { kind: 'heading', text: 'Exceptions' },
    {
      kind: 'table',
      label: 'Exceptions',
      empty: '',
      columns: [{ label: 'Exception' }, { label: 'State' }, { label: 'Opened' }, { label: 'Why' }],
      rows: exceptions.map((line) => [
        shortLink(`/exceptions/${line.id}`, line.id),
        state(line.state),
        time(line.openedAt),
        line.reason,
      ]),
    },
  ]
}
