/** The guide's programs, taken out of the guide and run against a node. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import { fakeClock } from '../support/clock.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { merchantPath, newOrder, providerPath } from '../support/orders.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/integration.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-guide-'))
let node: TestNode
test.before(async () => {
  // The programs look at the real clock.
  node = await startTestNode({ clock: fakeClock(Date.now()) })
})
test.after(async () => {
  await stopTestNode(node)
  rmSync(folder, { recursive: true })
})

/** What runs the program of a name, and what it needs besides. */
const interpreters: Readonly<Record<string, readonly [command: string, ...needed: string[]]>> = {
  'ventanilla.ts': [process.execPath],
  'ventanilla.py': [pythonItself()],
  'ventanilla.php': ['php'],
  'ventanilla.sh': ['sh', 'openssl', 'curl'],
}

const programs = [...guide.matchAll(/^```\w+ run=(\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, name = '', source = '']) => ({
    name,
    source,
  }),
)

function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', command]).status === 0
}

/** A manager of Python's versions puts a script in front of it, which takes half a second each time. */
function pythonItself(): string {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  return stdout?.trim() || 'python3'
}

function run(name: string, args: string[], key: string, input = ''): Promise<string> {
  const [command = ''] = interpreters[name] ?? []
  const env = {
    PATH: process.env.PATH ?? '',
    VENTANILLA_URL: node.publicUrl,
    VENTANILLA_KEY: key,
    VENTANILLA_SECRET: secretOf(key),
  }
  return new Promise((resolve, reject) => {
    const child = execFile(command, [join(folder, name), ...args], { env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout.trim()) : reject(new Error(`${name}: ${stderr}`)),
    )
    child.stdin?.end(input)
  })
}

test('the guide has a program for each of the four languages', () => {
  assert.equal(
    programs.map(({ name }) => name),
    Object.keys(interpreters),
  )
})

for (const { name, source } of programs) {
  const missing = (interpreters[name] ?? []).filter((command) => !isThere(command))
  if (missing.length > 0) {
    console.log(`SKIP ${name} of the integration guide: ${missing.join(', ')} is not on this machine`)
    continue
  }
  writeFileSync(join(folder, name), source)

  test(`${name} creates an order, lists it and looks a code up`, async () => {
    const expiry = new Date(node.clock.now() + 3_600_000).toISOString()
    const body = JSON.stringify(payOutBody({ description: 'Señor 🥑 "quoted"', expiry }))
    const created = await run(name, ['request', 'POST', merchantPath('PAY_OUT'), body], 'mk_shop')
    assert.match(created, /"status":"CREATED"/)
    assert.match(created, /\b201\b/)
    const listed = await run(name, ['request', 'GET', `${merchantPath('PAY_OUT')}?limit=50`], 'mk_shop')
    assert.match(listed, /\b200\b/)
    assert.match(listed, 'Señor 🥑')
    const { code } = await newOrder(node, 'PAY_OUT')
    const found = await run(name, ['request', 'GET', providerPath('PAY_OUT', code)], 'pk_a')
    assert.match(found, /"status":"READY"/)
    const refused = await run(name, ['request', 'GET', merchantPath('PAY_OUT')], 'pk_a')
    assert.match(refused, /\b403\b/)
  })

  test(`${name} believes the node's webhooks and no others`, async () => {
    const body = '{"status":"COMPLETED","description":"Señor 🥑"}'
    const sent = (at: number) =>
      webhookHeaders(
        { id: 'w', sequence: 1, url: 'https://shop.example/hooks?x=1', body },
        1,
        { key: 'mk_shop', secret: secretOf('mk_shop') },
        at,
      )
    const verify = (path: string, at: number, text: string) => {
      const headers = sent(at)
      const values = ['Merchant-Key', 'Message-Date', 'Message-Hash'].map((header) => headers[header] ?? '')
      return run(name, ['verify', path, ...values], 'mk_shop', text)
    }
    const now = Date.now()
    assert.is(await verify('/hooks', now, body), 'genuine')
    assert.is(await verify('/hooks', now, `${body}\n`), 'refused')
    assert.is(await verify('/other', now, body), 'refused')
    assert.is(await verify('/hooks', now - 400_000, body), 'refused')
  })
}

test.run()
