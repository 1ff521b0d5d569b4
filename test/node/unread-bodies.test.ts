/** Whoever sends more than is taken learns so, and the node reads nothing of it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../http/foundation/body.ts'
import { answerRefusal } from '../../http/foundation/errors.ts'
import { createHttpServer, stopServing, type WatchedServer } from '../../node/listeners.ts'
import { open } from '../support/raw-http.ts'

const folder = mkdtempSync(join(tmpdir(), 'unread-bodies-'))
test.after(() => rmSync(folder, { recursive: true }))

let server: WatchedServer
let url: string
let port: number

test.before.each(async () => {
  server = createHttpServer(async (incoming, response) => {
    if (incoming.url !== '/unread') {
      const read = await readBody(incoming, { maxBytes: 65_536, timeoutMs: 10_000 })
      if (!read.ok) {
        const { status, headers, body } = answerRefusal(read.refusal)
        response.writeHead(status, headers).end(body)
        return
      }
    }
    response.writeHead(200, { 'Content-Length': 2 }).end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
  url = `http://127.0.0.1:${port}/`
})
test.after.each(() => stopServing(server, { acceptMs: 0, graceMs: 0 }))

const megabytes = 16
const long = Buffer.alloc(megabytes * 1024 * 1024, 'x')
/** More than sockets and pipes hold; what was read is far below what was sent. */
function* pieces() {
  for (let sent = 0; sent < megabytes; sent++) yield long.subarray(0, 1024 * 1024)
}

test('fetch reads the 413, with a length and without', async () => {
  const stream = () => Readable.toWeb(Readable.from(pieces())) as ReadableStream
  for (const body of [long, stream()]) {
    const answer = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
    assert.is(answer.status, 413)
    assert.match(await answer.text(), /65536/)
  }
})

for (const headers of [{ 'Content-Length': long.length }, {}])
  test(`node’s http reads the 413, ${'Content-Length' in headers ? 'with' : 'without'} a length`, async () => {
    const sending = request(url, { method: 'POST', headers })
    sending.on('error', () => {})
    Readable.from(pieces()).pipe(sending)
    const [answer] = await once(sending, 'response')
    assert.equal([answer.statusCode, answer.headers.connection], [413, 'close'])
    assert.match((await answer.toArray()).join(''), /65536/)
  })

test('curl reads the 413, with a length and without', async () => {
  const file = join(folder, 'long')
  writeFileSync(file, long)
  for (const more of [[], ['-H', 'Transfer-Encoding: chunked'], ['-H', 'Expect:']]) {
    const { stdout } = await promisify(execFile)('curl', [
      ...['-sS', '-o', '-', '-w', '%{http_code}', '--data-binary', `@${file}`],
      ...more,
      url,
    ])
    assert.match(stdout, /65536.*413$/)
  }
})

const head = 'POST / HTTP/1.1\r\nHost: a\r\n'

test('the answer comes at the headers, or where the limit is crossed, and nothing is read after it', async () => {
  const beginnings = [
    `${head}Content-Length: 65537\r\n\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n10001\r\n${'x'.repeat(0x10001)}`,
  ]
  for (const beginning of beginnings) {
    const [accepted] = await Promise.all([once(server, 'connection'), begin(beginning)])
    const [ours] = accepted
    const { bytesRead } = ours
    const socket = sockets.at(-1)
    for (const piece of pieces()) socket?.write(piece)
    await once(ours, 'close')
    // What was on its way into one last read.
    assert.ok(ours.bytesRead - bytesRead <= 2 * 65_536, `${ours.bytesRead - bytesRead} bytes were read`)
  }
})

test('a long body that nobody wanted ends its connection, and a short one does not', async () => {
  const unwanted = head.replace('/', '/unread')
  for (const length of ['Content-Length: 65537', 'Transfer-Encoding: chunked'])
    assert.match(await begin(`${unwanted}${length}\r\n\r\n`), /^HTTP\/1\.1 200 .*Connection: close/s)
  assert.match(await begin(`${unwanted}Content-Length: 3\r\n\r\n`), /Connection: keep-alive/)
})

const sockets: Awaited<ReturnType<typeof open>>[] = []
test.after.each(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** @returns the beginning of the answer */
async function begin(bytes: string): Promise<string> {
  const socket = await open(port)
  sockets.push(socket)
  socket.write(bytes)
  const [answer] = await once(socket, 'data')
  return String(answer)
}

test.run()
