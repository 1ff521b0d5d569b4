/**
 * Protocol 17.1: whatever an order and its parties hold, none of it is in a message: lives full of marked secrets go wrong in every way that
 * somebody is told of, and everything that is stored, and everything that arrives at a mail server and at a webhook, is searched.
 */
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { approvalSetThreshold } from '../../../actors/approvals/thresholds.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionId } from '../../../actors/exceptions/exception-id.ts'
import { exceptionKinds, isExceptionKind, newException } from '../../../actors/exceptions/kinds.ts'
import { languages } from '../../../actors/notifications/channels.ts'
import { createNotificationDelivery } from '../../../actors/notifications/delivery.ts'
import { eventNames, type Notice } from '../../../actors/notifications/events.ts'
import { createLevelWatch } from '../../../actors/notifications/levels.ts'
import { notificationChannelSet, notificationRuleSet } from '../../../actors/notifications/rule-operations.ts'
import { createHooking, type SendNotice } from '../../../actors/notifications/sending.ts'
import { keyRotate } from '../../../actors/operations/keys.ts'
import { operatorAdd } from '../../../actors/people/operations.ts'
import { createSessions } from '../../../actors/people/sessions.ts'
import { termsSetSettlement } from '../../../actors/provisioning/terms-operations.ts'
import { createWebhookSender } from '../../../actors/webhooks/sender.ts'
import type { ChannelKind } from '../../../persistence/schema-notifications.ts'
import { limitExposure } from '../../support/agreed-terms.ts'
import { senderTo, startMailServer } from '../../support/mail-server.ts'
import { mailingOf, quietLevels, tell } from '../../support/notifications.ts'
import { anyTarget, operatorOf, quietSurroundings } from '../../support/operations.ts'
import { commit, hourMs, inOrderWorld, minuteMs, type OrderWorld, shop } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'
import { startReceiver } from '../../support/webhook-receivers.ts'

const play = inOrderWorld(test)

const marked = {
  description: 'secret-description',
  merchantOrderId: 'secret-merchant-order-id',
  notifyUrl: 'https://shop.example/secret-hook',
  returnUrl: 'https://shop.example/secret-return',
  consumerEmail: 'secret@consumer.example',
  consumerPhoneNumber: '+52secret',
}

const mailLanguages = languages.map((language) => ({ language, to: `${language}@ops.example` }))

/** A mail in each language and a webhook, told of everything there is. */
async function listen(world: OrderWorld, url: string): Promise<{ key: string; secret: string }> {
  const ana = operatorOf(world)
  const events = eventNames.filter((name) => name !== 'balance.low').join(',')
  const channels = mailLanguages.map(
    ({ language, to }) => ({ name: language, kind: 'email', language, to }) as const,
  )
  for (const { name, ...channel } of [...channels, { name: 'hook', kind: 'webhook', url } as const]) {
    await ana.ask(notificationChannelSet, { name, ...channel })
    await ana.ask(notificationRuleSet, { name: `all-${name}`, channel: name, events })
    const low = { name: `low-${name}`, channel: name, events: 'balance.low', below: '99999999.00 MXN' }
    await ana.ask(notificationRuleSet, low)
  }
  const { key, secret } = await ana.ask(notificationChannelSet, { name: 'other', kind: 'webhook', url })
  return { key: key ?? '', secret: secret ?? '' }
}

/** Lives that go wrong, of marked orders. @returns their codes */
async function goWrong(world: OrderWorld): Promise<string[]> {
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
  return codes
}

/** Parts of the node that are in doubt, for a reason that is marked, and then are not. */
async function doubt(world: OrderWorld, codes: readonly string[]): Promise<void> {
  const condition = createCondition()
  const parts = ['clock', 'chain:SOLANA', 'rates', 'disk', 'anchors:file', 'worker:webhooks']
  for (const part of parts)
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
  for (const part of parts) condition.send({ type: 'recover', part })
  for (let more = true; more; ) more = (await tell(world)).more
  await watch(world.store)
  world.clock.advance(minuteMs)
  for (let more = true; more; ) more = (await tell(world)).more
}

/** Whatever waits is sent. */
async function deliver(world: OrderWorld, kind: ChannelKind, send: SendNotice): Promise<void> {
  const { store, clock } = world
  const log = pino({ level: 'silent' })
  const delivery = createNotificationDelivery({
    ...{ store, clock, kind, send, timeoutMs: 3000, isTrusted: () => true, log },
  })
  for (let isAny = true; isAny; ) {
    isAny = ((await delivery.pass()).seen?.underWay ?? 0) > 0
    await delivery.ended()
  }
}

play(
  'no code, secret or end user’s data is in any mail or webhook, of any event, in any language',
  async (world) => {
    const server = await startMailServer()
    const receiver = await startReceiver((response) => response.writeHead(200).end())
    const ana = operatorOf(world)
    const hook = await listen(world, `http://127.0.0.1:${receiver.port}/hook`)
    const account = { account: 'secret-account', account_from_at: 0 }
    await agree(world.store, shop.id, ['2026-03-01', '2026-03-02'], account)
    const settles = { party: 'Shop', kind: 'merchant', currency: 'MXN', reason: 'secret-reason' } as const
    await ana.ask(termsSetSettlement, { ...settles, account: 'secret-account-2' })
    await limitExposure(world, 120_000n)
    await world.deposit(10_000_000n)
    const codes = await goWrong(world)
    const { secret } = await ana.ask(keyRotate, { party: 'Shop' })
    const { password = '' } = await ana.ask(operatorAdd, { name: 'eva', role: 'viewer' })
    const visit = { name: 'eva', password, address: '192.0.2.7', agent: 'secret-agent' }
    const token = (await createSessions(world).signIn(visit)) ?? ''
    await ana.ask(approvalSetThreshold, { currency: 'MXN', amount: '0', reason: 'secret-reason' })
    const another = { party: 'Network A', reason: 'secret-reason' }
    assert.is((await ana.refusal('key.rotate', another)).code, 'asked')
    await doubt(world, codes)
    await deliver(world, 'email', mailingOf(world, senderTo(server.port)))
    const { store, clock } = world
    const sender = createWebhookSender({ resolve: async () => ['127.0.0.1'] })
    await deliver(
      world,
      'webhook',
      createHooking({ store, clock, vault: ana.vault, sender, rules: anyTarget }),
    )
    sender.close()
    await server.close()
    await receiver.close()

    const rows = await world.rows('notifications')
    assert.ok(rows.every(({ state }) => state === 'delivered'))
    const mails = await Promise.all(server.heard.map((_, index) => server.read(index)))
    const bodies = receiver.received.map(({ body }) => body)
    assert.equal(
      [mails.length, bodies.length].reduce((sum, count) => sum + count),
      rows.length,
      'each arrived once',
    )
    for (const { to } of [...mailLanguages, { to: rows.find(({ kind }) => kind === 'webhook')?.target }]) {
      const notices = rows
        .filter(({ target }) => target === to)
        .map(({ body_json }): Notice => JSON.parse(body_json))
      const events = new Set(notices.flatMap(({ told }) => told.map(({ event }) => event)))
      assert.equal([...events].toSorted(), [...eventNames].toSorted(), `${to} is told of each`)
      assert.ok(notices.some(({ purpose }) => purpose === 'digest'))
    }
    const files = mails.flatMap(({ attachments }) => attachments.map(({ content }) => textOf(content)))
    const written = mails.map(({ subject, text, html, headers }) =>
      JSON.stringify([subject, text, html, headers]),
    )
    const stored = JSON.stringify([rows, await world.rows('notification_topics')])
    for (const text of [...written, ...bodies, ...server.heard.map(({ raw }) => raw), stored]) {
      assert.not.match(text, /secret-|secret@|\+52secret/)
      for (const hidden of [...codes, secret, password, token, hook.secret])
        assert.not.ok(text.includes(hidden), hidden)
    }
    assert.is(files.length, languages.length)
    for (const csv of files) {
      // Its own numbers of orders are a merchant's.
      assert.not.match(csv, /secret-(?!merchant-order-id)|secret@|\+52secret/)
      for (const hidden of [...codes, secret, password]) assert.not.ok(csv.includes(hidden))
      assert.match(csv, /^\ufeff"party","statement","currency","line",[\s\S]*"deposit"/)
    }
    assert.is(
      mails.find(({ attachments }) => attachments.length > 0)?.attachments[0]?.filename,
      'statement-MXN-1.csv',
    )
  },
)

const textOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()

test.run()
