/**
 * The end of a connection whose request is answered before its body is here as a whole.
 *
 * Node would read the rest and throw it away, however long it is, or close at once: a socket closed over what is
 * unread is reset, and its sender may never see the answer. Here nothing more is read, and the sender has a moment
 * to see that it was answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** What Node may read for nothing, so that the connection can go on; a body that is taken is hardly ever longer. */
const shortBytes = 64 * 1024
/** From the answer to the end, unless the other side closes before. */
const seenMs = 1_000

/** To be called with each request before it is served. */
export function endUnread(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > shortBytes)) return
  const { writeHead } = response
  response.writeHead = (...given: unknown[]) => {
    if (!request.complete) response.shouldKeepAlive = false
    return Reflect.apply(writeHead, response, given)
  }
  // Node calls it once the last answer of a connection is written.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket)
    else linger(socket)
  }
}

function linger(socket: Socket): void {
  if (socket.destroyed) return
  socket.end()
  // The request goes on asking for the rest of its body.
  socket.on('resume', () => socket.pause()).pause()
  const timer = setTimeout(() => socket.destroy(), seenMs)
  socket.once('close', () => clearTimeout(timer))
}
