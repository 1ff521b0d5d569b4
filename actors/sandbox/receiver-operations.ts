/** What an operator of a sandbox may do about a merchant's receivers: let something go wrong, and look at what was sent. */
import { formatInstant } from '../../machines/time.ts'
import { choice, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { pageFields } from '../foundation/paging.ts'
import { findOrder } from '../orders/operations.ts'
import { findParty } from '../parties/operations.ts'
import {
  arrivalsOf,
  bodyArrived,
  bodyOf,
  deliveriesOf,
  type ShownArrival,
  type ShownDelivery,
} from './looking.ts'
import type { SandboxContext } from './operations.ts'
import type { SandboxParts } from './parts.ts'
import { type Fault, faultLimits, faultsOfMerchant, faultTexts, receiverFaults } from './receiver-faults.ts'

/** @throws OperationError in production, where nothing leads here. */
export function partsOf({ sandbox }: SandboxContext): SandboxParts {
  if (sandbox === null) throw new OperationError('refused', 'This is of a sandbox.')
  return sandbox
}

const merchantName = text({ description: "A merchant's name." })
const ofOrder = optional(
  text({
    description: "An order's id.",
    option: ['--order <id>', 'only those of this order'],
    form: { label: 'Order' },
  }),
)

export interface FaultDocument {
  id: string
  merchant: string
  fault: string
  status: number | null
  seconds: number | null
  /** Of all orders where it is `null`. */
  order: string | null
  deliveriesLeft: number
  created: string
  by: string
}

function faultDocument(fault: Fault, merchant: string): FaultDocument {
  return {
    id: fault.id,
    merchant,
    fault: fault.fault,
    status: fault.status,
    seconds: fault.seconds,
    order: fault.order_id,
    deliveriesLeft: fault.deliveries_left,
    created: formatInstant(fault.created_at),
    by: fault.created_by,
  }
}

export const sandboxFaults = defineOperation({
  name: 'sandbox.faults',
  summary: "List what is to go wrong with a merchant's next webhooks (sandbox only).",
  examples: ['sandbox faults "Demo Shop"'],
  fields: { merchant: merchantName },
  arguments: ['merchant'],
  isRead: true,
  async run({ store }: SandboxContext, { merchant }): Promise<{ faults: FaultDocument[] }> {
    const { id, name } = await findParty(store, merchant, 'merchant')
    const found = await faultsOfMerchant(store, id)
    return { faults: found.map((fault) => faultDocument(fault, name)) }
  },
})

export const sandboxSetFault = defineOperation({
  name: 'sandbox.setFault',
  summary: "Let something go wrong with a merchant's next webhooks (sandbox only).",
  examples: [
    'sandbox set-fault "Demo Shop" status --status 500 --deliveries 2',
    'sandbox set-fault "Demo Shop" duplicate',
  ],
  done: 'It goes wrong with the next delivery.',
  fields: {
    merchant: merchantName,
    fault: choice(receiverFaults, { form: { label: 'What goes wrong', choices: faultTexts } }),
    status: optional(
      wholeNumber({
        ...{ minimum: 200, maximum: 599 },
        option: ['--status <number>', 'of a status (503) or redirect (302)'],
        form: { label: 'Status', hint: '503 unless it is said; of a redirect 302.' },
      }),
    ),
    seconds: optional(
      wholeNumber({
        ...{ minimum: 1, maximum: faultLimits.seconds },
        option: ['--seconds <number>', 'of a delay (5)'],
        form: { label: 'Seconds', hint: 'Of a delay; 5 unless it is said.' },
      }),
    ),
    order: ofOrder,
    deliveries: optional(
      wholeNumber({
        ...{ minimum: 1, maximum: faultLimits.deliveries },
        option: ['--deliveries <number>', 'with so many (1)'],
        form: { label: 'Deliveries', hint: '1 unless it is said.' },
      }),
    ),
  },
  arguments: ['merchant', 'fault'],
  isRead: false,
  async run(context: SandboxContext, input): Promise<FaultDocument> {
    const { merchant, fault, status, seconds, order, deliveries = 1 } = input
    const { id: merchantId, name } = await findParty(context.store, merchant, 'merchant')
    const found = order === undefined ? null : await findOrder(context, order)
    if (found !== null && found.merchant_id !== merchantId)
      throw new OperationError('not_found', `${name} has no order ${order}.`)
    const set = await partsOf(context).faults.set({
      ...{ merchantId, orderId: found?.id ?? null, fault, status, seconds, deliveries },
      by: context.operator,
    })
    if (set.ok) return faultDocument(set.fault, name)
    throw new OperationError('refused', `${name} has ${faultLimits.perMerchant} faults already.`)
  },
})

export const sandboxRemoveFault = defineOperation({
  name: 'sandbox.removeFault',
  summary: 'Let it go wrong no more (sandbox only).',
  examples: ['sandbox remove-fault 0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'],
  done: 'It goes wrong no more.',
  fields: { id: text() },
  arguments: ['id'],
  isRead: false,
  async run(context: SandboxContext, { id }): Promise<{ removed: string }> {
    if (await partsOf(context).faults.remove({ id: id.toLowerCase() })) return { removed: id.toLowerCase() }
    throw new OperationError('not_found', `There is no fault ${id}.`, {
      hint: 'sandbox faults shows their ids; one that is used up is gone.',
    })
  },
})

export interface DeliveryDocument {
  id: string
  webhook: string
  /** `null` for a ping. */
  order: string | null
  orderStatus: string | null
  attempt: number
  sent: string
  url: string
  /** As sent. */
  headers: Record<string, string>
  body: string | null
  /** What was made to go wrong. */
  fault: string | null
  wasSent: boolean
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number
  answer: string | null
  /** What the inbox has found; `null` for other receivers. */
  verdict: string | null
}

function deliveryDocument(found: ShownDelivery): DeliveryDocument {
  return {
    id: found.id,
    webhook: found.webhook_id,
    order: found.order_id,
    orderStatus: found.order_status,
    attempt: found.attempt,
    sent: formatInstant(found.sent_at),
    url: found.url,
    headers: JSON.parse(found.headers_json),
    body: bodyOf(found),
    fault: found.fault,
    wasSent: found.was_sent === 1,
    outcome: found.outcome,
    status: found.status,
    error: found.error,
    milliseconds: found.milliseconds,
    answer: found.answer,
    verdict: found.verdict,
  }
}

export interface DeliveriesDocument {
  merchant: string
  deliveries: DeliveryDocument[]
  next: string | null
}

export const sandboxDeliveries = defineOperation({
  name: 'sandbox.deliveries',
  summary: "List what a merchant's receivers were sent, with headers and bodies (sandbox only).",
  examples: ['sandbox deliveries "Demo Shop"'],
  fields: { merchant: merchantName, order: ofOrder, ...pageFields },
  arguments: ['merchant'],
  isRead: true,
  async run({ store }: SandboxContext, { merchant, order, ...page }): Promise<DeliveriesDocument> {
    const { id: merchantId, name } = await findParty(store, merchant, 'merchant')
    const asked = { merchantId, orderId: order?.toLowerCase(), ...page }
    const { items, next } = await deliveriesOf(store, asked)
    return { merchant: name, deliveries: items.map(deliveryDocument), next }
  },
})

export interface InboxDocument {
  merchant: string
  /** What the merchant gives as notify_url. */
  url: string
  arrivals: ArrivalDocument[]
  next: string | null
}

interface ArrivalDocument {
  id: string
  received: string
  webhook: string | null
  attempt: string | null
  order: string | null
  orderStatus: string | null
  /** What is wrong with its signature; `null` where it was verified. */
  problem: string | null
  /** Its signature by Standard Webhooks was right, too. */
  isStandard: boolean
  bytes: number
  body: string | null
}

function arrivalDocument(found: ShownArrival): ArrivalDocument {
  return {
    id: found.id,
    received: formatInstant(found.received_at),
    webhook: found.webhook_id,
    attempt: found.attempt,
    order: found.order_id,
    orderStatus: found.order_status,
    problem: found.problem,
    isStandard: found.is_standard === 1,
    bytes: found.bytes,
    body: bodyArrived(found),
  }
}

export const sandboxInbox = defineOperation({
  name: 'sandbox.inbox',
  summary: "Show a merchant's inbox, a notify_url of this node, and what came there (sandbox only).",
  examples: ['sandbox inbox "Demo Shop"', 'sandbox inbox "Demo Shop" --field url'],
  fields: { merchant: merchantName, ...pageFields },
  arguments: ['merchant'],
  isRead: true,
  async run(context: SandboxContext, { merchant, ...page }): Promise<InboxDocument> {
    const { id: merchantId, name } = await findParty(context.store, merchant, 'merchant')
    const { items, next } = await arrivalsOf(context.store, { merchantId, ...page })
    const url = partsOf(context).inboxOf(merchantId)
    return { merchant: name, url, arrivals: items.map(arrivalDocument), next }
  },
})
