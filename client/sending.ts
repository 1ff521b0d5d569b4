/** One request, signed, and sent again where that is safe. */
import type { OperationEntry } from './api.ts'
import { type ApiError, errorOf, NoAnswer, Throttled } from './errors.ts'
import { messageDate, sign } from './signature.ts'

export interface ClientOptions {
  /** Where the node is, for example `https://pay.example`. */
  url: string
  key: string
  secret: string
  /** How often a request is sent at most; 4 unless said otherwise. */
  attempts?: number
  /** How long one attempt may take; 15,000 unless said otherwise. */
  timeoutMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
  fetch?: typeof fetch
  sleep?: (ms: number) => Promise<void>
}

export interface CallOptions {
  /**
   * For creations. Without one each call gets its own; give one that is kept with the order, and a creation can be
   * repeated after a crash too.
   */
  idempotencyKey?: string
}

export interface Message {
  keyHeader: 'Merchant-Key' | 'Provider-Key'
  operation: OperationEntry
  /** With its query. */
  path: string
  body: string | null
}

const firstPauseMs = 250

/**
 * A start or cancel is repeated with the very same signed bytes, which the node recognizes; a creation under the same
 * Idempotency-Key; everything else is signed afresh.
 */
export async function send(
  options: ClientOptions,
  message: Message,
  { idempotencyKey }: CallOptions,
): Promise<unknown> {
  const { attempts = 4, sleep = pause } = options
  const { repetition } = message.operation
  const key = repetition === 'idempotency_key' ? (idempotencyKey ?? crypto.randomUUID()) : undefined
  let headers = await signedHeaders(options, message)
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(options, message, {
      ...headers,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    })
    if ('document' in outcome) return outcome.document
    const { error } = outcome
    if (attempt >= attempts || !isWorthRepeating(error, repetition)) throw error
    const backoffMs = firstPauseMs * 2 ** (attempt - 1)
    await sleep(error instanceof Throttled ? error.retryAfterSeconds * 1000 : backoffMs)
    if (repetition !== 'message') headers = await signedHeaders(options, message)
  }
}

function isWorthRepeating(error: ApiError | NoAnswer, repetition: OperationEntry['repetition']): boolean {
  if (error instanceof NoAnswer) return true
  // A creation meets a 409 only while its first attempt is still under way.
  if (error.status === 409) return repetition === 'idempotency_key'
  return error.status === 408 || error.status === 429 || error.status >= 500
}

async function signedHeaders(options: ClientOptions, message: Message): Promise<Record<string, string>> {
  const { key, secret, now = Date.now } = options
  const date = messageDate(now())
  const { operation, path, body } = message
  const parts = { key, messageDate: date, method: operation.method, path, body: body ?? '' }
  return {
    [message.keyHeader]: key,
    'Message-Date': date,
    'Message-Hash': await sign(parts, secret),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  }
}

type Outcome = { document: unknown } | { error: ApiError | NoAnswer }

async function attemptOnce(
  { url, timeoutMs = 15_000, fetch: ask = fetch }: ClientOptions,
  { operation, path, body }: Message,
  headers: Record<string, string>,
): Promise<Outcome> {
  let answer: Response
  let text: string
  try {
    answer = await ask(`${url.replace(/\/$/, '')}${path}`, {
      method: operation.method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await answer.text()
    if (answer.ok) return { document: JSON.parse(text) }
  } catch (cause) {
    return { error: new NoAnswer(`No answer from ${url}: ${String(cause)}`, { cause }) }
  }
  return { error: errorOf(answer.status, answer.headers, text) }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
