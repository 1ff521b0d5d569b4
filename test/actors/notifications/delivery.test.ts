/** Protocol 17.4: what is in the outbox arrives, whatever becomes of servers and nodes in between. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { createNotificationDelivery } from '../../../actors/notifications/delivery.ts'
import { notificationRetry, notificationTest } from '../../../actors/notifications/operations.ts'
import { notificationChannelSet } from '../../../actors/notifications/rule-operations.ts'
import { createHooking, type SendNotice } from '../../../actors/notifications/sending.ts'
import { createWebhookSender } from '../../../actors/webhooks/sender.ts'
import type { ChannelKind } from '../../../persistence/schema-notifications.ts'
import { answering, senderTo, startMailServer } from '../../support/mail-server.ts'
import { mailChannel, mailingOf, tell, withRule } from '../../support/notifications.ts'
import { anyTarget, operatorOf } from '../../support/operations.ts'
import { hourMs, inOrderWorld, minuteMs, type OrderWorld, readyOrder } from '../../support/order-world.ts'
import { startReceiver } from '../../support/webhook-receivers.ts'

const play = inOrderWorld(test)
const log = pino({ level: 'silent' })

function deliveryOf(world: OrderWorld, send: SendNotice, kind: ChannelKind = 'email') {
  const { store, clock } = world
  const delivery = createNotificationDelivery({
    ...{ store, clock, kind, send, timeoutMs: 3000, isTrusted: () => true, log, random: () => 0 },
  })
  /** @returns whether something was sent. */
  return async () => {
    const { seen } = await delivery.pass()
    await delivery.ended()
    return (seen?.underWay ?? 0) > 0
  }
}

const mailing = (world: OrderWorld, port: number, changes: Parameters<typeof senderTo>[1] = {}) =>
  mailingOf(world, senderTo(port, changes))

async function statesOf(world: OrderWorld) {
  return (await world.rows('notifications')).map(({ state, attempts, last_answer }) => [
    state,
    attempts,
    last_answer,
  ])
}

async function sendTest(world: OrderWorld): Promise<string> {
  const ana = operatorOf(world)
  await ana.ask(notificationChannelSet, mailChannel)
  const { notifications } = await ana.ask(notificationTest, { channel: 'operations' })
  return notifications[0]?.id ?? ''
}

play(
  '4xx is tried again after the gaps of webhooks until it is taken, under one Message-ID',
  async (world) => {
    const server = await startMailServer({}, (count) => (count < 3 ? answering(451, 'later') : null))
    const pass = deliveryOf(world, mailing(world, server.port))
    const id = await sendTest(world)
    for (const gapMs of [0, 999, 1, 1999, 1]) {
      world.clock.advance(gapMs)
      await pass()
    }
    await server.close()
    assert.is(server.heard.length, 3)
    const ids = await Promise.all([0, 1, 2].map(async (index) => (await server.read(index)).messageId))
    assert.equal(
      ids,
      Array.from({ length: 3 }, () => `<${id}@pay.example>`),
    )
    assert.equal(await statesOf(world), [['delivered', 3, '250']])
  },
)

play('5xx is a dead letter, which a retry sends again', async (world) => {
  const server = await startMailServer({}, (count) => (count < 2 ? answering(552, 'too big') : null))
  const pass = deliveryOf(world, mailing(world, server.port))
  const id = await sendTest(world)
  await pass()
  world.clock.advance(24 * hourMs)
  await pass()
  assert.equal(await statesOf(world), [['dead', 1, '552']])
  await operatorOf(world).ask(notificationRetry, { id })
  await pass()
  await server.close()
  assert.equal(await statesOf(world), [['delivered', 2, '250']])
})

play('without a server what is to be mailed waits, and is sent once there is one', async (world) => {
  await sendTest(world)
  await deliveryOf(world, mailingOf(world, null))()
  assert.equal(await statesOf(world), [['pending', 1, 'no server']])
  const server = await startMailServer()
  world.clock.advance(minuteMs)
  await deliveryOf(world, mailing(world, server.port))()
  await server.close()
  assert.equal(await statesOf(world), [['delivered', 2, '250']])
})

play('a node that dies between sending and settling sends once more, under the same id', async (world) => {
  const server = await startMailServer()
  const id = await sendTest(world)
  const send = mailing(world, server.port)
  const dying = deliveryOf(world, async (notification) => {
    await send(notification)
    throw new Error('killed')
  })
  await dying()
  const next = deliveryOf(world, send)
  await next()
  assert.is(server.heard.length, 1, 'the lease holds')
  world.clock.advance(minuteMs)
  await next()
  world.clock.advance(hourMs)
  await next()
  await server.close()
  assert.equal(await statesOf(world), [['delivered', 2, '250']])
  for (const index of [0, 1]) assert.is((await server.read(index)).messageId, `<${id}@pay.example>`)
  assert.is(server.heard.length, 2)
})

play('an attempt whose lease has ended settles nothing that another has taken over', async (world) => {
  await sendTest(world)
  const both = Promise.withResolvers<void>()
  const answer = { outcome: 'refused', answer: '552', error: null, retryAfter: null } as const
  const late = deliveryOf(world, async () => {
    await both.promise
    return answer
  })()
  while ((await statesOf(world))[0]?.[1] !== 1) await new Promise((resolve) => setTimeout(resolve, 5))
  world.clock.advance(minuteMs)
  await deliveryOf(world, async () => ({ ...answer, outcome: 'acknowledged', answer: '250' }))()
  both.resolve()
  await late
  assert.equal(await statesOf(world), [['delivered', 2, '250']])
})

play(
  'a server that is down for an hour under load loses nothing and costs no order anything',
  async (world) => {
    await withRule(world, 'exception.opened', { how: 'now' })
    const ana = operatorOf(world)
    for (const name of ['second', 'third']) {
      await ana.ask(notificationChannelSet, { ...mailChannel, name, to: `${name}@shop.example` })
    }
    const server = await startMailServer()
    await server.close()
    const down = deliveryOf(world, mailing(world, server.port))
    const started: string[] = []
    for (let minute = 0; minute < 60; minute++) {
      const { id } = await readyOrder(world)
      assert.is((await world.start(id, 'A')).outcome, 'accepted')
      assert.is((await world.confirm(id, 'A')).outcome, 'accepted')
      started.push(id)
      // Another kind each few minutes, so that each is told.
      if (minute % 10 === 0) {
        const { id: held } = await readyOrder(world)
        await world.start(held, 'B')
        await world.cancel(held, true)
      }
      await ana.ask(notificationTest, { channel: minute % 2 === 0 ? 'second' : 'third' })
      await tell(world)
      await down()
    }
    for (const id of started) assert.is((await world.row(id)).status, 'COMPLETED')
    const waiting = await world.rows('notifications')
    assert.ok(waiting.length > 60 && waiting.every(({ state }) => state === 'pending'))
    const again = await startMailServer()
    const up = deliveryOf(world, mailing(world, again.port))
    for (let pass = 0; pass < 30; pass++) {
      world.clock.advance(minuteMs)
      while (await up());
    }
    await again.close()
    assert.ok((await world.rows('notifications')).every(({ state }) => state === 'delivered'))
    const ids = new Set(again.heard.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1]))
    assert.equal([ids.size, again.heard.length], [waiting.length, waiting.length], 'each once')
  },
)

play('a webhook is signed as a merchant’s, with the key and the secret of its channel', async (world) => {
  const receiver = await startReceiver((response) => response.writeHead(200).end())
  const ana = operatorOf(world)
  const url = `http://127.0.0.1:${receiver.port}/hook?x=1`
  const { secret, key } = await ana.ask(notificationChannelSet, { name: 'pager', kind: 'webhook', url })
  const again = await ana.ask(notificationChannelSet, { name: 'pager', kind: 'webhook', url, language: 'pt' })
  assert.is(again.secret, null, 'a secret is shown once')
  const { notifications } = await ana.ask(notificationTest, { channel: 'pager' })
  const sender = createWebhookSender({ resolve: async () => ['127.0.0.1'] })
  const { store, clock } = world
  const hooking = createHooking({ store, clock, vault: ana.vault, sender, rules: anyTarget })
  await deliveryOf(world, hooking, 'webhook')()
  const forbidden = { ...anyTarget, allowPrivate: false }
  await ana.ask(notificationTest, { channel: 'pager' })
  await deliveryOf(
    world,
    createHooking({ store, clock, vault: ana.vault, sender, rules: forbidden }),
    'webhook',
  )()
  sender.close()
  await receiver.close()
  assert.equal((await statesOf(world)).toSorted(), [
    ['dead', 1, 'forbidden'],
    ['delivered', 1, '200'],
  ])
  const [received] = receiver.received
  const { 'merchant-key': named, 'message-date': messageDate, 'message-hash': hash } = received?.headers ?? {}
  assert.equal([named, received?.headers['webhook-id']], [key, notifications[0]?.id])
  const message = { key: key ?? '', messageDate: `${messageDate}`, method: 'POST', path: '/hook' }
  assert.is(hash, sign({ ...message, body: received?.body ?? '' }, secret ?? ''))
  const { purpose, mode, channel, told } = JSON.parse(received?.body ?? '')
  assert.equal([purpose, mode, channel, told], ['test', 'sandbox', 'pager', []])
})

play('a server that hangs holds up neither others nor the end of the node', async (world) => {
  await sendTest(world)
  const { store, clock } = world
  const hanging = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const { port } = hanging.address() as { port: number }
  const delivery = createNotificationDelivery({
    ...{ store, clock, kind: 'email', timeoutMs: 60_000, isTrusted: () => true, log, graceMs: 50 },
    send: mailing(world, port, { timeoutMs: 60_000 }),
  })
  const began = performance.now()
  await delivery.pass()
  await delivery.pass()
  await delivery.finish()
  assert.ok(performance.now() - began < 30_000)
  hanging.close()
  // What the server has of it nobody knows.
  assert.equal(await statesOf(world), [['pending', 1, null]])
})

test.run()
