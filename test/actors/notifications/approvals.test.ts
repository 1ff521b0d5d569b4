/** What waits for a second person is told once, counted while more comes, and over when nothing waits. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Notice } from '../../../actors/notifications/events.ts'
import { tell, withRule } from '../../support/notifications.ts'
import { hourMs, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { twoPeople } from '../approvals/two-people.ts'

const play = inOrderWorld(test)
const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1000.01', currency: 'MXN', reason: 'seen' }

async function toldOf(world: OrderWorld) {
  const bodies = (await world.rows('notifications')).map(({ body_json }): Notice => JSON.parse(body_json))
  return bodies.flatMap(({ told }) =>
    told.map(({ event, phase, facts, count }) => [event, phase, facts, count]),
  )
}

async function later(world: OrderWorld): Promise<void> {
  world.clock.advance(1000)
  await tell(world)
}

play('approval.asked is told when it begins, and when nothing waits any more', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await withRule(world, 'approval.asked')
  const first = await people.asks('ana', 'deposit.add', deposit)
  await later(world)
  const facts = { approval: first, operation: 'deposit.add', moves: ['1000.01 MXN'], askedBy: 'ana' }
  assert.equal(await toldOf(world), [['approval.asked', 'on', facts, 1]])
  const second = await people.asks(null, 'deposit.add', { ...deposit, reference: 'SPEI 2' })
  await later(world)
  await people.as('luis', 'approval.approve', { number: first })
  await later(world)
  assert.is((await toldOf(world)).length, 1, 'what repeats is counted')
  await people.as('luis', 'approval.refuse', { number: second, reason: 'another invoice' })
  await later(world)
  const over = { ...facts, approval: second, askedBy: null }
  assert.equal((await toldOf(world)).at(-1), ['approval.asked', 'over', over, 1])
  world.clock.advance(2 * hourMs)
  await people.asks('ana', 'deposit.add', { ...deposit, reference: 'SPEI 3' })
  await later(world)
  assert.equal(
    (await toldOf(world)).map(([, phase]) => phase),
    ['on', 'over', 'on'],
  )
})

test.run()
