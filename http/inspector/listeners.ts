/** Who listens to the inspector's stream, each for as long as they may. */
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import type { InspectMessage } from './messages.ts'

export const maxListeners = 16
/** A listener that is this far behind is let go: it would fill the memory. */
const maxBufferedBytes = 4 * 1024 * 1024
/** Of WebSocket (RFC 6455, 7.4.1): whoever was let in is no longer. */
const policyViolation = 1008

export class Listeners {
  /** What each asked with, and whether it was heard of since the last ping. */
  readonly #known = new Map<WebSocket, { request: IncomingMessage; isThere: boolean }>()
  readonly #mayListen: (request: IncomingMessage, isAsked: boolean) => Promise<boolean>

  constructor(mayListen: (request: IncomingMessage, isAsked: boolean) => Promise<boolean>) {
    this.#mayListen = mayListen
  }

  get count(): number {
    return this.#known.size
  }

  /** @param onClosed is called once the listener is no longer among them */
  add(listener: WebSocket, request: IncomingMessage, onClosed: () => void): void {
    const state = { request, isThere: true }
    this.#known.set(listener, state)
    // What listeners say is of no interest: they look.
    listener.on('error', () => listener.terminate())
    listener.on('pong', () => {
      state.isThere = true
    })
    listener.on('close', () => {
      this.#known.delete(listener)
      onClosed()
    })
  }

  tell(message: InspectMessage): void {
    for (const listener of this.#known.keys()) tellOne(listener, message)
  }

  /** Nothing is told to whoever was signed out, disabled, or given a lesser role in the meantime. */
  async judge(): Promise<void> {
    const judged = [...this.#known].map(async ([listener, { request }]) => {
      if (!(await this.#mayListen(request, false))) listener.close(policyViolation, 'The session has ended.')
    })
    await Promise.all(judged)
  }

  /** Asks each whether it is there still, and lets go of those who did not answer the last time. */
  ping(): void {
    for (const [listener, state] of this.#known) {
      if (!state.isThere) listener.terminate()
      else if (listener.readyState === WebSocket.OPEN) listener.ping()
      state.isThere = false
    }
  }

  closeAll(): void {
    for (const listener of this.#known.keys()) listener.terminate()
  }
}

export function tellOne(listener: WebSocket, message: InspectMessage): void {
  if (listener.bufferedAmount > maxBufferedBytes) listener.terminate()
  else if (listener.readyState === WebSocket.OPEN) listener.send(JSON.stringify(message))
}
