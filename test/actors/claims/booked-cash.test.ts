/** Of an order's cash no claim takes back more than is booked, or from another than who has it; and refunds count what claims book. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimReject, claimUphold } from '../../../actors/claims/operations.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import type { ClaimKind } from '../../../machines/claim.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import { hourMs, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { agreed, claimOf, opened, paidIn, paidOut, places, refused } from './claimed.ts'

const play = inOrderWorld(test)

type Said = readonly [kind: ClaimKind, amount?: string]

/** Claims about one order, one after the other; `x` before one that is refused, since less is booked. */
const rows: readonly (readonly [direction: string, ...claims: (Said | readonly ['x', ...Said])[]])[] = [
  ['in', ['wrong_amount', '338.00'], ['x', 'credited_not_paid']],
  ['in', ['false_note', '438.00'], ['x', 'wrong_amount', '437.99'], ['x', 'credited_not_paid']],
  ['in', ['false_note', '100.00'], ['wrong_amount', '100.00'], ['x', 'credited_not_paid']],
  ['in', ['wrong_amount', '100.00'], ['x', 'false_note', '100.01']],
  ['in', ['wrong_amount', '100.00'], ['false_note', '100.00']],
  ['in', ['wrong_amount', '500.00'], ['credited_not_paid']],
  ['in', ['twice'], ['credited_not_paid']],
  ['in', ['twice'], ['false_note', '438.00'], ['credited_not_paid']],
  ['out', ['wrong_amount', '338.00'], ['x', 'credited_not_paid']],
  ['out', ['false_note', '438.00'], ['x', 'wrong_amount', '437.99']],
]

async function uphold(world: OrderWorld, order: string, [kind, amount]: Said): Promise<string> {
  const { number } = await claimOf(world, order, kind, amount === undefined ? {} : { amount })
  const before = await places(world)
  try {
    await operatorOf(world).ask(claimUphold, { number, reason: 'seen' })
    return 'upheld'
  } catch (error) {
    assert.equal(await places(world), before, 'nothing has moved')
    return String(error)
  }
}

for (const [direction, ...claims] of rows) {
  play(`a pay-${direction}: ${claims.map((one) => one.join(' ')).join(', ')}`, async (world) => {
    await agreed(world)
    const id = await (direction === 'in' ? paidIn(world) : paidOut(world))
    for (const claim of claims) {
      if (claim[0] === 'x') {
        const [, ...said] = claim as readonly ['x', ...Said]
        assert.match(
          await uphold(world, id, said),
          /By other claims .* are booked: claim \d+ would take back more/,
        )
      } else assert.is(await uphold(world, id, claim as Said), 'upheld')
    }
    assert.equal(await problemsIn(world), [])
  })
}

for (const kind of ['credited_not_paid', 'wrong_amount', 'false_note'] as const) {
  play(
    `${kind} is about whoever the cash is booked with, not about one that gave the order back`,
    async (world) => {
      await agreed(world)
      const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
      await world.start(id, 'A')
      await world.giveBack(id, 'A')
      await world.start(id, 'B')
      await world.confirm(id, 'B')
      const amount = kind === 'credited_not_paid' ? {} : { amount: '1.00' }
      const of = async (provider: string) => (await claimOf(world, id, kind, { provider, ...amount })).number
      const before = await places(world)
      const number = await of('Network A')
      const words = await refused(world, claimUphold, { number, reason: 'a mail' })
      assert.match(
        words,
        /^refused: The cash of the order is booked with another provider: claim 1 has nothing/,
      )
      assert.equal(await places(world), before)
      assert.equal(await problemsIn(world), [])
    },
  )
}

/** A pay-in that both networks have held and given back before it expired. */
async function givenBack(world: OrderWorld): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
  for (const till of ['A', 'B'] as const) {
    await world.start(id, till, { hasTerms: true })
    await world.giveBack(id, till)
  }
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(id)
  return id
}

play('what a claim has credited is taken back from whom it was credited to', async (world) => {
  await agreed(world)
  const id = await givenBack(world)
  const { ask } = operatorOf(world)
  const of = async (kind: ClaimKind, provider: string) =>
    (await claimOf(world, id, kind, { provider })).number
  await ask(claimUphold, { number: await of('paid_not_credited', 'Network A'), reason: 'seen' })
  assert.equal(await places(world), [43_800n, 0n, -42_814n], 'with the commission of its own lock')
  const wrong = { number: await of('credited_not_paid', 'Network B'), reason: 'seen' }
  assert.match(await refused(world, claimUphold, wrong), /is booked with another provider/)
  await ask(claimReject, wrong)
  await ask(claimUphold, { number: await of('credited_not_paid', 'Network A'), reason: 'seen' })
  assert.equal(await places(world), [0n, 0n, 0n])
  assert.equal(await problemsIn(world), [])
})

const leftOf = async (world: OrderWorld, payIn: string) =>
  (await operatorOf(world).ask(orderShow, { id: payIn })).refunded?.left

async function collected(world: OrderWorld): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
  await world.start(id, 'A')
  await world.confirm(id, 'A')
  return id
}

async function refundOf(world: OrderWorld, payIn: string): Promise<string> {
  await world.deposit(100_000n)
  return (await world.order({ refundOf: payIn, priceMinor: 43_800n })).id
}

async function assertSoundInArchive(world: OrderWorld): Promise<void> {
  assert.equal(await problemsIn(world), [])
  // The newest entry of the journal is not archived.
  const last = await world.order({ direction: 'PAY_IN' })
  const archive = archiveOf(world)
  await archive.deliver()
  await archive.archive()
  assert.equal(archive.errors, [])
  assert.equal(
    (await world.rows('orders')).map(({ id }) => id),
    [last.id],
  )
  assert.equal(await problemsIn(world), [])
  archive.close()
}

play('a refund that ended counts again once a claim says that its cash was handed out', async (world) => {
  const payIn = await collected(world)
  const refund = await refundOf(world, payIn)
  await world.start(refund, 'A')
  await world.giveBack(refund, 'A')
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(refund)
  assert.is(await leftOf(world, payIn), '438.00')
  assert.is(await uphold(world, refund, ['paid_not_credited']), 'upheld')
  assert.is(await leftOf(world, payIn), '0.00')
  assert.is((await world.create({ refundOf: payIn, priceMinor: 1n })).outcome, 'refund_refused')
  await assertSoundInArchive(world)
})

play('a refund whose cash was never handed out leaves its pay-in to another one', async (world) => {
  const payIn = await collected(world)
  const refund = await refundOf(world, payIn)
  await world.start(refund, 'A')
  await world.confirm(refund, 'A')
  assert.is(await leftOf(world, payIn), '0.00')
  assert.is(await uphold(world, refund, ['credited_not_paid']), 'upheld')
  assert.is(await leftOf(world, payIn), '438.00')
  const other = await refundOf(world, payIn)
  await world.start(other, 'A')
  await world.confirm(other, 'A')
  await assertSoundInArchive(world)
})

play('a pay-in that a claim has credited may be given back, also from the archive', async (world) => {
  const [payIn, other] = [await givenBack(world), await givenBack(world)]
  assert.is((await world.create({ refundOf: payIn, priceMinor: 1n })).outcome, 'refund_refused')
  assert.is(await uphold(world, payIn, ['paid_not_credited']), 'upheld')
  assert.is(await uphold(world, other, ['paid_not_credited']), 'upheld')
  const refund = await refundOf(world, payIn)
  await world.start(refund, 'A')
  await world.confirm(refund, 'A')
  await assertSoundInArchive(world)
  await refundOf(world, other)
  assert.equal(await problemsIn(world), [])
})

/** What claims book of a pay-in, after so much of it was given back; what is left then, and what may not be given back. */
const refundable: readonly {
  before?: bigint
  claims: readonly Said[]
  left: string
}[] = [
  { claims: [['wrong_amount', '338.00']], left: '338.00' },
  { claims: [['wrong_amount', '500.00']], left: '500.00' },
  { claims: [['false_note', '100.00']], left: '338.00' },
  { claims: [['false_note', '438.00']], left: '0.00' },
  { claims: [['twice']], left: '876.00' },
  {
    claims: [
      ['false_note', '100.00'],
      ['wrong_amount', '438.01'],
    ],
    left: '338.01',
  },
  { before: 10_000n, claims: [['wrong_amount', '338.00']], left: '238.00' },
  { before: 43_800n, claims: [['wrong_amount', '338.00']], left: '0.00' },
  { before: 43_800n, claims: [['false_note', '438.00']], left: '0.00' },
  { before: 43_800n, claims: [['wrong_amount', '500.00']], left: '62.00' },
  { before: 43_800n, claims: [['wrong_amount', '338.00'], ['twice']], left: '338.00' },
]

for (const { before, claims, left } of refundable) {
  const given = before === undefined ? 'nothing' : `${before} minor units`
  play(`of a pay-in, ${given} given back, is left after ${claims.join(' ')}: ${left}`, async (world) => {
    const payIn = await collected(world)
    await world.deposit(200_000n)
    if (before !== undefined) await world.order({ refundOf: payIn, priceMinor: before })
    for (const said of claims) assert.is(await uphold(world, payIn, said), 'upheld')
    const minor = BigInt(left.replace('.', ''))
    const beyond = await world.create({ refundOf: payIn, priceMinor: minor + 1n })
    assert.is(beyond.outcome, 'refund_refused')
    if (minor > 0n) await world.order({ refundOf: payIn, priceMinor: minor })
    assert.is((await world.create({ refundOf: payIn, priceMinor: 1n })).outcome, 'refund_refused')
    assert.equal(await problemsIn(world), [])
  })
}

play(
  'a refund that ends after its pay-in was lowered gives up what was paid beyond it first',
  async (world) => {
    const payIn = await collected(world)
    const refund = await refundOf(world, payIn)
    assert.is(await uphold(world, payIn, ['wrong_amount', '338.00']), 'upheld')
    world.clock.advance(25 * hourMs)
    await world.orders.tryExpire(refund)
    assert.is(await leftOf(world, payIn), '338.00')
    await assertSoundInArchive(world)
    assert.is((await world.create({ refundOf: payIn, priceMinor: 33_801n })).outcome, 'refund_refused')
    await world.order({ refundOf: payIn, priceMinor: 33_800n })
    assert.equal(await problemsIn(world), [])
  },
)

for (const kind of ['paid_not_credited', 'twice'] as const) {
  play(`${kind}: two providers that have held an order claim it, and the money moves once`, async (world) => {
    await agreed(world)
    const id = await (kind === 'twice' ? heldByBoth(world) : givenBack(world))
    const claims: number[] = []
    for (const till of ['A', 'B'] as const) {
      const actor = {
        kind: 'provider',
        id: tills[till].id,
        name: `Network ${till}`,
        credential: 'pk',
      } as const
      const first = await opened(world, id, kind, actor)
      assert.is(first.outcome, 'opened')
      if (first.outcome === 'opened') claims.push(first.claim.number)
      assert.equal(await opened(world, id, kind, actor), { outcome: 'refused', reason: 'known' })
    }
    const [one = 0, other = 0] = claims
    await operatorOf(world).ask(claimUphold, { number: one, reason: 'seen' })
    const before = [await places(world), await world.rows('postings')]
    const words = await refused(world, claimUphold, { number: other, reason: 'seen' })
    assert.match(words, /^refused: (The cash of the order is booked already|Another claim of this kind)/)
    assert.equal([await places(world), await world.rows('postings')], before)
    await operatorOf(world).ask(claimReject, { number: other, reason: 'seen' })
    assert.equal(await problemsIn(world), [])
  })
}

/** Network A has given it back, and B has confirmed it. */
async function heldByBoth(world: OrderWorld): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
  await world.start(id, 'A')
  await world.giveBack(id, 'A')
  await world.start(id, 'B')
  await world.confirm(id, 'B')
  return id
}

test.run()
