/**
 * Two nodes on a PostgreSQL with a synchronous standby, reached at one address: under load the primary is killed, the
 * standby promoted and the address moved. `node test/durability/fail-over.ts TIMES` does it more often, each time to a
 * new standby. At last the old primary comes back as one, and the address leads to it.
 *
 * In a process of its own: its servers and nodes end with it.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatInstant } from '../../machines/time.ts'
import { systemClock } from '../../node/system-clock.ts'
import { openStore } from '../../persistence/index.ts'
import { OutcomeUnknown } from '../../persistence/store.ts'
import { rejection, write } from '../persistence/rows.ts'
import { type MovingAddress, startMovingAddress } from '../support/moving-address.ts'
import { payOutBody, send } from '../support/node.ts'
import { hasPostgres, type PostgresServer, startPostgres, startStandby, tell } from '../support/postgres.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { Hosts, unheardBy, waitUntilDelivered } from './hosts.ts'
import { problemsIn } from './kept.ts'
import { type Host, Load } from './load.ts'
import { seededRandom } from './random.ts'

const times = Number(process.argv[2] ?? 1)
const connections = 24
/** So many answers come before the primary is killed, and after its standby has its place. */
const answers = 150
/** So long whoever watches the primary takes to be sure. */
const noticeMs = 500

const urlOf = (server: PostgresServer) => server.url('postgres')
const socketOf = (server: PostgresServer) => join(server.folder, '.s.PGSQL.5432')

async function readValue(server: PostgresServer, text: string): Promise<string> {
  const client = new Client({ connectionString: urlOf(server) })
  await client.connect()
  try {
    const { rows } = await client.query<{ value: string }>(text)
    return rows[0]?.value ?? ''
  } finally {
    await client.end()
  }
}

/** A standby that has each commit before it is acknowledged. */
async function addStandby(primary: PostgresServer): Promise<PostgresServer> {
  const standby = await startStandby(primary)
  await tell(urlOf(primary), `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await tell(urlOf(primary), 'SELECT pg_reload_conf()')
  const inSync = `SELECT count(*)::text AS value FROM pg_stat_replication WHERE sync_state = 'sync'`
  while ((await readValue(primary, inSync)) !== '1') await delay(20)
  return standby
}

/** The term of some work that one node does at a time. */
const termOn = async (server: PostgresServer) =>
  Number(await readValue(server, `SELECT value FROM facts WHERE name = 'term:sandbox'`))

/** @returns how long nobody was answered, in ms. */
async function failOver(
  primary: PostgresServer,
  standby: PostgresServer,
  address: MovingAddress,
  { load, isOver }: { load: Load; isOver: () => boolean },
): Promise<number> {
  const term = await termOn(primary)
  primary.kill()
  const diedAt = performance.now()
  await delay(noticeMs)
  await tell(urlOf(standby), 'SELECT pg_promote()')
  address.moveTo(socketOf(standby))
  await load.heard(1)
  const silenceMs = performance.now() - diedAt
  await load.heard(answers)
  while (!isOver() && (await termOn(standby)) <= term) await delay(50)
  return silenceMs
}

const merchant = { as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/' }

/** Creates an order at each node; the answers' statuses, and the orders' ids. */
async function createAtEach(hosts: readonly Host[]): Promise<{ statuses: number[]; ids: string[] }> {
  const made = await Promise.all(
    hosts.map(({ url }) => {
      const expiry = formatInstant(systemClock.now() + 86_400_000)
      return send(url, systemClock, { ...merchant, body: payOutBody({ expiry }) })
    }),
  )
  return { statuses: made.map(({ status }) => status), ids: made.map(({ json }) => json.id) }
}

const readAtEach = (hosts: readonly Host[], id: string) =>
  Promise.all(
    hosts.map(async ({ url }) => {
      const { status } = await send(url, systemClock, { as: merchant.as, path: `${merchant.path}${id}/` })
      return status
    }),
  )

/** A node that starts on an old primary cannot know; but without its standby nothing is acknowledged there. */
async function writeTo(old: PostgresServer): Promise<unknown> {
  const store = await openStore(urlOf(old), { clock: systemClock })
  try {
    return await rejection(write(store, [{ insert: 'facts', values: { name: 'old', value: '' } }]))
  } finally {
    await store.close()
  }
}

/** A primary whose place was taken comes back as if nothing had happened, and the address leads to it. */
async function comeBack(
  old: PostgresServer,
  primary: PostgresServer,
  address: MovingAddress,
  hosts: readonly Host[],
): Promise<void> {
  const { statuses, ids } = await createAtEach(hosts)
  assert.equal(statuses, [201, 201])
  await old.start()
  address.moveTo(socketOf(old))
  assert.equal((await createAtEach(hosts)).statuses, [503, 503], 'it takes orders')
  for (const id of ids) assert.equal(await readAtEach(hosts, id), [503, 503], 'it is believed')
  address.moveTo(socketOf(primary))
  for (const id of ids) assert.equal(await readAtEach(hosts, id), [200, 200])
  assert.equal((await createAtEach(hosts)).statuses, [201, 201])
}

if (hasPostgres('a fail-over of PostgreSQL')) {
  test(`${times} times a standby takes the primary's place, and nothing acknowledged is lost`, async () => {
    let primary = await startPostgres()
    const address = await startMovingAddress(socketOf(primary))
    const receiver = await startReceiver((response) => response.writeHead(200).end())
    const hosts = new Hosts(`postgres://test@127.0.0.1:${address.port}/postgres`, ['a', 'b'])
    const load = new Load(seededRandom(times), `http://127.0.0.1:${receiver.port}/hooks`)
    const silences: number[] = []
    let isOver = false
    try {
      await hosts.start()
      const running = load.runOver(hosts.list, connections, () => isOver)
      const failed = running.then(() => Promise.reject(new Error('it ended')))
      let replaced = primary
      for (let time = 0; time < times; time++) {
        const standby = await addStandby(primary)
        await Promise.race([load.heard(answers), failed])
        silences.push(
          await Promise.race([failOver(primary, standby, address, { load, isOver: () => isOver }), failed]),
        )
        if (replaced !== primary) replaced.end()
        replaced = primary
        primary = standby
      }
      isOver = true
      await running
      await comeBack(replaced, primary, address, hosts.list())
      const written = writeTo(replaced)
      assert.is(await waitUntilDelivered(urlOf(primary)), 0, 'final webhooks are left')
      for (const [name, files] of hosts.files)
        assert.equal(await problemsIn(urlOf(primary), files, load.told), [], name)
      assert.equal(unheardBy(receiver.received, load.told), [], 'final webhooks that did not come')
      assert.instance(await written, OutcomeUnknown)
      assert.is(hosts.starts, 2, 'a node ended')
      const { orders, unsure, resumed } = load.statistics
      console.log(
        `${times} fail-overs, nobody was answered for ${silences.map(Math.round).join(', ')} ms: ${orders} orders, ` +
          `${load.told.length} acknowledgements, ${unsure} unanswered, ${resumed} asked again: nothing lost`,
      )
    } finally {
      isOver = true
      await hosts.stop()
      await receiver.close()
      await address.close()
    }
  })
}

test.run()
