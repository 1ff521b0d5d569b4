import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatMessageDate } from '../../actors/keys/signature.ts'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { type HeardWebhook, startWebhookListener } from '../../cli/webhook-listener.ts'
import { fakeClock } from '../support/clock.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'
import { type Receiver, startReceiver } from '../support/webhook-receivers.ts'

const credential = { key: 'mk_shop', secret: secretOf('mk_shop') }
const clock = fakeClock()
const webhook = {
  id: 'w-1',
  sequence: 2,
  body: '{"id":"o-1","status":"READY","merchant_order_id":"order-9"}',
}

async function send(url: string, changes: { headers?: Record<string, string>; body?: string } = {}) {
  const headers = { ...webhookHeaders({ ...webhook, url }, 1, credential, clock.now()), ...changes.headers }
  const response = await fetch(url, { method: 'POST', headers, body: changes.body ?? webhook.body })
  return response.status
}

async function listening(failures: number, play: (url: string, heard: HeardWebhook[]) => Promise<void>) {
  const heard: HeardWebhook[] = []
  const onHeard = (one: HeardWebhook) => void heard.push(one)
  const place = { host: '127.0.0.1', port: 0 }
  const listener = await startWebhookListener({ ...place, ...credential, failures, clock, onHeard })
  await play(listener.url, heard).finally(() => listener.stop())
}

test('a listener acknowledges what is genuine, and says what came before', async () => {
  await listening(0, async (url, heard) => {
    assert.is(await send(`${url}/hooks?tenant=7`), 200)
    assert.is(await send(`${url}/hooks?tenant=7`), 200)
    assert.equal(
      heard.map(({ problem, answer, isRepetition }) => [problem, answer, isRepetition]),
      [
        [null, 200, false],
        [null, 200, true],
      ],
    )
    const { id, attempt, sequence, status, order, merchantOrderId, path } = heard[0] ?? {}
    assert.equal([id, attempt, sequence], ['w-1', '1', '2'])
    assert.equal([status, order, merchantOrderId, path], ['READY', 'o-1', 'order-9', '/hooks?tenant=7'])
  })
})

test('a listener refuses what is not genuine, and says why', async () => {
  const other = formatMessageDate(clock.now() - 1000)
  const table: [changes: { headers?: Record<string, string>; body?: string }, problem: RegExp][] = [
    [{ body: webhook.body.replace('READY', 'COMPLETED') }, /Message-Hash is wrong/],
    [{ headers: { 'Message-Date': other } }, /Message-Hash is wrong/],
    [{ headers: { 'Merchant-Key': 'mk_other' } }, /Merchant-Key is mk_other, not mk_shop/],
    [{ headers: { 'Message-Date': 'today' } }, /Message-Date is missing or malformed/],
  ]
  await listening(0, async (url, heard) => {
    for (const [changes] of table) assert.is(await send(`${url}/hooks`, changes), 403)
    for (const [index, [, problem]] of table.entries()) assert.match(heard[index]?.problem ?? '', problem)
    assert.is((await fetch(`${url}/hooks`)).status, 403)
    assert.is(heard.at(-1)?.problem, 'it is a GET, not a POST')
  })
})

test('a listener fails as often as asked', async () => {
  await listening(2, async (url) => {
    const answers = []
    for (let count = 0; count < 3; count++) answers.push(await send(url))
    assert.equal(answers, [500, 500, 200])
  })
})

let node: TestNode
let receiver: Receiver
let status = 404
let order = ''

test.before(async () => {
  receiver = await startReceiver((response) => response.writeHead(status).end('see the manual'))
  node = await startTestNode()
  const body = payOutBody({ notify_url: `http://127.0.0.1:${receiver.port}/hooks` })
  const made = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
  order = made.json.id
})

test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})

/** Runs a command beside the node. */
function run(...args: string[]): Promise<Ran> {
  const { directory } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  return ventanilla({ cwd: directory, env, clock: node.clock }, ...args)
}

const stateOf = async () => (await run('webhook', 'list', '--order', order, '--json')).json.webhooks[0]?.state

test('a dead letter is shown with its attempts and sent again', async () => {
  await run('order', 'cancel', order, '--reason', 'test')
  await node.until(async () => (await stateOf()) === 'dead')
  const { json } = await run('webhook', 'list', '--merchant', 'Shop', '--json')
  const [{ id }] = json.webhooks
  assert.equal((await run('webhook', 'list', '--merchant', 'Other Shop')).out, 'No webhooks.\n')
  const shown = await run('webhook', 'show', id)
  assert.match(
    shown.out,
    /^ +1 +2026-03-01 12:00:00Z .* refused +404 +\d+ +14 +127.0.0.1 +mk_shop +see the manual$/m,
  )
  const [attempt] = (await run('webhook', 'show', id, '--json')).json.history
  assert.equal([attempt.bytes, attempt.isCut, attempt.messageDate], [14, false, '1772366400.000'])

  status = 200
  const retried = await run('webhook', 'retry', id)
  assert.is(retried.code, 0)
  assert.match(retried.out, /CANCELLED +pending/)
  await node.until(async () => (await stateOf()) === 'delivered')
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([id]))
  const again = await run('webhook', 'retry', '--order', order)
  assert.is(again.out, 'Nothing was sent again.\n')
  const wrong = await run('webhook', 'retry', '--merchant', 'Shop', '--json')
  assert.equal([wrong.code, wrong.json.error.code], [1, 'invalid'])
})

test('a merchant is paused, resumed, and given another key', async () => {
  assert.is(
    (await run('webhook', 'pause', 'Shop')).out,
    'merchant  Shop, ops@shop.example\nwebhooks  wait since 2026-03-01 12:00:00Z\n',
  )
  assert.match((await run('webhook', 'resume', 'Shop')).out, /webhooks {2}are sent/)
  assert.match((await run('webhook', 'switch-key', 'Shop', 'mk_shop')).out, /key chosen {2}mk_shop/)
  assert.is((await run('webhook', 'switch-key', 'Shop', 'mk_other')).code, 1)
})

test('webhook listen prints what it verifies until it is told to stop', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'webhook-listen-'))
  writeFileSync(join(directory, 'secret.txt'), `${credential.secret}\n`)
  const printed = { out: '', err: '' }
  const listeningAt = Promise.withResolvers<string>()
  let stop = () => {}
  const terminal: Terminal = {
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
      listeningAt.resolve(/http:\S+?(?=\/…)/.exec(text)?.[0] ?? '')
    },
    isTerminal: false,
    readInput: async () => Buffer.from(''),
    env: {},
    cwd: directory,
    user: 'ana',
    clock,
    onStopSignal(listener) {
      stop = listener
      return () => {}
    },
  }
  const options = ['--key', 'mk_shop', '--secret-file', 'secret.txt', '--port', '0', '--fail', '1']
  const ended = runCommandLine(['webhook', 'listen', ...options], terminal)
  const url = `${await listeningAt.promise}/hooks`
  assert.equal([await send(url), await send(url), await send(url, { body: '{}\u001b[2J' })], [500, 200, 403])
  stop()
  assert.is(await ended, 0)
  assert.equal(printed.out.trimEnd().split('\n'), [
    '2026-03-01 12:00:00Z  READY  order-9  order o-1  number 2, attempt 1  signature verified  answered 500',
    `  ${webhook.body}`,
    '2026-03-01 12:00:00Z  READY  order-9  order o-1  number 2, attempt 1  signature verified  answered 200',
    `  ${webhook.body}`,
    '2026-03-01 12:00:00Z  ?  ?  order ?  number 2, attempt 1  NOT GENUINE: its Message-Hash is wrong  came before  answered 403',
    '  {} [2J',
  ])
  const without = await ventanilla({ cwd: directory }, 'webhook', 'listen', '--key', 'mk_shop')
  assert.is(without.code, 2)
  rmSync(directory, { recursive: true })
})

test.run()
