import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { and, not } from 'xstate'
import { type Chart, type StoredChartName, storedCharts } from '../../machines/index.ts'
import { newOrder, type OrderExceptionKind, orderSetup } from '../../machines/order.ts'
import {
  type ChartRecord,
  chartProblem,
  definitionHash,
  readRecord,
  updateRecord,
} from '../../scripts/chart-record.ts'

for (const name of Object.keys(storedCharts) as StoredChartName[])
  test(`the definition of the chart ${name} is the one recorded of its version`, () => {
    assert.is(chartProblem(readRecord(), name, storedCharts[name]), null)
  })

interface Variation {
  version?: string
  fact?: 'isDue' | 'isPastExpiry'
  target?: 'DONE' | 'GONE'
  kind?: OrderExceptionKind
  network?: string
}

/** A small chart, the same but for what is varied. */
function chartWith(variation: Variation): Chart {
  const { version = '1', fact = 'isDue', target = 'DONE', kind = 'expired_while_locked' } = variation
  return orderSetup.createMachine({
    id: 'small',
    version,
    context: newOrder,
    initial: 'open',
    states: {
      open: {
        on: {
          'order.expire': {
            guard: and([fact, not('isLocked')]),
            target,
            actions: { type: 'exception.open', params: { kind } },
          },
          'payment.start': {
            actions: {
              type: 'takeLock',
              params:
                variation.network === undefined
                  ? ({ event: { at, providerId, networkId } }) => ({ at, providerId, networkId })
                  : ({ event: { at, providerId } }) => ({ at, providerId, networkId: 'fixed' }),
            },
          },
        },
      },
      DONE: { type: 'final' },
      GONE: { type: 'final' },
    },
  })
}

const unchanged = chartWith({})
const changes: Variation[] = [
  { fact: 'isPastExpiry' },
  { target: 'GONE' },
  { kind: 'cancelled_while_locked' },
  { network: 'fixed' },
]

for (const change of changes)
  test(`a chart has another definition with ${JSON.stringify(change)}`, () => {
    assert.is.not(definitionHash(chartWith(change)), definitionHash(unchanged))
  })

test('a definition is the same for the same chart, whatever its version', () => {
  assert.is(definitionHash(chartWith({})), definitionHash(unchanged))
  assert.is(definitionHash(chartWith({ version: '2' })), definitionHash(unchanged))
})

/** What is recorded when the unchanged chart stands for the pay-in. */
function recordOf(release: boolean): ChartRecord {
  const updated = updateRecord({}, { payIn: unchanged }, release)
  assert.ok('record' in updated)
  return updated.record
}

test('a chart that is as recorded has no problem', () => {
  assert.is(chartProblem(recordOf(false), 'payIn', unchanged), null)
  assert.is(chartProblem(recordOf(true), 'payIn', unchanged), null)
})

test('a chart that changed without its version says what to do, before and after its release', () => {
  const changed = chartWith({ target: 'GONE' })
  assert.is(
    chartProblem(recordOf(false), 'payIn', changed),
    'The definition of the chart payIn changed, and its version did not. ' +
      'Version 1 is not released yet: run npm run charts.',
  )
  assert.is(
    chartProblem(recordOf(true), 'payIn', changed),
    'The definition of the chart payIn changed, and its version did not. ' +
      'Version 1 is released: raise the version, and write an upcaster in persistence/snapshots.ts.',
  )
})

test('a version that was never recorded is a problem', () => {
  assert.is(
    chartProblem(recordOf(true), 'payIn', chartWith({ version: '2' })),
    'Version 2 of the chart payIn is not recorded. Run npm run charts.',
  )
})

test('the record follows a chart until its version is released', () => {
  const changed = chartWith({ target: 'GONE' })
  const followed = updateRecord(recordOf(false), { payIn: changed }, false)
  assert.ok('record' in followed)
  assert.is(chartProblem(followed.record, 'payIn', changed), null)
  assert.equal(followed.record.payIn?.length, 1)

  const refused = updateRecord(recordOf(true), { payIn: changed }, false)
  assert.ok('problems' in refused)
  assert.equal(refused.problems, [chartProblem(recordOf(true), 'payIn', changed)])
})

test('a new version stands beside the released one, which stays released', () => {
  const updated = updateRecord(recordOf(true), { payIn: chartWith({ version: '2', target: 'GONE' }) }, false)
  assert.ok('record' in updated)
  assert.equal(
    updated.record.payIn?.map(({ version, isReleased }) => [version, isReleased]),
    [
      [1, true],
      [2, false],
    ],
  )
  assert.is(chartProblem(updated.record, 'payIn', unchanged), null)
})

test('what was released once is not opened again by recording it', () => {
  const updated = updateRecord(recordOf(true), { payIn: unchanged }, false)
  assert.ok('record' in updated)
  assert.is(updated.record.payIn?.[0]?.isReleased, true)
})

test.run()
