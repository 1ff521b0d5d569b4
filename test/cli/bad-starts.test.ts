/**
 * Bad starts: one line that says what is wrong and what to do, the documented exit code, and nothing lost.
 *
 * Root may read and write whatever modes say. As root this file therefore runs itself once more without that right,
 * and still as root: another user might not be able to read the sources.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fakeClock } from '../support/clock.ts'
import { ventanilla } from '../support/terminal.ts'
import { type BadStart, badStarts, change, diskBytes, occupied } from './bad-start-cases.ts'

/** Linux's CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, as bits and as names. */
const overrides = { bits: 0b110n, names: '-dac_override,-dac_read_search' }

function mayOverrideModes(): boolean {
  if (process.platform !== 'linux') return process.getuid?.() === 0
  const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return (BigInt(`0x${effective}`) & overrides.bits) !== 0n
}

if (mayOverrideModes()) {
  const without = ['--bounding-set', overrides.names, '--inh-caps', overrides.names]
  const again = [process.execPath, ...process.execArgv, import.meta.filename]
  const { status, error } = spawnSync('setpriv', [...without, ...again], { stdio: 'inherit' })
  if (error) throw error
  process.exit(status ?? 1)
}

const root = join(import.meta.dirname, '../..')

const work = mkdtempSync(join(tmpdir(), 'bad-starts-'))

const template = join(work, 'template')

const environment = {
  VENTANILLA_HTTP_PORT: '0',
  VENTANILLA_OPERATOR_PORT: '0',
  VENTANILLA_LOG_LEVEL: 'silent',
  // Only where its port is what is wrong does the public listener begin on a thread of its own.
  VENTANILLA_HTTP_THREADS: process.env.TEST_HTTP_THREADS ?? '0',
}

/** Makes the folder of a case; false where this user may not mount a disk. */
function prepare(start: BadStart, folder: string): boolean {
  mkdirSync(folder)
  if (start.disk && !mount(folder, `size=${diskBytes}`, 'tmpfs')) return false
  cpSync(template, folder, { recursive: true })
  start.prepare?.(folder)
  if (start.disk === 'read-only') return mount(folder, 'remount,ro', 'tmpfs')
  if (start.disk === 'full') fill(join(folder, 'full'))
  return true
}

function mount(place: string, options: string, type: string): boolean {
  return spawnSync('mount', ['-t', type, '-o', options, type, place]).status === 0
}

function fill(path: string): void {
  const descriptor = openSync(path, 'w')
  for (let bytes = 65_536; bytes >= 4096; ) {
    try {
      if (writeSync(descriptor, Buffer.alloc(bytes)) < bytes) bytes /= 2
    } catch {
      bytes /= 2
    }
  }
  closeSync(descriptor)
}

/** In the first page of a database: changes, the field that counts claims, and by which SQLite it was changed last. */
const counters: readonly (readonly [from: number, to: number])[] = [
  [24, 28],
  [60, 64],
  [92, 100],
]

/** What the node must not have touched: everything but its own lock and token, and where it may claim, these counters. */
function contents(folder: string, { claims = false }: { claims?: boolean } = {}): Map<string, string> {
  const kept = /^ventanilla\.db(\.key|-wal)?$/
  const data = join(folder, 'data')
  return new Map(
    readdirSync(data)
      .filter((name) => kept.test(name) && statSync(join(data, name)).isFile())
      // Whoever reads a database that has a log makes an empty one.
      .filter((name) => !name.endsWith('-wal') || statSync(join(data, name)).size > 0)
      .map((name) => {
        const bytes = readFileSync(join(data, name))
        if (claims && name === 'ventanilla.db') for (const [from, to] of counters) bytes.fill(0, from, to)
        return [name, bytes.toString('base64')]
      }),
  )
}

const made = await ventanilla({ cwd: work, env: environment }, 'apply', join(root, 'data/demo.json'))

assert.is(made.code, 0, made.err)

mkdirSync(template)

renameSync(join(work, 'data'), join(template, 'data'))

const whole = contents(template)

await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', () => resolve()))

occupied.unref()

const prepared = badStarts.map((start, number) => {
  const folder = join(work, String(number))
  return { start, folder, isReady: prepare(start, folder) }
})

const noon = Date.UTC(2026, 2, 1, 12)

const late = join(work, 'late')

prepare(
  {
    name: 'a clock that is late',
    code: 0,
    says: '',
    prepare: (folder) => change(folder, `INSERT INTO facts VALUES ('last_seen_at', '${noon}')`),
  },
  late,
)

const disks = prepared.filter(({ start }) => start.disk).map(({ folder }) => folder)

// It clears up when this process has ended, however it ends.
const clearing = 'cat >/dev/null; umount "$@" 2>/dev/null; chmod -R u+rwx "$0"; rm -rf "$0"'

const cleaner = spawn('sh', ['-c', clearing, work, ...disks], { stdio: ['pipe', 'ignore', 'ignore'] })

cleaner.unref()

test.after(() => {
  cleaner.stdin.end()
  occupied.close()
})

for (const { start, folder, isReady } of prepared) {
  if (!isReady) {
    console.log(`SKIP ${start.name}: this user may not mount a disk`)
    continue
  }
  test(`a start with ${start.name} ends with ${start.code}, says why and changes nothing`, async () => {
    const before = start.code === 2 || /may not/.test(start.name) ? null : contents(folder, start)
    const env = { ...environment, ...start.env?.(folder) }
    const { code, err } = await ventanilla({ cwd: folder, env }, 'serve', ...(start.args ?? []))
    const said = err.trimEnd().replaceAll(folder, '@')
    if (typeof start.says === 'string') assert.is(said, start.says)
    else assert.match(said, start.says)
    assert.is(code, start.code)
    if (before !== null) assert.equal(contents(folder, start), before)
  })
}

test('a clock an hour behind what the database has seen stops no start, and says what to do', async () => {
  const clock = fakeClock(noon - 3_600_000)
  const { code, out } = await ventanilla({ cwd: late, env: environment, clock }, 'clock', 'show')
  assert.is(code, 0)
  assert.match(out, /^state +in doubt: nothing expires, and no retry is given up\nbecause/)
})

test('what was made to begin with holds a database and its key', () => {
  assert.equal([...whole.keys()].toSorted(), ['ventanilla.db', 'ventanilla.db.key'])
})

test.run()
