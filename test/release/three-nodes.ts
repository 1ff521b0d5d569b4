/**
 * HAProxy, as its example in docs/deploy has it, before three nodes on one PostgreSQL, itself and behind PgBouncer: under
 * load a node is killed, one is stopped in order, and nothing acknowledged is lost. Any request goes to any node.
 *
 * In a process of its own: its servers and nodes end with it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Hosts, unheardBy, waitUntilDelivered } from '../durability/hosts.ts'
import { problemsIn } from '../durability/kept.ts'
import { Load } from '../durability/load.ts'
import { seededRandom } from '../durability/random.ts'
import { freePort } from '../support/free-port.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { hasProxy, startProxy } from './proxy-programs.ts'

const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]
const connections = 24
/** So many answers are heard before, between and after what happens. */
const answers = 400

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-three-nodes-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** What documents say PgBouncer needs for three nodes: eleven sessions each, and eleven for commands. */
const poolSettings = {
  default_pool_size: '44',
  max_client_conn: '200',
  tcp_keepidle: '4',
  tcp_keepintvl: '2',
  tcp_keepcnt: '3',
}

async function ways(): Promise<readonly { name: string; database: () => Promise<string> }[]> {
  const server = await startPostgres()
  const itself = { name: 'PostgreSQL', database: async () => server.url('postgres') }
  if (!hasPgBouncer('three nodes behind PgBouncer')) return [itself]
  const other = await startPostgres()
  const pooled = async () => (await startPgBouncer(other.url('postgres'), 'session', poolSettings)).url
  return [itself, { name: 'PgBouncer', database: pooled }]
}

/** Each node keeps its port when it is started again, because the proxy knows it by that. */
async function portsOf(): Promise<Record<Name, number>> {
  const ports: Partial<Record<Name, number>> = {}
  for (const name of names) ports[name] = await freePort()
  return ports as Record<Name, number>
}

interface World {
  hosts: Hosts<Name>
  load: Load
  isFailed: Promise<never>
}

/** @returns how many requests were not answered at first, while each thing happened. */
async function disturb({ hosts, load, isFailed }: World): Promise<Record<string, number>> {
  const told: Record<string, number> = {}
  const during = async (what: string, deed: () => Promise<void>) => {
    const before = load.statistics.unsure
    await deed()
    await Promise.race([load.heard(answers), isFailed])
    told[what] = load.statistics.unsure - before
  }
  await during('nothing', async () => {})
  await during('a node is killed', () => hosts.kill('a'))
  await allUp(hosts)
  await during('a node is stopped in order', () => hosts.stopOne('b'))
  await allUp(hosts)
  await during('nothing any more', async () => {})
  return told
}

async function allUp(hosts: Hosts<Name>): Promise<void> {
  while (hosts.list().length < names.length) await delay(50)
  // The proxy looks once a second.
  await delay(1_500)
}

if (hasPostgres('three nodes behind HAProxy') && hasProxy('haproxy')) {
  for (const { name, database } of await ways())
    test(`three nodes on ${name} behind HAProxy: one is killed, one is stopped, and nothing is lost`, async () => {
      const url = await database()
      const receiver = await startReceiver((response) => response.writeHead(200).end())
      const ports = await portsOf()
      const hosts = new Hosts(url, names, (node) => ({
        settings: {
          VENTANILLA_HTTP_PORT: String(ports[node]),
          VENTANILLA_HTTP_TRUSTEDPROXIES: '["127.0.0.1"]',
        },
      }))
      const nodes = names.map((node) => new URL(`http://127.0.0.1:${ports[node]}`))
      const console_ = new URL('http://127.0.0.1:9')
      const load = new Load(seededRandom(names.length), `http://127.0.0.1:${receiver.port}/hooks`)
      let isOver = false
      await hosts.start()
      const proxy = await startProxy('haproxy', join(folder, name), {
        nodes,
        console: console_,
        isPlain: true,
      })
      try {
        await allUp(hosts)
        const behind = () => hosts.list().map((host) => ({ ...host, url: `http://127.0.0.1:${proxy.port}` }))
        const running = load.runOver(behind, connections, () => isOver)
        const isFailed = running.then((): never => {
          throw new Error('it ended')
        })
        const unanswered = await Promise.race([disturb({ hosts, load, isFailed }), isFailed])
        isOver = true
        await running
        assert.is(await waitUntilDelivered(url), 0, 'final webhooks are left')
        for (const [node, files] of hosts.files)
          assert.equal(await problemsIn(url, files, load.told), [], node)
        assert.equal(unheardBy(receiver.received, load.told), [], 'final webhooks that did not come')
        console.log(
          `# ${name}: ${load.statistics.orders} orders, ${load.told.length} acknowledgements; without an answer while ` +
            `${Object.entries(unanswered)
              .map(([what, count]) => `${what}: ${count}`)
              .join(', ')}: nothing lost`,
        )
      } finally {
        isOver = true
        await hosts.stop()
        await proxy.stop()
        await receiver.close()
      }
    })
}

test.run()
