/**
 * `npm run release -- [--key FILE] [--output FOLDER]`: everything that is given to others, from the commit that is
 * checked out, below `dist/release`.
 *
 * Each executable is built twice, in two folders into which the commit was written and npm has put the packages of
 * the lock file without running one of their scripts. Only if both are the same, byte for byte, there is a release.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { lockFileProblems } from './install-scripts.ts'
import { bringNode } from './node-package.ts'
import { readSigningKey, signatureOf } from './signature.ts'
import { commitOf, program } from './sources.ts'
import { type SystemName, systemNames, systemOf } from './systems.ts'

const root = join(import.meta.dirname, '../..')
const { name: programName, version } = program

interface Released {
  name: string
  system: SystemName
  sha256: string
  bytes: number
  sbom: { name: string; sha256: string }
  /** How it was started after it was built. */
  run: 'here' | 'emulated' | 'not run'
}

const { values } = parseArgs({
  options: { key: { type: 'string' }, output: { type: 'string', default: join(root, 'dist/release') } },
})

const commit = commitOf(root)
if (commit === null) throw new Error('A release is of a commit: this is no clean checkout of one.')
// Before the minutes that a build takes.
const key = values.key === undefined ? null : readSigningKey(values.key)
const problems = lockFileProblems(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
if (problems.length > 0) throw new Error(`package-lock.json: ${problems.join('; ')}`)

const work = mkdtempSync(join(tmpdir(), 'ventanilla-release-'))
try {
  release(resolve(values.output), commit)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function release(output: string, of: string): void {
  console.log(`ventanilla ${version}, commit ${of}`)
  const builders = ['first', 'second'].map((name) => checkOut(join(work, name), of))
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const released = systemNames.map((system) => buildTwice(system, builders, output, of))
  const document = { name: programName, version, commit: of, node: process.versions.node, files: released }
  writeFileSync(join(output, 'release.json'), `${JSON.stringify(document, null, 2)}\n`)
  const names = [...released.flatMap(({ name, sbom }) => [name, sbom.name]), 'release.json']
  const sums = names.map((name) => `${digestOf(join(output, name))}  ${name}\n`).join('')
  writeFileSync(join(output, 'SHA256SUMS'), sums)
  if (key === null) {
    console.log('Not signed: --key FILE names an Ed25519 key.')
  } else {
    writeFileSync(join(output, 'SHA256SUMS.sig'), signatureOf(Buffer.from(sums), key))
    console.log(`Signed; others check it with\n${key.publicKey.trim()}`)
  }
  console.log(`${output}:\n${sums.trim()}`)
}

/** The commit's files alone, and the lock file's packages. */
function checkOut(folder: string, of: string): string {
  mkdirSync(folder)
  const archive = execFileSync('git', ['-C', root, 'archive', of], { maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', install, { cwd: folder, stdio: 'inherit' })
  return folder
}

function buildTwice(name: SystemName, builders: readonly string[], output: string, of: string): Released {
  const system = systemOf(name)
  const suffix = name.startsWith('win32') ? '.exe' : ''
  const file = `ventanilla-${version}-${name}${suffix}`
  const built = builders.map((builder) => {
    const target = join(builder, 'dist', file)
    const node = bringNode(system, builder, join(work, 'nodes'))
    const sbom = `${target}.cdx.json`
    mkdirSync(join(builder, 'dist'), { recursive: true })
    const script = join(builder, 'scripts/build-binary.ts')
    const args = [script, target, '--system', name, '--node', node, '--commit', of, '--sbom', sbom]
    execFileSync(process.execPath, args, { cwd: builder, stdio: ['ignore', 'inherit', 'inherit'] })
    return { target, sbom }
  })
  const [first, second] = built
  if (first === undefined || second === undefined) throw new Error('It is built twice.')
  assertSame(first.target, second.target)
  assertSame(first.sbom, second.sbom)
  const sbom = `${file}.cdx.json`
  copyFileSync(first.target, join(output, file))
  copyFileSync(first.sbom, join(output, sbom))
  const sha256 = digestOf(first.target)
  const sbomDigest = digestOf(first.sbom)
  const told = versionOf(first.target, system.runner)
  if (told !== null) assertTold(told, { commit: of, digest: sha256, sbomDigest })
  const run = told === null ? 'not run' : system.runner?.length === 0 ? 'here' : 'emulated'
  console.log(`${file}: twice the same, SHA-256 ${sha256}, ${run}`)
  const { size: bytes } = statSync(first.target)
  return { name: file, system: name, sha256, bytes, sbom: { name: sbom, sha256: sbomDigest }, run }
}

function assertSame(left: string, right: string): void {
  if (digestOf(left) === digestOf(right)) return
  const { stdout = '' } = spawnSync('diffoscope', ['--max-report-size', '20000', left, right], {
    encoding: 'utf8',
  })
  throw new Error(`Built twice, ${left} and ${right} differ.\n${stdout}`)
}

/** What the executable says of itself; `null` where nothing here can run it. */
function versionOf(file: string, runner: readonly string[] | null): Record<string, unknown> | null {
  if (runner === null) return null
  const [command = file, ...args] = [...runner, file, 'version', '--json']
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', env: { HOME: work, TMPDIR: work } }))
}

function assertTold(told: Record<string, unknown>, expected: Record<string, string>): void {
  for (const [name, value] of Object.entries(expected)) {
    if (told[name] !== value) throw new Error(`It says of itself ${name} ${told[name]}, and it is ${value}.`)
  }
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
