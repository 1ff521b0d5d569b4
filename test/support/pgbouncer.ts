/** PgBouncer for tests: in front of a test's PostgreSQL, on a socket and nothing else. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOfServer, own, tell } from './postgres.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

const port = 6432

/** False, and a line that the runner counts as skipped, where there is none to test with. */
export function hasPgBouncer(what: string): boolean {
  const { error } = spawnSync('pgbouncer', ['--version'], { env })
  if (error === undefined) return true
  console.log(`SKIP ${what}: PgBouncer is not on this machine (Debian: pgbouncer)`)
  return false
}

/** Debian's place for it is not on everybody's path. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

export interface PgBouncer {
  /** URL of a database of the server behind it. */
  url: string
  /** Changes a setting of it while it runs. */
  set(name: string, value: string): Promise<void>
  stop(): void
}

/**
 * Starts one; it ends with this process, or before.
 * @param url a database of a server on a socket.
 */
export async function startPgBouncer(
  url: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const { searchParams, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  own(folder)
  const options = {
    pool_mode: mode,
    listen_addr: '',
    listen_port: String(port),
    unix_socket_dir: folder,
    auth_type: 'any',
    admin_users: 'test',
    logfile: join(folder, 'log'),
    ...settings,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  const databases = `[databases]\n* = host=${searchParams.get('host')} user=${searchParams.get('user')}\n`
  writeFileSync(join(folder, 'ini'), `${databases}[pgbouncer]\n${lines.join('\n')}\n`)
  const args = ['-q', join(folder, 'ini')]
  const bouncer = spawn('pgbouncer', args, { ...accountOfServer(), env, cwd: folder, stdio: 'ignore' })
  bouncer.unref()
  const stop = () => {
    process.off('exit', stop)
    bouncer.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const urlOf = (database: string) => `postgres:///${database}?host=${folder}&port=${port}&user=test`
  const administer = (text: string) => tell(urlOf('pgbouncer'), text)
  for (let attempt = 0; bouncer.exitCode === null && attempt < 12_000; attempt++) {
    try {
      await administer('SHOW VERSION')
      const set = (name: string, value: string) => administer(`SET ${name} = '${value}'`)
      return { url: urlOf(pathname.slice(1)), set, stop }
    } catch {
      await sleep(10)
    }
  }
  throw new Error(`PgBouncer did not start:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
}
