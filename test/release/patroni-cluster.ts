/**
 * Three hosts with Patroni, etcd and HAProxy on each, of Debian's packages, as docs/several-hosts.md has them; each is a
 * namespace of the network. All of it ends with the process.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accountOfServer, own } from '../support/postgres.ts'
import { type HostNetwork, makeNetwork, type NetworkHost } from './network.ts'

export const names = ['a', 'b', 'c'] as const
export type Name = (typeof names)[number]

/** The document's block between two lines of three backticks that has the text. */
function documented(text: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/several-hosts.md'), 'utf8')
  const block = page.split(/^```.*$/m).find((one, index) => index % 2 === 1 && one.includes(text))
  if (block === undefined) throw new Error(`docs/several-hosts.md has no block with ${text}`)
  return block
}

const run = promisify(execFile)
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

interface Member {
  host: NetworkHost<Name>
  folder: string
  /** What runs on it, by the name of its log. */
  commands: Readonly<Record<string, readonly string[]>>
}

export class PatroniCluster {
  readonly network: HostNetwork<Name>
  readonly #folder: string
  readonly #members: ReadonlyMap<Name, Member>

  constructor(folder: string) {
    this.#folder = folder
    this.network = makeNetwork(names)
    const members = this.network.hosts.map((host): [Name, Member] => [host.name, this.#memberOn(host)])
    this.#members = new Map(members)
  }

  /** Resolves once there is a primary, and each other follows it. */
  async start(): Promise<void> {
    for (const name of names) this.startHost(name)
    await this.whole()
  }

  startHost(name: Name): void {
    const { commands, folder } = this.#member(name)
    for (const [title, [program = '', ...args]] of Object.entries(commands)) {
      const log = openSync(join(folder, `${title}.log`), 'a')
      spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', log, log] }).unref()
      closeSync(log)
    }
  }

  /** Whether a host's own Patroni says to its own HAProxy that it is the primary, whoever else can hear it. */
  async claims(name: Name): Promise<boolean> {
    const [program = '', ...args] = this.#member(name).host.within
    const ask = [
      'curl',
      '-s',
      '-m',
      '1',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      `http://${this.#api(name)}/primary`,
    ]
    const { stdout } = await run(program, [...args, ...ask]).catch(() => ({ stdout: '' }))
    return stdout === '200'
  }

  /** @returns who says that it is the primary, as HAProxy asks. */
  async primaries(): Promise<Name[]> {
    return this.#saying('primary')
  }

  async primary(): Promise<Name> {
    return (await this.#until('a primary', async () => (await this.primaries())[0])) as Name
  }

  /** Resolves once one is the primary, two follow it, and one of them in step where that is asked. */
  async whole(inStep = true): Promise<void> {
    await this.#until('a whole cluster', async () => {
      const [primary, replicas, synchronous] = await Promise.all([
        this.#saying('primary'),
        this.#saying('replica'),
        this.#saying('synchronous'),
      ])
      return (
        (primary.length === 1 && replicas.length === 2 && (!inStep || synchronous.length > 0)) || undefined
      )
    })
  }

  /** Changes the cluster's own configuration, as `patronictl edit-config` does. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await fetch(`http://${this.#api(await this.primary())}/config`, {
      method: 'PATCH',
      body: JSON.stringify(settings),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  /** Of the database on one host, from here. */
  url(name: Name, database = 'ventanilla'): string {
    return `postgres://postgres@${this.#member(name).host.address.cluster}:5432/${database}`
  }

  logOf(name: Name, lines = 15): string {
    const text = readFileSync(join(this.#folder, name, 'patroni.log'), 'utf8')
    return text.trimEnd().split('\n').slice(-lines).join('\n')
  }

  end(): void {
    for (const name of names) this.network.powerOff(name)
  }

  #api(name: Name): string {
    return `${this.#member(name).host.address.cluster}:8008`
  }

  #member(name: Name): Member {
    const member = this.#members.get(name)
    if (member === undefined) throw new Error(`${name} is no host`)
    return member
  }

  async #saying(what: 'primary' | 'replica' | 'synchronous'): Promise<Name[]> {
    const said = await Promise.all(
      names.map(async (name) => {
        try {
          const signal = AbortSignal.timeout(1_000)
          const { status } = await fetch(`http://${this.#api(name)}/${what}`, { signal })
          return status === 200
        } catch {
          return false
        }
      }),
    )
    return names.filter((_, index) => said[index])
  }

  async #until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    const deadline = performance.now() + 120_000
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (performance.now() > deadline)
        throw new Error(
          `no ${what} within two minutes:\n${names.map((name) => this.logOf(name)).join('\n--\n')}`,
        )
      await delay(250)
    }
  }

  #memberOn(host: NetworkHost<Name>): Member {
    const folder = join(this.#folder, host.name)
    mkdirSync(folder, { mode: 0o700 })
    own(folder)
    const { uid = 0, gid = 0 } = accountOfServer()
    const as = [...host.within, 'setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const write = (name: string, text: string) => {
      const file = join(folder, name)
      writeFileSync(file, text)
      own(file)
      return file
    }
    const patroni = write('patroni.json', JSON.stringify(patroniSettings(host, this.network, folder)))
    const haproxy = write('haproxy.cfg', haproxySettings(this.network))
    const commands = {
      etcd: [...as, ...etcdCommand(host, this.network, folder)],
      patroni: [...as, 'patroni', patroni],
      haproxy: [...as, 'haproxy', '-db', '-f', haproxy],
    }
    return { host, folder, commands }
  }
}

const clientPort = 2379
const peerPort = 2380

function etcdCommand(
  { name, address }: NetworkHost<Name>,
  { hosts }: HostNetwork<Name>,
  folder: string,
): string[] {
  const peer = (host: NetworkHost<Name>) => `http://${host.address.cluster}:${peerPort}`
  const client = `http://${address.cluster}:${clientPort}`
  const cluster = hosts.map((host) => `${host.name}=${peer(host)}`).join(',')
  const mine = `http://${address.cluster}:${peerPort}`
  return [
    'etcd',
    ...['--name', name, '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', mine, '--initial-advertise-peer-urls', mine],
    ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
  ]
}

/** JSON is YAML, too. */
function patroniSettings({ name, address }: NetworkHost<Name>, { hosts }: HostNetwork<Name>, folder: string) {
  const trusted = ['local all all trust', 'host all all all trust', 'host replication all all trust']
  return {
    scope: 'ventanilla',
    name,
    restapi: { listen: `${address.cluster}:8008`, connect_address: `${address.cluster}:8008` },
    etcd3: { hosts: hosts.map((host) => `${host.address.cluster}:${clientPort}`) },
    bootstrap: {
      dcs: {
        ...documentedSettings(),
        postgresql: {
          use_pg_rewind: true,
          parameters: { ...documentedParameters(), max_connections: 100, shared_buffers: '64MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1,${address.cluster}:5432`,
      connect_address: `${address.cluster}:5432`,
      data_dir: join(folder, 'data'),
      bin_dir: programs(),
      pgpass: join(folder, 'pgpass'),
      pg_hba: trusted,
      parameters: { unix_socket_directories: folder },
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
    },
  }
}

function programs(): string {
  const { stdout } = spawnSync('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | tail -n 1'], {
    encoding: 'utf8',
  })
  return stdout.trim()
}

/** `synchronous_mode: true` and its like, as the document says them. */
function documentedSettings(): Record<string, boolean | number> {
  const found = [...documented('synchronous_mode: true').matchAll(/^(\w+): (true|\d+)\b/gm)]
  if (found.length !== 5) throw new Error('docs/several-hosts.md: five settings of Patroni are expected')
  return Object.fromEntries(found.map(([, name, value]) => [name ?? '', value === 'true' || Number(value)]))
}

function documentedParameters(): Record<string, string> {
  const found = [...documented('synchronous_mode: true').matchAll(/^ {4}(\w+): "(\w+)"/gm)]
  if (found.length !== 1) throw new Error('docs/several-hosts.md: one parameter of PostgreSQL is expected')
  return Object.fromEntries(found.map(([, name, value]) => [name ?? '', value ?? '']))
}

/** The document's, with these hosts. */
function haproxySettings({ hosts }: HostNetwork<Name>): string {
  let text = documented('listen postgres')
  for (const [index, { address }] of hosts.entries())
    text = text.replaceAll(`10.0.0.${index + 1}:`, `${address.cluster}:`)
  return text
}
