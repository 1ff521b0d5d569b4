/**
 * A merchant's webhook receiver, as small as one can be: it recomputes the signature from the headers and the
 * exact body, refuses what differs, and keeps what it received (protocol 6).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseMessageDate, verifySignature } from '../actors/keys/signature.ts'
import { formatInstant, type Instant } from '../machines/time.ts'
import { createHttpServer, listen, stopServing } from '../node/listeners.ts'

export const demoReceiverPort = 8082

export interface ReceivedWebhook {
  at: string
  /** The signature is the merchant's, and fresh. */
  verified: boolean
  status: string
  order: string
  merchantOrderId: string
  body: unknown
}

export interface DemoReceiver {
  readonly url: string
  /** Where the merchant's orders let their webhooks go. */
  readonly notifyUrl: string
  readonly received: readonly ReceivedWebhook[]
  stop(): Promise<void>
}

export interface DemoReceiverOptions {
  port: number
  clock: { now(): Instant }
  /** The secret of a merchant's key; `null` for an unknown one. */
  secretOf(key: string): Promise<string | null>
  onReceived(webhook: ReceivedWebhook): void
}

const maxKept = 100
const toleranceMs = 300_000

/** @throws CommandError when the port is taken. */
export async function startDemoReceiver(options: DemoReceiverOptions): Promise<DemoReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createHttpServer((request, response) => {
    const answering =
      request.method === 'POST'
        ? receive(options, received, request, response)
        : show(received, request, response)
    answering.catch(() => response.destroy())
  })
  const host = '127.0.0.1'
  const port = await listen(server, { host, port: options.port, setting: 'demo receiver' })
  const url = `http://${host}:${port}`
  return {
    url,
    notifyUrl: `${url}/webhooks`,
    received,
    stop: () => stopServing(server, { acceptMs: 0, graceMs: 1_000 }),
  }
}

/** One line about a webhook, for people. */
export function receivedLine({ at, verified, status, order, merchantOrderId }: ReceivedWebhook): string {
  const signature = verified ? 'signature verified' : 'SIGNATURE WRONG, refused'
  return `${at}  ${status}  ${merchantOrderId}  order ${order}  ${signature}`
}

async function receive(
  { clock, secretOf, onReceived }: DemoReceiverOptions,
  received: ReceivedWebhook[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request)
  const header = (name: string) => String(request.headers[name] ?? '')
  const key = header('merchant-key')
  const messageDate = header('message-date')
  const secret = await secretOf(key)
  const sentAt = parseMessageDate(messageDate)
  // A webhook's query is sent, and not signed.
  const [path = '/'] = (request.url ?? '/').split('?')
  const message = { key, messageDate, method: 'POST', path, body }
  const verified =
    secret !== null &&
    sentAt !== null &&
    Math.abs(sentAt - clock.now()) <= toleranceMs &&
    verifySignature(message, secret, header('message-hash'))
  const webhook = { at: formatInstant(clock.now()), verified, ...contentOf(body.toString()) }
  received.push(webhook)
  if (received.length > maxKept) received.shift()
  onReceived(webhook)
  response.writeHead(verified ? 200 : 403).end()
}

function contentOf(text: string) {
  let body: unknown = null
  try {
    body = JSON.parse(text)
  } catch {
    // Kept as null: it is no webhook of ours, and its signature is wrong too.
  }
  const order: { status?: unknown; id?: unknown; merchant_order_id?: unknown } =
    typeof body === 'object' && body !== null ? body : {}
  const { status = '?', id = '?', merchant_order_id = '?' } = order
  return { status: String(status), order: String(id), merchantOrderId: String(merchant_order_id), body }
}

/** `GET /`: a line each, or JSON for whoever asks for it. */
async function show(
  received: readonly ReceivedWebhook[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wantsJson = String(request.headers.accept ?? '').includes('application/json')
  const lines = received.map((webhook) => `${receivedLine(webhook)}\n`).join('')
  response.writeHead(200, { 'Content-Type': wantsJson ? 'application/json' : 'text/plain; charset=utf-8' })
  response.end(wantsJson ? JSON.stringify(received, null, 2) : lines || 'No webhook has come yet.\n')
}
