/** A mistaken deposit: taken back, and what was spent of it is a debt that everything that arrives repays. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../../actors/foundation/audit.ts'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { exceptionList, exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  commit,
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
} from '../../support/order-world.ts'

const nothingElse = { reserved: '0.00', payable: '0.00', transit: '0.00', suspense: '0.00', debt: '0.00' }
const play = inOrderWorld(test)

const wrong = { merchant: 'Shop', reference: 'wire 1', reason: 'it was another shop’s' }
const another = { merchant: 'Shop', reference: 'wire 2', reason: 'counted twice' }

async function enable({ store }: OrderWorld): Promise<void> {
  const pair = { country: 'MX', min_minor: 1n, max_minor: 10_000_000n, cash_increment_minor: 1n } as const
  const of = { merchant_id: 'shop', pay_out: 1, pay_in: 1 } as const
  await commit(store, [
    { insert: 'pairs', values: { ...pair, ...of, currency: 'MXN' } },
    { insert: 'pairs', values: { ...pair, ...of, country: 'CL', currency: 'CLP' } },
  ])
}

const add = (world: OrderWorld, amount: string, reference = 'wire 1') =>
  operatorOf(world).ask(depositAdd, {
    merchant: 'Shop',
    reference,
    reason: 'bank statement',
    amount,
    currency: 'MXN',
  })

async function held(world: OrderWorld): Promise<[available: bigint, reserved: bigint, debt: bigint]> {
  const of = (kind: 'available' | 'reserved' | 'debt') => world.balance({ kind })
  return [await of('available'), await of('reserved'), await of('debt')]
}

/** 1000 were deposited by mistake, 700 of them are spent, and all of it is taken back. */
async function inDebt(world: OrderWorld) {
  await enable(world)
  await add(world, '1000.00')
  const spent = await world.order({ priceMinor: 70_000n })
  const reversed = await operatorOf(world).ask(depositReverse, wrong)
  return { spent, reversed }
}

play('a deposit is booked once, and funds who waits', async (world) => {
  await enable(world)
  const waiting = await world.order()
  const booked = await add(world, '1500')
  assert.equal(booked, {
    merchant: 'Shop',
    reference: 'wire 1',
    currency: 'MXN',
    amount: '1500.00',
    bank: null,
    at: '2026-03-01T12:00:00.000Z',
    reversed: null,
    balance: { currency: 'MXN', available: '1500.00', ...nothingElse },
    dryRun: false,
    postings: [],
  })
  await world.fund()
  assert.is((await world.row(waiting.id)).status, 'READY')
  const { refusal } = operatorOf(world)
  const again = await refusal('deposit.add', { ...wrong, amount: '1500', currency: 'MXN' })
  assert.equal(
    [again.code, again.message],
    ['conflict', 'The deposit wire 1 was booked already: 1500.00 MXN at 2026-03-01T12:00:00.000Z.'],
  )
  await assertInvariants(world)
})

play('what a deposit or its reversal would book is shown, and nothing is booked', async (world) => {
  await enable(world)
  const { ask } = operatorOf(world)
  const asked = { ...wrong, amount: '1500', currency: 'MXN' }
  const looked = await ask(depositAdd, { ...asked, dryRun: true })
  const booked = { currency: 'MXN', amount: '1500.00' }
  const [atBank, available] = ['bank', 'available of Shop']
  assert.equal(looked.postings, [{ kind: 'deposit', debit: atBank, credit: available, ...booked }])
  assert.equal([looked.dryRun, looked.balance.available], [true, '0.00'])
  assert.equal([await world.rows('account_deposits'), await world.rows('postings')], [[], []])
  await ask(depositAdd, asked)
  const back = await ask(depositReverse, { ...wrong, dryRun: true })
  assert.equal(back.postings, [{ kind: 'reverse', debit: available, credit: atBank, ...booked }])
  assert.equal(await held(world), [150_000n, 0n, 0n])
  // Only shown, it is refused as it would be.
  const again = await operatorOf(world).refusal('deposit.add', { ...asked, dryRun: true })
  assert.is(again.code, 'conflict')
  await assertInvariants(world)
})

play('a deposit that cannot be right is refused, and nothing is booked', async (world) => {
  await enable(world)
  const { refusal } = operatorOf(world)
  const cases: [input: object, code: string, message: string][] = [
    [{ amount: '1.005', currency: 'MXN' }, 'invalid', 'amount: "1.005" has more decimals than MXN.'],
    [{ amount: '1e3', currency: 'MXN' }, 'invalid', 'amount: "1e3" is not an amount of MXN.'],
    [{ amount: '0', currency: 'MXN' }, 'invalid', 'amount: "0" is not above zero.'],
    [{ amount: '10', currency: 'MXM' }, 'refused', 'Shop is not enabled for MXM, only for CLP, MXN.'],
    [
      { merchant: 'Other', amount: '10', currency: 'MXN' },
      'refused',
      'Other is not enabled for MXN, for no currency.',
    ],
    [{ merchant: 'Nobody', amount: '10', currency: 'MXN' }, 'not_found', 'There is no merchant Nobody.'],
    [
      { amount: '92233720368547758.08', currency: 'MXN' },
      'invalid',
      'amount: "92233720368547758.08" is more than the ledger can hold.',
    ],
  ]
  for (const [input, code, message] of cases) {
    const error = await refusal('deposit.add', { ...wrong, ...input })
    assert.equal([error.code, error.message], [code, message])
  }
  await add(world, '92233720368547758.07')
  const full = await refusal('deposit.add', { ...another, amount: '0.01', currency: 'MXN' })
  assert.equal(
    [full.code, full.message],
    ['refused', 'It is more than the ledger can hold, with what is in it already.'],
  )
  await assertInvariants(world)
})

play('what is available is taken back at once, whole, and once', async (world) => {
  await enable(world)
  await add(world, '1000.00')
  const reversed = await operatorOf(world).ask(depositReverse, wrong)
  assert.equal([reversed.reversed, reversed.balance.available], ['2026-03-01T12:00:00.000Z', '0.00'])
  assert.equal(await held(world), [0n, 0n, 0n])
  const { refusal, ask } = operatorOf(world)
  const again = await refusal('deposit.reverse', wrong)
  assert.equal(
    [again.code, again.message],
    ['conflict', 'The deposit wire 1 was reversed already, at 2026-03-01T12:00:00.000Z.'],
  )
  const unknown = await refusal('deposit.reverse', another)
  assert.equal([unknown.code, unknown.message], ['not_found', 'Shop has no deposit wire 2.'])
  const anew = await refusal('deposit.add', { ...wrong, amount: '1000', currency: 'MXN' })
  assert.match(anew.message, /booked already: 1000\.00 MXN .*, and reversed at 2026-03-01T12:00:00\.000Z\.$/)
  const { entries } = await ask(auditList, { operation: 'deposit.reverse' })
  assert.equal(entries.map(({ input, outcome }) => [input, outcome]).at(-1), [
    wrong,
    'done: 1000.00 MXN taken back; 0.00 are available, 0.00 are owed',
  ])
  await assertInvariants(world)
})

play('what was spent is a debt; orders that are READY stay as they are', async (world) => {
  const { spent, reversed } = await inDebt(world)
  assert.equal(await held(world), [0n, 70_000n, -70_000n])
  assert.is(reversed.balance.debt, '700.00')
  assert.is((await world.row(spent.id)).status, 'READY')
  assert.equal((await operatorOf(world).ask(merchantShow, { name: 'Shop' })).balances, [
    { currency: 'MXN', available: '0.00', ...nothingElse, reserved: '700.00', debt: '700.00' },
  ])
  await assertInvariants(world)
})

play('a later deposit repays the debt before anything of it is available', async (world) => {
  await inDebt(world)
  const small = await world.order({ priceMinor: 10_000n })
  await add(world, '690.00', 'wire 3')
  await world.fund()
  assert.equal(await held(world), [0n, 70_000n, -1000n])
  assert.is((await world.row(small.id)).status, 'CREATED', 'it sees only what is really available')
  await add(world, '110.00', 'wire 4')
  await world.fund()
  assert.equal(await held(world), [0n, 80_000n, 0n])
  assert.is((await world.row(small.id)).status, 'READY')
  await assertInvariants(world)
})

play('a deposit that a file brings repays it as well', async (world) => {
  await inDebt(world)
  const deposits = [{ currency: 'MXN', amount: '1000.00', reference: 'wire 5' }]
  await operatorOf(world).ask(apply, { merchants: [{ name: 'Shop', deposits }] })
  assert.equal(await held(world), [30_000n, 70_000n, 0n])
  await assertInvariants(world)
})

const arrivals: [
  what: string,
  arrive: (world: OrderWorld, spent: string) => Promise<unknown>,
  after: bigint[],
][] = [
  ['a cancelled order', (world, spent) => world.cancel(spent), [0n, 0n, 0n]],
  [
    'an order that expires',
    (world, spent) => {
      world.clock.advance(25 * hourMs)
      return world.orders.expire(spent)
    },
    [0n, 0n, 0n],
  ],
  [
    'an order given back past its expiry',
    async (world, spent) => {
      await world.start(spent, 'A')
      world.clock.advance(24 * hourMs + minuteMs)
      await world.giveBack(spent, 'A')
    },
    [0n, 0n, 0n],
  ],
  [
    'an expiry that comes with a refused message',
    async (world, spent) => {
      world.clock.advance(25 * hourMs)
      await world.start(spent, 'A')
    },
    [0n, 0n, 0n],
  ],
  [
    'a pay-in',
    async (world) => {
      const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 80_000n })
      await world.start(id, 'B')
      await world.confirm(id, 'B')
    },
    [10_000n, 70_000n, 0n],
  ],
  [
    'money that is returned from suspense',
    async (world, spent) => {
      await world.start(spent, 'A')
      world.clock.advance(24 * hourMs + graceMs)
      await world.orders.expire(spent)
      const { ask } = operatorOf(world)
      const { exceptions } = await ask(exceptionList, { order: spent })
      await ask(exceptionResolve, { id: exceptions[0]?.id ?? '', as: 'return', reason: 'no cash' })
    },
    [0n, 0n, 0n],
  ],
]

for (const [what, arrive, after] of arrivals)
  play(`${what} repays the debt in its own step`, async (world) => {
    const { spent } = await inDebt(world)
    await arrive(world, spent.id)
    assert.equal(await held(world), after)
    const repaid = (await world.rows('postings')).filter(({ kind }) => kind === 'repay')
    assert.equal(
      repaid.map(({ amount_minor, order_id }) => [amount_minor, order_id]),
      [[70_000n, null]],
    )
    await assertInvariants(world)
  })

play(
  'reversals, releases and funding that come together leave nothing available beside a debt',
  async (world) => {
    await enable(world)
    await add(world, '1000.00')
    await add(world, '500.00', 'wire 2')
    const first = await world.order({ priceMinor: 90_000n })
    const second = await world.order({ priceMinor: 60_000n })
    const waiting = await Promise.all([30_000n, 20_000n].map((priceMinor) => world.order({ priceMinor })))
    const { ask } = operatorOf(world)
    await Promise.all([
      ask(depositReverse, wrong),
      world.cancel(first.id),
      world.fund(),
      ask(depositReverse, another),
      world.cancel(second.id),
      world.fund(),
      add(world, '100.00', 'wire 6'),
    ])
    await world.fund()
    await assertInvariants(world)
    const [available, reserved, debt] = await held(world)
    // 1600 came, 1500 were taken back: 100 are left, wherever they are.
    assert.is(available + reserved + debt, 10_000n)
    for (const { id } of waiting) await world.cancel(id)
    assert.equal(await held(world), [10_000n, 0n, 0n])
    await assertInvariants(world)
  },
)

play('a debt of one currency is not repaid in another', async (world) => {
  await inDebt(world)
  await world.deposit(100_000n, 'CLP')
  assert.equal([await world.balance({ currency: 'CLP' }), (await held(world))[2]], [100_000n, -70_000n])
  await assertInvariants(world)
})

test.run()
