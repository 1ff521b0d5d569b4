/** What a durable actor was told, on its page. */
import type { Block, Cell } from '../blocks.ts'

/** @param rows when, by whom, what, the state after it, and why; the oldest first */
export function whatItWasTold(rows: readonly Cell[][]): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.payment.whatItWasTold },
    {
      kind: 'table',
      label: (texts) => texts.payment.whatItWasTold,
      empty: (texts) => texts.payment.nothing,
      columns: [
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.who },
        { label: (texts) => texts.common.event },
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.common.why },
      ],
      rows,
    },
  ]
}
