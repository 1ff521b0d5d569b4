/** What can go wrong, as types. The texts are for people; programs look at the class and at `code`. */
import type { Invalid } from './api.ts'

export class VentanillaError extends Error {
  override readonly name: string = 'VentanillaError'
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

  constructor(answer: RefusedAnswer) {
    super(answer.detail)
    this.status = answer.status
    this.code = answer.code
    this.requestId = answer.requestId
  }
}

export type FieldError = Invalid['errors'][number]

/** 400: something is wrong with the request. All that is wrong is in `errors`. */
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

/** 403: the signature was refused, or another provider holds the order. */
export class PermissionDenied extends ApiError {
  override readonly name = 'PermissionDenied'
}

/** 404 */
export class NotFound extends ApiError {
  override readonly name = 'NotFound'
}

/** 409: another provider has the order, or it has changed since this very message was accepted. */
export class Conflict extends ApiError {
  override readonly name = 'Conflict'
}

/** 422: understood and refused, for example a confirmation of an order that ended meanwhile. */
export class Refused extends ApiError {
  override readonly name = 'Refused'
}

/** 429 */
export class Throttled extends ApiError {
  override readonly name = 'Throttled'
  readonly retryAfterSeconds: number

  constructor(answer: RefusedAnswer) {
    super(answer)
    this.retryAfterSeconds = answer.retryAfterSeconds
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
  retryAfterSeconds: number
}

const classes: Readonly<Record<number, new (answer: RefusedAnswer) => ApiError>> = {
  400: InvalidRequest,
  403: PermissionDenied,
  404: NotFound,
  409: Conflict,
  422: Refused,
  429: Throttled,
}

/** The error that an answer outside 2xx stands for. What is no JSON comes from something between. */
export function errorOf(status: number, headers: Headers, text: string): ApiError {
  const { detail, errors } = readBody(text)
  const [first] = errors
  const fallback = status === 409 ? 'conflict' : 'error'
  const answer: RefusedAnswer = {
    status,
    code: first?.code ?? fallback,
    detail: detail ?? first?.detail ?? `The node answered ${status}.`,
    errors,
    requestId: headers.get('request-id'),
    retryAfterSeconds: Number(headers.get('retry-after') ?? 1) || 1,
  }
  const ErrorClass = classes[status] ?? (status >= 500 ? Unavailable : ApiError)
  return new ErrorClass(answer)
}

function readBody(text: string): { detail?: string; errors: readonly FieldError[] } {
  try {
    const body: { detail?: string; errors?: readonly FieldError[] } = JSON.parse(text)
    return { ...(body.detail === undefined ? {} : { detail: body.detail }), errors: body.errors ?? [] }
  } catch {
    return { errors: [] }
  }
}
