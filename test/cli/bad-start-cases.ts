/** Folders in which a start goes wrong, each with what the node says of it. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export const occupied: Server = createServer()

/** A folder in which a start goes wrong. */
export interface BadStart {
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
export const diskBytes = 3 * 1024 * 1024

/** Writes into the middle of a file, as a disk that fails does. */
function damage(path: string, position: number, bytes: number): void {
  const descriptor = openSync(path, 'r+')
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, position)
  closeSync(descriptor)
}

export function change(folder: string, sql: string): void {
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
  return { [variable]: String(port), VENTANILLA_HTTP_THREADS: '1' }
}

const settingsHint = 'docs/settings.md explains every setting.'

const keyHint = 'A key is made with `head -c 32 /dev/urandom | base64`; a lost key cannot be recreated.'

const restoreHint =
  'It is damaged, or no database. Keep it elsewhere, and restore the last backup: ventanilla restore.'

const outside = 'keys.file: must be the path of an existing file outside the folder of the database'

export const badStarts: readonly BadStart[] = [
  {
    name: 'settings that may not be read',
    code: 2,
    prepare: settings('{}', 0),
    says: `The settings are invalid.\n  ventanilla.json: cannot be read: permission denied\n${settingsHint}`,
  },
  {
    name: 'settings that are not there',
    code: 2,
    args: ['--config', 'other.json'],
    says: `The settings are invalid.\n  other.json: cannot be read: no such file\n${settingsHint}`,
  },
  {
    name: 'settings that are no JSON',
    code: 2,
    prepare: settings('{"http": {"port": 8080,}}'),
    says: `The settings are invalid.\n  ventanilla.json: is not JSON: line 1, column 24\n${settingsHint}`,
  },
  {
    name: 'a setting that nobody knows',
    code: 2,
    prepare: settings('{"http": {"prot": 8080}}'),
    says: `The settings are invalid.
  ventanilla.json: http.prot: unknown setting; did you mean http.port?
${settingsHint}`,
  },
  {
    name: 'a variable that nobody knows',
    code: 2,
    env: () => ({ VENTANILLA_HTTP_PROT: '1' }),
    says: `The settings are invalid.
  VENTANILLA_HTTP_PROT: unknown variable; did you mean VENTANILLA_HTTP_PORT?
${settingsHint}`,
  },
  {
    name: 'a public port in use',
    code: 5,
    env: portInUse('VENTANILLA_HTTP_PORT'),
    says: /^http\.port: 127\.0\.0\.1:\d+: the port is in use\nSet http\.port to another port, or stop what listens there \(ss -ltnp\)\.$/,
  },
  {
    name: 'an operator port in use',
    code: 5,
    claims: true,
    env: portInUse('VENTANILLA_OPERATOR_PORT'),
    says: /^operator\.port: 127\.0\.0\.1:\d+: the port is in use\nSet operator\.port to another port/,
  },
  {
    name: 'an address that this machine does not have',
    code: 5,
    env: () => ({ VENTANILLA_HTTP_HOST: '192.0.2.1', VENTANILLA_HTTP_THREADS: '1' }),
    says: `http.port: 192.0.2.1:0: this machine has no such address
Set http.host to an address of this machine (ip address).`,
  },
  {
    name: 'no master key in production',
    code: 2,
    env: () => ({ VENTANILLA_MODE: 'production' }),
    says: `The settings are invalid.\n  ${outside}; in production it has no default\n${settingsHint}`,
  },
  {
    name: 'a master key in production that is not there',
    code: 2,
    env: () => ({ VENTANILLA_MODE: 'production', VENTANILLA_KEYS_FILE: 'missing.key' }),
    says: `The settings are invalid.
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
        'Put that key back from its copy: it cannot be recreated.$',
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
