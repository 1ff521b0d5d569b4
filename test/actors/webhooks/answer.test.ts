/** What is read of an answer, and what it says about the next attempt. */
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nextAttemptAt, productionRetries, verdicts } from '../../../machines/retry.ts'
import { webhookSending } from '../../support/webhook-sending.ts'

const { sendTo, sendToRaw } = webhookSending(test)

test('a body of a gigabyte is cut and judged by its status', async () => {
  let written = 0
  const result = await sendToRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
    const chunk = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!socket.destroyed && written < 2 ** 30) {
        written += chunk.length
        if (!socket.write(chunk)) return socket.once('drain', more)
      }
    }
    more()
  })
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.isCut, true)
  assert.is(result.answer, 'x'.repeat(4096))
  assert.ok(written < 64 * 2 ** 20, `${written} bytes were taken`)
})

test('an endless body is cut and judged by its status', async () => {
  const result = await sendTo((response) => {
    response.writeHead(500)
    const more = () => {
      while (!response.destroyed) if (!response.write('y'.repeat(1000))) return response.once('drain', more)
    }
    more()
  })
  assert.is(result.outcome, 'unavailable')
  assert.is(result.isCut, true)
})

test('a gzip bomb is inflated no further than the limit and judged by its status', async () => {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20))
  const result = await sendTo((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.isCut, true)
  assert.is(result.answer?.length, 4096)
  assert.not.match(result.answer ?? '', /\0/)
})

test('a small compressed answer is kept as the text it is', async () => {
  const result = await sendTo((response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('accepted')),
  )
  assert.is(result.answer, 'accepted')
  assert.is(result.isCut, false)
})

test('an answer that only claims to be compressed is judged by its status', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip']) {
    const result = await sendTo((response) =>
      response.writeHead(201, { 'Content-Encoding': encoding }).end('plain'),
    )
    assert.is(result.outcome, 'acknowledged', encoding)
  }
})

test('of a long answer 4 KiB are kept, without half a character and without NULs', async () => {
  const result = await sendTo((response) => response.end(`\0${'é'.repeat(5000)}`))
  assert.is(result.answer, `\ufffd${'é'.repeat(2047)}`)
  assert.is(result.isCut, false)
  assert.is(result.answerBytes, 10_001)
})

test('Retry-After reaches the schedule, and does no harm there in any form', async () => {
  const waits: [header: string, waitMs: number][] = [
    ['120', 120_000],
    ['9999999999', 600_000],
    ['-1', 1000],
    ['NaN', 1000],
    ['Fri, 27 Nov 2026 12:01:00 GMT', 60_000],
  ]
  const at = Date.UTC(2026, 10, 27, 12)
  for (const [header, waitMs] of waits) {
    const { outcome, retryAfter } = await sendTo((response) =>
      response.writeHead(503, { 'Retry-After': header }).end(),
    )
    assert.is(verdicts[outcome], 'retry')
    const attempt = { attempts: 1, firstAttemptAt: at, startedAt: at, endedAt: at, retryAfter }
    assert.is(nextAttemptAt(productionRetries, attempt, 0), at + waitMs, header)
  }
})

test.run()
