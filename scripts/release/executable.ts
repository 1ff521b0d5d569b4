/**
 * Builds the whole program as one executable.
 *
 * esbuild puts all sources into one text for the program and one for each thread. The program is started once, and
 * what V8 compiled until it was ready is kept. Node makes a blob of it all and of SQLite's addon, and postject puts
 * the blob into a copy of Node, from which strip has taken the symbols. The same sources, packages and Node give the
 * same bytes, in whatever folder and at whatever time.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import type { BuildFacts } from '../../node/packed.ts'
import { bundle } from '../binary-bundle.ts'
import { billOfMaterials } from './sbom.ts'
import { addonFile, type System } from './systems.ts'

const root = join(import.meta.dirname, '../..')
/** As `npm start` has it: what is young takes less memory, and what is spare is given back (docs/performance.md). */
const nodeOptions = ['--max-semi-space-size=16', '--expose-gc']
/** What V8 writes is in the order of its hashes, and code that was not run for a while would be missing. */
const recordingOptions = ['--hash-seed=1', '--no-flush-bytecode', '--predictable']
/** By which Node recognizes that a blob was put into it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const threads = ['front', 'checkpoint', 'sender', 'verify', 'backup', 'report', 'bank'].map(
  (name) => `${name}-worker`,
)

export interface BuildTask {
  /** The file to make. */
  target: string
  system: System
  /** Node's executable for that system, of the very version that builds. */
  node: string
  /** Of the sources, where they are one. */
  commit: string | null
}

/** @returns the bill of materials that is inside. */
export async function buildExecutable({ target, system, node, commit }: BuildTask): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'ventanilla-build-'))
  try {
    const bundled = await writeTexts(work)
    const sbom = billOfMaterials(bundled, system)
    writeFileSync(join(work, 'sbom.cdx.json'), sbom)
    const facts: BuildFacts = { commit }
    writeFileSync(join(work, 'build.json'), JSON.stringify(facts))
    const hasCode = recordCode(work, system, node)
    const blob = writeBlob(work, system, hasCode)
    const draft = join(work, 'ventanilla')
    copyFileSync(node, draft)
    chmodSync(draft, 0o755)
    if (system.strip !== null) execFileSync(system.strip, [draft])
    const injector = fileURLToPath(import.meta.resolve('postject/dist/cli.js'))
    // It wonders about each of Node's notes, and says nothing else.
    execFileSync(process.execPath, [injector, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse], {
      stdio: 'ignore',
    })
    mkdirSync(dirname(target), { recursive: true })
    // One that is running is replaced, not written into.
    rmSync(target, { force: true })
    copyFileSync(draft, target)
    chmodSync(target, 0o755)
    return sbom
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The program's text and the threads'. Returns the files that are in one of them. */
async function writeTexts(work: string): Promise<string[]> {
  const program = join(work, 'program.cjs')
  const bundled = new Set(await bundle(join(root, 'cli/main.ts'), program))
  // A function that the launcher calls, and still nothing but ASCII.
  writeFileSync(
    program,
    `(function (require, module, exports) {${readFileSync(program, 'latin1')}\n})`,
    'latin1',
  )
  for (const name of threads) {
    const thread = join(work, `${name}.cjs`)
    for (const file of await bundle(join(root, 'node', `${name}.ts`), thread)) bundled.add(file)
    writeFileSync(`${thread}.zst`, compressed(readFileSync(thread)))
  }
  return [...bundled].toSorted()
}

/** Thread by thread much of a text is the same as the program's; read again it takes milliseconds. */
function compressed(text: Buffer): Buffer {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
}

/**
 * Starts the program, in a folder of its own, until it is ready, and keeps what was compiled of it; not for a system
 * that nothing here can run, whose executable compiles at each start.
 */
function recordCode(work: string, system: System, node: string): boolean {
  if (system.runner === null) return false
  const [command = node, ...before] = [...system.runner, node]
  const cwd = join(work, 'start')
  mkdirSync(cwd)
  const program = join(work, 'program.cjs')
  const code = join(work, 'program.code')
  const run = (options: readonly string[], ...args: string[]) =>
    execFileSync(command, [...before, ...options, ...args], {
      cwd,
      env: {
        XDG_CACHE_HOME: join(cwd, 'cache'),
        VENTANILLA_HTTP_PORT: '0',
        VENTANILLA_OPERATOR_PORT: '0',
        // What is kept is of the main thread; a thread's text is compiled as it runs.
        VENTANILLA_HTTP_THREADS: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const recorder = join(root, 'scripts/record-code.cjs')
  run([...nodeOptions, ...recordingOptions], recorder, program, addonFile(system), code)
  run(nodeOptions, join(root, 'scripts/settle-code.cjs'), program, code)
  return true
}

function writeBlob(work: string, system: System, hasCode: boolean): string {
  // Its name is in the blob, so it has no folder that differs from machine to machine.
  const main = 'binary-launcher.cjs'
  copyFileSync(join(root, 'scripts', main), join(work, main))
  const configuration = {
    main,
    output: 'ventanilla.blob',
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Node would keep what it compiles before the program has run: nearly nothing of what a start needs.
    useCodeCache: false,
    execArgv: nodeOptions,
    // NODE_OPTIONS could have anything run inside a program that holds keys.
    execArgvExtension: 'none',
    assets: {
      program: 'program.cjs',
      ...(hasCode ? { 'program-code': 'program.code' } : {}),
      'better_sqlite3.node': addonFile(system),
      'build.json': 'build.json',
      'sbom.cdx.json': 'sbom.cdx.json',
      ...Object.fromEntries(threads.map((name) => [`${name}.cjs.zst`, `${name}.cjs.zst`])),
    },
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(configuration))
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'pipe' })
  return join(work, basename(configuration.output))
}
