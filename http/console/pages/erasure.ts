/** A consumer asks to be forgotten: their data of one order, or of all orders that have them. */

import { type ErasureDocument, personalErase } from '../../../actors/erasure/operations.ts'
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import { finalStatuses } from '../../../machines/statuses.ts'
import type { Block } from '../blocks.ts'
import { orderLink, state } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'
import type { Said } from '../view.ts'

/** What was done is shown there, since there may be orders that have not ended. */
const consumerPath = '/personal/erase-consumer'

/** For the page of an order that has ended. */
export function eraseOrderForms(request: PageRequest, { id, status, consumer }: OrderDocument): Block[] {
  if (!finalStatuses.includes(status) || consumer?.erased) return []
  return operationForm(request, personalErase, {
    title: (texts) => texts.erasure.erasePersonalData,
    lead: (texts) => texts.erasure.theJournalAndTheMoney,
    button: (texts) => texts.erasure.eraseThem,
    isDanger: true,
    fields: ['reason'],
    hidden: { order: id },
  })
}

/** For a consumer, whatever their orders are. */
export function eraseConsumerForms(request: PageRequest): Block[] {
  return operationForm(request, personalErase, {
    action: consumerPath,
    title: (texts) => texts.erasure.eraseAConsumersPersonalData,
    lead: (texts) => texts.erasure.inAllOrdersThatHave,
    button: (texts) => texts.erasure.eraseThem,
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
      view: { ...viewOf(erased), crumb: { href: '/health', text: (texts) => texts.common.health } },
    }),
    consumerPath,
  ),
]

function viewOf({ erased, before, open }: ErasureDocument): { title: Said; blocks: Block[] } {
  return {
    title: ({ erasure }, view) =>
      before.length === 0
        ? erasure.theDataOfOrdersAre(view.counted(erased.length))
        : erasure.ofTheyHadBeenBefore(view.counted(erased.length), view.counted(before.length)),
    blocks: [
      {
        kind: 'table',
        label: (texts) => texts.erasure.ordersThatHaveNotEnded,
        empty: (texts) => texts.erasure.noOrderOfTheirsIs,
        columns: [
          { label: (texts) => texts.erasure.eraseAgainOnceItHas },
          { label: (texts) => texts.common.status },
        ],
        rows: open.map(({ order, status }) => [orderLink(order), state(status)]),
      },
    ],
  }
}
