import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialName } from '../../../actors/keys/credentials.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import demoParties from '../../../data/demo.json' with { type: 'json' }
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld } from '../../support/order-world.ts'
import { deposit, everything, merchant, pair, rate, secret } from './file-members.ts'

const play = inOrderWorld(test)

play('the example file makes parties, limits, money and rates', async (world) => {
  const { ask, vault } = operatorOf(world)
  const applied = await ask(apply, demoParties)
  const made = applied.merchants[0]?.credentials[0]?.secret ?? ''
  assert.match(made, /^[\w-]{43}$/)
  assert.equal(
    [applied.merchants.map(({ name }) => name), applied.providers.map(({ name }) => name)],
    [['Demo Shop'], ['Demo Network']],
  )
  const shop = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.equal([shop?.kind, shop?.contact, shop?.requests_per_minute], ['merchant', 'ops@shop.example', null])
  const credential = (await world.rows('credentials')).find(({ key }) => key === 'mk_demo')
  assert.is(vault.open(credentialName('mk_demo'), credential?.secret_ciphertext ?? ''), made)
  assert.equal(await world.rows('pairs'), [
    {
      merchant_id: shop?.id,
      country: 'MX',
      currency: 'MXN',
      min_minor: 1000n,
      max_minor: 5_000_000n,
      cash_increment_minor: 50n,
      pay_out: 1,
      pay_in: 1,
    },
  ])
  assert.equal(
    (await world.rows('networks')).map(({ network_id }) => network_id),
    ['0001', 'demo_shops'],
  )
  assert.is(await world.balance({ ownerId: shop?.id ?? '' }), 10_000_000n)
  assert.is(await world.balance({ kind: 'bank', ownerId: 'main' }), -10_000_000n)
  const rates = await world.rows('rates')
  assert.equal(
    rates.map(({ blockchain, rate: of, fee_fixed, fee_bps, updated_at }) => [
      blockchain,
      of,
      fee_fixed,
      fee_bps,
      updated_at,
    ]),
    ['MONAD', 'SOLANA', 'STELLAR'].map((chain) => [chain, '17.25', '0.5', 100, world.clock.now()]),
  )
})

play('a file applied again changes nothing, and tells no secret again', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  const before = await everything(world)
  world.clock.advance(60_000)
  const { digest: _, ...again } = await ask(apply, demoParties)
  assert.equal(again, {
    merchants: [{ name: 'Demo Shop', credentials: [{ key: 'mk_demo' }] }],
    providers: [{ name: 'Demo Network', credentials: [{ key: 'pk_demo' }] }],
    changes: [],
    dryRun: false,
    differences: [],
    problems: [],
  })
  assert.equal(await everything(world), before)
})

play('what a file does not mention stays', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  const kept = await everything(world)
  await ask(apply, {
    merchants: [{ name: 'Demo Shop', pairs: [{ ...pair, max: '50000' }] }],
    providers: [{ name: 'Demo Network' }],
    rates: [rate({}).rates].flat(),
  })
  const [parties, credentials, pairs, networks, rates] = (await everything(world)) as unknown[]
  const [keptParties, keptCredentials, keptPairs, keptNetworks, keptRates] = kept as unknown[]
  assert.equal(
    [parties, credentials, pairs, networks, rates],
    [keptParties, keptCredentials, keptPairs, keptNetworks, keptRates],
  )
})

play('what a file mentions is changed', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  await ask(apply, {
    merchants: [
      {
        name: 'Demo Shop',
        contact: 'desk@shop.example',
        limits: { requestsPerMinute: 5000 },
        pairs: [{ ...pair, min: '20.00', directions: ['PAY_OUT'] }],
        deposits: [{ ...deposit, reference: 'second' }],
      },
    ],
    rates: [rate({ rate: '18.500', feeFixed: '0', maxAgeSeconds: 600 }).rates].flat(),
  })
  const shop = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.equal([shop?.contact, shop?.requests_per_minute], ['desk@shop.example', 5000])
  const [changed] = await world.rows('pairs')
  assert.equal(
    [changed?.min_minor, changed?.cash_increment_minor, changed?.pay_out, changed?.pay_in],
    [2000n, 50n, 1, 0],
  )
  assert.is(await world.balance({ ownerId: shop?.id ?? '' }), 10_010_000n)
  const solana = (await world.rows('rates')).find(({ blockchain }) => blockchain === 'SOLANA')
  assert.equal(
    [solana?.rate, solana?.fee_fixed, solana?.fee_bps, solana?.max_age_seconds],
    ['18.5', '0', 100, 600],
  )
  await ask(apply, merchant({ name: 'Demo Shop', limits: { requestsPerMinute: null } }))
  const again = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.is(again?.requests_per_minute, null)
})

play('a second secret may be given for the change over, and a third is an error', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, merchant({ credentials: [{ key: 'mk_1' }] }))
  const second = await ask(apply, merchant({ credentials: [{ key: 'mk_1' }, { key: 'mk_2', secret }] }))
  assert.equal(second.merchants[0]?.credentials, [{ key: 'mk_1' }, { key: 'mk_2' }])
  const third = await refusal('apply', merchant({ credentials: [{ key: 'mk_3' }] }))
  assert.equal(third.details, [
    'merchants[0].credentials[0]: key mk_3 would be a third live secret of merchant Kiosk; it may have 2',
  ])
  const given = await ask(apply, merchant({ credentials: [{ key: 'mk_2', secret }] }))
  assert.equal(given.changes, [])
})

play('deposits that together pass what the ledger holds are refused', async (world) => {
  const { refusal } = operatorOf(world)
  const half = '50000000000000000.00'
  const error = await refusal(
    'apply',
    merchant({
      deposits: [
        { currency: 'MXN', amount: half, reference: 'one' },
        { currency: 'MXN', amount: half, reference: 'two' },
      ],
    }),
  )
  assert.equal(error.details, [
    'merchants[0].deposits[1].amount: is more than the ledger can hold, with what is in it already',
  ])
  assert.is(await world.balance({ kind: 'bank', ownerId: '' }), 0n)
})

play('a deposit is booked once by merchant and reference, and wakes the funding', async (world) => {
  const { ask } = operatorOf(world)
  let woken = 0
  world.store.subscribe('funding', () => {
    woken += 1
  })
  await ask(apply, {
    merchants: [
      { name: 'A', deposits: [deposit] },
      { name: 'B', deposits: [deposit] },
    ],
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(woken, 1)
  await ask(apply, { merchants: [{ name: 'A', deposits: [deposit] }] })
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(woken, 1)
  assert.equal(
    (await world.rows('postings')).map(({ kind, amount_minor, reference, order_id }) => [
      kind,
      amount_minor,
      reference,
      order_id,
    ]),
    [
      ['deposit', 10_000n, 'one', null],
      ['deposit', 10_000n, 'one', null],
    ],
  )
})

play('two files at once: the later one is planned for what the earlier one left', async (world) => {
  const { ask } = operatorOf(world)
  // Whichever comes second would bring the third secret.
  const endings = await Promise.allSettled([
    ask(apply, merchant({ credentials: [{ key: 'mk_1' }, { key: 'mk_2' }] })),
    ask(apply, merchant({ credentials: [{ key: 'mk_3' }] })),
  ])
  const refused = endings.flatMap((ending) => (ending.status === 'rejected' ? [ending.reason] : []))
  assert.is(refused.length, 1)
  assert.match(refused[0].details[0], /third live secret/)
  const parallel = await Promise.all(
    Array.from({ length: 20 }, () => ask(apply, merchant({ deposits: [deposit] }))),
  )
  assert.is(parallel.filter(({ changes }) => changes.length > 0).length, 1)
  assert.is(await world.balance({ kind: 'bank', ownerId: '' }), -10_000n)
})

play('the audit log has each file, without its secrets', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, merchant({ credentials: [{ key: 'mk_1', secret }] }))
  await refusal('apply', { merchants: 3 })
  assert.equal(
    (await world.rows('audit')).map(({ operator, operation, input_json, outcome }) => [
      operator,
      operation,
      input_json,
      outcome,
    ]),
    [
      [
        'ana',
        'apply',
        '{"merchants":[{"name":"Kiosk","credentials":[{"key":"mk_1","secret":"***"}]}]}',
        'done: 2 changes',
      ],
      ['ana', 'apply', '{"merchants":3}', 'invalid: The file has one bad place; nothing was changed.'],
    ],
  )
})

test.run()
