/** `init`, `install` and what systemd is told. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNotifier } from '../../../cli/service/notify.ts'
import { unitText } from '../../../cli/service/unit.ts'
import { loadSettings } from '../../../node/settings/config.ts'
import { startTestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-service-'))
const world = { cwd: folder }
test.after(() => rmSync(folder, { recursive: true, force: true }))

const has = (command: string) => spawnSync('which', [command]).status === 0

test('init makes settings that production starts with, a key for its owner alone, and says what is missing', async () => {
  const made = await ventanilla(
    world,
    'init',
    'etc',
    '--public-url',
    'https://pay.example',
    '--state-folder',
    'state',
  )
  assert.is(made.code, 0, made.err)
  assert.match(made.out, /operator add/)
  assert.match(made.out, /Copy .*master\.key to a place that is not this host/)
  assert.is(statSync(join(folder, 'etc/master.key')).mode & 0o777, 0o600)
  const settings = loadSettings({ cwd: folder, env: {}, configFile: 'etc/ventanilla.json' })
  assert.is(settings.mode, 'production')
  assert.is(settings.http.publicUrl, 'https://pay.example')
  const node = await startTestNode({
    env: {
      VENTANILLA_CONFIG: join(folder, 'etc/ventanilla.json'),
      VENTANILLA_KEYS_FILE: join(folder, 'etc/master.key'),
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false',
    },
    parties: null,
  })
  assert.is(node.settings.mode, 'production')
  await node.stop()
})

test('init overwrites nothing', async () => {
  const key = readFileSync(join(folder, 'etc/master.key'), 'utf8')
  const again = await ventanilla(world, 'init', 'etc', '--public-url', 'https://pay.example')
  assert.is(again.code, 2)
  assert.match(again.err, /nothing is overwritten/)
  assert.is(readFileSync(join(folder, 'etc/master.key'), 'utf8'), key)
})

test('init wants the address as the world has it', async () => {
  for (const url of ['http://pay.example', 'https://pay.example/path', 'pay.example']) {
    assert.is((await ventanilla(world, 'init', 'x', '--public-url', url)).code, 2, url)
  }
})

test('install says what it would do, does it below another root, and does it once', async () => {
  writeFileSync(join(folder, 'program'), '#!/bin/sh\n')
  const args = ['install', '--root', 'root', '--executable', 'program', '--json']
  const dry = await ventanilla(world, ...args, '--dry-run')
  assert.is(dry.code, 0, dry.err)
  assert.is(dry.json.done.length, 3)
  assert.not.ok(existsSync(join(folder, 'root')))
  const done = await ventanilla(world, ...args)
  assert.equal(done.json.done, dry.json.done)
  assert.is(statSync(join(folder, 'root/usr/local/bin/ventanilla')).mode & 0o777, 0o755)
  assert.match(
    readFileSync(join(folder, 'root/etc/systemd/system/ventanilla.service'), 'utf8'),
    /ProtectSystem=strict/,
  )
  // An update: only the executable is new.
  assert.is((await ventanilla(world, ...args)).json.done.length, 1)
})

test('only the executable installs itself', async () => {
  const refused = await ventanilla(world, 'install')
  assert.is(refused.code, 2)
  assert.match(refused.err, /npm run build:binary/)
})

test('settings and key, which root alone can read, are handed to the service', () => {
  const unit = unitText({ executable: '/v', config: '/etc/x.json', masterKey: '/etc/x.key' })
  const handed = [...unit.matchAll(/^LoadCredential=(.+):(.+)$/gm)].map(([, name, file]) => [name, file])
  assert.equal(handed, [
    ['ventanilla.json', '/etc/x.json'],
    ['master.key', '/etc/x.key'],
  ])
  assert.match(unit, /^ExecStart=\/v serve --config %d\/ventanilla\.json$/m)
  assert.match(unit, /^Environment=VENTANILLA_KEYS_FILE=%d\/master\.key$/m)
})

if (has('systemd-analyze')) {
  test('systemd understands the unit, and finds little to expose', () => {
    const unit = join(folder, 'ventanilla.service')
    // It looks for the program, too.
    writeFileSync(
      unit,
      unitText({ executable: process.execPath, config: '/etc/x.json', masterKey: '/etc/x.key' }),
    )
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    const ours = verified.stderr.split('\n').filter((line) => line.includes('ventanilla.service'))
    // On a machine without a manual it cannot look for the man page; there is none.
    assert.equal(ours, [], verified.stderr)
    const offline = ['security', '--offline=yes', '--threshold=25', unit]
    const secure = spawnSync('systemd-analyze', offline, { encoding: 'utf8' })
    assert.is(secure.status, 0, secure.stdout + secure.stderr)
  })
} else console.log('SKIP systemd-analyze is not installed (Debian: systemd)')

if (has('systemd-notify') && has('python3')) {
  test('systemd is told that the node is ready, lives and stops', async () => {
    const socket = join(folder, 'notify.sock')
    const listen = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(${JSON.stringify(socket)})
print('listening', flush=True)
while True:
    print(s.recv(4096).decode().strip(), flush=True)`
    const listener = spawn('python3', ['-c', listen])
    let heard = ''
    listener.stdout.on('data', (chunk: Buffer) => {
      heard += chunk
    })
    const until = async (text: string) => {
      while (!heard.includes(text)) await once(listener.stdout, 'data')
    }
    await until('listening')
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000', PATH: process.env.PATH }
    const errors: Error[] = []
    const notifier = createNotifier(env, (error) => errors.push(error))
    notifier.ready()
    // The pulse does not keep a process alive; this test does.
    const alive = setInterval(() => {}, 1_000)
    await until('READY=1')
    await until('WATCHDOG=1')
    notifier.stopping()
    await until('STOPPING=1')
    clearInterval(alive)
    listener.kill()
    assert.equal(errors, [])
  })
} else console.log('SKIP systemd-notify or python3 is not installed (Debian: systemd, python3)')

test('a command that is missing is told of once, and elsewhere nothing is told', async () => {
  const failed = Promise.withResolvers<Error>()
  let times = 0
  const notifier = createNotifier({ NOTIFY_SOCKET: '/x', PATH: folder }, (error) => {
    times += 1
    failed.resolve(error)
  })
  notifier.ready()
  assert.match((await failed.promise).message, /ENOENT/)
  notifier.stopping()
  assert.is(times, 1)
  createNotifier({}, () => assert.unreachable()).ready()
})

test('the Dockerfile runs as nobody in particular and looks at its health', () => {
  const file = readFileSync(join(import.meta.dirname, '../../../docs/deploy/Dockerfile'), 'utf8')
  assert.match(file, /^USER 10001:10001$/m)
  assert.match(file, /^HEALTHCHECK /m)
  // What the health check runs, on a port where nobody listens.
  const [, json = ''] = /CMD (\[.*healthz.*\])$/m.exec(file) ?? []
  const [command = '', ...args] = JSON.parse(json.replaceAll('8080', '9'))
  assert.throws(() => execFileSync(command, args, { stdio: 'ignore' }))
})

test.run()
