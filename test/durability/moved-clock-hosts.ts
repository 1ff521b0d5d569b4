/**
 * Nodes on one PostgreSQL share the clock of their sandbox: whichever is asked to move it, what falls due comes about once, all of them
 * come to the same time, one that starts later begins with it, and where the one stops that moves it another one goes on.
 *
 * In a process of its own: its server ends with it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import type { SandboxClockDocument } from '../../actors/sandbox/clock-operations.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { fakeClock } from '../support/clock.ts'
import { dispatchOf } from '../support/console.ts'
import { allRows } from '../support/database.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { hasPostgres, newPostgresDatabase } from '../support/postgres.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { filesOf } from './hosts.ts'

const hourMs = 3_600_000
/** Of the world: it stands still, so that the sandbox's clocks are compared to the millisecond. */
const clock = fakeClock()
const folder = mkdtempSync(join(tmpdir(), 'moved-clock-'))
const key = generateMasterKey()
test.after(() => rmSync(folder, { recursive: true, force: true }))

function startOn(url: string, name: string, isFirst = false): Promise<TestNode> {
  const directory = join(folder, name)
  const { keyFile } = filesOf(directory, key)
  const env = { VENTANILLA_DATABASE: url, VENTANILLA_KEYS_FILE: keyFile }
  return startTestNode({ env, directory, clock, ...(isFirst ? {} : { parties: null }) })
}

async function ask(node: TestNode, name: string, input: object = {}): Promise<SandboxClockDocument> {
  return (await dispatchOf(node)(`sandbox.clock.${name}`, input, 'ana')) as SandboxClockDocument
}

/** Until every one of them has the clock there. */
async function allArrive(nodes: readonly TestNode[], at: number): Promise<void> {
  for (let looks = 0; looks < 900; looks++) {
    const shown = await Promise.all(nodes.map((node) => ask(node, 'show')))
    if (shown.every(({ advancing, now }) => advancing === null && Date.parse(now) === at)) return
    await delay(100)
  }
  assert.equal(
    nodes.map((node) => new Date(node.core.clock.now()).toISOString()),
    nodes.map(() => new Date(at).toISOString()),
  )
}

/** How each order has ended, and how long behind the beginning; once, or it is there twice. */
async function endsOf({ core }: TestNode, begin: number) {
  const journal = (await allRows(core.store, 'journal')).filter(({ outcome }) => outcome === 'accepted')
  const ends = journal.filter(({ to_status: to }) => to === 'EXPIRED' || to === 'COMPLETED')
  return ends.map(({ order_id, entry_at, to_status }) => [order_id, to_status, entry_at - begin] as const)
}

/** How many nodes have had all that one does at a time. */
async function termOf({ core }: TestNode): Promise<number> {
  const [term] = await core.store.query(factByName, { name: 'term:sandbox' })
  return Number(term?.value)
}

if (hasPostgres('nodes that share the clock of a sandbox')) {
  test('whichever node is asked, the clock of all of them is moved, and what is due comes about once', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200).end())
    const url = await newPostgresDatabase()
    const [a, b] = [await startOn(url, 'a', true), await startOn(url, 'b')]
    const living = [a, b]
    const payIn = async (hours: number, merchant_order_id: string) => {
      const expiry = new Date(a.core.clock.now() + hours * hourMs).toISOString()
      const notify_url = `http://127.0.0.1:${receiver.port}/hooks`
      const made = await a.request({
        ...{ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-in/' },
        body: payOutBody({ notify_url, expiry, merchant_order_id }),
      })
      assert.is(made.status, 201, made.text)
      return made.json.id as string
    }
    const begin = a.core.clock.now()
    const due = new Map<string, number>()
    for (const hours of [1, 5, 5, 11, 20, 30, 40]) due.set(await payIn(hours, `due-${due.size}`), hours)
    const simulated = await payIn(90, 'due-sim-confirm-7200')
    try {
      // Each of the first two is asked, and one of both moves it.
      await ask(b, 'advance', { by: '6h' })
      await allArrive(living, begin + 6 * hourMs)
      await ask(a, 'advance', { by: '6h' })
      await allArrive(living, begin + 12 * hourMs)

      const c = await startOn(url, 'c')
      living.push(c)
      assert.is(c.core.clock.now(), begin + 12 * hourMs)

      // One of these two moves it: each of them stops on the way, and whoever is left comes there.
      const term = await termOf(c)
      let to = begin + 12 * hourMs
      for (const gone of [a, b]) {
        to += 15 * hourMs
        await ask(c, 'advance', { by: '15h' })
        await delay(150)
        await gone.stop()
        living.splice(living.indexOf(gone), 1)
        await allArrive(living, to)
      }
      assert.ok((await termOf(c)) > term, 'nobody took over')
      const expired = [...due].map(([id, hours]) => [id, 'EXPIRED', hours * hourMs] as const)
      const all = [...expired, [simulated, 'COMPLETED', 2 * hourMs] as const]
      assert.equal((await endsOf(c, begin)).toSorted(), all.toSorted())
      const simulations = await allRows(c.core.store, 'simulations')
      assert.is(simulations.filter(({ settled_at }) => settled_at !== null).length, 1)
      const webhooks = await allRows(c.core.store, 'webhooks')
      const delivered = webhooks.filter(({ state }) => state === 'delivered').map(({ id }) => id)
      assert.ok(delivered.length > due.size)
      assert.equal(
        receiver.received.map(({ headers }) => headers['webhook-id']).toSorted(),
        delivered.toSorted(),
      )
    } finally {
      for (const node of living) await node.stop()
      await receiver.close()
    }
  })
}

test.run()
