/** What takes two people, from the asking to what comes of it: once, or not at all. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inOrderWorld, shop } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { twoPeople } from './two-people.ts'

const play = inOrderWorld(test)
const deposit = {
  merchant: 'Shop',
  reference: 'SPEI 1',
  amount: '1000.01',
  currency: 'MXN',
  reason: 'seen at the bank',
}

play('nothing takes two people where no threshold is set', async (world) => {
  await settle(world)
  const people = await twoPeople(world, null)
  await people.as('ana', 'deposit.add', { ...deposit, amount: '900000.00' })
  assert.is(await world.balance({ ownerId: shop.id }), 90_000_000n)
})

play('above the threshold somebody else approves, and it is booked once', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  const number = await people.asks('ana', 'deposit.add', deposit)
  assert.is(await world.balance({ ownerId: shop.id }), 0n)
  assert.match(await people.refused('ana', 'approval.approve', { number }), /^forbidden: Nobody approves/)
  assert.match(await people.refused(null, 'approval.approve', { number }), /^forbidden: Only a person/)
  await people.as('luis', 'approval.approve', { number })
  assert.is(await world.balance({ ownerId: shop.id }), 100_001n)
  assert.is((await people.approval(number)).state, 'carried_out')
  assert.match(
    await people.refused('luis', 'approval.approve', { number }),
    /^conflict: .* carried out already/,
  )
})

play('at the threshold one person is enough, and what is split comes to the same', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await people.as('ana', 'deposit.add', { ...deposit, amount: '600.00' })
  await people.as('ana', 'deposit.add', { ...deposit, reference: 'SPEI 2', amount: '400.00' })
  // Whoever asks next, it is the same merchant; and it is the same person, whichever the operation.
  await people.asks('luis', 'deposit.add', { ...deposit, reference: 'SPEI 3', amount: '0.01' })
  const line = { kind: 'charge', bank: 'main', reference: 'fee', amount: '0.01', reason: 'monthly' }
  await people.asks('ana', 'bank.record', line)
  world.clock.advance(24 * 3_600_000)
  await people.as('luis', 'deposit.add', { ...deposit, reference: 'SPEI 3', amount: '0.01' })
})

test.run()
