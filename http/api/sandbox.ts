/** What parties of a sandbox ask that there is not in production: protocol 18. */
import { pageEndOf } from '../../actors/foundation/paging.ts'
import { requestsOf } from '../../actors/sandbox/looking.ts'
import type { Simulate, Simulated } from '../../actors/sandbox/simulating.ts'
import { counterSteps, simulatedSteps } from '../../actors/sandbox/steps.ts'
import type { FieldError, HttpAnswer } from '../foundation/errors.ts'
import { fieldError } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import type { RequestNotes } from './request-notes.ts'
import { finish, pageOf, parametersOf, sent } from './requests.ts'
import { type Endpoint, jsonAnswer, type Route, refuse, type SignedRequest } from './route.ts'
import { type SandboxReceiversOptions, sandboxReceiverRoutes } from './sandbox-receivers.ts'
import { viewOfRequest } from './sandbox-views.ts'
import { maxListed } from './schemas.ts'
import { validate } from './validation.ts'

export interface SandboxRoutesOptions extends SandboxReceiversOptions, RequestNotes {
  simulate: Simulate
  orders: {
    find(id: string): Promise<{ order: SandboxOrder } | null>
    findByCode(code: string): Promise<SandboxOrder | null>
  }
}

interface SandboxOrder {
  id: string
  merchant_id: string
  lock_provider_id: string | null
}

export function sandboxRoutes(options: SandboxRoutesOptions): Route[] {
  return [
    {
      path: '/sandbox/requests/',
      party: 'either',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listRequests',
          summary: 'List what your keys have sent',
          description:
            'In a sandbox alone: the last 1,000 requests of each key, the newest first, since the node was started. Of one whose signature was refused it ' +
            'tells the mistake, the string that has to be signed, and the first byte that differs where it can be known.',
          request: ['requestList'],
          answer: { status: 200, schema: 'requestPage' },
          repetition: 'freely',
          refusals: [],
          problems: ['cursor_unknown'],
          endpoint: listRequests(options),
        },
      },
    },
    {
      path: '/sandbox/orders/:order/simulate/',
      party: 'either',
      methods: {
        POST: {
          id: 'simulateOrder',
          summary: 'Simulate what happens to an order',
          description:
            'In a sandbox alone. It goes through the code of real lives, and what comes before is brought about, too: a `confirm` of an order that ' +
            'waits funds and starts it. `hold` starts and never confirms. A provider simulates what happens at its own counter.',
          request: ['simulation'],
          answer: { status: 200, schema: 'simulation' },
          repetition: 'freely',
          refusals: ['simulation_refused'],
          problems: ['step_of_others'],
          endpoint: simulateOrder(options),
        },
      },
    },
    ...sandboxReceiverRoutes(options),
  ]
}

function listRequests({ readRequests }: SandboxRoutesOptions): Endpoint {
  return async ({ identity: { partyId }, query }) => {
    const read = finish(validate('requestList', parametersOf(query)), (fields) => pageOf(fields, maxListed))
    if (!read.ok) return refuse(read.refusal)
    const { limit, cursor } = read.value
    if (cursor !== null && pageEndOf(cursor) === null)
      return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
    const { items, next } = await requestsOf(readRequests, { partyId, limit, cursor: cursor ?? undefined })
    return jsonAnswer(200, { results: items.map(viewOfRequest), next })
  }
}

function simulateOrder(options: SandboxRoutesOptions): Endpoint {
  return async (request) => {
    const { identity, document } = request
    const order = await namedOrder(options, request)
    if (order === null) return refuse({ name: 'not_found' })
    const read = finish(
      validate('simulation', document, { step: (text): FieldError | null => ofOthers(identity.kind, text) }),
      (fields) => sent(fields, 'step'),
    )
    if (!read.ok) return refuse(read.refusal)
    const step = simulatedSteps.find((known) => known === read.value)
    if (step === undefined) throw new Error(`A step passed validation and is none: ${read.value}`)
    request.note({ order: order.id, simulated: step })
    const providerId = identity.kind === 'provider' ? identity.partyId : undefined
    return answerOf(order.id, await options.simulate({ orderId: order.id, step, providerId }))
  }
}

/** A provider names it by its code as well; whose it is not hears of none. */
async function namedOrder(
  { orders }: SandboxRoutesOptions,
  { identity: { kind, partyId }, params: { order: named = '' } }: SignedRequest,
): Promise<SandboxOrder | null> {
  const id = parseUuid(named)
  if (kind === 'provider' && id === null) return orders.findByCode(named)
  const order = id === null ? null : ((await orders.find(id))?.order ?? null)
  const owner = kind === 'merchant' ? order?.merchant_id : order?.lock_provider_id
  return owner === partyId ? order : null
}

function ofOthers(kind: 'merchant' | 'provider', step: string): FieldError | null {
  const isOwn = kind === 'merchant' || counterSteps.some((known) => known === step)
  return isOwn ? null : fieldError('step', 'step_of_others')
}

function answerOf(order: string, simulated: Simulated): HttpAnswer {
  if (simulated.ok) {
    return jsonAnswer(200, { order, status: simulated.status, done: simulated.done.join(' ') })
  }
  return simulated.reason === 'unknown_order'
    ? refuse({ name: 'not_found' })
    : refuse({ name: 'simulation_refused', values: { why: simulated.why } })
}
