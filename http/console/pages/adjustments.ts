/** Corrections of lines of parties' statements, and the form that books one. */
import type { AdjustmentDocument } from '../../../actors/settlement/adjusting.ts'
import { adjustmentList, adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import type { Cell } from '../blocks.ts'
import { linkTo, money, partyLink, shortLink, time } from '../cells.ts'
import { filled, operationAction, operationForm } from '../forms.ts'
import type { Action, Page } from '../page.ts'
import { words } from '../readable.ts'
import { preview } from './posted.ts'

const crumb = { href: '/adjustments', text: 'Corrections' }

export const adjustmentsPage: Page = {
  path: /^\/adjustments$/,
  least: 'viewer',
  room: 'Payments',
  async render(request) {
    const { ask, query } = request
    const cursor = query.get('cursor') ?? ''
    const { adjustments, next } = await ask(adjustmentList, { limit: 50, ...filled({ cursor }) })
    return {
      title: 'Corrections',
      crumb: { href: '/payments', text: 'Payments' },
      blocks: [
        {
          kind: 'table',
          label: 'Corrections',
          empty: 'Nothing was corrected.',
          columns: [
            { label: 'Party' },
            { label: 'Reference' },
            { label: 'Because of' },
            { label: 'Amount', isRight: true },
            { label: 'Tax', isRight: true },
            { label: 'Corrects' },
            { label: 'What was wrong' },
            { label: 'Booked' },
            { label: 'By' },
          ],
          rows: adjustments.map((one) => [
            partyLink(one.partyKind, one.party),
            one.reference,
            words(one.kind),
            money(one.amount, one.currency),
            money(one.tax, one.currency),
            corrected(one),
            one.reason,
            time(one.booked),
            one.bookedBy,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/adjustments', query, { cursor: next }) },
        ...operationForm(request, adjustmentRecord, {
          title: 'Correct a line',
          lead: 'It is a line of its own in the party’s next statement. What is closed stays as it is.',
          button: 'Book it',
          fields: [
            'party',
            'kind',
            'because',
            'currency',
            'amount',
            'tax',
            'statement',
            'line',
            'order',
            'reference',
            'reason',
            'dryRun',
          ],
          adjusted: { kind: { label: 'Kind', hint: 'Where a merchant and a provider share the name.' } },
        }),
      ],
    }
  },
}

function corrected({ statement, line, order }: AdjustmentDocument): Cell {
  return order === null ? `statement ${statement}, line ${line}` : shortLink(`/orders/${order}`, order)
}

export const adjustmentActions: readonly Action[] = [
  operationAction(adjustmentRecord, ({ dryRun, postings }) =>
    dryRun ? preview(postings, crumb) : { kind: 'go' },
  ),
]
