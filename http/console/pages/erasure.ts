/** A consumer asks to be forgotten: their data of one order, or of all orders that have them. */

import { type ErasureDocument, personalErase } from '../../../actors/erasure/operations.ts'
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import { finalStatuses } from '../../../machines/statuses.ts'
import type { Block } from '../blocks.ts'
import { orderLink, state } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'

/** What was done is shown there, since there may be orders that have not ended. */
const consumerPath = '/personal/erase-consumer'

const what = 'E-mail and telephone number, the bodies of webhooks and their answers are erased forever.'

/** For the page of an order that has ended. */
export function eraseOrderForms(request: PageRequest, { id, status, consumer }: OrderDocument): Block[] {
  if (!finalStatuses.includes(status) || consumer?.erased) return []
  return operationForm(request, personalErase, {
    title: 'Erase personal data',
    lead: `${what} The journal and the money stay.`,
    button: 'Erase them',
    isDanger: true,
    fields: ['reason'],
    hidden: { order: id },
  })
}

/** For a consumer, whatever their orders are. */
export function eraseConsumerForms(request: PageRequest): Block[] {
  return operationForm(request, personalErase, {
    action: consumerPath,
    title: 'Erase a consumer’s personal data',
    lead: `${what} In all orders that have ended, archived ones too; those that are open are listed.`,
    button: 'Erase them',
    isDanger: true,
    fields: ['consumer', 'reason'],
    adjusted: { consumer: { isOptional: false } },
  })
}

export const erasureActions: readonly Action[] = [
  operationAction(
    personalErase,
    (erased) => ({
      kind: 'show',
      view: { ...viewOf(erased), crumb: { href: '/health', text: 'Health' } },
    }),
    consumerPath,
  ),
]

function viewOf({ erased, before, open }: ErasureDocument): { title: string; blocks: Block[] } {
  const rest = before.length === 0 ? '' : `, of ${before.length} they had been before`
  return {
    title: `The data of ${erased.length} orders are erased${rest}`,
    blocks: [
      {
        kind: 'table',
        label: 'Orders that have not ended',
        empty: 'No order of theirs is open.',
        columns: [{ label: 'Erase again once it has ended' }, { label: 'Status' }],
        rows: open.map(({ order, status }) => [orderLink(order), state(status)]),
      },
    ],
  }
}
