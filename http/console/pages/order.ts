/** One order: its timeline, its money, what was told of it, and what an operator may do with it. */

import { orderChanges } from '../../../actors/orders/change-operations.ts'
import { detailTexts } from '../../../actors/orders/detail-text.ts'
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
  const known = orderFacts(order).filter(({ text }) => text !== null)
  return { kind: 'facts', items: known.map((fact) => [capital(fact.label), factCell(fact)]) }
}

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
      return groupedCode(value)
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
      return { text: value, isCode: true }
    default:
      return currency === undefined ? { text: value } : money(value, currency)
  }
}

function chartOf(request: PageRequest, order: OrderDocument): Block[] {
  const svg = request.drawing(order.kind, { status: order.status })
  if (svg === null) return []
  return [
    { kind: 'heading', text: 'Where it is' },
    { kind: 'drawing', label: `Chart of ${words(order.kind)}; it is ${words(order.status)}`, svg },
  ]
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

/** Journal, money, webhooks, deposits, exceptions. */
export function orderHistory(order: OrderDocument): Block[] {
  return [
    { kind: 'heading', text: 'Journal', note: 'every event, who sent it, and the outcome' },
    {
      kind: 'table',
      label: 'Journal',
      empty: 'Nothing yet.',
      columns: [
        { label: 'At' },
        { label: 'Who' },
        { label: 'Event' },
        { label: 'Became' },
        { label: 'Details' },
      ],
      rows: order.journal.map((line) => [
        time(line.at),
        { text: line.actor, ...(line.key === null ? {} : { note: `key ${line.key}` }) },
        line.event,
        line.outcome === 'accepted'
          ? state(line.to)
          : { text: `refused: ${words(line.outcome)}`, tone: 'bad' },
        detailsOf(line.details, order.currency),
      ]),
    },
    { kind: 'heading', text: 'Money' },
    {
      kind: 'table',
      label: 'Postings',
      empty: 'No money has moved.',
      columns: [
        { label: 'At' },
        { label: 'What' },
        { label: 'From' },
        { label: 'To' },
        { label: 'Amount', isRight: true },
      ],
      rows: order.postings.map((line) => [
        time(line.at),
        line.kind,
        line.from,
        line.to,
        money(line.amount, line.currency),
      ]),
    },
    { kind: 'heading', text: 'Webhooks' },
    {
      kind: 'table',
      label: 'Webhooks',
      empty: 'No webhooks yet.',
      columns: [
        { label: 'Webhook' },
        { label: 'Tells' },
        { label: 'State' },
        { label: 'Attempts', isRight: true },
        { label: 'Last answer' },
        { label: 'Due' },
      ],
      rows: order.webhooks.map((line) => [
        shortLink(`/webhooks/${line.id}`, line.id),
        state(line.status),
        state(line.state),
        String(line.attempts),
        line.lastAnswer,
        time(line.dueAt),
      ]),
    },
    ...chainDepositsOf(order),
    ...exceptionsOf(order),
  ]
}

/** A transaction is thousands of signs long, and the inspector shows it whole. */
const maxDetailLength = 120

function detailsOf(details: Readonly<Record<string, unknown>>, currency: string): Cell {
  const parts = detailTexts(details, currency).map(({ name, text }) => {
    return `${words(name)}: ${text.length > maxDetailLength ? `${text.slice(0, maxDetailLength - 1)}…` : text}`
  })
  return parts.length === 0 ? null : { text: parts.join(', '), isLong: true }
}

function chainDepositsOf({ foreign, deposits }: OrderDocument): Block[] {
  if (foreign === null) return []
  return [
    { kind: 'heading', text: 'Chain deposits', note: 'what was sent for the order on the blockchain' },
    {
      kind: 'facts',
      items: Object.entries(foreign).map(([name, value]): [string, Cell] => [
        words(name),
        value === null ? null : code(String(value)),
      ]),
    },
    {
      kind: 'table',
      label: 'Chain deposits',
      empty: 'Nothing sent yet.',
      columns: [
        { label: 'Transaction' },
        { label: 'From' },
        { label: 'Sent', isRight: true },
        { label: 'Credited', isRight: true },
        { label: 'Made' },
        { label: 'Ended as' },
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
