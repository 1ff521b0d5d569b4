/**
 * A webhook receiver for merchants who integrate: verifies what comes as a merchant has to, says what is wrong
 * with it, and fails as often as asked, so that retries can be seen.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseJson } from '../actors/foundation/json-text.ts'
import { parseMessageDate, verifySignature } from '../actors/keys/signature.ts'
import { formatInstant, type Instant } from '../machines/time.ts'
import { createHttpServer, listen, stopServing } from '../node/listeners.ts'

export interface HeardWebhook {
  at: string
  /** `null` when it is genuine, otherwise what is wrong with it. */
  problem: string | null
  /** What it was answered with. */
  answer: number
  /** The same over all attempts and resends. */
  id: string
  attempt: string
  /** Per order, from 1. */
  sequence: string
  /** It came and was acknowledged before: a receiver does nothing more then. */
  isRepetition: boolean
  status: string
  order: string
  merchantOrderId: string
  path: string
  body: string
}

export interface WebhookListener {
  readonly url: string
  stop(): Promise<void>
}

export interface ListenerOptions {
  host: string
  port: number
  key: string
  secret: string
  /** So many genuine ones are answered 500 first. */
  failures: number
  clock: { now(): Instant }
  onHeard(webhook: HeardWebhook): void
}

const toleranceMs = 300_000

/** @throws CommandError when the port is taken. */
export async function startWebhookListener(options: ListenerOptions): Promise<WebhookListener> {
  const hear = hearer(options)
  const server = createHttpServer((request, response) => {
    hear(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, { host: options.host, port: options.port, setting: '--port' })
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, stop: () => stopServing(server, { acceptMs: 0, graceMs: 1_000 }) }
}

function hearer(options: ListenerOptions) {
  const acknowledged = new Set<string>()
  let failuresLeft = options.failures
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const problem = problemOf(options, request, body)
    const id = header(request, 'webhook-id')
    const isRepetition = acknowledged.has(id)
    const answer = problem !== null ? 403 : failuresLeft > 0 ? 500 : 200
    if (answer === 500) failuresLeft--
    if (answer === 200) acknowledged.add(id)
    response.writeHead(answer).end()
    options.onHeard({
      at: formatInstant(options.clock.now()),
      problem,
      answer,
      id,
      attempt: header(request, 'webhook-attempt'),
      sequence: header(request, 'webhook-sequence'),
      isRepetition,
      ...contentOf(body.toString()),
      path: request.url ?? '/',
      body: body.toString(),
    })
  }
}

/** Protocol 5.1: the hash is recomputed from the headers and the exact body. */
function problemOf(
  { key, secret, clock }: ListenerOptions,
  request: IncomingMessage,
  body: Buffer,
): string | null {
  if (request.method !== 'POST') return `it is a ${request.method}, not a POST`
  const given = header(request, 'merchant-key')
  if (given !== key) return `its Merchant-Key is ${given === '' ? 'missing' : given}, not ${key}`
  const messageDate = header(request, 'message-date')
  const sentAt = parseMessageDate(messageDate)
  if (sentAt === null) return 'its Message-Date is missing or malformed'
  // The path without the query, as it came.
  const [path = '/'] = (request.url ?? '/').split('?')
  const message = { key, messageDate, method: 'POST', path, body }
  if (!verifySignature(message, secret, header(request, 'message-hash'))) return 'its Message-Hash is wrong'
  const awayMs = Math.abs(sentAt - clock.now())
  return awayMs > toleranceMs ? `its Message-Date is ${Math.round(awayMs / 1000)} s away from here` : null
}

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? '')
}

function contentOf(text: string): Pick<HeardWebhook, 'status' | 'order' | 'merchantOrderId'> {
  const read = parseJson(text)
  const order: { status?: unknown; id?: unknown; merchant_order_id?: unknown } =
    read.ok && typeof read.value === 'object' && read.value !== null ? read.value : {}
  const { status = '?', id = '?', merchant_order_id = '?' } = order
  return { status: String(status), order: String(id), merchantOrderId: String(merchant_order_id) }
}
