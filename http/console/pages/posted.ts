/** What a form has booked, or would book: the postings, shown before the button is pressed and after. */
import { type Operation, OperationError } from '../../../actors/foundation/operation.ts'
import type { ShownPosting } from '../../../actors/orders/postings-shown.ts'
import type { Block } from '../blocks.ts'
import { accountName, money } from '../cells.ts'
import type { Done, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Said, Words } from '../view.ts'

export function postingsBlock(
  postings: readonly ShownPosting[],
  label: Said = (texts) => texts.common.postings,
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

/** What an operation would book, as things are; or why it could not be done. */
export async function wouldBe<Input, Output extends { postings: readonly ShownPosting[] }>(
  { ask }: Pick<PageRequest, 'ask'>,
  operation: Operation<Input, Output>,
  input: Input,
): Promise<readonly ShownPosting[] | OperationError> {
  try {
    return (await ask(operation, { ...input, dryRun: true })).postings
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return error
  }
}

/**
 * In answer to a form that only shows.
 * @param doIt what the button says that does it
 */
export function preview(
  postings: readonly ShownPosting[],
  crumb: { href: string; text: Words },
  { more = [], doIt = ({ common }) => common.bookIt }: { more?: readonly Block[]; doIt?: Words } = {},
): Done {
  return {
    kind: 'show',
    doIt,
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
