/**
 * The inspector's stream. While somebody listens it follows the journal, which has what was committed and what was
 * refused, of every node over one database; orders themselves know nothing of it, and without listeners it does nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type BrowserHeaders, strangersPage } from '../operator/access.ts'
import { type Followed, Following } from './following.ts'
import { Listeners, maxListeners } from './listeners.ts'

export interface HubOptions extends Followed {
  /**
   * Whether whoever asked may listen now. It is asked again before each thing that is told, and twice a second.
   * @param isAsked false where nobody did anything: then the session does not live longer for it.
   */
  mayListen(request: IncomingMessage, isAsked: boolean): Promise<boolean>
  /** The name or address the listener is told to listen on. */
  hosts: readonly string[]
}

export interface Hub {
  /** Takes over a connection that asks for `/inspect/ws`; false where it asks for something else. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  close(): void
}

export function createHub(options: HubOptions): Hub {
  const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  const listeners = new Listeners(options.mayListen)
  let following: Following | null = null

  function end(): void {
    if (listeners.count > 0) return
    following?.stop()
    following = null
  }

  async function answer(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const refusal = await refusalOf(request, options, listeners)
    if (refusal !== null) return refuse(socket, refusal)
    server.handleUpgrade(request, socket, head, (listener) => {
      listeners.add(listener, request, end)
      following ??= new Following(options, listeners)
      const followed = following
      followed.begun.then(() => followed.welcome(listener)).catch(options.onError)
    })
  }

  return {
    upgrade(request, socket, head) {
      if ((request.url ?? '').split('?')[0] !== '/inspect/ws') return false
      socket.on('error', () => socket.destroy())
      answer(request, socket, head).catch((error: unknown) => {
        options.onError(error)
        refuse(socket, '500 Internal Server Error')
      })
      return true
    },
    close() {
      listeners.closeAll()
      server.close()
      end()
    },
  }
}

/** The status line for whoever may not listen. */
async function refusalOf(
  request: IncomingMessage,
  { hosts, mayListen }: HubOptions,
  listeners: Listeners,
): Promise<string | null> {
  if (strangersPage(browserHeaders(request), hosts) !== null) return '403 Forbidden'
  if (listeners.count >= maxListeners) return '503 Service Unavailable'
  return (await mayListen(request, true)) ? null : '401 Unauthorized'
}

/** Whoever is refused may say nothing more, or never leave: the listener lets go of it in time. */
function refuse(socket: Duplex, line: string): void {
  socket.resume().end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`)
}

function browserHeaders({ headers }: IncomingMessage): BrowserHeaders {
  const site = headers['sec-fetch-site']
  return { host: headers.host, origin: headers.origin, site: typeof site === 'string' ? site : undefined }
}
