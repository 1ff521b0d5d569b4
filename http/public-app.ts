/**
 * The public listener's application: the signed API, health, and the checkout pages.
 *
 * What a signed request passes before its endpoint is in `request-checks.ts`.
 */
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Readiness } from '../actors/condition/condition.ts'
import { OutcomeUnknown, StoreUnavailable } from '../actors/orders/registry.ts'
import { UnreadableOrder } from '../actors/orders/unreadable-order.ts'
import { maskedPath } from '../actors/sandbox/request-log.ts'
import { type ClaimRoutesOptions, claimRoutes } from './api/claims.ts'
import { type MerchantRoutesOptions, merchantRoutes } from './api/merchant.ts'
import { apiDocumentation } from './api/openapi/routes.ts'
import { type ProviderRoutesOptions, providerRoutes } from './api/provider.ts'
import { type QuoteRoutesOptions, quoteRoutes } from './api/quotes.ts'
import { type ReportRoutesOptions, reportRoutes } from './api/reports.ts'
import { answerSigned, type CheckOptions } from './api/request-checks.ts'
import type { Route } from './api/route.ts'
import { type SandboxRoutesOptions, sandboxRoutes } from './api/sandbox.ts'
import { type SettlementRoutesOptions, settlementRoutes } from './api/settlement.ts'
import { type WebhookRoutesOptions, webhookRoutes } from './api/webhooks.ts'
import { type WithdrawalRoutesOptions, withdrawalRoutes } from './api/withdrawals.ts'
import { answerRefusal, type HttpAnswer } from './foundation/errors.ts'
import { readTarget } from './foundation/target.ts'

const basePath = '/api/v1'

export interface PublicAppOptions extends CheckOptions {
  /** What the signed routes are made with. */
  api: ProviderRoutesOptions &
    MerchantRoutesOptions &
    QuoteRoutesOptions &
    SettlementRoutesOptions &
    WithdrawalRoutesOptions &
    ReportRoutesOptions &
    ClaimRoutesOptions &
    WebhookRoutesOptions
  /** Where this node is, for whoever reads how it is asked. */
  publicUrl: string
  /** `null` in production: there these routes are as unknown as any other. */
  sandbox: SandboxRoutesOptions | null
  /** Unsigned pages below the root, such as the checkout. */
  pages: readonly Koa.Middleware[]
  /** Of the node as a whole; what does not answer is not well. */
  readiness: () => Promise<Readiness>
  /** Told of each answered request: the pattern of its route, its status, and how long it took. */
  observe?: (route: string, status: number, ms: number) => void
}

export function createPublicApp(options: PublicAppOptions): Koa {
  const app = new Koa()
  const router = new Router({ sensitive: true })
  const { api } = options
  const routes = [
    ...providerRoutes(api),
    ...merchantRoutes(api),
    ...quoteRoutes(api),
    ...settlementRoutes(api),
    ...withdrawalRoutes(api),
    ...reportRoutes(api),
    ...claimRoutes(api),
    ...webhookRoutes(api),
    ...(options.sandbox === null ? [] : sandboxRoutes(options.sandbox)),
  ]
  for (const route of routes) {
    // Without its slash at the end, which is then optional.
    const path = `${basePath}${route.path}`.replace(/\/$/, '')
    router.all(path, (context) => serveSigned(options, route, context))
  }
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'response failed'))
  app.use(logRequests(options))
  app.use(readRequestTarget)
  app.use(health(options.readiness))
  app.use(router.routes())
  app.use(apiDocumentation(basePath, routes, options.publicUrl))
  for (const page of options.pages) app.use(page)
  app.use((context) => send(context, answerRefusal({ name: 'not_found' })))
  return app
}

/** One line a request, and one answer for whatever was thrown: internal details are logged, never sent. */
function logRequests({ log, observe }: Pick<PublicAppOptions, 'log' | 'observe'>): Koa.Middleware {
  return async (context, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    context.set('Request-Id', requestId)
    context.state.facts = {}
    try {
      await next()
    } catch (error) {
      // What became of a failed commit only the next start will tell; it is no fault of the request.
      // An order that this program cannot read is no fault of it either: another node, or the next program, may know it.
      const isUnavailable =
        error instanceof StoreUnavailable ||
        error instanceof OutcomeUnknown ||
        error instanceof UnreadableOrder
      const level = isUnavailable ? 'warn' : 'error'
      log[level]({ requestId, err: error }, 'request failed')
      send(context, answerRefusal({ name: isUnavailable ? 'unavailable' : 'error' }))
    }
    const ms = performance.now() - startedAt
    observe?.(context.state.route ?? 'none', context.status, ms)
    log.info(
      {
        requestId,
        method: context.method,
        // The pattern, not the path: an order's code is as good as money.
        route: context.state.route ?? 'none',
        status: context.status,
        ms: Math.round(ms * 10) / 10,
        ...context.state.facts,
      },
      'request',
    )
  }
}

function health(readiness: () => Promise<Readiness>): Koa.Middleware {
  return async (context, next) => {
    if (context.path !== '/healthz' && context.path !== '/readyz') return next()
    context.state.route = context.path
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      const values = { method: context.method, allow: ['GET', 'HEAD'] }
      return send(context, answerRefusal({ name: 'method_not_allowed', values }))
    }
    context.set('Cache-Control', 'no-store')
    const ready = await readiness()
    if (context.path === '/healthz') {
      context.body = { status: 'ok' }
      return
    }
    context.status = ready.status === 'ready' || ready.status === 'degraded' ? 200 : 503
    context.body = ready
  }
}

/** Reads the target once, as it was sent; what no request of ours can have is no path of ours. */
const readRequestTarget: Koa.Middleware = (context, next) => {
  const target = readTarget(context.req.url ?? '')
  if (target === null || !isDecodable(target.path)) {
    return send(context, answerRefusal({ name: 'not_found' }))
  }
  // A target in absolute form is served like the same one in origin form.
  context.url = target.path + target.query
  context.state.target = target
  return next()
}

/** The router throws on what it cannot decode. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

async function serveSigned(options: PublicAppOptions, route: Route, context: Context): Promise<void> {
  context.state.route = `${context.method} ${route.path}`
  // What one party is told is nobody else's, whatever stands in between.
  context.set('Cache-Control', 'no-store')
  const startedAt = performance.now()
  const answer = await answerSigned(options, route, context.state.target, context)
  noteRequest(options, context, answer, performance.now() - startedAt)
  send(context, answer)
}

/** For whoever has sent it, where that is kept; what was refused with 429 for its address is not. */
function noteRequest(
  { sandbox, clock, log }: PublicAppOptions,
  context: Context,
  { status, headers }: HttpAnswer,
  ms: number,
): void {
  const { asked, target, facts } = context.state
  if (sandbox === null || asked === undefined) return
  const { asker, body, signature } = asked
  const path = target.path + target.query
  const noted = sandbox.noteRequest(asker, {
    id: context.response.get('Request-Id'),
    at: clock.now(),
    key: asker.key,
    method: context.method,
    path: maskedPath(path),
    place: createHash('sha256').update(path).digest('base64url'),
    status,
    refused: facts.refused ?? null,
    milliseconds: Math.round(ms),
    body,
    signature,
    isReplayed: headers['Idempotency-Replayed'] === 'true',
  })
  noted.catch((error: unknown) => log.warn({ err: error }, 'a request was not noted'))
}

function send(context: Context, answer: HttpAnswer): void {
  context.status = answer.status
  context.set(answer.headers)
  context.body = answer.parts === undefined ? answer.body : streamOf(context, answer.parts)
}

/** What was broken off must not look whole. */
function streamOf({ res }: Context, parts: AsyncGenerator<string>): Readable {
  const stream = Readable.from(parts)
  stream.on('error', () => res.destroy())
  return stream
}
