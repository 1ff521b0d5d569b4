/** What the API's document says of the provider endpoints: protocol 4.1. */
import type { Direction } from '../../machines/order.ts'
import type { RefusalName } from '../catalogue/refusals.ts'
import { providerAnswerName } from './openapi/answers.ts'
import type { OperationDescription } from './operation.ts'
import type { PaymentAction } from './refusals.ts'

const nouns = {
  PAY_OUT: { id: 'PayOut', text: 'a pay-out' },
  PAY_IN: { id: 'PayIn', text: 'a pay-in' },
} as const satisfies Record<Direction, { id: string; text: string }>

export function aboutCheck(direction: Direction): OperationDescription {
  const { id, text } = nouns[direction]
  return {
    id: `check${id}`,
    summary: `Look up ${text} by its code`,
    description: 'Continue only if the status is READY. Too many unknown codes are answered with 429.',
    request: [],
    answer: { status: 200, schema: providerAnswerName(direction, 'check') },
    repetition: 'freely',
    refusals: [],
    problems: [],
  }
}

interface ActionText {
  summary: string
  description: string
  refusals: readonly RefusalName[]
}

const actionTexts: Record<PaymentAction, ActionText> = {
  start: {
    summary: 'Lock',
    description: 'From then on no other provider can start it. Handle the cash after the 200, never before.',
    refusals: [
      'status_refused',
      'locked_by_other',
      'order_changed',
      'provider_frozen',
      'merchant_frozen',
      'order_quarantined',
      'network_currency',
      'network_limits',
      'exposure_reached',
      'draining',
    ],
  },
  confirm: {
    summary: 'Confirm',
    description:
      'The cash was handled. A confirmation can be repeated at any time: the answer is the same, ' +
      'and nothing happens twice. After the order has ended the answer is 422, and the operator ' +
      'resolves it.',
    refusals: ['status_refused', 'order_changed', 'ended_while_locked'],
  },
  cancel: {
    summary: 'Release',
    description: 'No cash was handled. The order can be started again, unless it has expired meanwhile.',
    refusals: ['status_refused', 'order_changed'],
  },
}

/** Part 4.2 demands it of the start of a pay-in alone. */
export function isPriceRequired(direction: Direction, action: PaymentAction): boolean {
  return direction === 'PAY_IN' && action === 'start'
}

export function aboutAction(direction: Direction, action: PaymentAction): OperationDescription {
  const { id, text } = nouns[direction]
  const { summary, description, refusals } = actionTexts[action]
  return {
    id: `${action}${id}`,
    summary: `${summary} ${text}`,
    description,
    request: [isPriceRequired(direction, action) ? 'payInStart' : 'paymentAction'],
    answer: { status: 200, schema: providerAnswerName(direction, action) },
    repetition: action === 'confirm' ? 'freely' : 'message',
    // A pay-in that another holds is answered with 403: protocol 4.4.
    refusals: refusals.filter(
      (name) => name !== (direction === 'PAY_OUT' ? 'exposure_reached' : 'locked_by_other'),
    ),
    problems: ['network_unknown', 'price_differs', 'currency_differs'],
  }
}
