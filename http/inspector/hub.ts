/**
 * The inspector's stream. While somebody listens it follows the journal, which has what was committed and what was
 * refused, of every node over one database; orders themselves know nothing of it, and without listeners it does nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { JournalDocument } from '../../actors/inspection/operations.ts'
import type { Replay } from '../../actors/inspection/replay.ts'
import type { WorkerState } from '../../actors/inspection/workers.ts'
import { type BrowserHeaders, strangersPage } from '../operator/access.ts'
import {
  actorMessage,
  type InspectMessage,
  snapshotOf,
  stepMessages,
  workerMessage,
  workerSnapshot,
} from './messages.ts'

export interface HubOptions {
  /**
   * Whether whoever asked may listen now. It is asked again before each thing that is told, and twice a second.
   * @param isAsked false where nobody did anything: then the session does not live longer for it.
   */
  mayListen(request: IncomingMessage, isAsked: boolean): Promise<boolean>
  /** The newest entries first without a position, else those behind it. */
  journal(after?: number): Promise<JournalDocument[]>
  replay(orderId: string): Promise<Replay>
  workers(): WorkerState[]
  /** Definitions by chart, as receivers draw them. */
  definitions: ReadonlyMap<string, unknown>
  /** Calls back after commits that may have added to the journal. */
  subscribe(listener: () => void): () => void
  /** The name or address the listener is told to listen on. */
  host: string
  onError(error: unknown): void
  /** How often each listener is asked whether it is there still; 30 s unless said. */
  pingEveryMs?: number
}

export interface Hub {
  /** Takes over a connection that asks for `/inspect/ws`; false where it asks for something else. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): void
}

const lookEveryMs = 500
const maxListeners = 16
/** A listener that is this far behind is let go: it would fill the memory. */
const maxBufferedBytes = 4 * 1024 * 1024
const standardPingMs = 30_000
/** Of WebSocket (RFC 6455, 7.4.1): whoever was let in is no longer. */
const policyViolation = 1008

export function createHub(options: HubOptions): Hub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  /** What each asked with, and whether it was heard of since the last ping. */
  const listening = new Map<WebSocket, { request: IncomingMessage; isThere: boolean }>()
  const told = new Map<string, string>()
  const seenOrders = new Set<string>()
  let position = 0
  let isLooking = false
  let isBehind = false
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined
  let pinging: NodeJS.Timeout | undefined
  let following: Promise<void> | null = null

  const send = (listener: WebSocket, message: InspectMessage) => {
    if (listener.bufferedAmount > maxBufferedBytes) listener.terminate()
    else if (listener.readyState === WebSocket.OPEN) listener.send(JSON.stringify(message))
  }
  const tell = (message: InspectMessage) => {
    for (const listener of server.clients) send(listener, message)
  }

  /** Nothing is told to whoever was signed out, disabled, or given a lesser role in the meantime. */
  async function judge(): Promise<void> {
    const judged = [...listening].map(async ([listener, { request }]) => {
      if (!(await options.mayListen(request, false)))
        listener.close(policyViolation, 'The session has ended.')
    })
    await Promise.all(judged)
  }

  function ping(): void {
    for (const [listener, state] of listening) {
      if (!state.isThere) listener.terminate()
      else if (listener.readyState === WebSocket.OPEN) listener.ping()
      state.isThere = false
    }
  }

  async function look(): Promise<void> {
    if (isLooking) {
      isBehind = true
      return
    }
    isLooking = true
    try {
      do {
        isBehind = false
        await judge()
        tellWorkers()
        for (const entry of await options.journal(position)) {
          await tellEntry(entry)
          position = entry.position
        }
      } while (isBehind)
    } catch (error) {
      options.onError(error)
    } finally {
      isLooking = false
    }
  }

  async function tellEntry({ order, sequence }: JournalDocument): Promise<void> {
    const { chart, steps } = await options.replay(order)
    const step = steps.find((one) => one.sequence === sequence)
    if (step === undefined) return
    await judge()
    if (!seenOrders.has(order)) {
      seenOrders.add(order)
      const placed = { sessionId: order, at: Date.parse(step.at) }
      tell(
        actorMessage(placed, `${chart} ${order.slice(-8)}`, options.definitions.get(chart), snapshotOf(step)),
      )
    }
    for (const message of stepMessages(order, step)) tell(message)
  }

  function tellWorkers(): void {
    for (const worker of options.workers()) {
      const text = JSON.stringify(worker)
      if (told.get(worker.name) === text) continue
      told.set(worker.name, text)
      tell(workerMessage(worker, 0))
    }
  }

  /** A new listener learns of the workers, and of the orders that others have heard of already. */
  async function welcome(listener: WebSocket): Promise<void> {
    for (const worker of options.workers()) {
      const placed = { sessionId: `worker:${worker.name}`, at: 0 }
      send(
        listener,
        actorMessage(placed, worker.name, options.definitions.get('worker'), workerSnapshot(worker)),
      )
    }
    for (const order of seenOrders) {
      const { chart, steps } = await options.replay(order)
      const last = steps.at(-1)
      if (last === undefined) continue
      await judge()
      const placed = { sessionId: order, at: Date.parse(last.at) }
      send(
        listener,
        actorMessage(placed, `${chart} ${order.slice(-8)}`, options.definitions.get(chart), snapshotOf(last)),
      )
    }
  }

  /** Once for all who listen: what is in the journal already is not told. */
  function begin(): Promise<void> {
    following ??= follow()
    return following
  }

  async function follow(): Promise<void> {
    position = (await options.journal())[0]?.position ?? 0
    if (server.clients.size === 0) return
    unsubscribe = options.subscribe(() => void look())
    timer = setInterval(() => void look(), lookEveryMs)
    pinging = setInterval(ping, options.pingEveryMs ?? standardPingMs)
  }

  function end(): void {
    if (server.clients.size > 0) return
    unsubscribe()
    clearInterval(timer)
    clearInterval(pinging)
    following = null
    told.clear()
    seenOrders.clear()
  }

  server.on('connection', (listener: WebSocket, request: IncomingMessage) => {
    listening.set(listener, { request, isThere: true })
    // What listeners say is of no interest: they look.
    listener.on('error', () => listener.terminate())
    listener.on('pong', () => {
      const state = listening.get(listener)
      if (state !== undefined) state.isThere = true
    })
    listener.on('close', () => {
      listening.delete(listener)
      end()
    })
    begin()
      .then(() => welcome(listener))
      .catch(options.onError)
  })

  return {
    upgrade(request, socket, head) {
      if ((request.url ?? '').split('?')[0] !== '/inspect/ws') return false
      socket.on('error', () => socket.destroy())
      // Whoever is refused may say nothing more, or never leave: the listener lets go of it in time.
      const refuse = (line: string) =>
        void socket.resume().end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`)
      if (strangersPage(browserHeaders(request), options.host) !== null) refuse('403 Forbidden')
      else if (server.clients.size >= maxListeners) refuse('503 Service Unavailable')
      else {
        options.mayListen(request, true).then(
          (may) => {
            if (!may) refuse('401 Unauthorized')
            else
              server.handleUpgrade(request, socket, head, (listener) =>
                server.emit('connection', listener, request),
              )
          },
          (error: unknown) => {
            options.onError(error)
            refuse('500 Internal Server Error')
          },
        )
      }
      return true
    },
    close() {
      for (const listener of server.clients) listener.terminate()
      server.close()
      end()
    },
  }
}

function browserHeaders({ headers }: IncomingMessage): BrowserHeaders {
  const site = headers['sec-fetch-site']
  return { host: headers.host, origin: headers.origin, site: typeof site === 'string' ? site : undefined }
}
