/** Days on which a clock, or a database, is not what it was, as merchants and providers see them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeAcceptRestore, nodeShowRestore } from '../../../actors/anchors/restore-operations.ts'
import { clockAccept, clockShow } from '../../../actors/condition/clock-operations.ts'
import { orderClear } from '../../../actors/orders/quarantine-operations.ts'
import { anchorsFileOfNode } from '../../../node/anchors-file.ts'
import { dayMs, onABadDay, worldOf } from '../../support/bad-days.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'

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
    digest: 'A'.repeat(43),
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
