/** An operator's bad days as merchants and providers see them, over signed requests. */
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeAcceptRestore, nodeShowRestore } from '../../../actors/anchors/restore-operations.ts'
import { clockAccept, clockShow } from '../../../actors/condition/clock-operations.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { sign } from '../../../actors/keys/signature.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { orderRelease } from '../../../actors/orders/change-operations.ts'
import { orderClear } from '../../../actors/orders/quarantine-operations.ts'
import { orderCancelAll } from '../../../actors/orders/sweep-operations.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { exceptionList, exceptionResolve, exceptionShow } from '../../../actors/resolutions/operations.ts'
import { anchorsFileOfNode } from '../../../node/anchors-file.ts'
import { readTokenFile } from '../../../node/token-file.ts'
import { isOnPostgres } from '../../support/database.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { type Operator, operatorOf } from '../../support/operations.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const payOuts = '/api/v1/merchants/orders/pay-out/'
let tick = 0

interface World {
  node: TestNode
  operator: Operator
  /** A funded pay-out. */
  ready(overrides?: Record<string, unknown>): Promise<{ id: string; code: string }>
  create(overrides?: Record<string, unknown>): ReturnType<TestNode['request']>
  act(code: string, action: string, as?: 'pk_a' | 'pk_b'): ReturnType<TestNode['request']>
  statusOf(id: string): Promise<string>
  readyz(): Promise<{ status: string; reasons?: Record<string, string> }>
}

/** What this file reads of the operator listener's documents. */
interface OperatorAnswer {
  revision: number
  exceptions: { id: string; revision: number }[]
  error: { code: string }
}

/** Each day has a node of its own. */
function onABadDay(name: string, play: (world: World) => Promise<void>): void {
  test(name, async () => {
    const node = await startTestNode()
    try {
      await play(worldOf(node))
    } finally {
      await stopTestNode(node)
    }
  })
}

function worldOf(node: TestNode): World {
  const create: World['create'] = (overrides = {}) =>
    node.request({ as: 'mk_shop', path: payOuts, body: payOutBody(overrides), at: ++tick / 1000 })
  const find = async (id: string) => (await node.core.orders.find(id))?.order
  return {
    node,
    operator: operatorOf({ ...node.core, clock: node.clock }),
    create,
    async ready(overrides) {
      const { json, status } = await create(overrides)
      assert.is(status, 201)
      await node.until(async () => (await find(json.id))?.status === 'READY')
      return { id: json.id, code: (await find(json.id))?.code ?? '' }
    },
    act: (code, action, as = 'pk_a') =>
      node.request({
        as,
        path: `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`,
        body: { network_id: as === 'pk_a' ? '0001' : '0002' },
        at: ++tick / 1000,
      }),
    statusOf: async (id) => (await find(id))?.status ?? '',
    readyz: async () => (await node.request({ path: '/readyz' })).json,
  }
}

onABadDay('a till is dead after the start: the operator releases, and another till pays', async (world) => {
  const { id, code } = await world.ready()
  assert.is((await world.act(code, 'start')).status, 200)
  assert.is((await world.act(code, 'start', 'pk_b')).status, 409)
  await world.operator.ask(orderRelease, { id, provider: 'Network A', reason: 'its till is dead' })
  assert.is((await world.act(code, 'confirm')).status, 400, 'the dead till is back, and holds nothing')
  assert.is((await world.act(code, 'start', 'pk_b')).status, 200)
  assert.is((await world.act(code, 'confirm', 'pk_b')).status, 200)
})

onABadDay(
  'a confirmation comes too late: 422, and the operator sees it where it is decided',
  async (world) => {
    const { node, operator } = world
    const { id, code } = await world.ready({ expiry: '2026-03-01T13:00:00Z' })
    await world.act(code, 'start')
    node.clock.advance(hourMs + 10 * minuteMs)
    for (let time = 0; time < 3; time++) {
      const late = await world.act(code, 'confirm')
      assert.equal([late.status, late.json.errors[0].code], [422, 'ended_while_locked'])
    }
    const { exceptions } = await operator.ask(exceptionList, { state: 'open' })
    const [exception] = exceptions
    assert.equal([exceptions.length, exception?.order, exception?.amount], [1, id, '1000.00'])
    const shown = await operator.ask(exceptionShow, { id: exception?.id ?? '' })
    assert.match(JSON.stringify(shown.evidence), /"lateConfirmations":\{"count":3,.*"key":"pk_a"/)
    const resolving = {
      id: shown.id,
      as: 'honour',
      reason: 'receipt seen',
      revision: shown.revision,
    } as const
    await operator.ask(exceptionResolve, resolving)
    assert.is((await world.act(code, 'confirm')).status, 422, 'the status stays')
    const shop = await node.request({ as: 'mk_shop', path: `${payOuts}${id}/` })
    assert.equal([shop.json.status, shop.json.paid], ['EXPIRED', null])
  },
)

type Ask = (operation: string, input: object) => Promise<{ status: number; json: OperatorAnswer }>

/** As commands ask a node on SQLite, and the console any. */
function overListener(node: TestNode): Ask {
  const file = node.settings.database.engine === 'sqlite' ? node.settings.database.file : ''
  const { url, token } = readTokenFile(file) ?? { url: '', token: '' }
  return async (operation, input) => {
    const answer = await fetch(`${url}/api/operations/${operation}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Operator-Name': 'ana',
      },
      body: JSON.stringify(input),
    })
    return { status: answer.status, json: JSON.parse(await answer.text()) }
  }
}

/** As commands do it on PostgreSQL: on the database itself, beside the node. */
function asCommands({ operator }: World): Ask {
  return async (name, input) => {
    const operation = operationsOf('sandbox').find((one) => one.name === name)
    assert.ok(operation, name)
    try {
      const output = await operator.ask(operation, input)
      return { status: 200, json: JSON.parse(JSON.stringify(output)) }
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== 'conflict') throw error
      return { status: 409, json: { revision: 0, exceptions: [], error: { code: error.code } } }
    }
  }
}

onABadDay('two operators act at once: the second gets 409, and nothing is done twice', async (world) => {
  const ask = isOnPostgres ? asCommands(world) : overListener(world.node)
  const { id, code } = await world.ready()
  await world.act(code, 'start')
  const { json: seen } = await ask('order.show', { id })
  const change = { id, provider: 'Network A', reason: 'till is dead', revision: seen.revision }
  const both = await Promise.all([ask('order.release', change), ask('order.confirm', change)])
  assert.equal(both.map(({ status }) => status).sort(), [200, 409])
  assert.is(both.find(({ status }) => status === 409)?.json.error.code, 'conflict')

  const held = await world.ready()
  await world.act(held.code, 'start')
  await ask('order.cancel', { id: held.id, reason: 'x', force: true })
  const { json: listed } = await ask('exception.list', { order: held.id })
  const [exception] = listed.exceptions
  assert.ok(exception)
  const resolve = { id: exception.id, reason: 'receipt', revision: exception.revision }
  const words = await Promise.all(
    ['honour', 'return'].map((as) => ask('exception.resolve', { ...resolve, as })),
  )
  assert.equal(words.map(({ status }) => status).sort(), [200, 409])
  assert.is(words.find(({ status }) => status === 409)?.json.error.code, 'conflict')
})

onABadDay(
  'a merchant is frozen: no creations, no starts of its orders, and confirmations go on',
  async (world) => {
    const { node, operator } = world
    const waiting = await world.ready()
    const started = await world.ready()
    await world.act(started.code, 'start')
    await operator.ask(partyFreeze, { name: 'Shop', reason: 'its key has leaked' })
    const created = await world.create()
    assert.equal([created.status, created.json.errors[0].code], [403, 'permission_denied'])
    const refused = await world.act(waiting.code, 'start', 'pk_b')
    assert.equal([refused.status, refused.json.errors[0].code], [422, 'merchant_frozen'])
    assert.is((await world.act(started.code, 'confirm')).status, 200)
    assert.is(
      (await node.request({ as: 'mk_shop', path: `${payOuts}${waiting.id}/` })).status,
      200,
      'it may look',
    )
    assert.is((await node.request({ as: 'mk_other', path: payOuts, body: payOutBody(), at: 1 })).status, 201)
    await operator.ask(partyUnfreeze, { name: 'Shop', reason: 'new key in use' })
    assert.equal(
      [(await world.create()).status, (await world.act(waiting.code, 'start', 'pk_b')).status],
      [201, 200],
    )
  },
)

onABadDay('a provider is frozen: no starts, and its confirmations go on', async (world) => {
  const { operator } = world
  const [waiting, started, given] = [await world.ready(), await world.ready(), await world.ready()]
  for (const { code } of [started, given]) await world.act(code, 'start')
  await operator.ask(partyFreeze, { name: 'Network A', reason: 'its tills are not its own' })
  const refused = await world.act(waiting.code, 'start')
  assert.equal([refused.status, refused.json.errors[0].code], [422, 'provider_frozen'])
  assert.is((await world.act(started.code, 'confirm')).status, 200)
  assert.is((await world.act(given.code, 'cancel')).status, 200)
  assert.is((await world.act(waiting.code, 'start', 'pk_b')).status, 200)
})

onABadDay('a merchant’s key has leaked: frozen, swept, rotated, revoked, and open again', async (world) => {
  const { node, operator } = world
  const own = await world.ready()
  node.clock.advance(hourMs)
  const stolen = await world.ready()
  const held = await world.ready()
  await world.act(held.code, 'start')
  await operator.ask(partyFreeze, { name: 'Shop', reason: 'leaked' })
  const since = '2026-03-01T12:30:00Z'
  const swept = await operator.ask(orderCancelAll, { credential: 'mk_shop', since, reason: 'leaked' })
  assert.equal([swept.cancelled, swept.refused, swept.mayCreateMore], [1, 1, false])
  assert.equal(await Promise.all([own, stolen, held].map(({ id }) => world.statusOf(id))), [
    'READY',
    'CANCELLED',
    'PAYMENT_STARTED',
  ])
  const { key, secret } = await operator.ask(keyRotate, { party: 'Shop' })
  await operator.ask(keyRevoke, { key: 'mk_shop', reason: 'leaked' })
  await operator.ask(partyUnfreeze, { name: 'Shop', reason: 'new key' })
  assert.is((await world.create()).status, 403, 'the old key signs nothing')
  const body = JSON.stringify(payOutBody())
  const messageDate = (node.clock.now() / 1000).toFixed(3)
  const answer = await fetch(`${node.publicUrl}${payOuts}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Merchant-Key': key,
      'Message-Date': messageDate,
      'Message-Hash': sign({ key, messageDate, method: 'POST', path: payOuts, body }, secret),
    },
    body,
  })
  assert.is(answer.status, 201)
  const { status } = await world.act(held.code, 'confirm')
  assert.is(status, 200, 'cash that was handed over is confirmed')
})

onABadDay(
  'the clock jumps a day ahead: nothing expires, the node is degraded, until it is accepted',
  async (world) => {
    const { node, operator } = world
    const expiry = '2026-03-02T06:00:00Z'
    const [waiting, held] = [await world.ready({ expiry }), await world.ready({ expiry })]
    await world.act(held.code, 'start')
    assert.equal(await world.readyz(), { status: 'ready' })
    node.clock.jump(dayMs)
    node.workers.send({ type: 'worker.wake', id: 'clock' })
    await node.until(async () => (await world.readyz()).status === 'degraded')
    assert.match((await world.readyz()).reasons?.clock ?? '', /^The clock jumped 1 d forward\./)
    node.workers.send({ type: 'worker.wake', id: 'expiry' })
    assert.equal(
      [await world.statusOf(waiting.id), await world.statusOf(held.id)],
      ['READY', 'PAYMENT_STARTED'],
    )
    const start = await world.act(waiting.code, 'start', 'pk_b')
    assert.is(start.status, 400, 'past its expiry an order is not started, whatever the clock is worth')
    const given = await world.act(held.code, 'cancel')
    assert.equal([given.status, given.json.status], [200, 'READY'])
    assert.is((await operator.ask(clockShow, {})).state, 'in_doubt')
    // It was the clock's mistake, and it is set right: nothing has happened to anybody.
    node.clock.jump(-dayMs)
    assert.is((await operator.ask(clockAccept, {})).state, 'trusted')
    assert.equal(await world.readyz(), { status: 'ready' })
    for (const { id, code } of [waiting, held]) {
      assert.is(await world.statusOf(id), 'READY')
      assert.is((await world.act(code, 'start', 'pk_b')).status, 200)
    }
  },
)

onABadDay('the clock was a day behind and is set right: accepted, what fell due expires', async (world) => {
  const { node, operator } = world
  const { id } = await world.ready({ expiry: '2026-03-02T06:00:00Z' })
  node.clock.jump(dayMs)
  node.workers.send({ type: 'worker.wake', id: 'clock' })
  await node.until(async () => (await world.readyz()).status === 'degraded')
  await operator.ask(clockAccept, {})
  assert.is(await world.statusOf(id), 'EXPIRED')
  assert.equal(await world.readyz(), { status: 'ready' })
})

onABadDay(
  'the clock jumps a day back: orders go on at the time before, until it is accepted',
  async (world) => {
    const { node, operator } = world
    const { code } = await world.ready()
    node.clock.jump(-dayMs)
    node.workers.send({ type: 'worker.wake', id: 'clock' })
    await node.until(async () => (await world.readyz()).status === 'degraded')
    assert.is((await world.act(code, 'start')).json.modified, '2026-03-01T12:00:00.000Z')
    await operator.ask(clockAccept, {})
    assert.is((await world.act(code, 'confirm')).json.paid, '2026-02-28T12:00:00.000Z')
  },
)

onABadDay('a machine that was suspended for a day expires what fell due meanwhile', async (world) => {
  const { node } = world
  const { id } = await world.ready({ expiry: '2026-03-02T06:00:00Z' })
  node.clock.advance(dayMs)
  await node.core.clockWatch.look()
  assert.equal(await world.readyz(), { status: 'ready' })
  assert.is(await world.statusOf(id), 'EXPIRED')
})

test('a node that starts at a time before its last one is degraded, and expires nothing', async () => {
  const first = await startTestNode()
  const { directory, clock } = first
  const order = await worldOf(first).ready()
  await first.core.clockWatch.look()
  await first.stop()
  clock.jump(-dayMs)
  const node = await startTestNode({ directory, clock, parties: null })
  const world = worldOf(node)
  assert.match(
    (await world.readyz()).reasons?.clock ?? '',
    /^The clock is 1 d behind the time this database last saw/,
  )
  assert.is(await world.statusOf(order.id), 'READY')
  await node.stop()
  clock.jump(3 * dayMs)
  const later = await startTestNode({ directory, clock, parties: null })
  const again = worldOf(later)
  assert.is((await again.readyz()).status, 'degraded', 'a restart settles nothing')
  assert.is(await again.statusOf(order.id), 'READY')
  await again.operator.ask(clockAccept, {})
  assert.is(await again.statusOf(order.id), 'EXPIRED')
  await stopTestNode(later)
})

test('a node on a database that was put back pays nothing that was open in it, until an operator has looked', async () => {
  const first = await startTestNode()
  const { directory, clock, settings } = first
  const order = await worldOf(first).ready()
  await first.stop()
  const line = JSON.stringify({
    at: '2026-03-01T12:00:00.000Z',
    position: 1_000_000,
    entries: 1,
    digest: 'x',
  })
  writeFileSync(anchorsFileOfNode(settings), `${line}\n`)
  const node = await startTestNode({ directory, clock, parties: null })
  const world = worldOf(node)
  // From the first answer on.
  assert.match((await world.readyz()).reasons?.anchors ?? '', /^The database is older than its anchors/)
  const started = await world.act(order.code, 'start')
  assert.is(started.status, 422, started.text)
  const { anchors } = await world.operator.ask(nodeShowRestore, {})
  assert.is(readFileSync(String(anchors), 'utf8'), `${line}\n`)
  await world.operator.ask(orderClear, { all: true, reason: 'the network has reported' })
  const { state } = await world.operator.ask(nodeAcceptRestore, { reason: 'dealt with' })
  assert.is(state, 'none')
  assert.is((await world.readyz()).status, 'ready')
  assert.is((await world.act(order.code, 'start')).status, 200)
  await stopTestNode(node)
})

test.run()
