/** One order: whose it is, what an operator may do with it now, and all that has happened. */

import { claimOpen } from '../../../actors/claims/operations.ts'
import { type OrderDocument, type OrderFact, orderFacts } from '../../../actors/orders/documents.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { sandboxSimulate } from '../../../actors/sandbox/operations.ts'
import { adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import { webhookRetry } from '../../../actors/webhooks/delivery-operations.ts'
import { finalStatuses } from '../../../machines/statuses.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { code, groupedCode, money, partyLink, shortId, shortLink, state, time } from '../cells.ts'
import { operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { capitalized, joined, named, word } from '../readable.ts'
import { whyCell } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'
import { wording } from '../wording.ts'
import { correctionPath } from './adjustments.ts'
import { eraseOrderForms } from './erasure.ts'
import { changeForms } from './order-changes.ts'
import { refundBlocks } from './order-charges.ts'
import { evidenceForms } from './order-evidence.ts'
import { quarantineBlocks } from './quarantined.ts'
import { timeLine } from './time-line.ts'

export const orderPage: Page = {
  path: /^\/orders\/(?<id>[\w-]{1,64})$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const order = await request.ask(orderShow, { id: request.params.id ?? '' })
    return {
      title: (texts) => texts.order.order(shortId(order.id)),
      heading: joined([money(order.price, order.currency).text, named(order.status)]),
      crumb: { href: '/orders', text: (texts) => texts.common.orders },
      liveSeconds: 5,
      blocks: [
        ...exceptionNotices(order),
        ...quarantineBlocks(request, order),
        factsOf(order),
        ...(await orderForms(request, order)),
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
  const lines = open.map(({ id, ...one }) => ({ ...whyCell(one), href: `/exceptions/${id}` }))
  return [{ kind: 'notice', tone: 'bad', title: (texts) => texts.common.needsAttention, lines }]
}

/** Most is about some orders only. */
function factsOf(order: OrderDocument): Block {
  const known = orderFacts(order).filter(({ text, label }) => text !== null && !isSaidAbove(label))
  return { kind: 'facts', items: known.map((fact) => [capitalized(wording(fact.label)), factCell(fact)]) }
}

/** In the heading. */
const isSaidAbove = (label: string) => label === 'price'

function factCell(fact: OrderFact): Cell {
  const cell = plainCell(fact)
  // What a merchant wrote stays as it is.
  const note = fact.note && (fact.kind === 'order' ? fact.note : wording(fact.note))
  return note ? { ...cell, note } : cell
}

function plainCell({ label, text, kind, currency }: OrderFact): Text {
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
      return { text: named(value) }
    case 'id':
      return { text: value, isCode: true, isLong: true, copy: true }
    case 'link':
      return { text: value, href: value, isLong: true, copy: true }
    default:
      if (currency !== undefined) return money(value, currency)
      return { text: label.startsWith('refunded') ? wording(value) : value }
  }
}

function chartOf(request: PageRequest, order: OrderDocument): Block[] {
  const svg = request.drawing(order.kind, { status: order.status })
  if (svg === null) return []
  const label = (texts: Texts) => texts.order.chartOfItIs(word(texts, order.kind), word(texts, order.status))
  return [{ kind: 'fold', title: (texts) => texts.common.chart, blocks: [{ kind: 'drawing', label, svg }] }]
}

/** What the order allows as it is, and the operator's role. */
async function orderForms(request: PageRequest, order: OrderDocument): Promise<Block[]> {
  const forms = await changeForms(request, order)
  if (order.webhooks.some(({ state: its }) => its === 'dead')) {
    forms.push(
      ...operationForm(request, webhookRetry, {
        title: (texts) => texts.order.resendItsWebhooks,
        lead: (texts) => texts.order.allThatAreNotDelivered,
        button: (texts) => texts.common.sendAgain,
        fields: [],
        hidden: { order: order.id },
      }),
    )
  }
  forms.push(...simulationForms(request, order))
  const open = { text: (texts: Texts) => texts.claims.open, href: `/claims/open?order=${order.id}` }
  const claims: Block = {
    kind: 'links',
    items: [
      ...(request.may(claimOpen) ? [{ ...open, isAct: true } as const] : []),
      ...(request.may(adjustmentRecord) && finalStatuses.includes(order.status) ? [correction(order)] : []),
      { text: (texts) => texts.claims.claims, href: `/claims?order=${order.id}` },
    ],
  }
  forms.push(...evidenceForms(request, order.id), ...eraseOrderForms(request, order), claims)
  return forms.length === 0 ? [] : [{ kind: 'heading', text: (texts) => texts.order.actions }, ...forms]
}

/** Of its fee or its commission. */
function correction({ id, merchant, currency }: OrderDocument): Text {
  const href = correctionPath({ party: merchant, kind: 'merchant', currency, order: id })
  return { text: (texts) => texts.adjustments.correctALine, href, isAct: true }
}

/** In a sandbox, what nobody does there. */
function simulationForms(request: PageRequest, order: OrderDocument): Block[] {
  if (request.mode !== 'sandbox' || finalStatuses.includes(order.status)) return []
  return operationForm(request, sandboxSimulate, {
    title: (texts) => texts.order.simulate,
    lead: (texts) => texts.order.simulateLead,
    button: (texts) => texts.order.simulate,
    fields: ['step'],
    hidden: { id: order.id },
  })
}

/** What happened, and what is on its blockchain. */
export function orderHistory(order: OrderDocument): Block[] {
  return [...timeLine(order), ...chainDepositsOf(order), ...exceptionsOf(order)]
}

function chainDepositsOf({ foreign, deposits }: OrderDocument): Block[] {
  if (foreign === null) return []
  return [
    {
      kind: 'heading',
      text: (texts) => texts.order.onItsBlockchain,
      note: (texts) => texts.order.whatItWaitsForAnd,
    },
    {
      kind: 'facts',
      items: Object.entries(foreign).flatMap(([name, value]): [Words, Cell][] =>
        value === null ? [] : [[capitalized(named(name)), foreignCell(name, String(value))]],
      ),
    },
    {
      kind: 'table',
      label: (texts) => texts.order.chainDeposits,
      empty: (texts) => texts.order.nothingSentYet,
      columns: [
        { label: (texts) => texts.common.transaction, isCut: true },
        { label: (texts) => texts.common.comesFrom, isCut: true },
        { label: (texts) => texts.common.sent, isRight: true },
        { label: (texts) => texts.order.credited, isRight: true },
        { label: (texts) => texts.order.sentAt },
        { label: (texts) => texts.common.outcome },
      ],
      rows: deposits.map((line) => [
        code(line.transactionId),
        code(line.sender),
        money(line.amount, line.asset),
        line.credited,
        time(line.madeAt ?? line.recordedAt),
        named(line.outcome),
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
    { kind: 'heading', text: (texts) => texts.common.exceptions },
    {
      kind: 'table',
      label: (texts) => texts.common.exceptions,
      empty: '',
      columns: [
        { label: (texts) => texts.common.exception },
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.common.opened },
        { label: (texts) => texts.common.why },
      ],
      rows: exceptions.map((line) => [
        shortLink(`/exceptions/${line.id}`, line.id),
        state(line.state),
        time(line.openedAt),
        whyCell(line),
      ]),
    },
  ]
}
