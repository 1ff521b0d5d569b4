/** Receivers of webhooks on loopback: well-behaved ones, and ones that misbehave byte by byte. */
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TlsIdentity } from './self-signed-certificate.ts'

const loopback = '127.0.0.1'

export interface ReceivedWebhook {
  method: string
  /** The request target as it came. */
  target: string
  headers: http.IncomingHttpHeaders
  body: string
  /** Identifies the connection it came on. */
  remotePort: number
}

export interface Receiver {
  port: number
  received: ReceivedWebhook[]
  close(): Promise<void>
}

export type Answering = (response: http.ServerResponse, webhook: ReceivedWebhook) => void

/** Records what it receives and answers as told; over TLS when there is an identity. */
export function startReceiver(
  answer: Answering,
  identity?: TlsIdentity,
  host: string = loopback,
): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const onRequest: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const webhook = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        remotePort: request.socket.remotePort ?? 0,
      }
      received.push(webhook)
      answer(response, webhook)
    })
  }
  const server = identity ? https.createServer(identity, onRequest) : http.createServer(onRequest)
  return listen(server, received, host)
}

/** Gives each connection to `handle` as soon as the first bytes of a request have come. */
export function startRawReceiver(handle: (socket: Socket) => void): Promise<Receiver> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => handle(socket))
  })
  return listen(server, [])
}

/** A port of loopback where nobody listens, and that the system gives to nobody who asks for any. */
export const closedPort = 2

async function listen(
  server: net.Server,
  received: ReceivedWebhook[],
  host: string = loopback,
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
