/** What may come between the asking and the carrying out: others, time, a moved object, a kill, a restore. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { quarantine } from '../../../actors/anchors/restore-watch.ts'
import { tellApprovalRow } from '../../../actors/approvals/telling.ts'
import { createApprovalWork } from '../../../actors/operations/approval-work.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { contextOver } from '../../support/operations.ts'
import { hourMs, inOrderWorld, journalKey, type OrderWorld, shop } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { addPeople, twoPeople } from './two-people.ts'

const play = inOrderWorld(test)
const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1000.01', currency: 'MXN', reason: 'seen' }

const available = (world: OrderWorld) => world.balance({ ownerId: shop.id })

/** As a node's worker does, again and again. */
function pass(world: OrderWorld, isTrusted = true) {
  const onError = (error: unknown) => assert.unreachable(String(error))
  return createApprovalWork({ context: contextOver(world), isTrusted: () => isTrusted, onError })(world.store)
}

play('of two who approve at once one does, and it is booked once', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await addPeople(world.store, ['eva'])
  const number = await people.asks('ana', 'deposit.add', deposit)
  const both = await Promise.allSettled(
    ['luis', 'eva'].map((name) => people.as(name, 'approval.approve', { number })),
  )
  assert.equal(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.is(await available(world), 100_001n)
  assert.is((await people.approval(number)).state, 'carried_out')
  assert.equal(await problemsIn(world), [])
})

for (const [name, operation] of [
  ['eva', 'approval.refuse'],
  ['ana', 'approval.withdraw'],
] as const) {
  play(`what is approved while ${operation} ends it is done or ended, and never both`, async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    await addPeople(world.store, ['eva'])
    let booked = 0n
    for (let round = 0; round < 4; round++) {
      const number = await people.asks('ana', 'deposit.add', { ...deposit, reference: `SPEI ${round}` })
      const approving = () => people.as('luis', 'approval.approve', { number })
      const ending = () => people.as(name, operation, { number, reason: 'another invoice' })
      const both = round % 2 === 0 ? [approving, ending] : [ending, approving]
      await Promise.allSettled(both.map((one) => one()))
      const { state } = await people.approval(number)
      assert.ok(['carried_out', 'refused', 'withdrawn'].includes(state), state)
      if (state === 'carried_out') booked += 100_001n
      assert.is(await available(world), booked)
    }
    assert.equal(await problemsIn(world), [])
  })
}

play('a node that was killed behind the approval goes on, once', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const number = await people.asks('ana', 'deposit.add', deposit)
  const said = { type: 'approval.approve', by: 'luis' } as const
  await tellApprovalRow({ store: world.store, journalKey }, { number, said, actor: 'luis' })
  assert.is(await available(world), 0n)
  await Promise.all([pass(world), pass(world)])
  await pass(world)
  assert.is(await available(world), 100_001n)
  assert.is((await people.approval(number)).state, 'carried_out')
})

play('what expires is approved no more, and nothing expires while the clock is in doubt', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const number = await people.asks('ana', 'deposit.add', deposit)
  world.clock.advance(72 * hourMs)
  assert.match(await people.refused('luis', 'approval.approve', { number }), /^conflict: .*has expired/)
  await pass(world, false)
  assert.is((await people.approval(number)).state, 'asked')
  await pass(world)
  assert.is((await people.approval(number)).state, 'expired')
  assert.is(await available(world), 0n)
})

play('one that is refused or withdrawn is done by nobody', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const first = await people.asks('ana', 'deposit.add', deposit)
  await people.as('luis', 'approval.refuse', { number: first, reason: 'another invoice' })
  const second = await people.asks('ana', 'deposit.add', deposit)
  assert.match(
    await people.refused('luis', 'approval.withdraw', { number: second, reason: 'no' }),
    /^forbidden/,
  )
  await people.as('ana', 'approval.withdraw', { number: second, reason: 'twice' })
  for (const number of [first, second]) {
    assert.match(await people.refused('luis', 'approval.approve', { number }), /^conflict/)
  }
  assert.is(await available(world), 0n)
})

play('an approval is void once its object has moved', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await people.as('luis', 'approval.approve', { number: await people.asks('ana', 'deposit.add', deposit) })
  const order = await world.order({ priceMinor: 100_001n })
  await world.start(order.id, 'A')
  const input = { id: order.id, provider: 'Network A', reason: 'receipt seen' }
  const number = await people.asks('ana', 'order.confirm', input)
  await world.giveBack(order.id, 'A')
  await world.start(order.id, 'A')
  assert.match(
    await people.refused('luis', 'approval.approve', { number }),
    /^conflict: It would do something else/,
  )
  assert.is((await people.approval(number)).state, 'void')
  assert.is((await world.row(order.id)).status, 'PAYMENT_STARTED')
  const again = await people.asks('ana', 'order.confirm', input)
  await people.as('luis', 'approval.approve', { number: again })
  assert.is((await world.row(order.id)).status, 'COMPLETED')
})

play('whoever may not ask any more has not asked', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await addPeople(world.store, ['eva'])
  const number = await people.asks('ana', 'deposit.add', deposit)
  const disabling = await people.asks('luis', 'operator.disable', { name: 'ana' })
  await people.as('eva', 'approval.approve', { number: disabling })
  assert.match(await people.refused('luis', 'approval.approve', { number }), /may not do it any more/)
  assert.is((await people.approval(number)).state, 'void')
})

play('what waited in a backup is void once it is restored, approved or not', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const asked = await people.asks('ana', 'deposit.add', deposit)
  const other = { ...deposit, reference: 'SPEI 2' }
  const approved = await people.asks('ana', 'deposit.add', other)
  const said = { type: 'approval.approve', by: 'luis' } as const
  await tellApprovalRow({ store: world.store, journalKey }, { number: approved, said, actor: 'luis' })
  await quarantine(world.store, world.clock.now())
  assert.match(
    await people.refused('luis', 'approval.approve', { number: asked }),
    /before a backup was restored/,
  )
  await pass(world)
  assert.is((await people.approval(asked)).state, 'void')
  assert.is((await people.approval(approved)).state, 'void')
  assert.is(await available(world), 0n)
  world.clock.advance(1000)
  const again = await people.asks('ana', 'deposit.add', deposit)
  await people.as('luis', 'approval.approve', { number: again })
  assert.is(await available(world), 100_001n)
})

play(
  'what answers a secret is carried out by whoever asked, and the secret is kept nowhere',
  async (world) => {
    const people = await twoPeople(world)
    const invited = { name: 'eva', role: 'administrator' }
    const number = await people.asks('ana', 'operator.invite', invited)
    await people.as('luis', 'approval.approve', { number })
    assert.is((await people.approval(number)).state, 'approved')
    assert.match(await people.refused('luis', 'approval.carryOut', { number }), /^forbidden/)
    const answer = (await people.as('ana', 'operator.invite', invited)) as { link: string }
    assert.match(answer.link, /invitation=/)
    assert.is((await people.approval(number)).state, 'carried_out')
    await people.asks('ana', 'operator.invite', invited)
  },
)

play(
  'names that come with the token are one person, and nobody approves under one of them',
  async (world) => {
    await settle(world)
    const people = await twoPeople(world)
    const number = await people.asks(null, 'deposit.add', deposit)
    await addPeople(world.store, ['script'])
    assert.match(
      await people.refused('script', 'approval.approve', { number }),
      /^forbidden: Nobody approves/,
    )
    await people.as('luis', 'approval.approve', { number })
    assert.is(await available(world), 100_001n)
  },
)

play('two small amounts at once are not both below the threshold', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const half = (reference: string) => ({ ...deposit, reference, amount: '600.00' })
  const ends = await Promise.allSettled(
    ['SPEI 1', 'SPEI 2', 'SPEI 3'].map((reference) => people.as('ana', 'deposit.add', half(reference))),
  )
  assert.equal(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
  assert.is(await available(world), 60_000n)
})

test.run()
