/** However many orders there are, no list of operators reads more of them than its page: by the plans SQLite makes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderPartsOf } from '../../actors/orders/list-operations.ts'
import { orderStatuses } from '../../machines/statuses.ts'
import { type OrderFilter, ordersPage, type PageEnd } from '../../persistence/queries/operations.ts'
import { orderTotals } from '../../persistence/queries/overview.ts'
import { quarantinedOrders } from '../../persistence/queries/quarantine.ts'
import { building, planOf } from '../support/query-plan.ts'

/** Every list there can be: each filter or none of it, together with all others. */
function* everyFilter(): Generator<OrderFilter> {
  for (const status of [undefined, ...orderStatuses])
    for (const merchantId of [undefined, 'm'])
      for (const providerId of [undefined, 'p'])
        for (const merchantOrderId of [undefined, 'o'])
          for (const from of [undefined, 1])
            for (const to of [undefined, 9])
              yield { status, merchantId, providerId, merchantOrderId, from, to }
}

const ends: (PageEnd | null)[] = [null, { at: 5, id: 'x' }]

/** Where a page begins, in each of both directions. */
const begins = [false, true].flatMap((oldestFirst) => ends.map((after) => ({ after, oldestFirst })))

/** The equal columns that a part's index has to begin with. */
function seekOf(part: OrderFilter): RegExp {
  const { status, merchantId, providerId, merchantOrderId, direction } = part
  if (merchantOrderId !== undefined)
    return /^SEARCH orders USING INDEX \S+ \(merchant_id=\? AND merchant_order_id=\?\)/
  // Those that a provider holds now are few, whichever index they are found by, and so they may be sorted.
  if (providerId !== undefined && status === 'PAYMENT_STARTED')
    return /^SEARCH orders USING INDEX \S+ \(.*(status|lock_provider_id)=/
  const equal = [
    ...(providerId === undefined ? [] : ['lock_provider_id=?']),
    ...(merchantId === undefined ? [] : ['merchant_id=?']),
    ...(direction === undefined ? [] : ['direction=?']),
    ...(status === undefined ? [] : ['status=?']),
  ]
  return new RegExp(`^SEARCH orders USING INDEX \\S+ \\(${equal.join(' AND ').replaceAll('?', '\\?')}`)
}

test('every list of orders begins at its place, in whatever way it is narrowed, and reads no further', () => {
  const wrong: string[] = []
  for (const filter of everyFilter()) {
    for (const part of orderPartsOf(filter)) {
      for (const { after, oldestFirst } of begins) {
        const plan = planOf(ordersPage(part, { after, limit: 50, oldestFirst }))
        const [orders = ''] = plan.filter((step) => / orders( |$)/.test(step))
        const isAll = Object.values(part).every((value) => value === undefined) && after === null
        const seeks = isAll
          ? orders === 'SCAN orders USING INDEX orders_by_created'
          : seekOf(part).test(orders)
        const { from, to, merchantOrderId } = part
        const isBounded = from !== undefined || to !== undefined || after !== null
        const mayBeSorted = merchantOrderId !== undefined || part.status === 'PAYMENT_STARTED'
        const isNarrow = mayBeSorted || !isBounded || /created_at[<>]|\(created_at,id\)[<>]/.test(orders)
        const isSorted = plan.some((step) => step.includes('TEMP B-TREE'))
        if (seeks && isNarrow && (mayBeSorted || !isSorted)) continue
        wrong.push(`${JSON.stringify({ ...part, after, oldestFirst })}: ${plan.join('; ')}`)
      }
    }
  }
  assert.equal(wrong, [])
})

test('of two upper ends a page begins at the earlier one', () => {
  const bounds = (after: PageEnd, to: number) =>
    ordersPage({ to }, { after, limit: 1 }).build({ db: building, engine: 'sqlite' }).compile().parameters
  assert.equal(bounds({ at: 5, id: 'x' }, 9), [5, 'x', 1])
  assert.equal(bounds({ at: 9, id: 'x' }, 5), [5, 1])
})

test('of two lower ends a page of the oldest begins at the later one', () => {
  const bounds = (after: PageEnd, from: number) =>
    ordersPage({ from }, { after, limit: 1, oldestFirst: true })
      .build({ db: building, engine: 'sqlite' })
      .compile().parameters
  assert.equal(bounds({ at: 5, id: 'x' }, 3), [5, 'x', 1])
  assert.equal(bounds({ at: 3, id: 'x' }, 5), [5, 1])
})

test('orders that are quarantined since a restoration are found without looking at the others', () => {
  assert.match(planOf(quarantinedOrders)[0] ?? '', /USING INDEX orders_quarantined/)
})

test('open orders are counted in an index that has all of it, by their merchant, direction and status', () => {
  const plan = planOf(orderTotals)
  const counted = plan.filter((step) => / orders /.test(step))
  const seek =
    'SEARCH orders USING COVERING INDEX orders_by_merchant_and_status (merchant_id=? AND direction=? AND status=?)'
  assert.equal(counted, Array(6).fill(seek))
})

test.run()
