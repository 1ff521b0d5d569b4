/** What moved a merchant's position, page by page, while it goes on: protocol 15.14. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Movement, ownMovements } from '../../../actors/settlement/own-movements.ts'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { seededRandom } from '../../durability/random.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const dayMs = 86_400_000
const mine = { partyId: shop.id, currency: 'MXN' }

const page = async (
  { store }: OrderWorld,
  asked: { limit?: number; cursor?: string | null; from?: string | null; to?: string | null } = {},
) => {
  const found = await ownMovements(store, mine, { limit: 1000, cursor: null, from: null, to: null, ...asked })
  if (found === null) throw new Error('the cursor is unknown')
  return found
}

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const totalOf = (all: readonly Movement[]): bigint =>
  all.reduce((sum, { amount, fee, tax }) => sum + minor(amount) + minor(fee) + minor(tax), 0n)
const nameOf = ({ at, kind, order, reference, amount }: Movement): string =>
  [at, kind, order, reference, amount].join(' ')

async function payIn(world: OrderWorld, priceMinor: bigint): Promise<void> {
  const order = await world.order({ direction: 'PAY_IN', priceMinor })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
}

async function payOut(world: OrderWorld, priceMinor: bigint): Promise<void> {
  const order = await world.order({ direction: 'PAY_OUT', priceMinor })
  if (order.status !== 'READY') return
  await world.start(order.id, 'B')
  await world.confirm(order.id, 'B')
}

/** What is the merchant's in all its accounts. */
async function position(world: OrderWorld): Promise<bigint> {
  const kinds = ['available', 'reserved', 'payable', 'transit', 'suspense', 'debt'] as const
  const balances = await Promise.all(kinds.map((kind) => world.balance({ kind })))
  return balances.reduce((sum, balance) => sum + balance, 0n)
}

play('sealed lines have their statement and balance, and what came since has none yet', async (world) => {
  await agree(world.store, shop.id, [], { time_zone: 'UTC', cut_off: '24:00' })
  await world.deposit(50_000n)
  await payOut(world, 20_000n)
  await operatorOf(world).ask(statementClose, { party: shop.name, currency: 'MXN' })
  const told = (all: readonly Movement[]) =>
    all.map(({ statement, line, day, kind, amount, balance }) => [
      statement,
      line,
      day,
      kind,
      amount,
      balance,
    ])
  const before = [
    [null, null, '2026-03-01', 'deposit', '500.00', null],
    [null, null, '2026-03-01', 'settle', '-200.00', null],
  ]
  // Closed and not sealed: nobody is told of it.
  assert.equal(told((await page(world)).movements), before)
  await closerOf(world).pass()
  await payIn(world, 7_000n)
  const all = await page(world)
  assert.equal(told(all.movements), [
    [1, 1, '2026-03-01', 'deposit', '500.00', '500.00'],
    [1, 2, '2026-03-01', 'settle', '-200.00', '300.00'],
    [null, null, '2026-03-02', 'settle', '70.00', null],
  ])
  assert.is(all.next, null)
  const days = async (from: string | null, to: string | null) =>
    (await page(world, { from, to })).movements.map(({ amount }) => amount)
  assert.equal(await days('2026-03-02', null), ['70.00'])
  assert.equal(await days(null, '2026-03-01'), ['500.00', '-200.00'])
  assert.equal(await days('2026-03-01', '2026-03-02'), ['500.00', '-200.00', '70.00'])
  assert.equal(await days('2026-03-03', null), [])
  assert.equal(await days(null, '2026-02-28'), [])
})

play('what was told before it was sealed is not told again, and what comes later is', async (world) => {
  await agree(world.store, shop.id, [], { time_zone: 'UTC', cut_off: '24:00' })
  assert.equal(await page(world), { movements: [], next: null, resume: null })
  await world.deposit(1_000n)
  const first = await page(world)
  assert.is(first.movements.length, 1)
  await world.deposit(2_000n)
  await operatorOf(world).ask(statementClose, { party: shop.name, currency: 'MXN' })
  await closerOf(world).pass()
  await world.deposit(3_000n)
  const second = await page(world, { cursor: first.resume })
  assert.equal(
    second.movements.map(({ amount, statement, balance }) => [amount, statement, balance]),
    [
      ['20.00', 1, '30.00'],
      ['30.00', null, null],
    ],
  )
  const third = await page(world, { cursor: second.resume })
  assert.equal([third.movements, third.next, third.resume], [[], null, second.resume])
})

play('cursors of others, of other currencies and of nobody are unknown', async (world) => {
  await agree(world.store, shop.id, [], {})
  await world.deposit(1_000n)
  const { resume } = await page(world)
  const write = (text: string) => Buffer.from(text).toString('base64url')
  const foreign = [
    'x',
    '',
    write('CLP 1 1'),
    write('MXN 1'),
    write('MXN 1 1 1'),
    write('MXN -1 1'),
    write('MXN 1 1e9'),
  ]
  for (const cursor of foreign) {
    const found = await ownMovements(world.store, mine, { limit: 1, cursor, from: null, to: null })
    assert.is(found, null, cursor)
  }
  assert.is.not(resume, null)
})

/** The last statement that was sealed in any of them. */
let sealed = 0

for (const seed of [1, 2, 3, 4]) {
  play(`each is told once, however the books go on between the pages: ${seed}`, async (world) => {
    const random = seededRandom(seed)
    await agree(world.store, shop.id, [], { time_zone: 'UTC', cut_off: '24:00' })
    const closer = closerOf(world)
    const { ask } = operatorOf(world)
    const deeds = [
      () => world.deposit(BigInt(1_000 + random.below(90_000))),
      () => world.deposit(BigInt(1_000 + random.below(90_000))),
      () => payIn(world, BigInt(1_000 + random.below(20_000))),
      () => payOut(world, BigInt(1_000 + random.below(20_000))),
      async () => world.clock.advance(1 + random.below(dayMs)),
      // A day is closed once: it may be refused.
      async () => ask(statementClose, { party: shop.name, currency: 'MXN' }).catch(() => null),
      () => closer.pass(),
    ]
    const told: Movement[] = []
    let cursor: string | null = null
    for (let step = 0; step < 60; step++) {
      await deeds[random.below(deeds.length)]?.()
      if (random.chance(0.5)) continue
      const found = await page(world, { limit: 1 + random.below(4), cursor })
      told.push(...found.movements)
      cursor = found.resume
    }
    for (let next: string | null = ''; next !== null; ) {
      const found = await page(world, { limit: 3, cursor })
      told.push(...found.movements)
      cursor = found.resume
      next = found.next
    }
    const whole = (await page(world)).movements
    assert.is(new Set(told.map(nameOf)).size, told.length, 'one was told twice')
    assert.equal(told.map(nameOf).toSorted(), whole.map(nameOf).toSorted())
    assert.is(totalOf(told), await position(world))
    sealed = Math.max(sealed, ...whole.map(({ statement }) => statement ?? 0))
    assert.equal(closer.errors, [])
  })
}

test('statements were sealed between the pages', () => {
  assert.ok(sealed > 1, `${sealed}`)
})

play('two reads beside steps that are committed meanwhile leave nothing out', async (world) => {
  await agree(world.store, shop.id, [], { time_zone: 'UTC', cut_off: '24:00' })
  const writing = Array.from({ length: 20 }, () => world.deposit(1_000n))
  const told: Movement[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < 10; pages++) {
    const found = await page(world, { limit: 3, cursor })
    told.push(...found.movements)
    cursor = found.resume
  }
  await Promise.all(writing)
  const rest = await page(world, { cursor })
  assert.is([...told, ...rest.movements].length, 20)
  assert.is(totalOf([...told, ...rest.movements]), 20_000n)
})

test.run()
