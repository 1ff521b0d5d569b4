/** What was agreed on with a shop and a network, as both meet it over the API. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Write } from '../../../persistence/store.ts'
import { limitExposure, shopFees, termsOf } from '../../support/agreed-terms.ts'
import { endpointsOf } from '../../support/endpoints.ts'
import { commit, inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'

const play = inOrderWorld(test)

async function agreed(world: OrderWorld) {
  const endpoints = await endpointsOf(world)
  const commission = termsOf('network', {
    party_id: tills.A.id,
    kind: 'commission',
    network_id: '0001',
    country: '',
    fixed_minor: 500n,
  })
  const writes = [...shopFees, commission].map((values): Write => ({ insert: 'fee_terms', values }))
  await commit(world.store, writes)
  return endpoints
}

const errorOf = ({ status, body }: { status: number; body: string }) => {
  const [error] = JSON.parse(body).errors ?? []
  return [status, error?.attr, error?.detail]
}

async function newPayIn(world: OrderWorld, create: Awaited<ReturnType<typeof endpointsOf>>['create']) {
  const made = await create({}, 'pay-in')
  assert.is(made.status, 201, made.body)
  const { id } = JSON.parse(made.body)
  return { ...(await world.row(id)), document: JSON.parse(made.body) }
}

play(
  'orders have the fee of their merchant and the commission of their network, and do not show it',
  async (world) => {
    const without = await endpointsOf(world)
    const plain = await newPayIn(world, without.create)
    const terms = [...shopFees].map((values): Write => ({ insert: 'fee_terms', values }))
    await commit(world.store, terms)
    const { code, id, document, fee_minor, fee_tax_minor } = await newPayIn(world, without.create)
    assert.equal([plain.fee_minor, fee_minor, fee_tax_minor], [0n, 2500n, 400n])
    assert.equal(Object.keys(document), Object.keys(plain.document))
    await commit(world.store, [
      {
        insert: 'fee_terms',
        values: termsOf('network', {
          party_id: tills.A.id,
          kind: 'commission',
          network_id: '0001',
          country: '',
          fixed_minor: 500n,
        }),
      },
    ])
    assert.is((await without.act(code, 'start', 'pay-in')).status, 200)
    assert.is((await world.row(id)).commission_minor, 500n)
  },
)

play('a pay-in that does not cover its fee is 400 on its price', async (world) => {
  const { create } = await agreed(world)
  await commit(world.store, [{ update: 'fee_terms', key: { id: 'shop-in' }, set: { fixed_minor: 100_000n } }])
  assert.equal(errorOf(await create({}, 'pay-in')), [400, 'price', 'Value does not cover the fee.'])
})

play('a start through a network of another currency is 422, and says so', async (world) => {
  const { create, act } = await agreed(world)
  const { code } = await newPayIn(world, create)
  await commit(world.store, [{ update: 'networks', key: { network_id: '0001' }, set: { currency: 'USD' } }])
  const refused = await act(code, 'start', 'pay-in')
  assert.equal(errorOf(refused), [422, null, 'This network does not handle MXN. No payment can be started.'])
})

play('a pay-in beyond what its provider may owe is 422, and says so', async (world) => {
  const { create, act } = await agreed(world)
  await limitExposure(world, 150_000n)
  const [first, second] = [await newPayIn(world, create), await newPayIn(world, create)]
  assert.is((await act(first.code, 'start', 'pay-in')).status, 200)
  assert.equal(errorOf(await act(second.code, 'start', 'pay-in')), [
    422,
    null,
    'The provider has reached the limit of what it may owe. No pay-in can be started.',
  ])
})

test.run()
