import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { forgetAnswers } from '../../../actors/orders/answer-retention.ts'
import type { Instant } from '../../../machines/time.ts'
import type { Write } from '../../../persistence/store.ts'
import { newQuote } from '../../persistence/rows.ts'
import {
  commit,
  hourMs,
  inOrderWorld,
  type OrderWorld,
  readyOrder,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const dayMs = 24 * hourMs

const forget = (world: OrderWorld, isTrusted = true) =>
  forgetAnswers(world.store, { clock: world.clock, isTrusted: () => isTrusted, toleranceMs: dayMs })

/** A stored answer of each kind, accepted at a time. */
function answers(orderId: string, name: string, at: Instant): Write[] {
  const shared = { party_id: tills.A.id, order_id: orderId, revision: 2, answer_json: '{}' }
  return [
    { insert: 'repeated_messages', values: { ...shared, digest: name, accepted_at: at } },
    { insert: 'idempotency_keys', values: { ...shared, key: name, payload_digest: '', created_at: at } },
  ]
}

async function kept(world: OrderWorld): Promise<string[][]> {
  const [messages, keys] = [await world.rows('repeated_messages'), await world.rows('idempotency_keys')]
  return [messages.map(({ digest }) => digest).sort(), keys.map(({ key }) => key).sort()]
}

play('answers that are older than three days are forgotten, younger ones are not', async (world) => {
  const { id } = await readyOrder(world)
  const now = world.clock.now()
  await commit(world.store, [
    ...answers(id, 'old', now - 3 * dayMs - 1),
    ...answers(id, 'young', now - 3 * dayMs),
  ])
  assert.equal(await forget(world), { more: false })
  assert.equal(await kept(world), [['young'], ['young']])
})

play('there is more to do while a pass has found as many as it may', async (world) => {
  const { id } = await readyOrder(world)
  const old = world.clock.now() - 4 * dayMs
  const writes = Array.from({ length: 150 }, (_, index) =>
    answers(id, String(index).padStart(3, '0'), old + index),
  )
  await commit(world.store, writes.flat())
  assert.equal(await forget(world), { more: true })
  const [messages] = await kept(world)
  assert.equal([messages?.length, messages?.[0]], [50, '100'])
  assert.equal(await forget(world), { more: false })
  assert.equal(await kept(world), [[], []])
})

play('a quote that was never used is forgotten a day after its expiry', async (world) => {
  const now = world.clock.now()
  await commit(world.store, [
    newQuote('old', now - dayMs - 1, { merchant_id: 'shop' }),
    newQuote('young', now - dayMs, { merchant_id: 'shop' }),
  ])
  assert.equal(await forget(world), { more: false })
  assert.equal(
    (await world.rows('quotes')).map(({ id }) => id),
    ['young'],
  )
})

play('while the clock is in doubt nothing is old', async (world) => {
  const { id } = await readyOrder(world)
  await commit(world.store, answers(id, 'old', world.clock.now() - 4 * dayMs))
  assert.equal(await forget(world, false), { more: false })
  assert.equal(await kept(world), [['old'], ['old']])
})

test.run()
