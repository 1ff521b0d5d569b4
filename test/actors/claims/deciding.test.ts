/** What each kind of claim moves when it is decided, by hand; and that nothing is moved twice, whoever is first. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { settlementStoppedFact } from '../../../actors/anchors/restore-watch.ts'
import { claimAccept, claimReject, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import type { ClaimKind } from '../../../machines/claim.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { agreed, claimOf, expired, paidIn, paidOut, places, refused } from './claimed.ts'

const play = inOrderWorld(test)

interface Case {
  what: string
  order: (world: OrderWorld) => Promise<string>
  kind: ClaimKind
  amount?: string
  /** What the shop has beside the order; minor units. */
  availableMinor?: bigint
  /** Once it is decided. */
  postings: string[]
  places: [available: bigint, debt: bigint, provider: bigint]
}

const a = 'Network A'

/** The pay-in leaves 425.30 available and 428.14 owed by the network; the pay-out 55.19 of 500.00, and 454.86 owed to it. */
const cases: readonly Case[] = [
  {
    what: 'a pay-in that was paid at a counter that had given it back',
    order: (world) => expired(world, 'PAY_IN'),
    kind: 'paid_not_credited',
    postings: [
      `claim provider of ${a} → available of Shop 438.00`,
      'claim_fee available of Shop → fee of Shop 10.95',
      'claim_fee_tax available of Shop → tax_collected of Shop 1.75',
      `claim_commission fee of ${a} → provider of ${a} 8.50`,
      `claim_commission_tax tax_credited of ${a} → provider of ${a} 1.36`,
    ],
    places: [42_530n, 0n, -42_814n],
  },
  {
    what: 'a pay-out whose cash was handed out after it was given back',
    order: (world) => expired(world, 'PAY_OUT'),
    kind: 'paid_not_credited',
    postings: [
      `claim available of Shop → provider of ${a} 438.00`,
      'claim_fee available of Shop → fee of Shop 6.57',
      'claim_fee_tax available of Shop → tax_collected of Shop 1.05',
      `claim_commission fee of ${a} → provider of ${a} 8.50`,
      `claim_commission_tax tax_credited of ${a} → provider of ${a} 1.36`,
    ],
    places: [5_438n, 0n, 44_786n],
  },
  {
    what: 'a pay-in that was never paid',
    order: paidIn,
    kind: 'credited_not_paid',
    availableMinor: 10_000n,
    postings: [
      `claim available of Shop → provider of ${a} 438.00`,
      'claim_fee fee of Shop → available of Shop 10.95',
      'claim_fee_tax tax_collected of Shop → available of Shop 1.75',
      `claim_commission provider of ${a} → fee of ${a} 8.50`,
      `claim_commission_tax provider of ${a} → tax_credited of ${a} 1.36`,
    ],
    places: [10_000n, 0n, 0n],
  },
  {
    what: 'a pay-in that was never paid, of a shop that has nothing else',
    order: paidIn,
    kind: 'credited_not_paid',
    postings: [
      'borrow debt of Shop → available of Shop 12.70',
      `claim available of Shop → provider of ${a} 438.00`,
      'claim_fee fee of Shop → available of Shop 10.95',
      'claim_fee_tax tax_collected of Shop → available of Shop 1.75',
      `claim_commission provider of ${a} → fee of ${a} 8.50`,
      `claim_commission_tax provider of ${a} → tax_credited of ${a} 1.36`,
      'repay available of Shop → debt of Shop 12.70',
    ],
    places: [0n, 0n, 0n],
  },
  {
    what: 'a pay-out that was never handed out',
    order: paidOut,
    kind: 'credited_not_paid',
    postings: [
      `claim provider of ${a} → available of Shop 438.00`,
      'claim_fee fee of Shop → available of Shop 6.57',
      'claim_fee_tax tax_collected of Shop → available of Shop 1.05',
      `claim_commission provider of ${a} → fee of ${a} 8.50`,
      `claim_commission_tax provider of ${a} → tax_credited of ${a} 1.36`,
    ],
    places: [50_000n, 0n, 0n],
  },
  {
    what: 'a pay-in that was paid twice',
    order: paidIn,
    kind: 'twice',
    postings: [`claim provider of ${a} → available of Shop 438.00`],
    places: [86_330n, 0n, -86_614n],
  },
  {
    what: 'a pay-out that was handed out twice, of which the shop lacks most',
    order: paidOut,
    kind: 'twice',
    postings: [
      'borrow debt of Shop → available of Shop 383.62',
      `claim available of Shop → provider of ${a} 438.00`,
    ],
    places: [0n, -38_362n, 88_586n],
  },
  {
    what: 'a pay-in of which less was paid',
    order: paidIn,
    kind: 'wrong_amount',
    amount: '400.00',
    postings: [`claim available of Shop → provider of ${a} 38.00`],
    places: [38_730n, 0n, -39_014n],
  },
  {
    what: 'a pay-in of which more was paid',
    order: paidIn,
    kind: 'wrong_amount',
    amount: '500.00',
    postings: [`claim provider of ${a} → available of Shop 62.00`],
    places: [48_730n, 0n, -49_014n],
  },
  {
    what: 'a pay-in with false notes',
    order: paidIn,
    kind: 'false_note',
    amount: '200.00',
    postings: [`claim available of Shop → provider of ${a} 200.00`],
    places: [22_530n, 0n, -22_814n],
  },
  {
    what: 'a pay-out with false notes',
    order: paidOut,
    kind: 'false_note',
    amount: '200.00',
    postings: [`claim provider of ${a} → available of Shop 200.00`],
    places: [25_438n, 0n, 24_786n],
  },
]

for (const { what, order, kind, amount, availableMinor = 0n, postings, places: expected } of cases) {
  for (const decide of [claimAccept, claimUphold]) {
    play(`${what}, ${decide.name}: ${postings.join(', ')}`, async (world) => {
      await agreed(world)
      const id = await order(world)
      if (availableMinor > 0n) await world.deposit(availableMinor)
      const { ask } = operatorOf(world)
      const before = await places(world)
      const { number } = await claimOf(world, id, kind, amount === undefined ? {} : { amount })
      assert.equal(await places(world), before, 'nothing moves before it is decided')
      const rows = await world.rows('postings')
      const input = { number, reason: 'the receipt was seen' }
      const shown = await ask(decide, { ...input, dryRun: true })
      assert.equal(await world.rows('postings'), rows, 'a dry run writes nothing')
      const done = await ask(decide, input)
      assert.equal(done.postings, shown.postings, 'what is shown is what is booked')
      assert.equal(
        done.postings.map((one) => `${one.kind} ${one.debit} → ${one.credit} ${one.amount}`),
        postings,
      )
      const written = (await world.rows('postings')).slice(rows.length).map((one) => one.kind)
      assert.equal(
        written,
        postings.map((one) => one.split(' ')[0]),
      )
      assert.equal(await places(world), expected)
      assert.equal(await problemsIn(world), [])
      const again = await refused(world, claimUphold, input)
      assert.match(again, new RegExp(`^conflict: Claim ${number} was ${done.claim.state} already, by ana`))
      assert.equal(await places(world), expected)
    })
  }

  play(`${what}, rejected: nothing moves`, async (world) => {
    await agreed(world)
    const id = await order(world)
    const { ask } = operatorOf(world)
    const before = await places(world)
    const { number } = await claimOf(world, id, kind, amount === undefined ? {} : { amount })
    const done = await ask(claimReject, { number, reason: 'the receipt is of another day' })
    assert.equal([done.claim.state, done.postings], ['rejected', []])
    assert.equal(await places(world), before)
    assert.equal(await problemsIn(world), [])
    // What was rejected may be claimed anew, with something better to show.
    assert.is((await claimOf(world, id, kind, amount === undefined ? {} : { amount })).number, number + 1)
  })
}

play('of two decisions at once one is carried out, and the other is told', async (world) => {
  await agreed(world)
  const id = await paidIn(world)
  const { ask } = operatorOf(world)
  const { number } = await claimOf(world, id, 'twice')
  const ends = await Promise.allSettled(
    [claimAccept, claimUphold, claimReject].map((decide) => ask(decide, { number, reason: 'seen' })),
  )
  assert.is(ends.filter(({ status }) => status === 'fulfilled').length, 1)
  const lost = ends.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  for (const words of lost) assert.match(words, /was (accepted|upheld|rejected) already|has changed since/)
  assert.equal(await problemsIn(world), [])
})

play('while settlement is stopped after a restore a claim is decided in no way', async (world) => {
  await agreed(world)
  const { number } = await claimOf(world, await paidIn(world), 'twice')
  const fact = { name: settlementStoppedFact, value: '1' }
  await commit(world.store, [{ insert: 'facts', values: fact }])
  for (const decide of [claimAccept, claimUphold, claimReject]) {
    const words = await refused(world, decide, { number, reason: 'seen' })
    assert.match(words, /^refused: Settlement is stopped since a backup was restored/, decide.name)
  }
  await commit(world.store, [{ delete: 'facts', key: { name: settlementStoppedFact } }])
  await operatorOf(world).ask(claimReject, { number, reason: 'seen' })
})

play('nothing is taken from a merchant for a provider that never held its order', async (world) => {
  await agreed(world)
  const id = await expired(world, 'PAY_OUT', null)
  const { number } = await claimOf(world, id, 'paid_not_credited', { provider: 'Network A' })
  const before = await places(world)
  const words = await refused(world, claimUphold, { number, reason: 'their file says so' })
  assert.match(words, /^refused: The provider has never held the order: nothing is taken from its merchant/)
  assert.equal(await places(world), before)
  await operatorOf(world).ask(claimReject, { number, reason: 'never held' })
  assert.equal(await problemsIn(world), [])
})

play('a provider that never held a pay-in may owe it all the same', async (world) => {
  await agreed(world)
  const id = await expired(world, 'PAY_IN', null)
  const { number } = await claimOf(world, id, 'paid_not_credited', { provider: 'Network B' })
  await operatorOf(world).ask(claimAccept, { number, reason: 'they say so themselves' })
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-b' }), -43_800n)
  assert.is(await world.balance({ ownerId: shop.id }), 42_530n)
  assert.equal(await problemsIn(world), [])
})

play('cash that is booked is not booked again, and what was taken back is not corrected', async (world) => {
  await agreed(world)
  const id = await paidIn(world)
  const { ask } = operatorOf(world)
  const { number: first } = await claimOf(world, id, 'paid_not_credited')
  const twice = await refused(world, claimAccept, { number: first, reason: 'x' })
  assert.match(twice, /^refused: The cash of the order is booked already: claim 1 would book it twice/)
  const { number: second } = await claimOf(world, id, 'credited_not_paid')
  await ask(claimUphold, { number: second, reason: 'no cash came' })
  const { number: third } = await claimOf(world, id, 'wrong_amount', { amount: '1.00' })
  const nothing = await refused(world, claimUphold, { number: third, reason: 'x' })
  assert.match(nothing, /^refused: The cash of the order was taken back by claim 2/)
  assert.equal(await problemsIn(world), [])
})

play(
  'what a claim has credited is told by it, and verify finds what was changed behind it',
  async (world) => {
    await agreed(world)
    const id = await expired(world, 'PAY_IN')
    const { ask } = operatorOf(world)
    const { number } = await claimOf(world, id, 'paid_not_credited', { text: 'Receipt 4711' })
    await ask(claimAccept, { number, reason: 'the network agrees' })
    const shown = await ask(claimShow, { number })
    assert.equal(
      shown.events.map(({ by, event, state, reason }) => [by, event, state, reason]),
      [
        ['operator:ana', 'claim.open', 'open', null],
        ['operator:ana', 'claim.accept', 'accepted', 'the network agrees'],
      ],
    )
    assert.equal(
      shown.evidence.map(({ number: of, text, file }) => [of, text, file]),
      [[1, 'Receipt 4711', null]],
    )
    const claim = (await world.rows('claims'))[0]
    await commit(world.store, [
      { update: 'claims', key: { id: claim?.id ?? '' }, set: { price_minor: 43_801n, ended_by: 'eve' } },
      { update: 'claimed_orders', key: { order_id: id }, set: { credited_by: null } },
    ])
    const [check, ...others] = await problemsIn(world)
    assert.equal(others, [])
    assert.is(check?.name, 'claims')
    assert.match(
      check?.detail ?? '',
      /claim 1: it is accepted, and says claim 43801 .*, its postings claim 43800/,
    )
    assert.match(check?.detail ?? '', /what claims have booked of order .* is not what is written beside it/)
  },
)

test.run()
