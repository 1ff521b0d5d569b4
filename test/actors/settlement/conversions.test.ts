/** Conversions: what is sold of the treasuries, with all postings by hand, and what is refused. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { conversionRecord, conversionSell } from '../../../actors/settlement/conversion-operations.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { currencyOn, type Exchange, exchange, leave } from '../../support/exchanged.ts'
import { type ForeignPlay, playForeign } from '../../support/foreign-orders.ts'
import { assertSameBalances, hasHledger, journalOf } from '../../support/hledger.ts'
import { commit, inOrderWorld } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'

const inWorld = inOrderWorld(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  inWorld(name, (world) => story(playForeign(world)))
const withHledger = hasHledger('conversions as hledger reads them')
const reason = 'order 88 at the exchange'

async function exchanged(world: ForeignPlay, held: readonly Exchange[]): Promise<void> {
  for (const one of held) await exchange(world, one)
}

const leaves = (world: ForeignPlay, chain: 'SOLANA' | 'STELLAR', transaction: string, units: bigint) =>
  leave(world, transaction, { chain, units })

const unit = { SOLANA: 1_000_000n, STELLAR: 10_000_000n } as const

interface Case {
  what: string
  held: readonly Exchange[]
  chain: 'SOLANA' | 'STELLAR'
  units: bigint
  amount: string
  feePart?: string
  postings: [kind: string, debit: string, credit: string, amount: string][]
}

const aThousand = { chain: 'SOLANA', units: 1000n * unit.SOLANA, minor: 1_725_000n } as const

const cases: readonly Case[] = [
  {
    what: 'more than it was booked with is a result',
    held: [aThousand],
    chain: 'SOLANA',
    units: 400n * unit.SOLANA,
    amount: '6950.00',
    postings: [
      ['conversion', 'exchange', 'transit', '400.00'],
      ['conversion', 'bank of main', 'exchange', '6900.00'],
      ['conversion_result', 'bank of main', 'fx_result', '50.00'],
    ],
  },
  {
    what: 'less is one, too',
    held: [aThousand],
    chain: 'SOLANA',
    units: 400n * unit.SOLANA,
    amount: '6800.00',
    postings: [
      ['conversion', 'exchange', 'transit', '400.00'],
      ['conversion', 'bank of main', 'exchange', '6800.00'],
      ['conversion_result', 'fx_result', 'exchange', '100.00'],
    ],
  },
  {
    what: 'what is of the fees brings fees',
    held: [{ ...aThousand, feeUnits: 20n * unit.SOLANA }],
    chain: 'SOLANA',
    units: 400n * unit.SOLANA,
    amount: '6900.00',
    feePart: '10',
    postings: [
      ['conversion', 'exchange', 'transit', '390.00'],
      ['conversion_fee', 'fee', 'transit', '10.00'],
      ['conversion', 'bank of main', 'exchange', '6727.50'],
      ['conversion_fee', 'bank of main', 'fee', '172.50'],
    ],
  },
  {
    what: 'fees alone relieve nothing',
    held: [{ ...aThousand, feeUnits: 20n * unit.SOLANA }],
    chain: 'SOLANA',
    units: 20n * unit.SOLANA,
    amount: '340.01',
    feePart: '20.000000',
    postings: [
      ['conversion_fee', 'fee', 'transit', '20.00'],
      ['conversion_fee', 'bank of main', 'fee', '340.01'],
    ],
  },
  {
    what: 'a third of fifty pesos is rounded half up',
    held: [{ chain: 'SOLANA', units: 3n * unit.SOLANA, minor: 5_000n }],
    chain: 'SOLANA',
    units: unit.SOLANA,
    amount: '16.67',
    postings: [
      ['conversion', 'exchange', 'transit', '1.00'],
      ['conversion', 'bank of main', 'exchange', '16.67'],
    ],
  },
  {
    what: 'the rate is that of the asset on all chains, whatever their decimals',
    held: [
      { chain: 'SOLANA', units: 600n * unit.SOLANA, minor: 1_080_000n },
      { chain: 'STELLAR', units: 400n * unit.STELLAR, minor: 620_000n },
    ],
    chain: 'STELLAR',
    units: 400n * unit.STELLAR,
    amount: '6800.00',
    postings: [
      ['conversion', 'exchange', 'transit', '400.00'],
      ['conversion', 'bank of main', 'exchange', '6800.00'],
    ],
  },
]

for (const { what, held, chain, units, amount, feePart, postings } of cases) {
  play(what, async (world) => {
    const { ask } = await settle(world)
    await exchanged(world, held)
    await leaves(world, chain, 'tx-1', units)
    const sent = { transaction: 'tx-1', reason }
    const shownSent = await ask(conversionRecord, { ...sent, dryRun: true })
    assert.equal(await world.rows('conversions'), [])
    const recorded = await ask(conversionRecord, sent)
    assert.equal(shownSent.postings, recorded.postings)
    assert.equal(
      recorded.postings.map(({ kind, debit, credit }) => [kind, debit, credit]),
      [['conversion_sent', 'transit', 'suspense']],
    )
    assert.is((await world.rows('exceptions'))[0]?.resolution, 'converted')
    assert.is(await world.balance({ kind: 'transit', ownerId: '', currency: currencyOn(chain) }), -units)
    assert.equal(await problemsIn(world), [], 'while it is on its way')
    const { id } = recorded.conversion
    const sale = { id, bank: 'main', reference: 'SPEI 1', amount, reason, revision: 1 }
    const input = feePart === undefined ? sale : { ...sale, feePart }
    const before = await world.rows('postings')
    const shown = await ask(conversionSell, { ...input, dryRun: true })
    assert.equal(await world.rows('postings'), before)
    const sold = await ask(conversionSell, input)
    assert.equal(shown.postings, sold.postings)
    assert.equal(
      sold.postings.map((one) => [one.kind, one.debit, one.credit, one.amount]),
      postings,
    )
    assert.is(await world.balance({ kind: 'transit', ownerId: '', currency: currencyOn(chain) }), 0n)
    assert.equal(await problemsIn(world), [])
  })
}

play('the last of what was exchanged takes with it all that it was booked with', async (world) => {
  const { ask } = await settle(world)
  await exchanged(world, [{ chain: 'SOLANA', units: 3n * unit.SOLANA, minor: 5_000n }])
  for (const [transaction, amount] of [
    ['tx-1', '16.67'],
    ['tx-2', '16.67'],
    ['tx-3', '16.66'],
  ] as const) {
    await leaves(world, 'SOLANA', transaction, unit.SOLANA)
    const { conversion } = await ask(conversionRecord, { transaction, reason })
    const sold = await ask(conversionSell, {
      id: conversion.id,
      bank: 'main',
      reference: transaction,
      amount,
      reason,
    })
    assert.is(sold.conversion.result, '0.00', transaction)
  }
  for (const currency of ['MXN', currencyOn('SOLANA')])
    assert.is(await world.balance({ kind: 'exchange', ownerId: '', currency }), 0n)
  assert.equal(await problemsIn(world), [])
  if (withHledger)
    assertSameBalances(await journalOf(world.url), await world.rows('accounts'), (id) =>
      id === 'shop' ? 'Shop' : id,
    )
})

play('what is no conversion is refused, in one line, and nothing is written', async (world) => {
  const { ask, refusal } = await settle(world)
  await exchanged(world, [{ ...aThousand, feeUnits: 5n * unit.SOLANA }])
  await leaves(world, 'SOLANA', 'tx-1', 1_003n * unit.SOLANA)
  const before = await world.rows('postings')
  const refused = async (name: string, input: object, message: RegExp) =>
    assert.match((await refusal(name, input)).message, message)
  await refused(
    'conversion.record',
    { transaction: 'tx-9', reason },
    /^Nothing was seen leaving a treasury in the/,
  )
  assert.equal(await world.rows('postings'), before)
  const { conversion } = await ask(conversionRecord, { transaction: 'tx-1', reason })
  await refused(
    'conversion.record',
    { transaction: 'tx-1', reason },
    /^The transaction tx-1 is the conversion .* already/,
  )
  const sale = { id: conversion.id, bank: 'main', reference: 'SPEI 1', amount: '17000.00', reason }
  const sent = await world.rows('postings')
  await refused('conversion.sell', { ...sale, id: 'unknown' }, /^There is no conversion unknown\.$/)
  await refused('conversion.sell', { ...sale, bank: 'other' }, /^There is no bank account other\.$/)
  await refused('conversion.sell', { ...sale, amount: '0' }, /^amount: "0" is not above zero\.$/)
  await refused(
    'conversion.sell',
    sale,
    /^Of the 1003\.00 USDC\.SOLANA only 1000\.00 USDC\.SOLANA was exchanged/,
  )
  await refused(
    'conversion.sell',
    { ...sale, feePart: '6' },
    /^The fee part of 6\.00 USDC\.SOLANA is more than there is/,
  )
  await refused(
    'conversion.sell',
    { ...sale, feePart: '3', bank: 'dollars' },
    /^Of the 1000\.00 USDC\.SOLANA nothing was exchanged for USD: at which rate/,
  )
  await refused(
    'conversion.sell',
    { ...sale, feePart: '3', revision: 2 },
    /has changed since you looked \(revision 1 now\)/,
  )
  assert.equal(await world.rows('postings'), sent)
  await ask(conversionSell, { ...sale, feePart: '3' })
  await refused('conversion.sell', { ...sale, reference: 'SPEI 2' }, /is sold already: SPEI 1 of main at/)
  await exchanged(world, [aThousand])
  await leaves(world, 'SOLANA', 'tx-2', unit.SOLANA)
  const other = await ask(conversionRecord, { transaction: 'tx-2', reason })
  await refused(
    'conversion.sell',
    { ...sale, id: other.conversion.id },
    /^The line SPEI 1 \(in\) of main was booked already: conversion of 17000\.00 MXN/,
  )
  await leaves(world, 'SOLANA', 'tx-3', unit.SOLANA)
  const [told] = (await world.rows('exceptions')).filter(({ state }) => state === 'open')
  await commit(world.store, [
    {
      update: 'exceptions',
      key: { id: told?.id ?? '' },
      set: { state: 'resolved', resolution: 'dismiss', resolved_at: 1, revision: 2 },
    },
  ])
  await refused('conversion.record', { transaction: 'tx-3', reason }, /was resolved already: dismiss\.$/)
})

play('verify finds a conversion that has not moved what it says', async (world) => {
  const { ask } = await settle(world)
  await exchanged(world, [aThousand])
  await leaves(world, 'SOLANA', 'tx-1', unit.SOLANA)
  const { conversion } = await ask(conversionRecord, { transaction: 'tx-1', reason })
  await commit(world.store, [
    { update: 'conversions', key: { id: conversion.id }, set: { amount_minor: 1_000_001n } },
  ])
  assert.equal(
    (await problemsIn(world)).map(({ name }) => name),
    ['payments', 'conversions'],
  )
})

play('what was converted is no refund, whatever the evidence of one names', async (world) => {
  const { ask } = await settle(world)
  await exchanged(world, [aThousand])
  const given = await exchange(world, { chain: 'SOLANA', units: 50n * unit.SOLANA, minor: 86_250n })
  await world.cancel(given)
  // As long as an operator's word may name one.
  const transaction = 'a'.repeat(64)
  await leaves(world, 'SOLANA', transaction, 50n * unit.SOLANA)
  await ask(conversionRecord, { transaction, reason })
  const [due] = await world.exceptions('refund_due')
  await ask(exceptionResolve, { id: due?.id ?? '', as: 'refunded', reason, evidence: transaction })
  const [outflow] = await world.rows('treasury_outflows')
  assert.equal([outflow?.explained_json, outflow?.units], ['[]', '50000000'])
  const [told] = await world.exceptions('treasury_outflow')
  assert.equal([told?.state, told?.resolution], ['resolved', 'converted'])
  assert.is(
    await world.balance({ kind: 'transit', ownerId: '', currency: currencyOn('SOLANA') }),
    -50n * unit.SOLANA,
  )
  assert.equal(await problemsIn(world), [])
})

test.run()
