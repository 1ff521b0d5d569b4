/** What *exchange* holds is told apart by asset and money: each sale has the rate of its own pair, whatever else was exchanged. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { conversionRecord, conversionSell } from '../../../actors/settlement/conversion-operations.ts'
import { openStore } from '../../../persistence/index.ts'
import { migrations } from '../../../persistence/migrations/index.ts'
import type { Row } from '../../../persistence/store.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { allRows, isOnPostgres, testDatabases } from '../../support/database.ts'
import { currencyOn, type Exchange, exchange, leave } from '../../support/exchanged.ts'
import { type ForeignPlay, playForeign } from '../../support/foreign-orders.ts'
import { assertSameBalances, hasHledger, journalOf } from '../../support/hledger.ts'
import { type Operator, operatorOf } from '../../support/operations.ts'
import { commit, inOrderWorld, shop } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'

const inWorld = inOrderWorld(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  inWorld(name, (world) => story(playForeign(world)))
const databases = testDatabases(test)
const withHledger = hasHledger('several pairs as hledger reads them')
const reason = 'sold at the exchange'
const million = 1_000_000n

/** Two assets and two moneys, one of the assets on two chains: 17.25 and 950 for a USDC, 20 and 1100 for a EURC. */
const held: readonly Exchange[] = [
  { chain: 'SOLANA', units: 600n * million, feeUnits: 10n * million, minor: 1_035_000n },
  { chain: 'STELLAR', units: 4_000n * million, minor: 690_000n },
  { chain: 'SOLANA', units: 300n * million, minor: 285_000n, money: 'CLP' },
  { chain: 'SOLANA', symbol: 'EURC', units: 100n * million, minor: 200_000n },
  { chain: 'SOLANA', symbol: 'EURC', units: 50n * million, minor: 55_000n, money: 'CLP' },
]

interface Sale {
  chain: Exchange['chain']
  symbol?: string
  units: bigint
  bank: 'main' | 'pesos'
  amount: string
  feePart?: string
  /** What *exchange* is relieved of, of the fee part, and more than was booked; or why it is refused. */
  ends: [booked: string, fee: string, result: string] | RegExp
}

/** One after the other, in one ledger. */
const sales: readonly Sale[] = [
  {
    chain: 'SOLANA',
    units: 200n * million,
    bank: 'main',
    amount: '3500.00',
    ends: ['3450.00', '0.00', '50.00'],
  },
  {
    chain: 'SOLANA',
    units: 100n * million,
    bank: 'pesos',
    amount: '94000',
    ends: ['95000.00', '0.00', '-1000.00'],
  },
  {
    ...{ chain: 'SOLANA', symbol: 'EURC', units: 40n * million, bank: 'main', amount: '810.00' },
    ends: ['800.00', '0.00', '10.00'],
  },
  {
    ...{ chain: 'SOLANA', symbol: 'EURC', units: 60n * million, bank: 'pesos', amount: '66000' },
    ends: /^Of the 60\.00 EURC\.SOLANA only 50\.00 EURC was exchanged for CLP: /,
  },
  {
    ...{ chain: 'SOLANA', units: 110n * million, bank: 'main', amount: '1870.00', feePart: '10' },
    ends: ['1725.00', '170.00', '-25.00'],
  },
  {
    ...{ chain: 'STELLAR', units: 4_000n * million, bank: 'main', amount: '6900.00' },
    ends: ['6900.00', '0.00', '0.00'],
  },
  {
    ...{ chain: 'SOLANA', symbol: 'EURC', units: 50n * million, bank: 'pesos', amount: '55000' },
    ends: ['55000.00', '0.00', '0.00'],
  },
]

async function sell(
  world: ForeignPlay,
  { ask, refusal }: Operator,
  index: number,
  sale: Sale,
): Promise<void> {
  const { units, bank, amount, feePart, ends } = sale
  const transaction = `tx-${index}`
  await leave(world, transaction, { ...sale, units })
  const { conversion } = await ask(conversionRecord, { transaction, reason })
  const part = feePart === undefined ? {} : { feePart }
  const input = { id: conversion.id, bank, reference: transaction, amount, reason, ...part }
  if (ends instanceof RegExp) {
    assert.match((await refusal('conversion.sell', input)).message, ends)
    return
  }
  const { conversion: sold } = await ask(conversionSell, input)
  assert.equal([sold.booked, sold.fee, sold.result], ends, transaction)
}

const pairsOf = (pairs: readonly Row<'exchange_pairs'>[]) =>
  pairs.map(({ asset, money, asset_minor, money_minor }) => [asset, money, asset_minor, money_minor])

async function settleIn(world: ForeignPlay): Promise<Operator> {
  const operator = await settle(world)
  await commit(world.store, [{ insert: 'banks', values: { name: 'pesos', currency: 'CLP' } }])
  return operator
}

play('each sale has the rate of its own asset and money', async (world) => {
  const operator = await settleIn(world)
  for (const one of held) await exchange(world, one)
  for (const [index, sale] of sales.entries()) await sell(world, operator, index, sale)
  const [usdc, stellar, eurc] = [currencyOn('SOLANA'), currencyOn('STELLAR'), currencyOn('SOLANA', 'EURC')]
  assert.equal(pairsOf(await world.rows('exchange_pairs')), [
    [eurc, 'CLP', 0n, 0n],
    [eurc, 'MXN', 60n * million, 120_000n],
    [usdc, 'CLP', 200n * million, 190_000n],
    [usdc, 'MXN', 300n * million, 517_500n],
    [stellar, 'MXN', 0n, 0n],
  ])
  assert.equal(await problemsIn(world), [])
  if (withHledger)
    assertSameBalances(await journalOf(world.url), await world.rows('accounts'), (id) =>
      id === shop.id ? shop.name : id,
    )
})

play('what is given back is no part of the rate any more', async (world) => {
  const operator = await settleIn(world)
  await exchange(world, { chain: 'SOLANA', units: 100n * million, minor: 170_000n })
  const given = await exchange(world, { chain: 'SOLANA', units: 100n * million, minor: 190_000n })
  const doubted = await exchange(world, { chain: 'SOLANA', units: 100n * million, minor: 210_000n })
  await world.cancel(given)
  await world.start(doubted, 'A')
  await world.cancel(doubted, true)
  const [waiting] = await world.exceptions('cancelled_while_locked')
  await operator.ask(exceptionResolve, { id: waiting?.id ?? '', as: 'return', reason })
  await sell(world, operator, 1, {
    ...{ chain: 'SOLANA', units: 100n * million, bank: 'main', amount: '1700.00' },
    ends: ['1700.00', '0.00', '0.00'],
  })
  assert.equal(await problemsIn(world), [])
})

const engineWords = isOnPostgres
  ? { of: ' ON postings', rest: 'DROP FUNCTION count_exchange(); DROP FUNCTION count_archived_exchange();' }
  : { of: '', rest: '' }

/** As a version before left it. */
const before = `DROP TRIGGER exchange_counts_postings${engineWords.of}; DROP TRIGGER exchange_counts_the_archive${engineWords.of};
  ${engineWords.rest} DROP VIEW exchange_postings; DROP TABLE exchange_pairs;
  DELETE FROM migrations WHERE name = '0020-exchange-pairs'`

async function upgraded(world: ForeignPlay): Promise<Row<'exchange_pairs'>[]> {
  const url = await databases.changed(world.url, before)
  const store = await openStore(url, { clock: world.clock })
  try {
    assert.equal(await problemsIn({ url }), [])
    return await allRows(store, 'exchange_pairs')
  } finally {
    await store.close()
  }
}

play('an upgrade tells the pairs of what was there, sold or not, by its orders', async (world) => {
  assert.is(
    migrations.some(({ name }) => before.includes(name)),
    true,
  )
  const operator = await settleIn(world)
  for (const one of held) await exchange(world, one)
  await sell(world, operator, 0, sales[0] as Sale)
  assert.equal(await upgraded(world), await world.rows('exchange_pairs'))
})

/** Orders that are paid out, so that they can go to the archive. */
async function paid(world: ForeignPlay, exchanges: readonly Exchange[]): Promise<void> {
  for (const one of exchanges) {
    const id = await exchange(world, one)
    await world.start(id, 'A')
    await world.confirm(id, 'A')
  }
}

/** Parties without terms have no statements that keep an order from it. */
async function archived(world: ForeignPlay): Promise<void> {
  // The newest entry of the journal stays.
  await world.order({ expiryAt: world.clock.now() + 400 * 86_400_000 })
  const archive = archiveOf(world)
  try {
    await archive.deliver()
    await archive.archive()
    assert.equal(await archive.problems(), [])
  } finally {
    archive.close()
  }
}

play(
  'what goes to the archive stays in its pair, and an upgrade knows it where there is but one',
  async (world) => {
    await paid(world, held.slice(0, 2))
    await archived(world)
    assert.equal(
      (await world.rows('exchange_pairs')).map((one) => [one.archived_asset_minor, one.archived_money_minor]),
      [
        [600n * million, 1_035_000n],
        [4_000n * million, 690_000n],
      ],
    )
    // Which of two chains had which part of the money is nothing to the rate.
    assert.equal(pairsOf(await upgraded(world)), [
      [currencyOn('SOLANA'), 'MXN', 600n * million, 1_725_000n],
      [currencyOn('STELLAR'), 'MXN', 4_000n * million, 0n],
    ])
  },
)

play('of several in the archive an upgrade does not guess, and a sale of them says so', async (world) => {
  await commit(world.store, [{ insert: 'banks', values: { name: 'main', currency: 'MXN' } }])
  await paid(world, held)
  await archived(world)
  assert.equal(await problemsIn(world), [])
  const url = await databases.changed(world.url, before)
  const store = await openStore(url, { clock: world.clock })
  try {
    assert.equal(pairsOf(await allRows(store, 'exchange_pairs')), [
      ['', 'CLP', 0n, 340_000n],
      ['', 'MXN', 0n, 1_925_000n],
      [currencyOn('SOLANA', 'EURC'), '', 150n * million, 0n],
      [currencyOn('SOLANA'), '', 900n * million, 0n],
      [currencyOn('STELLAR'), '', 4_000n * million, 0n],
    ])
    const later = playForeign({ ...world, store, url })
    const operator = operatorOf(later)
    await leave(later, 'tx-1', { chain: 'SOLANA', units: million })
    const { conversion } = await operator.ask(conversionRecord, { transaction: 'tx-1', reason })
    const sale = { id: conversion.id, bank: 'main', reference: 'SPEI 1', amount: '17.25', reason }
    assert.is(
      (await operator.refusal('conversion.sell', sale)).message,
      'Of the 1.00 USDC.SOLANA nothing was exchanged for MXN: at which rate USDC was booked in it is not told for more. ' +
        'In the archive are 1300.00 USDC of which an upgrade could not tell the money.',
    )
  } finally {
    await store.close()
  }
})

play('verify finds a pair that is not what its postings have moved', async (world) => {
  await settleIn(world)
  for (const one of held) await exchange(world, one)
  const names = async (sql: string) =>
    (await problemsIn({ url: await databases.changed(world.url, sql) })).map(({ name }) => name)
  const usdc = `asset = '${currencyOn('SOLANA')}'`
  assert.equal(
    await names(`UPDATE exchange_pairs SET asset_minor = asset_minor + 1 WHERE ${usdc} AND money = 'MXN'`),
    ['conversions'],
  )
  assert.equal(
    // The account's sum stays.
    await names(`UPDATE exchange_pairs SET money_minor = money_minor + CASE WHEN ${usdc} THEN 1 ELSE -1 END
      WHERE money = 'MXN' AND asset <> '${currencyOn('STELLAR')}'`),
    ['conversions'],
  )
  assert.equal(await names(`DELETE FROM exchange_pairs WHERE money = 'CLP'`), ['conversions'])
})

test.run()
