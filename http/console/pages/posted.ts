/** What a form has booked, or would book: the postings, shown before the button is pressed and after. */
import type { ShownPosting } from '../../../actors/orders/postings-shown.ts'
import type { Block } from '../blocks.ts'
import { money } from '../cells.ts'
import type { Done } from '../page.ts'
import { words } from '../readable.ts'

export function postingsBlock(postings: readonly ShownPosting[], label = 'Postings'): Block {
  return {
    kind: 'table',
    label,
    empty: 'Nothing moves.',
    columns: [{ label: 'Kind' }, { label: 'Debit' }, { label: 'Credit' }, { label: 'Amount', isRight: true }],
    rows: postings.map(({ kind, debit, credit, amount, currency }) => [
      words(kind),
      debit,
      credit,
      money(amount, currency),
    ]),
  }
}

/** In answer to a form that only shows. */
export function preview(
  postings: readonly ShownPosting[],
  crumb: { href: string; text: string },
  more: readonly Block[] = [],
): Done {
  return {
    kind: 'show',
    view: {
      title: 'What would be booked',
      crumb,
      blocks: [
        {
          kind: 'text',
          text: 'Nothing was booked. Go back and send the form without its last box to book it.',
        },
        ...more,
        postingsBlock(postings),
      ],
    },
  }
}
