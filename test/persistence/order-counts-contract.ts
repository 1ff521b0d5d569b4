/** How many orders there are in each status, told without reading them all, and what came about on each day. */
import * as assert from 'uvu/assert'
import { orderStatuses } from '../../machines/statuses.ts'
import { orderDays, orderTotals } from '../../persistence/queries/overview.ts'
import { statement } from '../../persistence/statement.ts'
import type { Store, Write } from '../../persistence/store.ts'
import { newOrder, type WithStore, write } from './rows.ts'

type Status = (typeof orderStatuses)[number]

const day = 86_400_000

const everyOrder = statement<Record<never, never>>()('orders.counted', ({ db }) =>
  db
    .selectFrom('orders')
    .select(['status', 'direction', ({ fn }) => fn.countAll<number>().as('orders')])
    .groupBy(['status', 'direction']),
)

const deletion = statement<{ id: string }>()('orders.deleted', ({ db }, arg) =>
  db.deleteFrom('orders').where('id', '=', arg('id')).returning('id'),
)

const isFinal = (status: Status) => !['CREATED', 'READY', 'PAYMENT_STARTED'].includes(status)

/** What the constraints of an order ask of its status. */
const columnsOf = (status: Status, at: number) => ({
  status,
  modified_at: at,
  due_at: isFinal(status) ? null : at + 1,
  paid_at: status === 'COMPLETED' ? at : null,
  lock_provider_id: status === 'PAYMENT_STARTED' || status === 'COMPLETED' ? 'p1' : null,
})

const moved = (id: string, status: Status, at: number): Write => ({
  update: 'orders',
  key: { id },
  set: columnsOf(status, at),
})

type Counted = { status: string; direction: string; orders: number }

const texts = (found: readonly Counted[]) =>
  found
    .filter(({ orders }) => Number(orders) !== 0)
    .map(({ status, direction, orders }) => `${direction} ${status} ${orders}`)
    .sort()

const totals = async (store: Store) => texts(await store.query(orderTotals, {}))

async function daysOf(store: Store): Promise<string[]> {
  const found = await store.query(orderDays, { from: 0 })
  return found.map((line) => `${line.day} ${line.status} ${line.orders}`).sort()
}

export function orderCountsContract(withStore: WithStore): void {
  withStore('orders are counted in each status, wherever they are made and moved', async (store) => {
    // Each into each, also where no chart leads.
    const moves = orderStatuses.flatMap((from) => orderStatuses.map((to) => ({ from, to })))
    for (const [index, { from, to }] of moves.entries()) {
      const direction = index % 2 === 0 ? 'PAY_OUT' : 'PAY_IN'
      const id = `o${index}`
      await write(store, [newOrder(id, 1, { direction, ...columnsOf(from, 1) })])
      assert.equal(await totals(store), texts(await store.query(everyOrder, {})), `made ${from}`)
      await write(store, [moved(id, to, 2)])
      assert.equal(await totals(store), texts(await store.query(everyOrder, {})), `${from} to ${to}`)
    }
  })

  withStore('what was undone is not counted', async (store) => {
    await write(store, [newOrder('o1', 1)])
    const taken = newOrder('o2', 1, { ...columnsOf('COMPLETED', 1), merchant_order_id: 'shop-o1' })
    const result = await write(store, [moved('o1', 'EXPIRED', 2), newOrder('o3', 1), taken])
    assert.is(result.outcome, 'violated')
    assert.equal(await totals(store), ['PAY_OUT CREATED 1'])
    assert.equal(await daysOf(store), ['0 CREATED 1'])
  })

  withStore('what has ended stays counted when it is removed, as its archive does', async (store) => {
    await write(store, [newOrder('o1', 1), newOrder('o2', 1)])
    await write(store, [moved('o1', 'CANCELLED', 2)])
    await store.execute(deletion, { id: 'o1' })
    assert.equal(await totals(store), ['PAY_OUT CANCELLED 1', 'PAY_OUT CREATED 1'])
  })

  withStore('a day knows what was made and what has ended on it, and nothing between', async (store) => {
    await write(store, [newOrder('o1', 1), newOrder('o2', day), newOrder('o3', day)])
    await write(store, [moved('o1', 'READY', day)])
    await write(store, [moved('o1', 'PAYMENT_STARTED', day), moved('o2', 'READY', day)])
    await write(store, [moved('o1', 'COMPLETED', 2 * day - 1), moved('o3', 'EXPIRED', 2 * day)])
    await write(store, [moved('o2', 'CANCELLED', 2 * day)])
    assert.equal(await daysOf(store), [
      '0 CREATED 1',
      '1 COMPLETED 1',
      '1 CREATED 2',
      '2 CANCELLED 1',
      '2 EXPIRED 1',
    ])
  })
}
