/** The clock of a sandbox is moved by a real node: what falls due comes about in its order, and sessions stay. */

import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { SandboxClockDocument } from '../../actors/sandbox/clock-operations.ts'
import { startNode } from '../../node/node.ts'
import { drivenWorkers, realTimeWorkers } from '../../node/sandbox-clock.ts'
import { journalOfOrder } from '../../persistence/queries/operations.ts'
import { addOperators, dispatchOf, visitorAs } from '../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { closedPort } from '../support/webhook-receivers.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hook = `http://127.0.0.1:${closedPort}/hooks`
let node: TestNode
test.before.each(async () => {
  node = await startTestNode()
  await addOperators(node)
})
test.after.each(() => stopTestNode(node))

const ask = async (name: string, input: unknown = {}) =>
  (await dispatchOf(node)(name, input, 'ana')) as SandboxClockDocument

async function moved(by: string): Promise<SandboxClockDocument> {
  await ask('sandbox.clock.advance', { by })
  return arrived()
}

/** On a busy machine, and on PostgreSQL, a day takes seconds. */
async function arrived(): Promise<SandboxClockDocument> {
  for (let looks = 0; looks < 600; looks++) {
    const shown = await ask('sandbox.clock.show')
    if (shown.advancing === null) return shown
    await delay(100)
  }
  throw new Error('The clock does not come to where it is moved to.')
}

let made = 0
async function payIn(fields: Record<string, unknown>): Promise<string> {
  const body = payOutBody({ notify_url: hook, merchant_order_id: `C-${++made}`, ...fields })
  const { json, status, text } = await node.request({
    ...{ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-in/', body },
  })
  assert.is(status, 201, text)
  return json.id
}

const expiryIn = (ms: number) => new Date(node.core.clock.now() + ms).toISOString()

async function refusalOf(name: string, input: unknown = {}): Promise<string> {
  const refused = await ask(name, input).catch((error: unknown) => error)
  if (!(refused instanceof OperationError)) throw new Error(`${name} was not refused: ${String(refused)}`)
  return `${refused.code}: ${refused.message}`
}

test('what falls due comes about at its own time, and is counted', async () => {
  const [late, early, later] = [
    await payIn({ expiry: expiryIn(30 * hourMs) }),
    await payIn({ expiry: expiryIn(hourMs) }),
    await payIn({ expiry: expiryIn(3 * dayMs) }),
  ]
  const simulated = await payIn({
    ...{ expiry: expiryIn(40 * hourMs), merchant_order_id: 'x-sim-confirm-7200' },
  })
  const before = node.core.clock.now()
  const { now, real, aheadSeconds, last } = await moved('2d')
  assert.is(Date.parse(real), node.clock.now())
  assert.is(aheadSeconds, 172_800)
  assert.is(Date.parse(now), before + 2 * dayMs)
  assert.is(last?.cameAbout.ordersExpired, 2)
  assert.is(last?.cameAbout.simulations, 1)
  // Each of three attempts at once, and of two statuses.
  assert.ok((last?.cameAbout.webhookAttempts ?? 0) >= 9)
  const endOf = async (id: string) => {
    const journal = await node.core.store.query(journalOfOrder, { orderId: id })
    return [journal.at(-1)?.to_status, (journal.at(-1)?.entry_at ?? 0) - before]
  }
  assert.equal(await endOf(early), ['EXPIRED', hourMs])
  assert.equal(await endOf(late), ['EXPIRED', 30 * hourMs])
  assert.equal(await endOf(simulated), ['COMPLETED', 2 * hourMs])
  assert.is((await endOf(later))[0], 'READY')
})

test('one at a time, not too far, and forward', async () => {
  assert.is(await refusalOf('sandbox.clock.advance', { by: 'soon' }), 'invalid: “soon” is no duration.')
  assert.is(
    await refusalOf('sandbox.clock.advance', { by: '401d' }),
    'refused: The clock is moved by 400 days at most at once.',
  )
  await payIn({ expiry: expiryIn(hourMs) })
  const both = await Promise.allSettled([
    ask('sandbox.clock.advance', { by: '400d' }),
    ask('sandbox.clock.advance', { by: '1d' }),
  ])
  assert.equal(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.match(
    await refusalOf('sandbox.clock.advance', { by: '1d' }),
    /^refused: The clock is being moved already/,
  )
  await node.until(async () => (await ask('sandbox.clock.show')).aheadSeconds > 7_200)
  const stopped = await ask('sandbox.clock.reset')
  assert.is(stopped.advancing, null)
  assert.is(stopped.last?.isWhole, false)
  const { aheadSeconds } = await ask('sandbox.clock.show')
  assert.ok(aheadSeconds > 7_200)
  assert.match(
    await refusalOf('sandbox.clock.reset'),
    /^refused: The clock only goes forward: something was written at/,
  )
  assert.is((await ask('sandbox.clock.show')).aheadSeconds, aheadSeconds)
})

test('a clock by which nothing was written is set back', async () => {
  await moved('1d')
  assert.is((await ask('sandbox.clock.reset')).aheadSeconds, 0)
  assert.is(node.core.clock.now(), node.clock.now())
  const id = await payIn({ expiry: expiryIn(hourMs) })
  const [entry] = await node.core.store.query(journalOfOrder, { orderId: id })
  assert.is(entry?.entry_at, node.clock.now())
})

test('whoever is signed in stays so, and is told on every page; the clock is not in doubt', async () => {
  const visitor = await visitorAs(node, 'operator')
  assert.not.match((await visitor.get('/orders')).text, /class="sandbox-clock/)
  await visitor.get('/sandbox')
  const sent = await visitor.post('/sandbox/clock/advance', { by: '3d', form_page: '/sandbox' })
  assert.is(sent.status, 303, sent.text)
  await arrived()
  for (const [language, text] of [
    ['en', 'The clock of this sandbox is 3 days ahead of the real one.'],
    ['es', 'El reloj de este sandbox va 3 días adelantado respecto del real.'],
    ['pt', 'O relógio deste sandbox está 3 dias adiantado em relação ao real.'],
  ] as const) {
    const page = await visitor.get('/orders', { 'Accept-Language': language })
    assert.is(page.status, 200)
    assert.ok(page.text.includes(text), text)
  }
  assert.match((await visitor.get('/sandbox')).text, /Last moved from|Orders expired/)
  node.clock.advance(29 * 60_000)
  assert.is((await visitor.get('/orders')).status, 200)
  node.clock.advance(31 * 60_000)
  assert.is((await visitor.get('/orders')).status, 302)
  assert.ok(node.core.clockWatch.isTrusted())
})

test('the page of an order says so, too, and requests are signed by the world’s clock', async () => {
  await moved('3d')
  const id = await payIn({ expiry: expiryIn(hourMs) })
  const page = await (await fetch(`${node.publicUrl}/checkout/${id}?lang=en`)).text()
  assert.match(page, /its clock is 3 days ahead of the real one/)
  const path = `/api/v1/merchants/orders/pay-in/${id}/`
  const early = await node.request({ as: 'mk_shop', path, at: 3 * 86_400 })
  assert.is(early.status, 403)
})

test('a message that was judged is not taken again because the clock was moved', async () => {
  const id = await payIn({ expiry: expiryIn(20 * dayMs) })
  const code = (await node.core.orders.find(id))?.order.code
  const path = `/api/v1/providers/orders/pay-in/${code}/start-payment/`
  const body = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const start = () => node.request({ as: 'pk_a', path, body })
  assert.is((await start()).status, 200)
  await ask('order.release', { id, provider: 'Network A', reason: 'a test' })
  await moved('4d')
  node.workers.send({ type: 'worker.wake', id: 'answers' })
  assert.is((await start()).status, 409)
})

test('a node that starts anew is where the clock was, and production is refused', async () => {
  const { core, settings } = node
  const { now } = await moved('2d')
  assert.is(new Date(core.clock.now()).toISOString(), now)
  await node.stop()
  const options = { settings, log: pino({ level: 'silent' }), clock: node.clock, ballastBytes: 0 }
  const again = await startNode(options)
  assert.is(new Date(again.core.clock.now()).toISOString(), now)
  await again.stop()
  const production = { ...options, settings: { ...settings, mode: 'production' as const } }
  const refused = await startNode(production).catch((error: unknown) => error)
  assert.match(String(refused), /sandbox whose clock was moved ahead/)
  node = { ...node, stop: async () => {} }
})

test('every worker of a node is driven by the clock, or one of real time', async () => {
  const ids = Object.keys(node.workers.getSnapshot().context.workers)
  assert.ok(ids.length > 15)
  const unknown = ids.filter(
    (id) => !realTimeWorkers.test(id) && !drivenWorkers.some(({ id: pattern }) => pattern.test(id)),
  )
  assert.equal(unknown, [])
})

test.run()
