/** A merchant's own webhooks: listed, shown with every attempt, sent again, and tried by a ping: protocol 6.8. */
import { webhookStates } from '../../actors/webhooks/operations.ts'
import { ownWebhook, ownWebhooks, type Resends } from '../../actors/webhooks/own-webhooks.ts'
import type { Ping } from '../../actors/webhooks/ping.ts'
import { type Instant, parseInstant } from '../../machines/time.ts'
import { fieldError, type HttpAnswer } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { throttledAnswer } from '../limits/limits.ts'
import { createWindows } from '../limits/windows.ts'
import { finish, pageOf, parametersOf, sent } from './requests.ts'
import { type Endpoint, jsonAnswer, type Route, refuse } from './route.ts'
import { maxListed } from './schemas.ts'
import { validate } from './validation.ts'
import { viewOfOwnWebhook, viewOfPing, viewOfWebhook } from './webhook-views.ts'

export interface WebhookRoutesOptions {
  store: Parameters<typeof ownWebhooks>[0]
  clock: { now(): Instant }
  resendWebhook: Resends['one']
  resendWebhooks: Resends['many']
  ping: Ping
  /** Why webhooks may not go to a URL of this merchant, as a sentence; `null` when they may. */
  judgeNotifyUrl: (url: string, merchant: string) => string | null
}

/** Each makes a request to an address of the merchant's choice. */
const pingsPerMinute = 10
/** Merchants are registered by the operator. */
const maxPinging = 1_000

const aboutReads = { repetition: 'freely', refusals: [] } as const

export function webhookRoutes(options: WebhookRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/webhooks/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listWebhooks',
          summary: 'List webhooks',
          description:
            'Of the merchant, the newest first. `next` is the cursor of the following page; it stays valid while webhooks are added.',
          request: ['webhookList'],
          answer: { status: 200, schema: 'webhookPage' },
          ...aboutReads,
          problems: ['cursor_unknown'],
          endpoint: list(options),
        },
      },
    },
    // Before the path with an id, which these would be taken for.
    {
      path: '/merchants/webhooks/resend/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'resendWebhooks',
          summary: 'Send dead letters again',
          description:
            'Those that were given up within a time, at most 1,024 with one request: where `has_more` is true, ask again. ' +
            'Receivers know them by their Webhook-Id.',
          request: ['webhookResends'],
          answer: { status: 200, schema: 'webhookResends' },
          ...aboutReads,
          problems: [],
          endpoint: resendMany(options),
        },
      },
    },
    {
      path: '/merchants/webhooks/ping/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'pingWebhook',
          summary: 'Ping a receiver',
          description:
            'A signed webhook of the body `{"type":"ping",…}` is sent at once, and what came back is the answer. It is of no order, and is ' +
            `not repeated. ${pingsPerMinute} a minute.`,
          request: ['webhookPing'],
          answer: { status: 200, schema: 'webhookPing' },
          ...aboutReads,
          problems: ['target_refused'],
          endpoint: ping(options),
        },
      },
    },
    {
      path: '/merchants/webhooks/:id/',
      party: 'merchant',
      methods: {
        GET: {
          id: 'getWebhook',
          summary: 'Look at a webhook',
          description:
            'With its body and every attempt. One of another merchant is as unknown as one that does not exist.',
          request: [],
          answer: { status: 200, schema: 'webhookDetails' },
          ...aboutReads,
          problems: [],
          endpoint: show(options),
        },
      },
    },
    {
      path: '/merchants/webhooks/:id/resend/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'resendWebhook',
          summary: 'Send a webhook again',
          description:
            'In any state: the same body under the same Webhook-Id, signed anew. Its retries begin anew, too.',
          request: [],
          answer: { status: 200, schema: 'webhook' },
          ...aboutReads,
          refusals: ['webhook_in_flight', 'webhook_removed'],
          problems: [],
          endpoint: resendOne(options),
        },
      },
    },
  ]
}

function list({ store }: WebhookRoutesOptions): Endpoint {
  return async ({ identity, query }) => {
    const read = finish(validate('webhookList', parametersOf(query)), (fields) => ({
      state: webhookStates.find((state) => state === fields.state) ?? null,
      orderId: fields.order === undefined ? null : parseUuid(fields.order),
      ...pageOf(fields, maxListed),
    }))
    if (!read.ok) return refuse(read.refusal)
    const found = await ownWebhooks(store, identity.partyId, read.value)
    if (found === null) return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
    return jsonAnswer(200, { results: found.webhooks.map(viewOfWebhook), next: found.next })
  }
}

function show({ store }: WebhookRoutesOptions): Endpoint {
  return async ({ identity, params }) => {
    const id = parseUuid(params.id ?? '')
    const found = id === null ? null : await ownWebhook(store, identity.partyId, id)
    return found === null ? refuse({ name: 'not_found' }) : jsonAnswer(200, viewOfOwnWebhook(found))
  }
}

function resendOne({ resendWebhook }: WebhookRoutesOptions): Endpoint {
  return async ({ identity, params, note }) => {
    const id = parseUuid(params.id ?? '')
    const resent = id === null ? 'unknown' : await resendWebhook({ merchantId: identity.partyId, id })
    switch (resent) {
      case 'unknown':
        return refuse({ name: 'not_found' })
      case 'in_flight':
        return refuse({ name: 'webhook_in_flight' })
      case 'removed':
        return refuse({ name: 'webhook_removed' })
      default:
        note({ webhook: resent.id })
        return jsonAnswer(200, viewOfWebhook(resent))
    }
  }
}

function resendMany({ clock, resendWebhooks }: WebhookRoutesOptions): Endpoint {
  return async ({ identity, document, note }) => {
    const read = finish(validate('webhookResends', document), (fields) => ({
      since: parseInstant(sent(fields, 'since')) ?? 0,
      until: fields.until === undefined ? clock.now() : (parseInstant(fields.until) ?? 0),
    }))
    if (!read.ok) return refuse(read.refusal)
    const { resent, hasMore } = await resendWebhooks({ merchantId: identity.partyId, ...read.value })
    note({ resent: String(resent) })
    return jsonAnswer(200, { resent, has_more: hasMore })
  }
}

function ping(options: WebhookRoutesOptions): Endpoint {
  const pings = createWindows({ windowMs: 60_000, maxKeys: maxPinging })
  return async ({ identity, document, note }): Promise<HttpAnswer> => {
    const { partyId: merchantId, name: merchant } = identity
    const read = finish(
      validate('webhookPing', document, {
        notify_url: (text) => {
          const problem = options.judgeNotifyUrl(text, merchant)
          return problem === null ? null : fieldError('notify_url', 'target_refused', { problem })
        },
      }),
      (fields) => sent(fields, 'notify_url'),
    )
    if (!read.ok) return refuse(read.refusal)
    const usage = pings.count(merchantId, pingsPerMinute, options.clock.now())
    if (usage.isOver) return throttledAnswer(usage)
    const pinged = await options.ping({ merchantId, merchant, url: read.value })
    // Its last key was revoked since it signed this.
    if (pinged === null) return refuse({ name: 'permission_denied' })
    note({ ping: pinged.outcome })
    return jsonAnswer(200, viewOfPing(pinged, read.value))
  }
}
