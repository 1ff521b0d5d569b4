/** Provider endpoints: protocol 4.1. */
import { parseMessageDate } from '../../actors/keys/signature.ts'
import { isJudgement, type MessageGuard, type Repeated } from '../../actors/orders/answers.ts'
import type { Message, Said, ToldAnswer } from '../../actors/orders/telling.ts'
import { orderRef } from '../../actors/orders/telling.ts'
import type { Directory } from '../../actors/parties/party-limits.ts'
import type { Direction, TillNote } from '../../machines/order.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import { type CodeLookupOptions, findByCode, holdsOrder } from './code-lookup.ts'
import { refusalAnswer } from './provider-answers.ts'
import { aboutAction, aboutCheck, isPriceRequired } from './provider-operations.ts'
import type { PaymentAction } from './refusals.ts'
import { networkIdOf, readProviderAction } from './requests.ts'
import {
  type Endpoint,
  jsonAnswer,
  paymentGuard,
  type Route,
  refuse,
  replayedAnswer,
  type SignedMessageId,
  speaker,
  storedAnswer,
} from './route.ts'
import { viewForProvider } from './views.ts'

export interface ProviderRoutesOptions extends CodeLookupOptions {
  directory: Directory
}

const segments: Record<Direction, string> = { PAY_OUT: 'pay-out', PAY_IN: 'pay-in' }
const actions: readonly PaymentAction[] = ['start', 'confirm', 'cancel']

export function providerRoutes(options: ProviderRoutesOptions): Route[] {
  return (['PAY_OUT', 'PAY_IN'] as const).flatMap((direction): Route[] => {
    const order = `/providers/orders/${segments[direction]}/:code`
    return [
      {
        path: `${order}/`,
        party: 'provider',
        methods: { GET: { ...aboutCheck(direction), endpoint: check(options, direction) } },
      },
      ...actions.map(
        (action): Route => ({
          path: `${order}/${action}-payment/`,
          party: 'provider',
          // Cash may be on the counter: no limit stands between the holder of an order and its end.
          ...(action === 'start' ? {} : { isExempt: (request) => holdsOrder(options, request, direction) }),
          refuseOnce: (message, answer) =>
            refuseOnce(options, message, { guard: earlyGuard(message), orderId: null, answer }),
          methods: { POST: { ...aboutAction(direction, action), endpoint: act(options, direction, action) } },
        }),
      ),
    ]
  })
}

function check(options: ProviderRoutesOptions, direction: Direction): Endpoint {
  return async (request) => {
    const found = await findByCode(options, request, direction, 'check')
    if (!found.ok) return found.answer
    const { order } = found
    request.note({ order: order.id })
    return jsonAnswer(200, viewForProvider(order, 'check'))
  }
}

function act(options: ProviderRoutesOptions, direction: Direction, action: PaymentAction): Endpoint {
  const { directory, orders } = options
  return async (request) => {
    const { identity, document } = request
    const networkId = networkIdOf(document)
    const found = await findByCode(options, request, direction, action)
    if (!found.ok) return found.answer
    const { order } = found
    request.note({ order: order.id })

    const network = networkId === null ? null : await directory.network(networkId, identity.partyId)
    const read = readProviderAction(document, {
      isPriceRequired: isPriceRequired(direction, action),
      priceMinor: order.price_minor,
      currency: order.currency,
      isNetworkKnown: network !== null,
    })
    const guard = paymentGuard(request, { isConfirmation: action === 'confirm' })
    if (!read.ok)
      return refuseOnce(options, request, { guard, orderId: order.id, answer: refuse(read.refusal) })

    const said = saidBy(action, identity.partyId, read.value)
    const terms = network?.hasTerms === true ? ({ hasTerms: true } as const) : {}
    const message: Message = { order: orderRef(order), actor: speaker(identity), guard, ...said, ...terms }
    return answerOf(await orders.tell(message), action)
  }
}

function saidBy(
  action: PaymentAction,
  providerId: string,
  { networkId, till }: { networkId: string; till: TillNote },
): Said {
  switch (action) {
    case 'start':
      return { type: 'payment.start', providerId, networkId, ...till }
    case 'confirm':
      return { type: 'payment.confirm', providerId, networkId, ...till }
    case 'cancel':
      return { type: 'payment.cancel', providerId, networkId }
  }
}

/** A message that is refused before its endpoint sees it. */
function earlyGuard({ identity, digest, messageDate }: SignedMessageId): MessageGuard {
  const saidAt = parseMessageDate(messageDate)
  return { partyId: identity.partyId, digest, bindsRevision: true, ...(saidAt === null ? {} : { saidAt }) }
}

async function refuseOnce(
  { orders }: ProviderRoutesOptions,
  message: SignedMessageId,
  { guard, orderId, answer }: { guard: MessageGuard; orderId: string | null; answer: HttpAnswer },
): Promise<HttpAnswer> {
  if (!isJudgement(answer)) return answer
  const tooMany = message.countRefusal()
  if (tooMany !== null) return tooMany
  const { status, body } = answer
  const told = await orders.refuseOnce({ orderId, guard, answer: { status, body } })
  return told.outcome === 'refused' ? answer : repeatedAnswer(told)
}

function answerOf(told: ToldAnswer, action: PaymentAction): HttpAnswer {
  switch (told.outcome) {
    case 'accepted':
    case 'already_confirmed':
      return storedAnswer(told.answer)
    case 'refused':
      return refusalAnswer(told.order, action, told.reason)
    case 'unknown_order':
    case 'changed_since':
      throw new Error(`A provider's ${action} ended as ${told.outcome}.`)
    default:
      return repeatedAnswer(told)
  }
}

function repeatedAnswer(told: Repeated): HttpAnswer {
  switch (told.outcome) {
    case 'repeated':
      return replayedAnswer(told.answer)
    case 'stale_repetition':
      return refuse({ name: 'order_changed' })
    case 'other_payload':
      return refuse({ name: 'idempotency_key_reused' })
    case 'in_flight':
      return refuse({ name: 'idempotency_in_flight' })
  }
}
