/** What was given back of an order. */
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import type { Block } from '../blocks.ts'
import { money, orderLink, state, time } from '../cells.ts'

export function refundBlocks({ refunds, currency }: OrderDocument): Block[] {
  if (refunds.length === 0) return []
  return [
    {
      kind: 'heading',
      text: (texts) => texts.orderCharges.refunds,
      note: (texts) => texts.orderCharges.payOutsThatGiveIt,
    },
    {
      kind: 'table',
      label: (texts) => texts.orderCharges.refunds,
      empty: '',
      columns: [
        { label: (texts) => texts.common.order },
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.common.created },
        { label: (texts) => texts.common.amount, isRight: true },
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
