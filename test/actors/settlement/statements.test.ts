import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shut } from '../../../actors/settlement/boundary.ts'
import { canonicalHead, canonicalLine } from '../../../actors/settlement/canonical.ts'
import { closeDay } from '../../../actors/settlement/closing.ts'
import { linesPerStep } from '../../../actors/settlement/sealing.ts'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { cutOffOf } from '../../../actors/terms/days.ts'
import { row, type Write } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  commit,
  inOrderWorld,
  type OrderWorld,
  shop,
  tills,
} from '../../support/order-world.ts'
import { agree, anchor, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']
const mexico = { timeZone: 'America/Mexico_City', cutOff: '22:00' }
const network = { partyId: tills.A.id, kind: 'provider', currency: 'MXN' } as const

function goTo(world: OrderWorld, at: number): void {
  world.clock.advance(at - world.clock.now())
}

/** A pay-in that the network has taken at an instant. */
async function payIn(world: OrderWorld, at: number, priceMinor = 100_000n): Promise<void> {
  goTo(world, at)
  const order = await world.order({ direction: 'PAY_IN', priceMinor })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
}

/** Each statement from the one before, and each from its lines. */
async function assertBooks(world: OrderWorld): Promise<void> {
  const [statements, lines] = [await world.rows('statements'), await world.rows('statement_lines')]
  const last = new Map<string, { number: number; closing: bigint; digest: string }>()
  for (const one of statements) {
    const key = `${one.party_id} ${one.currency}`
    const before = last.get(key) ?? { number: 0, closing: 0n, digest: '' }
    const own = lines.filter(
      (line) =>
        line.party_id === one.party_id && line.currency === one.currency && line.number === one.number,
    )
    const sum = own.reduce((total, line) => total + line.amount_minor + line.fee_minor + line.tax_minor, 0n)
    assert.is(one.number, before.number + 1)
    assert.is(one.opening_minor, before.closing)
    assert.is(one.closing_minor, one.opening_minor + sum)
    assert.is(own.at(-1)?.balance_minor, one.closing_minor)
    assert.equal(
      own.map(({ line }) => line),
      own.map((_, index) => index + 1),
    )
    assert.is(own.length, one.line_count)
    assert.is(one.previous_digest, before.digest)
    const text = [canonicalHead(one, before.digest), ...own.map(canonicalLine)]
      .map((line) => `${line}\n`)
      .join('')
    assert.is(one.digest, createHash('sha256').update(text).digest('hex'))
    last.set(key, { number: one.number, closing: one.closing_minor, digest: one.digest ?? '' })
  }
  for (const currency of ['MXN']) {
    const accounts = (await world.rows('accounts')).filter((account) => account.currency === currency)
    assert.is(
      accounts.reduce((sum, { balance_minor }) => sum + balance_minor, 0n),
      0n,
    )
  }
}

play(
  'What comes a millisecond before the cut-off is of the day, and what comes at it is of the next',
  async (world) => {
    await agree(world.store, tills.A.id, days)
    const end = cutOffOf('2026-03-01', mexico)
    await payIn(world, end - 1, 10_000n)
    await payIn(world, end, 20_000n)
    const closer = closerOf(world)
    await closer.pass()
    goTo(world, cutOffOf('2026-03-02', mexico))
    await closer.pass()
    assert.equal(
      (await world.rows('statements')).map((one) => [
        one.number,
        one.from_day,
        one.to_day,
        one.due_minor,
        one.due_on,
      ]),
      [
        [1, '2026-03-01', '2026-03-01', -10_000n, '2026-03-02'],
        [2, '2026-03-02', '2026-03-02', -20_000n, '2026-03-03'],
      ],
    )
    assert.equal(closer.errors, [])
    await assertBooks(world)
  },
)

play('Missed days are made up for, one statement each, and none for a day without lines', async (world) => {
  await agree(world.store, tills.A.id, days)
  await payIn(world, cutOffOf('2026-03-01', mexico) - 1, 10_000n)
  await payIn(world, cutOffOf('2026-03-03', mexico) - 1, 20_000n)
  goTo(world, cutOffOf('2026-03-04', mexico) + 5)
  await closerOf(world).pass()
  assert.equal(
    (await world.rows('statements')).map((one) => [one.number, one.from_day, one.to_day, one.closing_minor]),
    [
      [1, '2026-03-01', '2026-03-01', -10_000n],
      [2, '2026-03-03', '2026-03-03', -30_000n],
    ],
  )
  assert.is((await world.rows('statement_books'))[0]?.closed_day, '2026-03-04')
  await assertBooks(world)
})

play('A merchant is swept but for what is kept and what waits, once for each day', async (world) => {
  await agree(world.store, shop.id, days, { keep_minor: 5_000n })
  await payIn(world, cutOffOf('2026-03-01', mexico) - 5, 30_000n)
  // It waits: there is not enough for it.
  await world.create({ direction: 'PAY_OUT', priceMinor: 40_000n })
  await payIn(world, cutOffOf('2026-03-01', mexico) + 5, 30_000n)
  goTo(world, cutOffOf('2026-03-01', mexico) + 10)
  const closer = closerOf(world)
  await closer.pass()
  // 60,000 were there: the closing has funded the order, and what is left is under what came by the day's end.
  assert.is(await world.balance({ kind: 'payable' }), 15_000n)
  assert.is(await world.balance({ kind: 'available' }), 5_000n)
  const [first] = await world.rows('statements')
  assert.equal([first?.closing_minor, first?.due_minor, first?.swept_minor], [30_000n, 15_000n, 15_000n])
  goTo(world, cutOffOf('2026-03-02', mexico))
  await closer.pass()
  assert.is(await world.balance({ kind: 'payable' }), 15_000n)
  assert.equal(closer.errors, [])
  await assertBooks(world)
})

play('A statement that asks for money and one that owes it are set off, the oldest first', async (world) => {
  await agree(world.store, tills.A.id, days)
  await payIn(world, cutOffOf('2026-03-01', mexico) - 1, 30_000n)
  await world.deposit(100_000n)
  goTo(world, cutOffOf('2026-03-02', mexico) - 60_000)
  const payOut = await world.order({ priceMinor: 50_000n })
  await world.start(payOut.id, 'A')
  await world.confirm(payOut.id, 'A')
  goTo(world, cutOffOf('2026-03-02', mexico))
  await closerOf(world).pass()
  assert.equal(
    (await world.rows('statements')).map(({ due_minor, allocated_minor }) => [due_minor, allocated_minor]),
    [
      [-30_000n, -30_000n],
      [50_000n, 30_000n],
    ],
  )
  assert.equal(
    (await world.rows('allocations')).map(({ number, source_id, amount_minor }) => [
      number,
      source_id,
      amount_minor,
    ]),
    [
      [1, '2', -30_000n],
      [2, '1', 30_000n],
    ],
  )
})

play(
  'A statement on request tells of all up to now, also of what has a later day than today',
  async (world) => {
    const { ask, refusal } = operatorOf(world)
    // The second of March by UTC, and still the first in Mexico.
    goTo(world, Date.UTC(2026, 2, 2, 1))
    await world.deposit(100_000n)
    await agree(world.store, shop.id, days)
    await world.order({ priceMinor: 30_000n })
    const { statement } = await ask(statementClose, { party: 'Shop', currency: 'MXN' })
    assert.equal(
      [statement?.opening, statement?.closing, statement?.due, statement?.to],
      ['0.00', '1000.00', '700.00', '2026-03-02'],
    )
    const again = await refusal('statement.close', { party: 'Shop', currency: 'MXN' })
    assert.is(again.message, 'Shop: 2026-03-02 is closed in MXN already.')
  },
)

play('Who anchors and seals is woken by a statement, and not by a day without lines', async (world) => {
  let woken = 0
  world.store.subscribe('statements', () => woken++)
  await agree(world.store, network.partyId, days)
  await closeDay(world.store, network, '2026-03-01')
  await new Promise(setImmediate)
  assert.is(woken, 0)
  await payIn(world, cutOffOf('2026-03-01', mexico))
  goTo(world, cutOffOf('2026-03-02', mexico))
  await closeDay(world.store, network, '2026-03-02')
  await new Promise(setImmediate)
  assert.is(woken, 1)
})

play('Two who close one day at once make one statement', async (world) => {
  await payIn(world, cutOffOf('2026-03-01', mexico) - 1)
  const closed = await Promise.all([1, 2, 3].map(() => closeDay(world.store, network, '2026-03-02')))
  assert.is(closed.filter(({ ok }) => ok).length, 1)
  assert.is((await world.rows('statements')).length, 1)
})

play('While a day is being closed nobody closes the next one, which has not begun', async (world) => {
  await agree(world.store, tills.A.id, days, { every_json: '"request"' })
  await payIn(world, cutOffOf('2026-03-01', mexico) + 60_000)
  // Whoever closes has shut the accounts, and was killed or is slow; what comes meanwhile has the next day.
  await shut(world.store, network, '2026-03-02')
  await payIn(world, world.clock.now() + 1)
  const { ask, refusal } = operatorOf(world)
  const closed = await ask(statementClose, { party: tills.A.name, currency: 'MXN' })
  assert.equal([closed.day, closed.statement?.lines], ['2026-03-02', 1])
  const again = await refusal('statement.close', { party: tills.A.name, currency: 'MXN' })
  assert.is(again.message, 'Network A: 2026-03-02 is closed in MXN already.')
})

play('A sealing that is killed between any two steps is ended by the next, line for line', async (world) => {
  const pages = 3
  const perPage = linesPerStep[world.store.engine]
  const lines = (pages - 0.75) * perPage
  const posts = Array.from(
    { length: lines },
    (_, count): Write => ({
      post: {
        kind: 'adjustment',
        debit: { kind: 'provider', ownerId: tills.A.id, currency: 'MXN' },
        credit: { kind: 'equity', ownerId: '', currency: 'MXN' },
        amountMinor: BigInt(count + 1),
        orderId: null,
        reference: `${count}`,
      },
    }),
  )
  await commit(world.store, posts)
  await agree(world.store, tills.A.id, days)
  await closeDay(world.store, network, '2026-03-02')
  await anchor(world.store)
  for (let killed = 0; killed < pages; killed++) {
    let left = 1
    const dying = changedStore(world.store, {
      step: async (step) => {
        if (left-- <= 0) throw new Error('killed')
        return world.store.step(step)
      },
    })
    await closerOf(world).pass(dying)
    assert.is((await world.rows('statement_lines')).length, Math.min(lines, perPage * (killed + 1)))
  }
  await closerOf(world).pass()
  await assertBooks(world)
  assert.ok((await world.rows('statements'))[0]?.sealed_at)
})

play('Nothing is closed while the clock is in doubt, nor after a restore', async (world) => {
  await agree(world.store, tills.A.id, days)
  await payIn(world, cutOffOf('2026-03-01', mexico) - 1)
  goTo(world, cutOffOf('2026-03-02', mexico))
  await closerOf(world, { isTrusted: () => false }).pass()
  await commit(world.store, [{ insert: 'facts', values: { name: 'settlement_stopped', value: '1' } }])
  await closerOf(world).pass()
  assert.equal(await closeDay(world.store, network, '2026-03-01'), { ok: false, reason: 'stopped' })
  assert.is((await world.rows('statements')).length, 0)
  await world.store.step({
    rows: { fact: row('facts', { name: 'settlement_stopped' }) },
    decide: () => ({ answer: null, writes: [{ delete: 'facts', key: { name: 'settlement_stopped' } }] }),
  })
  await closerOf(world).pass()
  assert.is((await world.rows('statements')).length, 1)
})

play('Nobody closes by a clock that is in doubt; what it would be is shown', async (world) => {
  await agree(world.store, tills.A.id, days)
  await payIn(world, cutOffOf('2026-03-01', mexico) - 1)
  const doubt = { state: 'in_doubt', reason: 'it jumped', since: '', now: '', lastTrusted: null } as const
  const doubting = operatorOf({ ...world, clockWatch: { show: async () => doubt, async accept() {} } })
  const asked = { party: tills.A.name, currency: 'MXN' }
  const { message } = await doubting.refusal('statement.close', asked)
  assert.is(message, 'The clock is in doubt: nobody knows which day is to be closed.')
  assert.is((await doubting.ask(statementClose, { ...asked, dryRun: true })).statement?.number, 1)
  assert.is((await world.rows('statements')).length, 0)
  assert.is((await operatorOf(world).ask(statementClose, asked)).statement?.number, 1)
})

/** The same numbers for each seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

for (const seed of [1, 2]) {
  play(`Any sequence of orders, refunds and closings adds up (seed ${seed})`, async (world) => {
    const pick = numbersOf(seed)
    await agree(world.store, shop.id, days, { keep_minor: 10_000n })
    await agree(world.store, tills.A.id, days)
    const closer = closerOf(world)
    let at = world.clock.now()
    for (let done = 0; done < 30; done++) {
      at += pick(8) * 1_200_000
      goTo(world, at)
      const what = pick(6)
      if (what <= 1) await payIn(world, at, BigInt(1_000 + pick(50_000)))
      else if (what === 2) await world.deposit(BigInt(1_000 + pick(80_000)))
      else if (what === 3) await world.takeBack(BigInt(1_000 + pick(30_000)))
      else if (what === 4) await closer.pass()
      else {
        const order = await world.order({ priceMinor: BigInt(1_000 + pick(40_000)) })
        await world.start(order.id, 'A')
        if (pick(2) === 0) await world.confirm(order.id, 'A')
        else await world.cancel(order.id, true)
      }
    }
    goTo(world, cutOffOf('2026-03-04', mexico))
    await closer.pass()
    assert.equal(closer.errors, [])
    await assertBooks(world)
    const position = ['available', 'reserved', 'payable', 'transit', 'suspense', 'debt']
    const accounts = (await world.rows('accounts')).filter(
      ({ owner_id, kind }) => owner_id === shop.id && position.includes(kind),
    )
    const last = (await world.rows('statements')).filter(({ party_id }) => party_id === shop.id).at(-1)
    assert.is(
      last?.closing_minor,
      accounts.reduce((sum, { balance_minor }) => sum + balance_minor, 0n),
    )
  })
}

test.run()
