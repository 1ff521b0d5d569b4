/** Every file that a command reads, in every encoding that it is not to be in. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CommandWorld, type Ran, ventanilla } from '../support/terminal.ts'

const directory = mkdtempSync(join(tmpdir(), 'hostile-files-'))
const env = {
  VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
  VENTANILLA_LOG_LEVEL: 'silent',
}

test.before(async () => {
  const ran = await run(
    { input: JSON.stringify({ merchants: [{ name: 'Shop', credentials: [{ key: 'mk' }] }] }) },
    'apply',
    '-',
  )
  assert.is(ran.code, 0, ran.err)
})
test.after(() => rmSync(directory, { recursive: true }))

function run(world: Partial<CommandWorld>, ...args: string[]): Promise<Ran> {
  return ventanilla({ cwd: directory, env, ...world }, ...args)
}

const text = '{"name": "Almacén Peñaloza",\n "price": "1 €"}'

const encodings: Record<string, Buffer> = {
  'Latin-1': Buffer.from(text, 'latin1'),
  'UTF-16, little end first': Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16, big end first': Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'UTF-16 without a mark': Buffer.from(text, 'utf16le'),
  'half of a surrogate pair': Buffer.concat([
    Buffer.from('{"name": "'),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('"}'),
  ]),
  'an end in mid-character': Buffer.from(text).subarray(0, 16),
  'an overlong slash': Buffer.from([0xc0, 0xaf]),
  'random bytes': Buffer.from('ff00fe9c81', 'hex'),
}

/** How each file is named to a command; `given` is a path, or `-` with the file on standard input. */
const readers: Record<string, (given: string) => string[]> = {
  apply: (given) => ['apply', given],
  'the body of a request': (given) => ['request', '--as', 'mk', 'POST', '/api/v1/x/', given],
  'a listener’s secret': (given) => ['webhook', 'listen', '--key', 'mk', '--secret-file', given],
}

const onlyFiles: Record<string, (file: string) => string[]> = {
  'a request’s secret': (file) => ['request', '--as', 'mk', '--secret-file', file, 'GET', '/api/v1/x/'],
  'an explanation’s secret': (file) => [
    ...['signature', 'explain', '--as', 'mk', '--date', '1700000000.000', '--secret-file', file],
    ...['GET', '/api/v1/x/'],
  ],
  settings: (file) => ['merchant', 'list', '--config', file],
}

const refused =
  /(is not UTF-8: byte 0x[0-9A-F]{2} at line \d+, byte \d+|is UTF-16|is not text: a character 0 at line \d+, byte \d+)/

for (const [encoding, bytes] of Object.entries(encodings)) {
  for (const [what, command] of Object.entries({ ...readers, ...onlyFiles }))
    test(`${what} in ${encoding} is refused with the file and the place`, async () => {
      writeFileSync(join(directory, 'hostile'), bytes)
      const { code, out, err } = await run({}, ...command('hostile'))
      assert.ok(code === 1 || code === 2, `${code}: ${out}${err}`)
      assert.match(err, refused)
      assert.match(err, /hostile: /)
      assert.is(err.includes('    at '), false, 'no stack trace')
    })

  for (const [what, command] of Object.entries(readers))
    test(`${what} in ${encoding} is refused on standard input, too`, async () => {
      const { code, err } = await run({ input: bytes }, ...command('-'))
      assert.ok(code === 1 || code === 2)
      assert.match(err, new RegExp(`^standard input: ${refused.source}`))
    })

  test(`a master key in ${encoding} is refused with its file`, async () => {
    writeFileSync(join(directory, 'hostile.key'), bytes)
    const { code, err } = await run(
      { env: { ...env, VENTANILLA_KEYS_FILE: 'hostile.key' } },
      'merchant',
      'list',
    )
    assert.is(code, 4)
    assert.match(err, /hostile\.key: A master key is 32 bytes as one line of base64/)
  })

  test(`a backup's own file in ${encoding} is refused with its place`, async () => {
    const folder = join(directory, 'backup')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'backup.json'), bytes)
    const { code, err } = await run({}, 'restore', folder)
    assert.is(code, 2)
    assert.match(err, refused)
  })

  test(`a token file in ${encoding} is no node's address`, async () => {
    writeFileSync(join(directory, 'node.db.token'), bytes)
    const { code } = await run({}, 'merchant', 'list')
    rmSync(join(directory, 'node.db.token'))
    assert.is(code, 0)
  })
}

test('a byte order mark before what is right is dropped', async () => {
  const marked = (json: object) => Buffer.from(`\ufeff${JSON.stringify(json)}`)
  const applied = await run({ input: marked({ merchants: [{ name: 'Shop' }] }) }, 'apply', '-')
  assert.is(applied.code, 0, applied.err)
  writeFileSync(join(directory, 'marked.json'), marked({ log: { level: 'silent' } }))
  assert.is((await run({}, 'merchant', 'list', '--config', 'marked.json')).code, 0)
  writeFileSync(
    join(directory, 'marked.key'),
    `\ufeff${readFileSync(join(directory, 'node.db.key'), 'utf8')}`,
  )
  const key = { ...env, VENTANILLA_KEYS_FILE: 'marked.key' }
  assert.is((await run({ env: key }, 'merchant', 'list')).code, 0)
})

test('a name that a JSON file has twice is told with both places', async () => {
  const twice = '{"log": {"level": "silent",\n "level": "info"}}'
  writeFileSync(join(directory, 'twice.json'), twice)
  const told = 'twice.json: names log.level twice: at line 1, column 10, and at line 2, column 2'
  assert.match((await run({}, 'merchant', 'list', '--config', 'twice.json')).err, new RegExp(told))
  assert.match((await run({}, 'apply', 'twice.json')).err, new RegExp(told))
  const listed = { ...env, VENTANILLA_CHAINS_SOLANA_ASSETS: '{"USDC": {}, "USDC": {}}' }
  assert.is((await run({ env: listed }, 'merchant', 'list')).code, 2)
})

test('apply takes --new on the command line, and not in the file', async () => {
  const slip = { merchants: [{ name: 'SHOP' }] }
  const asked = await run({ input: JSON.stringify(slip) }, 'apply', '-')
  assert.is(asked.code, 1)
  assert.match(asked.err, /--new/)
  const inFile = await run({ input: JSON.stringify({ ...slip, new: true }) }, 'apply', '-')
  assert.match(inFile.err, /standard input: new: is no member of a file; say --new/)
  assert.is((await run({ input: JSON.stringify(slip) }, 'apply', '-', '--new')).code, 0)
})

/** Where a lenient decoder does no harm, and why. */
const lenient: Record<string, string> = {
  'actors/outbound/resolver.ts': 'the system’s hosts file: other lines than the wanted one may be anything',
  'cli/service/install.ts': 'compares a unit with what it would write, and looks for a user in /etc/passwd',
  'node/places.ts': 'the kernel’s table of mounts, where paths may be any bytes',
}

test('no other source reads a file with a decoder that replaces what it cannot read', () => {
  const sources = globSync('{actors,chain,cli,http,machines,node,persistence}/**/*.ts')
  assert.ok(sources.length > 300)
  const found = sources.filter((source) =>
    /(readFile(Sync)?|getAsset)\([^\n]*['"]utf-?8|readInput\w*\([^\n]*\)\)?\.toString/.test(
      readFileSync(source, 'utf8'),
    ),
  )
  assert.equal(found.toSorted(), Object.keys(lenient).toSorted())
})

test.run()
