/** A merchant's key has leaked: what was made with it is cancelled. */
import { orderCancelAll } from '../../../actors/orders/sweep-operations.ts'
import type { CredentialDocument } from '../../../actors/parties/operations.ts'
import type { Block } from '../blocks.ts'
import { groupedCode, orderLink, partyPath, state } from '../cells.ts'
import { dayBefore, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'

/** What was cancelled is not shown in full where it is thousands. */
const maxShown = 500

export function sweepForms(
  request: PageRequest,
  { credentials }: { credentials: readonly CredentialDocument[] },
): Block[] {
  if (credentials.length === 0) return []
  return operationForm(request, orderCancelAll, {
    title: 'Cancel a key’s orders',
    lead: 'For a leaked key: freeze the merchant or revoke the key first, or it can create more.',
    button: 'Cancel the orders',
    isDanger: true,
    fields: ['credential', 'since', 'force', 'reason'],
    adjusted: {
      credential: oneOf(credentials.map(({ key }) => key)),
      since: { value: dayBefore(request.now) },
    },
  })
}

export const sweepActions: readonly Action[] = [
  operationAction(orderCancelAll, (swept) => {
    const { cancelled, refused, orders, more, mayCreateMore, merchant } = swept
    const warnings = [
      ...(more ? ['There are more: run it again.'] : []),
      ...(mayCreateMore ? [`The key is live and ${merchant} is not frozen: it can create more.`] : []),
    ]
    return {
      kind: 'show',
      view: {
        title: `${cancelled} orders cancelled, ${refused} left`,
        crumb: { href: partyPath('merchant', merchant), text: merchant },
        blocks: [
          ...(warnings.length === 0
            ? []
            : [{ kind: 'notice', tone: 'bad', title: 'Not finished', lines: warnings } as const]),
          {
            kind: 'table',
            label: 'Orders',
            empty: 'The key has created no orders that can be cancelled.',
            columns: [{ label: 'Order' }, { label: 'Code' }, { label: 'Status' }, { label: 'Left because' }],
            rows: orders
              .slice(0, maxShown)
              .map((order) => [
                orderLink(order.id),
                groupedCode(order.code),
                state(order.status),
                order.problem,
              ]),
          },
        ],
      },
    }
  }),
]
