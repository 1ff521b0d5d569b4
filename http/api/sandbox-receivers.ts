/** A merchant's receivers in a sandbox: what is to go wrong, what was sent, what its inbox got: protocol 18. */

import { pageEndOf } from '../../actors/foundation/paging.ts'
import { goLiveOf } from '../../actors/sandbox/go-live-steps.ts'
import { arrivalsOf, deliveriesOf, type SandboxReads } from '../../actors/sandbox/looking.ts'
import {
  faultLimits,
  faultsOfMerchant,
  type ReceiverFaults,
  receiverFaults,
} from '../../actors/sandbox/receiver-faults.ts'
import { type FieldError, fieldError } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { finish, pageOf, parametersOf, sent } from './requests.ts'
import { type Endpoint, jsonAnswer, type Route, refuse } from './route.ts'
import { viewOfArrival, viewOfDelivery, viewOfFault, viewOfGoLive } from './sandbox-views.ts'
import { maxListed } from './schemas.ts'
import { type Fields, validate } from './validation.ts'

export interface SandboxReceiversOptions {
  store: SandboxReads
  orders: { find(id: string): Promise<{ order: { merchant_id: string } } | null> }
  setFault: ReceiverFaults['set']
  removeFault: ReceiverFaults['remove']
  inboxOf(merchantId: string): string
}

const aboutReads = { repetition: 'freely', refusals: [] } as const

export function sandboxReceiverRoutes(options: SandboxReceiversOptions): Route[] {
  return [
    {
      path: '/sandbox/faults/',
      party: 'merchant',
      methods: {
        GET: {
          id: 'listFaults',
          summary: 'List what is to go wrong',
          description:
            'In a sandbox alone: the faults of your receivers that are not used up, the newest first.',
          request: [],
          answer: { status: 200, schema: 'faultList' },
          ...aboutReads,
          problems: [],
          endpoint: listFaults(options),
        },
        POST: {
          id: 'setFault',
          summary: 'Let something go wrong',
          description:
            'In a sandbox alone: with your next webhook, or with those of one order. It stands between the node and your receiver; ' +
            'retries, dead letters and resends follow as in life, and the attempt says `simulated fault`.',
          request: ['fault'],
          answer: { status: 201, schema: 'fault' },
          repetition: 'freely',
          refusals: ['simulation_refused'],
          problems: ['claim_order_unknown', 'max_value'],
          endpoint: setFault(options),
        },
      },
    },
    {
      path: '/sandbox/faults/:id/remove/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'removeFault',
          summary: 'Let it go wrong no more',
          description: 'A fault that is used up is gone already, and unknown.',
          request: [],
          answer: { status: 200, schema: 'faultList' },
          ...aboutReads,
          problems: [],
          endpoint: removeFault(options),
        },
      },
    },
    {
      path: '/sandbox/deliveries/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listDeliveries',
          summary: 'List what your receivers were sent',
          description:
            'In a sandbox alone: the last 500 requests to your receivers, pings too, the newest first, with headers and body as sent, what ' +
            'came back, and what was made to go wrong.',
          request: ['deliveryList'],
          answer: { status: 200, schema: 'deliveryPage' },
          ...aboutReads,
          problems: ['cursor_unknown'],
          endpoint: listDeliveries(options),
        },
      },
    },
    {
      path: '/sandbox/inbox/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listInbox',
          summary: 'Look into your inbox',
          description:
            'In a sandbox alone: a `notify_url` of this very node for you, which verifies what comes as a receiver has to, and the last 200 ' +
            'webhooks that came there, the newest first. It needs no server of yours.',
          request: ['arrivalList'],
          answer: { status: 200, schema: 'inbox' },
          ...aboutReads,
          problems: ['cursor_unknown'],
          endpoint: listInbox(options),
        },
      },
    },
    {
      path: '/sandbox/go-live/',
      party: 'either',
      methods: {
        GET: {
          id: 'checkGoLive',
          summary: 'Check what your integration has done',
          description:
            'In a sandbox alone: what it has to have done before it handles money, since when it has, and how to do what it has not.',
          request: [],
          answer: { status: 200, schema: 'goLive' },
          ...aboutReads,
          problems: [],
          endpoint: checkGoLive(options),
        },
      },
    },
  ]
}

async function ownFaults({ store }: SandboxReceiversOptions, merchantId: string) {
  const found = await faultsOfMerchant(store, merchantId)
  return jsonAnswer(200, { results: found.map(viewOfFault) })
}

function listFaults(options: SandboxReceiversOptions): Endpoint {
  return async ({ identity }) => ownFaults(options, identity.partyId)
}

function setFault(options: SandboxReceiversOptions): Endpoint {
  return async ({ identity: { partyId: merchantId }, document, note }) => {
    const ofOrder = await unknownOrder(options, merchantId, document)
    const read = finish(
      validate('fault', document, {
        status: (text) => atMost('status', text, 599),
        seconds: (text) => atMost('seconds', text, faultLimits.seconds),
        deliveries: (text) => atMost('deliveries', text, faultLimits.deliveries),
        order: () => ofOrder,
      }),
      (fields) => ({
        fault: receiverFaults.find((known) => known === sent(fields, 'fault')),
        orderId: fields.order === undefined ? null : parseUuid(fields.order),
        status: wholeOf(fields, 'status'),
        seconds: wholeOf(fields, 'seconds'),
        deliveries: wholeOf(fields, 'deliveries') ?? 1,
      }),
    )
    if (!read.ok) return refuse(read.refusal)
    const { fault, ...rest } = read.value
    if (fault === undefined) throw new Error('A fault passed validation and is none.')
    note({ fault })
    const set = await options.setFault({ merchantId, fault, ...rest, by: 'merchant' })
    if (set.ok) return jsonAnswer(201, viewOfFault(set.fault))
    const why = `There are ${faultLimits.perMerchant} faults already.`
    return refuse({ name: 'simulation_refused', values: { why } })
  }
}

/** What has to be said of the order that a fault names: that it is none of the merchant's. */
async function unknownOrder(
  { orders }: SandboxReceiversOptions,
  merchantId: string,
  document: Parameters<typeof validate>[1],
): Promise<FieldError | null> {
  const named = validate('fault', document).fields.order
  const id = named === undefined ? null : parseUuid(named)
  if (id === null) return null
  const found = await orders.find(id)
  return found?.order.merchant_id === merchantId
    ? null
    : fieldError('order', 'claim_order_unknown', { order: named ?? '' })
}

function removeFault(options: SandboxReceiversOptions): Endpoint {
  return async ({ identity: { partyId: merchantId }, params }) => {
    const id = parseUuid(params.id ?? '')
    const isGone = id !== null && (await options.removeFault({ merchantId, id }))
    return isGone ? ownFaults(options, merchantId) : refuse({ name: 'not_found' })
  }
}

function listDeliveries({ store }: SandboxReceiversOptions): Endpoint {
  return async ({ identity: { partyId: merchantId }, query }) => {
    const read = finish(validate('deliveryList', parametersOf(query)), (fields) => ({
      orderId: fields.order === undefined ? undefined : (parseUuid(fields.order) ?? undefined),
      ...pageOf(fields, maxListed),
    }))
    if (!read.ok) return refuse(read.refusal)
    const { cursor, ...asked } = read.value
    if (cursor !== null && pageEndOf(cursor) === null) return refuse(unknownCursor)
    const { items, next } = await deliveriesOf(store, { merchantId, ...asked, cursor: cursor ?? undefined })
    return jsonAnswer(200, { results: items.map(viewOfDelivery), next })
  }
}

function listInbox({ store, inboxOf }: SandboxReceiversOptions): Endpoint {
  return async ({ identity: { partyId: merchantId }, query }) => {
    const read = finish(validate('arrivalList', parametersOf(query)), (fields) => pageOf(fields, maxListed))
    if (!read.ok) return refuse(read.refusal)
    const { cursor, limit } = read.value
    if (cursor !== null && pageEndOf(cursor) === null) return refuse(unknownCursor)
    const { items, next } = await arrivalsOf(store, { merchantId, limit, cursor: cursor ?? undefined })
    return jsonAnswer(200, {
      notify_url: inboxOf(merchantId),
      results: items.map(viewOfArrival),
      next,
    })
  }
}

function checkGoLive({ store }: SandboxReceiversOptions): Endpoint {
  return async ({ identity: { partyId: id, kind } }) => {
    const lines = await goLiveOf(store, { id, kind })
    const open = lines.filter(({ doneAt }) => doneAt === null).length
    return jsonAnswer(200, { done: lines.length - open, open, results: lines.map(viewOfGoLive) })
  }
}

const unknownCursor = {
  name: 'fields',
  errors: [fieldError('cursor', 'cursor_unknown')],
} as const

function atMost(attr: string, text: string, most: number): FieldError | null {
  return Number(text) > most ? fieldError(attr, 'max_value', { max_value: most }) : null
}

function wholeOf(fields: Fields, name: string): number | undefined {
  return fields[name] === undefined ? undefined : Number(fields[name])
}
