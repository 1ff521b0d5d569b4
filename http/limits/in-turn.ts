/**
 * The requests of one connection are served one after another, however many are sent without waiting. Node
 * begins them all at once: a few connections that send thousands would stand before everybody else.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Nobody has reason to send more without waiting; each one that waits takes memory. */
const maxWaiting = 32

export function inTurn(serve: RequestListener): RequestListener {
  /** Connections with a request under way, each with those that wait for its end. */
  const waiting = new WeakMap<Socket, (() => void)[]>()

  function begin(request: IncomingMessage, response: ServerResponse): void {
    // Not at once: what others have sent meanwhile would wait until this connection has nothing more.
    response.once('close', () => setImmediate(next, request.socket))
    serve(request, response)
  }

  function next(socket: Socket): void {
    const then = waiting.get(socket)?.shift()
    // Nobody may be left to answer by then, and the rest of a body would never come.
    if (then !== undefined && !socket.destroyed) then()
    else {
      waiting.delete(socket)
      socket.resume()
    }
  }

  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      begin(request, response)
      return
    }
    if (queue.length >= maxWaiting) {
      queue.length = 0
      socket.destroy()
      return
    }
    queue.push(() => begin(request, response))
    // No more is read until all that was read is answered.
    socket.pause()
  }
}
