/**
 * The inbox of a sandbox: what is posted to a notify_url of this very node is verified, noted and answered, as a merchant's receiver
 * would. Of whoever does not know an inbox's token nothing is read, looked up or kept.
 */
import type { Context, Middleware } from 'koa'
import {
  type Arrival,
  inboxLimits,
  inboxPath,
  inboxUrl,
  merchantOfToken,
  type Received,
} from '../../actors/sandbox/inbox.ts'
import { arrivalsOf, type SandboxReads } from '../../actors/sandbox/looking.ts'
import type { Instant } from '../../machines/time.ts'
import { readBody } from '../foundation/body.ts'
import { answerRefusal, type HttpAnswer } from '../foundation/errors.ts'
import { throttledAnswer } from '../limits/limits.ts'
import { createWindows } from '../limits/windows.ts'
import { jsonAnswer } from './route.ts'
import { viewOfArrival } from './sandbox-views.ts'

export interface InboxRouteOptions {
  publicUrl: string
  inboxKey: string
  receive(arrival: Arrival): Promise<Received>
  store: SandboxReads
  clock: { now(): Instant }
}

/** More than any worker sends; whoever has found a token cannot take the node's time with it. */
const perMinute = 600
const maxInboxes = 1_000

const bodyLimits = { maxBytes: inboxLimits.maxBytes, timeoutMs: 10_000 }
const shown = 50

export function inboxRoute(options: InboxRouteOptions): Middleware {
  const windows = createWindows({ windowMs: 60_000, maxKeys: maxInboxes })
  return async (context, next) => {
    if (!context.path.startsWith(inboxPath)) return next()
    context.state.route = 'sandbox inbox'
    const merchantId = merchantOfToken(options.inboxKey, context.path.slice(inboxPath.length))
    if (merchantId === null) return next()
    context.set('Cache-Control', 'no-store')
    const usage = windows.count(merchantId, perMinute, options.clock.now())
    if (usage.isOver) return send(context, throttledAnswer(usage))
    if (context.method === 'POST') return send(context, await received(options, merchantId, context))
    if (context.method === 'GET' || context.method === 'HEAD')
      return send(context, await listed(options, merchantId))
    const values = { method: context.method, allow: ['GET', 'HEAD', 'POST'] }
    return send(context, answerRefusal({ name: 'method_not_allowed', values }))
  }
}

async function received(
  { publicUrl, inboxKey, receive }: InboxRouteOptions,
  merchantId: string,
  context: Context,
): Promise<HttpAnswer> {
  const body = await readBody(context.req, bodyLimits)
  if (!body.ok) return answerRefusal(body.refusal)
  const headers = Object.fromEntries(
    Object.entries(context.req.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
  // As its sender had it, whatever a proxy has made of it.
  const path = new URL(inboxUrl(publicUrl, inboxKey, merchantId)).pathname
  const { problem, hasStandard } = await receive({ merchantId, path, headers, body: body.value })
  return jsonAnswer(problem === null ? 200 : 403, {
    verdict: problem ?? 'verified',
    standard_webhooks: hasStandard,
  })
}

/** For whoever opens the address in a browser: no bodies, which name consumers. */
async function listed({ store }: InboxRouteOptions, merchantId: string): Promise<HttpAnswer> {
  const { items } = await arrivalsOf(store, { merchantId, limit: shown })
  return jsonAnswer(200, {
    inbox: 'This is a notify_url: webhooks that are posted here are verified and listed, the newest first.',
    results: items.map(viewOfArrival).map(({ body: _, ...arrival }) => arrival),
  })
}

function send(context: Context, { status, headers, body }: HttpAnswer): void {
  context.status = status
  context.set(headers)
  context.body = body
}
