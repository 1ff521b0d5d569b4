/** The SDK as others get it: packed, installed without a network, type-checked and run by the examples. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import { clientTypes } from '../../scripts/client-types.ts'
import { fakeClock } from '../support/clock.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'

const root = join(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'ventanilla-client-'))
let node: TestNode

test.before(async () => {
  // The examples look at the real clock.
  node = await startTestNode({ clock: fakeClock(Date.now()) })
})
test.after(async () => {
  await stopTestNode(node)
  rmSync(project, { recursive: true, force: true })
})

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

test('the types are those of the document that the node serves', async () => {
  const answer = await fetch(`${node.publicUrl}/api/v1/openapi.json`)
  const document: ApiDocument = JSON.parse(await answer.text())
  const present = readFileSync(join(root, 'client/api.ts'), 'utf8')
  assert.is(clientTypes(document), present, 'run node scripts/client-types.ts')
})

test('it is packed, installed from its tarball without a network, and its types fit the examples', () => {
  const built = join(project, 'built')
  run(process.execPath, [join(root, 'scripts/build-client.ts'), built], root)
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

test('the shop creates an order, the till pays it out, the shop learns of it', async () => {
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
  return spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', VENTANILLA_URL: node.publicUrl, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The shop's address has to be known before it listens. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test.run()
