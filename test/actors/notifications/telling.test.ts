/** Protocol 17.1 and 17.3 on a database: what a step causes is in the outbox with it, and each rule is told as it says. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionId } from '../../../actors/exceptions/exception-id.ts'
import { type ExceptionKind, newException } from '../../../actors/exceptions/kinds.ts'
import { notificationList } from '../../../actors/notifications/operations.ts'
import { notificationChannelSet, notificationRuleSet } from '../../../actors/notifications/rule-operations.ts'
import { keyRotate } from '../../../actors/operations/keys.ts'
import { operatorAdd } from '../../../actors/people/operations.ts'
import { createSessions } from '../../../actors/people/sessions.ts'
import { termsSetSettlement } from '../../../actors/provisioning/terms-operations.ts'
import { formatInstant } from '../../../machines/time.ts'
import { mailChannel, tell, toldOf, withRule } from '../../support/notifications.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, hourMs, inOrderWorld, minuteMs, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const dayMs = 24 * hourMs

async function open(world: OrderWorld, kind: ExceptionKind, count: number): Promise<string> {
  const id = exceptionId(kind, String(count))
  const about = { id, kind, order_id: null, reason: 'no reason', evidence: {}, opened_at: world.clock.now() }
  await commit(world.store, [{ insert: 'exceptions', values: newException(about) }])
  return id
}

const resolve = (world: OrderWorld, id: string) =>
  commit(world.store, [
    {
      update: 'exceptions',
      key: { id },
      set: { state: 'resolved', resolved_at: world.clock.now(), resolution: 'dismiss' },
    },
  ])

play('without a rule nothing is written into the outbox', async (world) => {
  await open(world, 'bank_unidentified', 1)
  await operatorOf(world).ask(notificationChannelSet, mailChannel)
  await open(world, 'bank_unidentified', 2)
  assert.equal(await world.rows('notification_events'), [])
})

play('an exception is told, those of its kind are counted, and their end is told', async (world) => {
  const ana = await withRule(world, 'exception.opened')
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push(await open(world, 'bank_unidentified', count))
  await open(world, 'order_stuck', 0)
  assert.is((await world.rows('notification_events')).length, 4)
  await tell(world)
  assert.equal(await world.rows('notification_events'), [])
  const opened = 'event | ops@shop.example | exception.opened on 1'
  assert.equal(await toldOf(world), [opened, opened])
  world.clock.advance(minuteMs)
  for (const id of ids.slice(1)) await resolve(world, id)
  await tell(world)
  assert.is((await toldOf(world)).length, 2, 'one is still open')
  await resolve(world, ids[0] ?? '')
  await tell(world)
  assert.equal((await toldOf(world)).at(-1), 'event | ops@shop.example | exception.opened over 2')
  world.clock.advance(dayMs)
  await tell(world)
  assert.is((await toldOf(world)).length, 3, 'the digest has nothing to tell')
  const { notifications } = await ana.ask(notificationList, {})
  assert.is(notifications.at(0)?.subject.includes('unidentified line of a bank statement'), true)
})

play('a step that is rolled back tells nothing', async (world) => {
  await withRule(world, 'exception.opened')
  const values = newException({
    ...{ id: exceptionId('x'), kind: 'bank_unidentified', order_id: null, reason: '', evidence: {} },
    opened_at: 1,
  })
  await commit(world.store, [
    { insert: 'exceptions', values },
    { update: 'orders', key: { id: 'nobody' }, set: { locks: 1 } },
  ]).then(
    () => assert.unreachable(),
    () => {},
  )
  assert.equal(await world.rows('notification_events'), [])
})

play('repetitions are in the digest of the morning, once', async (world) => {
  await withRule(world, 'exception.opened')
  await open(world, 'bank_unidentified', 0)
  await tell(world)
  for (let count = 1; count <= 500; count++) await open(world, 'bank_unidentified', count)
  for (let more = true; more; ) more = (await tell(world)).more
  assert.is((await toldOf(world)).length, 1)
  world.clock.advance(dayMs)
  await tell(world)
  await tell(world)
  assert.equal((await toldOf(world)).slice(1), ['digest | ops@shop.example | exception.opened on 500'])
})

play('a rule for the digest waits for it', async (world) => {
  await withRule(world, 'exception.opened,sign_in.new', { how: 'digest' })
  await open(world, 'bank_unidentified', 0)
  await open(world, 'order_stuck', 0)
  await tell(world)
  assert.equal(await toldOf(world), [])
  world.clock.advance(dayMs)
  await tell(world)
  const line = 'exception.opened on 1'
  assert.equal(await toldOf(world), [`digest | ops@shop.example | ${line} | ${line}`])
})

play('a sign-in and a key beside another are told, with names and no secret', async (world) => {
  const ana = await withRule(world, 'sign_in.new,key.added')
  const { password = '' } = await ana.ask(operatorAdd, { name: 'eva', role: 'viewer' })
  const sessions = createSessions(world)
  const address = '192.0.2.7'
  assert.ok(await sessions.signIn({ name: 'eva', password, address }))
  const { secret, key } = await ana.ask(keyRotate, { party: 'Shop' })
  await tell(world)
  const told = (await world.rows('notifications')).map(({ body_json }) => JSON.parse(body_json).told[0])
  const factsOf = (event: string) => told.filter((line) => line.event === event).map(({ facts }) => facts)
  assert.equal(factsOf('sign_in.new'), [{ operator: 'eva', address }])
  assert.equal(factsOf('key.added'), [{ party: 'Shop', kind: 'merchant', key }])
  const all = JSON.stringify(await world.rows('notifications'))
  assert.not.ok(all.includes(secret) || all.includes(password))
})

play(
  'the contact of a party is written to, and one that is no address is a dead letter that says so',
  async (world) => {
    const ana = operatorOf(world)
    await ana.ask(notificationChannelSet, { name: 'parties', kind: 'email', to: 'party', language: 'es' })
    await ana.ask(notificationRuleSet, { name: 'keys', channel: 'parties', events: 'key.added' })
    await commit(world.store, [
      { update: 'parties', key: { id: 'shop' }, set: { contact: 'ops@shop.example' } },
    ])
    await commit(world.store, [
      { update: 'parties', key: { id: 'network-a' }, set: { contact: '+52 55 1234' } },
    ])
    await ana.ask(keyRotate, { party: 'Shop' })
    await ana.ask(keyRotate, { party: 'Network A' })
    await tell(world)
    const rows = await world.rows('notifications')
    const [shop, network] = ['shop', 'network-a'].map((id) => rows.find(({ party_id }) => party_id === id))
    assert.equal([shop?.target, shop?.state], ['ops@shop.example', 'pending'])
    assert.equal(
      [network?.target, network?.state, network?.error],
      ['', 'dead', 'The contact of Network A is no e-mail address.'],
    )
    assert.is((await ana.refusal('notification.retry', { id: network?.id ?? '' })).code, 'refused')
  },
)

play(
  'another account is told to its party, with the time from which it counts, and so is its taking back',
  async (world) => {
    const ana = await withRule(world, 'account.changed', { party: 'Shop' })
    const settle = (changes: Record<string, string>, party = 'Shop', kind = 'merchant') =>
      ana.ask(termsSetSettlement, {
        party,
        kind,
        currency: 'MXN',
        reason: 'their letter',
        ...changes,
      } as never)
    const rows: [what: string, changes: Record<string, string>, told: (at: number) => (string | null)[]][] = [
      ['the first account counts at once', { account: 'CLABE 1' }, () => []],
      ['something else', { keep: '10.00' }, () => []],
      ['another account', { account: 'CLABE 2' }, (at) => [formatInstant(at + dayMs)]],
      ['the same again', { account: 'CLABE 2' }, () => []],
      ['a third one instead', { account: 'CLABE 3' }, (at) => [formatInstant(at + dayMs)]],
      ['the former one again', { account: 'CLABE 1' }, () => [null]],
      ['a change that comes into force', { account: 'CLABE 4' }, (at) => [formatInstant(at + dayMs)]],
      ['and is in force', { keep: '20.00' }, () => []],
    ]
    const seen = new Set<string>()
    for (const [what, changes, told] of rows) {
      const at = world.clock.now()
      await settle(changes)
      await tell(world)
      const news = (await world.rows('notifications')).filter(({ id }) => !seen.has(id))
      for (const { id } of news) seen.add(id)
      const facts = news.map(({ body_json }) => JSON.parse(body_json).told[0].facts)
      const { kind, currency } = { kind: 'merchant', currency: 'MXN' }
      assert.equal(
        facts,
        told(at).map((from) => ({ party: 'Shop', kind, currency, from })),
        what,
      )
      world.clock.advance(changes.account === 'CLABE 4' ? dayMs : hourMs)
    }
    await settle({ account: 'CLABE 8' }, 'Network A', 'provider')
    await settle({ account: 'CLABE 9' }, 'Network A', 'provider')
    await tell(world)
    assert.is((await world.rows('notifications')).length, seen.size, 'a rule of one party')
    assert.not.match(JSON.stringify(await world.rows('notifications')), /CLABE/)
  },
)

play('a rule of one party is told of nobody else', async (world) => {
  await withRule(world, 'key.added', { party: 'Network A' })
  const ana = operatorOf(world)
  await ana.ask(keyRotate, { party: 'Shop' })
  await ana.ask(keyRotate, { party: 'Network A' })
  await tell(world)
  assert.equal(
    (await world.rows('notifications')).map(({ party_id }) => party_id),
    ['network-a'],
  )
})

play('a flood of sign-ins is one mail and a count, an hour later or in the digest', async (world) => {
  const ana = await withRule(world, 'sign_in.new')
  const { password = '' } = await ana.ask(operatorAdd, { name: 'eva', role: 'viewer' })
  const sessions = createSessions(world)
  const enter = async (address: string, times: number) => {
    for (let count = 0; count < times; count++)
      assert.ok(await sessions.signIn({ name: 'eva', password, address }))
    for (let more = true; more; ) more = (await tell(world)).more
  }
  await enter('192.0.2.7', 3)
  await enter('192.0.2.7', 2)
  await enter('192.0.2.8', 1)
  const line = (count: number) => `event | ops@shop.example | sign_in.new once ${count}`
  assert.equal(await toldOf(world), [line(1), line(1)], 'another place is told of at once')
  world.clock.advance(hourMs)
  await tell(world)
  assert.equal((await toldOf(world)).slice(2), [line(4)])
  world.clock.advance(2 * dayMs)
  for (const _ of [1, 2]) await tell(world)
  assert.is((await toldOf(world)).length, 3, 'nothing is told twice')
  assert.equal(await world.rows('notification_topics'), [])
})

play('the session that follows a second factor is the same sign-in', async (world) => {
  const ana = await withRule(world, 'sign_in.new')
  const { password = '' } = await ana.ask(operatorAdd, { name: 'eva', role: 'viewer' })
  assert.ok(await createSessions(world).signIn({ name: 'eva', password, address: '192.0.2.7' }))
  const [begun] = await world.rows('sessions')
  assert.ok(begun !== undefined)
  const values = { ...begun, digest: 'after', id: 'after', factor_at: world.clock.now() }
  await commit(world.store, [
    { delete: 'sessions', key: { digest: begun.digest } },
    { insert: 'sessions', values },
  ])
  await tell(world)
  assert.is((await toldOf(world)).length, 1)
})

test.run()
