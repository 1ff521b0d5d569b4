/** The guide's programs, taken out of the guide and run against a node. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../actors/keys/signature.ts'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import vectors from '../../docs/signature-vectors.json' with { type: 'json' }
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

/** Shells differ in what they take for a number, so the shell's program is run by each that there is. */
const shells = new Map([['ventanilla.sh in bash', ['bash', 'openssl', 'curl']]])
const files = new Map([['ventanilla.sh in bash', 'ventanilla.sh']])

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

function run(name: string, args: string[], key: string, input: string | Buffer = ''): Promise<string> {
  const [command = ''] = shells.get(name) ?? interpreters[name] ?? []
  const env = {
    PATH: process.env.PATH ?? '',
    API_URL: node.publicUrl,
    API_KEY: key,
    API_SECRET: secretOf(key),
  }
  return new Promise((resolve, reject) => {
    const file = join(folder, files.get(name) ?? name)
    const child = execFile(command, [file, ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      error === null ? resolve(stdout.trim() + stderr) : reject(new Error(`${name}: ${stdout}${stderr}`)),
    )
    child.stdin?.end(input)
  })
}

/** What stands in a section of the guide in blocks of one language. */
function blocksOf(section: string, language: string): string[] {
  const [, text = ''] = guide.split(`\n## ${section}\n`)
  const own = text.split('\n## ')[0] ?? ''
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block.trim(),
  )
}

test('the withdrawal of the guide is answered as it says', async () => {
  const settles = {
    currency: 'MXN',
    timeZone: 'UTC',
    every: 'request',
    afterBankingDays: 1,
    account: 'CLABE 1',
  }
  await node.apply({ merchants: [{ name: 'Shop', settles: [settles] }] })
  const [line = ''] = blocksOf('Withdrawals', 'sh')
  const [, method = '', path = '', body = ''] =
    /^node ventanilla\.ts request (\S+) (\S+) '(.*)'$/.exec(line) ?? []
  const source = programs.find(({ name }) => name === 'ventanilla.ts')?.source ?? ''
  writeFileSync(join(folder, 'ventanilla.ts'), source)
  const [, status, text = ''] =
    /^(\d+) (.*)$/.exec(await run('ventanilla.ts', ['request', method, path, body], 'mk_shop')) ?? []
  assert.is(status, '201')
  const told = JSON.parse(blocksOf('Withdrawals', 'json')[0] ?? '')
  const answer = JSON.parse(text)
  assert.equal(Object.keys(answer), Object.keys(told))
  assert.equal(
    [answer.statement, answer.currency, answer.amount],
    [told.statement, told.currency, told.amount],
  )
})

test('the report of the guide is answered as it says', async () => {
  const networks = [{ id: '0001', currency: 'MXN' }]
  await node.apply({ providers: [{ name: 'Network A', networks }] })
  const [line = ''] = blocksOf('Reports of a network’s day', 'sh')
  const [, method = '', path = '', body = ''] =
    /^node ventanilla\.ts request (\S+) (\S+) '(.*)'$/.exec(line) ?? []
  const source = programs.find(({ name }) => name === 'ventanilla.ts')?.source ?? ''
  writeFileSync(join(folder, 'ventanilla.ts'), source)
  const today = new Date(node.clock.now()).toISOString().slice(0, 10)
  const sent = body.replaceAll('2026-03-01', today)
  const [, status, text = ''] =
    /^(\d+) (.*)$/.exec(await run('ventanilla.ts', ['request', method, path, sent], 'pk_a')) ?? []
  assert.is(status, '200', text)
  const [told = ''] = blocksOf('Reports of a network’s day', 'json')
  // No till of this node has paid the first one.
  const [first, second] = JSON.parse(text).lines
  assert.equal([first.outcome, second.outcome], ['only_theirs', 'matched'])
  const expected = JSON.parse(told.replaceAll('2026-03-01', today))
  assert.equal({ ...JSON.parse(text), lines: [] }, { ...expected, lines: [] })
  assert.equal(Object.keys(first), Object.keys(expected.lines[0]))
})

test('the guide has a program for each of the four languages', () => {
  assert.equal(
    programs.map(({ name }) => name),
    Object.keys(interpreters),
  )
})

const inBash = programs.filter(({ name }) => name === 'ventanilla.sh')
for (const { name, source } of [
  ...programs,
  ...inBash.map(({ source }) => ({ name: 'ventanilla.sh in bash', source })),
]) {
  const missing = (shells.get(name) ?? interpreters[name] ?? []).filter((command) => !isThere(command))
  if (missing.length > 0) {
    console.log(`SKIP ${name} of the integration guide: ${missing.join(', ')} is not on this machine`)
    continue
  }
  writeFileSync(join(folder, files.get(name) ?? name), source)

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

  test(`${name} takes the path that a webhook has in its request line`, async () => {
    const notable = vectors.webhooks.filter(({ notify_url, path }) => !notify_url.endsWith(path))
    const paths = new Map(notable.slice(-3).map(({ notify_url, path }) => [path, notify_url]))
    const said = await Promise.all(
      [...paths].map(([path, url]) => {
        const webhook = { id: 'w', sequence: 1, url, body: '{}' }
        const credential = { key: 'mk_shop', secret: secretOf('mk_shop') }
        const headers = webhookHeaders(webhook, 1, credential, Date.now())
        const values = ['Merchant-Key', 'Message-Date', 'Message-Hash'].map((each) => headers[each] ?? '')
        return run(name, ['verify', path, ...values], 'mk_shop', '{}')
      }),
    )
    assert.equal(
      said,
      [...paths].map(() => 'genuine'),
    )
  })

  test(`${name} refuses what strangers send, runs nothing of it, and ends well`, async () => {
    const now = (Date.now() / 1000).toFixed(3)
    const seconds = now.slice(0, 10)
    // Each run starts processes, so what only a shell could stumble over is tried on shells.
    const isShell = name.startsWith('ventanilla.sh')
    const dates = ['abc', '', `a[$(touch pwned)]${seconds}`]
    const datesForShells = [
      ...['x[$(touch pwned)]', '$(touch pwned)', 'é', '-1'],
      ...['0123456789', `${seconds}.`, `${seconds}.1.2`, `${seconds}\n`, '٠١٢٣٤٥٦٧٨٩'],
    ]
    const hashes = ['é', '']
    const keys = ['é']
    const pathsForShells = ['%s%n', '/$(touch pwned)']
    const wrong = '0'.repeat(64)
    const rows: { path?: string; key?: string; date?: string; hash?: string; body?: Buffer | string }[] = [
      ...dates.map((date) => ({ date })),
      ...hashes.map((hash) => ({ hash })),
      ...keys.map((key) => ({ key })),
      { body: Buffer.from([0xff, 0xfe, 0, 0x80]) },
      ...(isShell ? datesForShells.map((date) => ({ date })) : []),
      ...(isShell ? pathsForShells.map((path) => ({ path })) : []),
      ...(isShell ? [{ key: '(' }, { hash: '$(touch pwned)' }] : []),
    ]
    const said: string[] = []
    for (const row of rows) {
      const { path = '/hook', key = 'mk_shop', date = now, hash = wrong, body = '{}' } = row
      const answer = await run(name, ['verify', path, key, date, hash], 'mk_shop', body)
      said.push(answer === 'refused' ? answer : `${JSON.stringify(row)}: ${answer}`)
    }
    assert.equal(
      said,
      rows.map(() => 'refused'),
    )
    assert.not.ok(existsSync(join(folder, 'pwned')))
  })

  test(`${name} takes no empty secret, with which anybody could sign`, async () => {
    const now = (Date.now() / 1000).toFixed(3)
    const hash = sign({ key: '', messageDate: now, method: 'POST', path: '/hook', body: '' }, '')
    const [command = ''] = shells.get(name) ?? interpreters[name] ?? []
    const env = { PATH: process.env.PATH ?? '', API_URL: node.publicUrl, API_KEY: '', API_SECRET: '' }
    const file = join(folder, files.get(name) ?? name)
    const { stdout } = spawnSync(command, [file, 'verify', '/hook', '', now, hash], {
      env,
      encoding: 'utf8',
      input: '',
    })
    assert.not.match(stdout, 'genuine')
  })
}

test.run()
