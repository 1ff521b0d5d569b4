/**
 * Protocol 17.1: whatever an order and its parties hold, none of it is in a message: lives full of marked secrets go wrong in every way that
 * somebody is told of, and everything that is stored or would be sent is searched.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionId } from '../../../actors/exceptions/exception-id.ts'
import { exceptionKinds, isExceptionKind, newException } from '../../../actors/exceptions/kinds.ts'
import { languages } from '../../../actors/notifications/channels.ts'
import { eventNames, type Notice } from '../../../actors/notifications/events.ts'
import { createLevelWatch } from '../../../actors/notifications/levels.ts'
import { messageOf } from '../../../actors/notifications/message.ts'
import { notificationChannelSet, notificationRuleSet } from '../../../actors/notifications/rule-operations.ts'
import { createMailing } from '../../../actors/notifications/sending.ts'
import { keyRotate } from '../../../actors/operations/keys.ts'
import { limitExposure } from '../../support/agreed-terms.ts'
import { senderTo, startMailServer } from '../../support/mail-server.ts'
import { quietLevels, tell } from '../../support/notifications.ts'
import { operatorOf, quietSurroundings } from '../../support/operations.ts'
import { commit, hourMs, inOrderWorld, minuteMs, shop } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)

const marked = {
  description: 'secret-description',
  merchantOrderId: 'secret-merchant-order-id',
  notifyUrl: 'https://shop.example/secret-hook',
  returnUrl: 'https://shop.example/secret-return',
  consumerEmail: 'secret@consumer.example',
  consumerPhoneNumber: '+52secret',
}

play('no code, secret or end user’s data is in what is told of any event', async (world) => {
  const ana = operatorOf(world)
  const everything = { name: 'everything', kind: 'email', to: 'ops@shop.example' } as const
  await ana.ask(notificationChannelSet, everything)
  const events = eventNames.filter((name) => name !== 'balance.low').join(',')
  await ana.ask(notificationRuleSet, { name: 'all', channel: 'everything', events })
  const low = { name: 'low', channel: 'everything', events: 'balance.low', below: '99999999.00 MXN' }
  await ana.ask(notificationRuleSet, low)
  await agree(world.store, shop.id, ['2026-03-01', '2026-03-02'])
  await limitExposure(world, 120_000n)
  await world.deposit(10_000_000n)
  const codes: string[] = []
  for (const kind of ['held', 'released', 'cancelled', 'completed'] as const) {
    const { id, code } = await world.order({
      ...marked,
      merchantOrderId: `${marked.merchantOrderId}-${kind}`,
      direction: kind === 'completed' ? 'PAY_IN' : 'PAY_OUT',
    })
    codes.push(code)
    if (kind === 'released') {
      for (let time = 0; time < 5; time++) {
        await world.start(id, 'A')
        await world.giveBack(id, 'A')
      }
      continue
    }
    await world.start(id, 'A')
    if (kind === 'cancelled') await world.cancel(id, true)
    if (kind === 'completed') await world.confirm(id, 'A')
  }
  for (const kind of Object.keys(exceptionKinds).filter(isExceptionKind)) {
    const about = { id: exceptionId('marked', kind), kind, order_id: null, opened_at: world.clock.now() }
    const told = { reason: 'secret-reason', evidence: { secret: 'secret-evidence' }, sender: 'secret-wallet' }
    const values = newException({ ...about, ...told, amount: '5.00', asset: 'MXN' })
    await commit(world.store, [{ insert: 'exceptions', values }])
  }
  const { secret } = await ana.ask(keyRotate, { party: 'Shop' })
  const condition = createCondition()
  for (const part of ['clock', 'chain:SOLANA', 'rates', 'disk', 'anchors:file', 'worker:webhooks'])
    condition.send({ type: 'degrade', part, reason: `secret-reason ${codes.join(' ')}` })
  const list = async () => [{ name: 'secret-name', madeAt: 0, orders: 1, bytes: 1 }]
  const watch = createLevelWatch({
    ...{ ...quietLevels(world), condition, file: '/secret-folder/node.db' },
    backups: { ...quietLevels(world).backups, folder: '/secret-folder', list },
    surroundings: { ...quietSurroundings, disk: async () => ({ freeBytes: 1, syncMs: 1 }) },
  })
  world.clock.advance(2 * hourMs)
  await watch(world.store)
  world.clock.advance(48 * hourMs)
  await closerOf(world).pass()
  for (const part of ['clock', 'chain:SOLANA', 'rates', 'disk', 'anchors:file', 'worker:webhooks'])
    condition.send({ type: 'recover', part })
  for (let more = true; more; ) more = (await tell(world)).more
  await watch(world.store)
  world.clock.advance(minuteMs)
  for (let more = true; more; ) more = (await tell(world)).more
  const rows = await world.rows('notifications')
  const notices = rows.map(({ body_json }): Notice => JSON.parse(body_json))
  const toldEvents = new Set(notices.flatMap(({ told }) => told.map(({ event }) => event)))
  const missing = eventNames.filter((name) => !toldEvents.has(name) && name !== 'sign_in.new')
  assert.equal(missing, [], 'each was told')
  const texts = notices.flatMap((notice) =>
    languages.map((language) => JSON.stringify(messageOf({ ...notice, language }))),
  )
  const stored = JSON.stringify([rows, await world.rows('notification_topics')])
  for (const text of [...texts, stored]) {
    assert.not.match(text, /secret-|secret@|\+52secret/)
    for (const hidden of [...codes, secret]) assert.not.ok(text.includes(hidden), hidden)
  }
  const closed = rows.filter(({ body_json }) => body_json.includes('statement.closed'))
  assert.ok(closed.length > 0)
  const server = await startMailServer()
  const send = createMailing(world.store, senderTo(server.port), 'pay.example')
  for (const row of closed) await send(row)
  await server.close()
  const [attached] = (await server.read(0)).attachments
  const { content = '' } = attached ?? {}
  const csv = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()
  assert.match(csv, /^\ufeff"party","statement","currency","line",[\s\S]*"deposit"/)
  assert.is(attached?.filename, 'statement-MXN-1.csv')
  for (const hidden of [...codes, 'secret-description', 'secret@', '+52secret'])
    assert.not.ok(csv.includes(hidden))
})

test.run()
