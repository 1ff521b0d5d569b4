/** What an order costs and earns, and what it gives back or was given back of it. */
import type { ChargeDocument, OrderDocument, RefundedDocument } from '../../../actors/orders/documents.ts'
import type { Block, Cell } from '../blocks.ts'
import { money, orderLink, state, time } from '../cells.ts'
import { grouped, readableTime } from '../readable.ts'

/** Facts of the order, where there are any. */
export function chargeFacts(order: OrderDocument): [string, Cell][] {
  const { fee, commission, refundOf, refunded, currency } = order
  const facts: [string, Cell][] = []
  if (fee !== null) facts.push(['Fee', charge(fee, currency)])
  if (commission !== null) facts.push(['Commission', charge(commission, currency)])
  if (refundOf !== null) {
    facts.push(
      ['Refund of', orderLink(refundOf.payIn)],
      [
        'Purchase',
        {
          text: refundOf.description,
          note: `${refundOf.merchantOrderId}, paid ${readableTime(refundOf.paid)}`,
        },
      ],
      ['Refunded of it', leftOf(refundOf, currency)],
    )
  }
  if (refunded !== null) facts.push(['Refunded', leftOf(refunded, currency)])
  return facts
}

function charge({ amount, tax }: ChargeDocument, currency: string): Cell {
  return { ...money(amount, currency), note: `tax ${grouped(tax)}` }
}

function leftOf({ claimed, credited, left, excess }: RefundedDocument, currency: string): Cell {
  const beyond = /[1-9]/.test(excess) ? `, ${grouped(excess)} beyond it` : ''
  return {
    ...money(claimed, currency),
    note: `of ${grouped(credited)}${beyond}, ${grouped(left)} left`,
  }
}

export function refundBlocks({ refunds, currency }: OrderDocument): Block[] {
  if (refunds.length === 0) return []
  return [
    { kind: 'heading', text: 'Refunds', note: 'pay-outs that give it back' },
    {
      kind: 'table',
      label: 'Refunds',
      empty: '',
      columns: [
        { label: 'Order' },
        { label: 'State' },
        { label: 'Made' },
        { label: 'Amount', isRight: true },
      ],
      rows: refunds.map((line) => [
        orderLink(line.id),
        state(line.status),
        time(line.created),
        money(line.price, currency),
      ]),
    },
  ]
}
