/** Protocol 17.2: channels and rules, one by one and by a document. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { notificationApply } from '../../../actors/notifications/apply-operation.ts'
import { notificationRetry, notificationTest } from '../../../actors/notifications/operations.ts'
import {
  notificationChannelList,
  notificationChannelRemove,
  notificationChannelSet,
  notificationRuleList,
  notificationRuleRemove,
} from '../../../actors/notifications/rule-operations.ts'
import { mailChannel } from '../../support/notifications.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, inOrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

play(
  'channels and rules are set, changed and removed, and a document is applied whole or not',
  async (world) => {
    const ana = operatorOf(world)
    const document = {
      channels: [
        { name: 'ops', kind: 'email', to: ['a@b.example', 'c@d.example'], timeZone: 'America/Mexico_City' },
        { name: 'hook', kind: 'webhook', url: 'https://hook.example/x' },
      ],
      rules: [{ name: 'all', channel: 'ops', events: ['alarm', 'disk.low'] }],
    }
    const text = JSON.stringify(document)
    const dry = await ana.ask(notificationApply, { text, dryRun: true })
    assert.equal([dry.changes.length, dry.secrets, await world.rows('notification_channels')], [3, {}, []])
    const applied = await ana.ask(notificationApply, { text })
    assert.equal(Object.keys(applied.secrets), ['hook'])
    assert.equal((await ana.ask(notificationApply, { text })).changes, [])
    const { channels } = await ana.ask(notificationChannelList, {})
    assert.equal(
      channels.map(({ name, to, url, key }) => [name, to, url, key]),
      [
        ['hook', [], 'https://hook.example/x', 'notification:hook'],
        ['ops', ['a@b.example', 'c@d.example'], null, null],
      ],
    )
    assert.not.ok(JSON.stringify(await world.rows('audit')).includes(applied.secrets.hook ?? '-'))
    const bad = [
      '[',
      '[]',
      '{"rule":[]}',
      '{"rules":[{"name":"x","channel":"nowhere","events":"alarm"}]}',
      '{"channels":[{"name":"X","kind":"email","to":"a@b.example"}]}',
      '{"channels":[{"name":"new","kind":"email","to":"a@b.example"},{"name":"y","kind":"pigeon"}]}',
      '{"channels":[{"name":"new","kind":"email","to":"a@b.example","colour":"red"}]}',
      '{"channels":[{"name":"new","kind":"email","to":"a@b.example"},{"name":"new","kind":"email","to":"a@b.example"}]}',
      '{"channels":[{"name":"ops","kind":"webhook","url":"https://hook.example/"}]}',
      '{"channels":[{"name":"new","kind":"email"}]}',
      '{"channels":[{"name":"new","kind":"webhook","url":"https://u:p@hook.example/"}]}',
    ]
    for (const wrong of bad) await ana.refusal('notification.apply', { text: wrong })
    assert.is((await ana.ask(notificationChannelList, {})).channels.length, 2)
    assert.is((await ana.refusal('notification.channel.remove', { name: 'ops' })).code, 'refused')
    await ana.ask(notificationRuleRemove, { name: 'all' })
    assert.equal((await ana.ask(notificationRuleList, {})).rules, [])
    await ana.ask(notificationChannelRemove, { name: 'ops' })
    await ana.ask(notificationChannelRemove, { name: 'hook' })
    assert.equal(
      (await world.rows('secrets')).filter(({ name }) => name.startsWith('notification:')),
      [],
    )
  },
)

play('a test goes to every address of a channel; a retry counts anew', async (world) => {
  const ana = operatorOf(world)
  await ana.ask(notificationChannelSet, { ...mailChannel, to: 'a@b.example,c@d.example' })
  const { notifications } = await ana.ask(notificationTest, { channel: 'operations' })
  assert.equal(
    notifications.map(({ to }) => to),
    ['a@b.example', 'c@d.example'],
  )
  const id = notifications[0]?.id ?? ''
  const dead = { state: 'dead', settled_at: 1, attempts: 7 } as const
  await commit(world.store, [{ update: 'notifications', key: { id }, set: dead }])
  const again = await ana.ask(notificationRetry, { id })
  assert.equal([again.state, again.attempts], ['pending', 7])
  assert.is((await ana.refusal('notification.test', { channel: 'nowhere' })).code, 'not_found')
})

test.run()
