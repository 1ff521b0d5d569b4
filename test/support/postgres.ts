/**
 * PostgreSQL for tests: a server of the machine's package in a temporary folder, on a socket and nothing else, for
 * as long as the process lives. Databases are copies of one whose tables were made once.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { openStore } from '../../persistence/index.ts'

/** Set by who runs many test files on one server. */
const sharedServer = 'VENTANILLA_TEST_POSTGRES'

export interface PostgresServer {
  /** URL of a database of this server. */
  url(database: string): string
  /** The folder of its socket. */
  folder: string
  /** Ends it as a power cut would, and starts it again. */
  restart(): Promise<void>
  /** Kills all its processes (`kill -9`). */
  kill(): void
  /** Starts one that was killed. */
  start(): Promise<void>
  /** Ends it for good, with its files, before this process does. */
  end(): void
  pid(): number
}

/** Where the server's programs are; `null` where it is not installed. */
function postgresPrograms(): string | null {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed) : []
  versions.sort((a, b) => Number(b) - Number(a))
  const folders = [
    ...versions.map((version) => join(installed, version, 'bin')),
    '/usr/local/pgsql/bin',
    '/usr/bin',
  ]
  return (
    folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))) ??
    null
  )
}

/** False, and a line that the runner counts as skipped, where there is no server to test with. */
export function hasPostgres(what: string): boolean {
  if (process.env[sharedServer] !== undefined || postgresPrograms() !== null) return true
  console.log(`SKIP ${what}: PostgreSQL is not on this machine (Debian: postgresql)`)
  return false
}

/** Neither the server nor its pooler runs as root. */
export function accountOfServer(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  return uid > 0 && gid > 0 ? { uid, gid } : { uid: 65534, gid: 65534 }
}

/** A new data folder costs two seconds, so one is kept for all runs and copied. */
function templateFolder(programs: string): string {
  const { uid = process.getuid?.() ?? 0 } = accountOfServer()
  const version = programs.replaceAll(/\D/g, '')
  const kept = join(tmpdir(), `ventanilla-postgres-${version}-${uid}`)
  if (existsSync(kept)) return kept
  const draft = `${kept}.${randomUUID()}`
  mkdirSync(draft, { mode: 0o700 })
  own(draft)
  const options = ['-D', draft, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']
  const made = spawnSync(join(programs, 'initdb'), options, {
    ...accountOfServer(),
    cwd: tmpdir(),
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb: ${made.stdout}${made.stderr}${made.error ?? ''}`)
  try {
    renameSync(draft, kept)
  } catch {
    // Another process was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  return kept
}

/** Makes a file or folder the account's. */
export function own(path: string): void {
  const { uid, gid } = accountOfServer()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** In memory where there is room, so that no test waits for a disk to promise what nobody keeps. */
function roomyFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 ** 30 ? memory : tmpdir()
}

/**
 * Starts a server; it ends with this process.
 * @param parent where its files are: a measurement wants a disk.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  parent: string = roomyFolder(),
): Promise<PostgresServer> {
  return startFrom(copyTemplate, settings, parent)
}

/** Starts a server that follows another one, and may be promoted (`SELECT pg_promote()`). */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  return startFrom(
    (programs, data) => {
      const from = ['-h', primary.folder, '-U', 'test', '-D', data]
      const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
      const options = { ...accountOfServer(), cwd: primary.folder, encoding: 'utf8' } as const
      const copied = spawnSync(join(programs, 'pg_basebackup'), [...from, ...how], options)
      if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}${copied.error ?? ''}`)
    },
    {},
    roomyFolder(),
  )
}

function copyTemplate(programs: string, data: string): void {
  const template = templateFolder(programs)
  const copied = spawnSync('cp', ['-a', template, data])
  if (copied.status !== 0) cpSync(template, data, { recursive: true, preserveTimestamps: true })
}

async function startFrom(
  makeData: (programs: string, data: string) => void,
  settings: Readonly<Record<string, string>>,
  parent: string,
): Promise<PostgresServer> {
  const programs = postgresPrograms()
  if (programs === null) throw new Error('PostgreSQL is not on this machine')
  const folder = mkdtempSync(join(parent, 'postgres-'))
  own(folder)
  const data = join(folder, 'data')
  makeData(programs, data)
  const options = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    shared_buffers: '64MB',
    // A test's databases are many and short: nothing of them is worth cleaning.
    autovacuum: 'off',
    deadlock_timeout: '100ms',
    ...settings,
  }
  const args = ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let server = await launch(join(programs, 'postgres'), args, folder)
  const stop = (how: 'immediate' | 'fast') => {
    const pgCtl = ['stop', '-D', data, '-m', how, '-w', '-s']
    spawnSync(join(programs, 'pg_ctl'), pgCtl, { ...accountOfServer(), cwd: folder })
  }
  const end = () => {
    process.off('exit', end)
    stop('immediate')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  const start = async () => {
    server = await launch(join(programs, 'postgres'), args, folder)
  }
  return {
    folder,
    url: (database) => `postgres:///${database}?host=${folder}&user=test`,
    pid: () => server,
    async restart() {
      stop('immediate')
      await start()
    },
    kill: () => killWithChildren(server),
    start,
    end,
  }
}

/** Each process of the server leads a group of its own. */
function killWithChildren(pid: number): void {
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  const all = [pid, ...children.stdout.trim().split(/\s+/).map(Number)]
  // All stand still before any dies, as on a host that is gone: who outlives the first one for a moment gives up waiting
  // for the standby, and shows others what it does not have.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
    for (const each of all) {
      try {
        process.kill(each, signal)
      } catch {
        // It has ended by itself meanwhile.
      }
    }
  }
}

async function launch(program: string, args: readonly string[], folder: string): Promise<number> {
  // Not a pipe: it would keep this process from ending.
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, args, { ...accountOfServer(), cwd: folder, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  for (let attempt = 0; child.pid !== undefined && child.exitCode === null && attempt < 12_000; attempt++) {
    const client = new Client({ host: folder, user: 'test', database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return child.pid
    } catch {
      await sleep(10)
    }
  }
  throw new Error(`PostgreSQL did not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}

let shared: Promise<Pick<PostgresServer, 'url'>> | undefined
let template: Promise<string> | undefined

/** The one server of this process, or of the whole run. */
export function testServer(): Promise<Pick<PostgresServer, 'url'>> {
  const given = process.env[sharedServer]
  shared ??=
    given === undefined
      ? startPostgres()
      : Promise.resolve({ url: (database) => given.replace('/postgres?', `/${database}?`) })
  return shared
}

let administrators: Promise<Pool> | undefined

async function administer(text: string): Promise<void> {
  administrators ??= openAdministrators()
  await (await administrators).query(text)
}

/** One session for all of it: the first statements of a session cost five times as much as those that follow. */
async function openAdministrators(): Promise<Pool> {
  const connectionString = (await testServer()).url('postgres')
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // It was lost with a server that was started anew: the next statement gets another.
  pool.on('error', () => {})
  return pool
}

/** Has one statement done, on a connection of its own. */
export async function tell(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** A database of its own, with the tables of this version and nothing in them. Returns its URL. */
export async function newPostgresDatabase(): Promise<string> {
  template ??= makeTemplate()
  return create(`TEMPLATE ${await template}`)
}

/** A database without any tables. */
export async function emptyPostgresDatabase(): Promise<string> {
  return create('')
}

async function create(how: string): Promise<string> {
  const name = `t${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} ${how}`)
  return (await testServer()).url(name)
}

/** A database as another is now. Whoever has that open loses the connections for a moment, and nothing else. */
export async function copyPostgresDatabase(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1)
  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  try {
    for (let attempt = 1; ; attempt++) {
      await administer(
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      )
      try {
        return await create(`TEMPLATE ${name}`)
      } catch (error) {
        // One that was being made is seen the next time.
        if (attempt === 3) throw error
      }
    }
  } finally {
    await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  }
}

export async function dropPostgresDatabase(url: string): Promise<void> {
  await administer(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}

async function makeTemplate(): Promise<string> {
  const url = await emptyPostgresDatabase()
  const store = await openStore(url, { clock: { now: () => 0 } })
  await store.close()
  return new URL(url).pathname.slice(1)
}
