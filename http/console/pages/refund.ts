/** Money that goes back: the console makes the transaction, and whoever has the treasury's keys signs it. */
import type { ExceptionSummary } from '../../../actors/exceptions/documents.ts'
import { exceptionRefund, isRefundable } from '../../../actors/resolutions/refund-operations.ts'
import type { Block } from '../blocks.ts'
import { code, money, time } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'

export function refundForms(request: PageRequest, exception: ExceptionSummary): Block[] {
  if (!isRefundable(exception)) return []
  return operationForm(request, exceptionRefund, {
    title: (texts) => texts.refund.refund,
    lead: (texts) => texts.refund.makesAnUnsignedTransactionAnd,
    button: (texts) => texts.refund.makeTheTransaction,
    fields: ['to'],
    hidden: { id: exception.id },
  })
}

export const refundActions: readonly Action[] = [
  operationAction(exceptionRefund, (made) => ({
    kind: 'show',
    view: {
      title: (texts) => texts.refund.refundTransaction,
      crumb: { href: `/exceptions/${made.exception}`, text: (texts) => texts.refund.theException },
      blocks: [
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.chain, made.chain],
            [(texts) => texts.common.goesTo, code(made.to)],
            [(texts) => texts.common.amount, money(made.amount, made.asset)],
            [(texts) => texts.refund.asset, code(made.assetId)],
            ...made.deposits.map((id) => [(texts: Texts) => texts.refund.cameBy, code(id)] as const),
            [(texts) => texts.refund.canBeSignedUntil, time(made.signableUntil)],
          ],
        },
        { kind: 'heading', text: (texts) => texts.refund.unsignedTransaction },
        { kind: 'source', label: (texts) => texts.refund.unsignedTransaction, text: made.transaction },
        {
          kind: 'text',
          text: (texts) => texts.refund.onceItIsSentResolve,
        },
      ],
    },
  })),
]
