/** Refunds as a merchant asks for them: what is answered, and what is refused on which field. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endpointsOf } from '../../support/endpoints.ts'
import { commit, inOrderWorld, type OrderWorld, otherShop, shop } from '../../support/order-world.ts'

const play = inOrderWorld(test)

type Endpoints = Awaited<ReturnType<typeof endpointsOf>>

async function newPayIn({ create }: Endpoints, world: OrderWorld) {
  const made = await create({ merchant_order_id: `bought-${(await world.rows('orders')).length}` }, 'pay-in')
  assert.is(made.status, 201, made.body)
  return world.row(JSON.parse(made.body).id)
}

async function paidPayIn(endpoints: Endpoints, world: OrderWorld): Promise<string> {
  const { id, code } = await newPayIn(endpoints, world)
  assert.is((await endpoints.act(code, 'start', 'pay-in')).status, 200)
  assert.is((await endpoints.act(code, 'confirm', 'pay-in')).status, 200)
  return id
}

const errorsOf = ({ status, body }: { status: number; body: string }) => [
  status,
  ...(JSON.parse(body).errors ?? []).map((error: { attr: string; detail: string }) => [
    error.attr,
    error.detail,
  ]),
]

play('a refund names its pay-in in answers and webhooks, and needs PAY_IN alone', async (world) => {
  const endpoints = await endpointsOf(world)
  const refundOf = await paidPayIn(endpoints, world)
  const key = { merchant_id: shop.id, country: 'MX', currency: 'MXN' }
  await commit(world.store, [{ update: 'pairs', key, set: { pay_out: 0 } }])
  const plain = await endpoints.create({ merchant_order_id: 'plain' })
  assert.is(plain.status, 400)
  // In another spelling of the same id.
  const refund_of = refundOf.toUpperCase()
  const made = await endpoints.create({ merchant_order_id: 'back', price: '400.00', refund_of })
  assert.is(made.status, 201, made.body)
  const { id, refund_of: told } = JSON.parse(made.body)
  assert.is(told, refundOf)
  await world.cancel(id)
  const webhook = (await world.rows('webhooks')).find(({ order_id }) => order_id === id)
  assert.is(JSON.parse(webhook?.body ?? '{}').refund_of, refundOf)
  await commit(world.store, [{ update: 'pairs', key, set: { pay_in: 0 } }])
  const neither = await endpoints.create({ merchant_order_id: 'never', price: '400.00', refund_of })
  assert.is(neither.status, 400)
})

play('what may not be given back is 400 on the field that is wrong', async (world) => {
  const endpoints = await endpointsOf(world)
  const { create } = endpoints
  const refund_of = await paidPayIn(endpoints, world)
  const unpaid = await newPayIn(endpoints, world)
  const unknown = '7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33'
  const missing = (id: string) => [400, ['refund_of', `Invalid pk "${id}" - object does not exist.`]]
  assert.equal(errorsOf(await create({ refund_of: unknown })), missing(unknown))
  assert.equal(errorsOf(await create({ refund_of: 'x' })), [400, ['refund_of', 'Must be a valid UUID.']])
  assert.equal(errorsOf(await create({ refund_of: '' })), [400, ['refund_of', 'Must be a valid UUID.']])
  assert.equal(errorsOf(await create({ refund_of: null })), [
    400,
    ['refund_of', 'This field may not be null.'],
  ])
  assert.equal(errorsOf(await create({ refund_of: unpaid.id })), [
    400,
    ['refund_of', 'This pay-in has not been paid.'],
  ])
  assert.equal(errorsOf(await create({ refund_of, price_currency: 'USD' })), [
    400,
    ['price_currency', 'Value does not match the currency of the pay-in.'],
  ])
  const exceeds = (left: string) => [
    400,
    ['price', `Value is more than what is left to refund of the pay-in: ${left} MXN.`],
  ]
  assert.equal(errorsOf(await create({ refund_of, price: '1000.01' })), exceeds('1000.00'))
  assert.is((await create({ refund_of, price: '900.00', merchant_order_id: 'most' })).status, 201)
  assert.equal(errorsOf(await create({ refund_of, price: '100.01' })), exceeds('100.00'))
  await commit(world.store, [
    { update: 'orders', key: { id: unpaid.id }, set: { merchant_id: otherShop.id } },
  ])
  assert.equal(errorsOf(await create({ refund_of: unpaid.id })), missing(unpaid.id))
})

play(
  'what was claimed between the look and the step is refused in the step, in the same words',
  async (world) => {
    const { lookAtRefund } = world.orders
    const look = Promise.withResolvers<void>()
    const orders: OrderWorld['orders'] = {
      ...world.orders,
      async lookAtRefund(asked) {
        const found = await lookAtRefund(asked)
        await look.promise
        return found
      },
    }
    const endpoints = await endpointsOf(world, orders)
    const refund_of = await paidPayIn(endpoints, world)
    const slow = endpoints.create({ refund_of, price: '600.00', merchant_order_id: 'slow' })
    assert.is((await world.create({ refundOf: refund_of, priceMinor: 50_000n })).outcome, 'created')
    look.resolve()
    assert.equal(errorsOf(await slow), [
      400,
      ['price', 'Value is more than what is left to refund of the pay-in: 500.00 MXN.'],
    ])
  },
)

test.run()
