/** Bodies in chunks of a byte: what of them is looked at, and that nobody else is touched by how the rest is dropped. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../http/foundation/body.ts'
import { createHttpServer, stopServing, type WatchedServer } from '../../node/listeners.ts'
import { refuseSplinters } from '../../node/splinters.ts'
import { exchange } from '../support/raw-http.ts'

const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
const inBytes = (count: number) => Buffer.from(`${head}${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`)

let server: WatchedServer
let port: number
/** How often Node's parser called for a piece of a body. */
let calls = 0

test.before(async () => {
  server = createHttpServer(async (request, response) => {
    const read = await readBody(request, { maxBytes: 65_536, timeoutMs: 10_000 })
    response.end(read.ok ? String(read.value.length) : read.refusal.name)
  })
  server.on('request', ({ socket }) => {
    const parser = Reflect.get(socket, 'parser')
    const call = parser[3]
    if (call.isCounted) return
    parser[3] = Object.assign(
      function (this: unknown, piece: Buffer) {
        calls++
        return call.call(this, piece)
      },
      { isCounted: true },
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
test.after(() => stopServing(server, { acceptMs: 0, graceMs: 0 }))

test('a body in a thousand pieces is read, and one in many more ends its connection without an answer', async () => {
  const [answer] = await exchange(String(port), inBytes(1_024))
  assert.equal([answer?.status, answer?.text], [200, '1024'])
  calls = 0
  assert.equal(await exchange(String(port), inBytes(10_000)), [])
  assert.is(calls, 1_025)
})

test('who is served after it, by the same parsers, is served whole', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const splinters = connect(port, '127.0.0.1', () => splinters.write(inBytes(10_000)))
    const others = Array.from({ length: 4 }, () => exchange(String(port), inBytes(500)))
    await once(splinters.on('error', () => {}).resume(), 'close')
    for (const answers of [...(await Promise.all(others)), await exchange(String(port), inBytes(700))])
      assert.is(answers.at(0)?.status, 200)
    assert.is((await exchange(String(port), inBytes(700)))[0]?.text, '700')
  }
})

test('a body that has its length is never counted', () => {
  const request = { headers: { 'content-length': '5' }, push: () => true }
  const { push } = request
  refuseSplinters(request as never)
  assert.is(request.push, push)
})

test.run()
