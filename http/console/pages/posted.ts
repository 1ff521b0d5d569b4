/** What a form has booked, or would book: the postings, shown before the button is pressed and after. */
import type { ShownPosting } from '../../../actors/orders/postings-shown.ts'
import type { Block } from '../blocks.ts'
import { accountName, money } from '../cells.ts'
import type { Done } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'

export function postingsBlock(
  postings: readonly ShownPosting[],
  label = (texts: Texts) => texts.common.postings,
): Block {
  return {
    kind: 'table',
    label,
    empty: (texts) => texts.posted.nothingMoves,
    columns: [
      { label: (texts) => texts.common.kind },
      { label: (texts) => texts.posted.debit },
      { label: (texts) => texts.posted.credit },
      { label: (texts) => texts.common.amount, isRight: true },
    ],
    rows: postings.map(({ kind, debit, credit, amount, currency }) => [
      named(kind),
      accountName(debit),
      accountName(credit),
      money(amount, currency),
    ]),
  }
}

/** In answer to a form that only shows. */
export function preview(
  postings: readonly ShownPosting[],
  crumb: { href: string; text: Words },
  more: readonly Block[] = [],
): Done {
  return {
    kind: 'show',
    doIt: ({ common }) => common.bookIt,
    view: {
      title: (texts) => texts.posted.whatWouldBeBooked,
      crumb,
      blocks: [
        {
          kind: 'text',
          text: (texts) => texts.posted.nothingWasBookedGoBack,
        },
        ...more,
        postingsBlock(postings),
      ],
    },
  }
}
