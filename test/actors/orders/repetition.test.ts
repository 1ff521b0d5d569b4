import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { MessageGuard } from '../../../actors/orders/answers.ts'
import { recordFact } from '../../../persistence/queries/node.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  answered,
  changedStore,
  ending,
  hourMs,
  inOrderWorld,
  minuteMs,
  readyOrder,
  refOf,
  registryOf,
  type Telling,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

const signed = (digest: string): Telling => ({
  guard: { partyId: tills.A.id, digest, bindsRevision: true },
})

const keyed = (key: string, payloadDigest: string, bindsRevision = true): Telling => ({
  guard: { partyId: tills.A.id, idempotency: { key, payloadDigest }, bindsRevision },
})

play('the very message again gets the stored answer byte for byte while nothing changed', async (world) => {
  const { id } = await readyOrder(world)
  const first = await world.start(id, 'A', signed('start 1'))
  world.clock.advance(minuteMs)
  await world.start(id, 'B')
  const before = await world.row(id)
  const again = await world.start(id, 'A', signed('start 1'))
  assert.equal(again, { outcome: 'repeated', answer: answered(first) })
  assert.equal(await world.row(id), before)
  await assertInvariants(world)
})

play('another message of the same holder is no repetition', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A', signed('start 1'))
  assert.is(ending(await world.start(id, 'A', signed('start 2'))), 'refused locked_by_caller')
})

play('an old cancel does not free a new lock', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A', signed('start 1'))
  await world.giveBack(id, 'A', signed('cancel 1'))
  await world.start(id, 'A', signed('start 2'))
  const before = await world.row(id)
  assert.equal(await world.giveBack(id, 'A', signed('cancel 1')), { outcome: 'stale_repetition' })
  assert.equal(await world.start(id, 'A', signed('start 1')), { outcome: 'stale_repetition' })
  assert.equal(await world.row(id), before)
  await assertInvariants(world)
})

const refusing = (digest: string, guard: Partial<MessageGuard> = {}): Telling => ({
  guard: { partyId: tills.A.id, digest, bindsRevision: true, ...guard },
})

play(
  'a refused message is judged once: the same while nothing changed, nothing at all otherwise',
  async (world) => {
    const { id } = await readyOrder(world)
    await world.start(id, 'B')
    assert.is(ending(await world.start(id, 'A', refusing('start 1'))), 'refused locked_by_other')
    const before = await world.row(id)
    const answer = { status: 400, body: 'locked_by_other PAYMENT_STARTED' }
    assert.equal(await world.start(id, 'A', refusing('start 1')), { outcome: 'repeated', answer })
    assert.equal(await world.row(id), before)
    await world.giveBack(id, 'B')
    assert.equal(await world.start(id, 'A', refusing('start 1')), { outcome: 'stale_repetition' })
    assert.is((await world.row(id)).status, 'READY')
  },
)

play('a captured cancel that was refused does not free the lock of a later start', async (world) => {
  const { id } = await readyOrder(world)
  assert.is(ending(await world.giveBack(id, 'A', refusing('cancel 1'))), 'refused wrong_status')
  await world.start(id, 'A', refusing('start 1'))
  assert.equal(await world.giveBack(id, 'A', refusing('cancel 1')), { outcome: 'stale_repetition' })
  assert.is((await world.row(id)).status, 'PAYMENT_STARTED')
})

play(
  'a confirm that came too early completes nothing later; what is paid is confirmed whatever its bytes',
  async (world) => {
    const { id } = await readyOrder(world)
    const harmless = (digest: string) => refusing(digest, { acceptedAgain: 'harmless', bindsRevision: false })
    assert.is(ending(await world.confirm(id, 'A', harmless('confirm 1'))), 'refused wrong_status')
    await world.start(id, 'A', refusing('start 1'))
    assert.equal(await world.confirm(id, 'A', harmless('confirm 1')), { outcome: 'stale_repetition' })
    assert.is(ending(await world.confirm(id, 'A', harmless('confirm 2'))), 'accepted')
    for (const digest of ['confirm 1', 'confirm 2', 'confirm 3'])
      assert.is(ending(await world.confirm(id, 'A', harmless(digest))), 'already_confirmed')
    assert.equal((await world.rows('repeated_messages')).map((message) => message.digest).sort(), [
      'confirm 1',
      'start 1',
    ])
  },
)

play('what was no judgement is judged when it comes again', async (world) => {
  const { id } = await readyOrder(world)
  await world.store.execute(recordFact, { name: 'drained', value: '{"since":1}' })
  assert.is(ending(await world.start(id, 'A', refusing('start 1'))), 'refused node_drained')
  await world.store.execute(recordFact, { name: 'drained', value: 'null' })
  assert.is(ending(await world.start(id, 'A', refusing('start 1'))), 'accepted')
})

play('of two tills in one second the second is judged for itself, however often', async (world) => {
  const { id } = await readyOrder(world)
  const coarse = (digest: string) => refusing(digest, { acceptedAgain: 'judged' })
  assert.is(ending(await world.start(id, 'A', coarse('start 1'))), 'accepted')
  for (let times = 0; times < 3; times++)
    assert.is(ending(await world.start(id, 'A', coarse('start 1'))), 'refused locked_by_caller')
  assert.is(ending(await world.giveBack(id, 'A', coarse('cancel 1'))), 'accepted')
  assert.is(ending(await world.giveBack(id, 'A', coarse('cancel 1'))), 'refused wrong_status')
  assert.equal(await world.start(id, 'A', coarse('start 1')), { outcome: 'stale_repetition' })
  assert.is((await world.row(id)).status, 'READY')
})

play('in one second two tills with keys of their own are two, and each key is repeated', async (world) => {
  const { id } = await readyOrder(world)
  const till = (key: string) =>
    refusing('start 1', { acceptedAgain: 'judged', idempotency: { key, payloadDigest: 'start' } })
  const first = await world.start(id, 'A', till('key 1'))
  assert.is(ending(first), 'accepted')
  assert.is(ending(await world.start(id, 'A', till('key 2'))), 'refused locked_by_caller')
  assert.equal(await world.start(id, 'A', till('key 1')), { outcome: 'repeated', answer: answered(first) })
})

play('a message that was refused before its order was looked at stays refused', async (world) => {
  const { id } = await readyOrder(world)
  const answer = { status: 415, body: 'no JSON' }
  const guard = { partyId: tills.A.id, digest: 'start 1', bindsRevision: true }
  const once = () => world.orders.refuseOnce({ orderId: null, guard, answer })
  assert.equal(await once(), { outcome: 'refused', answer })
  assert.equal(await once(), { outcome: 'repeated', answer })
  assert.equal(await world.start(id, 'A', refusing('start 1')), { outcome: 'repeated', answer })
  assert.is((await world.row(id)).status, 'READY')
  const fields = { status: 400, body: 'network_id' }
  const ofOrder = { orderId: id, guard: { ...guard, digest: 'start 2' }, answer: fields }
  assert.equal(await world.orders.refuseOnce(ofOrder), { outcome: 'refused', answer: fields })
  await world.start(id, 'B')
  assert.equal(await world.start(id, 'A', refusing('start 2')), { outcome: 'stale_repetition' })
  assert.equal(await world.orders.refuseOnce(ofOrder), { outcome: 'stale_repetition' })
})

play('of 25 copies of a refused message at once one is journalled', async (world) => {
  const { id } = await readyOrder(world)
  const copies = await Promise.all(
    Array.from({ length: 25 }, () => world.giveBack(id, 'A', refusing('cancel 1'))),
  )
  assert.is(copies.filter(({ outcome }) => outcome === 'refused').length, 1)
  assert.is(copies.filter(({ outcome }) => outcome === 'repeated').length, 24)
  assert.is((await world.row(id)).refusals, 1)
})

play('a repetition past the expiry is stale, and the order EXPIRED', async (world) => {
  const { id, expiry_at } = await readyOrder(world)
  await world.start(id, 'A', signed('start 1'))
  await world.giveBack(id, 'A', signed('cancel 1'))
  world.clock.jump(expiry_at - world.clock.now())
  assert.equal(await world.giveBack(id, 'A', signed('cancel 1')), { outcome: 'stale_repetition' })
  assert.is((await world.row(id)).status, 'EXPIRED')
  await assertInvariants(world)
})

play('an idempotency key replays a start while nothing changed, and is stale afterwards', async (world) => {
  const { id } = await readyOrder(world)
  const first = await world.start(id, 'A', keyed('key', 'start'))
  assert.equal(await world.start(id, 'A', keyed('key', 'start')), {
    outcome: 'repeated',
    answer: answered(first),
  })
  await world.giveBack(id, 'A')
  assert.equal(await world.start(id, 'A', keyed('key', 'start')), { outcome: 'stale_repetition' })
  await assertInvariants(world)
})

play('an idempotency key replays a confirmation whatever became of the order', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const first = await world.confirm(id, 'A', keyed('key', 'confirm', false))
  world.clock.advance(23 * hourMs)
  const again = await world.confirm(id, 'A', keyed('key', 'confirm', false))
  assert.equal(again, { outcome: 'repeated', answer: answered(first) })
})

play('an idempotency key with another payload changes nothing, on any order', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A', keyed('key', 'start'))
  assert.equal(await world.giveBack(id, 'A', keyed('key', 'cancel')), { outcome: 'other_payload' })
  const other = await world.order()
  assert.equal(await world.start(other.id, 'A', keyed('key', 'start other')), { outcome: 'other_payload' })
  assert.is((await world.row(id)).status, 'PAYMENT_STARTED')
})

play('a key and a signature are kept together, and each is known alone', async (world) => {
  const { id } = await readyOrder(world)
  const both = {
    guard: {
      partyId: tills.A.id,
      digest: 'start 1',
      idempotency: { key: 'key', payloadDigest: 'start' },
      bindsRevision: true,
    },
  }
  const first = await world.start(id, 'A', both)
  const repeated = { outcome: 'repeated', answer: answered(first) }
  for (const telling of [both, signed('start 1'), keyed('key', 'start')])
    assert.equal(await world.start(id, 'A', telling), repeated)
})

play('a key that outlived its day serves a new message', async (world) => {
  await world.deposit(200_000n)
  const { id } = await world.order({ expiryAt: world.clock.now() + 72 * hourMs })
  await world.start(id, 'A', keyed('key', 'start'))
  world.clock.advance(24 * hourMs)
  assert.is(ending(await world.giveBack(id, 'A', keyed('key', 'cancel'))), 'accepted')
  assert.is((await world.rows('idempotency_keys')).length, 1)
  assert.is(ending(await world.giveBack(id, 'A', keyed('key', 'cancel'))), 'repeated')
})

play('what a message is remembered by is its party’s own', async (world) => {
  const { id } = await readyOrder(world)
  await world.start(id, 'A', signed('digest'))
  const guard = { partyId: tills.B.id, digest: 'digest', bindsRevision: true }
  assert.is(ending(await world.start(id, 'B', { guard })), 'refused locked_by_other')
})

for (const [what, telling] of [
  ['signature', signed('start 1')],
  ['idempotency key', keyed('key', 'start')],
] as const)
  play(
    `a ${what} that another process stores in between is in flight, and nothing changes`,
    async (world) => {
      const { id } = await readyOrder(world)
      await world.start(id, 'A', telling)
      await world.giveBack(id, 'A')
      const before = await world.row(id)
      const blind = changedStore(world.store, {
        step: ({ rows, decide }) =>
          world.store.step({
            rows,
            decide: (found, at) => decide({ ...found, idempotent: null, repeated: null }, at),
          }),
      })
      const told = await registryOf(blind, world.clock).tell({
        order: await refOf(world.store, id),
        actor: tills.A,
        type: 'payment.start',
        providerId: tills.A.id,
        networkId: '000A',
        ...telling,
      })
      assert.equal(told, { outcome: 'in_flight' })
      assert.equal(await world.row(id), before)
    },
  )

play('of 25 copies of one message at once one is accepted, and all are answered alike', async (world) => {
  const { id } = await readyOrder(world)
  const copies = await Promise.all(Array.from({ length: 25 }, () => world.start(id, 'A', signed('start 1'))))
  assert.is(copies.filter(({ outcome }) => outcome === 'accepted').length, 1)
  assert.is(new Set(copies.map((told) => JSON.stringify(answered(told)))).size, 1)
  await assertInvariants(world)
})

test.run()
