/** A node of its own process, with as many dead sockets on both listeners as their limits allow, stops in order. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../actors/keys/signature.ts'
import { deadBeginnings, dieAfter } from '../support/dead-sockets.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'dead-sockets-'))
const database = join(folder, 'node.db')
const dead: Socket[] = []

test.after(() => {
  for (const socket of dead) socket.destroy()
  rmSync(folder, { recursive: true })
})

/** As many as one address may have on the operator's listener, and the rest on the public one. */
const operatorSockets = 190
const publicSockets = 810
/** An address has 500 at most. */
const hosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
const { nothing, 'half a header': half, 'CONNECT and more': connect } = deadBeginnings('/')
const beginnings = [nothing, half, connect]

test('1,000 dead sockets: the anchor is written, the database is closed, and it ends with 0', async () => {
  const env = {
    ...process.env,
    VENTANILLA_DATABASE: `sqlite:${database}`,
    VENTANILLA_HTTP_PORT: '0',
    VENTANILLA_OPERATOR_PORT: '0',
  }
  const node = spawn(process.execPath, ['cli/main.ts', 'serve', '--json'], { cwd: root, env })
  test.after(() => {
    node.kill('SIGKILL')
  })
  const ended = new Promise<number | null>((resolve) => node.once('exit', resolve))
  let log = ''
  node.stderr.on('data', (chunk: Buffer) => {
    log += chunk
  })
  let out = ''
  for await (const chunk of node.stdout) {
    out += chunk
    if (out.trimEnd().endsWith('\n}')) break
  }
  node.stdout.resume()
  const { publicUrl, operatorUrl, demo } = JSON.parse(out)
  await bringDead(publicUrl, publicSockets)
  await bringDead(operatorUrl, operatorSockets)
  const before = anchors()
  await createOrder(publicUrl, demo)
  const begunAt = performance.now()
  node.kill('SIGTERM')
  const code = await ended
  console.log(
    `${dead.length} dead sockets: it ended ${Math.round(performance.now() - begunAt)} ms after SIGTERM`,
  )
  assert.is(code, 0, log.slice(-2_000))
  const told = ['"msg":"stopping"', '"msg":"journal anchored"'].map((line) => log.lastIndexOf(line))
  assert.ok(
    told.every((at) => at >= 0) && (told[0] ?? 0) < (told[1] ?? 0),
    `stopped first, then anchored: ${told}`,
  )
  assert.ok(anchors().length > before.length, 'the last anchor is in its file')
  assert.not.ok(existsSync(`${database}-wal`), 'the log was written back')
})

const anchors = () => (existsSync(`${database}.anchors`) ? readFileSync(`${database}.anchors`, 'utf8') : '')

/** The kinds in turn, from several addresses, with and without the end of their half. */
async function bringDead(url: string, count: number): Promise<void> {
  const { port } = new URL(url)
  const one = (index: number) => {
    const from = hosts[index % hosts.length]
    const bytes = beginnings[Math.floor(index / hosts.length) % beginnings.length] ?? ''
    return dieAfter(port, bytes, index % 2 === 1, from)
  }
  // No more at once than a listener's backlog has room for.
  for (let begun = 0; begun < count; begun += 90)
    dead.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(90, count - begun) }, (_, index) => one(begun + index)),
      )),
    )
}

/** So that there is something to anchor. */
async function createOrder(
  publicUrl: string,
  { made, receiverUrl }: { made: readonly { key: string; secret: string }[]; receiverUrl: string },
): Promise<void> {
  const { key = '', secret = '' } = made.find(({ key }) => key.startsWith('mk_')) ?? {}
  const path = '/api/v1/merchants/orders/pay-out/'
  const messageDate = (Date.now() / 1000).toFixed(6)
  const body = JSON.stringify({
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '1000.00',
    price_currency: 'MXN',
    description: 'Refund of order 1234',
    merchant_order_id: 'dead-sockets',
    notify_url: `${receiverUrl}/hooks`,
    return_url: 'https://shop.example/done',
    expiry: '2099-01-01T00:00:00Z',
    consumer_email: 'ana@example.com',
  })
  const headers = {
    'Content-Type': 'application/json',
    'Merchant-Key': key,
    'Message-Date': messageDate,
    'Message-Hash': sign({ key, messageDate, method: 'POST', path, body }, secret),
  }
  const answer = await fetch(publicUrl + path, { method: 'POST', headers, body })
  assert.is(answer.status, 201, await answer.text())
}

test.run()
