/**
 * The checks every signed request passes, in the order of protocol 7.2: 413, 403 (or 429 for an
 * address over its budget), the key's 429, 405, 406, the query, 415 or unparsable. What follows is the
 * endpoint's.
 */
import type { Context } from 'koa'
import type { Logger } from 'pino'
import { type Clock, worldNow } from '../../actors/foundation/clock.ts'
import type { SignatureKeys } from '../../actors/keys/credentials.ts'
import { shownBody } from '../../actors/sandbox/request-log.ts'
import { acceptsJson, acceptsTable } from '../foundation/accept.ts'
import { type BodyLimits, bodyLimits, parseBody, readBody } from '../foundation/body.ts'
import {
  answerRefusal,
  fieldError,
  type HttpAnswer,
  type HttpRefusal,
  nonFieldErrors,
  type Outcome,
} from '../foundation/errors.ts'
import { readBoolean, unquoted } from '../foundation/structured-fields.ts'
import type { Target } from '../foundation/target.ts'
import type { ClientAddresses } from '../limits/client-address.ts'
import { type Limits, rateLimitHeaders, throttledAnswer } from '../limits/limits.ts'
import { authenticate, type Unsigned } from './authentication.ts'
import type { Explanations } from './explanations.ts'
import type { Endpoint, Route, SignedMessageId, SignedRequest } from './route.ts'

export interface CheckOptions {
  credentials: SignatureKeys
  clock: Clock
  toleranceMs: number
  /** As in `AuthenticationOptions`. */
  refusesTestKeys: boolean
  /** In a sandbox, for those who have sent them. */
  keepsRequests: boolean
  limits: Limits
  addresses: ClientAddresses
  explanations: Explanations
  log: Logger
  body?: BodyLimits
}

type Checked = { ok: true; endpoint: Endpoint; request: SignedRequest } | { ok: false; answer: HttpAnswer }

/** What a request is answered: by the checks where one of them refuses it, else by its endpoint. */
export async function answerSigned(
  options: CheckOptions,
  route: Route,
  target: Target,
  context: Context,
): Promise<HttpAnswer> {
  const checked = await checkRequest(options, route, target, context)
  if (!checked.ok) return checked.answer
  const { endpoint, request } = checked
  return await endpoint(request)
}

async function checkRequest(
  options: CheckOptions,
  route: Route,
  target: Target,
  context: Context,
): Promise<Checked> {
  const { facts } = context.state
  const body = await readBody(context.req, options.body ?? bodyLimits)
  if (!body.ok) return refused(body.refusal)

  // A HEAD is a GET without the answer's body (RFC 9110, part 9.3.2); it is signed as what it is.
  const method = context.method === 'HEAD' ? 'GET' : context.method
  const takesQuery = route.takesQuery === true && method === 'GET'
  const signedPath = takesQuery ? target.path + target.query : target.path
  const now = worldNow(options.clock)
  const authenticated = await authenticate(options, route.party, {
    message: context.req,
    signedPath,
    unsignedQuery: takesQuery ? '' : target.query,
    body: body.value,
  })
  if (!authenticated.ok) return refuseSignature(options, route, authenticated.unsigned, context)
  const { signed } = authenticated
  const { identity } = signed
  if (options.keepsRequests) {
    const { partyId, kind, key } = identity
    const asker = { partyId, kind, key, isProved: true }
    context.state.asked = { asker, body: shownBody(body.value), signature: null }
  }
  facts.party = identity.name
  facts.key = identity.key
  options.limits.accept(options.addresses.of(context.req), identity.key, now)
  options.credentials
    .recordUse(identity.key, options.clock.now())
    .catch((error: unknown) => options.log.warn({ err: error }, 'last use was not recorded'))

  const usage = options.limits.request(identity, now)
  context.set(rateLimitHeaders(usage))
  const params: Readonly<Record<string, string>> = context.params
  if (usage.isOver && !(await isExempt(route, method, { identity, params }))) {
    facts.refused = 'throttled'
    return { ok: false, answer: throttledAnswer(usage) }
  }
  const operation = Object.entries(route.methods).find(([name]) => name === method)?.[1]
  if (operation === undefined) {
    return refused({ name: 'method_not_allowed', values: { method: context.method, allow: allowed(route) } })
  }
  const countRefusal = () => {
    const kept = usage.isOver ? options.limits.refusalBeyond(identity, now) : null
    return kept?.isOver === true ? throttledAnswer(usage) : null
  }
  const message = { ...signed, countRefusal }
  const query = takesQuery ? target.query : ''
  const givesTable = route.givesTable === true && method === 'GET'
  const hasQuery = target.query !== ''
  const hasDryRun = operation.dryRun !== undefined
  const read = readForm(context, { method, takesQuery, givesTable, hasQuery, hasDryRun, body: body.value })
  if (!read.ok) {
    const answer = await refuseMessage(route, method, message, answerRefusal(read.refusal))
    return { ok: false, answer }
  }
  return {
    ok: true,
    endpoint: operation.endpoint,
    request: {
      ...message,
      ...read.value,
      method: context.method,
      path: signedPath,
      params,
      query,
      body: body.value,
      note: (more) => Object.assign(facts, more),
    },
  }
}

interface FormOfRequest {
  method: string
  takesQuery: boolean
  givesTable: boolean
  hasQuery: boolean
  hasDryRun: boolean
  body: Buffer
}

/** What is not signed of a message, or not yet read: another time it might pass, so its refusal may have to be kept. */
function readForm(
  context: Context,
  form: FormOfRequest,
): Outcome<Pick<SignedRequest, 'document' | 'idempotencyKey' | 'isDryRun' | 'wantsTable'>> {
  const refuse = (refusal: HttpRefusal) => ({ ok: false, refusal }) as const
  const { accept } = context.req.headers
  const takesJson = acceptsJson(accept)
  const wantsTable = !takesJson && form.givesTable && acceptsTable(accept)
  if (!takesJson && !wantsTable) return refuse({ name: 'not_acceptable' })
  const unwanted = form.hasQuery ? unwantedPart(form.takesQuery, form.body) : null
  if (unwanted !== null) return refuse({ name: 'fields', errors: [fieldError(nonFieldErrors, unwanted)] })
  const document = readDocument(context, form.method, form.body)
  if (!document.ok) return document
  const idempotencyKey = readIdempotencyKey(context)
  if (idempotencyKey === undefined) return refuse({ name: 'idempotency_key_invalid' })
  const isDryRun = readDryRun(context)
  if (isDryRun === null) return refuse({ name: 'dry_run_invalid' })
  // Whoever asks for a trial must not get the deed.
  if (isDryRun && !form.hasDryRun) return refuse({ name: 'dry_run_unknown' })
  return { ok: true, value: { document: document.value, idempotencyKey, isDryRun, wantsTable } }
}

async function refuseMessage(
  route: Route,
  method: string,
  message: SignedMessageId,
  answer: HttpAnswer,
): Promise<HttpAnswer> {
  if (route.refuseOnce === undefined || method !== 'POST') return answer
  return route.refuseOnce(message, answer)
}

/** Within its address's budget the caller learns that it is refused, and the operator why. */
async function refuseSignature(
  options: CheckOptions,
  route: Route,
  unsigned: Unsigned,
  context: Context,
): Promise<Checked> {
  const { explanations, log, limits } = options
  const now = worldNow(options.clock)
  const { facts } = context.state
  const address = options.addresses.of(context.req)
  Object.assign(facts, { refused: unsigned.problem, address })
  const usage = options.limits.refusedSignature(address, now)
  if (usage.isOver) {
    await options.limits.turnToBeTold(address)
    return { ok: false, answer: throttledAnswer(usage) }
  }
  Object.assign(facts, unsigned.facts)
  const hint = explanations.hint(unsigned, now)
  const { claimed } = unsigned
  // Within its address's budget, and of keys of ours alone: what others send is kept nowhere.
  if (claimed !== null && options.keepsRequests) {
    const { partyId, kind, key } = claimed
    const asker = { partyId, kind, key, isProved: false }
    context.state.asked = { asker, body: null, signature: explanations.finding(unsigned, hint) }
  }
  if (hint !== null) {
    context.set('Signature-Hint', hint)
    facts.hint = hint
  }
  const requestId = context.response.get('Request-Id')
  explanations.afterwards(unsigned, context.res, now, (mistake) =>
    log.info({ requestId, ...unsigned.facts, mistake }, 'refused signature'),
  )
  const answer = answerRefusal({ name: 'permission_denied' })
  if (unsigned.early === null) return { ok: false, answer }
  // It is one of ours, and what is kept for it counts against its key.
  const ofKey = limits.request(unsigned.early.identity, now)
  if (ofKey.isOver) return { ok: false, answer: throttledAnswer(ofKey) }
  const message = { ...unsigned.early, countRefusal: () => null }
  return { ok: false, answer: await refuseMessage(route, context.method, message, answer) }
}

/** Whether a request may go on that its key has no budget for. */
async function isExempt(
  route: Route,
  method: string,
  request: Pick<SignedRequest, 'identity' | 'params'>,
): Promise<boolean> {
  return route.isExempt !== undefined && method === 'POST' && (await route.isExempt(request))
}

function allowed({ methods }: Route): string[] {
  return Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

/**
 * A list takes no body beside its query: the signed string joins the two by a colon, and a colon in a query
 * could be taken for it.
 */
function unwantedPart(takesQuery: boolean, body: Buffer): 'query_not_allowed' | 'body_not_allowed' | null {
  if (!takesQuery) return 'query_not_allowed'
  return body.length > 0 ? 'body_not_allowed' : null
}

function readDocument(context: Context, method: string, body: Buffer): ReturnType<typeof parseBody> {
  if (method === 'GET') return { ok: true, value: {} }
  const { headers, headersDistinct } = context.req
  // Node keeps the first of several; two of them say nothing that could be relied on.
  const contentType = headersDistinct['content-type']?.join(', ')
  return parseBody(body, contentType === undefined ? headers : { ...headers, 'content-type': contentType })
}

/** `null` when there is none, `undefined` when it cannot be used. */
function readIdempotencyKey(context: Context): string | null | undefined {
  const values = context.req.headersDistinct['idempotency-key']
  if (values === undefined || context.method !== 'POST') return null
  const [text = ''] = values
  // The draft of the header has it in quotation marks: the same key.
  const key = unquoted(text)
  return values.length === 1 && key !== null && /^[\x20-\x7e]{1,255}$/.test(key) ? key : undefined
}

/** `null` when what is sent cannot be read; what only reads is a trial by itself. */
function readDryRun(context: Context): boolean | null {
  const values = context.req.headersDistinct['dry-run']
  if (values === undefined || context.method !== 'POST') return false
  const [text = ''] = values
  return values.length === 1 ? readBoolean(text) : null
}

function refused(refusal: HttpRefusal): Checked {
  return { ok: false, answer: answerRefusal(refusal) }
}
