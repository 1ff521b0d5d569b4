/**
 * The program whose disk is full, on the small disk its parent made: new orders are refused, all others go on, and
 * everything is well again without a restart once there is room. Prints what was acknowledged, as JSON.
 */
import {
  closeSync,
  existsSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { withFront } from '../support/fronts.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import type { Told } from './story.ts'

const [directory = '', disk = ''] = process.argv.slice(2)
/** For some confirmations with their webhooks, where no two share a commit, and what a sandbox keeps of each. */
const ballastBytes = 2 * 1024 * 1024
/** As small beside the ballast as a real log is beside a real one. */
const logPages = 500
const database = join(directory, 'node.db')
const ballast = join(directory, 'node.db.ballast')
const filler = join(directory, 'filler')
const told: Told[] = []

interface Order {
  id: string
  code: string
}

/** Takes all the room there is. */
function fill(): void {
  const descriptor = openSync(filler, 'a')
  for (let piece = 64 * 1024; piece >= 1; ) {
    try {
      writeSync(descriptor, Buffer.alloc(piece, 1))
    } catch (error) {
      assert.match(String(error), 'ENOSPC')
      piece = Math.floor(piece / 2)
    }
  }
  closeSync(descriptor)
}

const readyz = async (node: TestNode) => (await node.request({ path: '/readyz' })).json
const create = (node: TestNode, more = {}) =>
  node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/orders/pay-out/',
    body: payOutBody({ price: '10.00', ...more }),
  })

/** A READY order and its code. */
async function ready(node: TestNode, more = {}): Promise<Order> {
  const made = await create(node, more)
  assert.is(made.status, 201, made.text)
  const { id } = made.json
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  told.push({ id, status: 'READY', revision: 2 })
  return { id, code: (await node.core.orders.find(id))?.order.code ?? '' }
}

let messages = 0

async function tell(node: TestNode, { id, code }: Order, action: string, revision: number): Promise<number> {
  const path = `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`
  const answer = await node.request({ as: 'pk_a', path, body: { network_id: '0001' }, at: ++messages / 1e6 })
  if (answer.status === 200) told.push({ id, status: answer.json.status, revision })
  return answer.status
}

let node = await startTestNode({ directory, ballastBytes, logPages, env: withFront })
await node.until(async () => existsSync(ballast) && statSync(ballast).size === ballastBytes)
assert.equal(await readyz(node), { status: 'ready' })

const started: Order[] = []
for (let count = 0; count < 40; count++) {
  const order = await ready(node)
  assert.is(await tell(node, order, 'start', 3), 200)
  started.push(order)
}
const waiting = await ready(node)
const late = await ready(node, { expiry: '2026-03-01T13:00:00Z' })
const next = (): Order => {
  const order = started.pop()
  if (order === undefined) throw new Error('too few orders')
  return order
}

// Its tables are in the database by now, and no longer in the log only.
await node.until(async () => statSync(database).size > 100 * 4096)

// Full: what the log still has room for is taken by new orders, and then they are refused.
fill()
let accepted = 0
for (; (await create(node)).status === 201; accepted++)
  assert.ok(accepted < 2000, 'new orders are never refused')
const refused = await create(node)
assert.is(refused.status, 503)
assert.is(refused.json.errors[0].code, 'service_unavailable')

// The rest goes on.
for (let count = 0; count < 12; count++) assert.is(await tell(node, next(), 'confirm', 4), 200)
for (let count = 0; count < 6; count++) assert.is(await tell(node, next(), 'cancel', 4), 200)
assert.is(await tell(node, waiting, 'start', 3), 200)
node.clock.advance(3_600_000)
assert.is((await node.core.orders.find(late.id))?.order.status, 'EXPIRED')
told.push({ id: late.id, status: 'EXPIRED', revision: 3 })
assert.is(statSync(ballast).size, 0, 'the ballast was not given up')
const degraded = await readyz(node)
assert.is(degraded.status, 'degraded')
assert.match(degraded.reasons.disk, 'New orders are refused')
assert.is((await create(node)).status, 503)

// Nothing at all is left: then a confirmation is refused too, rather than half done.
fill()
const lastOnes: Order[] = []
let confirmed = 0
for (let status = 200; status === 200; ) {
  const order = next()
  status = await tell(node, order, 'confirm', 4)
  if (status === 200) confirmed++
  else lastOnes.push(order)
  assert.ok(status === 200 || status === 503, `${status}`)
  if (started.length === 4) break
}

// Room again, and no restart: new orders are taken, the ballast is kept.
rmSync(filler)
await node.until(async () => (await readyz(node)).status === 'ready')
assert.is(statSync(ballast).size, ballastBytes)
assert.is((await create(node)).status, 201)
for (const order of lastOnes) assert.is(await tell(node, order, 'confirm', 4), 200)

// Started on a full disk, the node gives the ballast up at once, and refuses new orders.
await node.stop()
fill()
node = await startTestNode({
  directory,
  ballastBytes,
  logPages,
  parties: null,
  clock: node.clock,
  env: withFront,
})
assert.is((await create(node)).status, 503)
assert.is(await tell(node, next(), 'confirm', 4), 200)
rmSync(filler)
await node.until(async () => (await create(node)).status === 201)

// Started where there is room to work, but none to keep: that is told, and new orders are taken.
await node.stop()
rmSync(ballast)
const { bsize, bavail } = statfsSync(directory)
writeFileSync(filler, Buffer.alloc(bsize * bavail - ballastBytes - 32 * 1024, 1))
node = await startTestNode({
  directory,
  ballastBytes,
  logPages,
  parties: null,
  clock: node.clock,
  env: withFront,
})
assert.match((await readyz(node)).reasons.disk, 'There is no room to keep 2 MB in reserve')
assert.is((await create(node)).status, 201)
rmSync(filler)
await node.until(async () => (await readyz(node)).status === 'ready')
assert.is(statSync(ballast).size, ballastBytes)
await node.stop()

console.log(
  JSON.stringify({
    told,
    figures: `${disk}: ${accepted} new orders before the first refusal, ${confirmed} of the last confirmations`,
  }),
)
