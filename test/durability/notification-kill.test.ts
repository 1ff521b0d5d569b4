/** `kill -9` while things happen, are told and are sent: each that happened is told once, and each notification arrives, under one id. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { allRows } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { commit, partyOf, shop } from '../support/order-world.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'

const kills = isLargeShare ? 12 : 5
const hourMs = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'notification-kill-'))
const file = join(folder, 'node.db')
const random = seededRandom(kills)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const config = { to: ['ops@shop.example'], url: null, language: 'en', timeZone: 'UTC', digestAt: '08:00' }
const rule = { events: ['exception.opened', 'key.added'], how: 'now', partyId: null, below: null }

async function prepare(): Promise<void> {
  const store = openSqliteStore({ file, clock: { now: () => Date.now() } })
  const created = { created_at: 0, revision: 1 }
  const channel = { name: 'operations', kind: 'email', digest_due_at: Number.MAX_SAFE_INTEGER } as const
  await commit(store, [
    ...partyOf(shop),
    {
      insert: 'notification_channels',
      values: { ...channel, ...created, config_json: JSON.stringify(config) },
    },
    {
      insert: 'notification_rules',
      values: { name: 'all', channel: 'operations', ...created, rule_json: JSON.stringify(rule) },
    },
  ])
  await store.close()
}

function startLife(port: number, aheadMs: number, mode: 'add' | 'drain') {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const program = join(import.meta.dirname, 'notification-node.ts')
  return fork(program, [file, String(port), String(aheadMs), mode], {
    env,
    execArgv: ['--conditions=development'],
  })
}

test(`killed ${kills} times, it tells of everything, and loses no notification`, async () => {
  await prepare()
  // Every second life ends when a mail has arrived, before that is answered; the others anywhere.
  let onHeard = () => {}
  const server = await startMailServer({}, () => {
    onHeard()
    return delay(random.below(30), null)
  })
  let aheadMs = 0
  for (let kill = 0; kill < kills; kill++, aheadMs += 2 * hourMs) {
    const life = startLife(server.port, aheadMs, 'add')
    const gone = once(life, 'exit')
    if (kill % 2 === 0) {
      await Promise.race([once(life, 'message'), gone])
      await delay(random.below(300))
      life.kill('SIGKILL')
    } else {
      const heard = Promise.withResolvers<void>()
      onHeard = heard.resolve
      await Promise.race([heard.promise, gone])
      life.kill('SIGKILL')
      onHeard = () => {}
    }
    assert.equal(await gone, [null, 'SIGKILL'])
  }
  for (let drains = 0; ; drains++, aheadMs += hourMs) {
    assert.ok(drains < 10, 'it does not come to an end')
    const life = startLife(server.port, aheadMs, 'drain')
    assert.equal(await once(life, 'exit'), [0, null])
    const store = openSqliteStore({ file, clock: { now: () => Date.now() + aheadMs } })
    const rows = await allRows(store, 'notifications')
    const events = await allRows(store, 'notification_events')
    const happened = [...(await allRows(store, 'exceptions')), ...(await allRows(store, 'credentials'))]
    const topics = await allRows(store, 'notification_topics')
    await store.close()
    if (events.length > 0 || rows.some(({ state }) => state === 'pending')) continue
    const counted = topics.reduce((sum, { untold_count }) => sum + untold_count, 0)
    const told = rows.map(({ body_json }) => JSON.parse(body_json).told[0])
    const inAll = told.reduce((sum, { count }) => sum + count, 0)
    // The first key was there before the rule.
    assert.is(inAll + counted, happened.length - 1, 'each was told, or is counted')
    const heard = server.heard.map(({ raw }) => /^Message-ID: <(\S+)@/im.exec(raw)?.[1] ?? '')
    assert.equal([...new Set(heard)].toSorted(), rows.map(({ id }) => id).toSorted())
    for (const { id, attempts } of rows) {
      const times = heard.filter((one) => one === id).length
      assert.ok(times >= 1 && times <= attempts, `${id}: ${times} times, ${attempts} attempts`)
    }
    assert.ok(heard.length > rows.length, 'some were sent by a node that did not live to know')
    console.log(`${happened.length} happened, ${rows.length} notifications, ${heard.length} mails`)
    break
  }
  await server.close()
})

test.run()
