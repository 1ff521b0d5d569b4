/** What was given back of an order. */
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import type { Block } from '../blocks.ts'
import { money, orderLink, state, time } from '../cells.ts'

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
        { label: 'Created' },
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
