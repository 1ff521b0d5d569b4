/** A merchant's key has leaked: what was made with it is cancelled. */
import { orderCancelAll } from '../../../actors/orders/sweep-operations.ts'
import type { CredentialDocument } from '../../../actors/parties/operations.ts'
import type { Block } from '../blocks.ts'
import { groupedCode, orderLink, partyPath, state } from '../cells.ts'
import { dayBefore, lookingForm, oneOf, operationAction } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { told } from '../wording.ts'
import { postingsBlock } from './posted.ts'

/** What was cancelled is not shown in full where it is thousands. */
const maxShown = 500

export function sweepForms(
  request: PageRequest,
  { credentials }: { credentials: readonly CredentialDocument[] },
): Block[] {
  if (credentials.length === 0) return []
  return lookingForm(request, orderCancelAll, {
    title: (texts) => texts.sweep.cancelAKeysOrders,
    lead: (texts) => texts.sweep.forALeakedKeyFreeze,
    isDanger: true,
    fields: ['credential', 'since', 'force', 'reason'],
    adjusted: {
      credential: oneOf(credentials.map(({ key }) => key)),
      since: { value: dayBefore(request) },
    },
  })
}

export const sweepActions: readonly Action[] = [
  operationAction(orderCancelAll, (swept) => {
    const { cancelled, refused, orders, more, mayCreateMore, merchant, dryRun, books } = swept
    const warnings = [
      ...(more && !dryRun ? [(texts: Texts) => texts.sweep.thereAreMoreRunIt] : []),
      ...(mayCreateMore ? [(texts: Texts) => texts.sweep.theKeyIsLiveAnd(merchant)] : []),
    ]
    return {
      kind: 'show',
      doIt: cancelled === 0 ? null : (texts) => texts.sweep.cancelTheOrders,
      view: {
        title: (texts) =>
          dryRun
            ? texts.sweep.ordersWouldBeCancelledLeft(cancelled, refused)
            : texts.sweep.ordersCancelledLeft(cancelled, refused),
        crumb: { href: partyPath('merchant', merchant), text: merchant },
        blocks: [
          ...(warnings.length === 0
            ? []
            : [
                {
                  kind: 'notice',
                  tone: 'bad',
                  title: (texts: Texts) => (dryRun ? texts.sweep.keyIsLive : texts.sweep.notFinished),
                  lines: warnings,
                } as const,
              ]),
          ...(dryRun ? [postingsBlock(books)] : []),
          {
            kind: 'table',
            label: (texts) => texts.common.orders,
            empty: (texts) => texts.sweep.theKeyHasCreatedNo,
            columns: [
              { label: (texts) => texts.common.order },
              { label: (texts) => texts.common.code },
              { label: (texts) => texts.common.status },
              { label: (texts) => texts.sweep.leftBecause },
            ],
            rows: orders
              .slice(0, maxShown)
              .map((order) => [
                orderLink(order.id),
                groupedCode(order.code),
                state(order.status),
                told(order.problem),
              ]),
          },
        ],
      },
    }
  }),
]
