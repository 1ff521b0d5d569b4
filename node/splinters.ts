/**
 * Bodies that are cut into splinters: in chunks of a byte, each of which costs the node far more than its byte.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A body that is taken comes in pieces as large as packets, a hundred at most. */
const maxPieces = 1_024
/** Where Node's parser has what it calls for a piece of a body. */
const onBody = 3

/** Ends the connection of whoever sends more pieces than anybody needs. To be called before the request is read. */
export function refuseSplinters(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const { push, socket } = request
  let pieces = 0
  request.push = (piece: unknown) => {
    // Its end is none.
    if (piece !== null) pieces++
    if (pieces <= maxPieces) return push.call(request, piece)
    socket.destroy()
    dropRest(socket)
    return false
  }
}

/**
 * What was read along with it, up to 64 KiB, is parsed to its end in any case, and Node makes a buffer and a call for
 * each piece. Where the parser has nothing to call it does neither: 1 ms instead of 12. That is no documented
 * part of Node; were it to change, only the time would be lost.
 */
function dropRest(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser !== 'object' || parser === null) return
  const call: unknown = Reflect.get(parser, onBody)
  if (typeof call !== 'function') return
  Reflect.set(parser, onBody, null)
  // Parsers are used again, but not before their socket has closed, which comes after this.
  setImmediate(() => Reflect.set(parser, onBody, call))
}
