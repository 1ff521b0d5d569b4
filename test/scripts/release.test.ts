/** What a release is made with: the lock file's install scripts, the bill of materials, the signature. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bundle } from '../../scripts/binary-bundle.ts'
import { lockFileProblems } from '../../scripts/release/install-scripts.ts'
import { billOfMaterials, packageFolderOf } from '../../scripts/release/sbom.ts'
import { readSigningKey, signatureOf } from '../../scripts/release/signature.ts'
import { systemNames, systemOf } from '../../scripts/release/systems.ts'

const root = join(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'ventanilla-release-test-'))
test.after(() => rmSync(work, { recursive: true, force: true }))

const library = fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))
const schema = (name: string) => JSON.parse(readFileSync(join(dirname(library), 'res/schema', name), 'utf8'))
const ajv = new Ajv({ strict: false, validateFormats: false })
// By these names the schema refers to them.
for (const name of ['jsf-0.82.SNAPSHOT.schema.json', 'spdx.SNAPSHOT.schema.json']) {
  ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}` })
}
const validate = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'))

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

test('only packages that are named have install scripts', () => {
  assert.equal(lockFileProblems(lock), [])
})

const sound = { integrity: 'sha512-AA==' }
const lockFiles: [name: string, packages: Record<string, object>, problems: string[]][] = [
  [
    'none with a script',
    { '': {}, 'node_modules/a': sound },
    ['b is allowed an install script and has none'],
  ],
  ['one that is allowed', { 'node_modules/b': { ...sound, hasInstallScript: true } }, []],
  ['one below another', { 'node_modules/a/node_modules/b': { ...sound, hasInstallScript: true } }, []],
  [
    'one that nobody has allowed',
    {
      'node_modules/b': { ...sound, hasInstallScript: true },
      'node_modules/a/node_modules/@s/c': { ...sound, hasInstallScript: true },
    },
    ['@s/c has an install script, and nobody has allowed it'],
  ],
  [
    'packages without a digest',
    {
      'node_modules/b': { hasInstallScript: true },
      'node_modules/c': { integrity: 'sha1-AA==' },
      'node_modules/d': { ...sound, link: true },
    },
    ['b', 'c', 'd'].map((name) => `node_modules/${name} has no SHA-512 digest`),
  ],
]

for (const [name, packages, problems] of lockFiles) {
  test(`a lock file: ${name}`, () => {
    assert.equal(lockFileProblems({ packages }, { b: 'why' }), problems)
  })
}

const folders: [file: string, folder: string | null][] = [
  ['cli/main.ts', null],
  ['node_modules/koa/lib/application.js', 'node_modules/koa'],
  ['node_modules/@scope/name/index.js', 'node_modules/@scope/name'],
  ['node_modules/a/node_modules/@b/c/d/e.js', 'node_modules/a/node_modules/@b/c'],
]

for (const [file, folder] of folders) {
  test(`${file} is of ${folder ?? 'no package'}`, () => assert.is(packageFolderOf(file), folder))
}

test('the bill of materials names what is in the bundle and no more, as CycloneDX has it', async () => {
  const bundled = await bundle(join(root, 'cli/main.ts'), join(work, 'program.cjs'))
  for (const name of systemNames) {
    const text = billOfMaterials(bundled, systemOf(name))
    assert.is(billOfMaterials(bundled.toReversed(), systemOf(name)), text)
    const bom: { components: { name: string; version: string; hashes?: unknown; components?: unknown[] }[] } =
      JSON.parse(text)
    assert.equal(schemaProblems(bom), [])
    const names = bom.components.map((component) => component.name)
    for (const part of ['node', 'koa', 'kysely', 'better-sqlite3', 'xstate'])
      assert.ok(names.includes(part), part)
    // They build and test it, or belong to the sources' demo.
    for (const other of ['esbuild', 'typescript', 'litesvm', 'bufferutil'])
      assert.not.ok(names.includes(other), other)
    assert.equal(
      bom.components.filter(({ hashes }) => hashes === undefined),
      [],
    )
    const sqlite = bom.components.find((component) => component.name === 'better-sqlite3')?.components
    assert.match(JSON.stringify(sqlite), /"sqlite","version":"3\./)
  }
})

test('what is not as a bill of materials has to be is seen', async () => {
  const bom = JSON.parse(billOfMaterials(['node_modules/koa/lib/application.js'], systemOf('linux-x64')))
  bom.components[0].type = 'thing'
  assert.is(schemaProblems(bom).length, 1)
})

function schemaProblems(bom: unknown): string[] {
  validate(bom)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

test('openssl checks the signature, and finds what was changed', () => {
  const key = join(work, 'release.key')
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key])
  const { publicKey } = readSigningKey(key)
  const files = {
    sums: join(work, 'SHA256SUMS'),
    sig: join(work, 'SHA256SUMS.sig'),
    pem: join(work, 'release.pem'),
  }
  const sums = Buffer.from(`${'0'.repeat(64)}  ventanilla\n`)
  writeFileSync(files.sums, sums)
  writeFileSync(files.sig, signatureOf(sums, readSigningKey(key)))
  writeFileSync(files.pem, publicKey)
  const check = () =>
    execFileSync(
      'openssl',
      [
        'pkeyutl',
        '-verify',
        '-pubin',
        '-inkey',
        files.pem,
        '-rawin',
        '-in',
        files.sums,
        '-sigfile',
        files.sig,
      ],
      { encoding: 'utf8', stdio: 'pipe' },
    )
  assert.match(check(), /Successfully/)
  writeFileSync(files.sums, `${'1'.repeat(64)}  ventanilla\n`)
  assert.throws(check)
})

test('a key of another kind, or none, is refused with how to make one', () => {
  const rsa = join(work, 'rsa.key')
  execFileSync('openssl', ['genpkey', '-algorithm', 'rsa', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', rsa], {
    stdio: 'ignore',
  })
  assert.throws(() => readSigningKey(rsa), /key of rsa.*openssl genpkey -algorithm ed25519/)
  assert.throws(
    () => readSigningKey(join(work, 'none')),
    /no private key.*openssl genpkey -algorithm ed25519/,
  )
})

test('an executable for a system that there is no Node for is refused', () => {
  assert.throws(() => systemOf('sunos-sparc'), /linux-x64, linux-arm64, win32-x64/)
})

test.run()
