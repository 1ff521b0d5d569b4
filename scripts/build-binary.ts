/**
 * `npm run build:binary [-- FILE]`: the whole program as one executable, by default `dist/ventanilla`.
 *
 * esbuild puts all sources into one text for the program and one for each thread. The program is started once, and
 * what V8 compiled until it was ready is kept. Node makes a blob of it all and of SQLite's addon, and postject puts
 * the blob into a copy of this very Node, from which strip has taken the symbols.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { bundle } from './binary-bundle.ts'

const root = join(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'dist/ventanilla'))
const maxBytes = 125_000_000
/** As `npm start` has it: what is young takes less memory, and what is spare is given back (docs/performance.md). */
const nodeOptions = ['--max-semi-space-size=16', '--expose-gc']
/** By which Node recognizes that a blob was put into it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const work = mkdtempSync(join(tmpdir(), 'ventanilla-build-'))
try {
  const program = join(work, 'program.cjs')
  const threads = [
    'front-worker',
    'checkpoint-worker',
    'verify-worker',
    'backup-worker',
    'report-worker',
    'bank-worker',
  ].map((name) => join(work, `${name}.cjs`))
  await bundle(join(root, 'cli/main.ts'), program)
  // A function that the launcher calls, and still nothing but ASCII.
  writeFileSync(
    program,
    `(function (require, module, exports) {${readFileSync(program, 'latin1')}\n})`,
    'latin1',
  )
  const code = recordCode(program)
  for (const thread of threads) {
    await bundle(join(root, 'node', `${basename(thread, '.cjs')}.ts`), thread)
    writeFileSync(`${thread}.zst`, compressed(readFileSync(thread)))
  }
  const blob = join(work, 'ventanilla.blob')
  const configuration = join(work, 'sea.json')
  writeFileSync(
    configuration,
    JSON.stringify({
      main: join(root, 'scripts/binary-launcher.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // Node would keep what it compiles before the program has run: nearly nothing of what a start needs.
      useCodeCache: false,
      execArgv: nodeOptions,
      // NODE_OPTIONS could have anything run inside a program that holds keys.
      execArgvExtension: 'none',
      assets: {
        program,
        'program-code': code,
        'better_sqlite3.node': addonFile(),
        ...Object.fromEntries(threads.map((thread) => [`${basename(thread)}.zst`, `${thread}.zst`])),
      },
    }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', configuration], { stdio: 'inherit' })
  const draft = join(work, 'ventanilla')
  copyFileSync(process.execPath, draft)
  chmodSync(draft, 0o755)
  execFileSync('strip', [draft])
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
} finally {
  rmSync(work, { recursive: true, force: true })
}

const { size } = statSync(target)
console.log(`${target}: ${(size / 1e6).toFixed(1)} MB for ${process.platform}-${process.arch}`)
if (size > maxBytes) {
  console.error(`It is larger than ${maxBytes / 1e6} MB.`)
  process.exitCode = 1
}

/** Thread by thread much of a text is the same as the program's; read again it takes milliseconds. */
function compressed(text: Buffer): Buffer {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
}

/** Starts the program, in a folder of its own, until it is ready. Returns the file of what was compiled of it. */
function recordCode(program: string): string {
  const recorder = join(root, 'scripts/record-code.cjs')
  const code = join(work, 'program.code')
  const cwd = join(work, 'start')
  mkdirSync(cwd)
  // V8 refuses code that was compiled under other options than it runs with.
  execFileSync(process.execPath, [...nodeOptions, recorder, program, addonFile(), code], {
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
  return code
}

/** The one for this platform: an executable is built where it is to run. */
function addonFile(): string {
  return join(root, 'node_modules/better-sqlite3/prebuilds', `${process.platform}-${process.arch}.node`)
}
