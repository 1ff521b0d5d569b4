/**
 * Live status: server-sent events that say in which version an order is, one stream for each page that is open.
 * A page that learns of another version asks for itself anew, so that there is one rendering of an order.
 *
 * Open streams are few enough that they starve nobody; a page that gets none asks now and then by itself.
 */
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { OrderVersion, OrderWatch } from '../../actors/orders/watch.ts'
import type { ClientAddresses } from '../limits/client-address.ts'

export interface StreamOptions {
  watch: OrderWatch
  addresses: Pick<ClientAddresses, 'of'>
  heartbeatMs?: number
  /** After so many heartbeats a stream ends, and its page opens another: what a network lost is not kept for ever. */
  maxHeartbeats?: number
  maxStreams?: number
  /** For each address. The customers of a mobile network share some. */
  maxPerAddress?: number
}

export interface Streams {
  /** Answers with a stream, or with 429 or 503 where there are too many; `false` for an order that there is not. */
  open(context: Context, id: string): Promise<boolean>
  /** Ends all, so that their pages turn to whoever serves next. */
  close(): void
}

interface Stream {
  response: ServerResponse
  address: string
  heartbeats: number
}

/** Below what proxies wait for a silent answer, which is a minute for most. */
const standardHeartbeatMs = 20_000
/** Five minutes: what a network lost without a word is not there for longer. */
const standardMaxHeartbeats = 15
const standardMaxStreams = 5_000
const standardMaxPerAddress = 100
const reconnectMs = 3_000

export function createStreams(options: StreamOptions): Streams {
  const { watch, addresses } = options
  const { heartbeatMs = standardHeartbeatMs, maxHeartbeats = standardMaxHeartbeats } = options
  const { maxStreams = standardMaxStreams, maxPerAddress = standardMaxPerAddress } = options
  const streams = new Set<Stream>()
  const counts = new Map<string, number>()
  let isClosed = false
  const beat = setInterval(() => {
    for (const stream of streams) {
      stream.heartbeats++
      if (stream.heartbeats >= maxHeartbeats) stream.response.end()
      else send(stream.response, 'event: beat\ndata:\n\n')
    }
  }, heartbeatMs)
  beat.unref()

  const hasRoom = (address: string) =>
    !isClosed && streams.size < maxStreams && (counts.get(address) ?? 0) < maxPerAddress

  function begin(context: Context, id: string, address: string, found: OrderVersion): void {
    // Koa would wait for a body; the stream is written as things happen.
    context.respond = false
    const response = context.res
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies must neither keep it nor wait until there is enough of it to compress or to pass on.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    })
    const stream = { response, address, heartbeats: 0 }
    const tell = (version: OrderVersion) => {
      send(response, `event: version\ndata: ${version.version}\n\n`)
      if (version.isFinal) response.end('event: end\ndata:\n\n')
    }
    streams.add(stream)
    counts.set(address, (counts.get(address) ?? 0) + 1)
    const stop = watch.watch(id, found, tell)
    response.on('close', () => {
      stop()
      streams.delete(stream)
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    response.write(`retry: ${reconnectMs}\n\n`)
    tell(found)
  }

  return {
    async open(context, id) {
      const address = addresses.of(context.req)
      const found = hasRoom(address) ? await watch.read(id) : undefined
      if (found === null) return false
      if (found === undefined || !hasRoom(address)) {
        context.status = isClosed || streams.size >= maxStreams ? 503 : 429
        context.set('Retry-After', '30')
        context.body = ''
      } else if (!context.res.destroyed) begin(context, id, address, found)
      return true
    },
    close() {
      isClosed = true
      clearInterval(beat)
      for (const { response } of streams) response.end()
    },
  }
}

/** A reader that takes nothing any more is let go: what waits for it is memory. */
function send(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return
  if (response.writableLength > 16_384) response.destroy()
  else response.write(text)
}
