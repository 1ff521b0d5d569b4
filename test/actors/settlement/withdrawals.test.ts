/** Withdrawals of merchants that are settled on request: protocol 15.13. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { withdrawalRequest } from '../../../actors/settlement/withdrawal-operations.ts'
import { cutOffOf } from '../../../actors/terms/days.ts'
import { type Store, StoreUnavailable } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { changedStore, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { ask, assertBooks, ending, message, shopWith, written } from '../../support/withdrawals.ts'

const play = inOrderWorld(test)
const mexico = { timeZone: 'America/Mexico_City', cutOff: '22:00' }

play('what waits for the balance is not withdrawn, and a clock in doubt withdraws nothing', async (world) => {
  await shopWith(world, 10_000n)
  await world.create({ direction: 'PAY_OUT', priceMinor: 12_000n })
  const seen = await written(world)
  assert.is(ending(await ask(world)), 'nothing')
  assert.is(ending(await ask(world, {}, { isTrusted: () => false })), 'clock_in_doubt')
  assert.equal(await written(world), seen)
})

play('all that can be is withdrawn, but for what is kept and what is below the minimum', async (world) => {
  await shopWith(world, 50_000n, { keep_minor: 4_000n, minimum_minor: 46_000n })
  const done = await ask(world)
  assert.is(ending(done), 'statement 1, 46000')
  const [statement] = await world.rows('statements')
  assert.equal(
    [statement?.due_minor, statement?.swept_minor, statement?.due_on, statement?.closing_minor],
    [46_000n, 46_000n, '2026-03-02', 50_000n],
  )
  assert.is(await world.balance({ kind: 'available' }), 4_000n)
  assert.is(await world.balance({ kind: 'payable' }), 46_000n)
  await assertBooks(world)
})

play(
  'a day is closed once: what comes later is withdrawn the next day, also without a line',
  async (world) => {
    await shopWith(world, 50_000n)
    assert.is(ending(await ask(world, { amountMinor: 20_000n })), 'statement 1, 20000')
    assert.is(ending(await ask(world, { amountMinor: 20_000n })), 'closed 2026-03-01')
    world.clock.advance(cutOffOf('2026-03-01', mexico) - world.clock.now())
    // Nothing has come since: the statement has no line, and opens and closes with the same.
    assert.is(ending(await ask(world, { amountMinor: 25_000n })), 'statement 2, 25000')
    assert.equal(
      (await world.rows('statements')).map((one) => [
        one.from_day,
        one.to_day,
        one.opening_minor,
        one.closing_minor,
        one.line_count,
        one.due_minor,
      ]),
      [
        ['2026-03-01', '2026-03-01', 0n, 50_000n, 1, 20_000n],
        ['2026-03-02', '2026-03-02', 50_000n, 50_000n, 0, 25_000n],
      ],
    )
    assert.is(await world.balance({ kind: 'available' }), 5_000n)
    assert.is(await world.balance({ kind: 'payable' }), 45_000n)
    await assertBooks(world)
  },
)

play('without anything withdrawn a day without lines has no statement', async (world) => {
  await shopWith(world, 0n)
  const { ask: operate } = operatorOf(world)
  assert.is((await operate(statementClose, { party: 'Shop', currency: 'MXN' })).statement, null)
  assert.equal(await world.rows('statements'), [])
})

play('the same message is answered again and withdraws nothing more', async (world) => {
  await shopWith(world, 50_000n)
  const asked = { amountMinor: 10_000n, message: message() }
  assert.is(ending(await ask(world, asked)), 'statement 1, 10000')
  world.clock.advance(cutOffOf('2026-03-01', mexico) - world.clock.now())
  assert.is(ending(await ask(world, asked)), 'again: statement 1')
  assert.is(await world.balance({ kind: 'payable' }), 10_000n)
})

play('under an Idempotency-Key, too, and another payload under it is refused', async (world) => {
  await shopWith(world, 50_000n)
  const under = (digest: string, payloadDigest: string) =>
    message({ digest, idempotency: { key: 'k1', payloadDigest } })
  const asked = { amountMinor: 10_000n }
  assert.is(ending(await ask(world, { ...asked, message: under('1', 'body') })), 'statement 1, 10000')
  world.clock.advance(cutOffOf('2026-03-01', mexico) - world.clock.now())
  assert.is(ending(await ask(world, { ...asked, message: under('2', 'body') })), 'again: statement 1')
  assert.is(ending(await ask(world, { ...asked, message: under('3', 'other') })), 'other_payload')
  assert.is((await world.rows('statements')).length, 1)
})

play('of two at the same moment one withdraws, and what is available is withdrawn once', async (world) => {
  await shopWith(world, 50_000n)
  const all = await Promise.all(['1', '2', '3'].map((digest) => ask(world, { message: message({ digest }) })))
  const ended = all.map(ending).toSorted()
  assert.is(ended.filter((one) => one === 'statement 1, 50000').length, 1)
  assert.is(ended.filter((one) => one === 'closed 2026-03-01').length, 2)
  assert.is(await world.balance({ kind: 'payable' }), 50_000n)
  assert.is((await world.rows('statements')).length, 1)
  await assertBooks(world)
})

play('of the same one twice at the same moment both have one answer', async (world) => {
  await shopWith(world, 50_000n)
  const asked = { message: message({ digest: 'd', idempotency: { key: 'k', payloadDigest: 'p' } }) }
  const ended = (await Promise.all([ask(world, asked), ask(world, asked)])).map(ending).toSorted()
  assert.equal(ended, ['again: statement 1', 'statement 1, 50000'])
  assert.is(await world.balance({ kind: 'payable' }), 50_000n)
})

/** Its steps up to one are done, and then nothing more; with `isDone` that one is done, too, and not answered. */
function killedAt(world: OrderWorld, last: number, isDone: boolean): Store {
  let steps = 0
  return changedStore(world.store, {
    async step(step) {
      steps += 1
      if (steps < last) return world.store.step(step)
      if (steps === last && isDone) await world.store.step(step)
      throw new StoreUnavailable('unreachable', 'killed')
    },
  })
}

play('killed before and after each of its steps, it is withdrawn once by the same message', async (world) => {
  await shopWith(world, 50_000n)
  const asked = { amountMinor: 20_000n, message: message() }
  let kills = 0
  for (const [last, isDone] of [1, 2, 3, 4, 5, 6].flatMap((at) => [
    [at, false] as const,
    [at, true] as const,
  ])) {
    try {
      await ask(world, asked, { store: killedAt(world, last, isDone) })
      break
    } catch (error) {
      assert.instance(error, StoreUnavailable)
      kills += 1
    }
    const swept = await world.balance({ kind: 'payable' })
    assert.is(swept, (await world.rows('statements')).length === 0 ? 0n : 20_000n)
  }
  // The look at what was answered, the look, the end of the day, the closing.
  assert.ok(kills >= 8, `${kills} kills`)
  assert.is(ending(await ask(world, asked)), 'again: statement 1')
  assert.is(await world.balance({ kind: 'payable' }), 20_000n)
  const [statement] = await world.rows('statements')
  assert.is(statement?.to_day, '2026-03-01')
  await assertBooks(world)
})

play('an operator asks for it, sees it first, and it is paid like any other', async (world) => {
  await shopWith(world, 50_000n)
  const { ask: operate, refusal } = operatorOf(world)
  const asked = { merchant: 'Shop', currency: 'MXN', amount: '300.00', reason: 'by mail' }
  const seen = await written(world)
  const preview = await operate(withdrawalRequest, { ...asked, dryRun: true })
  assert.equal(await written(world), seen)
  const done = await operate(withdrawalRequest, asked)
  assert.equal(done, { ...preview, dryRun: false })
  assert.equal(done, {
    merchant: 'Shop',
    currency: 'MXN',
    dryRun: false,
    amount: '300.00',
    statement: 1,
    from: '2026-03-01',
    to: '2026-03-01',
    lines: 1,
    dueOn: '2026-03-02',
    account: 'CLABE 1',
    postings: [
      {
        kind: 'sweep',
        debit: 'available of Shop',
        credit: 'payable of Shop',
        amount: '300.00',
        currency: 'MXN',
      },
    ],
  })
  assert.is(
    (await refusal('withdrawal.request', asked)).message,
    'Shop: 2026-03-01 is closed in MXN already.',
  )
  const odd = await refusal('withdrawal.request', { ...asked, amount: '0.00' })
  assert.is(odd.message, 'amount: "0.00" is not above zero.')
  assert.is((await refusal('withdrawal.request', { ...asked, merchant: tills.A.name })).code, 'not_found')
  await assertBooks(world)
})

test.run()
