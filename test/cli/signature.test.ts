import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../actors/keys/signature.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type CommandWorld, type Ran, ventanilla } from '../support/terminal.ts'

const path = '/api/v1/merchants/orders/pay-out/'
let node: TestNode
let messageDate: string

test.before(async () => {
  node = await startTestNode()
  messageDate = (node.clock.now() / 1000).toFixed(3)
})
test.after(() => stopTestNode(node))

function explain(world: Partial<CommandWorld>, ...args: string[]): Promise<Ran> {
  const { directory, clock } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  return ventanilla({ cwd: directory, env, clock, ...world }, 'signature', 'explain', ...args)
}

const hashOf = (change: Partial<Parameters<typeof sign>[0]> = {}) =>
  sign({ key: 'mk_shop', messageDate, method: 'POST', path, body: '{"a":1}', ...change }, secretOf('mk_shop'))

test('the signed string and its hash are shown, by the secret that the node has', async () => {
  const ran = await explain({ input: '{"a":1}' }, '--as', 'mk_shop', '--date', messageDate, 'post', path, '-')
  assert.is(ran.code, 0, ran.err)
  assert.match(ran.out, `signed         mk_shop:${messageDate}:POST:${path}:BODY\n`)
  assert.match(ran.out, /^body bytes +7$/m)
  assert.match(ran.out, /^body SHA-256 +015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862$/m)
  assert.match(ran.out, `expected hash  ${hashOf()}\n`)
})

test('a hash that differs is told by its mistake', async () => {
  const hash = hashOf({ path: '/merchants/orders/pay-out/' })
  const args = ['--as', 'mk_shop', '--date', messageDate, '--hash', hash, 'POST', path, '-']
  const ran = await explain({ input: '{"a":1}' }, ...args)
  assert.match(ran.out, /It results when:\n {2}the path is signed without \/api\/v1/)
  const { json } = await explain({ input: '{"a": 1}\n' }, ...args, '--json')
  assert.is(json.received.isRight, false)
  assert.is(json.received.mistakes.length, 2)
  const right = ['--as', 'mk_shop', '--date', messageDate, '--hash', hashOf(), 'POST', path, '-']
  assert.match((await explain({ input: '{"a":1}' }, ...right)).out, /The received hash is right\./)
  const unknown = ['--as', 'mk_shop', '--date', messageDate, '--hash', 'f'.repeat(64), 'GET', path]
  assert.match((await explain({}, ...unknown)).out, /no known mistake explains it/)
})

test('what would be refused all the same is remarked', async () => {
  const late = (node.clock.now() / 1000 - 400).toFixed(0)
  const ran = await explain({}, '--as', 'pk_a', '--date', late, 'GET', path)
  assert.match(ran.out, /The date is 400 s behind this clock; 300 s are allowed\.\n/)
  assert.match(ran.out, /The key is a provider's, and the path is for merchants\.\n/)
  const iso = await explain({}, '--as', 'mk_shop', '--date', '2026-03-01T12:00:00Z', 'GET', '/merchants/')
  assert.match(iso.out, /The date must be ten digits/)
  assert.match(iso.out, /The path of a request begins with \/api\/v1\./)
})

test('with a secret file no node is asked', async () => {
  writeFileSync(join(node.directory, 'shop.secret'), `${secretOf('mk_shop')}\n`)
  const env = { VENTANILLA_DATABASE: 'sqlite:elsewhere.db' }
  const args = ['--as', 'mk_shop', '--secret-file', 'shop.secret', '--date', messageDate]
  const ran = await explain({ env }, ...args, 'GET', path, '--field', 'expected')
  assert.is(ran.out.trim(), hashOf({ method: 'GET', body: '' }))
  const unknown = await explain({}, '--as', 'mk_none', '--date', messageDate, 'GET', path)
  assert.match(unknown.err, /^There is no live credential mk_none\./)
})

test.run()
