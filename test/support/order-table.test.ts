import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allMoments, eventOf, momentsOf, parseTable } from './order-table.ts'

const complete = `
  # READY
  order.create                              READY
  each
  funds.reserve                x wrong      READY
  transaction.built            x wrong      READY
  funds.credit                 x wrong      READY
  funds.credit       partial   x wrong      READY
  funds.accept                 x wrong      READY
  funds.accept       partial   x wrong      READY
  payment.start    A  early                 PAYMENT_STARTED
  payment.start    A  late     x past       READY
  payment.start    B           x past       READY
  payment.confirm  A           x wrong      READY
  payment.report   A           x wrong      READY
  payment.confirm  B           x wrong      READY
  payment.report   B           x wrong      READY
  payment.cancel   A           x wrong      READY
  payment.cancel   B           x wrong      READY
  payment.cancel   A  doubt    x wrong      READY
  payment.cancel   A  restored x wrong      READY
  payment.cancel   B  doubt    x wrong      READY
  payment.cancel   B  restored x wrong      READY
  operator.cancel                           CANCELLED   money.move release, merchant.notify
  operator.cancel     forced                CANCELLED
  order.expire        early    x not_due    READY
  order.expire     outage early x not_due    READY
  order.expire        expired  x not_due    READY
  order.expire     outage expired x not_due    READY
  order.expire        overdue               EXPIRED
  order.expire     outage overdue           EXPIRED
`

function moments(text: string): string[] {
  return parseTable(text)
    .flatMap(({ each }) => each.flatMap(momentsOf))
    .toSorted()
}

test('a table with a row for every event, caller and time is complete', () => {
  assert.is(allMoments().length, 66)
  assert.equal(moments(complete), allMoments().toSorted())
})

test('a table without any one of its rows is not', () => {
  const lines = complete.split('\n')
  const rows = lines.slice(lines.indexOf('  each') + 1, -1)
  for (const row of rows)
    assert.not.equal(moments(lines.filter((line) => line !== row).join('\n')), allMoments().toSorted(), row)
})

test('a table with two rows for the same thing is not complete either', () => {
  assert.not.equal(moments(`${complete}\n  order.expire  late  EXPIRED`), allMoments().toSorted())
})

test('a row says what is told, by whom, when, how it ends and with which effects', () => {
  const [section] = parseTable(complete)
  const row = section?.each.find(({ text }) => text.startsWith('operator.cancel CANCELLED'))
  assert.equal(row, {
    text: 'operator.cancel CANCELLED money.move release, merchant.notify',
    action: { event: 'operator.cancel', caller: null, manner: null },
    phases: ['early', 'expired', 'overdue'],
    refusal: null,
    status: 'CANCELLED',
    effects: 'money.move release, merchant.notify',
  })
})

test('the event of a row carries its caller and its time', () => {
  const action = { event: 'payment.start', caller: 'B', manner: null } as const
  assert.equal(eventOf(action, 5), {
    type: 'payment.start',
    at: 5,
    providerId: 'B',
    networkId: 'network of B',
  })
})

const misunderstood = [
  'payment.start A',
  'payment.start C READY',
  'payment.start READY',
  'payment.start A forced READY',
  'payment.cancel A forced READY',
  'operator.cancel doubt CANCELLED',
  'operator.cancel A CANCELLED',
  'order.vanish READY',
  'payment.start A x PAYMENT_STARTED',
  'payment.start A VANISHED',
  'payment start A READY',
]

for (const row of misunderstood)
  test(`"${row}" is not a row, and is not skipped`, () => {
    assert.throws(() => parseTable(`# READY\n${row}`), row)
  })

test('a row before the first section is an error', () => {
  assert.throws(() => parseTable('order.create READY'), /before the first section/)
})

test.run()
