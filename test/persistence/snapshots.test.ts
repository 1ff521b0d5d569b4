import { readdirSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor } from 'xstate'
import { decide } from '../../actors/orders/decide.ts'
import { type Chart, type ChartName, charts, chartVersion, isChartName } from '../../machines/index.ts'
import { type OrderEventType, type OrderStatus, orderSetup, orderStatuses } from '../../machines/order.ts'
import { loadSnapshot, SnapshotError, type Upcaster } from '../../persistence/snapshots.ts'
import { chartProblem, readGolden, readRecord, snapshotFolder, snapshotProblem } from '../../scripts/chart-record.ts'
import { allActions, eventOf, statusesOf } from '../support/order-table.ts'

const names = Object.keys(charts) as ChartName[]
const record = readRecord()

/** Every golden snapshot there is, of every version. */
const goldenFiles = readdirSync(snapshotFolder).map((file) => {
  const [, chart = '', version, status] = /^(\w+)\.v(\d+)\.([A-Z_]+)\.json$/.exec(file) ?? []
  const known = orderStatuses.find((one) => one === status)
  assert.ok(isChartName(chart) && known !== undefined, `${file} is no snapshot of a chart`)
  return { name: chart, version: Number(version), status: known }
})

// What an order in each status lets its holder, the operator and time do, shortly before its grace has gone.
const accepted: Record<ChartName, Partial<Record<OrderStatus, OrderEventType[]>>> = {
  payOutLocal: {
    CREATED: ['funds.reserve', 'operator.cancel'],
    READY: ['payment.start', 'operator.cancel'],
    PAYMENT_STARTED: ['payment.confirm', 'payment.cancel', 'operator.cancel'],
    COMPLETED: [],
    CANCELLED: [],
    EXPIRED: [],
  },
  payIn: {
    READY: ['payment.start', 'operator.cancel'],
    PAYMENT_STARTED: ['payment.confirm', 'payment.cancel', 'operator.cancel'],
    COMPLETED: [],
    CANCELLED: [],
    EXPIRED: [],
  },
}
test.run()
