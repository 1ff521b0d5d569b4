/** What the node still has to do: each thing once, in its state, with a link to what it is about. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Queue } from '../../../actors/operations/queue.ts'
import * as queue from '../../../persistence/queries/queue.ts'
import { row } from '../../../persistence/store.ts'
import { type ConsoleWorld, onSqlite, startConsoleWorld, visitorAs } from '../../support/console.ts'
import { planOf } from '../../support/query-plan.ts'

let world: ConsoleWorld

test.before(async () => {
  world = await startConsoleWorld(onSqlite())
})

test.after(() => world.stop())

async function listed(filter: object = {}): Promise<Queue['entries']> {
  return ((await world.ask('queue.list', filter, 'test')) as Queue).entries
}

async function change(id: string, set: object): Promise<void> {
  const { store } = world.node.core
  await store.step({
    rows: { webhook: row('webhooks', { id }) },
    decide: () => ({ answer: null, writes: [{ update: 'webhooks', key: { id }, set }] }),
  })
}

test('a webhook is pending, under way, tried again or dead, and is listed once', async () => {
  const [dead] = await listed({ kind: 'webhook', state: 'dead' })
  assert.ok(dead !== undefined, 'the world has one')
  assert.is(dead.dueAt, null)
  const now = world.node.clock.now()
  // Far from now, so that no worker takes it meanwhile.
  const due_at = now + 86_400_000
  const states = [
    [{ attempts: 0, lease_until_at: null }, 'pending'],
    [{ attempts: 2, lease_until_at: null }, 'retried'],
    [{ attempts: 2, lease_until_at: due_at }, 'leased'],
  ] as const
  for (const [set, state] of states) {
    await change(dead.id, { state: 'pending', settled_at: null, due_at, ...set })
    const found = (await listed({ kind: 'webhook' })).filter(({ id }) => id === dead.id)
    assert.equal(
      found.map((entry) => [entry.state, entry.order, entry.leasedUntil !== null]),
      [[state, dead.order, state === 'leased']],
    )
  }
  await change(dead.id, { state: 'dead', settled_at: now, lease_until_at: null })
})

test('its page counts each state, narrows by kind and state, and links to what it is about', async () => {
  const operator = await visitorAs(world.node, 'operator')
  const { text } = await operator.get('/queue?kind=webhook&state=dead')
  const [dead] = await listed({ kind: 'webhook', state: 'dead' })
  assert.match(text, new RegExp(`href="/webhooks/${dead?.id}"`))
  assert.match(text, new RegExp(`href="/orders/${dead?.order}"`))
  assert.match(text, /data-live-seconds="5"/)
  assert.not.match((await operator.get('/queue?kind=funding')).text, /href="\/webhooks\//)
  assert.is((await (await visitorAs(world.node, 'viewer')).get('/queue')).status, 403)
})

test('no list of it reads what is settled', () => {
  const scans = Object.values(queue).flatMap((statement) =>
    planOf<object, unknown>(statement).filter(
      (line) => /^SCAN \w+$/.test(line) && line !== 'SCAN funding_requests',
    ),
  )
  assert.equal(scans, [])
})

test.run()
