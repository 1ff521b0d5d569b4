/** `verify` and `doctor`, with the node running and with it stopped. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

let node: TestNode
let isStopped = false

test.before(async () => {
  node = await startTestNode()
  for (let index = 0; index < 3; index++) {
    await node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/orders/pay-out/',
      body: payOutBody(),
      at: index,
    })
  }
})
test.after(async () => {
  if (!isStopped) await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

const file = () => join(node.directory, 'node.db')
const world = () => ({
  cwd: node.directory,
  env: { VENTANILLA_DATABASE: `sqlite:${file()}` },
  clock: node.clock,
})

const checks = [
  'integrity',
  'references',
  'ledger',
  'numbers',
  'money',
  'orders',
  'journal',
  'webhooks',
  'archive',
  'anchors',
  'treasury',
  'refunds',
  'payments',
  'statements',
  'adjustments',
  'conversions',
  'claims',
  'approvals',
]

test('a running node verifies itself, in the shape others rely on', async () => {
  const { code, json, err } = await ventanilla(world(), 'verify', '--json')
  assert.is(code, 0, err)
  assert.equal(Object.keys(json), ['ok', 'checks'])
  assert.is(json.ok, true)
  assert.equal(json.checks.map(({ name }: { name: string }) => name).toSorted(), checks.toSorted())
  for (const check of json.checks) assert.equal(Object.keys(check), ['name', 'ok', 'detail'])
})

if (process.platform === 'linux') {
  test('whoever is served comes before a verification', async () => {
    const seen = new Set<number>()
    const own = getPriority()
    // One may be over between two looks.
    for (let verified = 0; verified < 500 && !seen.has(constants.priority.PRIORITY_LOW); verified++) {
      let isOver = false
      const verification = node.core.verification.verify().finally(() => {
        isOver = true
      })
      while (!isOver) {
        for (const nice of priorities()) seen.add(nice)
        await sleep(5)
      }
      assert.is((await verification).ok, true)
    }
    assert.ok(seen.has(constants.priority.PRIORITY_LOW), 'its thread has a low priority')
    assert.is(getPriority(), own, 'and the node has not')
  })
}

/** Of each thread of this process, as Linux tells them. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')
      return [Number(fields?.[16])]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

test('the doctor finds nothing wrong with a node that is well', async () => {
  const { code, json, err } = await ventanilla(world(), 'doctor', '--json')
  assert.is(code, 0, err)
  assert.is(json.ok, true)
})

test('the doctor names what waits for a person, and what to do', async () => {
  const [order] = (await ventanilla(world(), 'order', 'list', '--status', 'READY', '--json')).json.orders
  const start = `/api/v1/providers/orders/pay-out/${order.code}/start-payment/`
  assert.is((await node.request({ as: 'pk_a', path: start, body: { network_id: '0001' } })).status, 200)
  await ventanilla(world(), 'order', 'cancel', order.id, '--force', '--reason', 'test')
  const { code, out } = await ventanilla(world(), 'doctor')
  assert.is(code, 1)
  assert.match(out, /exceptions +NO +one is open/)
  assert.match(out, /- See `ventanilla exception list`\./)
})

test('a stopped database is verified too, and what was changed behind the node’s back is found', async () => {
  await node.stop()
  isStopped = true
  assert.is((await ventanilla(world(), 'verify', '--json')).json.ok, true)

  const database = new Database(file())
  database.exec(`UPDATE accounts SET balance_minor = balance_minor + 1 WHERE kind = 'available'`)
  database.exec(`UPDATE orders SET price_minor = price_minor + 1 WHERE rowid = 1`)
  database.exec(`INSERT INTO corrected_lines SELECT id, 1, 100, 1 FROM accounts WHERE kind = 'available'`)
  database.exec(`UPDATE postings SET kind = 'conversion' WHERE id = (SELECT min(id) FROM postings)`)
  database.close()
  const { code, json, out } = await ventanilla(world(), 'verify', '--json')
  assert.is(code, 1)
  assert.is(json.ok, false, out)
  const bad = json.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name)
  assert.ok(bad.includes('ledger'), bad.join())
  assert.ok(bad.includes('adjustments'), bad.join())
  assert.ok(bad.includes('conversions'), bad.join())
})

test.run()
