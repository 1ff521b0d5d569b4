import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  answered,
  answerOf,
  commit,
  ending,
  hourMs,
  inOrderWorld,
  operator,
  readyOrder,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

play('an accepted message is answered with the order after it', async (world) => {
  const { id } = await readyOrder(world)
  const told = await world.start(id, 'A')
  const order = await world.row(id)
  assert.equal(told, { outcome: 'accepted', order, answer: answerOf(order) })
  assert.equal(
    [order.status, order.modified_at, order.lock_provider_id, order.lock_network_id, order.locked_at],
    ['PAYMENT_STARTED', world.clock.now(), tills.A.id, '000A', world.clock.now()],
  )
  await assertInvariants(world)
})

play('a refused message names its reason, and leaves the order as it was', async (world) => {
  const before = await readyOrder(world)
  assert.is(ending(await world.confirm(before.id, 'A')), 'refused wrong_status')
  const after = await world.row(before.id)
  const { journal_count, journal_head, refusals } = after
  assert.equal(after, { ...before, journal_count, journal_head, refusals })
  assert.equal([journal_count, refusals], [before.journal_count + 1, 1])
  await assertInvariants(world)
})

play('an order that does not exist is unknown', async (world) => {
  assert.equal(await world.start('nobody', 'A'), { outcome: 'unknown_order' })
})

play('every way a lock can be refused is told apart', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  assert.is(ending(await world.start(id, 'A')), 'refused locked_by_caller')
  assert.is(ending(await world.start(id, 'B')), 'refused locked_by_other')
  assert.is(ending(await world.confirm(id, 'B')), 'refused not_holder')
  assert.is(ending(await world.giveBack(id, 'B')), 'refused not_holder')
  assert.is(ending(await world.cancel(id)), 'refused needs_force')
  assert.is(ending(await world.confirm(id, 'A')), 'accepted')
  assert.is(ending(await world.confirm(id, 'B')), 'refused wrong_status')
  assert.is(ending(await world.cancel(id, true)), 'refused wrong_status')
  await assertInvariants(world)
})

play('a veto refuses what the order would accept, and nothing that it refuses itself', async (world) => {
  const { id } = await readyOrder(world)
  const freeze = { frozen_at: world.clock.now(), frozen_reason: 'stolen' }
  await commit(world.store, [{ update: 'parties', key: { id: tills.A.id }, set: freeze }])
  assert.is(ending(await world.start(id, 'A')), 'refused provider_frozen')
  assert.is((await world.row(id)).status, 'READY')
  assert.is(ending(await world.confirm(id, 'A')), 'refused wrong_status')
  const outcomes = (await world.rows('journal')).map(({ outcome }) => outcome)
  assert.equal(outcomes.slice(-2), ['provider_frozen', 'wrong_status'])
  await assertInvariants(world)
})

play('the holder that confirms again gets the same answer, and nothing happens twice', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const first = await world.confirm(id, 'A')
  const before = await world.row(id)
  world.clock.advance(hourMs)
  const again = await world.confirm(id, 'A')
  assert.is(again.outcome, 'already_confirmed')
  assert.equal(answered(again), answered(first))
  assert.equal(await world.row(id), before)
  assert.is((await world.rows('webhooks')).length, 1)
  await assertInvariants(world)
})

play('a change is made only to the revision that its speaker saw', async (world) => {
  const { id, revision } = await readyOrder(world)
  await world.start(id, 'A')
  const told = await world.cancel(id, true, { revision })
  const present = await world.row(id)
  assert.equal(told, { outcome: 'changed_since', order: present })
  assert.is(present.status, 'PAYMENT_STARTED')
  assert.is(ending(await world.cancel(id, true, { revision: present.revision })), 'accepted')
  await assertInvariants(world)
})

play('a refusal changes no revision, so it makes nobody’s view stale', async (world) => {
  const { id, revision } = await readyOrder(world)
  await world.confirm(id, 'B')
  assert.is(ending(await world.cancel(id, false, { revision })), 'accepted')
})

play('an expiry that is due comes first, and so makes a view stale', async (world) => {
  const { id, revision, expiry_at } = await readyOrder(world)
  world.clock.jump(expiry_at - world.clock.now())
  const told = await world.cancel(id, false, { revision })
  assert.is(told.outcome, 'changed_since')
  assert.is((await world.row(id)).status, 'EXPIRED')
  await assertInvariants(world)
})

play('refusals beyond 20 are counted, and not written down', async (world) => {
  const { id } = await readyOrder(world)
  for (let refusal = 1; refusal <= 25; refusal++) {
    assert.is(ending(await world.confirm(id, 'B')), 'refused wrong_status')
    assert.is((await world.row(id)).refusals, refusal)
  }
  const entries = (await world.rows('journal')).filter(({ outcome }) => outcome === 'wrong_status')
  assert.is(entries.length, 20)
  await assertInvariants(world)
  // What is accepted is written down all the same.
  await world.start(id, 'A')
  await assertInvariants(world)
})

play('each entry of the journal says who did what with which key, and how it ended', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'B')
  await world.start(id, 'A')
  await world.cancel(id, true)
  const journal = await world.rows('journal')
  assert.equal(
    journal.map((entry) => [
      entry.actor,
      entry.credential_key,
      entry.from_status,
      entry.to_status,
      entry.outcome,
    ]),
    [
      ['merchant:Shop', 'mk_shop', null, 'CREATED', 'accepted'],
      ['funding', null, 'CREATED', 'READY', 'accepted'],
      ['provider:Network B', 'pk_b', 'READY', 'PAYMENT_STARTED', 'accepted'],
      ['provider:Network A', 'pk_a', 'PAYMENT_STARTED', 'PAYMENT_STARTED', 'locked_by_other'],
      ['operator:ana', null, 'PAYMENT_STARTED', 'CANCELLED', 'accepted'],
    ],
  )
  assert.equal(JSON.parse(journal.at(-1)?.event_json ?? ''), {
    type: 'operator.cancel',
    reason: 'fraud',
    force: true,
  })
})

play('an operator acts for a provider, under its own name', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const told = await world.tell(id, operator, { type: 'payment.confirm', providerId: tills.A.id })
  assert.is(told.outcome, 'accepted')
  const last = (await world.rows('journal')).at(-1)
  assert.equal([last?.actor, last?.credential_key, last?.to_status], ['operator:ana', null, 'COMPLETED'])
  assert.is(await world.balance({ kind: 'provider', ownerId: tills.A.id }), 100_000n)
})

play('of 25 starts each by two providers at once exactly one is accepted', async (world) => {
  const { id } = await readyOrder(world)
  const calls = Array.from({ length: 25 }, (_, index) => [
    world.start(id, 'A', {
      guard: { partyId: tills.A.id, digest: `A ${index}`, bindsRevision: true },
    }),
    world.start(id, 'B', { guard: { partyId: tills.B.id, digest: `B ${index}`, bindsRevision: true } }),
  ])
  const endings = (await Promise.all(calls.flat())).map(ending)
  const times = (text: string) => endings.filter((one) => one === text).length
  assert.equal(
    [times('accepted'), times('refused locked_by_caller'), times('refused locked_by_other')],
    [1, 24, 25],
  )
  assert.is((await world.row(id)).refusals, 49)
  await assertInvariants(world)
})

play('an order whose chart is not known is told nothing', async (world) => {
  const { id } = await readyOrder(world)
  await world.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ update: 'orders', key: { id }, set: { machine: 'payAway' } }],
    }),
  })
  let error: unknown
  await world.start(id, 'A').catch((thrown: unknown) => {
    error = thrown
  })
  assert.match(String(error), /unknown chart: payAway/)
})

test.run()
