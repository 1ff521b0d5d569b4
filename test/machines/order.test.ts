import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Accepted, begin, decide } from '../../actors/orders/decide.ts'
import { type ChartName, charts, chartVersion, isChartName, storedCharts } from '../../machines/index.ts'
import { dueAt, type OrderEvent, publicStatus } from '../../machines/order.ts'
import { tableInput } from '../support/order-table.ts'

const { createdAt, expiryAt, confirmGraceMs } = tableInput
const minute = 60_000

/** Tells a new order one event after the other; each must be accepted. */
function tell(name: ChartName, events: readonly OrderEvent[]): Accepted {
  let order = begin(name, tableInput)
  for (const event of events) {
    const decided = decide(order.stored, event)
    assert.ok(decided.ok, `${event.type} was refused`)
    order = decided
  }
  return order
}

const reserve: OrderEvent = { type: 'funds.reserve', at: createdAt + minute }
const expire: OrderEvent = { type: 'order.expire', at: expiryAt + confirmGraceMs }
const cancel: OrderEvent = { type: 'operator.cancel', at: expiryAt, reason: 'fraud', force: true }
const start = (providerId: string, at: number): OrderEvent => ({
  type: 'payment.start',
  at,
  providerId,
  networkId: `network of ${providerId}`,
})
const lockOfA = { providerId: 'A', networkId: 'network of A', at: createdAt + 2 * minute }
const startA = start('A', lockOfA.at)

test('snapshots are stored of every kind of order, of payments, claims and approvals', () => {
  const names = ['payIn', 'payOutForeign', 'payOutLocal']
  assert.equal(Object.keys(charts).toSorted(), names)
  assert.equal(Object.keys(storedCharts).toSorted(), [...names, 'payment', 'claim', 'approval'].toSorted())
  for (const [name, chart] of Object.entries(storedCharts)) assert.is(chart.id, name)
})

test('a status is the child of open, or the final state; everything else says nothing', () => {
  const values: [value: unknown, status: string | null][] = [
    [{ open: 'READY' }, 'READY'],
    [{ open: { CREATED: 'building' } }, 'CREATED'],
    ['COMPLETED', 'COMPLETED'],
    ['open', null],
    [{ open: null }, null],
    [null, null],
    [undefined, null],
  ]
  for (const [value, status] of values) assert.is(publicStatus(value), status)
})

test('a new order remembers what it was created with, and nothing else', () => {
  assert.equal(tell('payOutLocal', []).context, {
    ...tableInput,
    modifiedAt: createdAt,
    isReserved: false,
    lock: null,
    locks: 0,
    paidAt: null,
  })
})

test('a start takes the lock for one provider, through one network, at its own time', () => {
  const { context } = tell('payOutLocal', [reserve, startA])
  assert.equal([context.lock, context.locks, context.isReserved], [lockOfA, 1, true])
})

test('a lock given back leaves nothing but its count', () => {
  const givenBack: OrderEvent = { type: 'payment.cancel', at: createdAt + 3 * minute, providerId: 'A' }
  const { context } = tell('payOutLocal', [reserve, startA, givenBack])
  assert.equal([context.lock, context.locks], [null, 1])
  const again = tell('payOutLocal', [reserve, startA, givenBack, start('B', createdAt + 4 * minute)])
  assert.equal([again.context.lock?.providerId, again.context.locks], ['B', 2])
})

test('a completed order keeps who paid it, and when', () => {
  const confirm: OrderEvent = { type: 'payment.confirm', at: expiryAt + minute, providerId: 'A' }
  const { context } = tell('payOutLocal', [reserve, startA, confirm])
  assert.equal([context.lock, context.paidAt], [lockOfA, expiryAt + minute])
  assert.is(tell('payIn', [startA, confirm]).context.paidAt, expiryAt + minute)
})

test('an order that ended while locked keeps who held it, and was never paid', () => {
  for (const end of [expire, cancel]) {
    const { context } = tell('payOutLocal', [reserve, startA, end])
    assert.equal([context.lock, context.paidAt], [lockOfA, null], end.type)
  }
})

test('a snapshot is JSON, and says the same after it was read', () => {
  const order = tell('payOutLocal', [reserve, startA])
  const again = decide({ ...order.stored }, { type: 'payment.confirm', at: expiryAt, providerId: 'A' })
  assert.ok(again.ok)
  assert.equal(JSON.parse(again.stored.text).context, again.context)
})

test('an open order falls due at its expiry, a locked one when its grace has gone, a finished one never', () => {
  const due = (order: Accepted) => dueAt(order.status, order.context)
  assert.is(due(tell('payOutLocal', [])), expiryAt)
  assert.is(due(tell('payOutLocal', [reserve])), expiryAt)
  assert.is(due(tell('payOutLocal', [reserve, startA])), expiryAt + confirmGraceMs)
  assert.is(due(tell('payIn', [])), expiryAt)
  for (const end of [expire, cancel]) assert.is(due(tell('payIn', [startA, end])), null)
})

test('an order falls due exactly when its chart lets it expire', () => {
  for (const events of [[], [reserve], [reserve, startA]]) {
    const order = tell('payOutLocal', events)
    const due = dueAt(order.status, order.context)
    assert.ok(due !== null)
    assert.equal(decide(order.stored, { type: 'order.expire', at: due - 1 }), {
      ok: false,
      reason: 'not_due',
    })
    assert.ok(decide(order.stored, { type: 'order.expire', at: due }).ok)
  }
})

test('charts go by their names, each with a version', () => {
  assert.equal(Object.keys(charts).filter(isChartName), ['payOutLocal', 'payOutForeign', 'payIn'])
  for (const name of ['payOut', '', 'constructor', '__proto__']) assert.not(isChartName(name))
  for (const chart of Object.values(charts)) assert.ok(Number.isSafeInteger(chartVersion(chart)))
})

test.run()
