/**
 * What each kind of claim about a foreign-currency order moves, by hand: the local currency alone, between the operator and the provider.
 * Its merchant neither gets nor pays anything, its asset stays where it is, and no pay-in is given back by it.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimAccept, claimReject, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import { endedWhileLockedId } from '../../../actors/exceptions/exception-id.ts'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import type { ClaimKind } from '../../../machines/claim.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { chainDepositFor, type ForeignPlay, playForeign } from '../../support/foreign-orders.ts'
import { operatorOf } from '../../support/operations.ts'
import { hourMs, inOrderWorld, type OrderWorld, shop, tills } from '../../support/order-world.ts'
import { agreed, claimOf, places, refused } from './claimed.ts'

const inWorld = inOrderWorld(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  inWorld(name, (world) => story(playForeign(world)))
const why = { reason: 'the receipt was seen' }

/** 50 USDC came for it, and 830.00 MXN wait to be handed out. */
async function funded(world: ForeignPlay): Promise<string> {
  await agreed(world)
  const side = await world.foreign()
  await world.build(side.order_id)
  await world.read([chainDepositFor(side, world.clock.now())])
  return side.order_id
}

async function paid(world: ForeignPlay): Promise<string> {
  const id = await funded(world)
  await world.start(id, 'A', { hasTerms: true })
  await world.confirm(id, 'A')
  return id
}

async function expire(world: ForeignPlay, id: string): Promise<void> {
  world.clock.advance(25 * hourMs)
  await world.foreignOrders.tryExpire(id)
}

/** Network A has held it, and given it back. */
async function expiredAfterReturn(world: ForeignPlay): Promise<string> {
  const id = await funded(world)
  await world.start(id, 'A', { hasTerms: true })
  await world.giveBack(id, 'A')
  await expire(world, id)
  return id
}

async function expiredWhileHeld(world: ForeignPlay): Promise<string> {
  const id = await funded(world)
  await world.start(id, 'A', { hasTerms: true })
  await expire(world, id)
  return id
}

interface Case {
  what: string
  order: (world: ForeignPlay) => Promise<string>
  kind: ClaimKind
  amount?: string
  postings: string[]
  /** What the operator has earned, and what network A is owed, once it is decided; minor units. */
  operatorMinor: bigint
  networkMinor: bigint
}

const a = 'Network A'

/** 830.00 and a commission of 5.00 and 0.8 %, 11.64, with a tax of 1.86. */
const cases: readonly Case[] = [
  {
    what: 'handed out after it was given back, by one that earns what its confirmation would have brought',
    order: expiredAfterReturn,
    kind: 'paid_not_credited',
    postings: [
      `claim fee → provider of ${a} 830.00`,
      `claim_commission fee of ${a} → provider of ${a} 11.64`,
      `claim_commission_tax tax_credited of ${a} → provider of ${a} 1.86`,
    ],
    operatorMinor: -83_000n,
    networkMinor: 84_350n,
  },
  {
    what: 'handed out before it expired, with what waits for its exception',
    order: expiredWhileHeld,
    kind: 'paid_not_credited',
    postings: [
      `honour suspense of Shop → provider of ${a} 830.00`,
      `commission fee of ${a} → provider of ${a} 11.64`,
      `commission_tax tax_credited of ${a} → provider of ${a} 1.86`,
    ],
    operatorMinor: 0n,
    networkMinor: 84_350n,
  },
  {
    what: 'never handed out',
    order: paid,
    kind: 'credited_not_paid',
    postings: [
      `claim provider of ${a} → fee 830.00`,
      `claim_commission provider of ${a} → fee of ${a} 11.64`,
      `claim_commission_tax provider of ${a} → tax_credited of ${a} 1.86`,
    ],
    operatorMinor: 83_000n,
    networkMinor: 0n,
  },
  {
    what: 'handed out twice',
    order: paid,
    kind: 'twice',
    postings: [`claim fee → provider of ${a} 830.00`],
    operatorMinor: -83_000n,
    networkMinor: 167_350n,
  },
  {
    what: 'less was handed out',
    order: paid,
    kind: 'wrong_amount',
    amount: '800.00',
    postings: [`claim provider of ${a} → fee 30.00`],
    operatorMinor: 3_000n,
    networkMinor: 81_350n,
  },
  {
    what: 'more was handed out',
    order: paid,
    kind: 'wrong_amount',
    amount: '900.00',
    postings: [`claim fee → provider of ${a} 70.00`],
    operatorMinor: -7_000n,
    networkMinor: 91_350n,
  },
  {
    what: 'false notes',
    order: paid,
    kind: 'false_note',
    amount: '200.00',
    postings: [`claim provider of ${a} → fee 200.00`],
    operatorMinor: 20_000n,
    networkMinor: 64_350n,
  },
]

/** Everything that is in an asset, and what is its merchant's. */
async function untouched(world: OrderWorld) {
  const accounts = await world.rows('accounts')
  const assets = accounts.filter(({ currency }) => currency !== 'MXN')
  return {
    assets: assets.map(({ id, balance_minor }) => `${id} ${balance_minor}`).toSorted(),
    merchant: (await places(world)).slice(0, 2),
    refundable: await world.rows('refundable'),
  }
}

async function held(world: OrderWorld): Promise<bigint[]> {
  return [
    await world.balance({ kind: 'fee', ownerId: '' }),
    await world.balance({ kind: 'provider', ownerId: tills.A.id }),
  ]
}

for (const { what, order, kind, amount, postings, operatorMinor, networkMinor } of cases) {
  const more = amount === undefined ? {} : { amount }

  for (const decide of [claimAccept, claimUphold]) {
    play(`${kind}, ${what}, ${decide.name}: ${postings.join(', ')}`, async (world) => {
      const id = await order(world)
      const before = await untouched(world)
      const { ask } = operatorOf(world)
      const { number } = await claimOf(world, id, kind, more)
      const shown = await ask(decide, { number, ...why, dryRun: true })
      const rows = await world.rows('postings')
      const done = await ask(decide, { number, ...why })
      assert.equal(done.postings, shown.postings, 'what is shown is what is booked')
      assert.equal(
        done.postings.map((one) => `${one.kind} ${one.debit} → ${one.credit} ${one.amount}`),
        postings,
      )
      const written = (await world.rows('postings')).slice(rows.length)
      assert.is(written.length, postings.length)
      assert.ok(written.every((one) => one.currency === 'MXN'))
      assert.equal(await held(world), [operatorMinor, networkMinor])
      assert.equal(await untouched(world), before)
      const [stored] = await world.rows('orders')
      assert.is(stored?.refund_of, null)
      assert.is((await world.create({ refundOf: id, priceMinor: 1n })).outcome, 'refund_refused')
      assert.equal(await problemsIn(world), [])
      assert.match(await refused(world, claimUphold, { number, ...why }), /^conflict/)
      assert.equal(await held(world), [operatorMinor, networkMinor])
    })
  }

  play(`${kind}, ${what}, rejected: nothing moves`, async (world) => {
    const id = await order(world)
    const before = [await untouched(world), await held(world)]
    const { number } = await claimOf(world, id, kind, more)
    const done = await operatorOf(world).ask(claimReject, { number, ...why })
    assert.equal([done.claim.state, done.postings], ['rejected', []])
    assert.equal([await untouched(world), await held(world)], before)
    assert.equal(await problemsIn(world), [])
  })
}

for (const { as, operatorMinor, asset } of [
  { as: 'dismiss', operatorMinor: -83_000n, asset: { fee: 50_000_000n, treasury: -50_000_000n } },
  { as: 'refunded', operatorMinor: -83_000n, asset: { fee: 0n, treasury: 0n } },
] as const) {
  play(`the asset of one whose cash a claim has booked waits on, and is ${as} for itself`, async (world) => {
    const id = await expiredAfterReturn(world)
    const { ask } = operatorOf(world)
    const { number } = await claimOf(world, id, 'paid_not_credited')
    await ask(claimUphold, { number, ...why })
    const [due] = await world.exceptions('refund_due')
    assert.is(due?.state, 'open')
    const evidence = as === 'refunded' ? { evidence: '5Xyz' } : {}
    await ask(exceptionResolve, { id: due?.id ?? '', as, ...why, ...evidence })
    assert.equal(await held(world), [operatorMinor, 84_350n])
    for (const [kind, minor] of Object.entries(asset))
      assert.is(
        await world.balance({ kind: kind as 'fee' | 'treasury', ownerId: '', currency: 'USDC.SOLANA/6' }),
        minor,
      )
    assert.equal(await problemsIn(world), [])
  })
}

play('rejected, it leaves its exception to whoever resolves that, and the asset is due', async (world) => {
  const id = await expiredWhileHeld(world)
  const { ask } = operatorOf(world)
  const { number } = await claimOf(world, id, 'paid_not_credited')
  await ask(claimReject, { number, ...why })
  await ask(exceptionResolve, { id: endedWhileLockedId(id), as: 'return', ...why })
  assert.equal(await held(world), [0n, 0n])
  assert.is((await world.exceptions('refund_due')).length, 1)
  assert.equal(await problemsIn(world), [])
})

play(
  'returned for itself, the exception lets the claim go on, which the operator then bears',
  async (world) => {
    const id = await expiredWhileHeld(world)
    const { ask } = operatorOf(world)
    const { number } = await claimOf(world, id, 'paid_not_credited')
    await ask(exceptionResolve, { id: endedWhileLockedId(id), as: 'return', ...why })
    assert.is((await ask(claimShow, { number })).exception, null)
    await ask(claimUphold, { number, ...why })
    assert.equal(await held(world), [-83_000n, 84_350n])
    assert.is(await world.balance({ ownerId: shop.id }), 0n)
    assert.equal(await problemsIn(world), [])
  },
)

test.run()
