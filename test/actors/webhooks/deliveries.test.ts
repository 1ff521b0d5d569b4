import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionList, exceptionShow } from '../../../actors/resolutions/operations.ts'
import { webhookList, webhookShow } from '../../../actors/webhooks/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, minuteMs, type OrderWorld, readyOrder } from '../../support/order-world.ts'

const play = inOrderWorld(test)

async function cancelled(world: OrderWorld): Promise<string> {
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  await world.cancel(id, true)
  return id
}

play('webhooks are listed by state and by order, the newest first', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const first = await cancelled(world)
  world.clock.advance(minuteMs)
  const second = await cancelled(world)
  const [before] = (await world.rows('webhooks')).filter(({ order_id }) => order_id === first)
  await world.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [
        {
          update: 'webhooks',
          key: { id: before?.id ?? '' },
          set: { state: 'dead', attempts: 1, last_answer: '404', settled_at: 1 },
        },
      ],
    }),
  })
  const seen = async (input: Parameters<typeof webhookList.run>[1]) =>
    (await ask(webhookList, input)).webhooks.map(({ order, status, state, attempts, lastAnswer }) => [
      order,
      status,
      state,
      attempts,
      lastAnswer,
    ])
  const dead = [first, 'CANCELLED', 'dead', 1, '404']
  const pending = [second, 'CANCELLED', 'pending', 0, null]
  assert.equal(await seen({}), [pending, dead])
  assert.equal(await seen({ state: 'dead' }), [dead])
  assert.equal(await seen({ order: second }), [pending])
  assert.equal(await seen({ order: second, state: 'dead' }), [])
  const page = await ask(webhookList, { limit: 1 })
  assert.equal(await seen({ limit: 1, cursor: page.next ?? '' }), [dead])
  assert.is((await refusal('webhook.list', { state: 'lost' })).code, 'invalid')
})

play('a webhook is shown with its merchant, its body and its attempts', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const order = await cancelled(world)
  const [{ id } = { id: '' }] = await world.rows('webhooks')
  await world.store.step({
    rows: {},
    decide: (_, at) => ({
      answer: null,
      writes: [
        {
          insert: 'webhook_attempts',
          values: { webhook_id: id, attempt: 1, started_at: at, outcome: 'started' },
        },
      ],
    }),
  })
  const webhook = await ask(webhookShow, { id })
  assert.equal(
    [webhook.order, webhook.merchant, webhook.contact, webhook.sequence, webhook.url, webhook.settled],
    [order, 'Shop', 'ops@shop.example', 1, 'https://shop.example:8443/hooks?source=node', null],
  )
  assert.is(JSON.parse(webhook.body ?? '').status, 'CANCELLED')
  assert.equal(webhook.history, [
    {
      attempt: 1,
      startedAt: '2026-03-01T12:01:00.000Z',
      endedAt: null,
      outcome: 'started',
      error: null,
      status: null,
      milliseconds: null,
      address: null,
      answer: null,
      bytes: null,
      isCut: false,
      key: null,
      messageDate: null,
    },
  ])
  assert.is((await refusal('webhook.show', { id: order })).message, `There is no webhook ${order}.`)
})

play('exceptions are listed by state and by order, and shown with their evidence', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const order = await cancelled(world)
  world.clock.advance(minuteMs)
  const later = await cancelled(world)
  const { exceptions } = await ask(exceptionList, {})
  assert.equal(
    exceptions.map(({ kind, order: of, state, chain, openedAt }) => [kind, of, state, chain, openedAt]),
    [
      ['cancelled_while_locked', later, 'open', null, '2026-03-01T12:03:00.000Z'],
      ['cancelled_while_locked', order, 'open', null, '2026-03-01T12:01:00.000Z'],
    ],
  )
  assert.equal((await ask(exceptionList, { state: 'resolved' })).exceptions, [])
  assert.equal((await ask(exceptionList, { order, state: 'open' })).exceptions, exceptions.slice(1))
  const shown = await ask(exceptionShow, { id: exceptions[1]?.id ?? '' })
  assert.match(JSON.stringify(shown.evidence), /"providerId":"network-a","networkId":"000A"/)
  assert.equal([shown.resolvedAt, shown.resolution, shown.revision], [null, null, 1])
  assert.is((await refusal('exception.show', { id: order })).message, `There is no exception ${order}.`)
})

test.run()
