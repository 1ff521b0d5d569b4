/** An order as a person reads it: its fields, its journal, its money, its webhooks. */
import { detailTexts } from '../../actors/orders/detail-text.ts'
import type { ForeignDocument, JournalLine } from '../../actors/orders/document-lines.ts'
import { type OrderDocument, type OrderFact, orderFacts } from '../../actors/orders/documents.ts'
import { fields, section, shortTime, table } from '../table.ts'
import { exceptionTable } from './exception-table.ts'
import { webhookTable } from './webhook-table.ts'

/** As people read a code out. */
export function grouped(code: string): string {
  return code.replace(/(\d{4})(?=\d)/g, '$1 ')
}

export function orderText(order: OrderDocument): string {
  return [
    fields(orderFacts(order).map((fact) => [fact.label, factText(fact)])),
    section(
      'Journal',
      table(order.journal, [
        { title: 'AT', value: (entry) => shortTime(entry.at) },
        { title: 'WHO', value: (entry) => entry.actor },
        { title: 'EVENT', value: (entry) => entry.event },
        {
          title: 'STATUS',
          value: (entry) => (entry.from === null ? entry.to : `${entry.from} → ${entry.to}`),
        },
        { title: 'OUTCOME', value: (entry) => entry.outcome },
        { title: 'DETAILS', value: (entry) => detailsOf(entry, order.currency) },
      ]),
    ),
    section('On its blockchain', order.foreign === null ? '' : foreignText(order.foreign)),
    section('Chain deposits', order.deposits.length === 0 ? '' : chainDepositTable(order)),
    section('Refunds', order.refunds.length === 0 ? '' : refundTable(order)),
    section('Money', order.postings.length === 0 ? '' : postingTable(order)),
    section('Webhooks', order.webhooks.length === 0 ? '' : webhookTable(order.webhooks)),
    section('Exceptions', order.exceptions.length === 0 ? '' : exceptionTable(order.exceptions)),
  ].join('')
}

function factText({ text, kind, currency, note }: OrderFact): string | null {
  if (text === null) return null
  const value = kind === 'code' ? grouped(text) : kind === 'time' ? shortTime(text) : text
  return `${value}${currency ? ` ${currency}` : ''}${note ? `, ${note}` : ''}`
}

function refundTable({ refunds, currency }: OrderDocument): string {
  return table(refunds, [
    { title: 'ORDER', value: (refund) => refund.id },
    { title: 'CREATED', value: (refund) => shortTime(refund.created) },
    { title: 'STATUS', value: (refund) => refund.status },
    { title: 'PRICE', value: (refund) => `${refund.price} ${currency}`, right: true },
  ])
}

function foreignText(foreign: ForeignDocument): string {
  return fields([
    ['chain', foreign.chain],
    ['expected', `${foreign.expected} ${foreign.asset}, of which ${foreign.fee} are the fee`],
    ['received', foreign.received],
    ['wallet', foreign.wallet],
    ['asset', foreign.assetId],
    ['reference', foreign.reference],
    ['quote', foreign.quote],
    ['can be funded until', shortTime(foreign.fundingDeadline)],
    ['seen on its way', foreign.seen === null ? null : shortTime(foreign.seen)],
    ['transaction', foreign.transactionError],
  ])
}

function chainDepositTable({ deposits }: OrderDocument): string {
  return table(deposits, [
    { title: 'MADE', value: (deposit) => (deposit.madeAt === null ? '' : shortTime(deposit.madeAt)) },
    { title: 'AMOUNT', value: (deposit) => `${deposit.amount} ${deposit.asset}`, right: true },
    { title: 'CREDITED', value: (deposit) => deposit.credited, right: true },
    { title: 'OUTCOME', value: (deposit) => deposit.outcome },
    { title: 'SENDER', value: (deposit) => deposit.sender ?? '' },
    { title: 'TRANSACTION', value: (deposit) => deposit.transactionId },
  ])
}

function postingTable({ postings }: OrderDocument): string {
  return table(postings, [
    { title: 'AT', value: (posting) => shortTime(posting.at) },
    { title: 'KIND', value: (posting) => posting.kind },
    { title: 'AMOUNT', value: (posting) => `${posting.amount} ${posting.currency}`, right: true },
    { title: 'FROM', value: (posting) => posting.from },
    { title: 'TO', value: (posting) => posting.to },
  ])
}

/** A creation's stand above the journal. */
function detailsOf({ event, details }: JournalLine, currency: string): string {
  if (event === 'order.create') return ''
  return detailTexts(details, currency)
    .map(({ name, text }) => `${name}: ${text}`)
    .join(', ')
}
