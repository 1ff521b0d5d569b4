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
  /** Whether whoever asks may listen. */
  mayListen(request: IncomingMessage): Promise<boolean>
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

export function createHub(options: HubOptions): Hub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  const told = new Map<string, string>()
  const seenOrders = new Set<string>()
  let position = 0
  let isLooking = false
  let isBehind = false
  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined
  let following: Promise<void> | null = null

  const send = (listener: WebSocket, message: InspectMessage) => {
    if (listener.bufferedAmount > maxBufferedBytes) listener.terminate()
    else if (listener.readyState === WebSocket.OPEN) listener.send(JSON.stringify(message))
  }
  const tell = (message: InspectMessage) => {
    for (const listener of server.clients) send(listener, message)
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
  }

  function end(): void {
    if (server.clients.size > 0) return
    unsubscribe()
    clearInterval(timer)
    following = null
    told.clear()
    seenOrders.clear()
  }

  server.on('connection', (listener: WebSocket) => {
    // What listeners say is of no interest: they look.
    listener.on('error', () => listener.terminate())
    listener.on('close', end)
    begin()
      .then(() => welcome(listener))
      .catch(options.onError)
  })

  return {
    upgrade(request, socket, head) {
      if ((request.url ?? '').split('?')[0] !== '/inspect/ws') return false
      socket.on('error', () => socket.destroy())
      const refuse = (line: string) => void socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`)
      if (strangersPage(browserHeaders(request), options.host) !== null) refuse('403 Forbidden')
      else if (server.clients.size >= maxListeners) refuse('503 Service Unavailable')
      else {
        options.mayListen(request).then(
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
