/** Money that goes back: the console makes the transaction, and whoever has the treasury's keys signs it. */
import type { ExceptionSummary } from '../../../actors/exceptions/documents.ts'
import { exceptionRefund, isRefundable } from '../../../actors/resolutions/refund-operations.ts'
import type { Block } from '../blocks.ts'
import { code, money, time } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'

export function refundForms(request: PageRequest, exception: ExceptionSummary): Block[] {
  if (!isRefundable(exception)) return []
  return operationForm(request, exceptionRefund, {
    title: 'Refund',
    lead:
      'Makes an unsigned transaction and sends nothing: sign it where the treasury’s keys are, send it, and ' +
      'resolve the exception as refunded with its id.',
    button: 'Make the transaction',
    fields: ['to'],
    hidden: { id: exception.id },
  })
}

export const refundActions: readonly Action[] = [
  operationAction(exceptionRefund, (made) => ({
    kind: 'show',
    view: {
      title: 'Refund transaction',
      crumb: { href: `/exceptions/${made.exception}`, text: 'The exception' },
      blocks: [
        {
          kind: 'facts',
          items: [
            ['Chain', made.chain],
            ['To', code(made.to)],
            ['Amount', money(made.amount, made.asset)],
            ['Asset', code(made.assetId)],
            ...made.deposits.map((id) => ['Came by', code(id)] as const),
            ['Can be signed until', time(made.signableUntil)],
          ],
        },
        { kind: 'heading', text: 'Unsigned transaction' },
        { kind: 'source', label: 'Unsigned transaction', text: made.transaction },
        {
          kind: 'text',
          text: 'Once it is sent, resolve the exception as refunded, with the transaction’s id as evidence.',
        },
      ],
    },
  })),
]
