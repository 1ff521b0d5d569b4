/**
 * Three nodes on one PostgreSQL: nodes are killed and frozen, connections are cut, and the server ends as in a power
 * cut and comes back, all of it under load. `node test/durability/several-hosts.ts SECONDS` does it for longer.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { openReader } from '../../persistence/index.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { statement } from '../../persistence/statement.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { hasPostgres, newPostgresDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { problemsIn } from './kept.ts'
import { type Host, Load } from './load.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'
import { seededRandom } from './random.ts'
import type { Told } from './story.ts'

const seconds = Number(process.argv[2] ?? 12)
const connections = 48
/** Longer than a transaction, a leader and a delivery may be silent. */
const freezeMs = 12_000
/** So long a load balancer takes to notice a node that does not answer. */
const noticeMs = 2_000
const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]

const folder = mkdtempSync(join(tmpdir(), 'several-hosts-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const random = seededRandom(seconds)
const pick = <Item>(items: readonly Item[]): Item | undefined => items[random.below(items.length)]

/** Each node has its files for itself, and all have the one key. */
function filesOf(place: string, key: string): { keyFile: string; anchorsFile: string } {
  mkdirSync(place, { recursive: true })
  const keyFile = join(place, 'node.key')
  writeFileSync(keyFile, key, { mode: 0o600 })
  return { keyFile, anchorsFile: `${keyFile}.anchors` }
}

/** Three nodes that are started again whenever they have been killed. */
class Hosts {
  readonly files: Readonly<Record<Name, { keyFile: string; anchorsFile: string }>>
  readonly #url: string
  readonly #running = new Map<Name, Host>()
  readonly #lives = new Map<Name, Promise<void>>()
  readonly #processes = new Map<Name, NodeProcess>()
  readonly #frozen = new Set<Name>()
  #isOver = false

  constructor(url: string) {
    const key = generateMasterKey()
    const at = (name: Name) => filesOf(join(folder, name), key)
    this.files = { a: at('a'), b: at('b'), c: at('c') }
    this.#url = url
  }

  start(): void {
    for (const name of names) this.#lives.set(name, this.#live(name))
  }

  readonly list = (): readonly Host[] => [...this.#running.values()]

  async kill(name: Name): Promise<void> {
    this.#running.delete(name)
    await this.#processes.get(name)?.kill()
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

  /** One that runs, or null while not all do: so many at once are lost nowhere. */
  victim(): Name | null {
    const well = names.filter((name) => this.#running.has(name) && !this.#frozen.has(name))
    return well.length + this.#frozen.size === names.length && well.length > 1 ? (pick(well) ?? null) : null
  }

  get isOneFrozen(): boolean {
    return this.#frozen.size > 0
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const name of names) await this.kill(name)
    await Promise.all(this.#lives.values())
  }

  async #live(name: Name): Promise<void> {
    while (!this.#isOver) {
      const node = startNodeProcess(join(folder, name), {
        VENTANILLA_DATABASE: this.#url,
        VENTANILLA_KEYS_FILE: this.files[name].keyFile,
        VENTANILLA_WEBHOOKS_TIMEOUTSECONDS: '2',
      })
      this.#processes.set(name, node)
      const url = await node.listening
      if (url !== null) this.#running.set(name, { node, url })
      await node.gone
    }
  }
}

async function cutConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE 'ventanilla %' AND random() < 0.3`)
    await client.end()
  } catch {
    // The server itself is away.
  }
}

/** Something happens about once a second, and each thing at least once. */
async function disturb(server: PostgresServer, hosts: Hosts, url: string): Promise<Record<string, number>> {
  const done = { kills: 0, cuts: 0, restarts: 0, freezes: 0 }
  const end = performance.now() + seconds * 1000
  let frozen: Promise<void> = Promise.resolve()
  while (performance.now() < end || done.restarts === 0 || done.kills === 0) {
    await delay(300 + random.below(900))
    const victim = hosts.victim()
    const what = random.below(10)
    // The longest of them comes first.
    if (victim !== null && !hosts.isOneFrozen && (done.freezes === 0 || what === 0)) {
      frozen = hosts.freeze(victim)
      done.freezes++
    } else if (victim !== null && (what < 4 || done.kills === 0)) {
      await hosts.kill(victim)
      done.kills++
    } else if (what < 9 && done.restarts * 20 >= done.cuts) {
      await cutConnections(url)
      done.cuts++
    } else {
      await server.restart()
      done.restarts++
    }
  }
  await frozen
  return done
}

const undelivered = statement<Record<never, never>>()('test.undelivered', ({ db }) =>
  db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('webhooks'))
    .where('is_final', '=', 1)
    .where('state', '<>', 'delivered'),
)

async function waitUntilDelivered(url: string): Promise<number> {
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
function unheardBy(received: readonly { body: string }[], told: readonly Told[]): string[] {
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

if (hasPostgres('several nodes on PostgreSQL')) {
  test('of fifty starts by two providers over three nodes one wins', async () => {
    const url = await newPostgresDatabase()
    const key = generateMasterKey()
    const nodes: TestNode[] = []
    for (const name of names) {
      const { keyFile } = filesOf(join(folder, 'race', name), key)
      const env = { VENTANILLA_DATABASE: url, VENTANILLA_KEYS_FILE: keyFile }
      const directory = join(folder, 'race', name)
      nodes.push(await startTestNode({ env, directory, ...(nodes.length > 0 ? { parties: null } : {}) }))
    }
    const [first] = nodes
    assert.ok(first)
    for (let race = 0; race < 3; race++) {
      const made = await first.request({
        as: 'mk_shop',
        path: '/api/v1/merchants/orders/pay-out/',
        body: payOutBody(),
        at: race,
      })
      const { id } = made.json
      const orders = nodes.map((node) => node.core.orders)
      await first.until(async () => (await orders[0]?.find(id))?.order.status === 'READY')
      const code = (await orders[0]?.find(id))?.order.code
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          nodes[index % 3]?.request({
            as: index % 2 === 0 ? 'pk_a' : 'pk_b',
            path: `/api/v1/providers/orders/pay-out/${code}/start-payment/`,
            body: { network_id: index % 2 === 0 ? '0001' : '0002' },
            at: race * 100 + index,
          }),
        ),
      )
      const statuses = answers.map((answer) => answer?.status)
      assert.is(statuses.filter((status) => status === 200).length, 1, statuses.join(' '))
      assert.ok(statuses.every((status) => status === 200 || status === 400 || status === 409))
    }
    for (const node of nodes) await node.stop()
  })

  test(`${seconds} s of disturbances lose nothing that was acknowledged`, async () => {
    const server = await startPostgres()
    const url = server.url('postgres')
    const receiver = await startReceiver((response) => response.writeHead(200).end())
    const hosts = new Hosts(url)
    const load = new Load(random, `http://127.0.0.1:${receiver.port}/hooks`)
    hosts.start()
    try {
      while (hosts.list().length < names.length) await delay(20)
      let isOver = false
      const running = load.runOver(hosts.list, connections, () => isOver)
      const disturbed = disturb(server, hosts, url)
      const done = await Promise.race([disturbed, running.then(() => Promise.reject(new Error('it ended')))])
      // What was begun goes on without disturbances, and comes to its end.
      await delay(2_000)
      isOver = true
      await running
      assert.is(await waitUntilDelivered(url), 0, 'final webhooks are left')
      for (const name of names) assert.equal(await problemsIn(url, hosts.files[name], load.told), [], name)
      const reader = await openReader(url)
      const [term] = await reader.snapshot((query) => query(factByName, { name: 'term:alarms' }))
      await reader.close()
      assert.ok(Number(term?.value) > 1, 'nobody took over')
      assert.equal(unheardBy(receiver.received, load.told), [], 'final webhooks that did not come')
      const { orders, unsure, resumed } = load.statistics
      console.log(
        `${JSON.stringify(done)}: ${orders} orders, ${load.told.length} acknowledgements, ${unsure} unanswered, ` +
          `${resumed} asked again, ${receiver.received.length} webhooks, ${term?.value} leaders: nothing lost`,
      )
      assert.ok(load.told.length > seconds * 5, 'there was hardly any load')
    } finally {
      await hosts.stop()
      await receiver.close()
    }
  })
}

test.run()
