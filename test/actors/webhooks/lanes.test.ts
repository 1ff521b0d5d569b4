/** How deliveries share the node: lanes that hang, backlogs, pauses, keys that are missing, clocks that jump. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { governorLimits } from '../../../actors/webhooks/governor.ts'
import type { Row } from '../../../persistence/store.ts'
import { orderWithWebhooks, webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const secondMs = 1000
const minuteMs = 60_000
const dayMs = 86_400_000

const inWebhookOrder = (a: Row<'webhooks'>, b: Row<'webhooks'>) => a.due_at - b.due_at

inWorld(
  'in a lane that hangs due times move to the probes, and come back with the receiver',
  async (world) => {
    const { clock, sender, start } = world
    const startedAt = clock.now()
    for (let count = 0; count < 12; count++) await world.order('f')
    let isBack = false
    sender.receive = () => {
      if (isBack) return { outcome: 'acknowledged', status: 200 }
      // What takes 15 s takes them from all that wait behind it.
      clock.advance(15 * secondMs)
      return { outcome: 'timeout', milliseconds: 15_000 }
    }
    const { runUntil } = start()
    await runUntil(startedAt + 5 * minuteMs)
    const waiting = (await world.rows('webhooks')).toSorted(inWebhookOrder)
    const now = clock.now()
    assert.ok(waiting.every(({ state, due_at }) => state === 'pending' && due_at >= now - 15 * secondMs))
    for (const [index, { due_at }] of waiting.entries()) {
      const before = waiting[index - 1]
      if (before) assert.ok(due_at - before.due_at >= 15 * secondMs, `${due_at - before.due_at} ms apart`)
    }
    const attempts = await world.rows('webhook_attempts')
    assert.is(attempts.length, sender.sent.length, 'no attempt is counted that was not sent')

    isBack = true
    await runUntil(clock.now() + 30 * secondMs)
    assert.ok((await world.rows('webhooks')).every(({ state }) => state === 'delivered'))
  },
)

inWorld('a lane that hangs with 5,000 due webhooks holds up nobody else', async (world) => {
  const { clock, sender, start } = world
  const slow = { url: 'https://slow.example/' }
  const stuck = Array.from({ length: 5000 }, (_, index) =>
    orderWithWebhooks(`stuck-${index}`, 'shop', 'f', clock.now(), slow),
  )
  // No step of a node writes ten thousand rows, and on PostgreSQL each answer has to come within 15 s.
  for (let from = 0; from < stuck.length; from += 500)
    await world.commit(stuck.slice(from, from + 500).flat())
  sender.receive = ({ url }) => (url.includes('slow') ? undefined : { outcome: 'acknowledged', status: 200 })
  const { run, delivery } = start()
  await run()
  assert.is(sender.waiting, 1)
  const others = []
  for (let count = 0; count < 20; count++)
    others.push(...(await world.order('f', { merchant_id: 'other', url: 'https://other.example/' })))
  for (let count = 0; count < 20; count++) {
    await run()
    clock.advance(10)
  }
  const states = await Promise.all(others.map(async (id) => (await world.webhook(id)).state))
  assert.ok(states.every((state) => state === 'delivered'))
  await delivery.finish()
})

inWorld('a healthy receiver gets several at once, and never more than its share', async (world) => {
  const { sender, start } = world
  const { run, delivery } = start()
  await world.order('f')
  await run()
  sender.receive = () => undefined
  for (let count = 0; count < 30; count++) await world.order('f')
  await run()
  assert.is(sender.waiting, governorLimits.perLane)
  sender.answer({ outcome: 'acknowledged', status: 200 })
  await run()
  assert.is(sender.waiting, governorLimits.perLane)
  await delivery.finish()
})

inWorld('a restart with many due webhooks releases them bit by bit', async (world) => {
  const { clock, sender, start } = world
  for (let count = 0; count < 300; count++) await world.order('f')
  clock.advance(minuteMs)
  const startedAt = clock.now()
  await start().runUntil(startedAt + 10 * secondMs)
  const inFirst = (ms: number) => sender.sent.filter(({ at }) => at - startedAt < ms).length
  assert.ok(inFirst(secondMs) <= 110, `${inFirst(secondMs)} in the first second`)
  assert.is(inFirst(10 * secondMs), 300)
})

inWorld(
  'without a live credential webhooks wait, an exception says so once, and nothing counts',
  async (world) => {
    const { clock, sender, start } = world
    const [id = ''] = await world.order('nf')
    let credential: { key: string; secret: string } | null = null
    const { runUntil, delivery } = start({ credentials: { webhookCredential: async () => credential } })
    await runUntil(clock.now() + 10 * minuteMs)
    assert.is(sender.sent.length, 0)
    const webhook = await world.webhook(id)
    assert.equal([webhook.state, webhook.attempts, webhook.lease_until_at], ['pending', 0, null])
    assert.equal(await world.attempts(id), [])
    const [exception, ...more] = await world.rows('exceptions')
    assert.equal([exception?.kind, exception?.order_id, more.length], ['webhook_unsigned', 'o1', 0])
    assert.match(exception?.reason ?? '', /Shop \(ops@shop.example\) has no live credential/)

    credential = { key: 'mk_new', secret: 'a secret that is long enough for it' }
    delivery.lookAgain()
    await runUntil(clock.now() + 2 * minuteMs)
    assert.equal(
      sender.sent.map(({ message }) => message.headers['Merchant-Key']),
      ['mk_new', 'mk_new'],
    )
    assert.is((await world.webhook(id)).state, 'delivered')
  },
)

inWorld('a credential that cannot be read costs no attempt either', async (world) => {
  const { clock, sender, start } = world
  const [id = ''] = await world.order('f')
  let failures = 2
  const webhookCredential = async () => {
    if (failures-- > 0) throw new Error('the secret cannot be opened')
    return { key: 'mk_shop', secret: 'a secret that is long enough for it' }
  }
  await start({ credentials: { webhookCredential } }).runUntil(clock.now() + 10 * minuteMs)
  assert.equal(
    sender.sent.map(({ message }) => message.headers['Webhook-Attempt']),
    ['1'],
  )
  assert.is((await world.webhook(id)).state, 'delivered')
})

inWorld('the key that signs is read for each attempt', async (world) => {
  const { clock, sender, start } = world
  await world.order('f')
  let key = 'mk_old'
  sender.receive = () => {
    const isOld = key === 'mk_old'
    key = 'mk_new'
    return isOld ? { outcome: 'unavailable', status: 503 } : { outcome: 'acknowledged', status: 200 }
  }
  const webhookCredential = async () => ({ key, secret: `the secret of ${key}, long enough` })
  await start({ credentials: { webhookCredential } }).runUntil(clock.now() + minuteMs)
  assert.equal(
    sender.sent.map(({ message }) => message.headers['Merchant-Key']),
    ['mk_old', 'mk_new'],
  )
  const dates = sender.sent.map(({ message }) => message.headers['Message-Date'])
  assert.equal(dates, ['1772366400.000', '1772366401.000'])
})

inWorld('what a clock that was ahead has put off for long goes at once', async (world) => {
  const { clock, sender, start } = world
  clock.jump(5 * dayMs)
  const [failed = ''] = await world.order('f')
  sender.receive = () => ({ outcome: 'unavailable', status: 503 })
  const ahead = start()
  await ahead.run()
  await ahead.delivery.finish()
  clock.jump(-5 * dayMs)
  // A node that was started after the clock was put right; its store follows the clock.
  world.store.followClock()
  sender.receive = () => ({ outcome: 'acknowledged', status: 200 })
  await start().runUntil(clock.now() + minuteMs)
  assert.is((await world.webhook(failed)).state, 'delivered')
})

inWorld('a running delivery goes on when the clock is set back under it', async (world) => {
  const { clock, sender, start } = world
  const { run, runUntil } = start()
  await world.order('f')
  await run()
  const before = clock.now()
  clock.jump(-2 * dayMs)
  // The time of steps stands still now.
  const [retried = ''] = await world.order('f', { created_at: before, due_at: before })
  const failures = sender.sent.length + 2
  sender.receive = () =>
    sender.sent.length <= failures
      ? { outcome: 'unavailable', status: 503 }
      : { outcome: 'acknowledged', status: 200 }
  await run()
  for (let second = 0; second < 5; second++) {
    clock.advance(secondMs)
    await run()
  }
  assert.equal(
    [(await world.webhook(retried)).state, (await world.webhook(retried)).attempts],
    ['delivered', 3],
  )
  world.store.followClock()
  const [after = ''] = await world.order('f')
  await runUntil(clock.now() + minuteMs)
  assert.is((await world.webhook(after)).state, 'delivered')
})

inWorld(
  'a pause that nobody told of holds back what is due, and a resume is found within a minute',
  async (world) => {
    const { clock, sender, start } = world
    const { run, runUntil } = start()
    const pausedAt = async (at: number | null) =>
      world.commit([{ update: 'parties', key: { id: 'shop' }, set: { webhooks_paused_at: at } }])
    await pausedAt(clock.now())
    const ids = await world.order('nf')
    const [others = ''] = await world.order('f', { merchant_id: 'other', url: 'https://other.example/' })
    await runUntil(clock.now() + 10 * minuteMs)
    assert.equal(
      (await world.rows('webhooks')).filter(({ attempts }) => attempts > 0).map(({ id }) => id),
      [others],
    )

    await pausedAt(null)
    await runUntil(clock.now() + minuteMs)
    assert.is(sender.sent.length, 3)
    await run()
    for (const id of ids) assert.is((await world.webhook(id)).state, 'delivered')
  },
)

test.run()
