/**
 * The one executable, as it is on a host: copied into an empty folder, with an empty environment and no Node.
 * `npm run test:binary`: it is built first, which takes too long for `npm test`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'ventanilla-binary-'))
const host = join(work, 'host')
const file = join(host, 'ventanilla')
const cache = join(work, 'cache')
/** Nothing but what keeps tests apart: ports that are free, and a cache that is thrown away. */
const environment = {
  XDG_CACHE_HOME: cache,
  VENTANILLA_HTTP_PORT: '0',
  VENTANILLA_OPERATOR_PORT: '0',
}

interface Started {
  process: ChildProcess
  publicUrl: string
  readyMs: number
  stop(): Promise<number | null>
}

test.before(() => {
  const target = join(work, 'built')
  execFileSync(process.execPath, [join(root, 'scripts/build-binary.ts'), target], { stdio: 'inherit' })
  mkdirSync(host)
  copyFileSync(target, file)
  chmodSync(file, 0o755)
})
test.after(() => rmSync(work, { recursive: true, force: true }))

function run(args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: host,
    env: { ...environment, ...options.env },
    encoding: 'utf8',
    ...(options.input === undefined ? {} : { input: options.input }),
  })
  return { code: status, out: stdout, err: stderr }
}

async function serve(env: Record<string, string> = {}): Promise<Started> {
  const begun = performance.now()
  const node = spawn(file, ['serve', '--json'], { cwd: host, env: { ...environment, ...env } })
  const ended = new Promise<number | null>((resolve) => node.once('exit', resolve))
  let out = ''
  let err = ''
  node.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  for await (const chunk of node.stdout) {
    out += chunk
    if (out.trimEnd().endsWith('\n}')) break
  }
  assert.ok(out !== '', `it has not started: ${err}`)
  const { publicUrl }: { publicUrl: string } = JSON.parse(out)
  return {
    process: node,
    publicUrl,
    readyMs: performance.now() - begun,
    stop() {
      node.kill('SIGTERM')
      return ended
    },
  }
}

test('is one file of less than 130 MB', () => {
  assert.equal(readdirSync(host), ['ventanilla'])
  assert.ok(statSync(file).size < 130_000_000, `${statSync(file).size} bytes`)
})

test('knows its version and its commands', () => {
  assert.match(run(['--version']).out, /^\d+\.\d+\.\d+\n$/)
  assert.match(run(['--help']).out, /serve.*demo/s)
  const known = JSON.parse(run(['version', '--json']).out)
  assert.is(known.digest, createHash('sha256').update(readFileSync(file)).digest('hex'))
  assert.is(
    known.sbomDigest,
    createHash('sha256')
      .update(run(['version', '--sbom']).out)
      .digest('hex'),
  )
  const refused = run(['verify'])
  assert.is(refused.code, 3)
  assert.match(refused.err, /there is none/)
})

test('serves, takes an order to its end and verifies, while it runs and after', async () => {
  const node = await serve()
  assert.is((await fetch(`${node.publicUrl}/readyz`)).status, 200)
  const order = {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '300.00',
    price_currency: 'MXN',
    description: 'A jacket',
    merchant_order_id: 'binary-1',
    notify_url: 'https://shop.example/webhooks',
    return_url: 'https://shop.example/thanks',
    expiry: '2099-01-01T00:00:00Z',
  }
  const path = '/api/v1/merchants/orders/pay-in/'
  const created = run(['request', '--as', 'mk_demo', 'POST', path, '-', '--field', 'body.code'], {
    input: JSON.stringify(order),
  })
  assert.is(created.code, 0, created.err)
  const payment = '{ "network_id": "0001", "price": "300.00", "price_currency": "MXN" }'
  for (const [step, status] of [
    ['start-payment', 'PAYMENT_STARTED'],
    ['confirm-payment', 'COMPLETED'],
  ]) {
    const url = `/api/v1/providers/orders/pay-in/${created.out.trim()}/${step}/`
    const told = run(['request', '--as', 'pk_demo', 'POST', url, '-', '--json'], { input: payment })
    assert.is(told.code, 0, told.err)
    assert.ok(told.out.includes(`"${status}"`), told.out)
  }
  const online = run(['verify', '--json'])
  assert.is(online.code, 0, online.out + online.err)
  assert.is((await fetch(`${node.publicUrl}/api/v1/docs`)).status, 200)
  assert.is(await node.stop(), 0)
  const offline = run(['verify'])
  assert.is(offline.code, 0, offline.out + offline.err)
  assert.match(offline.out, /orders +yes +1 orders/)
})

test('moves a long log into the database in its thread', async () => {
  const database = join(host, 'data/ventanilla.db')
  const node = await serve()
  try {
    const before = statSync(database).size
    // Each writes three quarters of what makes a log long.
    for (const name of ['Shop', 'Store']) {
      const deposits = Array.from({ length: 10 }, (_, index) => ({
        currency: 'MXN',
        amount: '10.00',
        reference: `${index}`,
      }))
      const merchants = Array.from({ length: 1500 }, (_, index) => ({ name: `${name} ${index}`, deposits }))
      const applied = run(['apply', '-'], { input: JSON.stringify({ merchants }) })
      assert.is(applied.code, 0, applied.err)
    }
    const until = Date.now() + 20_000
    while (statSync(database).size < before + 100 * 4096) {
      assert.ok(Date.now() < until, 'it is still in the log')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await node.stop()
  }
})

test('backs up, restores and verifies', async () => {
  const made = run(['backup', 'backups', '--field', 'folder'])
  assert.is(made.code, 0, made.err)
  const env = {
    VENTANILLA_DATABASE: 'sqlite:restored/ventanilla.db',
    VENTANILLA_KEYS_FILE: 'data/ventanilla.db.key',
  }
  const restored = run(['restore', made.out.trim(), '--json'], { env })
  assert.is(restored.code, 0, restored.err)
  assert.is(run(['verify'], { env }).code, 0)
  // And in the thread of a node.
  const node = await serve({ VENTANILLA_BACKUPS_FOLDER: 'scheduled' })
  try {
    const { url, token } = JSON.parse(readFileSync(join(host, 'data/ventanilla.db.token'), 'utf8'))
    const answer = await fetch(`${url}/api/operations/backup.make`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.is(answer.status, 200, await answer.text())
    assert.is(readdirSync(join(host, 'scheduled')).filter((name) => !name.startsWith('.')).length, 1)
  } finally {
    await node.stop()
  }
})

test('sets itself up as a service of another root', () => {
  const made = run(['init', 'etc', '--public-url', 'https://pay.example'])
  assert.is(made.code, 0, made.err)
  const installed = run(['install', '--root', 'root'])
  assert.is(installed.code, 0, installed.err)
  assert.equal(readFileSync(join(host, 'root/usr/local/bin/ventanilla')), readFileSync(file))
})

test('plays the demo of local orders', () => {
  const played = run(['demo'])
  assert.is(played.code, 0, played.out + played.err)
  assert.match(played.out, /✓ confirm-payment completes it/)
  assert.not.match(played.out, /✗/)
})

test('runs nothing that is planted in its folder or its environment', async () => {
  const mark = join(work, 'planted')
  const evil = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'ran')`
  writeFileSync(join(host, 'evil.js'), evil)
  for (const name of [
    'bufferutil',
    'utf-8-validate',
    'pg-native',
    'encoding',
    'pino',
    'koa',
    'better-sqlite3',
  ]) {
    mkdirSync(join(host, 'node_modules', name), { recursive: true })
    writeFileSync(join(host, 'node_modules', name, 'index.js'), evil)
  }
  const env = { NODE_OPTIONS: '--require ./evil.js', NODE_PATH: join(host, 'node_modules') }
  const node = await serve(env)
  assert.is(run(['verify'], { env }).code, 0)
  assert.is(await node.stop(), 0)
  // The thread of `verify` is in the command's own process now.
  assert.is(run(['verify'], { env }).code, 0)
  assert.is(run(['demo'], { env }).code, 0)
  assert.not.ok(existsSync(mark))
  // The plant works where Node lets it.
  spawnSync(process.execPath, ['-e', '0'], { cwd: host, env })
  assert.ok(existsSync(mark))
})

test("keeps SQLite's addon in a folder of its own, and mends what others have changed", () => {
  const folder = join(cache, 'ventanilla')
  assert.is(statSync(folder).mode & 0o777, 0o700)
  const [name = ''] = readdirSync(folder)
  const addon = join(folder, name)
  const whole = readFileSync(addon)
  chmodSync(addon, 0o700)
  writeFileSync(addon, 'not an addon at all')
  chmodSync(folder, 0o777)
  assert.is(run(['verify']).code, 0)
  assert.equal(readFileSync(addon), whole)
  assert.is(statSync(folder).mode & 0o777, 0o700)
})

if (process.getuid?.() === 0) {
  test('takes no folder that belongs to another user', () => {
    const strange = join(work, 'strange')
    mkdirSync(join(strange, 'ventanilla'), { recursive: true, mode: 0o700 })
    execFileSync('chown', ['65534', join(strange, 'ventanilla')])
    assert.is(run(['verify'], { env: { XDG_CACHE_HOME: strange, HOME: join(work, 'home') } }).code, 0)
    assert.equal(readdirSync(join(strange, 'ventanilla')), [])
    assert.is(readdirSync(join(work, 'home/.cache/ventanilla')).length, 1)
  })
}

test('starts and stops in a row on one database', async () => {
  const times: number[] = []
  for (let start = 0; start < 3; start++) {
    const node = await serve()
    times.push(node.readyMs)
    assert.is(await node.stop(), 0)
  }
  console.log(`ready after ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`)
})

test.run()
