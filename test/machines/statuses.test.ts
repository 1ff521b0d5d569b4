/** What follows from a status alone: protocol 3. Queries, metrics and pages choose orders by these lists. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  factsOf,
  finalStatuses,
  heldStatuses,
  isOpen,
  openStatuses,
  orderStatuses,
  reservedStatuses,
} from '../../machines/statuses.ts'

// The status, what it waits for, and where its money is.
const rows = `
  CREATED          expiry  awaited
  READY            expiry  reserved
  PAYMENT_STARTED  grace   reserved
  COMPLETED        -       paid
  CANCELLED        -       returned
  EXPIRED          -       returned
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/))

test('each status says what ends it by itself, and where the price is', () => {
  assert.equal(
    orderStatuses,
    rows.map(([name]) => name),
  )
  const told = orderStatuses.map((status) => {
    const { due, money } = factsOf(status)
    return [status, due ?? '-', money]
  })
  assert.equal(told, rows)
})

test('the lists are of those that may move, those that ended, those with money in reserve, and those that were held', () => {
  assert.equal(openStatuses, ['CREATED', 'READY', 'PAYMENT_STARTED'])
  assert.equal(finalStatuses, ['COMPLETED', 'CANCELLED', 'EXPIRED'])
  assert.equal(orderStatuses.filter(isOpen), openStatuses)
  assert.equal(reservedStatuses, ['READY', 'PAYMENT_STARTED'])
  assert.equal(heldStatuses, ['PAYMENT_STARTED', 'COMPLETED', 'CANCELLED', 'EXPIRED'])
})

test.run()
