import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifySignature } from '../../../actors/keys/signature.ts'
import { credentialSign } from '../../../actors/operations/credentials.ts'
import { merchantList, merchantShow } from '../../../actors/parties/merchants.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { providerList, providerShow } from '../../../actors/parties/providers.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { rateList } from '../../../actors/rates/operations.ts'
import { paymentOrder } from '../../../actors/settlement/payment-operations.ts'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import demoParties from '../../../data/demo.json' with { type: 'json' }
import { agree as agreeOnFees, shopFees } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, readyOrder, shop, tills } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const nothingElse = { reserved: '0.00', payable: '0.00', transit: '0.00', suspense: '0.00', debt: '0.00' }

play('a party is frozen with a reason, and goes on when it is unfrozen', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const frozen = await ask(partyFreeze, { name: 'Shop', reason: 'key leaked' })
  assert.equal(
    [frozen.kind, frozen.name, frozen.frozen],
    ['merchant', 'Shop', { at: '2026-03-01T12:00:00.000Z', reason: 'key leaked' }],
  )
  const [shop] = (await world.rows('parties')).filter(({ id }) => id === 'shop')
  assert.equal([shop?.frozen_at, shop?.frozen_reason], [world.clock.now(), 'key leaked'])
  const again = await refusal('party.freeze', { name: 'Shop', reason: 'again' })
  assert.equal(
    [again.code, again.message],
    ['conflict', 'Shop is frozen already, since 2026-03-01T12:00:00.000Z: key leaked'],
  )
  assert.is((await ask(partyUnfreeze, { name: 'Shop', reason: 'new key' })).frozen, null)
  const free = await refusal('party.unfreeze', { name: 'Shop', reason: 'again' })
  assert.equal([free.code, free.message], ['conflict', 'Shop is not frozen.'])
  assert.is((await refusal('party.freeze', { name: 'Nobody', reason: 'x' })).code, 'not_found')
})

play('a name that a merchant and a provider share needs its kind', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, { merchants: [{ name: 'Both' }], providers: [{ name: 'Both' }] })
  const error = await refusal('party.freeze', { name: 'Both', reason: 'x' })
  assert.equal([error.code, error.message], ['invalid', 'There are a merchant and a provider called Both.'])
  const frozen = await ask(partyFreeze, { name: 'Both', reason: 'x', kind: 'provider' })
  assert.is(frozen.kind, 'provider')
  assert.is((await ask(merchantShow, { name: 'Both' })).frozen, null)
})

play('merchants are listed and shown with their balances, keys, limits and deposits', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, demoParties)
  await readyOrder(world)
  await world.order({ priceMinor: 40_000n })
  const { merchants } = await ask(merchantList, {})
  assert.equal(
    merchants.map(({ name, balances }) => [name, balances]),
    [
      ['Demo Shop', [{ currency: 'MXN', available: '100000.00', ...nothingElse }]],
      ['Other', []],
      ['Shop', [{ currency: 'MXN', available: '0.00', ...nothingElse, reserved: '1000.00' }]],
    ],
  )
  const demo = await ask(merchantShow, { name: 'Demo Shop' })
  assert.equal(demo.pairs, [
    {
      country: 'MX',
      currency: 'MXN',
      min: '10.00',
      max: '50000.00',
      directions: ['PAY_OUT', 'PAY_IN'],
      cashIncrement: '0.50',
    },
  ])
  assert.equal(demo.deposits, [
    {
      reference: 'opening',
      currency: 'MXN',
      amount: '100000.00',
      bank: 'main',
      at: '2026-03-01T12:00:00.000Z',
      reversed: null,
    },
  ])
  assert.equal(demo.credentials, [
    { key: 'mk_demo', created: '2026-03-01T12:00:00.000Z', firstUsed: null, lastUsed: null, revoked: null },
  ])
  const shop = await ask(merchantShow, { name: 'Shop' })
  assert.equal(shop.waiting, [{ currency: 'MXN', amount: '400.00' }])
  assert.is(
    (await refusal('merchant.show', { name: 'Network A' })).message,
    'There is no merchant Network A.',
  )
})

play(
  'providers are listed and shown with networks, what is owed, and the orders they hold',
  async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, { providers: [{ name: 'Network A', networks: ['000A', 'a_shops'] }] })
    const paid = await readyOrder(world)
    await world.start(paid.id, 'A')
    await world.confirm(paid.id, 'A')
    const held = await readyOrder(world)
    await world.start(held.id, 'A')
    const { providers } = await ask(providerList, {})
    assert.equal(
      providers.map(({ name, networks, balances }) => [name, networks, balances]),
      [
        ['Network A', ['000A', 'a_shops'], [{ currency: 'MXN', amount: '1000.00', transit: '0.00' }]],
        ['Network B', [], []],
      ],
    )
    const provider = await ask(providerShow, { name: 'Network A' })
    assert.equal(provider.held, [{ order: held.id, since: '2026-03-01T12:02:00.000Z' }])
    assert.equal(
      provider.credentials.map(({ key }) => key),
      ['pk_a'],
    )
  },
)

play(
  'fees are no part of what parties are owed, and what is payable and in transit is told',
  async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, { banks: [{ name: 'main', currency: 'MXN' }] })
    await agreeOnFees(world)
    await agree(world.store, shop.id, [], { account: 'CLABE 1', account_from_at: 0 })
    await agree(world.store, tills.A.id, [], { account: 'CLABE 2', account_from_at: 0 })
    await world.deposit(200_000n)
    const { id } = await world.order({ feeTerms: shopFees })
    await world.start(id, 'A', { hasTerms: true })
    await world.confirm(id, 'A')
    const balancesNow = async () => [
      ...(await ask(merchantShow, { name: 'Shop' })).balances,
      ...(await ask(providerShow, { name: 'Network A' })).balances,
    ]
    // 1,000 and 1.5 % of it, and 16 % of that; 5 and 0.8 %, and 16 % of that.
    const left = '982.60'
    const owed = '1015.08'
    assert.equal(await balancesNow(), [
      { currency: 'MXN', available: left, ...nothingElse },
      { currency: 'MXN', amount: owed, transit: '0.00' },
    ])
    for (const party of ['Shop', 'Network A']) await ask(statementClose, { party, currency: 'MXN' })
    await closerOf(world).pass()
    const closed = { currency: 'MXN', available: '0.00', ...nothingElse }
    assert.equal((await balancesNow())[0], { ...closed, payable: left })
    for (const party of ['Shop', 'Network A']) await ask(paymentOrder, { party, bank: 'main', reason: 'due' })
    assert.equal(await balancesNow(), [
      { ...closed, transit: left },
      { currency: 'MXN', amount: '0.00', transit: owed },
    ])
  },
)

play('rates are listed with their fees', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  const { rates } = await ask(rateList, {})
  assert.is(rates.length, 3)
  assert.equal(rates[1], {
    blockchain: 'SOLANA',
    send: 'USDC',
    country: 'MX',
    target: 'MXN',
    rate: '17.25',
    feeFixed: '0.5',
    feeBps: 100,
    maxAgeSeconds: null,
    acceptable: true,
    problem: null,
    source: null,
    updated: '2026-03-01T12:00:00.000Z',
    doubt: null,
    maxJumpPercent: 15,
  })
})

play('in sandbox the node signs for a key, and in production for nobody', async (world) => {
  const { ask } = operatorOf(world)
  const applied = await ask(apply, demoParties)
  const secret = applied.providers[0]?.credentials[0]?.secret ?? ''
  const request = { key: 'pk_demo', method: 'POST', path: '/api/v1/x/' }
  for (const body of [Buffer.from('{"a":"é"}'), Buffer.from([0xff, 0x00])]) {
    const { headers } = await ask(credentialSign, { ...request, body: body.toString('base64') })
    assert.equal([headers['Provider-Key'], headers['Message-Date']], ['pk_demo', '1772366400.000'])
    const message = { ...request, messageDate: '1772366400.000', body }
    assert.ok(verifySignature(message, secret, headers['Message-Hash'] ?? ''))
  }
  const merchant = await ask(credentialSign, { ...request, key: 'mk_demo' })
  assert.is(merchant.headers['Merchant-Key'], 'mk_demo')
  const unknown = await operatorOf(world).refusal('credential.sign', { ...request, key: 'nobody' })
  assert.equal([unknown.code, unknown.message], ['not_found', 'There is no live credential nobody.'])
  const forbidden = await operatorOf(world, 'production').refusal('credential.sign', request)
  assert.is(forbidden.message, 'There is no operation credential.sign.')
})

test.run()
