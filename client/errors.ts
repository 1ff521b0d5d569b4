/** What can go wrong, as types. The texts are for people; programs look at the class and at `code`. */
import type { Invalid } from './api.ts'

export class VentanillaError extends Error {
  override readonly name: string = 'VentanillaError'
}

/** A client was made, or asked, in a way that cannot work: nothing was sent. */
export class Misuse extends VentanillaError {
  override readonly name = 'Misuse'
}

/** No answer came: whether the request was carried out is not known. */
export class NoAnswer extends VentanillaError {
  override readonly name = 'NoAnswer'
}

/** The node refused. */
export class ApiError extends VentanillaError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** For example `permission_denied`; `conflict` for every 409. */
  readonly code: string
  /** For the operator: it is in the node's log. */
  readonly requestId: string | null
  /** How long to wait before the next attempt, where the node said so. */
  readonly retryAfterMs: number | null

  constructor(answer: RefusedAnswer) {
    super(answer.detail)
    this.retryAfterMs = answer.retryAfterMs
    this.status = answer.status
    this.code = answer.code
    this.requestId = answer.requestId
  }
}

export type FieldError = Invalid['errors'][number]

/** 400: something is wrong with the request. All that is wrong is in `errors`, and in the message, field by field. */
export class InvalidRequest extends ApiError {
  override readonly name = 'InvalidRequest'
  readonly errors: readonly FieldError[]

  constructor(answer: RefusedAnswer) {
    super(answer)
    this.errors = answer.errors
  }

  /** What is said of one field. */
  of(attr: string): readonly FieldError[] {
    return this.errors.filter((error) => error.attr === attr)
  }
}

/** 403: the signature was refused, or another provider holds the order. In a sandbox the message says what is wrong with the signature. */
export class PermissionDenied extends ApiError {
  override readonly name = 'PermissionDenied'
}

/** 404 */
export class NotFound extends ApiError {
  override readonly name = 'NotFound'
}

/**
 * 409: another provider has the order, or it has changed since this very message was first sent. Look the order up
 * before signing it again.
 */
export class Conflict extends ApiError {
  override readonly name = 'Conflict'
}

/** 422: understood and refused, for example a confirmation of an order that ended meanwhile. */
export class Refused extends ApiError {
  override readonly name = 'Refused'
}

/** 429: not looked at. It is thrown at once where the node asks for a longer pause than `maxPauseMs`. */
export class Throttled extends ApiError {
  override readonly name = 'Throttled'
  readonly retryAfterSeconds: number

  constructor(answer: RefusedAnswer) {
    const seconds = Math.ceil((answer.retryAfterMs ?? 1_000) / 1_000)
    super({ ...answer, detail: `${answer.detail} Try again in ${seconds} s.`, retryAfterMs: seconds * 1_000 })
    this.retryAfterSeconds = seconds
  }
}

/** 5xx: the node could not; after a 500 it is not known whether anything was done. */
export class Unavailable extends ApiError {
  override readonly name = 'Unavailable'
}

/** A webhook that is not to be believed. */
export class WebhookRefused extends VentanillaError {
  override readonly name = 'WebhookRefused'
}

export interface RefusedAnswer {
  status: number
  code: string
  detail: string
  errors: readonly FieldError[]
  requestId: string | null
  retryAfterMs: number | null
}

const classes: Readonly<Record<number, new (answer: RefusedAnswer) => ApiError>> = {
  400: InvalidRequest,
  403: PermissionDenied,
  404: NotFound,
  409: Conflict,
  422: Refused,
  429: Throttled,
}

/**
 * The error that an answer outside 2xx stands for.
 *
 * @param now milliseconds since 1970
 */
export function errorOf(status: number, headers: Headers, text: string, now: number): ApiError {
  const { detail, errors } = readBody(text)
  const [first] = errors
  const fallback = status === 409 ? 'conflict' : 'error'
  const told = detail ?? (errors.length > 0 ? listed(errors) : `The node answered ${status}.`)
  // A sandbox says what is wrong with a signature.
  const hint = headers.get('signature-hint')
  const answer: RefusedAnswer = {
    status,
    code: first?.code ?? fallback,
    detail: hint === null ? told : `${told} Signature-Hint: ${hint}`,
    errors,
    requestId: headers.get('request-id'),
    retryAfterMs: retryAfter(headers.get('retry-after'), now),
  }
  const ErrorClass = classes[status] ?? (status >= 500 ? Unavailable : ApiError)
  return new ErrorClass(answer)
}

/** `price: Value is too low. expiry: This field is required.` */
function listed(errors: readonly FieldError[]): string {
  return errors
    .map(({ attr, detail }) => (attr === null || attr === 'non_field_errors' ? detail : `${attr}: ${detail}`))
    .join(' ')
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(text: string | null, now: number): number | null {
  if (text === null) return null
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const ms = /^[A-Z][a-z]{2}, \d\d /.test(text) ? Date.parse(text) - now : Number.NaN
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** What is no JSON, or not in the node's form, comes from something between. */
function readBody(text: string): { detail?: string; errors: readonly FieldError[] } {
  try {
    const body: { detail?: unknown; errors?: unknown } | null = JSON.parse(text)
    const { detail, errors } = body ?? {}
    return {
      ...(typeof detail === 'string' ? { detail } : {}),
      errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    }
  } catch {
    return { errors: [] }
  }
}

function isFieldError(error: unknown): error is FieldError {
  return (
    typeof error === 'object' && error !== null && 'detail' in error && 'code' in error && 'attr' in error
  )
}
