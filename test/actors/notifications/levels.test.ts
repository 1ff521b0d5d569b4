/** Protocol 17.1 and 17.3: what lasts is told when it begins, and when it is over. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCondition } from '../../../actors/condition/condition.ts'
import type { Notice } from '../../../actors/notifications/events.ts'
import { createLevelWatch } from '../../../actors/notifications/levels.ts'
import { notificationChannelSet, notificationRuleSet } from '../../../actors/notifications/rule-operations.ts'
import { quietLevels, tell, toldOf, withRule } from '../../support/notifications.ts'
import { operatorOf, quietSurroundings } from '../../support/operations.ts'
import { commit, hourMs, inOrderWorld, minuteMs } from '../../support/order-world.ts'

const play = inOrderWorld(test)

play(
  'what lasts is told when it is seen, and when it is over; a restart tells nothing twice',
  async (world) => {
    await withRule(world, 'clock.doubt,node.degraded,chain.doubt,disk.low', {})
    const condition = createCondition()
    let freeBytes = 10 ** 12
    const options = {
      ...{ ...quietLevels(world), condition, file: '/data/node.db' },
      surroundings: { ...quietSurroundings, disk: async () => ({ freeBytes, syncMs: 1 }) },
    }
    const look = async () => {
      await createLevelWatch(options)(world.store)
      await tell(world)
    }
    await look()
    assert.equal(await toldOf(world), [])
    condition.send({ type: 'degrade', part: 'clock', reason: 'a secret reason' })
    condition.send({ type: 'degrade', part: 'chain:SOLANA', reason: 'https://rpc.example/a-secret-key' })
    condition.send({ type: 'degrade', part: 'worker:webhooks', reason: 'another' })
    condition.send({ type: 'degrade', part: 'drain', reason: 'asked for' })
    freeBytes = 1000
    await look()
    await look()
    const told = await toldOf(world)
    assert.equal(told.map((line) => line.split(' | ')[2]).toSorted(), [
      'chain.doubt on 1',
      'clock.doubt on 1',
      'disk.low on 1',
      'node.degraded on 1',
    ])
    assert.not.match(JSON.stringify(await world.rows('notifications')), /secret/)
    for (const part of ['clock', 'chain:SOLANA', 'worker:webhooks']) condition.send({ type: 'recover', part })
    freeBytes = 10 ** 12
    world.clock.advance(minuteMs)
    await look()
    await look()
    assert.equal(
      (await toldOf(world))
        .slice(4)
        .map((line) => line.split(' | ')[2])
        .toSorted(),
      ['chain.doubt over 0', 'clock.doubt over 0', 'disk.low over 0', 'node.degraded over 0'],
    )
  },
)

play('what comes back within the hour is told when it has passed, if it is still there', async (world) => {
  await withRule(world, 'clock.doubt')
  const condition = createCondition()
  const watch = createLevelWatch({ ...quietLevels(world), condition })
  const look = async () => {
    await watch(world.store)
    await tell(world)
  }
  for (let time = 0; time < 5; time++) {
    condition.send({ type: 'degrade', part: 'clock', reason: 'x' })
    await look()
    world.clock.advance(minuteMs)
    if (time === 4) break
    condition.send({ type: 'recover', part: 'clock' })
    await look()
    world.clock.advance(minuteMs)
  }
  assert.is((await toldOf(world)).length, 2, 'that it began and was over; then it only comes and goes')
  world.clock.advance(hourMs)
  await look()
  await look()
  assert.equal((await toldOf(world)).slice(2), ['event | ops@shop.example | clock.doubt on 4'])
})

play('a balance below the amount of a rule is told to its merchant', async (world) => {
  const ana = operatorOf(world)
  await commit(world.store, [
    { update: 'parties', key: { id: 'shop' }, set: { contact: 'ops@shop.example' } },
  ])
  await ana.ask(notificationChannelSet, { name: 'parties', kind: 'email', to: 'party' })
  await ana.ask(notificationRuleSet, {
    name: 'low',
    channel: 'parties',
    events: 'balance.low',
    below: '500.00 MXN',
  })
  await world.deposit(60_000n)
  const watch = createLevelWatch(quietLevels(world))
  await watch(world.store)
  await tell(world)
  assert.equal(await toldOf(world), [])
  await world.takeBack(20_000n)
  await watch(world.store)
  await tell(world)
  assert.equal(await toldOf(world), ['event | ops@shop.example | balance.low on 1'])
  const [low] = await world.rows('notifications')
  const { told }: Notice = JSON.parse(low?.body_json ?? '')
  assert.equal(told[0]?.facts, { merchant: 'Shop', currency: 'MXN', balance: '400.00', below: '500.00' })
})

play('a rule that is new is told what lasts already, and the others are not told again', async (world) => {
  const ana = await withRule(world, 'clock.doubt')
  const condition = createCondition()
  condition.send({ type: 'degrade', part: 'clock', reason: 'x' })
  const watch = createLevelWatch({ ...quietLevels(world), condition })
  await watch(world.store)
  await tell(world)
  assert.is((await toldOf(world)).length, 1)
  await ana.ask(notificationChannelSet, { name: 'second', kind: 'email', to: 'second@shop.example' })
  await ana.ask(notificationRuleSet, { name: 'later', channel: 'second', events: 'clock.doubt,disk.low' })
  await tell(world)
  await watch(world.store)
  await tell(world)
  assert.equal((await toldOf(world)).toSorted(), [
    'event | ops@shop.example | clock.doubt on 1',
    'event | second@shop.example | clock.doubt on 1',
  ])
  condition.send({ type: 'recover', part: 'clock' })
  world.clock.advance(minuteMs)
  await watch(world.store)
  await tell(world)
  assert.equal((await toldOf(world)).slice(2).toSorted(), [
    'event | ops@shop.example | clock.doubt over 0',
    'event | second@shop.example | clock.doubt over 0',
  ])
})

test.run()
