/**
 * The public listener's application: the signed API, health, and the checkout pages.
 *
 * A request passes the checks in the order of part 2 of the design: size, signature, method, media type and
 * syntax, then its endpoint.
 */
import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Logger } from 'pino'
import type { Condition } from '../actors/condition.ts'
import { readiness } from '../actors/condition.ts'
import type { Credentials } from '../actors/keys/credentials.ts'
import { OutcomeUnknown, StoreUnavailable } from '../actors/orders/registry.ts'
import type { Instant } from '../machines/time.ts'
import { type AuthenticationOptions, authenticate } from './authentication.ts'
import { type BodyLimits, bodyLimits, parseBody, readBody } from './body.ts'
import { answerRefusal, fieldError, type HttpAnswer, type HttpRefusal, nonFieldErrors } from './errors.ts'
import type { Endpoint, Route, SignedRequest } from './routes/route.ts'

export const basePath = '/api/v1'

export interface PublicAppOptions {
  routes: readonly Route[]
  /** Unsigned pages below the root, such as the checkout. */
  pages: readonly Koa.Middleware[]
  credentials: Credentials
  clock: { now(): Instant }
  toleranceMs: number
  condition: Condition
  log: Logger
  limits?: BodyLimits
}

export function createPublicApp(options: PublicAppOptions): Koa {
  const app = new Koa()
  const router = new Router({ sensitive: true })
  for (const route of options.routes) {
    // Without its slash at the end, which is then optional.
    const path = `${basePath}${route.path}`.replace(/\/$/, '')
    router.all(path, (context) => serveSigned(options, route, context))
  }
  app.on('error', (error: unknown) => options.log.error({ err: error }, 'response failed'))
  app.use(logRequests(options.log))
  app.use(health(options.condition))
  app.use(refuseUndecodable)
  app.use(router.routes())
  for (const page of options.pages) app.use(page)
  app.use((context) => send(context, answerRefusal({ name: 'not_found' })))
  return app
}

/** One line a request, and one answer for whatever was thrown: internal details are logged, never sent. */
function logRequests(log: Logger): Koa.Middleware {
  return async (context, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    context.set('Request-Id', requestId)
    context.state.facts = {}
    try {
      await next()
    } catch (error) {
      // What became of a failed commit only the next start will tell; it is no fault of the request.
      const isUnavailable = error instanceof StoreUnavailable || error instanceof OutcomeUnknown
      const level = isUnavailable ? 'warn' : 'error'
      log[level]({ requestId, err: error }, 'request failed')
      send(context, answerRefusal({ name: isUnavailable ? 'unavailable' : 'error' }))
    }
    log.info(
      {
        requestId,
        method: context.method,
        // The pattern, not the path: an order's code is as good as money.
        route: context.state.route ?? 'none',
        status: context.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...context.state.facts,
      },
      'request',
    )
  }
}

function health(condition: Condition): Koa.Middleware {
  return async (context, next) => {
    if (context.path !== '/healthz' && context.path !== '/readyz') return next()
    context.state.route = context.path
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      const values = { method: context.method, allow: ['GET', 'HEAD'] }
      return send(context, answerRefusal({ name: 'method_not_allowed', values }))
    }
    context.set('Cache-Control', 'no-store')
    if (context.path === '/healthz') {
      context.body = { status: 'ok' }
      return
    }
    const ready = readiness(condition)
    context.status = ready.status === 'ready' || ready.status === 'degraded' ? 200 : 503
    context.body = ready
  }
}

/** A path that cannot be decoded is no path of ours: the router throws on it. */
const refuseUndecodable: Koa.Middleware = (context, next) => {
  try {
    decodeURIComponent(context.path)
  } catch {
    return send(context, answerRefusal({ name: 'not_found' }))
  }
  return next()
}

async function serveSigned(options: PublicAppOptions, route: Route, context: Context): Promise<void> {
  context.state.route = `${context.method} ${route.path}`
  const checked = await checkRequest(options, route, context)
  send(
    context,
    'refusal' in checked ? answerRefusal(checked.refusal) : await checked.endpoint(checked.request),
  )
}

type Checked = { refusal: HttpRefusal } | { endpoint: Endpoint; request: SignedRequest }

async function checkRequest(options: PublicAppOptions, route: Route, context: Context): Promise<Checked> {
  const { facts } = context.state
  const body = await readBody(context.req, options.limits ?? bodyLimits)
  if (!body.ok) return { refusal: body.refusal }

  const signedPath = route.takesQuery ? pathWithQuery(context) : context.path
  const signed = await authenticate(authentication(options), route.party, {
    message: context.req,
    signedPath,
    body: body.value,
  })
  if ('problem' in signed) {
    facts.refused = signed.problem
    return { refusal: { name: 'permission_denied' } }
  }
  const { identity, digest } = signed
  facts.party = identity.name
  facts.key = identity.key
  options.credentials
    .recordUse(identity.key, options.clock.now())
    .catch((error: unknown) => options.log.warn({ err: error }, 'last use was not recorded'))

  const endpoint = Object.entries(route.methods).find(([method]) => method === context.method)?.[1]
  if (endpoint === undefined) {
    const values = { method: context.method, allow: Object.keys(route.methods) }
    return { refusal: { name: 'method_not_allowed', values } }
  }
  if (!route.takesQuery && context.url.includes('?')) {
    return { refusal: { name: 'fields', errors: [fieldError(nonFieldErrors, 'query_not_allowed')] } }
  }
  const parsed = context.method === 'GET' ? emptyDocument : parseBody(body.value, context.req.headers)
  if (!parsed.ok) return { refusal: parsed.refusal }
  const idempotencyKey = readIdempotencyKey(context)
  if (idempotencyKey === undefined) return { refusal: { name: 'idempotency_key_invalid' } }
  return {
    endpoint,
    request: {
      identity,
      digest,
      method: context.method,
      path: signedPath,
      params: context.params,
      query: new URLSearchParams(context.querystring),
      body: body.value,
      document: parsed.value,
      idempotencyKey,
      note: (more) => Object.assign(facts, more),
    },
  }
}

const emptyDocument = { ok: true, value: {} } as const

function authentication({ credentials, clock, toleranceMs }: PublicAppOptions): AuthenticationOptions {
  return { credentials, clock, toleranceMs }
}

function pathWithQuery(context: Context): string {
  return context.querystring === '' ? context.path : `${context.path}?${context.querystring}`
}

/** `null` when there is none, `undefined` when it cannot be used. */
function readIdempotencyKey(context: Context): string | null | undefined {
  const values = context.req.headersDistinct['idempotency-key']
  if (values === undefined || context.method !== 'POST') return null
  const [key = ''] = values
  return values.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key) ? key : undefined
}

function send(context: Context, answer: HttpAnswer): void {
  context.status = answer.status
  context.set(answer.headers)
  context.body = answer.body
}
