import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createWebSocketReceiver } from '@statelyai/inspect'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import WebSocket from 'ws'
import { outlineOf } from '../../../actors/inspection/chart-outline.ts'
import { drawnMachines } from '../../../actors/inspection/machines.ts'
import type { Replay } from '../../../actors/inspection/replay.ts'
import { createDrawings } from '../../../http/console/drawings.ts'
import { charts } from '../../../machines/index.ts'
import { readDrawings } from '../../../node/drawings.ts'
import { drawAll } from '../../../scripts/draw-charts.ts'
import { type ConsoleWorld, onSqlite, startConsoleWorld, tokenOf, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'

interface Told {
  type: string
  sessionId: string
  name?: string
  sourceId?: string
  definition?: string
  event?: { type: string }
  snapshot?: { value: unknown }
}

let world: ConsoleWorld

test.before(async () => {
  world = await startConsoleWorld(onSqlite())
})

test.after(() => world.stop())

const streamOf = (url: string) => `${url.replace('http', 'ws')}/inspect/ws`

test('the drawings are those of the charts: npm run drawings makes them anew', async () => {
  for (const [path, text] of await drawAll()) {
    assert.is(readFileSync(path, 'utf8'), text, `${path} is not up to date`)
  }
})

test('a drawing marks the state, what is possible, and the very transition that was taken', () => {
  const { transitions } = outlineOf(charts.payOutLocal)
  const started = transitions.findIndex(({ event }) => event === 'payment.start')
  const svg = String(
    createDrawings(readDrawings('svg'))('payOutLocal', { status: 'PAYMENT_STARTED', last: started }),
  )
  assert.is(svg.match(/ s-payOutLocal-open-PAYMENT_STARTED[^"]* on"/g)?.length, 1)
  assert.is(svg.match(/ t-payment-start [^"]* last"/g)?.length, 1)
  assert.is(svg.match(/class="arrow [^"]* last"/g)?.length, 1)
  assert.is(svg.match(/ last"/g)?.length, 2)
  assert.is(svg.match(/ t-payment-confirm [^"]* possible"/g)?.length, 1)
  // It leads out of the state that this one is within.
  assert.is(svg.match(/ t-order-expire [^"]* possible"/g)?.length, 3)
  assert.not.match(svg, / t-payment-start [^"]* possible"/)
  assert.not.match(svg, /<style|style=|<script|href="http/)
  assert.is(createDrawings(readDrawings('svg'))('nothing'), null)
})

test('of the ways that an event may take one is marked, and each guard is told as it was asked', async () => {
  const { node, orders } = world
  const visitor = await visitorAs(node, 'operator')
  const { steps } = (await world.ask('order.replay', { id: orders.cancelled }, 'test')) as Replay
  const cancelled = steps.at(-1)
  assert.is(cancelled?.event, 'operator.cancel')
  const { transitions } = outlineOf(charts.payOutLocal)
  const ways = transitions.filter(({ event }) => event === 'operator.cancel')
  assert.ok(ways.length > 1, 'there are several')
  const guards = cancelled?.taken?.guards ?? []
  assert.ok(guards.length > 0)
  const taken = transitions[cancelled?.taken?.transition ?? -1]
  assert.is(taken?.event, 'operator.cancel')
  assert.ok(taken?.to.endsWith('CANCELLED'))
  const before = guards.findIndex(({ guard }) => guard === taken?.guard)
  assert.equal(
    guards.slice(0, before === -1 ? guards.length : before).filter(({ passes }) => passes),
    [],
    'none that comes before it passes',
  )
  const { text } = await visitor.get(`/inspect/orders/${orders.cancelled}?step=${steps.length}`)
  assert.is(text.match(/ t-operator-cancel [^"]*last"/g)?.length, 1)
  assert.match(text, /Guards at this step/)
})

test('an order is played again from its journal, with what each step asked for', async () => {
  const { node, orders } = world
  const visitor = await visitorAs(node, 'operator')
  const last = await visitor.get(`/inspect/orders/${orders.completed}`)
  assert.match(last.text, /step 4 of 4/)
  assert.match(last.text, /money\.move settle, merchant\.notify/)
  assert.match(last.text, /class="[^"]*s-payOutLocal-COMPLETED[^"]* on"/)
  const second = await visitor.get(`/inspect/orders/${orders.completed}?step=3`)
  assert.match(second.text, /payment\.confirm/)
  assert.match(second.text, /class="[^"]*s-payOutLocal-open-PAYMENT_STARTED[^"]* on"/)
  for (const { text } of [last, second]) assert.not.match(text, /decides otherwise/)
})

test('every order of this world is replayed as its journal says', async () => {
  for (const [name, id] of Object.entries(world.orders)) {
    const shown = (await world.ask('order.replay', { id }, 'test')) as {
      steps: { differs: boolean; to: string }[]
    }
    assert.ok(shown.steps.length > 0 && shown.steps.every(({ differs }) => !differs), name)
  }
})

test('the first page shows charts, workers and what orders are told; viewers see none of it', async () => {
  const visitor = await visitorAs(world.node, 'operator')
  const { status, text } = await visitor.get('/inspect/')
  assert.is(status, 200)
  for (const name of Object.keys(drawnMachines)) assert.ok(text.includes(`/inspect/machines/${name}`), name)
  assert.match(text, /operator\.cancel/)
  assert.match(text, />expiry</)
  assert.is((await visitor.get('/inspect/machines/payIn')).status, 200)
  const viewer = await visitorAs(world.node, 'viewer')
  assert.is((await viewer.get('/inspect/')).status, 403)
})

test('the official receiver hears a lock and its release, and the workers', async () => {
  const { node, orders, ask } = world
  const heard: Told[] = []
  const url = new URL(streamOf(node.operatorUrl))
  url.username = 'receiver'
  url.password = tokenOf(world.node)
  const subscription = createWebSocketReceiver({ server: url.href }).subscribe((message) => {
    heard.push(message as unknown as Told)
  })
  await node.until(async () => heard.some(({ name }) => name === 'funding'))
  const code = (await node.core.orders.find(orders.ready))?.order.code
  const payment = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const path = `/api/v1/providers/orders/pay-out/${code}/start-payment/`
  assert.is((await node.request({ as: 'pk_a', path, body: payment })).status, 200)
  await ask('order.release', { id: orders.ready, provider: 'Network A', reason: 'test' }, 'ana')
  const ofOrder = () => heard.filter(({ sessionId }) => sessionId === orders.ready)
  await node.until(async () => ofOrder().length >= 5)
  const told = ofOrder().map(({ type, sourceId, event, snapshot }) => [
    type.replace('@xstate.', ''),
    sourceId ?? null,
    event?.type ?? null,
    snapshot?.value ?? null,
  ])
  assert.equal(told, [
    ['actor', null, null, { open: 'PAYMENT_STARTED' }],
    ['event', 'provider:Network A', 'payment.start', null],
    ['snapshot', null, 'payment.start', { open: 'PAYMENT_STARTED' }],
    ['event', 'operator:ana', 'payment.cancel', null],
    ['snapshot', null, 'payment.cancel', { open: 'READY' }],
  ])
  assert.is(JSON.parse(ofOrder()[0]?.definition ?? '{}').id, 'payOutLocal')
  assert.not.match(JSON.stringify(heard), /ana@example\.com|\d{15}/)
  subscription.unsubscribe()
})

/** How a connection is answered: its status, or `open`. */
async function attempt(headers: Record<string, string>): Promise<number | 'open'> {
  const socket = new WebSocket(streamOf(world.node.operatorUrl), { headers })
  const refused = new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
  })
  const answer = await Promise.race([once(socket, 'open').then(() => 'open' as const), refused])
  socket.on('error', () => {})
  socket.terminate()
  return answer
}

test('only who is signed in may listen, and no other site', async () => {
  const [operator, viewer] = [await visitorAs(world.node, 'operator'), await visitorAs(world.node, 'viewer')]
  const own = { Cookie: operator.cookie ?? '' }
  assert.is(await attempt(own), 'open')
  assert.is(await attempt({}), 401)
  assert.is(await attempt({ Cookie: viewer.cookie ?? '' }), 401)
  assert.is(await attempt({ Authorization: `Bearer ${tokenOf(world.node)}x` }), 401)
  assert.is(await attempt({ ...own, Origin: 'https://evil.example' }), 403)
  assert.is(await attempt({ ...own, Host: 'evil.example' }), 403)
})

test('where it is off there is nothing to see or to hear', async () => {
  const node = await startTestNode({ env: { VENTANILLA_OPERATOR_INSPECTOR: 'false' } })
  const response = await fetch(`${node.operatorUrl}/inspect/ws`).catch(() => null)
  assert.is(response?.status, 404)
  const socket = new WebSocket(streamOf(node.operatorUrl))
  await once(socket, 'error')
  await stopTestNode(node)
})

test.run()
