/**
 * `kill -9` of a sandbox while simulations are carried out and while its clock is moved: each simulation is carried out exactly once,
 * and the clock comes to where it was to go, with everything that falls due until then.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxClockAdvance, sandboxClockShow } from '../../actors/sandbox/clock-operations.ts'
import { connect } from '../../cli/connect.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { openSqliteStore, type SqliteStore } from '../../persistence/sqlite/engine.ts'
import { allRows } from '../support/database.ts'
import { payOutBody, send } from '../support/node.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'

const kills = isLargeShare ? 10 : 2
const days = isLargeShare ? 30 : 4
const orders = isLargeShare ? 120 : 30

const folder = mkdtempSync(join(tmpdir(), 'sandbox-kill-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const random = seededRandom(kills)

function newDirectory(): string {
  return mkdtempSync(join(folder, 'node-'))
}

async function listening(node: NodeProcess): Promise<string> {
  const url = await node.listening
  assert.ok(url, 'it did not start')
  return url
}

async function make(url: string, fields: Record<string, unknown>): Promise<string> {
  const path = '/api/v1/merchants/orders/pay-in/'
  const notify_url = 'http://127.0.0.1:9/hooks'
  const made = await send(url, systemClock, {
    as: 'mk_shop',
    path,
    body: payOutBody({ notify_url, ...fields }),
  })
  assert.is(made.status, 201, made.text)
  return made.json.id
}

/** What is in a database that no node has. */
async function stored<Found>(
  directory: string,
  read: (store: SqliteStore) => Promise<Found>,
): Promise<Found> {
  const store = openSqliteStore({ file: join(directory, 'node.db'), clock: systemClock })
  try {
    return await read(store)
  } finally {
    await store.close()
  }
}

test(`killed ${kills} times while simulations fall due, each is carried out exactly once`, async () => {
  const directory = newDirectory()
  const first = startNodeProcess(directory)
  const url = await listening(first)
  const expiry = new Date(systemClock.now() + 3_600_000).toISOString()
  for (let count = 0; count < orders; count++)
    await make(url, { merchant_order_id: `n-${count}-sim-confirm-2`, expiry })
  await first.kill()
  await delay(2_000)
  for (let kill = 0; kill < kills; kill++) {
    const node = startNodeProcess(directory)
    await listening(node)
    await delay(random.below(60))
    await node.kill()
  }
  const last = startNodeProcess(directory)
  await listening(last)
  for (let looks = 0; looks < 1_200; looks++) {
    await delay(100)
    const path = '/api/v1/merchants/orders/pay-in/'
    const { json } = await send((await last.listening) ?? '', systemClock, { as: 'mk_shop', path, query: '' })
    if (json.results?.every(({ status }: { status: string }) => status === 'COMPLETED')) break
  }
  await delay(1_500)
  await last.kill()
  await stored(directory, async (store) => {
    const simulations = await allRows(store, 'simulations')
    assert.is(simulations.length, orders)
    assert.equal(
      simulations.filter(({ settled_at }) => settled_at === null),
      [],
    )
    const journal = (await allRows(store, 'journal')).filter(({ outcome }) => outcome === 'accepted')
    for (const { id, status } of await allRows(store, 'orders')) {
      const told = journal
        .filter((entry) => entry.order_id === id)
        .map(({ event_json }) => JSON.parse(event_json).type)
      assert.is(status, 'COMPLETED')
      for (const type of ['payment.start', 'payment.confirm'])
        assert.is(told.filter((one) => one === type).length, 1, `${id}: ${told.join(', ')}`)
    }
  })
})

test(`killed ${kills} times while its clock is moved by some days, it comes there with all that is due`, async () => {
  const directory = newDirectory()
  const env = {
    VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
    VENTANILLA_KEYS_FILE: join(directory, 'node.db.key'),
  }
  const settings = loadSettings({ cwd: directory, env })
  const begin = async () => {
    const node = startNodeProcess(directory)
    const url = await listening(node)
    return {
      node,
      url,
      operations: await connect(settings, { clock: systemClock, operator: 'ana', mayCreate: false }),
    }
  }
  const first = await begin()
  const now = systemClock.now()
  for (let count = 0; count < 20; count++) {
    const expiry = new Date(now + 3_600_000 * (1 + random.below((days - 1) * 24))).toISOString()
    await make(first.url, { merchant_order_id: `due-${count}`, expiry })
  }
  const begun = await first.operations.perform(sandboxClockAdvance, { by: `${days}d` })
  const to = begun.advancing?.to
  assert.ok(to)
  await delay(random.below(300))
  await first.node.kill()
  let ticks = 0
  for (let kill = 1; kill < kills; kill++) {
    const next = await begin()
    const shown = await next.operations.perform(sandboxClockShow, {})
    assert.ok((shown.advancing?.ticks ?? shown.last?.ticks ?? 0) >= ticks, 'it never goes back')
    ticks = shown.advancing?.ticks ?? shown.last?.ticks ?? 0
    await delay(random.below(300))
    await next.node.kill()
  }
  const last = await begin()
  let shown = await last.operations.perform(sandboxClockShow, {})
  for (let looks = 0; looks < 600 && shown.advancing !== null; looks++) {
    await delay(100)
    shown = await last.operations.perform(sandboxClockShow, {})
  }
  assert.is(shown.last?.to, to)
  assert.ok(shown.now >= to)
  assert.is(shown.last?.cameAbout.ordersExpired, 20)
  await last.node.kill()
  await stored(directory, async (store) => {
    const statuses = (await allRows(store, 'orders')).map(({ status }) => status)
    assert.equal([...new Set(statuses)], ['EXPIRED'])
  })
})

test.run()
