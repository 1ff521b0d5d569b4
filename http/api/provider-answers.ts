/** What a provider is answered: pure, so that it runs beside the orders, in the step that keeps the answer. */
import type { Answer } from '../../actors/orders/answers.ts'
import type { Order } from '../../actors/orders/representation.ts'
import type { Message, RefusedOrder } from '../../actors/orders/telling.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import { type PaymentAction, refusalTables } from './refusals.ts'
import { refuse } from './route.ts'
import { viewForProvider } from './views.ts'

const actions: Record<Exclude<Message['type'], 'operator.cancel'>, PaymentAction> = {
  'payment.start': 'start',
  'payment.confirm': 'confirm',
  'payment.cancel': 'cancel',
}

/** @param refusal why the order has refused; `null` where it has accepted */
export function answerTo(message: Message, order: Order, refusal: RefusalReason | null): Answer {
  // An operator reads the order itself.
  if (message.type === 'operator.cancel') return { status: 200, body: '' }
  const action = actions[message.type]
  if (refusal === null) return { status: 200, body: JSON.stringify(viewForProvider(order, action)) }
  const { status, body } = refusalAnswer(order, action, refusal)
  return { status, body }
}

export function refusalAnswer(order: RefusedOrder, action: PaymentAction, reason: RefusalReason): HttpAnswer {
  return refuse(refusalTables[order.direction][reason](order, action))
}
