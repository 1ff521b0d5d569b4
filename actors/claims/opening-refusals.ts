/** Why a claim is not opened, for an operator. */
import { formatPrice } from '../../machines/money.ts'
import type { Row } from '../../persistence/store.ts'
import { OperationError, type OperationErrorCode } from '../foundation/operation.ts'
import type { OpeningRefusal } from './opening.ts'

type Text = (order: Row<'orders'>) => readonly [code: OperationErrorCode, message: string, hint?: string]

const priceOf = ({ price_minor, currency }: Row<'orders'>) =>
  `${formatPrice(price_minor, currency)} ${currency}`

const texts: Record<OpeningRefusal, Text> = {
  order_open: ({ id, status }) => [
    'refused',
    `The order is ${status}: its provider may still say that the cash was handled.`,
    `Once it has ended: order show ${id}`,
  ],
  no_provider: () => [
    'invalid',
    'provider: nobody has ever held the order, so say with whom its cash was handled.',
    '--provider NAME',
  ],
  amount_missing: () => [
    'invalid',
    'amount: what was handled instead of the price, or what the false notes come to.',
    '--amount AMOUNT',
  ],
  amount_unknown: () => ['invalid', 'amount: only a wrong amount and false notes have one.'],
  amount_same: (order) => ['invalid', `amount: ${priceOf(order)} is the price itself.`],
  amount_exceeds: (order) => [
    'invalid',
    `amount: false notes come to no more than the price, ${priceOf(order)}.`,
  ],
  known: ({ id }) => [
    'conflict',
    'There is a claim of this kind about the order with this provider already.',
    `claim list --order ${id}`,
  ],
  exception_settled: () => [
    'refused',
    'The exception is not there, or is resolved.',
    'exception list shows them.',
  ],
  exception_other_order: () => ['invalid', 'The exception is about another order.'],
  exception_kind: () => [
    'invalid',
    'A claim resolves a difference of a report, or, where the cash was handled and is not booked, what the order waits for.',
  ],
  exception_held: () => ['conflict', 'Another claim holds the exception.', 'claim list --state undecided'],
  order_gone: ({ id }) => ['not_found', `The order ${id} is in the archive now.`],
}

export function openingError(reason: OpeningRefusal, order: Row<'orders'>): OperationError {
  const [code, message, hint] = texts[reason](order)
  // What is wrong with a field is told beside it, where there is a form.
  const details = /^[a-z]+: /.test(message) ? [message] : []
  return new OperationError(code, message, { details, ...(hint === undefined ? {} : { hint }) })
}
