/**
 * The operator listener's application: the operations of this node over HTTP, for commands and the console.
 *
 * Errors have the shape `{ "error": { "code", "message", "hint", "details" } }`.
 */
import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Logger } from 'pino'
import { parseJson } from '../actors/foundation/json-text.ts'
import { OperationError, type OperationErrorCode } from '../actors/foundation/operation.ts'
import { notReceived, type Uploads } from '../actors/foundation/uploads.ts'
import type { Dispatch } from '../actors/operations/dispatch.ts'
import { StoreUnavailable } from '../actors/orders/registry.ts'
import { operatorPassword } from '../actors/people/operations.ts'
import { isFormToken, type Session, type Sessions } from '../actors/people/sessions.ts'
import type { Attempts } from './console/attempts.ts'
import { sessionToken } from './console/cookies.ts'
import { type BodyLimits, readBody } from './foundation/body.ts'
import { carriesToken, proofOf, strangersPage } from './operator/access.ts'

export interface OperatorAppOptions {
  dispatch: Dispatch
  uploads: Uploads
  token: string
  /** The names and addresses that the listener is reached by, besides those of every machine. */
  hosts: readonly string[]
  /** Where the public listener is reached: commands that speak to the API ask for it. */
  publicUrl: string
  log: Logger
  /** Who is signed in to the console may ask as well, as themselves; nobody where there is no console. */
  sessions?: Pick<Sessions, 'find'>
  /** How often whoever is signed in may say their password; without it nobody counts. */
  attempts?: Pick<Attempts, 'mustWaitToProve'>
  /** Pages: the console, the inspector. */
  pages?: readonly Koa.Middleware[]
}

/** A provisioning file with some ten thousand parties. */
const limits: BodyLimits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 30_000 }

const statuses: Record<OperationErrorCode, number> = {
  invalid: 400,
  not_found: 404,
  conflict: 409,
  refused: 422,
  forbidden: 403,
  unproved: 403,
  asked: 202,
}

interface ErrorDocument {
  error: { code: string; message: string; hint: string | null; details: readonly string[] }
}

export function createOperatorApp(options: OperatorAppOptions): Koa {
  const { dispatch, token, log } = options
  const app = new Koa()
  const router = new Router({ sensitive: true, strict: true })
  router.get('/healthz', (context) => {
    context.body = { status: 'ok' }
  })
  router.get('/api/hello', (context) => {
    const challenge = String(context.query.challenge ?? '')
    context.body = { proof: proofOf(token, challenge), publicUrl: options.publicUrl }
  })
  router.post('/api/files', async (context) => {
    // Nobody's file is written down before it is known who sends it.
    if (!carriesToken(context.headers.authorization, token)) {
      context.set('WWW-Authenticate', 'Bearer')
      return fail(context, 401, 'unauthorized', 'The token is missing or not the one of this node.')
    }
    if (Number(context.headers['content-length'] ?? 0) > options.uploads.maxBytes)
      throw notReceived('too_large')
    const received = await options.uploads.receive(context.req)
    if (!received.ok) throw notReceived(received.reason)
    context.body = { file: received.upload.id }
  })
  router.post('/api/operations/:name', async (context) => {
    const { name = '' } = context.params
    const isTrusted = carriesToken(context.headers.authorization, token)
    const session = isTrusted ? null : await signedIn(context, options.sessions)
    if (!isTrusted && session === null) {
      context.set('WWW-Authenticate', 'Bearer')
      const hint = 'Send it as `Authorization: Bearer …`; it is in the .token file beside the database.'
      return fail(context, 401, 'unauthorized', 'The token is missing or not the one of this node.', hint)
    }
    // Not before: the log is no place for what strangers call operations.
    context.state.operation = name
    const input = await readInput(context)
    if (input === undefined) return
    const operator = session?.name ?? operatorName(context)
    if (operator === null) return fail(context, 400, 'invalid', 'The Operator-Name header is not a name.')
    context.state.operator = operator
    // Who has taken over a session guesses its password no faster here than on the page.
    const mustWait = session !== null && name === operatorPassword.name
    const seconds = mustWait ? (options.attempts?.mustWaitToProve(context, session.name) ?? null) : null
    if (seconds !== null) {
      context.set('Retry-After', String(seconds))
      return fail(context, 429, 'too_many_attempts', `Too many attempts: try again in ${seconds} seconds.`)
    }
    try {
      context.body = await dispatch(name, input.value, operator, session ?? undefined)
    } catch (error) {
      await dropFile(options.uploads, input.value)
      throw error
    }
  })
  app.on('error', (error: unknown) => log.error({ err: error }, 'response failed'))
  app.use(logRequests(log))
  app.use(refuseStrangers(options.hosts))
  for (const page of options.pages ?? []) app.use(page)
  app.use(router.routes())
  app.use((context) => {
    if (context.matched?.length > 0)
      fail(context, 405, 'method_not_allowed', 'The method is not allowed here.')
    else fail(context, 404, 'not_found', 'There is nothing at this path.')
  })
  return app
}

/** Whoever was refused sends the file again: it would be in the way of others' for half an hour. */
async function dropFile(uploads: Uploads, input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null || !('file' in input)) return
  if (typeof input.file === 'string') await uploads.drop(input.file)
}

/** Of the console's cookie; a request that changes something says the form's token, too. */
async function signedIn(context: Context, sessions: OperatorAppOptions['sessions']): Promise<Session | null> {
  const token = sessionToken(context)
  if (token === null || sessions === undefined) return null
  return isFormToken(context.get('Form-Token'), token) ? sessions.find(token) : null
}

function fail(
  context: Context,
  status: number,
  code: string,
  message: string,
  hint: string | null = null,
): void {
  const body: ErrorDocument = { error: { code, message, hint, details: [] } }
  context.status = status
  context.body = body
}

/** One line a request; expected errors are answered, all others are logged and told by their request's id only. */
function logRequests(log: Logger): Koa.Middleware {
  return async (context, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    context.set('Request-Id', requestId)
    context.set('Cache-Control', 'no-store')
    try {
      await next()
    } catch (error) {
      answerError(context, error, log, requestId)
    }
    log.info(
      {
        requestId,
        method: context.method,
        operation: context.state.operation,
        operator: context.state.operator,
        status: context.status,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
      },
      'operator request',
    )
  }
}

function answerError(context: Context, error: unknown, log: Logger, requestId: string): void {
  if (error instanceof OperationError) {
    const { code, message, hint = null, details } = error
    const body: ErrorDocument = { error: { code, message, hint, details } }
    context.status = statuses[code]
    context.body = body
    return
  }
  const isUnavailable = error instanceof StoreUnavailable
  log[isUnavailable ? 'warn' : 'error']({ requestId, err: error }, 'operation failed')
  if (isUnavailable) {
    fail(context, 503, 'unavailable', 'The database cannot be written at the moment; nothing was changed.')
  } else {
    const hint = `Whether anything changed is not known; the log has the cause under request ${requestId}.`
    fail(context, 500, 'fault', 'The operation failed.', hint)
  }
}

function refuseStrangers(ownHosts: readonly string[]): Koa.Middleware {
  return (context, next) => {
    const { host, origin } = context.headers
    const site = context.headers['sec-fetch-site']
    const problem = strangersPage(
      { host, origin, site: typeof site === 'string' ? site : undefined },
      ownHosts,
    )
    return problem === null ? next() : fail(context, 403, 'forbidden', problem)
  }
}

/** The input in the body, `{}` for an empty one; `undefined` when the request was answered already. */
async function readInput(context: Context): Promise<{ value: unknown } | undefined> {
  // A form of a web page cannot say this without asking first.
  if (context.request.type !== 'application/json') {
    fail(context, 415, 'unsupported_media_type', 'The Content-Type must be application/json.')
    return undefined
  }
  const body = await readBody(context.req, limits)
  if (!body.ok) {
    if (body.refusal.name === 'body_too_large') {
      fail(context, 413, 'too_large', `The input is larger than ${limits.maxBytes} bytes.`)
    } else fail(context, 408, 'request_timeout', 'The input did not arrive.')
    return undefined
  }
  if (body.value.length === 0) return { value: {} }
  const read = parseJson(body.value)
  if (read.ok) return read
  fail(context, 400, 'invalid', `The input ${read.problem}.`)
  return undefined
}

/** Who asks, for journal and audit log; percent-encoded, as header fields are ASCII. `null` when it is no name. */
function operatorName(context: Context): string | null {
  const given = context.headers['operator-name']
  if (given === undefined) return 'operator'
  try {
    const name = decodeURIComponent(String(given))
    return /^[^\p{Cc}]{1,64}$/u.test(name) ? name : null
  } catch {
    return null
  }
}
