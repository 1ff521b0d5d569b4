/** One request, signed, and sent again where that is safe. */
import type { OperationEntry } from './api.ts'
import { type ApiError, errorOf, NoAnswer, Throttled } from './errors.ts'
import { messageDate, sign } from './signature.ts'

export interface ClientOptions {
  /** Where the node is, for example `https://pay.example`; its API's base, `https://pay.example/api/v1`, will do, too. */
  url: string
  key: string
  secret: string
  /** How often a request is sent at most; 4 unless said otherwise. */
  attempts?: number
  /** How long one attempt may take; 15,000 unless said otherwise. */
  timeoutMs?: number
  /** The longest pause between two attempts; 60,000 unless said otherwise. Who is told to wait longer gets the error at once. */
  maxPauseMs?: number
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
const defaultMaxPauseMs = 60_000
/** Longer timers fire at once. */
const maxTimerMs = 2 ** 31 - 1
/** The node takes a message for 300 s; the rest is for its way, and for clocks that differ. */
const repeatableMs = 270_000

const lostDryRun =
  'The answer does not say that this was a dry run: something between has dropped the header Dry-Run, and the request ' +
  'may have been carried out.'

interface SignedMessage {
  headers: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/**
 * A start or cancel is repeated with the very same signed bytes, which the node recognizes, as long as it would take
 * them; a creation under the same Idempotency-Key; everything else is signed afresh.
 */
export async function send(
  options: ClientOptions,
  message: Message,
  { idempotencyKey }: CallOptions,
): Promise<unknown> {
  const { attempts = 4, sleep = pause, now = Date.now } = options
  const { repetition } = message.operation
  const key = repetition === 'idempotency_key' ? (idempotencyKey ?? crypto.randomUUID()) : undefined
  let signed = await signedMessage(options, message)
  /** Whether an attempt with these bytes may have been carried out. */
  let isJudged = false
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(options, message, {
      ...signed.headers,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...(message.operation.isDryRun === true ? { 'Dry-Run': 'true' } : {}),
    })
    if ('document' in outcome) {
      if (message.operation.isDryRun === true && !outcome.isDryRun) throw new NoAnswer(lostDryRun)
      return outcome.document
    }
    const { error } = outcome
    if (attempt >= attempts || !isWorthRepeating(error, repetition)) throw error
    const pauseMs = pauseAfter(error, attempt, options)
    if (pauseMs === null) throw error
    // What was refused for its number alone was not looked at.
    isJudged ||= !(error instanceof Throttled)
    await sleep(pauseMs)
    if (repetition !== 'message' || !isJudged) signed = await signedMessage(options, message)
    else if (now() - signed.at > repeatableMs) throw tooOld(error)
  }
}

/** `null` when that is longer than the caller wants to wait. */
function pauseAfter(error: ApiError | NoAnswer, attempt: number, options: ClientOptions): number | null {
  const { maxPauseMs = defaultMaxPauseMs } = options
  const longestMs = Math.min(maxPauseMs, maxTimerMs)
  const toldMs = error instanceof NoAnswer ? null : error.retryAfterMs
  if (toldMs !== null && toldMs > longestMs) return null
  return Math.min(Math.max(toldMs ?? 0, firstPauseMs * 2 ** (attempt - 1)), longestMs)
}

/** Signed anew it would be another message, which might lock or release what the first one did not mean. */
function tooOld(cause: ApiError | NoAnswer): NoAnswer {
  const text =
    'No answer came while the message was good, and it may have been carried out: look the order up, and call again ' +
    'only if that is still to be done.'
  return new NoAnswer(text, { cause })
}

function isWorthRepeating(error: ApiError | NoAnswer, repetition: OperationEntry['repetition']): boolean {
  if (error instanceof NoAnswer) return true
  // A creation meets a 409 only while its first attempt is still under way.
  if (error.status === 409) return repetition === 'idempotency_key'
  return error.status === 408 || error.status === 429 || error.status >= 500
}

async function signedMessage(options: ClientOptions, message: Message): Promise<SignedMessage> {
  const { key, secret, now = Date.now } = options
  const at = now()
  const date = messageDate(at)
  const { operation, path, body } = message
  const parts = { key, messageDate: date, method: operation.method, path, body: body ?? '' }
  const headers = {
    [message.keyHeader]: key,
    'Message-Date': date,
    'Message-Hash': await sign(parts, secret),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  }
  return { headers, at }
}

type Outcome = { document: unknown; isDryRun: boolean } | { error: ApiError | NoAnswer }

async function attemptOnce(
  { url, timeoutMs = 15_000, fetch: ask = fetch, now = Date.now }: ClientOptions,
  { operation, path, body }: Message,
  headers: Record<string, string>,
): Promise<Outcome> {
  let answer: Response
  let text: string
  try {
    answer = await ask(`${url}${path}`, {
      method: operation.method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.min(timeoutMs, maxTimerMs)),
    })
    text = await answer.text()
    if (answer.ok) {
      const document = operation.format === undefined ? JSON.parse(text) : text
      return { document, isDryRun: answer.headers.get('dry-run') === 'true' }
    }
  } catch (cause) {
    return { error: new NoAnswer(`No answer from ${url}: ${String(cause)}`, { cause }) }
  }
  return { error: errorOf(answer.status, answer.headers, text, now()) }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
