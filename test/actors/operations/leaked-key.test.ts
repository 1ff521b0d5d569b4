/** A key has leaked: what was created with it is cancelled, the key is replaced and revoked. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../../actors/foundation/audit.ts'
import { createCredentials } from '../../../actors/keys/credentials.ts'
import { keyList, keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { orderCancelAll } from '../../../actors/orders/sweep-operations.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { row } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  commit,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  otherShop,
  shop,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const second = { ...shop, credential: 'mk_second' } as const

async function addSecondKey({ store }: OrderWorld): Promise<void> {
  const values = { key: 'mk_second', party_id: shop.id, secret_ciphertext: '', created_at: 1 }
  await commit(store, [{ insert: 'credentials', values }])
}

const sweep = { credential: 'mk_shop', since: '2026-03-01T12:30:00Z', reason: 'the key has leaked' }

/** Orders before and after half past twelve, with both keys, in every open status. */
async function busyShop(world: OrderWorld) {
  await addSecondKey(world)
  await world.deposit(500_000n)
  const before = await world.order()
  world.clock.advance(hourMs)
  const ready = await world.order()
  const payIn = await world.order({ direction: 'PAY_IN' })
  const locked = await world.order()
  await world.start(locked.id, 'A')
  const done = await world.order()
  await world.start(done.id, 'A')
  await world.confirm(done.id, 'A')
  const others = await world.order({ merchant: otherShop })
  const ofSecond = await world.order({ merchant: second })
  const waiting = await world.order({ priceMinor: 9_000_000n })
  return { before, ready, payIn, locked, done, others, ofSecond, waiting }
}

play('what a key has created since a time is cancelled; what is locked only by force', async (world) => {
  const { ask } = operatorOf(world)
  const orders = await busyShop(world)
  const status = async (order: { id: string }) => (await world.row(order.id)).status
  const before = (await world.rows('postings')).length
  const shown = await ask(orderCancelAll, { ...sweep, dryRun: true })
  assert.equal([shown.cancelled, shown.refused, shown.dryRun], [3, 1, true])
  assert.is(await status(orders.ready), 'READY')
  assert.is((await world.rows('postings')).length, before)
  const swept = await ask(orderCancelAll, sweep)
  assert.equal(
    [swept.cancelled, swept.refused, swept.more, swept.mayCreateMore, swept.merchant, swept.since],
    [3, 1, false, true, 'Shop', '2026-03-01T12:30:00.000Z'],
  )
  assert.equal(swept.orders, shown.orders, 'what was shown is what was done')
  assert.equal(swept.books, [])
  const booked = (await world.rows('postings')).slice(before)
  assert.is(
    booked.reduce((sum, { amount_minor }) => sum + amount_minor, 0n),
    shown.books.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n),
  )
  assert.equal(
    swept.orders.map(({ id, code, status: now, outcome, problem }) => [id, code, now, outcome, problem]),
    [
      [orders.waiting.id, orders.waiting.code, 'CANCELLED', 'cancelled', null],
      [orders.ready.id, orders.ready.code, 'CANCELLED', 'cancelled', null],
      [orders.payIn.id, orders.payIn.code, 'CANCELLED', 'cancelled', null],
      [
        orders.locked.id,
        orders.locked.code,
        'PAYMENT_STARTED',
        'refused',
        'Network A holds the order since 2026-03-01T13:00:00.000Z: cash may be on the counter.',
      ],
    ],
  )
  for (const kept of [orders.before, orders.ofSecond]) assert.is(await status(kept), 'READY')
  assert.equal([await status(orders.done), await status(orders.others)], ['COMPLETED', 'CREATED'])
  const forced = await ask(orderCancelAll, { ...sweep, force: true })
  assert.equal([forced.cancelled, forced.refused], [1, 0])
  assert.equal(
    [await status(orders.locked), await world.balance({ kind: 'suspense' })],
    ['CANCELLED', 100_000n],
  )
  const nothing = await ask(orderCancelAll, { ...sweep, force: true })
  assert.equal([nothing.cancelled, nothing.refused, nothing.orders], [0, 0, []])
  await assertInvariants(world)
})

play('each is cancelled in its own step, under the operator’s name and reason', async (world) => {
  const { ask } = operatorOf(world)
  const { ready } = await busyShop(world)
  await ask(orderCancelAll, sweep)
  const last = (await world.rows('journal')).filter(({ order_id }) => order_id === ready.id).at(-1)
  assert.equal([last?.actor, JSON.parse(last?.event_json ?? '').reason], ['operator:ana', sweep.reason])
  const { entries } = await ask(auditList, {})
  assert.equal(
    entries.map(({ operation, input, outcome }) => [operation, input, outcome]),
    [['order.cancelAll', sweep, 'done: 3 cancelled, 1 refused']],
  )
})

play('hundreds are found page by page, also where many were created at one moment', async (world) => {
  const { ask } = operatorOf(world)
  const made = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      world.create({ direction: index % 2 === 0 ? 'PAY_IN' : 'PAY_OUT', priceMinor: 1n }),
    ),
  )
  const swept = await ask(orderCancelAll, { ...sweep, since: '2026-03-01T12:00:00Z' })
  assert.equal([swept.cancelled, new Set(swept.orders.map(({ id }) => id)).size], [made.length, made.length])
  const statuses = new Set((await world.rows('orders')).map(({ status }) => status))
  assert.equal([...statuses], ['CANCELLED'])
})

play('a sweep that cannot be meant is refused', async (world) => {
  const { refusal } = operatorOf(world)
  const cases: [input: object, code: string, message: string][] = [
    [{ since: 'yesterday' }, 'invalid', 'since: "yesterday" is not a time such as 2026-03-01T12:00:00Z.'],
    [{ credential: 'nobody' }, 'not_found', "There is no merchant's key nobody."],
    [{ credential: 'pk_a' }, 'not_found', "There is no merchant's key pk_a."],
  ]
  for (const [input, code, message] of cases) {
    const error = await refusal('order.cancelAll', { ...sweep, ...input })
    assert.equal([error.code, error.message], [code, message])
  }
})

const parties = {
  merchants: [{ name: 'Store', credentials: [{ key: 'mk_store' }] }],
  providers: [{ name: 'Store', credentials: [{ key: 'pk_store' }] }],
}

play('a key is rotated with an overlap, and its secret is shown once', async (world) => {
  const { ask, refusal, vault } = operatorOf(world)
  await ask(apply, parties)
  const credentials = createCredentials(world.store, vault)
  await credentials.recordUse('mk_store', world.clock.now())
  world.clock.advance(minuteMs)
  const rotated = await ask(keyRotate, { party: 'Store', kind: 'merchant', reason: 'once a year' })
  assert.match(rotated.key, /^mk_test_[0-9a-f]{12}$/)
  assert.match(rotated.secret, /^[\w-]{43}$/)
  assert.equal(
    rotated.others.map(({ key, state, lastUsed }) => [key, state, lastUsed]),
    [['mk_store', 'live', '2026-03-01T12:00:00.000Z']],
  )
  assert.is((await credentials.identify(rotated.key))?.secret, rotated.secret)
  assert.is((await credentials.identify('mk_store'))?.name, 'Store', 'both are live')
  assert.is(
    (await credentials.webhookCredential((await credentials.identify('mk_store'))?.partyId ?? ''))?.key,
    'mk_store',
  )
  const { keys } = await ask(keyList, { party: 'Store', kind: 'merchant' })
  assert.equal(
    keys.map(({ key, party, kind, state, created, firstUsed, lastUsed, revoked }) => [
      key,
      party,
      kind,
      state,
      created,
      firstUsed,
      lastUsed,
      revoked,
    ]),
    [
      [
        'mk_store',
        'Store',
        'merchant',
        'live',
        '2026-03-01T12:00:00.000Z',
        '2026-03-01T12:00:00.000Z',
        '2026-03-01T12:00:00.000Z',
        null,
      ],
      [rotated.key, 'Store', 'merchant', 'live', '2026-03-01T12:01:00.000Z', null, null, null],
    ],
  )
  assert.not.match(JSON.stringify(keys), new RegExp(rotated.secret))
  const third = await refusal('key.rotate', { party: 'Store', kind: 'merchant' })
  assert.equal(
    [third.code, third.message, third.details],
    [
      'refused',
      'Store has 2 live keys already; more would only be lost.',
      ['mk_store: last used at 2026-03-01T12:00:00.000Z', `${rotated.key}: never used`],
    ],
  )
  const audit = JSON.stringify(await world.rows('audit'))
  assert.match(audit, `done: key ${rotated.key} added`)
  assert.not.match(audit, rotated.secret)
})

play('a new key may be given a name that nobody has', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, parties)
  const { key } = await ask(keyRotate, { party: 'Store', kind: 'provider', key: 'pk_store.2' })
  assert.is(key, 'pk_store.2')
  const taken = await refusal('key.rotate', { party: 'Store', kind: 'merchant', key: 'pk_store' })
  assert.equal([taken.code, taken.message], ['conflict', 'The key pk_store is one of Store already.'])
  const ambiguous = await refusal('key.rotate', { party: 'Store' })
  assert.is(ambiguous.code, 'invalid')
})

play('a revoked key signs nothing any more, neither requests nor webhooks', async (world) => {
  const { ask, refusal, vault } = operatorOf(world)
  await ask(apply, parties)
  const credentials = createCredentials(world.store, vault)
  const partyId = (await credentials.identify('mk_store'))?.partyId ?? ''
  await credentials.recordUse('mk_store', world.clock.now())
  const only = await refusal('key.revoke', { key: 'mk_store' })
  assert.equal(
    [only.code, only.message],
    ['refused', 'mk_store is the only live key of Store: without it nothing it sends is accepted.'],
  )
  const { key } = await ask(keyRotate, { party: 'Store', kind: 'merchant' })
  // An operator has chosen the old one for the webhooks.
  const chosen = { webhook_credential_key: 'mk_store', webhook_credential_at: world.clock.now() }
  await commit(world.store, [{ update: 'parties', key: { id: partyId }, set: chosen }])
  const revoked = await ask(keyRevoke, { key: 'mk_store', reason: 'leaked' })
  assert.equal(
    [revoked.state, revoked.revoked, revoked.party],
    ['revoked', '2026-03-01T12:00:00.000Z', 'Store'],
  )
  assert.is(await credentials.identify('mk_store'), null)
  assert.is((await credentials.webhookCredential(partyId))?.key, key)
  const party = await world.store.step({
    rows: { party: row('parties', { id: partyId }) },
    decide: ({ party }) => ({ answer: party?.webhook_credential_key, writes: [] }),
  })
  assert.is(party.outcome === 'committed' && party.answer, null)
  const again = await refusal('key.revoke', { key: 'mk_store' })
  assert.equal(
    [again.code, again.message],
    ['conflict', 'The key mk_store of Store was revoked already, at 2026-03-01T12:00:00.000Z.'],
  )
  await ask(keyRevoke, { key, force: true })
  assert.is(await credentials.webhookCredential(partyId), null, 'its webhooks wait')
  assert.is((await refusal('key.revoke', { key: 'nobody' })).message, 'There is no key nobody.')
})

play('of two who revoke the two keys of a party at once one is stopped', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, parties)
  await ask(keyRotate, { party: 'Store', kind: 'merchant', key: 'mk_new' })
  const ended = await Promise.allSettled(['mk_store', 'mk_new'].map((key) => ask(keyRevoke, { key })))
  assert.equal(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const { keys } = await ask(keyList, { party: 'Store', kind: 'merchant' })
  assert.equal(keys.map(({ state }) => state).sort(), ['live', 'revoked'])
})

play('of keys that are added at once no more than two are live', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, parties)
  const names = ['mk_1', 'mk_2', 'mk_3', 'mk_4']
  const ended = await Promise.allSettled([
    ...names.map((key) => ask(keyRotate, { party: 'Store', kind: 'merchant', key })),
    ask(apply, { merchants: [{ name: 'Store', credentials: [{ key: 'mk_5' }] }] }),
  ])
  assert.is(ended.filter(({ status }) => status === 'fulfilled').length, 1)
  const { keys } = await ask(keyList, { party: 'Store', kind: 'merchant' })
  assert.is(keys.length, 2)
})

test.run()
