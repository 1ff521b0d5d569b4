/** Whom somebody has let in counts as the same person: nobody approves under another name what they have asked for. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acceptInvitation } from '../../../actors/people/invitations.ts'
import { dispatchOver } from '../../support/operations.ts'
import { hourMs, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'
import { addPeople, peopleOver, twoPeople } from './two-people.ts'

const play = inOrderWorld(test)
const deposit = { merchant: 'Shop', reference: 'SPEI 1', amount: '1000.01', currency: 'MXN', reason: 'seen' }
const password = 'a long and quiet night'
const threshold = { currency: 'MXN', amount: '1000.00', reason: 'agreed' }

/** Ana alone, and thresholds. */
async function alone(world: OrderWorld, isDirect = false) {
  await settle(world)
  await addPeople(world.store, ['ana'])
  const people = peopleOver(world.store, world.clock, dispatchOver({ ...world, isDirect }))
  await people.as('ana', 'approval.setThreshold', threshold)
  return people
}

const letIn = async (world: OrderWorld) =>
  Object.fromEntries((await world.rows('people')).map(({ name, let_in_by }) => [name, let_in_by]))

/** What is done with the link of an invitation. */
async function join(world: OrderWorld, link: string): Promise<void> {
  const token = new URL(link).searchParams.get('invitation') ?? ''
  const joined = { token, password, address: '127.0.0.1' }
  assert.type(await acceptInvitation({ store: world.store, clock: world.clock }, joined), 'string')
}

play('whoever was alone counts with everybody they have let in, in both directions', async (world) => {
  const people = await alone(world)
  await people.as('ana', 'operator.add', { name: 'puppet', role: 'administrator', password })
  const { link } = (await people.as('ana', 'operator.invite', { name: 'other', role: 'administrator' })) as {
    link: string
  }
  await join(world, link)
  assert.equal(await letIn(world), { ana: null, puppet: 'person:ana', other: 'person:ana' })
  const asks: [asker: string, approver: string, reference: string][] = [
    ['ana', 'puppet', 'SPEI 1'],
    ['puppet', 'ana', 'SPEI 2'],
    ['puppet', 'other', 'SPEI 3'],
  ]
  for (const [asker, approver, reference] of asks) {
    const number = await people.asks(asker, 'deposit.add', { ...deposit, reference })
    assert.match(await people.refused(approver, 'approval.approve', { number }), /^forbidden: .*one person/)
    assert.is((await people.approval(number)).state, 'asked', 'whoever may approve it still can')
  }
})

play('what one person moves under several names is one sum', async (world) => {
  const people = await alone(world)
  await people.as('ana', 'operator.add', { name: 'puppet', role: 'administrator', password })
  const line = (reference: string) => ({
    kind: 'charge',
    bank: 'main',
    reference,
    amount: '600.00',
    reason: 'fee',
  })
  await people.as('ana', 'bank.record', line('fee 1'))
  await people.asks('puppet', 'bank.record', line('fee 2'))
})

play('whoever had a password or an invitation in hand counts as whoever they gave it to', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await addPeople(world.store, ['eva', 'olga'])
  const approve = async (number: number) => people.as('luis', 'approval.approve', { number })
  const reset = { name: 'eva', password }
  await approve(await people.asks('ana', 'operator.reset', reset))
  await people.as('ana', 'operator.reset', reset)
  const resetFactors = { name: 'olga' }
  await approve(await people.asks(null, 'operator.resetFactors', resetFactors))
  const invitation = { name: 'nina', role: 'administrator' }
  await approve(await people.asks('ana', 'operator.invite', invitation))
  const { link } = (await people.as('ana', 'operator.invite', invitation)) as { link: string }
  await join(world, link)
  const { eva, olga, nina, luis } = await letIn(world)
  assert.equal([eva, olga, nina, luis], ['person:ana', 'token', 'person:ana', null])
  const number = await people.asks('ana', 'deposit.add', deposit)
  for (const name of ['eva', 'nina'])
    assert.match(await people.refused(name, 'approval.approve', { number }), /^forbidden: .*one person/)
  await people.as('olga', 'approval.approve', { number })
  const ofToken = await people.asks(null, 'deposit.add', { ...deposit, reference: 'SPEI 2' })
  assert.match(await people.refused('olga', 'approval.approve', { number: ofToken }), /one person/)
  await people.as('nina', 'approval.approve', { number: ofToken })
})

play('a role that two have agreed to lets in nobody else', async (world) => {
  await settle(world)
  const people = await twoPeople(world)
  await addPeople(world.store, ['eva'], 'operator')
  const change = await people.asks('ana', 'operator.change', { name: 'eva', role: 'administrator' })
  await people.as('luis', 'approval.approve', { number: change })
  assert.is((await letIn(world)).eva, null)
  const number = await people.asks('ana', 'deposit.add', deposit)
  await people.as('eva', 'approval.approve', { number })
})

play('where thresholds are not set yet everybody is let in as themselves', async (world) => {
  await settle(world)
  await addPeople(world.store, ['ana'])
  const people = peopleOver(world.store, world.clock, dispatchOver(world))
  await people.as('ana', 'operator.add', { name: 'luis', role: 'administrator', password })
  await people.as('ana', 'approval.setThreshold', threshold)
  const number = await people.asks('ana', 'deposit.add', deposit)
  await people.as('luis', 'approval.approve', { number })
})

play('who is alone gets a second one from whoever has the machine', async (world) => {
  const people = await alone(world, true)
  await people.as(null, 'operator.add', { name: 'luis', role: 'administrator', password })
  assert.is((await letIn(world)).luis, 'token')
  await people.as('luis', 'approval.approve', { number: await people.asks('ana', 'deposit.add', deposit) })
  const ofMachine = await people.asks(null, 'deposit.add', { ...deposit, reference: 'SPEI 2' })
  assert.match(await people.refused('luis', 'approval.approve', { number: ofMachine }), /one person/)
})

play('where nobody can sign in the machine asks, waits a day, and resets a password alone', async (world) => {
  await settle(world)
  const people = await twoPeople(world, '1000.00', true)
  const reset = { name: 'ana', password }
  const number = await people.asks(null, 'operator.reset', reset)
  world.clock.advance(24 * hourMs - 1)
  assert.is(await people.asks(null, 'operator.reset', reset), number)
  world.clock.advance(1)
  await people.as(null, 'operator.reset', reset)
  assert.is((await people.approval(number)).state, 'withdrawn')
  assert.equal((await letIn(world)).ana, 'token')
  // Of money nothing is done by waiting.
  const money = await people.asks(null, 'deposit.add', deposit)
  world.clock.advance(25 * hourMs)
  assert.is(await people.asks(null, 'deposit.add', deposit), money)
  assert.match(await people.refused('ana', 'approval.approve', { number: money }), /one person/)
  await people.as('luis', 'approval.approve', { number: money })
})

play(
  'what somebody has refused is not done by waiting, nor with the token of a running node',
  async (world) => {
    await settle(world)
    const direct = await twoPeople(world, '1000.00', true)
    const reset = { name: 'ana', password }
    const first = await direct.asks(null, 'operator.reset', reset)
    await direct.as('luis', 'approval.refuse', { number: first, reason: 'nobody has asked me' })
    world.clock.advance(25 * hourMs)
    const second = await direct.asks(null, 'operator.reset', reset)
    assert.is.not(second, first)
    world.clock.advance(25 * hourMs)
    const running = peopleOver(world.store, world.clock, dispatchOver(world))
    assert.is(await running.asks(null, 'operator.reset', reset), second)
    assert.is((await direct.approval(second)).state, 'asked')
  },
)

test.run()
