/** One signed message at two nodes at once, and nodes that die around the step that judges it: it is judged once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Told } from '../../../actors/orders/telling.ts'
import { openStore } from '../../../persistence/index.ts'
import type { Store } from '../../../persistence/store.ts'
import { isOnPostgres } from '../../support/database.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  answered,
  changedStore,
  ending,
  inOrderWorld,
  type OrderWorld,
  readyOrder,
  refOf,
  registryOf,
  type Telling,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

type Said = 'payment.start' | 'payment.confirm' | 'payment.cancel'

const signed = (digest: string): Telling => ({
  guard: { partyId: tills.A.id, digest, bindsRevision: true },
})

/** Tells an order through a store, as a node of its own. */
async function tellBy(
  world: OrderWorld,
  store: Store,
  id: string,
  type: Said,
  digest: string,
): Promise<Told> {
  return await registryOf(store, world.clock).tell({
    order: await refOf(store, id),
    actor: tills.A,
    type,
    providerId: tills.A.id,
    networkId: '0001',
    ...signed(digest),
  })
}

play('of 100 messages that two nodes get at once each is judged once', async (world) => {
  // SQLite has one node: there its two steps meet in one batch.
  const other = isOnPostgres ? await openStore(world.url, { clock: world.clock }) : world.store
  const race = async (id: string, type: Said) => {
    const both = [world.store, other].map((store) => tellBy(world, store, id, type, `${type} ${id}`))
    const told = await Promise.all(both)
    const accepted = told.filter(({ outcome }) => outcome === 'accepted')
    assert.is(accepted.length, 1, `${type}: ${told.map(ending).join(' and ')}`)
    const [first] = accepted
    const [second] = told.filter((one) => one !== first)
    if (first === undefined || second === undefined) throw new Error('two were told')
    if (second.outcome === 'stale_repetition' || second.outcome === 'in_flight') return
    assert.ok(['repeated', 'already_confirmed'].includes(second.outcome), second.outcome)
    assert.equal(answered(second), answered(first))
  }
  try {
    for (let count = 0; count < 50; count += 1) {
      const { id } = await readyOrder(world)
      await race(id, 'payment.start')
      await race(id, count % 2 === 0 ? 'payment.confirm' : 'payment.cancel')
    }
    const journal = await world.rows('journal')
    const accepted = journal.filter(
      ({ event_json, outcome }) =>
        JSON.parse(event_json).type.startsWith('payment.') && outcome === 'accepted',
    )
    assert.is(accepted.length, 100)
    assert.is((await world.rows('repeated_messages')).length, 100)
    await assertInvariants(world)
  } finally {
    if (other !== world.store) await other.close()
  }
})

/** Dies when it has judged a message: before the commit, or before anybody is told. */
function dying({ store }: OrderWorld, when: 'before the commit' | 'after the commit'): Store {
  return changedStore(store, {
    async step(step) {
      if (when === 'after the commit') await store.step(step)
      else
        await store.step({
          ...step,
          decide(rows, at) {
            step.decide(rows, at)
            throw new Error('killed')
          },
        })
      throw new Error('killed')
    },
  })
}

async function killed(told: Promise<Told>): Promise<void> {
  await told.then(
    () => assert.unreachable('it was answered'),
    (error: Error) => assert.is(error.message, 'killed'),
  )
}

play('a node that dies before it has committed its judgement has judged nothing', async (world) => {
  const { id } = await readyOrder(world)
  const before = await world.row(id)
  const store = dying(world, 'before the commit')
  for (const type of ['payment.start', 'payment.confirm'] as const) {
    await killed(tellBy(world, store, id, type, type))
    assert.equal([await world.row(id), await world.rows('repeated_messages')], [before, []])
  }
  assert.is(ending(await tellBy(world, world.store, id, 'payment.start', 'payment.start')), 'accepted')
  await assertInvariants(world)
})

play('a node that dies after it has committed its judgement is not asked for another', async (world) => {
  const { id } = await readyOrder(world)
  const store = dying(world, 'after the commit')
  // Refused, since nobody has started it; sent again after the start it must not pay.
  await killed(tellBy(world, store, id, 'payment.confirm', 'an early one'))
  assert.is((await world.rows('repeated_messages')).length, 1)
  await killed(tellBy(world, store, id, 'payment.start', 'a start'))
  assert.is((await tellBy(world, world.store, id, 'payment.start', 'a start')).outcome, 'repeated')
  assert.is(
    (await tellBy(world, world.store, id, 'payment.confirm', 'an early one')).outcome,
    'stale_repetition',
  )
  assert.is((await world.row(id)).status, 'PAYMENT_STARTED')
  await assertInvariants(world)
})

test.run()
