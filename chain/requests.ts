/**
 * HTTP requests to the endpoints of a chain: each has a time-out, whatever the SDK above it thinks, and each
 * failure becomes one of the port's.
 */
import type { Instant } from '../machines/time.ts'
import type { ChainContext, ChainFailure } from './chain.ts'

const defaultTimeoutMs = 10_000

/** An answer that is no success. SDKs pass it through to `failureOf`. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly retryAfterMs: number | null
  constructor(status: number, retryAfterMs: number | null) {
    super(`HTTP ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** The part of an address that may be shown: paths and queries carry keys. */
export function hostOf(url: string): string {
  return new URL(url).host
}

export interface RequestOptions {
  /** Answers that are handed on although they are no success (Horizon's 404 means that there is none). */
  readonly accept?: (status: number) => boolean
}

export class Requests {
  readonly #clock: () => Instant
  readonly #timeoutMs: number
  readonly #closing = new AbortController()
  readonly #clockOffsets = new Map<string, number>()

  constructor(context: ChainContext) {
    this.#clock = context.clock
    this.#timeoutMs = context.timeoutMs ?? defaultTimeoutMs
  }

  /** `fetch` with a time-out. Rejects on anything but a 2xx, see `options.accept`. */
  async fetch(url: string, init: RequestInit = {}, options: RequestOptions = {}): Promise<Response> {
    const signals = [AbortSignal.timeout(this.#timeoutMs), this.#closing.signal]
    if (init.signal) signals.push(init.signal)
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    const serverDate = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(serverDate)) this.#clockOffsets.set(hostOf(url), serverDate - this.#clock())
    if (response.ok || options.accept?.(response.status)) return response
    await response.body?.cancel()
    throw new HttpRefusal(response.status, retryAfterMs(response.headers.get('retry-after'), serverDate))
  }

  /** The `Date` of the host's last answer minus the node's clock, in ms. */
  clockOffsetMs(host: string): number | null {
    return this.#clockOffsets.get(host) ?? null
  }

  close(): void {
    this.#closing.abort(new Error('the node is stopping'))
  }
}

/** An endpoint may ask for a pause, but not shut a node out of its chain for days. */
const longestRetryAfterMs = 600_000

/** RFC 9110: seconds, or a date that is measured against the answer's own. */
export function retryAfterMs(header: string | null, serverDate: number): number | null {
  if (header === null) return null
  const isSeconds = /^\d+$/.test(header.trim())
  const wait = isSeconds ? Number(header) * 1000 : Date.parse(header) - serverDate
  return Number.isNaN(wait) ? null : Math.min(longestRetryAfterMs, Math.max(0, wait))
}

/** What an error of a request, or of the SDK that made it, means to the port. */
export function failureOf(error: unknown, endpoint: string): ChainFailure {
  const of = (
    kind: ChainFailure['kind'],
    cause: string,
    retryable: boolean,
    after: number | null = null,
  ) => ({
    kind,
    endpoint,
    message: `${endpoint} ${cause}`,
    retryable,
    retryAfterMs: after,
  })
  if (error instanceof HttpRefusal) {
    if (error.status === 429)
      return of('rate_limited', 'asks for fewer requests (HTTP 429).', true, error.retryAfterMs)
    if (error.status >= 500 || error.status === 408)
      return of('unavailable', `cannot answer now (HTTP ${error.status}).`, true, error.retryAfterMs)
    return of(
      'refused',
      `refuses the request (HTTP ${error.status}). Check its address and key in the settings.`,
      false,
    )
  }
  return of('unavailable', `gave no answer: ${causeOf(error)}.`, true)
}

/** The innermost cause: `fetch failed` alone says nothing. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  return error.cause instanceof Error ? causeOf(error.cause) : withoutAddresses(error.message)
}

/** Shorter parts of an address are words such as `v2`. */
const leastKeyLength = 8

/** What an endpoint says of a request, for a line: without the keys that its address holds, which it may quote. */
export function wordsOf(message: string, url: string): string {
  const { pathname, searchParams } = new URL(url)
  const keys = [...pathname.split('/'), ...searchParams.values()].filter(
    (key) => key.length >= leastKeyLength,
  )
  return withoutAddresses(keys.reduce((text, key) => text.replaceAll(key, '…'), message)).replaceAll(
    /\p{C}/gu,
    '?',
  )
}

/** SDK messages may quote the whole address they asked. */
function withoutAddresses(message: string): string {
  return message
    .replaceAll(/https?:\/\/[^\s"']+/g, (url) => (URL.canParse(url) ? hostOf(url) : 'an address'))
    .split('\n', 1)
    .join('')
    .slice(0, 200)
    .replace(/\.$/, '')
}
