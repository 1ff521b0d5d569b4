/** Corrections: each kind with all its postings, by hand, and what is refused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { adjustmentList, adjustmentRecord } from '../../../actors/settlement/adjustment-operations.ts'
import { paymentOrder } from '../../../actors/settlement/payment-operations.ts'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { agree, problemsIn, shopFees } from '../../support/agreed-terms.ts'
import { assertSameBalances, hasHledger, journalOf } from '../../support/hledger.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  commit,
  hourMs,
  inOrderWorld,
  type OrderWorld,
  otherShop,
  shop,
  tills,
} from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const withHledger = hasHledger('corrections as hledger reads them')
const names = new Map<string, string>([shop, otherShop, tills.A, tills.B].map(({ id, name }) => [id, name]))

/** The pay-in of the design's first example: the network owes 428.14, the shop has 425.30. */
async function paidIn(world: OrderWorld): Promise<string> {
  await agree(world)
  const order = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n, feeTerms: shopFees })
  await world.start(order.id, 'A', { hasTerms: true })
  await world.confirm(order.id, 'A')
  return order.id
}

async function closeAll(world: OrderWorld): Promise<void> {
  const { ask } = operatorOf(world)
  for (const party of ['Network A', 'Shop']) await ask(statementClose, { party, currency: 'MXN' })
  await closerOf(world).pass()
}

const line = { statement: 1, line: 1 }
const by = { currency: 'MXN', reference: 'claim 1', reason: 'as agreed' }

interface Case {
  what: string
  party: 'Network A' | 'Shop'
  because: 'dispute' | 'goodwill'
  amount: string
  tax?: string
  /** Before it is booked, in a world whose day is closed: the shop's 425.30 are payable. */
  prepare?: (world: OrderWorld) => Promise<void>
  postings: [kind: string, debit: string, credit: string, amount: string][]
  corrected: string
}

const cases: readonly Case[] = [
  {
    what: 'a commission that was too small, with its tax',
    party: 'Network A',
    because: 'dispute',
    amount: '4.00',
    tax: '0.64',
    postings: [
      ['adjustment', 'fee of Network A', 'provider of Network A', '4.00'],
      ['adjustment_tax', 'tax_credited of Network A', 'provider of Network A', '0.64'],
    ],
    corrected: '4.64',
  },
  {
    what: 'a commission that was too large',
    party: 'Network A',
    because: 'dispute',
    amount: '-1.50',
    postings: [['adjustment', 'provider of Network A', 'fee of Network A', '1.50']],
    corrected: '-1.50',
  },
  {
    what: 'goodwill to a shop',
    party: 'Shop',
    because: 'goodwill',
    amount: '10.00',
    postings: [['adjustment', 'fee of Shop', 'available of Shop', '10.00']],
    corrected: '10.00',
  },
  {
    what: 'a fee that is given back to a shop in debt',
    party: 'Shop',
    because: 'dispute',
    amount: '10.95',
    tax: '1.75',
    prepare: async (world) => {
      const { ask } = operatorOf(world)
      await ask(paymentOrder, { party: 'Shop', bank: 'main', reason: 'all of it' })
      await world.takeBack(700n)
    },
    postings: [
      ['adjustment', 'fee of Shop', 'available of Shop', '10.95'],
      ['adjustment_tax', 'tax_collected of Shop', 'available of Shop', '1.75'],
      ['repay', 'available of Shop', 'debt of Shop', '7.00'],
    ],
    corrected: '12.70',
  },
  {
    what: 'a fee that was too small, out of what is available',
    party: 'Shop',
    because: 'dispute',
    amount: '-10.00',
    tax: '-1.60',
    prepare: (world) => world.deposit(1_160n),
    postings: [
      ['adjustment', 'available of Shop', 'fee of Shop', '10.00'],
      ['adjustment_tax', 'available of Shop', 'tax_collected of Shop', '1.60'],
    ],
    corrected: '-11.60',
  },
  {
    what: 'out of what is available, and then of what is payable',
    party: 'Shop',
    because: 'dispute',
    amount: '-20.00',
    prepare: (world) => world.deposit(500n),
    postings: [
      ['sweep_back', 'payable of Shop', 'available of Shop', '15.00'],
      ['adjustment', 'available of Shop', 'fee of Shop', '20.00'],
    ],
    corrected: '-20.00',
  },
  {
    what: 'then of what is payable and not ordered, and the rest is a debt',
    party: 'Shop',
    because: 'dispute',
    amount: '-30.00',
    tax: '-4.80',
    prepare: async (world) => {
      await world.deposit(100n)
      const { ask } = operatorOf(world)
      await ask(paymentOrder, { party: 'Shop', bank: 'main', amount: '420.30', reason: 'most of it' })
    },
    postings: [
      ['sweep_back', 'payable of Shop', 'available of Shop', '5.00'],
      ['borrow', 'debt of Shop', 'available of Shop', '28.80'],
      ['adjustment', 'available of Shop', 'fee of Shop', '30.00'],
      ['adjustment_tax', 'available of Shop', 'tax_collected of Shop', '4.80'],
    ],
    corrected: '-34.80',
  },
]

for (const { what, party, because, amount, tax, prepare, postings, corrected } of cases) {
  play(`${what}: ${amount} to ${party}`, async (world) => {
    await settle(world)
    await paidIn(world)
    await closeAll(world)
    world.clock.advance(48 * hourMs)
    await prepare?.(world)
    const { ask } = operatorOf(world)
    const input = { ...by, ...line, party, because, amount, ...(tax === undefined ? {} : { tax }) }
    const before = await world.rows('postings')
    const shown = await ask(adjustmentRecord, { ...input, dryRun: true })
    assert.equal(await world.rows('postings'), before, 'a dry run writes nothing')
    const booked = await ask(adjustmentRecord, input)
    assert.equal(shown.postings, booked.postings, 'what is shown is what is booked')
    assert.equal(
      booked.postings.map((one) => [one.kind, one.debit, one.credit, one.amount]),
      postings,
    )
    assert.is(booked.lineCorrected, corrected)
    const written = (await world.rows('postings')).slice(before.length)
    assert.equal(
      written.map(({ kind }) => kind),
      postings.map(([kind]) => kind),
    )
    const about = written.filter(({ kind }) => kind.startsWith('adjustment')).map((one) => one.about_day)
    assert.equal(new Set(about), new Set(['2026-03-01']), 'it says which day it is about')
    assert.equal(await problemsIn(world), [])
  })
}

play(
  'it is one line of the next statement, with its tax, and closed ones stay as they are',
  async (world) => {
    await settle(world)
    const order = await paidIn(world)
    await closeAll(world)
    const closed = await world.rows('statement_lines')
    world.clock.advance(24 * hourMs)
    const { ask } = operatorOf(world)
    const network = { ...by, party: 'Network A', because: 'dispute' } as const
    await ask(adjustmentRecord, { ...network, order, amount: '4.00', tax: '0.64' })
    await ask(adjustmentRecord, {
      ...by,
      ...line,
      party: 'Shop',
      because: 'dispute',
      amount: '-25.00',
      tax: '-4.00',
    })
    await ask(statementClose, { party: 'Network A', currency: 'MXN' })
    await ask(statementClose, { party: 'Shop', currency: 'MXN' })
    await closerOf(world).pass()
    const lines = await world.rows('statement_lines')
    assert.equal(
      lines.filter(({ number }) => number === 1),
      closed,
    )
    assert.equal(
      lines
        .filter(({ number }) => number === 2)
        .map((one) => [
          one.party_id,
          one.kind,
          one.about_day,
          one.amount_minor,
          one.tax_minor,
          one.balance_minor,
        ])
        .toSorted(),
      [
        [tills.A.id, 'adjustment', '2026-03-01', 400n, 64n, -42_350n],
        [shop.id, 'adjustment', '2026-03-01', -2_500n, -400n, 39_630n],
      ],
    )
    const [first, second] = (await world.rows('statements')).filter(({ party_id }) => party_id === shop.id)
    assert.is(first?.allocated_minor, 2_900n, 'what was taken back of it is due no more')
    assert.is(second?.due_minor, 0n)
    assert.equal(await problemsIn(world), [])
    if (withHledger)
      assertSameBalances(
        await journalOf(world.url),
        await world.rows('accounts'),
        (id) => names.get(id) ?? id,
      )
    const { adjustments } = await ask(adjustmentList, { party: 'Network A' })
    assert.equal(
      adjustments.map((one) => [one.reference, one.amount, one.tax, one.order, one.statement]),
      [['claim 1', '4.00', '0.64', order, null]],
    )
  },
)

play('what is no correction is refused, in one line, and nothing is written', async (world) => {
  const { ask, refusal } = await settle(world)
  const order = await paidIn(world)
  await closeAll(world)
  const input = { ...by, ...line, party: 'Network A', because: 'dispute', amount: '4.00' } as const
  const { statement: _, line: __, ...unnamed } = input
  const refused: [unknown, RegExp][] = [
    [{ ...input, amount: '0.00' }, /^amount: "0.00" is not above zero\.$/],
    [{ ...input, amount: 'much' }, /^amount: "much" is not an amount of MXN\.$/],
    [{ ...input, amount: '1.005' }, /more decimals than MXN/],
    [{ ...input, tax: '-0.64' }, /^tax: "-0.64" and the amount have different signs\.$/],
    [unnamed, /names one line: a statement and its line, or an order/],
    [{ ...input, order }, /names one line/],
    [{ ...input, statement: 2 }, /^Network A has no statement 2 in MXN\.$/],
    [{ ...input, line: 2 }, /^Statement 1 of Network A in MXN has 1 lines, and no line 2\.$/],
    [{ ...input, currency: 'USD' }, /^Network A has no statement 1 in USD\.$/],
    [{ ...unnamed, party: 'Network B', order }, /has no line in the account of Network B in MXN/],
    [{ ...unnamed, order: 'unknown' }, /^The order unknown has no line in the account of Network A/],
    [{ ...input, party: 'Nobody' }, /^There is no party Nobody\.$/],
    [
      { ...input, amount: '428.15' },
      /^The line is of -428\.14 MXN: it cannot be corrected by 428\.15 MXN\.$/,
    ],
  ]
  const before = await world.rows('postings')
  for (const [asked, message] of refused)
    assert.match((await refusal('adjustment.record', asked)).message, message)
  assert.equal(await world.rows('postings'), before)
  await ask(adjustmentRecord, { ...input, amount: '400.00' })
  assert.match(
    (await refusal('adjustment.record', input)).message,
    /^The correction claim 1 of Network A was booked already: 400\.00 MXN at 2026-/,
  )
  // By the order it is the same line.
  assert.match(
    (await refusal('adjustment.record', { ...unnamed, order, reference: 'claim 2', amount: '28.15' }))
      .message,
    /^The line is of -428\.14 MXN, and it was corrected by 400\.00 MXN already/,
  )
  await ask(adjustmentRecord, { ...unnamed, order, reference: 'claim 2', amount: '-400.00' })
  assert.equal(
    (await world.rows('corrected_lines')).map((one) => one.corrected_minor),
    [0n],
  )
  // Another party may call its own the same.
  await ask(adjustmentRecord, { ...input, party: 'Shop' })
  await commit(world.store, [{ insert: 'facts', values: { name: 'settlement_stopped', value: '1' } }])
  assert.match(
    (await refusal('adjustment.record', { ...input, reference: 'claim 3' })).message,
    /^Settlement is stopped since a backup was restored/,
  )
})

play('what is corrected of a frozen party is booked: nothing of it is paid', async (world) => {
  const { ask, refusal } = await settle(world)
  await paidIn(world)
  await closeAll(world)
  await commit(world.store, [
    { update: 'parties', key: { id: shop.id }, set: { frozen_at: 1, frozen_reason: 'who asks?' } },
  ])
  await ask(adjustmentRecord, { ...by, ...line, party: 'Shop', because: 'goodwill', amount: '1.00' })
  assert.is(await world.balance({}), 100n)
  const order = { party: 'Shop', bank: 'main', reason: 'test' }
  assert.match((await refusal('payment.order', order)).message, /^Shop is frozen/)
})

play('two operators who correct one line at the same moment go one behind the other', async (world) => {
  const { ask } = await settle(world)
  await paidIn(world)
  await closeAll(world)
  const input = { ...by, ...line, party: 'Network A', because: 'dispute', amount: '300.00' } as const
  const both = await Promise.allSettled([
    ask(adjustmentRecord, { ...input, reference: 'a' }),
    ask(adjustmentRecord, { ...input, reference: 'b' }),
  ])
  assert.equal(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal(await problemsIn(world), [])
})

play('verify finds a correction that has not moved what it says', async (world) => {
  const { ask } = await settle(world)
  await paidIn(world)
  await closeAll(world)
  const input = { ...by, ...line, party: 'Network A', because: 'dispute', amount: '3.00' } as const
  const { adjustment } = await ask(adjustmentRecord, input)
  const key = { id: adjustment.id }
  await commit(world.store, [{ update: 'adjustments', key, set: { amount_minor: 301n } }])
  const [check, ...others] = await problemsIn(world)
  assert.is(check?.name, 'adjustments')
  assert.match(check?.detail ?? '', /is corrected by 300, its adjustments say 301/)
  assert.match(check?.detail ?? '', /it says adjustment 301 from fee:network-a:MXN to provider:network-a:MXN/)
  assert.equal(others, [])
})

test.run()
