/** A bank's reference is booked once for a merchant: as a line of the bank, or as a deposit by hand (protocol 15.8). */
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { paymentIdentify, paymentReceive } from '../../../actors/settlement/payment-operations.ts'
import { openStore } from '../../../persistence/index.ts'
import { isOnPostgres } from '../../support/database.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { assertBooks, settle } from '../../support/payment-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'
const received = { party: 'Shop', bank: 'main', reference: 'IN 1', amount: '100.00', reason }
const byHand = { merchant: 'Shop', reference: 'IN 1', amount: '100.00', currency: 'MXN', reason }
const inFile = (reference: string) => ({
  merchants: [{ name: 'Shop', deposits: [{ currency: 'MXN', amount: '100.00', reference }] }],
})

const written = async ({ rows }: OrderWorld) => [
  await rows('account_deposits'),
  await rows('payments'),
  await rows('bank_entries'),
  await rows('postings'),
]

/** Each way to book a deposit by hand says the same, and writes nothing. */
async function assertRefused(world: OrderWorld, message: string, hint: string): Promise<void> {
  const { refusal } = operatorOf(world)
  const before = await written(world)
  // In any spelling.
  for (const reference of ['IN 1', ' IN\u00a0 1']) {
    const added = await refusal('deposit.add', { ...byHand, reference })
    assert.equal([added.code, added.message, added.hint], ['conflict', `The ${message}.`, hint])
    const applied = await refusal('apply', inFile(reference))
    assert.equal(applied.details, [`merchants[0].deposits[0]: ${message}. ${hint}`])
  }
  assert.equal(await written(world), before)
}

play('what came in as a line of a bank is no deposit by hand besides', async (world) => {
  const { ask } = await settle(world)
  await ask(paymentReceive, received)
  const hint = 'Another deposit needs another reference; bank list shows the lines.'
  const message = 'deposit IN 1 was booked already as a line of main (payment of 100.00 MXN)'
  await assertRefused(world, message, hint)
  // At which of two it is is not said, and one is enough.
  await ask(apply, { banks: [{ name: 'second', currency: 'MXN' }] })
  await assertRefused(world, message, hint)
  assert.is((await ask(depositAdd, { ...byHand, reference: 'IN 2' })).balance.available, '200.00')
  await assertBooks(world)
})

play('a deposit by hand is no line of a bank besides, until it is taken back', async (world) => {
  const { ask, refusal } = await settle(world)
  const { changes } = await ask(apply, inFile('IN 1'))
  assert.is(changes.length, 1)
  const before = await written(world)
  const twice = await refusal('payment.receive', received)
  assert.is(twice.message, 'Shop has a deposit IN 1 already: it was booked by hand.')
  assert.match(twice.hint ?? '', /deposit reverse "Shop" "IN 1", and then again\.$/)
  assert.equal(await written(world), before)
  await ask(depositReverse, { merchant: 'Shop', reference: 'IN 1', reason })
  await ask(paymentReceive, received)
  // The file has been applied once and for all.
  assert.equal((await ask(apply, inFile('IN 1'))).changes, [])
  assert.is((await ask(merchantShow, { name: 'Shop' })).balances[0]?.available, '100.00')
  await assertBooks(world)
})

play('money that waits in suspense is no deposit by hand until it is said whose it is', async (world) => {
  const { ask } = await settle(world)
  const { exception } = await ask(bankRecord, {
    kind: 'unidentified',
    bank: 'main',
    reference: 'IN 1',
    amount: '100.00',
    reason,
  })
  await assertRefused(
    world,
    'deposit IN 1 was booked already as a line of main (unidentified of 100.00 MXN)',
    `Say whose that line is: payment identify ${exception} --party NAME`,
  )
  await ask(paymentIdentify, { exception: exception ?? '', party: 'Shop', reason })
  await assertRefused(
    world,
    'deposit IN 1 was booked already as a line of main (payment of 100.00 MXN)',
    'Another deposit needs another reference; bank list shows the lines.',
  )
  assert.is(await world.balance({}), 10_000n)
  await assertBooks(world)
})

play('what left a bank, or came to one of another currency, is another matter', async (world) => {
  const { ask } = await settle(world)
  const charge = { kind: 'charge', reference: 'IN 1', amount: '1.00', reason } as const
  await ask(bankRecord, { ...charge, bank: 'main' })
  await ask(bankRecord, { ...charge, kind: 'interest', bank: 'dollars' })
  assert.is((await ask(depositAdd, byHand)).balance.available, '100.00')
  await assertBooks(world)
})

/** How many wait for a lock in the database. */
async function waiting(client: Client): Promise<number> {
  // A transaction goes on seeing those sessions that were there at its first look.
  await client.query('SELECT pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return Number(rows[0].count)
}

/** Begins each once the one before waits for an account that is held, and lets go of it then. */
async function atOnce(world: OrderWorld, asked: (() => Promise<unknown>)[]): Promise<string[]> {
  const client = new Client({ connectionString: world.url })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SELECT 1 FROM accounts WHERE id = 'available:shop:MXN' FOR UPDATE`)
    const answers: Promise<string>[] = []
    let ended = 0
    for (const ask of asked) {
      answers.push(
        ask().then(
          () => 'fulfilled',
          () => 'rejected',
        ),
      )
      void answers.at(-1)?.then(() => ended++)
      while ((await waiting(client)) + ended < answers.length) await new Promise(setImmediate)
    }
    await client.query('COMMIT')
    return await Promise.all(answers)
  } finally {
    await client.end()
  }
}

if (isOnPostgres) {
  play('of a line and a deposit of one reference on two nodes at once, one is booked', async (world) => {
    await settle(world)
    await world.deposit(1n)
    const other = await openStore(world.url, { clock: world.clock })
    try {
      const [here, there] = [operatorOf(world), operatorOf({ ...world, store: other })]
      const next = (reference: string) => ({
        line: () => there.ask(paymentReceive, { ...received, reference }),
        hand: () => here.ask(depositAdd, { ...byHand, reference }),
        file: () => here.ask(apply, inFile(reference)),
      })
      const [one, two, three, four] = [next('1'), next('2'), next('3'), next('4')]
      for (const asked of [
        [one.hand, one.line],
        [two.line, two.hand],
        [three.file, three.line],
        [four.line, four.file],
      ]) {
        assert.equal(await atOnce(world, asked), ['fulfilled', 'rejected'])
      }
      assert.is(await world.balance({}), 40_001n)
      await assertBooks(world)
    } finally {
      await other.close()
    }
  })
}

test.run()
