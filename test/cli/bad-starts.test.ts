/**
 * Bad starts: one line that says what is wrong and what to do, the documented exit code, and nothing lost.
 *
 * Root may read and write whatever modes say. As root this file therefore runs itself once more without that right,
 * and still as root: another user might not be able to read the sources.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fakeClock } from '../support/clock.ts'
import { ventanilla } from '../support/terminal.ts'

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
const occupied: Server = createServer()

const environment = {
  VENTANILLA_HTTP_PORT: '0',
  VENTANILLA_OPERATOR_PORT: '0',
  VENTANILLA_LOG_LEVEL: 'silent',
}

/** A folder in which a start goes wrong. */
interface BadStart {
  /** What is wrong, as the test's name goes on. */
  name: string
  code: number
  /** All that is printed; @ is the folder. */
  says: string | RegExp
  prepare?: (folder: string) => void
  env?: (folder: string) => Record<string, string>
  args?: readonly string[]
  /** A disk of its own. */
  disk?: 'read-only' | 'full'
  /** It comes as far as claiming the database, which counts in its header; nothing else may change. */
  claims?: true
}

const file = (folder: string, ending = '') => join(folder, `data/ventanilla.db${ending}`)
const databaseAt = (place: string) => () => ({ VENTANILLA_DATABASE: `sqlite:${place}` })
/** Room for two databases and little more. */
const diskBytes = 3 * 1024 * 1024

/** Writes into the middle of a file, as a disk that fails does. */
function damage(path: string, position: number, bytes: number): void {
  const descriptor = openSync(path, 'r+')
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, position)
  closeSync(descriptor)
}

function change(folder: string, sql: string): void {
  const database = new Database(file(folder))
  database.exec(sql)
  database.close()
}

/** As whoever was killed leaves it: what was written last is in the log alone. */
function leaveLog(folder: string, sql: string): void {
  const database = new Database(file(folder))
  database.pragma('journal_mode = WAL')
  database.exec(sql)
  for (const ending of ['', '-wal']) copyFileSync(file(folder, ending), file(folder, `${ending}.kept`))
  database.close()
  for (const ending of ['', '-wal']) renameSync(file(folder, `${ending}.kept`), file(folder, ending))
}

function settings(text: string, mode = 0o600): (folder: string) => void {
  return (folder) => writeFileSync(join(folder, 'ventanilla.json'), text, { mode })
}

const portInUse = (variable: string) => () => {
  const { port } = occupied.address() as AddressInfo
  return { [variable]: String(port) }
}

const settingsHint = 'docs/settings.md explains every setting.'
const keyHint = 'A key is made with `head -c 32 /dev/urandom | base64`; a lost one cannot be made again.'
const restoreHint =
  'It is damaged, or no database. Keep it elsewhere, and restore the last backup: ventanilla restore.'
const outside = 'keys.file: must be the path of an existing file outside the folder of the database'

const badStarts: readonly BadStart[] = [
  {
    name: 'settings that may not be read',
    code: 2,
    prepare: settings('{}', 0),
    says: `The settings are not right.\n  ventanilla.json: cannot be read: permission denied\n${settingsHint}`,
  },
  {
    name: 'settings that are not there',
    code: 2,
    args: ['--config', 'other.json'],
    says: `The settings are not right.\n  other.json: cannot be read: no such file\n${settingsHint}`,
  },
  {
    name: 'settings that are no JSON',
    code: 2,
    prepare: settings('{"http": {"port": 8080,}}'),
    says: `The settings are not right.\n  ventanilla.json: is not JSON: line 1, column 24\n${settingsHint}`,
  },
  {
    name: 'a setting that nobody knows',
    code: 2,
    prepare: settings('{"http": {"prot": 8080}}'),
    says: `The settings are not right.
  ventanilla.json: http.prot: unknown setting; did you mean http.port?
${settingsHint}`,
  },
  {
    name: 'a variable that nobody knows',
    code: 2,
    env: () => ({ VENTANILLA_HTTP_PROT: '1' }),
    says: `The settings are not right.
  VENTANILLA_HTTP_PROT: unknown variable; did you mean VENTANILLA_HTTP_PORT?
${settingsHint}`,
  },
  {
    name: 'a public port in use',
    code: 5,
    env: portInUse('VENTANILLA_HTTP_PORT'),
    says: /^http\.port: 127\.0\.0\.1:\d+: the port is in use\nSet http\.port to another one, or stop what listens there \(ss -ltnp\)\.$/,
  },
  {
    name: 'an operator port in use',
    code: 5,
    claims: true,
    env: portInUse('VENTANILLA_OPERATOR_PORT'),
    says: /^operator\.port: 127\.0\.0\.1:\d+: the port is in use\nSet operator\.port to another one/,
  },
  {
    name: 'an address that this machine does not have',
    code: 5,
    env: () => ({ VENTANILLA_HTTP_HOST: '192.0.2.1' }),
    says: `http.port: 192.0.2.1:0: this machine has no such address
Set http.host to an address of this machine (ip address).`,
  },
  {
    name: 'no master key in production',
    code: 2,
    env: () => ({ VENTANILLA_MODE: 'production' }),
    says: `The settings are not right.\n  ${outside}; in production it has no default\n${settingsHint}`,
  },
  {
    name: 'a master key in production that is not there',
    code: 2,
    env: () => ({ VENTANILLA_MODE: 'production', VENTANILLA_KEYS_FILE: 'missing.key' }),
    says: `The settings are not right.
  VENTANILLA_KEYS_FILE: ${outside}, got @/missing.key: no such file
${settingsHint}`,
  },
  {
    name: 'a master key that is gone',
    code: 4,
    claims: true,
    prepare: (folder) => renameSync(file(folder, '.key'), join(folder, 'elsewhere')),
    says: new RegExp(
      '^@/data/ventanilla.db.key: it is missing, and the database was made under master key [0-9a-f]{16}.\n' +
        'Put that key back from where its copy is kept: nobody can make it again.$',
    ),
  },
  {
    name: 'another master key',
    code: 4,
    claims: true,
    prepare: (folder) => writeFileSync(file(folder, '.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`),
    says: new RegExp(
      '^@/data/ventanilla.db.key: This database was made under master key [0-9a-f]{16}, not b9f3b34e1f9d8fb4.\n' +
        'Set keys.file to the key this database was made with.$',
    ),
  },
  {
    name: 'a master key of a bad form',
    code: 4,
    prepare: (folder) => writeFileSync(file(folder, '.key'), 'secret\n'),
    says: `@/data/ventanilla.db.key: A master key is 32 bytes as one line of base64.\n${keyHint}`,
  },
  {
    name: 'a master key that is a folder',
    code: 4,
    prepare: (folder) => {
      rmSync(file(folder, '.key'))
      mkdirSync(file(folder, '.key'))
    },
    says: `@/data/ventanilla.db.key: It cannot be read: it is a folder.\n${keyHint}`,
  },
  {
    name: 'a master key that may not be read',
    code: 4,
    prepare: (folder) => chmodSync(file(folder, '.key'), 0),
    says: new RegExp(
      '^@/data/ventanilla.db.key: It cannot be read: permission denied.\n' +
        'It belongs to user \\d+ and has mode 0. Run as that user, or: chown \\w+ @/data/ventanilla.db.key && ' +
        'chmod 600 @/data/ventanilla.db.key$',
    ),
  },
  {
    name: 'a database below a file',
    code: 3,
    env: databaseAt('data/ventanilla.db/deeper/node.db'),
    says: `database @/data/ventanilla.db/deeper/node.db: @/data/ventanilla.db is a file, not a folder.
Set database to a file in a folder.`,
  },
  {
    name: 'a database that is a folder',
    code: 3,
    env: databaseAt('data'),
    says: 'database @/data: it is a folder.\nSet database to the file in it.',
  },
  {
    name: 'a database where nothing can be made',
    code: 3,
    env: databaseAt('/proc/ventanilla/node.db'),
    says: /^database \/proc\/ventanilla\/node\.db: (user \w+ may not read and write in \/proc|its folder cannot be made: .*)\.\n/,
  },
  {
    name: 'a database in a folder that may not be written',
    code: 3,
    prepare: (folder) => chmodSync(join(folder, 'data'), 0o500),
    says: /^database @\/data\/ventanilla\.db: user \w+ may not read and write in @\/data\.\nRun as the folder's user, give it to \w+ with chown, or set database to another place\.$/,
  },
  {
    name: 'a database in a folder that may not be entered',
    code: 3,
    prepare: (folder) => chmodSync(join(folder, 'data'), 0),
    says: /^database @\/data\/ventanilla\.db: user \w+ may not read and write in @\/data\.\nRun as/,
  },
  {
    name: 'a database that may not be read',
    code: 3,
    prepare: (folder) => chmodSync(file(folder), 0),
    says: /^database @\/data\/ventanilla\.db: user \w+ may not read and write it\.\nIt belongs to user \d+ and has mode 0\./,
  },
  {
    name: 'a database that may not be written',
    code: 3,
    prepare: (folder) => chmodSync(file(folder), 0o400),
    says: /^database @\/data\/ventanilla\.db: user \w+ may not read and write it\.\nIt belongs to user \d+ and has mode 400\./,
  },
  {
    name: 'a lock that may not be read',
    code: 3,
    prepare: (folder) => chmodSync(file(folder, '.lock'), 0),
    says: /^database @\/data\/ventanilla\.db\.lock: user \w+ may not read and write it\.\nIt belongs/,
  },
  {
    name: 'a token file that is a folder',
    code: 3,
    claims: true,
    prepare: (folder) => mkdirSync(file(folder, '.token')),
    says: '@/data/ventanilla.db.token: it cannot be written: it is a folder.\nCheck its folder and the disk.',
  },
  {
    name: 'a damaged header',
    code: 3,
    prepare: (folder) => damage(file(folder), 0, 100),
    says: `database @/data/ventanilla.db: file is not a database. ${restoreHint}`,
  },
  {
    name: 'damaged pages',
    code: 3,
    prepare: (folder) => damage(file(folder), 4096, statSync(file(folder)).size - 4096),
    says: `database @/data/ventanilla.db: database disk image is malformed. ${restoreHint}`,
  },
  {
    name: 'a database that was cut off',
    code: 3,
    prepare: (folder) => truncateSync(file(folder), 20_000),
    says: `database @/data/ventanilla.db: database disk image is malformed. ${restoreHint}`,
  },
  {
    name: 'a database of a later version',
    code: 3,
    prepare: (folder) => change(folder, "INSERT INTO migrations VALUES ('0999-later', 1)"),
    says:
      'database @/data/ventanilla.db: it was changed by a later version (0999-later). ' +
      'Run that version, or restore a backup made before the update.',
  },
  ...[
    ["another program's database", ''],
    ["another program's database that has a log", 'PRAGMA journal_mode = WAL;'],
  ].map(([name = '', first]) => ({
    name,
    code: 3,
    prepare: (folder: string) => {
      rmSync(file(folder))
      change(folder, `${first} CREATE TABLE notes (text TEXT)`)
    },
    says:
      'database @/data/ventanilla.db: it belongs to another program (it has notes, but no migrations). ' +
      'Name another file.',
  })),
  {
    name: "another program's database that was killed before its log was moved",
    code: 3,
    prepare: (folder) => {
      change(folder, 'CREATE TABLE notes (text TEXT); DROP TABLE migrations')
      leaveLog(folder, 'INSERT INTO notes VALUES (1)')
    },
    says: /^database @\/data\/ventanilla\.db: it belongs to another program \(it has \w+, but no migrations\)\./,
  },
  {
    name: 'a disk that can only be read',
    code: 3,
    disk: 'read-only',
    says: `database @/data/ventanilla.db: the disk is read-only, and nobody may write in @/data.
Mount it so that it can be written; a disk that failed is made read-only, and dmesg says so.`,
  },
  {
    name: 'a full disk',
    code: 3,
    disk: 'full',
    says: /^database @\/data\/ventanilla\.db: [\w/ ]+\. The disk is full: \d+ kB are free\. Make room \(df\), then start again; nothing is lost\.$/,
  },
]

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
  assert.match(out, /^state +in doubt: nothing expires, no retry is given up\nbecause/)
})

test('what was made to begin with holds a database and its key', () => {
  assert.equal([...whole.keys()].toSorted(), ['ventanilla.db', 'ventanilla.db.key'])
})

test.run()
