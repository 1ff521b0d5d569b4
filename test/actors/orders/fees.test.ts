/** Fees and commissions through whole lives: what is reserved, what moves with the price, who has what in the end. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { agree, limitExposure, problemsIn, shopFees, termsOf } from '../../support/agreed-terms.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  commit,
  ending,
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  operator,
  shop,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

/** In minor units, by account; those that have nothing are left out. */
async function balances(world: OrderWorld): Promise<Record<string, bigint>> {
  const accounts = await world.rows('accounts')
  return Object.fromEntries(
    accounts
      .filter(({ kind, balance_minor }) => kind !== 'bank' && balance_minor !== 0n)
      .map(({ kind, owner_id, balance_minor }): [string, bigint] => [`${kind} ${owner_id}`, balance_minor])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const made = { feeTerms: shopFees, priceMinor: 125_050n }
const whole = 127_226n
const paid = {
  'fee network-a': -1500n,
  'fee shop': 1876n,
  'provider network-a': 126_790n,
  'tax_collected shop': 300n,
  'tax_credited network-a': -240n,
}
const start = (world: OrderWorld, id: string) => world.start(id, 'A', { hasTerms: true })

async function resolve(world: OrderWorld, kind: string, as: 'honour' | 'return'): Promise<void> {
  const exceptionId = (await world.rows('exceptions')).find((one) => one.kind === kind)?.id ?? ''
  const resolving = { exceptionId, as, reason: 'asked', evidence: null, operator }
  const { outcome } = await resolveException({ store: world.store, ...world.orders.context }, resolving)
  assert.is(outcome, 'resolved')
}

async function expireLocked(world: OrderWorld, changes: object): Promise<string> {
  const { id } = await world.order({ ...changes, expiryAt: world.clock.now() + hourMs })
  assert.is(ending(await start(world, id)), 'accepted')
  world.clock.advance(hourMs + graceMs)
  await world.orders.expire(id)
  return id
}

async function assertSound(world: OrderWorld): Promise<void> {
  await assertInvariants(world)
  assert.equal(await problemsIn(world), [])
}

play(
  'a pay-out costs its merchant price, fee and tax, and pays the provider its commission',
  async (world) => {
    await agree(world)
    await world.deposit(whole)
    const order = await world.order(made)
    assert.is(order.status, 'READY')
    assert.equal(await balances(world), { 'reserved shop': whole })
    await start(world, order.id)
    await world.confirm(order.id, 'A')
    assert.equal(await balances(world), paid)
    await assertSound(world)
  },
)

play('a pay-in brings its merchant the price without fee and tax', async (world) => {
  await agree(world)
  const order = await world.order({ feeTerms: shopFees, direction: 'PAY_IN', priceMinor: 43_800n })
  await start(world, order.id)
  await world.confirm(order.id, 'A')
  assert.equal(await balances(world), {
    'available shop': 42_530n,
    'fee network-a': -850n,
    'fee shop': 1095n,
    'provider network-a': -42_814n,
    'tax_collected shop': 175n,
    'tax_credited network-a': -136n,
  })
  await assertSound(world)
})

play('a pay-out waits for its fee, too', async (world) => {
  await agree(world)
  await world.deposit(whole - 1n)
  const order = await world.order(made)
  assert.is(order.status, 'CREATED')
  assert.equal(await balances(world), { 'available shop': whole - 1n })
  await world.deposit(1n)
  assert.is((await world.row(order.id)).status, 'READY')
  await assertSound(world)
})

play('whoever cancels gets the fee back', async (world) => {
  await agree(world)
  await world.deposit(whole)
  const { id } = await world.order(made)
  await start(world, id)
  await world.giveBack(id, 'A')
  assert.is((await world.row(id)).commission_terms_id, null)
  await world.cancel(id)
  assert.equal(await balances(world), { 'available shop': whole })
  await assertSound(world)
})

play('what ends while locked is suspended whole, and returned whole', async (world) => {
  await agree(world)
  await world.deposit(whole)
  await expireLocked(world, made)
  assert.equal(await balances(world), { 'suspense shop': whole })
  await assertSound(world)
  await resolve(world, 'expired_while_locked', 'return')
  assert.equal(await balances(world), { 'available shop': whole })
  await assertSound(world)
})

play('what ended while locked and is honoured costs and earns what was agreed on', async (world) => {
  await agree(world)
  await world.deposit(whole)
  await expireLocked(world, made)
  world.clock.advance(24 * hourMs)
  await resolve(world, 'expired_while_locked', 'honour')
  assert.equal(await balances(world), paid)
  const [honoured] = (await world.rows('postings')).filter(({ kind }) => kind === 'honour')
  assert.ok(honoured && honoured.about_day !== null && honoured.about_day < honoured.debit_day)
  await assertSound(world)
})

play(
  'what is honoured after it was returned takes price, fee and tax; what is missing is a debt',
  async (world) => {
    await agree(world)
    await world.deposit(whole)
    const id = await expireLocked(world, made)
    await resolve(world, 'expired_while_locked', 'return')
    await world.takeBack(whole - 1000n)
    await world.confirm(id, 'A')
    await resolve(world, 'confirmed_after_return', 'honour')
    assert.equal(await balances(world), { 'debt shop': 1000n - whole, ...paid })
    await assertSound(world)
  },
)

play('the fee of a pay-in is taken before a debt is repaid', async (world) => {
  await agree(world)
  await world.takeBack(100_000n)
  const { id } = await world.order({ feeTerms: shopFees, direction: 'PAY_IN', priceMinor: 43_800n })
  await start(world, id)
  await world.confirm(id, 'A')
  assert.is(await world.balance({ kind: 'debt' }), 42_530n - 100_000n)
  assert.is(await world.balance({ kind: 'fee' }), 1095n)
  await assertSound(world)
})

play('the terms are those of the creation and of the lock, whatever comes later', async (world) => {
  await agree(world)
  const later = world.clock.now() + minuteMs
  const dearer = termsOf('shop-later', {
    direction: 'PAY_OUT',
    bps: 9000,
    from_day: '2001-01-01',
    from_at: later,
  })
  await commit(world.store, [{ insert: 'fee_terms', values: dearer }])
  await world.deposit(2n * whole)
  const before = await world.order({ ...made, feeTerms: [...shopFees, dearer] })
  assert.equal([before.fee_minor, before.fee_terms_id], [1876n, 'shop-out'])
  world.clock.advance(minuteMs)
  const after = await world.order({ ...made, priceMinor: 100n, feeTerms: [dearer, ...shopFees] })
  assert.equal([after.fee_minor, after.fee_terms_id], [90n, 'shop-later'])
  await start(world, before.id)
  assert.is((await world.row(before.id)).fee_minor, 1876n)
  await assertSound(world)
})

play('a pay-in that does not cover its fee is not made', async (world) => {
  const feeTerms = [termsOf('fixed', { fixed_minor: 100n })]
  const pay = { direction: 'PAY_IN', feeTerms } as const
  const less = await world.create({ ...pay, priceMinor: 115n })
  assert.equal(less, { outcome: 'refused', reason: 'price_below_fee' })
  assert.is((await world.create({ ...pay, priceMinor: 116n })).outcome, 'created')
})

const networks: [name: string, network: object, refusal: string | null][] = [
  ['of another currency', { currency: 'USD' }, 'network_currency'],
  ['for less', { currency: 'MXN', max_minor: 43_799n }, 'network_limits'],
  ['for more', { currency: 'MXN', min_minor: 43_801n }, 'network_limits'],
  ['for just that', { currency: 'MXN', min_minor: 43_800n, max_minor: 43_800n }, null],
]
for (const [name, network, refusal] of networks) {
  play(`a start through a network ${name} is ${refusal === null ? 'accepted' : 'refused'}`, async (world) => {
    await agree(world, network)
    const { id } = await world.order({ direction: 'PAY_IN', priceMinor: 43_800n })
    const told = ending(await start(world, id))
    assert.is(told, refusal === null ? 'accepted' : `refused ${refusal}`)
    assert.is((await world.row(id)).commission_minor, refusal === null ? 850n : 0n)
  })
}

const payIn = { direction: 'PAY_IN', priceMinor: 100n } as const

play('a provider starts pay-ins up to what it may owe, holds and doubts included', async (world) => {
  await commit(world.store, [{ insert: 'networks', values: { network_id: '000A', provider_id: tills.A.id } }])
  await limitExposure(world, 300n)
  const begin = async () => {
    const { id } = await world.order(payIn)
    return { id, told: ending(await start(world, id)) }
  }
  const owed = await begin()
  await world.confirm(owed.id, 'A')
  const doubted = await begin()
  await world.cancel(doubted.id, true)
  const held = await begin()
  assert.equal([owed.told, doubted.told, held.told], ['accepted', 'accepted', 'accepted'])
  const refused = await begin()
  assert.is(refused.told, 'refused exposure_reached')
  assert.is(ending(await world.confirm(held.id, 'A')), 'accepted', 'a confirmation is never refused')
  await resolve(world, 'cancelled_while_locked', 'return')
  assert.is((await begin()).told, 'accepted', 'it owes two, and the doubt is over')
  await world.deposit(100n)
  const payOut = await world.order({ priceMinor: 100n })
  assert.is(ending(await start(world, payOut.id)), 'accepted', 'its cash goes out')
})

play('of starts that arrive together no more are accepted than the limit allows', async (world) => {
  await commit(world.store, [{ insert: 'networks', values: { network_id: '000A', provider_id: tills.A.id } }])
  await limitExposure(world, 350n)
  const orders = await Promise.all(Array.from({ length: 8 }, () => world.order(payIn)))
  const told = await Promise.all(orders.map(({ id }) => start(world, id)))
  const endings = told.map(ending).toSorted()
  assert.equal(endings.filter((one) => one === 'accepted').length, 3)
  assert.equal(new Set(endings), new Set(['accepted', 'refused exposure_reached']))
})

const damages: [what: string, set: object][] = [
  ['the fee', { fee_minor: 1875n }],
  ['the terms of the fee', { fee_terms_id: null }],
  ['the commission', { commission_minor: 1n }],
  ['the terms of the commission', { commission_terms_id: 'shop-out' }],
]
for (const [what, set] of damages) {
  play(`verify finds that ${what} of an order was changed`, async (world) => {
    await agree(world)
    await world.deposit(whole)
    const { id } = await world.order(made)
    await start(world, id)
    await world.confirm(id, 'A')
    await commit(world.store, [{ update: 'orders', key: { id }, set }])
    const names = (await problemsIn(world)).map(({ name }) => name)
    assert.ok(names.includes('money'), names.join())
  })
}

play('fees and commissions are owned by the parties of the order', async (world) => {
  await agree(world)
  const { id } = await world.order({ feeTerms: shopFees, direction: 'PAY_IN', priceMinor: 43_800n })
  await start(world, id)
  await world.confirm(id, 'A')
  const owners = (await world.rows('accounts'))
    .filter(({ kind }) => kind === 'fee')
    .map(({ owner_id }) => owner_id)
  assert.equal(owners.toSorted(), [tills.A.id, shop.id].toSorted())
})

test.run()
