/**
 * A gate in front of a local network's endpoint, that plays what public endpoints do: outages, refusals,
 * silence, and answers of another back end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Instant } from '../../../machines/time.ts'

/** What a request is answered with instead of the network's answer. */
export type Trouble =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is cut. */
  | 'cut'
  /** No answer, ever. */
  | 'silence'

export interface GateRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface Gate {
  readonly url: string
  /** How many requests came, answered or not. */
  readonly requests: number
  /** Trouble for each request it answers with one; `null` lets everything through. */
  trouble: ((request: GateRequest) => Trouble | null) | null
  /** Replaces the network's answer to a request. */
  rewrite: ((request: GateRequest, answer: string) => string) | null
  /** Where requests go on to; another address is another back end of the pool. */
  upstream: (request: GateRequest) => string
  close(): Promise<void>
}

/** Answers are dated by the clock, where there is one: a network that plays another time says so. */
export async function openGate(upstream: string, clock?: () => Instant): Promise<Gate> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    if (clock !== undefined) response.setHeader('date', new Date(clock()).toUTCString())
    // Whoever closes a network cuts off what is under way.
    pass(gate, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gate has no port')
  const gate: Gate = {
    url: `http://127.0.0.1:${address.port}`,
    get requests() {
      return requests
    },
    trouble: null,
    rewrite: null,
    upstream: () => upstream,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return gate
}

async function pass(gate: Gate, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const request: GateRequest = {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    body: Buffer.concat(chunks).toString('utf8'),
  }
  const trouble = gate.trouble?.(request) ?? null
  if (trouble === 'silence') return
  if (trouble === 'cut') {
    incoming.socket.destroy()
    return
  }
  if (trouble !== null) {
    response.writeHead(trouble.status, trouble.headers).end('{"error":"in trouble"}')
    return
  }
  const base = gate.upstream(request).replace(/\/$/, '')
  const answer = await fetch(base + request.path, {
    method: request.method,
    headers: { 'content-type': incoming.headers['content-type'] ?? 'application/json' },
    ...(request.method === 'GET' ? {} : { body: request.body }),
  })
  const text = await answer.text()
  const latestLedger = answer.headers.get('latest-ledger')
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
    ...(latestLedger === null ? {} : { 'latest-ledger': latestLedger }),
  })
  response.end(gate.rewrite?.(request, text) ?? text)
}
