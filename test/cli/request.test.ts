import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type CommandWorld, type Ran, ventanilla } from '../support/terminal.ts'

const create = '/api/v1/merchants/orders/pay-out/'
let node: TestNode

test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

function run(world: Partial<CommandWorld>, ...args: string[]): Promise<Ran> {
  const { directory, clock } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  return ventanilla({ cwd: directory, env, clock, ...world }, 'request', ...args)
}

test('in sandbox the node signs, and the answer is printed as it came', async () => {
  writeFileSync(join(node.directory, 'body.json'), JSON.stringify(payOutBody({ merchant_order_id: 'one' })))
  const ran = await run({}, '--as', 'mk_shop', 'POST', create, 'body.json')
  assert.equal([ran.code, ran.err], [0, 'HTTP 201 Created\n'])
  assert.equal([ran.json.status, ran.json.merchant_order_id], ['CREATED', 'one'])
  assert.is(ran.out.trimEnd().split('\n').length, 1)
  const read = await run({ isTerminal: true }, '--as', 'mk_shop', 'get', `${create}${ran.json.id}/`)
  assert.match(read.out, /^\{\n {2}"id": "/, 'laid out for a person')
})

test('the body may come from standard input, with any characters in it', async () => {
  const input = JSON.stringify(payOutBody({ merchant_order_id: 'two', description: 'Señor 🥑' }))
  const ran = await run({ input }, '--as', 'mk_shop', 'POST', create, '-', '--json')
  assert.equal([ran.code, ran.json.status, ran.json.body.description], [0, 201, 'Señor 🥑'])
  const bytes = await run({ input: Buffer.from([0x7b, 0xff, 0x7d]) }, '--as', 'mk_shop', 'POST', create, '-')
  assert.is(bytes.err, 'standard input: is not UTF-8: byte 0xFF at line 1, byte 2; save it as UTF-8\n')
})

test('a refusal ends with 1, and is one document with --json', async () => {
  const input = JSON.stringify(payOutBody({ merchant_order_id: 'three', price: '1.00' }))
  const plain = await run({ input }, '--as', 'mk_shop', 'POST', create, '-')
  assert.equal([plain.code, plain.err], [1, 'HTTP 400 Bad Request\n'])
  assert.is(plain.json.errors[0].detail, 'Value is too low.')
  const asJson = await run({ input }, '--as', 'mk_shop', 'POST', create, '-', '--json')
  assert.equal(
    [asJson.code, asJson.json.status, asJson.json.body, asJson.json.error.code],
    [1, 400, plain.json, 'failure'],
  )
  const field = await run({ input }, '--as', 'mk_shop', 'POST', create, '-', '--field', 'body.id')
  assert.equal([field.code, field.out], [1, ''])
  assert.match(field.err, /The node answered HTTP 400 Bad Request\.\n.*Value is too low/)
})

test('a provider’s key speaks with its own header', async () => {
  const ran = await run({}, '--as', 'pk_a', 'GET', '/api/v1/providers/orders/pay-out/000000000000000/')
  assert.equal([ran.code, ran.err], [1, 'HTTP 404 Not Found\n'])
  const unknown = await run({}, '--as', 'pk_x', 'GET', '/api/v1/providers/orders/pay-out/000000000000000/')
  assert.equal([unknown.code, unknown.out], [1, ''])
  assert.match(unknown.err, /^There is no live credential pk_x\.\n/)
})

test('with a secret file the command signs by itself, for any node', async () => {
  writeFileSync(join(node.directory, 'shop.secret'), `${secretOf('mk_shop')}\n`)
  writeFileSync(join(node.directory, 'till.secret'), secretOf('pk_a'))
  const env = { VENTANILLA_DATABASE: 'sqlite:elsewhere.db' }
  const input = JSON.stringify(payOutBody({ merchant_order_id: 'four' }))
  const at = ['--url', node.publicUrl]
  const made = await run(
    { env, input },
    '--as',
    'mk_shop',
    '--secret-file',
    'shop.secret',
    ...at,
    'POST',
    create,
    '-',
  )
  assert.equal([made.code, made.json.merchant_order_id], [0, 'four'])
  const path = '/api/v1/providers/orders/pay-out/000000000000000/'
  const till = await run({ env }, '--as', 'pk_a', '--secret-file', 'till.secret', ...at, 'GET', path)
  assert.is(till.err, 'HTTP 404 Not Found\n')
  const wrong = await run({ env }, '--as', 'pk_a', '--secret-file', 'shop.secret', ...at, 'GET', path)
  assert.is(wrong.err, 'HTTP 403 Forbidden\n')
  const missing = await run({ env }, '--as', 'pk_a', '--secret-file', 'none', ...at, 'GET', path)
  assert.equal([missing.code, missing.err], [2, 'none: no such file\n'])
})

test('an Idempotency-Key is sent along', async () => {
  const input = JSON.stringify(payOutBody({ merchant_order_id: 'five' }))
  const args = ['--as', 'mk_shop', '--idempotency-key', 'k1', 'POST', create, '-', '--json']
  const first = await run({ input }, ...args)
  const second = await run({ input }, ...args)
  assert.equal([second.code, second.json], [0, first.json])
})

test('in production the node signs for nobody', async () => {
  // Its key must exist, and lie elsewhere than the database.
  writeFileSync(join(node.directory, 'master.key'), '')
  const env = {
    VENTANILLA_MODE: 'production',
    VENTANILLA_KEYS_FILE: 'master.key',
    VENTANILLA_DATABASE: 'sqlite:production/node.db',
  }
  const ran = await run({ env }, '--as', 'mk_shop', 'GET', '/api/v1/')
  assert.equal([ran.code, ran.err], [2, 'In production the node does not sign: give --secret-file.\n'])
})

test('where a request goes is judged as the settings judge it, and never shown when it is wrong', async () => {
  const args = ['--as', 'mk_shop', '--secret-file', 'shop.secret', '--url']
  for (const blank of ['\r', ' ', '\n']) {
    const ran = await run({}, ...args, `${node.publicUrl}${blank}`, 'GET', '/api/v1/')
    assert.is(ran.err, 'HTTP 404 Not Found\n')
  }
  const wrong = [
    'https://me:hunter2@pay.example',
    'https://pay.example/hunter2',
    'hunter2',
    'https://pay\r.hunter2',
  ]
  for (const url of wrong) {
    const ran = await run({}, ...args, url, 'GET', '/x')
    assert.is(ran.code, 2)
    assert.match(
      ran.err,
      /^--url: must be an http or https origin such as https:\/\/pay\.example[^\r\n]*\.\n$/,
    )
    assert.not.match(ran.err, 'hunter2')
  }
})

test('a node that is not there is told in one sentence', async () => {
  const args = ['--as', 'mk_shop', '--secret-file', 'shop.secret', '--url', 'http://127.0.0.1:1', 'GET', '/x']
  const ran = await run({}, ...args)
  assert.is(ran.code, 1)
  assert.match(ran.err, /^http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED.*\nIs the node running\?/)
  rmSync(join(node.directory, 'shop.secret'))
})

test.run()
