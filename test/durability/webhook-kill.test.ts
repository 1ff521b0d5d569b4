/**
 * `kill -9` while two hundred webhooks are under way: each arrives at least once, in the order of its order, and
 * every attempt is counted. `node test/durability/webhook-kill.test.ts KILLS` kills more often.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TableName } from '../../persistence/schema.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import type { Row } from '../../persistence/store.ts'
import { type Receiver, startReceiver } from '../support/webhook-receivers.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'

const kills = Number(process.argv[2] ?? (isLargeShare ? 6 : 3))
const receiverCount = 6
const minuteMs = 60_000

const folder = mkdtempSync(join(tmpdir(), 'webhook-kill-'))
const file = join(folder, 'node.db')
const random = seededRandom(kills)
const receivers: Receiver[] = []

test.before(async () => {
  for (let count = 0; count < receiverCount; count++) receivers.push(await startReceiver(answer))
})

test.after(async () => {
  for (const receiver of receivers) await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Mostly well-behaved, and in the way that matters most: it answers late. */
const answer: Parameters<typeof startReceiver>[0] = (response) => {
  if (random.chance(0.05)) response.socket?.destroy()
  else setTimeout(() => response.writeHead(random.chance(0.1) ? 503 : 200).end(), random.below(30))
}

function startLife(aheadMs: number, mode: 'add' | 'drain') {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const origins = receivers.map(({ port }) => `http://127.0.0.1:${port}`).join(',')
  const program = join(import.meta.dirname, 'webhook-node.ts')
  return fork(program, [file, origins, String(aheadMs), mode], {
    env,
    execArgv: ['--conditions=development'],
  })
}

/** Until it is killed, at any moment after it has begun. */
async function liveOnce(aheadMs: number): Promise<void> {
  const life = startLife(aheadMs, 'add')
  const gone = once(life, 'exit')
  await Promise.race([once(life, 'message'), gone])
  await delay(random.below(400))
  life.kill('SIGKILL')
  assert.equal(await gone, [null, 'SIGKILL'])
}

/** How many are left. */
async function drainOnce(aheadMs: number): Promise<number> {
  const life = startLife(aheadMs, 'drain')
  const gone = once(life, 'exit')
  const [told] = await Promise.race([once(life, 'message'), gone])
  assert.equal(await gone, [0, null])
  return told.left
}

test(`killed ${kills} times, it loses no webhook, no count and no order`, async () => {
  let aheadMs = 0
  for (let kill = 0; kill < kills; kill++) {
    await liveOnce(aheadMs)
    aheadMs += 2 * minuteMs
  }
  for (let drains = 0; (await drainOnce(aheadMs)) > 0; drains++) {
    assert.ok(drains < 50, 'it does not come to an end')
    aheadMs += 11 * minuteMs
  }
  const store = openSqliteStore({ file, clock: { now: () => Number.MAX_SAFE_INTEGER / 2 } })
  const webhooks = await allOf('webhooks')
  const attempts = Map.groupBy(await allOf('webhook_attempts'), ({ webhook_id }) => webhook_id)
  assert.equal(await allOf('exceptions'), [])
  await store.close()
  const received = receivers.flatMap((receiver) => receiver.received)
  const byId = Map.groupBy(received, ({ headers }) => String(headers['webhook-id']))
  console.log(
    `${webhooks.length} webhooks, ${received.length} received, ` +
      `${[...attempts.values()].flat().filter(({ outcome }) => outcome === 'unknown').length} unknown`,
  )
  assert.ok(webhooks.length >= 200)
  for (const webhook of webhooks)
    assertKept(webhook, attempts.get(webhook.id) ?? [], byId.get(webhook.id) ?? [])
  assertInOrder(receivers)

  async function allOf<T extends TableName>(table: T): Promise<Row<T>[]> {
    const all = statement<Record<never, never>>()(`kill.${table}`, ({ db }) =>
      db.selectFrom(table as TableName).selectAll(),
    )
    return (await store.query(all, {})) as Row<T>[]
  }
})

function assertKept(
  webhook: Row<'webhooks'>,
  attempts: Row<'webhook_attempts'>[],
  received: Receiver['received'],
) {
  const { id, state } = webhook
  assert.ok(state === 'delivered' || (state === 'superseded' && webhook.is_final === 0), `${id} is ${state}`)
  assert.is(attempts.length, webhook.attempts, `the attempts of ${id}`)
  assert.ok(attempts.every(({ outcome, ended_at }) => outcome !== 'started' && ended_at !== null))
  const unknown = attempts.filter(({ outcome }) => outcome === 'unknown').length
  const count = `${id}: ${received.length} received, ${attempts.length} attempts, ${unknown} unknown`
  // One that is handed back when its node stops in time is no attempt; one that failed to connect was not received.
  assert.ok(received.length >= 1 && received.length <= attempts.length, count)
  assert.ok(received.every(({ body }) => body === webhook.body))
}

/** What comes of one order comes in its order, repetitions of the last one apart. */
function assertInOrder(all: readonly Receiver[]): void {
  for (const { received } of all) {
    const byOrder = Map.groupBy(received, ({ body }) => String(JSON.parse(body).id))
    for (const [order, webhooks] of byOrder) {
      const sequences = webhooks.map(({ headers }) => Number(headers['webhook-sequence']))
      assert.equal(
        sequences,
        sequences.toSorted((a, b) => a - b),
        `${order}: ${sequences}`,
      )
    }
  }
}

test.run()
