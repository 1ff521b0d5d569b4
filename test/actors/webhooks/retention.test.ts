import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pruneWebhooks } from '../../../actors/webhooks/retention.ts'
import { webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const minuteMs = 60_000
const dayMs = 86_400_000

inWorld('bodies and attempts of what was delivered long ago are removed, of nothing else', async (world) => {
  const { clock, sender, start } = world
  const [superseded = '', delivered = ''] = await world.order('nf')
  const [dead = ''] = await world.order('f')
  const [pending = ''] = await world.order('f')
  const [resolved = ''] = await world.order('f')
  sender.receive = ({ headers: { 'Webhook-Id': id } }) => {
    if (id === delivered) return { outcome: 'acknowledged', status: 200 }
    if (id === dead || id === resolved) return { outcome: 'refused', status: 400 }
    return { outcome: 'unavailable', status: 503 }
  }
  await start().runUntil(clock.now() + minuteMs)
  const exception = (await world.rows('exceptions')).find(({ order_id }) => order_id === 'o4')
  const resolution = { state: 'resolved', resolved_at: clock.now(), resolution: 'dismiss' } as const
  await world.commit([{ update: 'exceptions', key: { id: exception?.id ?? '' }, set: resolution }])

  let isTrusted = false
  const prune = () => pruneWebhooks(world.store, { retentionDays: 90, clock, isTrusted: () => isTrusted })
  const pruned = async () =>
    (await world.rows('webhooks')).filter(({ pruned_at }) => pruned_at !== null).map(({ id }) => id)
  clock.advance(91 * dayMs)
  await prune()
  assert.equal(await pruned(), [], 'nothing is old by a clock that nobody trusts')
  isTrusted = true
  clock.advance(-2 * dayMs)
  await prune()
  assert.equal(await pruned(), [])
  clock.advance(2 * dayMs)
  assert.equal(await prune(), { more: false })
  assert.equal(await pruned(), [superseded, delivered, resolved])
  for (const id of await pruned()) {
    assert.is((await world.webhook(id)).body, '')
    assert.equal(await world.attempts(id), [])
  }
  for (const id of [dead, pending]) assert.ok((await world.attempts(id)).length > 0)
})

test.run()
