/** The SDK as others get it: packed, installed without a network, type-checked and run by the examples. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../client/index.ts'
import clientPackage from '../../client/package.json' with { type: 'json' }
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import { clientFiles } from '../../scripts/client-types.ts'
import { fakeClock } from '../support/clock.ts'
import { freePort } from '../support/free-port.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'

const root = join(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'ventanilla-client-'))
let node: TestNode

test.before(async () => {
  // The examples look at the real clock.
  node = await startTestNode({ clock: fakeClock(Date.now()) })
})
test.after(async () => {
  for (const program of programs) program.kill()
  await stopTestNode(node)
  rmSync(project, { recursive: true, force: true })
})

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

test('what the clients take from the document is that that the node serves', async () => {
  const answer = await fetch(`${node.publicUrl}/api/v1/openapi.json`)
  const document: ApiDocument = JSON.parse(await answer.text())
  for (const [file, text] of Object.entries(clientFiles(document))) {
    assert.is(text, readFileSync(join(root, file), 'utf8'), `${file}: npm run client-types`)
  }
})

test('it is packed, installed from its tarball without a network, and its types fit the examples', () => {
  const built = join(project, 'built')
  const said = run(process.execPath, [join(root, 'scripts/build-client.ts'), built], root)
  assert.match(said, `@ventanilla/client ${clientPackage.version} is in `)
  assert.match(said, `npm install ${built}\n`)
  const [{ filename, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', project], built),
  )
  const names: string[] = files.map(({ path }: { path: string }) => path)
  assert.ok(names.includes('index.js') && names.includes('index.d.ts'))
  assert.not.ok(names.some((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')))

  const shop = join(project, 'shop')
  mkdirSync(shop)
  writeFileSync(join(shop, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, filename)], shop)
  cpSync(join(root, 'docs/examples'), shop, { recursive: true })
  // Only for the check of types: the package itself needs none.
  cpSync(join(root, 'node_modules/@types/node'), join(shop, 'node_modules/@types/node'), { recursive: true })
  cpSync(join(root, 'node_modules/undici-types'), join(shop, 'node_modules/undici-types'), {
    recursive: true,
  })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  run(process.execPath, [compiler, ...options, 'shop.ts', 'till.ts'], shop)
})

test('the shop creates an order, the till pays it out, the shop learns of it, whatever strangers send', async () => {
  const shop = join(project, 'shop')
  const port = await freePort()
  const program = start(shop, ['shop.ts'], {
    MERCHANT_KEY: 'mk_shop',
    MERCHANT_SECRET: secretOf('mk_shop'),
    HOOK_PORT: String(port),
    HOOK_URL: `http://127.0.0.1:${port}/hooks?from=ventanilla`,
  })
  const said: string[] = []
  const order = await new Promise<string>((resolve, reject) => {
    createInterface(program.stdout).on('line', (line) => {
      said.push(line)
      if (line.startsWith('order ')) resolve(line.slice(6))
    })
    program.once('close', () => reject(new Error(said.join('\n'))))
  })
  await node.until(async () => (await node.core.orders.find(order))?.order.status === 'READY')
  await attack(port)
  assert.is(program.exitCode, null, 'the shop goes on')
  const code = (await node.core.orders.find(order))?.order.code ?? ''
  const till = { PROVIDER_KEY: 'pk_a', PROVIDER_SECRET: secretOf('pk_a'), NETWORK_ID: '0001' }
  const paid = start(shop, ['till.ts', code], till)
  assert.match(await text(paid.stdout), /^hand out 500\.00 MXN\npaid at 20\d\d-/)
  await new Promise((resolve) => (program.exitCode === null ? program.once('close', resolve) : resolve(0)))
  assert.match(said.at(-1) ?? '', /^refund-[\w-]+ is COMPLETED$/)

  const again = start(shop, ['till.ts', code], till)
  assert.is(await text(again.stdout), 'nothing to hand out: the order is COMPLETED\n')
  const unknown = start(shop, ['till.ts', '123456789012347'], till)
  assert.is(await text(unknown.stderr), 'there is no such code\n')
})

function start(cwd: string, args: string[], env: Record<string, string>) {
  const program = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', API_URL: node.publicUrl, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  programs.push(program)
  return program
}
const programs: ChildProcess[] = []

/** What is no webhook: wrong headers, bodies that break off, have no end or are none, and half a request. */
async function attack(port: number): Promise<void> {
  const key = 'mk_shop'
  const now = (Date.now() / 1000).toFixed(3)
  const refused = async (headers: Record<string, string>, body: string | Buffer = '{}', path = '/hooks') => {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
    return status
  }
  const rows: Record<string, string>[] = [
    {},
    { 'Merchant-Key': '__proto__', 'Message-Date': now, 'Message-Hash': '0'.repeat(64) },
    { 'Merchant-Key': key, 'Message-Date': 'abc', 'Message-Hash': 'x' },
    { 'Merchant-Key': key, 'Message-Date': 'x[$(touch pwned)]', 'Message-Hash': '0'.repeat(64) },
    { 'Merchant-Key': key, 'Message-Date': now, 'Message-Hash': '\u00e9' },
    { 'Merchant-Key': 'mk_\u00e9', 'Message-Date': '1e400', 'Message-Hash': '' },
  ]
  for (const row of rows) assert.is(await refused(row), 403)
  for (const path of ['/', '//', '/%', '/%zz?x', '/a/../b'])
    assert.is(await refused(rows[2] ?? {}, '{', path), 403)
  // Rightly signed, and still no webhook.
  for (const body of ['', 'null', '{', '7']) {
    const hash = await sign({ key, messageDate: now, method: 'POST', path: '/hooks', body }, secretOf(key))
    const status = await refused({ 'Merchant-Key': key, 'Message-Date': now, 'Message-Hash': hash }, body)
    assert.is(status, 403, body)
  }
  const head = 'POST /hooks HTTP/1.1\r\nHost: shop\r\n'
  await reset(port, `${head}Content-Length: 1000\r\n\r\n{"half"`)
  await reset(port, `${head}Transfer-Encoding: chunked\r\n\r\nffff\r\n{"half"`)
  await reset(port, `${head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`)
  await reset(port, head)
  await reset(port, '\0\0\0\r\n\r\n')
  await reset(port, `${head}Content-Length: 9000000\r\n\r\n${'x'.repeat(1_000_000)}`)
}

/** Sends something, and resets the connection once it is under way. */
async function reset(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  // The other side may have had enough before.
  socket.on('error', () => {})
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.resetAndDestroy()
}

test.run()
