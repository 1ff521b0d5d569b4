/**
 * Three hosts as docs/several-hosts.md has them (Patroni, etcd, HAProxy and a node on each, of Debian's packages, in
 * namespaces of the network), under load: the primary's host dies and comes back; its cable to the others is pulled while
 * its clients still reach it. Nothing acknowledged is lost, nothing is paid twice, and the host comes back by itself. At last
 * the same without synchronous replication, to see what that costs.
 *
 * In a process of its own: its servers and nodes end with it.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatInstant } from '../../machines/time.ts'
import { systemClock } from '../../node/system-clock.ts'
import { openReader } from '../../persistence/index.ts'
import { replication } from '../../persistence/queries/replication.ts'
import { Hosts, unheardBy, waitUntilDelivered } from '../durability/hosts.ts'
import { problemsIn } from '../durability/kept.ts'
import { type Host, Load } from '../durability/load.ts'
import { seededRandom } from '../durability/random.ts'
import { payOutBody, send } from '../support/node.ts'
import { tell } from '../support/postgres.ts'
import { type Receiver, startReceiver } from '../support/webhook-receivers.ts'
import { networkProblem } from './network.ts'
import { type Name, names, PatroniCluster } from './patroni-cluster.ts'

const connections = 6
const answers = 200
/** So long a cable is out: longer than Patroni waits before another takes the lead. */
const cutMs = 40_000

interface World {
  cluster: PatroniCluster
  hosts: Hosts<Name>
  receiver: Receiver
  load: Load
}

function missing(): string | null {
  for (const [program, debian] of [
    ['patroni', 'patroni'],
    ['etcd', 'etcd-server'],
    ['haproxy', 'haproxy'],
    ['setpriv', 'util-linux'],
    ['ip', 'iproute2'],
  ])
    if (spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0)
      return `there is no ${program} here (Debian's package ${debian})`
  return process.getuid?.() === 0 ? networkProblem() : 'root is needed'
}

async function makeWorld(folder: string): Promise<World> {
  const cluster = new PatroniCluster(folder)
  await cluster.start()
  await tell(cluster.url(await cluster.primary(), 'postgres'), 'CREATE DATABASE ventanilla')
  const { clients } = cluster.network.own
  const receiver = await startReceiver((response) => response.writeHead(200).end(), undefined, clients)
  const at = new Map(cluster.network.hosts.map((host) => [host.name, host]))
  const hosts = new Hosts('postgres://postgres@127.0.0.1:5000/ventanilla', names, (name) => ({
    settings: { VENTANILLA_HTTP_HOST: at.get(name)?.address.clients ?? '', VENTANILLA_HTTP_PORT: '8080' },
    within: at.get(name)?.within ?? [],
  }))
  await hosts.start()
  const load = new Load(seededRandom(3), `http://${clients}:${receiver.port}/hooks`)
  return { cluster, hosts, receiver, load }
}

/** Load while something happens; afterwards nothing may be missing anywhere. */
async function under(world: World, happen: (isFailed: Promise<never>) => Promise<void>): Promise<void> {
  const { hosts, load, cluster, receiver } = world
  let isOver = false
  const running = load.runOver(hosts.list, connections, () => isOver)
  const isFailed = running.then((): never => {
    throw new Error('the load ended')
  })
  try {
    await Promise.race([load.heard(answers), isFailed])
    await Promise.race([happen(isFailed), isFailed])
    await Promise.race([load.heard(answers), isFailed])
  } finally {
    isOver = true
  }
  await running
  const url = cluster.url(await cluster.primary())
  assert.is(await waitUntilDelivered(url), 0, 'final webhooks are left')
  for (const [name, files] of hosts.files) assert.equal(await problemsIn(url, files, load.told), [], name)
  assert.equal(unheardBy(receiver.received, load.told), [], 'final webhooks that did not come')
}

function toldOf(world: World, what: string, silenceMs: number): void {
  const { orders, unsure, resumed } = world.load.statistics
  console.log(
    `# ${what}: nobody was answered for ${(silenceMs / 1000).toFixed(1)} s; so far ${orders} orders, ` +
      `${world.load.told.length} acknowledgements, ${unsure} unanswered, ${resumed} asked again: nothing lost`,
  )
}

/** The longest time without an answer until it settles. */
async function silence(load: Load, deed: () => Promise<void>): Promise<number> {
  let last = performance.now()
  let longest = 0
  let count = load.told.length
  const look = setInterval(() => {
    const now = performance.now()
    if (load.told.length !== count) {
      count = load.told.length
      last = now
    }
    longest = Math.max(longest, now - last)
  }, 50)
  await deed()
  clearInterval(look)
  return longest
}

/** An order at one host's node; its id where that acknowledged it. */
async function createAt({ url }: Host): Promise<string | null> {
  const expiry = formatInstant(systemClock.now() + 86_400_000)
  const path = '/api/v1/merchants/orders/pay-out/'
  try {
    const signal = AbortSignal.timeout(2_000)
    const { status, json } = await send(url, systemClock, {
      as: 'mk_shop',
      path,
      body: payOutBody({ expiry }),
      signal,
    })
    return status === 201 ? json.id : null
  } catch {
    return null
  }
}

/** What `doctor` looks at. */
async function followed(
  cluster: PatroniCluster,
): Promise<{ standbys: number; synchronous: string } | undefined> {
  const reader = await openReader(cluster.url(await cluster.primary()))
  try {
    const [found] = await reader.snapshot((query) => query(replication, {}))
    return found
  } finally {
    await reader.close()
  }
}

const hostOf = ({ cluster, hosts }: World, name: Name): Host => {
  const address = cluster.network.hosts.find((host) => host.name === name)?.address.clients ?? ''
  const found = hosts.list().find(({ url }) => url.includes(`//${address}:`))
  assert.ok(found, `no node on ${name}`)
  return found
}

const why = missing()
if (why !== null) {
  console.log(`SKIP three hosts with Patroni: ${why}`)
} else {
  const folder = mkdtempSync('/dev/shm/ventanilla-patroni-')
  chmodSync(folder, 0o711)
  let world: World

  test('the cluster comes up, and a node on each of its hosts', async () => {
    world = await makeWorld(folder)
    assert.is(world.hosts.list().length, names.length)
  })
  test.after(async () => {
    await world?.hosts.stop()
    await world?.receiver.close()
    world?.cluster.end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the host of the primary dies: another is promoted, nothing is lost, and it comes back by itself', async () => {
    const { cluster, load } = world
    let silenceMs = 0
    await under(world, async (isFailed) => {
      const victim = await cluster.primary()
      silenceMs = await silence(load, async () => {
        cluster.network.powerOff(victim)
        while ((await cluster.primaries()).length === 0) await delay(200)
        await Promise.race([load.heard(1), isFailed])
      })
      cluster.startHost(victim)
      await cluster.whole()
      assert.is.not(await cluster.primary(), victim)
    })
    toldOf(world, 'the host of the primary died', silenceMs)
  })

  test('the primary is cut off from the others and not from its clients: nothing it did alone is acknowledged', async () => {
    const { cluster, load } = world
    let silenceMs = 0
    await under(world, async (isFailed) => {
      const victim = await cluster.primary()
      silenceMs = await silence(load, async () => {
        cluster.network.pull(victim, 'cluster')
        const until = performance.now() + cutMs
        while (performance.now() < until) {
          const isAlone = await cluster.claims(victim)
          const others = (await cluster.primaries()).filter((name) => name !== victim)
          assert.not.ok(isAlone && others.length > 0, 'two are the primary')
          await delay(500)
        }
        await Promise.race([load.heard(1), isFailed])
      })
      cluster.network.plug(victim, 'cluster')
      await cluster.whole()
      assert.is.not(await cluster.primary(), victim)
    })
    toldOf(world, 'the primary was cut off', silenceMs)
  })

  test('a standby is cut off: the other one is enough', async () => {
    const { cluster, load } = world
    let silenceMs = 0
    await under(world, async (isFailed) => {
      const primary = await cluster.primary()
      const victim = names.find((name) => name !== primary) ?? primary
      silenceMs = await silence(load, async () => {
        cluster.network.pull(victim, 'cluster')
        await Promise.race([load.heard(answers), isFailed])
        await delay(10_000)
      })
      cluster.network.plug(victim, 'cluster')
      await cluster.whole()
      assert.is(await cluster.primary(), primary)
    })
    toldOf(world, 'a standby was cut off', silenceMs)
  })

  test('without synchronous replication what the old primary acknowledged is lost, and doctor says before that it can be', async () => {
    const { cluster } = world
    assert.is.not((await followed(cluster))?.synchronous, '')
    await cluster.configure({ synchronous_mode: false, synchronous_mode_strict: false })
    await cluster.whole(false)
    await delay(5_000)
    assert.equal(await followed(cluster), { standbys: 2, synchronous: '' })
    const victim = await cluster.primary()
    const old = hostOf(world, victim)
    cluster.network.pull(victim, 'cluster')
    const acknowledged: string[] = []
    const until = performance.now() + cutMs
    while (performance.now() < until) {
      const id = await createAt(old)
      if (id !== null) acknowledged.push(id)
      else await delay(100)
    }
    cluster.network.plug(victim, 'cluster')
    await cluster.whole(false)
    const other = hostOf(world, await cluster.primary())
    const statuses: number[] = []
    for (const id of acknowledged) {
      const path = `/api/v1/merchants/orders/pay-out/${id}/`
      const { status } = await send(other.url, systemClock, { as: 'mk_shop', path })
      statuses.push(status)
    }
    const lost = statuses.filter((status) => status === 404).length
    console.log(
      `# without synchronous replication: ${acknowledged.length} acknowledged by who was cut off, ${lost} of them lost`,
    )
    // So young that no anchor knows of it: nobody can tell afterwards, so doctor says it before.
    assert.ok(lost > 0, 'nothing was lost: the walk shows nothing')
  })
}

test.run()
