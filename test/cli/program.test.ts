import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ran, ventanilla } from '../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'program-test-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]): Promise<Ran> {
  return ventanilla({ cwd: folder }, ...args)
}

const commands = [
  'serve',
  'demo',
  'apply',
  'request',
  'order list',
  'order show',
  'order cancel',
  'order confirm',
  'order release',
  'webhook list',
  'webhook show',
  'exception list',
  'exception show',
  'merchant list',
  'merchant show',
  'provider list',
  'provider show',
  'party freeze',
  'party unfreeze',
  'rate list',
  'rate show',
]

test('every command says what it does, with examples that begin with it', async () => {
  for (const command of commands) {
    const { code, out, err } = await run(...command.split(' '), '--help')
    assert.equal([code, err], [0, ''], command)
    assert.match(out, new RegExp(`^Usage: ventanilla ${command}`))
    assert.match(out, new RegExp(`\\nExamples:\\n {2}\\$ ventanilla ${command}`), command)
    for (const option of ['--config', '--json', '--field'])
      assert.ok(out.includes(option), `${command} ${option}`)
  }
})

test('the program names its commands and its version', async () => {
  const { code, out } = await run('--help')
  assert.is(code, 0)
  for (const command of commands) assert.ok(out.includes(`\n  ${command.split(' ')[0]}`), command)
  const version = await run('--version')
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/)
  assert.is((await run('order', '--help')).code, 0)
})

test('a mistake in the command line ends with 2, and one sentence', async () => {
  const cases: [args: string[], message: string][] = [
    [['sevre'], "unknown command 'sevre'\n(Did you mean serve?)"],
    [['order', 'shw'], "unknown command 'shw'\n(Did you mean show?)"],
    [['order', 'show'], "missing required argument 'id'"],
    [['order', 'show', 'a', 'b'], "too many arguments for 'show'. Expected 1 argument but got 2: a, b."],
    [['order', 'cancel', 'a'], "required option '--reason <text>' not specified"],
    [
      ['order', 'list', '--limit', '0'],
      "option '--limit <number>' argument '0' is invalid. It must be a positive whole number.",
    ],
    [['order', 'list', '--stauts', 'READY'], "unknown option '--stauts'\n(Did you mean --status?)"],
    [['--prot', '1'], "unknown option '--prot'"],
    [['request', 'GET', '/x'], "required option '--as <key>' not specified"],
    [['request', '--as', 'a', 'GET', 'x'], 'x: the path must begin with / and be ASCII without blanks'],
    [
      ['request', '--as', 'a', 'GET', '/x', '--url', 'pay.example'],
      '--url: must be an http or https origin such as https://pay.example.',
    ],
  ]
  for (const [args, message] of cases) {
    const plain = await run(...args)
    assert.equal([plain.code, plain.out], [2, ''], args.join(' '))
    assert.ok(plain.err.includes(`${message}\n`), `${args.join(' ')}: ${plain.err}`)
    const asJson = await run(...args, '--json')
    assert.equal([asJson.code, asJson.json.error.code, asJson.json.error.message], [2, 'usage', message])
  }
  const group = await run('order')
  assert.equal([group.code, group.out], [2, ''])
  assert.match(group.err, /^Usage: ventanilla order [\s\S]*\nNo command given\.\n/)
  const choice = await run('order', 'list', '--status', 'PAID')
  assert.match(choice.err, /'PAID' is invalid\. Allowed choices are CREATED, READY/)
})

test('each cause that a supervisor can tell apart has its exit code', async () => {
  assert.is((await run('order', 'list')).code, 3, 'there is no database')
  writeFileSync(join(folder, 'no.db'), 'this is no database, whatever its name says')
  const env = { VENTANILLA_DATABASE: 'sqlite:no.db' }
  const unusable = await ventanilla({ cwd: folder, env }, 'order', 'list')
  assert.is(unusable.code, 3)
  assert.is(unusable.err.trimEnd().split('\n').length, 1, unusable.err)
  writeFileSync(join(folder, 'bad.key'), 'short')
  const badKey = await ventanilla(
    {
      cwd: folder,
      env: { VENTANILLA_DATABASE: 'sqlite:new.db', VENTANILLA_KEYS_FILE: 'bad.key' },
      input: '{}',
    },
    'apply',
    '-',
  )
  assert.is(badKey.code, 4)
  assert.match(badKey.err, /bad\.key: A master key is 32 bytes/)
})

test('a database that was made under another key ends with 4', async () => {
  const env = { VENTANILLA_DATABASE: 'sqlite:one.db', VENTANILLA_KEYS_FILE: 'one.key' }
  assert.is((await ventanilla({ cwd: folder, env, input: '{}' }, 'apply', '-')).code, 0)
  const other = { ...env, VENTANILLA_KEYS_FILE: 'two.key' }
  const ran = await ventanilla({ cwd: folder, env: other, input: '{}' }, 'apply', '-', '--json')
  assert.equal([ran.code, ran.json.error.code], [4, 'key'])
  assert.not.ok(existsSync(join(folder, 'two.key')), 'no key is left that opens nothing')
})

test.run()
