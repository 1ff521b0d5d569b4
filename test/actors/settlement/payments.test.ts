/** Payments on a real ledger: what is ordered, booked and returned, what is refused, and where the money is meanwhile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditList } from '../../../actors/foundation/audit.ts'
import { partyFreeze } from '../../../actors/parties/operations.ts'
import { paymentList } from '../../../actors/settlement/payment-list.ts'
import {
  paymentBook,
  paymentOrder,
  paymentReceive,
  paymentReturn,
  paymentSent,
  paymentShow,
} from '../../../actors/settlement/payment-operations.ts'
import { commit, inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { assertBooks, close, network, remainders, settle, termsOf } from '../../support/payment-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'
const order = { party: 'Shop', bank: 'main', reason }

const held = async (world: OrderWorld) => [
  await world.balance({ kind: 'payable' }),
  await world.balance({ kind: 'transit' }),
  await world.balance({ kind: 'bank', ownerId: 'main' }),
]

play('a payment is ordered, sent and booked, and what it settles is due no more', async (world) => {
  const { ask } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 30_000n })
  await close(world, shop.id, { number: 2, dueMinor: 12_530n })
  const { payment, settles, postings } = await ask(paymentOrder, order)
  assert.equal(
    [payment.amount, payment.account, payment.state, payment.revision],
    ['425.30', 'CLABE 5678', 'ordered', 1],
  )
  assert.equal(settles, [
    { statement: 1, amount: '300.00' },
    { statement: 2, amount: '125.30' },
  ])
  assert.equal(postings, [
    {
      kind: 'payment_order',
      debit: 'payable of Shop',
      credit: 'transit of Shop',
      amount: '425.30',
      currency: 'MXN',
    },
  ])
  assert.equal(await held(world), [0n, 42_530n, 0n])
  await ask(paymentSent, { id: payment.id, reason })
  const booked = await ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason, revision: 2 })
  assert.equal([booked.payment.state, booked.payment.bankReference], ['booked', 'SPEI 1'])
  assert.equal(await held(world), [0n, 0n, 42_530n])
  assert.equal(await remainders(world), [0n, 0n])
  const shown = await ask(paymentShow, { id: payment.id })
  assert.equal(
    shown.events.map(({ event, operator, from, to }) => [event, operator, from, to]),
    [
      ['payment.order', 'ana', null, 'ordered'],
      ['payment.send', 'ana', 'ordered', 'sent'],
      ['payment.book', 'ana', 'sent', 'booked'],
    ],
  )
  const { entries } = await ask(auditList, { operation: 'payment.book' })
  assert.is(entries[0]?.outcome, 'done: 425.30 MXN Shop, booked')
  await assertBooks(world)
})

play('a bounce goes back the way it came, and is due again', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const { payment } = await ask(paymentOrder, order)
  await ask(paymentSent, { id: payment.id, reason })
  await ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason })
  const without = await refusal('payment.return', { id: payment.id, reason })
  assert.match(without.message, /what does the bank call the line that brought it back/)
  const { postings } = await ask(paymentReturn, { id: payment.id, reference: 'DEV 1', reason: 'closed' })
  assert.equal(
    postings.map(({ kind, debit, credit }) => [kind, debit, credit]),
    [
      ['payment_bounce', 'bank of main', 'transit of Shop'],
      ['payment_restore', 'transit of Shop', 'payable of Shop'],
    ],
  )
  assert.equal(await held(world), [10_000n, 0n, 0n])
  assert.equal(await remainders(world), [10_000n])
  const allocations = await world.rows('allocations')
  assert.equal(
    allocations.map(({ amount_minor }) => amount_minor),
    [10_000n, -10_000n],
  )
  const again = await ask(paymentOrder, order)
  assert.is(again.payment.amount, '100.00')
  await assertBooks(world)
})

play('parts are paid, the oldest statement first, or one that is named', async (world) => {
  const { ask } = await settle(world)
  for (const [index, dueMinor] of [5_000n, 3_000n, 2_000n].entries())
    await close(world, shop.id, { number: index + 1, dueMinor })
  await ask(paymentOrder, { ...order, amount: '60.00' })
  assert.equal(await remainders(world), [0n, 2_000n, 2_000n])
  await ask(paymentOrder, { ...order, statement: 3, amount: '5.00' })
  assert.equal(await remainders(world), [0n, 2_000n, 1_500n])
  await ask(paymentOrder, order)
  assert.equal(await remainders(world), [0n, 0n, 0n])
  assert.equal(await held(world), [0n, 10_000n, 0n])
  const { payments } = await ask(paymentList, { party: 'Shop', state: 'ordered' })
  assert.equal(payments.map(({ amount }) => amount).toSorted(), ['35.00', '5.00', '60.00'])
  await assertBooks(world)
})

const refusals: [name: string, input: object, code: string, message: RegExp][] = [
  [
    'above what is due',
    { amount: '100.01' },
    'refused',
    /^100\.01 MXN is above what is due to Shop: 100\.00 MXN\.$/,
  ],
  ['no amount', { amount: 'much' }, 'invalid', /^amount: "much" is not an amount of MXN\.$/],
  ['nothing', { amount: '0' }, 'invalid', /^amount: "0" is not above zero\.$/],
  ['too many decimals', { amount: '1.005' }, 'invalid', /^amount: "1\.005" has more decimals than MXN\.$/],
  ['an unknown bank', { bank: 'moon' }, 'not_found', /^There is no bank account moon\.$/],
  [
    'a bank of another currency',
    { bank: 'dollars', currency: 'MXN' },
    'refused',
    /^The bank account dollars is in USD: nothing in MXN is paid from it\.$/,
  ],
  [
    'the wrong currency',
    { currency: 'USD' },
    'refused',
    /^The bank account main is in MXN: nothing in USD is paid from it\.$/,
  ],
  [
    'a currency without terms',
    { bank: 'dollars' },
    'refused',
    /^Shop has no account for USD in its terms\.$/,
  ],
  ['an unknown party', { party: 'Nobody' }, 'not_found', /^There is no party Nobody\.$/],
  ['a party without terms', { party: 'Other' }, 'refused', /^Other has no account for MXN in its terms\.$/],
  [
    'a statement of another party',
    { statement: 2 },
    'refused',
    /^Shop has no statement 2 in MXN that something is left of\.$/,
  ],
  ['who owes us', { party: 'Network A' }, 'refused', /^Nothing is due to Network A in MXN\.$/],
  [
    'what has changed since',
    { due: '99.00' },
    'conflict',
    /^What is due to Shop has changed since you looked: 100\.00 MXN now\.$/,
  ],
]

play('what must not be paid is refused in one line, and nothing is written', async (world) => {
  const { refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  await close(world, network.id, { number: 1, dueMinor: 5_000n })
  await close(world, network.id, { number: 2, dueMinor: -8_000n })
  const before = await world.rows('postings')
  for (const [name, input, code, message] of refusals) {
    const error = await refusal('payment.order', { ...order, ...input })
    assert.is(error.code, code, name)
    assert.match(error.message, message, name)
  }
  assert.equal(await world.rows('postings'), before)
  assert.equal(await world.rows('payments'), [])
  assert.equal(await world.rows('allocations'), [])
})

play('a frozen party is paid nothing, and what it pays is booked', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: 5_000n })
  await ask(partyFreeze, { name: 'Network A', reason: 'a call' })
  const error = await refusal('payment.order', { ...order, party: 'Network A' })
  assert.equal([error.code, error.message], ['refused', 'Network A is frozen: a call.'])
  await ask(paymentReceive, { party: 'Network A', bank: 'main', reference: 'IN 1', amount: '1', reason })
  assert.is(await world.balance({ kind: 'provider', ownerId: network.id }), 5_100n)
})

play('an account that is not in force yet is not paid to', async (world) => {
  const { ask } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const at = world.clock.now() + 3_600_000
  await commit(world.store, [
    {
      update: 'settlement_terms',
      key: { party_id: shop.id, currency: 'MXN' },
      set: { next_account: 'CLABE 9999', next_account_at: at },
    },
  ])
  const first = await ask(paymentOrder, { ...order, amount: '40.00' })
  assert.is(first.payment.account, 'CLABE 5678')
  world.clock.advance(3_600_000)
  const second = await ask(paymentOrder, order)
  assert.is(second.payment.account, 'CLABE 9999')
  assert.is((await ask(paymentShow, { id: first.payment.id })).account, 'CLABE 5678')
})

play('after a restore nothing is ordered, and what the banks say is booked', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const { payment } = await ask(paymentOrder, { ...order, amount: '10.00' })
  await commit(world.store, [{ insert: 'facts', values: { name: 'settlement_stopped', value: '{}' } }])
  assert.match((await refusal('payment.order', order)).message, /^Settlement is stopped since a backup/)
  assert.match(
    (await refusal('payment.due', { order: true, bank: 'main' })).message,
    /^Settlement is stopped since a backup/,
  )
  await ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason })
  await assertBooks(world)
})

play('a dry run shows what would be booked, and books nothing', async (world) => {
  const { ask } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const shown = await ask(paymentOrder, { ...order, dryRun: true })
  assert.equal(await world.rows('payments'), [])
  const done = await ask(paymentOrder, order)
  assert.equal([done.postings, done.settles], [shown.postings, shown.settles])
  const { id } = done.payment
  const told = await ask(paymentBook, { id, reference: 'SPEI 1', reason, dryRun: true })
  assert.is(told.payment.state, 'booked')
  assert.is((await ask(paymentShow, { id })).state, 'ordered')
})

play('a line of the bank is booked once, whatever it is about', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const first = await ask(paymentOrder, { ...order, amount: '10.00' })
  const second = await ask(paymentOrder, { ...order, amount: '20.00' })
  await ask(paymentBook, { id: first.payment.id, reference: 'SPEI 1', reason })
  const twice = await refusal('payment.book', { id: second.payment.id, reference: 'SPEI 1', reason })
  assert.equal(
    [twice.code, twice.message],
    [
      'conflict',
      'The line SPEI 1 (out) of main was booked already: payment of 10.00 MXN at 2026-03-01T12:00:00.000Z.',
    ],
  )
  const charge = { kind: 'charge', bank: 'main', reference: 'SPEI 1', amount: '1.00', reason } as const
  assert.is((await refusal('bank.record', charge)).code, 'conflict')
  // The other way is another line.
  await ask(paymentReceive, { party: 'Network A', bank: 'main', reference: 'SPEI 1', amount: '5', reason })
  const again = await refusal('payment.receive', {
    party: 'Network A',
    bank: 'main',
    reference: 'SPEI 1',
    amount: '5',
    reason,
  })
  assert.is(again.code, 'conflict')
  await ask(paymentSent, { id: second.payment.id, reference: 'SPEI 2', reason })
  const third = await ask(paymentOrder, { ...order, amount: '30.00' })
  const taken = await refusal('payment.sent', { id: third.payment.id, reference: 'SPEI 2', reason })
  assert.equal(
    [taken.code, taken.message],
    ['conflict', 'Another payment of main has the bank reference SPEI 2 already.'],
  )
  await assertBooks(world)
})

play('of two operators the second is told that it has changed', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const { payment } = await ask(paymentOrder, order)
  const tell = () => ask(paymentSent, { id: payment.id, reason, revision: 1 })
  const both = await Promise.allSettled([tell(), tell()])
  assert.equal(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const late = await refusal('payment.return', { id: payment.id, reason, revision: 1 })
  assert.equal(
    [late.code, late.message],
    ['conflict', 'The payment has changed since you looked (revision 2 now).'],
  )
  const twice = await Promise.allSettled([ask(paymentOrder, order), ask(paymentOrder, order)])
  assert.equal(
    twice.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

play('of two operators who order the same money one does', async (world) => {
  const { ask } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  const both = await Promise.allSettled([ask(paymentOrder, order), ask(paymentOrder, order)])
  assert.equal(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal(await held(world), [0n, 10_000n, 0n])
  await assertBooks(world)
})

play('a provider that is owed is paid no more than its statements come to', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: 8_000n })
  await close(world, network.id, { number: 2, dueMinor: -3_000n })
  const above = await refusal('payment.order', { ...order, party: 'Network A', amount: '60.00' })
  assert.match(above.message, /above what is due to Network A: 50\.00 MXN/)
  const { payment } = await ask(paymentOrder, { ...order, party: 'Network A' })
  assert.is(payment.amount, '50.00')
  await ask(paymentReturn, { id: payment.id, reason: 'never sent' })
  await assertBooks(world)
})

play('a party without an account is paid nothing', async (world) => {
  const { refusal } = await settle(world)
  await commit(world.store, [termsOf('network-b', null)])
  await close(world, 'network-b', { number: 1, dueMinor: 8_000n })
  const error = await refusal('payment.order', { ...order, party: 'Network B' })
  assert.is(error.message, 'Network B has no account for MXN in its terms.')
})

test.run()
