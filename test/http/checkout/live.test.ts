import { type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createOrderWatch, type OrderVersion, type OrderWatch } from '../../../actors/orders/watch.ts'
import { createStreams, type StreamOptions } from '../../../http/checkout/streams.ts'
import { createHttpServer } from '../../../node/listeners.ts'
import { payOutBody, startTestNode, stopTestNode } from '../../support/node.ts'

const stops: (() => void)[] = []
test.after(() => {
  for (const stop of stops) stop()
})

/** An event stream as a browser reads it. */
interface Reader {
  status: number
  headers: IncomingMessage['headers']
  text(): string
  /** Resolves once the text has this in it. */
  until(part: string): Promise<void>
  /** Whether it came to its end, and was not cut off. */
  ended: Promise<boolean>
  close(): void
}

function read(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent: false }, (response) => {
      let text = ''
      let heard = () => {}
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        heard()
      })
      const close = () => asking.destroy()
      stops.push(close)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        async until(part) {
          while (!text.includes(part)) {
            await new Promise<void>((again) => {
              heard = again
            })
          }
        },
        ended: new Promise((end) => response.on('close', () => end(response.complete))),
        close,
      })
    })
    asking.on('error', reject).end()
  })
}

const first: OrderVersion = { version: '1...', isFinal: false }

/** A watch whose orders a test changes: every id that begins with `order` is known. */
function fakeWatch() {
  const listeners = new Map<string, Set<(version: OrderVersion) => void>>()
  let reads = 0
  const watch: OrderWatch = {
    async read(id) {
      reads++
      return id.startsWith('order') ? first : null
    },
    watch(id, _known, listener) {
      const those = listeners.get(id) ?? new Set()
      listeners.set(id, those.add(listener))
      return () => those.delete(listener)
    },
    stop() {},
  }
  const tell = (id: string, version: OrderVersion) => {
    for (const listener of listeners.get(id) ?? []) listener(version)
  }
  return { watch, tell, reads: () => reads, count: (id: string) => listeners.get(id)?.size ?? 0 }
}

async function serve(options: Partial<StreamOptions> = {}) {
  const fake = fakeWatch()
  const streams = createStreams({
    watch: fake.watch,
    addresses: { of: ({ headers }) => String(headers['x-from'] ?? 'somebody') },
    ...options,
  })
  const app = new Koa()
  app.use(async (context) => {
    // As the routes do for an order that there is not.
    if (!(await streams.open(context, context.path.slice(1)))) context.status = 404
  })
  const server: Server = createHttpServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    streams.close()
    server.close()
    server.closeAllConnections()
  })
  return { ...fake, streams, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a stream tells the version at once and each later one, and ends with the final one', async () => {
  const { url, tell, reads, count } = await serve()
  const reader = await read(`${url}/order`)
  assert.is(reader.status, 200)
  assert.is(reader.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.is(reader.headers['cache-control'], 'no-store, no-transform')
  assert.is(reader.headers['x-accel-buffering'], 'no')
  await reader.until('event: version\ndata: 1...\n\n')
  tell('order', { version: '2...', isFinal: false })
  await reader.until('event: version\ndata: 2...\n\n')
  tell('order', { version: '3...', isFinal: true })
  await reader.ended
  assert.match(reader.text(), /^retry: \d+\n\n/)
  assert.ok(reader.text().endsWith('event: version\ndata: 3...\n\nevent: end\ndata:\n\n'))
  assert.is(reads(), 1)
  assert.is(count('order'), 0)
})

test('a silent stream has heartbeats, and ends some day so that its page opens another', async () => {
  const { url } = await serve({ heartbeatMs: 5, maxHeartbeats: 4 })
  const reader = await read(`${url}/order`)
  await reader.ended
  assert.is(reader.text().match(/^event: beat$/gm)?.length, 3)
  assert.not.match(reader.text(), 'event: end')
})

test('an order that there is not has no stream', async () => {
  const { url } = await serve()
  assert.is((await read(`${url}/other`)).status, 404)
})

test('streams are limited for an address and for all, and what closes makes room', async () => {
  const { url, count } = await serve({ maxPerAddress: 2, maxStreams: 3 })
  const open = (from: string) => read(`${url}/order`, { 'x-from': from })
  const [one] = [await open('a'), await open('a')]
  const refused = await open('a')
  assert.is(refused.status, 429)
  assert.is(refused.headers['retry-after'], '30')
  assert.is((await open('b')).status, 200)
  assert.is((await open('c')).status, 503)
  one.close()
  while (count('order') > 2) await new Promise((resolve) => setImmediate(resolve))
  assert.is((await open('c')).status, 200)
})

test('a node that stops ends its streams and opens none', async () => {
  const { url, streams } = await serve()
  const reader = await read(`${url}/order`)
  streams.close()
  await reader.ended
  assert.is((await read(`${url}/order`)).status, 503)
})

test('one read serves many who look, however many hints there are', async () => {
  let hint = () => {}
  let revision = 1
  const asked: string[][] = []
  const watch = createOrderWatch({
    store: {
      subscribe(_topic, listener) {
        hint = listener
        return () => {}
      },
      // biome-ignore lint/suspicious/noExplicitAny: the statement's rows, whatever is asked for
      async query(_statement, args): Promise<any> {
        const ids = Object.values(args).filter((id) => id !== '')
        asked.push(ids)
        const foreign = { received_minor: null, seen_at: null, transaction_minor: null }
        return ids.map((id) => ({ id, status: 'READY', revision, ...foreign }))
      },
    },
    pollMs: 1_000_000,
    spacingMs: 5,
    onError: (error) => assert.unreachable(String(error)),
  })
  stops.push(() => watch.stop())
  const known = { version: '1...', isFinal: false }
  const told: string[] = []
  const all = new Promise<void>((resolve) => {
    const tell = (id: string) => (order: OrderVersion) => {
      told.push(`${id} ${order.version}`)
      if (told.length === 250) resolve()
    }
    for (let index = 0; index < 250; index++) watch.watch(`o${index % 125}`, known, tell(`o${index % 125}`))
  })
  revision = 2
  for (let index = 0; index < 50; index++) hint()
  await all
  assert.equal(
    asked.map((ids) => ids.length),
    [100, 25],
  )
  assert.ok(told.every((line) => / 2\.\.\.$/.test(line)))
})

test('who looked at an older order is told, although others knew already', async () => {
  let hint = () => {}
  const watch = createOrderWatch({
    store: {
      subscribe(_topic, listener) {
        hint = listener
        return () => {}
      },
      // biome-ignore lint/suspicious/noExplicitAny: the statement's rows, whatever is asked for
      async query(): Promise<any> {
        return [
          { id: 'o', status: 'READY', revision: 2, received_minor: 5n, seen_at: 1, transaction_minor: 7n },
        ]
      },
    },
    spacingMs: 1,
    onError: (error) => assert.unreachable(String(error)),
  })
  stops.push(() => watch.stop())
  const present = await watch.read('o')
  if (present === null) throw new Error('the order is there')
  assert.equal(present, { version: '2.5.seen.7', isFinal: false })
  watch.watch('o', present, () => {})
  const told = new Promise<OrderVersion>((resolve) => {
    watch.watch('o', { version: '1...', isFinal: false }, resolve)
  })
  hint()
  assert.equal(await told, present)
})

test('a page’s stream tells of what a provider does', async () => {
  const node = await startTestNode()
  try {
    const body = payOutBody()
    const made = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
    const id: string = made.json.id
    const found = async () => (await node.core.orders.find(id))?.order
    await node.until(async () => (await found())?.status === 'READY')
    const page = await (await fetch(`${node.publicUrl}/checkout/${id}`)).text()
    const version = /data-version="([^"]+)"/.exec(page)?.[1]
    const reader = await read(`${node.publicUrl}/checkout/${id}/events`)
    await reader.until(`data: ${version}\n`)
    const path = `/api/v1/providers/orders/pay-out/${(await found())?.code}`
    for (const step of ['start', 'confirm']) {
      await node.request({ as: 'pk_a', path: `${path}/${step}-payment/`, body: { network_id: '0001' } })
    }
    await reader.ended
    assert.ok(reader.text().endsWith('event: end\ndata:\n\n'))
    const other = await read(`${node.publicUrl}/checkout/3f2b8c1e-9a4d-4c1b-8a1e-0000000000ac/events`)
    assert.is(other.status, 404)
    const waiting = await node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/orders/pay-out/',
      body: payOutBody(),
    })
    const open = await read(`${node.publicUrl}/checkout/${waiting.json.id}/events`)
    const [isWhole] = await Promise.all([open.ended, stopTestNode(node)])
    assert.ok(isWhole, 'open streams hold up no stop, which would cut them off in the end')
  } catch (error) {
    await stopTestNode(node)
    throw error
  }
})

test.run()
