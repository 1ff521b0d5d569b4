/** HTTP servers as an operator can expose them: bounded headers, slow senders cut off, stopped without loss. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn } from '../http/limits/in-turn.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { afterReading, type Sockets, type SocketTimes, socketTimes, watchSockets } from './sockets.ts'
import { refuseSplinters } from './splinters.ts'
import { endUnread } from './unread-bodies.ts'

export type WatchedServer = Server & { readonly sockets: Sockets }

export interface ServerTimes {
  /** From the connection, or the end of the request before, to the last byte of the headers. */
  headersTimeoutMs: number
  /** To the last byte of the body. */
  requestTimeoutMs: number
  /** Longer than load balancers keep theirs, so that it is they who close an idle connection. */
  keepAliveTimeoutMs: number
  /** How often the connections are looked through for those that are too slow. */
  checkEveryMs: number
  /** Of what HTTP knows nothing of. */
  sockets?: Partial<SocketTimes>
}

const serverTimes: ServerTimes = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkEveryMs: 2_000,
}
const maxHeaderBytes = 16 * 1024
/** Of a peer whose machine is gone while it waits for us the system learns by asking. */
const askPeerAfterMs = 30_000

export function createHttpServer(listener: RequestListener, times: ServerTimes = serverTimes): WatchedServer {
  const serve = inTurn((request, response) => {
    if (hasOneHost(request)) return listener(request, response)
    refuse(response, 400, 'parse_error', 'Bad Request')
  })
  const server = createServer(
    {
      headersTimeout: times.headersTimeoutMs,
      requestTimeout: times.requestTimeoutMs,
      keepAliveTimeout: times.keepAliveTimeoutMs,
      connectionsCheckingInterval: times.checkEveryMs,
      maxHeaderSize: maxHeaderBytes,
      // Node would refuse it itself, without a body.
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: askPeerAfterMs,
    },
    (request, response) => {
      sockets.follow(request, response)
      endUnread(request, response)
      refuseSplinters(request)
      serve(request, response)
    },
  )
  const { checkEveryMs } = times
  const sockets = watchSockets(server, { ...socketTimes, checkEveryMs, ...times.sockets })
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', (_, response: ServerResponse) => {
    refuse(response, 417, 'expectation_failed', 'Expectation Failed')
  })
  server.on('connect', (_, socket: Socket) => {
    // Node lets go of the socket here, and an error that nobody listens to would end the process.
    socket.on('error', () => socket.destroy())
    // What it still says is of no interest, and would keep its end from being seen.
    socket.resume()
    refuseRaw(
      socket,
      405,
      'method_not_allowed',
      'Method "CONNECT" not allowed.',
      'Allow: GET, HEAD, POST\r\n',
    )
  })
  return Object.assign(server, { sockets })
}

/** Exactly one for HTTP/1.1, at most one before it (RFC 9112, part 3.2). */
function hasOneHost({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  const hosts = headersDistinct.host?.length ?? 0
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** What cannot be read as HTTP still gets an answer in the shape of all others (protocol 7.1). */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = unreadableStatus(error.code)
  const code = status === 408 ? 'request_timeout' : 'parse_error'
  refuseRaw(socket, status, code, STATUS_CODES[status] ?? '')
}

function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  const body = refusalBody(status, code, detail)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { Connection: 'close', ...headers }).end(body)
}

function refuseRaw(socket: Socket, status: number, code: string, detail: string, headers = ''): void {
  const body = refusalBody(status, code, detail)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function refusalBody(status: number, code: string, detail: string): string {
  const rest = { type: 'client_error', errors: [{ attr: null, code, detail }] }
  return JSON.stringify(status === 400 ? rest : { detail, ...rest })
}

function unreadableStatus(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** @returns the port, which the system chose where 0 was asked for. @throws CommandError with exit code 5. */
export function listen(
  server: Server,
  place: { host: string; port: number; setting: string },
): Promise<number> {
  const { host, port, setting } = place
  return new Promise((resolve, reject) => {
    const refuse = (error: Error & { code?: string }) => {
      const cause = causes[error.code ?? ''] ?? error.message
      const hint = listenHint(error.code, setting)
      reject(
        new CommandError(exitCodes.port, `${setting}: ${host}:${port}: ${cause}`, hint, { cause: error }),
      )
    }
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function listenHint(code: string | undefined, setting: string): string {
  if (code === 'EADDRINUSE') return `Set ${setting} to another port, or stop what listens there (ss -ltnp).`
  if (code === 'EACCES') return `Set ${setting} to a port above 1023, and let a proxy listen below.`
  return `Set ${setting.replace(/port$/, 'host')} to an address of this machine (ip address).`
}

const causes: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
}

export interface StopTimes {
  /** How long new connections are still accepted, and told that each answer is their last. */
  acceptMs: number
  /** How long answers under way may take after that. */
  graceMs: number
  /** Called when nothing more is accepted. */
  onClosed?: () => void
}

/** Stops in order: last answers, then no new connection, then the end of what is under way, then of all that is left. */
export async function stopServing(server: WatchedServer, times: StopTimes): Promise<void> {
  if (!server.listening) return
  const { sockets } = server
  sockets.answerLast()
  await sleep(times.acceptMs)
  await acceptAll(server)
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  // The HTTP server's own would cut off connections whose next request is on its way.
  NetServer.prototype.close.call(server)
  times.onClosed?.()
  sockets.hurry()
  const cut = setTimeout(() => sockets.destroyAll(), times.graceMs)
  await closed
  clearTimeout(cut)
  // Now that it cuts off nobody: it ends the timer that looks through connections, which would keep all of the server.
  server.close()
}

/** The system resets whom it has connected and we have not accepted: it ends once nobody came for a moment. */
async function acceptAll(server: WatchedServer): Promise<void> {
  let hasCome = false
  const note = () => {
    hasCome = true
  }
  server.on('connection', note)
  for (let round = 0; round < 10; round++) {
    hasCome = false
    await sleep(15)
    await new Promise<void>(afterReading)
    if (!hasCome) break
  }
  server.off('connection', note)
}
