/** Several nodes on one database, each in a process of its own with files of its own, and what they left undone. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { openReader } from '../../persistence/index.ts'
import { statement } from '../../persistence/statement.ts'
import type { Host } from './load.ts'
import { type NodeProcess, type NodeStart, startNodeProcess } from './node-process.ts'
import type { Told } from './story.ts'

/** Longer than a transaction, a leader and a delivery may be silent. */
const freezeMs = 12_000
/** So long a load balancer takes to notice a node that does not answer. */
const noticeMs = 2_000
/** So long whoever starts a node waits before it tries again what has failed at once. */
const retryMs = 2_000

/** The files a node has beside the database. */
export interface Files {
  keyFile: string
  anchorsFile: string
}

/** Each node has its files for itself, and all have the one key. */
export function filesOf(place: string, key: string): Files {
  mkdirSync(place, { recursive: true })
  const keyFile = join(place, 'node.key')
  writeFileSync(keyFile, key, { mode: 0o600 })
  return { keyFile, anchorsFile: `${keyFile}.anchors` }
}

/** Nodes that are started again whenever they are gone. */
export class Hosts<Name extends string> {
  readonly files = new Map<Name, Files>()
  /** How often one was started. */
  starts = 0
  readonly #folder = mkdtempSync(join(tmpdir(), 'hosts-'))
  readonly #url: string
  readonly #startOf: (name: Name) => NodeStart
  readonly #running = new Map<Name, Host>()
  readonly #lives = new Map<Name, Promise<void>>()
  readonly #processes = new Map<Name, NodeProcess>()
  readonly #frozen = new Set<Name>()
  #isOver = false

  /** @param startOf what is each node's own; nothing is unless said. */
  constructor(url: string, names: readonly Name[], startOf: (name: Name) => NodeStart = () => ({})) {
    this.#startOf = startOf
    const key = generateMasterKey()
    for (const name of names) this.files.set(name, filesOf(join(this.#folder, name), key))
    this.#url = url
  }

  /** Resolves once all of them listen. */
  async start(): Promise<void> {
    for (const name of this.files.keys()) this.#lives.set(name, this.#live(name))
    while (this.#running.size < this.files.size) await delay(20)
  }

  readonly list = (): readonly Host[] => [...this.#running.values()]

  async kill(name: Name): Promise<void> {
    this.#running.delete(name)
    await this.#processes.get(name)?.kill()
  }

  /** Stops one in order, while it is asked; resolves once it has ended. */
  async stopOne(name: Name): Promise<void> {
    await this.#processes.get(name)?.stop()
  }

  /** Stops one where it stands, for so long that all it had is another's. */
  async freeze(name: Name): Promise<void> {
    const host = this.#running.get(name)
    if (host === undefined) return
    host.node.freeze()
    this.#frozen.add(name)
    await delay(noticeMs)
    this.#running.delete(name)
    await delay(freezeMs - noticeMs)
    host.node.thaw()
    this.#frozen.delete(name)
    this.#running.set(name, host)
  }

  /** Those that run; none while not all do: so many at once are lost nowhere. */
  wellOnes(): Name[] {
    const names = [...this.files.keys()]
    const well = names.filter((name) => this.#running.has(name) && !this.#frozen.has(name))
    return well.length + this.#frozen.size === names.length && well.length > 1 ? well : []
  }

  get isOneFrozen(): boolean {
    return this.#frozen.size > 0
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const name of this.files.keys()) await this.kill(name)
    await Promise.all(this.#lives.values())
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #live(name: Name): Promise<void> {
    while (!this.#isOver) {
      const { settings = {}, within = [] } = this.#startOf(name)
      const node = startNodeProcess(join(this.#folder, name), {
        settings: {
          VENTANILLA_DATABASE: this.#url,
          VENTANILLA_KEYS_FILE: this.files.get(name)?.keyFile ?? '',
          VENTANILLA_WEBHOOKS_TIMEOUTSECONDS: '2',
          ...settings,
        },
        within,
      })
      this.starts++
      this.#processes.set(name, node)
      const url = await node.listening
      if (url !== null) this.#running.set(name, { node, url })
      await node.gone
      if (url === null) await delay(retryMs)
      this.#running.delete(name)
    }
  }
}

const undelivered = statement<Record<never, never>>()('test.undelivered', ({ db }) =>
  db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('webhooks'))
    .where('is_final', '=', 1)
    .where('state', '<>', 'delivered'),
)

/** @returns how many final webhooks are left after a minute. */
export async function waitUntilDelivered(url: string): Promise<number> {
  const reader = await openReader(url)
  try {
    for (let attempt = 0; ; attempt++) {
      const [left] = await reader.snapshot((query) => query(undelivered, {}))
      if (left?.webhooks === 0 || attempt > 240) return left?.webhooks ?? 0
      await delay(250)
    }
  } finally {
    await reader.close()
  }
}

const finals: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED'])

/** Orders whose end somebody was told, and the merchant never was. */
export function unheardBy(received: readonly { body: string }[], told: readonly Told[]): string[] {
  const heard = new Set<string>()
  for (const { body } of received) {
    const { id, status } = JSON.parse(body)
    heard.add(`${id} ${status}`)
  }
  return told
    .filter(({ status }) => finals.has(status))
    .map(({ id, status }) => `${id} ${status}`)
    .filter((end) => !heard.has(end))
}
