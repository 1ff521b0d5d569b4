import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { demoReceiverPort } from '../../cli/demo-receiver.ts'
import { writeTokenFile } from '../../node/token-file.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'

const root = new URL('../..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'serve-test-'))
const database = join(folder, 'node.db')
const environment = {
  VENTANILLA_DATABASE: `sqlite:${database}`,
  VENTANILLA_HTTP_PORT: '0',
  VENTANILLA_OPERATOR_PORT: '0',
  VENTANILLA_LOG_LEVEL: 'warn',
}

/** The receiver has the same port on each machine: it is taken in this file, so that every run sees the same. */
let taken: Server

test.before(async () => {
  // Whoever tests beside this has it for some seconds, or a minute on a busy machine; who has it for longer keeps it.
  for (let looks = 0; looks < 900; looks++) {
    taken = createServer((_, response) => response.end()).listen(demoReceiverPort, '127.0.0.1')
    const isOurs = await once(taken, 'listening').then(
      () => true,
      () => false,
    )
    if (isOurs) return
    await delay(100)
  }
})
test.after(() => {
  taken.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Serving {
  process: ChildProcess
  out(): string
  err(): string
  ended: Promise<number | null>
}

/** Runs a command in this process. */
function run(env: Record<string, string>, ...args: string[]): Promise<Ran> {
  return ventanilla({ cwd: folder, env }, ...args)
}

/** Runs the node as a process of its own. */
function serve(args: string[], threads = process.env.TEST_HTTP_THREADS ?? '0'): Serving {
  const env = { ...process.env, ...environment, VENTANILLA_HTTP_THREADS: threads }
  const child = spawn(process.execPath, ['cli/main.ts', ...args], { cwd: root, env })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { process: child, out: () => out, err: () => err, ended }
}

/** Waits until something was printed. */
async function printed(serving: Serving, what: RegExp): Promise<void> {
  while (!what.test(serving.out())) {
    const more = new Promise((resolve) => serving.process.stdout?.once('data', resolve))
    await Promise.race([more, serving.ended.then(() => Promise.reject(new Error(serving.err())))])
  }
}

test('an empty sandbox gets demo parties, and what is printed plays a pay-out when pasted', async () => {
  const node = serve([], '1')
  await printed(node, /order show "\$CODE"\n/)
  assert.match(node.out(), /^Ventanilla is running \(sandbox\)\./)
  assert.match(node.out(), /\n {2}Demo Shop +mk_demo +[\w-]{43}\n/)
  const [, receiver = ''] =
    /Port 8082 is in use: the demo's webhook receiver listens at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(
      node.err(),
    ) ?? []
  assert.match(node.out(), `"notify_url": "${receiver}/webhooks"`)
  const script = node.out().slice(node.out().indexOf('\n\nexport ')).trim()
  assert.is(script.split('\n')[0], `export VENTANILLA_DATABASE=sqlite:${database}`)
  // npm itself takes longer than the command it runs.
  const npm = `npm() { shift 4; '${process.execPath}' cli/main.ts "$@"; }\n`
  const shell = spawn('sh', ['-e'], { cwd: root, env: { ...process.env, VENTANILLA_LOG_LEVEL: 'warn' } })
  shell.stdin.end(npm + script)
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  assert.equal(
    out.match(/"status":"[A-Z_]+"/g),
    ['CREATED', 'READY', 'PAYMENT_STARTED', 'COMPLETED'].map((status) => `"status":"${status}"`),
    err,
  )
  assert.equal(err.match(/HTTP \d+/g), ['HTTP 201', 'HTTP 200', 'HTTP 200', 'HTTP 200'])
  assert.match(out, /^status +COMPLETED$/m)
  while (!/demo receiver: .* COMPLETED .* signature verified\n/.test(node.err())) await delay(20)

  node.process.kill('SIGTERM')
  assert.is(await node.ended, 0)
  assert.not.ok(existsSync(`${database}.token`))
  assert.not.ok(existsSync(`${database}-wal`), 'the log was written back')
})

test('a database with parties is left alone, belongs to one node, and survives its being killed', async () => {
  const node = serve(['serve', '--json'])
  await printed(node, /\n\}\n$/)
  const { publicUrl, operatorUrl, demo } = JSON.parse(node.out())
  assert.equal(demo.made, [], 'the secrets are not shown again')
  assert.match(demo.receiverUrl, /^http:\/\/127\.0\.0\.1:(?!8082)\d+$/)
  assert.is((await fetch(`${publicUrl}/readyz`)).status, 200)
  assert.is((await fetch(`${operatorUrl}/healthz`)).status, 200)

  const second = await run(environment, 'serve', '--json')
  assert.equal([second.code, second.json.error.code], [3, 'database'])
  assert.match(second.err, /another process owns it/)
  const other = {
    VENTANILLA_DATABASE: `sqlite:${join(folder, 'other.db')}`,
    VENTANILLA_HTTP_PORT: new URL(publicUrl).port,
  }
  const third = await run(other, 'serve')
  assert.is(third.code, 5)
  assert.match(third.err, /^http\.port: 127\.0\.0\.1:\d+: the port is in use\n/)

  node.process.kill('SIGKILL')
  await node.ended
  assert.ok(existsSync(`${database}.token`), 'nobody was there to remove it')
  const list = () => run(environment, 'order', 'list', '--field', 'orders.0.status')
  assert.equal((await list()).out, 'COMPLETED\n')
  writeTokenFile(database, { url: 'http://127.0.0.1:1', token: 'stale' })
  const next = serve([])
  await printed(next, /order show "\$CODE"\n/)
  assert.equal((await list()).out, 'COMPLETED\n')
  next.process.kill('SIGINT')
  assert.is(await next.ended, 0)
})

test('settings that are wrong stop the start with 2, a wrong key with 4', async () => {
  const bad = await run({ VENTANILLA_HTTP_PROT: '1', VENTANILLA_MODE: 'live' })
  assert.is(bad.code, 2)
  assert.match(bad.err, /VENTANILLA_HTTP_PROT: unknown variable; did you mean VENTANILLA_HTTP_PORT\?/)
  const key = join(folder, 'bad.key')
  writeFileSync(key, 'short')
  const wrong = await run({ ...environment, VENTANILLA_KEYS_FILE: key })
  assert.is(wrong.code, 4)
  assert.match(wrong.err, /bad\.key: A master key is 32 bytes/)
})

test.run()
