/**
 * Three nodes on one PostgreSQL: nodes are killed and frozen, connections are cut, and the server ends as in a power
 * cut and comes back, all of it under load. `node test/durability/several-hosts.ts SECONDS` does it for longer.
 *
 * In a process of its own: its servers and nodes end with it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { openReader } from '../../persistence/index.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { hasPostgres, newPostgresDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { filesOf, Hosts, unheardBy, waitUntilDelivered } from './hosts.ts'
import { problemsIn } from './kept.ts'
import { Load } from './load.ts'
import { seededRandom } from './random.ts'

const seconds = Number(process.argv[2] ?? 12)
const connections = 48
const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]

const random = seededRandom(seconds)
const pick = <Item>(items: readonly Item[]): Item | undefined => items[random.below(items.length)]

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

/** Something happens about once a second, each thing at least once, and for as long as there was hardly any load. */
async function disturb(
  server: PostgresServer,
  hosts: Hosts<Name>,
  load: Load,
): Promise<Record<string, number>> {
  const done = { kills: 0, cuts: 0, restarts: 0, freezes: 0 }
  const end = performance.now() + seconds * 1000
  let frozen: Promise<void> = Promise.resolve()
  const isEnough = () => done.restarts > 0 && done.kills > 0 && load.told.length > seconds * 5
  while (performance.now() < end || !isEnough()) {
    await delay(300 + random.below(900))
    const victim = pick(hosts.wellOnes())
    const what = random.below(10)
    // The longest of them comes first.
    if (victim !== undefined && !hosts.isOneFrozen && (done.freezes === 0 || what === 0)) {
      frozen = hosts.freeze(victim)
      done.freezes++
    } else if (victim !== undefined && (what < 4 || done.kills === 0)) {
      await hosts.kill(victim)
      done.kills++
    } else if (what < 9 && done.restarts * 20 >= done.cuts) {
      await cutConnections(server.url('postgres'))
      done.cuts++
    } else {
      await server.restart()
      done.restarts++
    }
  }
  await frozen
  return done
}

if (hasPostgres('several nodes on PostgreSQL')) {
  test('of fifty starts by two providers over three nodes one wins', async () => {
    const url = await newPostgresDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'race-'))
    const key = generateMasterKey()
    const nodes: TestNode[] = []
    for (const name of names) {
      const { keyFile } = filesOf(join(folder, name), key)
      const env = { VENTANILLA_DATABASE: url, VENTANILLA_KEYS_FILE: keyFile }
      const directory = join(folder, name)
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
    rmSync(folder, { recursive: true, force: true })
  })

  test(`${seconds} s of disturbances lose nothing that was acknowledged`, async () => {
    const server = await startPostgres()
    const url = server.url('postgres')
    const receiver = await startReceiver((response) => response.writeHead(200).end())
    const hosts = new Hosts(url, names)
    const load = new Load(random, `http://127.0.0.1:${receiver.port}/hooks`)
    try {
      await hosts.start()
      let isOver = false
      const running = load.runOver(hosts.list, connections, () => isOver)
      const disturbed = disturb(server, hosts, load)
      const done = await Promise.race([disturbed, running.then(() => Promise.reject(new Error('it ended')))])
      // What was begun goes on without disturbances, and comes to its end.
      await delay(2_000)
      isOver = true
      await running
      assert.is(await waitUntilDelivered(url), 0, 'final webhooks are left')
      for (const [name, files] of hosts.files) assert.equal(await problemsIn(url, files, load.told), [], name)
      const reader = await openReader(url)
      const [term] = await reader.snapshot((query) => query(factByName, { name: 'term:sandbox' }))
      await reader.close()
      assert.ok(Number(term?.value) > 1, 'nobody took over')
      assert.equal(unheardBy(receiver.received, load.told), [], 'final webhooks that did not come')
      const { orders, unsure, resumed } = load.statistics
      console.log(
        `${JSON.stringify(done)}: ${orders} orders, ${load.told.length} acknowledgements, ${unsure} unanswered, ` +
          `${resumed} asked again, ${receiver.received.length} webhooks, ${term?.value} leaders: nothing lost`,
      )
    } finally {
      await hosts.stop()
      await receiver.close()
    }
  })
}

test.run()
