/** Of what a sandbox has, a node in production has nothing: no route, no form, no operation, no test key. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wordsOf } from '../../actors/foundation/operation.ts'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { operationsOf, sandboxNames } from '../../actors/operations/index.ts'
import { keyRotate } from '../../actors/operations/keys.ts'
import { pages } from '../../http/console/rooms.ts'
import { partiesByName } from '../../persistence/queries/operations.ts'
import { addOperator, ConsoleVisitor } from '../support/console.ts'
import { freePort } from '../support/free-port.ts'
import {
  payOutBody,
  secretOf,
  send,
  startTestNode,
  stopTestNode,
  type TestNode,
  type TestRequest,
  testParties,
} from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

let production: TestNode
let sandbox: TestNode
/** Where the public listener is, whatever a node calls itself. */
let port: number
test.before(async () => {
  const key = join(mkdtempSync(join(tmpdir(), 'ventanilla-test-')), 'master.key')
  writeFileSync(key, generateMasterKey(), { mode: 0o600 })
  port = await freePort()
  const env = {
    VENTANILLA_HTTP_PORT: String(port),
    VENTANILLA_MODE: 'production',
    VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false',
    VENTANILLA_KEYS_FILE: key,
    VENTANILLA_HTTP_PUBLICURL: 'https://pay.example',
  }
  production = await startTestNode({ env })
  sandbox = await startTestNode()
  for (const node of [production, sandbox]) await addOperator(node, 'operator', 'operator')
})
test.after(async () => {
  await stopTestNode(production)
  await stopTestNode(sandbox)
})

const id = '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'
const baseOf = (node: TestNode) => (node === production ? `http://127.0.0.1:${port}` : node.publicUrl)
const request = (node: TestNode, asked: TestRequest) => send(baseOf(node), node.clock, asked)
const documentOf = async (node: TestNode) =>
  (await fetch(`${baseOf(node)}/api/v1/openapi.json`)).json() as Promise<{
    paths: Record<string, Record<string, { tags: string[] }>>
    tags: { name: string }[]
    components: { schemas: object }
  }>

test('no route of a sandbox is there, nor in the document', async () => {
  const [there, here] = [await documentOf(sandbox), await documentOf(production)]
  const paths = Object.keys(there.paths).filter((path) => !(path in here.paths))
  assert.ok(paths.length > 0)
  assert.equal(
    Object.keys(here.paths).filter((path) => path.includes('sandbox')),
    [],
  )
  assert.not(here.tags.some(({ name }) => name === 'sandbox'))
  for (const path of paths) {
    const target = `/api/v1${path.replaceAll(/\{\w+\}/g, id)}`
    for (const method of Object.keys(there.paths[path] ?? {})) {
      const body = method === 'post' ? { body: {} } : {}
      const ask = (node: TestNode, as: string, at: string) => request(node, { as, path: at, ...body })
      const answer = await ask(production, 'mk_shop', target)
      assert.is(answer.status, 404, target)
      assert.is(answer.text, (await ask(production, 'mk_shop', '/api/v1/sandbox/no-such-thing/')).text)
      assert.is.not((await ask(sandbox, 'mk_shop', target)).status, 405)
    }
  }
})

test('no operation of a sandbox is there, and no form of one', async () => {
  assert.ok(sandboxNames.size > 0)
  assert.equal(
    operationsOf('production').filter(({ name }) => sandboxNames.has(name)),
    [],
  )
  const visitor = new ConsoleVisitor(production.operatorUrl)
  await visitor.signIn('operator')
  for (const name of sandboxNames) {
    const path = `/${wordsOf({ name }).join('/')}`
    await visitor.get('/account')
    assert.is((await visitor.post(path, { id, step: 'confirm' })).status, 404, path)
  }
})

test('no page of a sandbox is there, nor a way to one', async () => {
  const paths = pages.filter(({ isSandboxOnly }) => isSandboxOnly === true).map(({ path }) => path)
  assert.ok(paths.length >= 5)
  const addresses = [
    ...['/sandbox', '/sandbox/merchants/Shop', '/sandbox/providers/Network%20A'],
    ...['/sandbox/deliveries?merchant=Shop', '/sandbox/inbox?merchant=Shop', '/sandbox/requests?party=Shop'],
  ]
  for (const path of paths)
    assert.ok(
      addresses.some((one) => path.test(decodeURIComponent(one.replace(/\?.*/, '')))),
      String(path),
    )
  for (const [node, status] of [
    [production, 404],
    [sandbox, 200],
  ] as const) {
    const visitor = new ConsoleVisitor(node.operatorUrl)
    await visitor.signIn('operator')
    for (const address of addresses) assert.is((await visitor.get(address)).status, status, address)
    await visitor.get('/merchants/Shop')
    assert.is(/href="\/sandbox/.test(visitor.page), status === 200)
  }
})

const sandboxCommands: readonly (readonly string[])[] = [
  ['simulate', id, 'confirm'],
  ['clock', 'show'],
  ['clock', 'advance', '3d'],
  ['clock', 'reset'],
  ...['go-live', 'requests', 'faults', 'deliveries', 'inbox'].map((verb) => [verb, 'Shop']),
  ['set-fault', 'Shop', 'hang'],
  ['remove-fault', id],
  ['sample-report', '0001', '--day', '2026-03-01', '--out', 'report.csv'],
  ['sample-statement', 'main', '--out', 'statement.xml'],
]

test('what end users and integrators read says that it is a sandbox, and in production says nothing of it', async () => {
  for (const [node, isSaid] of [
    [production, false],
    [sandbox, true],
  ] as const) {
    for (const path of ['/checkout', '/checkout?lang=pt', '/api/v1/docs', '/api/v1/docs/webhooks']) {
      const page = await (await fetch(`${baseOf(node)}${path}`)).text()
      assert.is(/class="sandbox"|<strong>sandbox<\/strong>/.test(page), isSaid, path)
    }
  }
})

test('no command of a sandbox does anything', async () => {
  const verbs = [...sandboxNames]
    .filter((name) => name.startsWith('sandbox.'))
    .map((name) => wordsOf({ name }).slice(1).join(' '))
  assert.equal(
    verbs.filter((verb) => !sandboxCommands.some((words) => `${words.join(' ')} `.startsWith(`${verb} `))),
    [],
  )
  const { directory, settings, clock } = production
  const env = {
    VENTANILLA_DATABASE:
      settings.database.engine === 'sqlite' ? `sqlite:${settings.database.file}` : settings.database.url,
    VENTANILLA_MODE: 'production',
    VENTANILLA_KEYS_FILE: settings.keys.file,
    VENTANILLA_HTTP_PUBLICURL: 'https://pay.example',
  }
  for (const args of sandboxCommands) {
    const { code, err } = await ventanilla({ cwd: directory, env, clock }, 'sandbox', ...args)
    assert.is.not(code, 0, args.join(' '))
    assert.match(err, /There is no operation sandbox\.[\s\S]*production/, args.join(' '))
  }
})

test('nothing is an inbox, and no webhook is allowed to go where one would be', async () => {
  assert.is(production.core.sandbox, null)
  const [shop] = await sandbox.core.store.query(partiesByName, { name: 'Shop' })
  const { pathname } = new URL(sandbox.core.sandbox?.inboxOf(shop?.id ?? '') ?? '')
  assert.is((await fetch(`${baseOf(sandbox)}${pathname}`)).status, 200)
  assert.is((await fetch(`${baseOf(production)}${pathname}`)).status, 404)
  const path = '/api/v1/merchants/webhooks/ping/'
  const body = { notify_url: `${baseOf(production)}${pathname}` }
  const refused = await request(production, { as: 'mk_shop', path, body })
  assert.is(refused.status, 400)
  assert.not.match(refused.text, 'sandbox/inbox/ has')
})

test('the page of an order offers a simulation in a sandbox alone', async () => {
  const pages: boolean[] = []
  for (const node of [production, sandbox]) {
    const notify_url = 'https://shop.example/hooks'
    const path = '/api/v1/merchants/orders/pay-in/'
    const made = await request(node, { as: 'mk_shop', path, body: payOutBody({ notify_url }) })
    assert.is(made.status, 201, made.text)
    const visitor = new ConsoleVisitor(node.operatorUrl)
    await visitor.signIn('operator')
    await visitor.get(`/orders/${made.json.id}`)
    pages.push(visitor.page.includes('/sandbox/simulate'))
  }
  assert.equal(pages, [false, true])
})

test('the name of an order asks for nothing', async () => {
  const path = '/api/v1/merchants/orders/pay-in/'
  const changes = { merchant_order_id: 'ci-sim-confirm-1', notify_url: 'https://shop.example/hooks' }
  const made = await request(production, { as: 'mk_shop', path, body: payOutBody(changes) })
  production.clock.advance(60_000)
  production.workers.send({ type: 'worker.wake', id: 'simulations' })
  const read = await request(production, { as: 'mk_shop', path: `${path}${made.json.id}/` })
  assert.is(read.json.status, 'READY')
})

test('a test key is refused with a line that says why, by requests, files and rotations', async () => {
  const path = '/api/v1/merchants/balances/'
  const refused = await request(production, { as: 'mk_test_shop', path })
  assert.is(refused.status, 403)
  assert.match(
    refused.headers.get('signature-hint') ?? '',
    /keys of sandboxes, and this node is in production/,
  )
  const plain = await request(production, { as: 'mk_nobody', path })
  assert.equal([plain.status, plain.headers.get('signature-hint')], [403, null])
  const credentials = [{ key: 'mk_test_shop', secret: secretOf('mk_test_shop') }]
  const [shop] = testParties.merchants
  try {
    await production.apply({ merchants: [{ ...shop, name: 'Third', deposits: [], credentials }] })
    assert.unreachable()
  } catch (error) {
    assert.match(JSON.stringify(error), /mk_test_shop is a key of a sandbox by its name/)
  }
  const context = { ...production.core, clock: production.clock, operator: 'ana' }
  try {
    await keyRotate.run(context, { party: 'Shop', key: 'mk_test_shop' })
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), /is a key of a sandbox/)
  }
})

test('a key that a sandbox makes up says so', async () => {
  const context = { ...sandbox.core, clock: sandbox.clock, operator: 'ana' }
  const { key } = await keyRotate.run(context, { party: 'Shop' })
  assert.match(key, /^mk_test_[0-9a-f]{12}$/)
})

test.run()
