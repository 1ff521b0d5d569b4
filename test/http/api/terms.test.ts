/** What was agreed on with a shop and a network, as both meet it over the API. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { Write } from '../../../persistence/store.ts'
import { limitExposure, shopFees, termsOf } from '../../support/agreed-terms.ts'
import { endpointsOf } from '../../support/endpoints.ts'
import { operatorOf } from '../../support/operations.ts'
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

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

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

play(
  'a pay-in that does not cover fee and tax is 400 on its price, by terms as operators set them',
  async (world) => {
    const { create } = await endpointsOf(world)
    await operatorOf(world).ask(apply, {
      merchants: [
        {
          name: 'Shop',
          pairs: [
            {
              ...{ country: 'MX', currency: 'MXN', min: '1.00' },
              fees: [{ from: dayOf(world.clock.now()), direction: 'PAY_IN', fixed: '5.00', taxBps: 1600 }],
            },
          ],
        },
      ],
    })
    const refused = [400, 'price', 'Value does not cover the fee.']
    const rows: [price: string, answer: unknown[]][] = [
      ['1.00', refused],
      ['5.79', refused],
      ['5.80', [201, undefined, undefined]],
      ['5.81', [201, undefined, undefined]],
    ]
    for (const [price, answer] of rows) {
      assert.equal(errorOf(await create({ price, merchant_order_id: price }, 'pay-in')), answer, price)
    }
  },
)

play('a network may be paid a commission that is more than a price', async (world) => {
  const { create, act } = await endpointsOf(world)
  const commission = { from: dayOf(world.clock.now()), direction: 'PAY_IN', fixed: '1500.00', taxBps: 1600 }
  const network = { id: '0001', country: 'MX', currency: 'MXN', min: '1.00', commissions: [commission] }
  await operatorOf(world).ask(apply, { providers: [{ name: 'Network A', networks: [network] }] })
  const { code } = await newPayIn(world, create)
  for (const action of ['start', 'confirm'] as const)
    assert.is((await act(code, action, 'pay-in')).status, 200)
  assert.is(await world.balance({ kind: 'provider', ownerId: tills.A.id, currency: 'MXN' }), 74_000n)
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
