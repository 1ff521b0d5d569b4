/** What comes in, and lines of a bank's statement that are no party's. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { OperationError } from '../../../actors/foundation/operation.ts'
import { bankRecord } from '../../../actors/settlement/bank-entries.ts'
import { openStake } from '../../../actors/settlement/bank-lines.ts'
import {
  paymentIdentify,
  paymentReceive,
  paymentReturn,
  paymentShow,
} from '../../../actors/settlement/payment-operations.ts'
import { setOff } from '../../../actors/settlement/set-off.ts'
import { commit, inOrderWorld, shop } from '../../support/order-world.ts'
import {
  assertBooks,
  close,
  network,
  paymentProblems,
  remainders,
  settle,
} from '../../support/payment-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'

play('what a provider pays settles what it owes, and the rest stays unallocated', async (world) => {
  const { ask } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: -30_000n })
  await close(world, network.id, { number: 2, dueMinor: -12_814n })
  const input = { party: 'Network A', bank: 'main', reason }
  const part = await ask(paymentReceive, { ...input, reference: 'IN 1', amount: '350.00' })
  assert.equal(part.change?.settles, [
    { statement: 1, amount: '-300.00' },
    { statement: 2, amount: '-50.00' },
  ])
  const rest = await ask(paymentReceive, { ...input, reference: 'IN 2', amount: '100.00' })
  assert.equal(rest.change?.settles, [{ statement: 2, amount: '-78.14' }])
  assert.equal(await remainders(world, network.id), [0n, 0n])
  assert.is(await world.balance({ kind: 'provider', ownerId: network.id }), 2_186n)
  const id = rest.change?.payment.id ?? ''
  await ask(paymentReturn, { id, reference: 'OUT 2', reason: 'a cheque without funds' })
  assert.equal(await remainders(world, network.id), [0n, -7_814n])
  await assertBooks(world)
})

play('what a provider pays before it is asked for settles what is asked for next', async (world) => {
  const { ask } = await settle(world)
  const input = { party: 'Network A', bank: 'main', reason }
  const book = { partyId: network.id, currency: 'MXN' }
  const { change } = await ask(paymentReceive, { ...input, reference: 'IN 1', amount: '500.00' })
  assert.equal([change?.settles, change?.payment.unallocated], [[], '500.00'])
  const id = change?.payment.id ?? ''
  await close(world, network.id, { number: 1, dueMinor: -42_814n })
  await setOff(world.store, book)
  assert.equal(await remainders(world, network.id), [0n])
  // What the operator owes is not less by it, and is paid.
  await close(world, network.id, { number: 2, dueMinor: 10_000n })
  await close(world, network.id, { number: 3, dueMinor: -10_000n })
  await setOff(world.store, book)
  assert.equal(await remainders(world, network.id), [0n, 7_186n, 0n])
  const shown = await ask(paymentShow, { id })
  assert.equal(
    [shown.settles, shown.unallocated],
    [
      [
        { statement: 1, amount: '-428.14' },
        { statement: 3, amount: '-71.86' },
      ],
      '0.00',
    ],
  )
  await assertBooks(world)
  await commit(world.store, [{ update: 'payments', key: { id }, set: { rest_minor: 1n } }])
  assert.equal(await paymentProblems(world), [`payment ${id}: 1 of it settles nothing, and 0 is left of it`])
  await commit(world.store, [{ update: 'payments', key: { id }, set: { rest_minor: 0n } }])
  // A cheque without funds: what it settled is owed again, but for what another payment and the second statement settle.
  await ask(paymentReceive, { ...input, reference: 'IN 2', amount: '100.00' })
  await ask(paymentReturn, { id, reference: 'OUT 1', reason: 'a cheque without funds' })
  assert.equal(await remainders(world, network.id), [-25_628n, 0n, -7_186n])
  await assertBooks(world)
})

play('what a merchant pays is a deposit: it repays its debt first', async (world) => {
  const { ask, refusal } = await settle(world)
  await world.takeBack(4_000n)
  const input = { party: 'Shop', bank: 'main', reference: 'IN 1', amount: '100.00', reason }
  const { change } = await ask(paymentReceive, input)
  assert.equal(
    change?.postings.map(({ kind, debit, credit, amount }) => [kind, debit, credit, amount]),
    [
      ['payment_receive', 'bank of main', 'available of Shop', '100.00'],
      ['repay', 'available of Shop', 'debt of Shop', '40.00'],
    ],
  )
  assert.equal([await world.balance({}), await world.balance({ kind: 'debt' })], [6_000n, 0n])
  await commit(world.store, [
    {
      insert: 'account_deposits',
      values: { merchant_id: shop.id, reference: 'IN 2', currency: 'MXN', amount_minor: 1n, deposited_at: 0 },
    },
  ])
  const twice = await refusal('payment.receive', { ...input, reference: 'IN 2' })
  assert.is(twice.message, 'Shop has a deposit IN 2 already: it was booked by hand.')
  await assertBooks(world)
})

play('what fits nothing waits in suspense until somebody knows whose it is', async (world) => {
  const { ask, refusal } = await settle(world)
  const input = { bank: 'main', reason }
  const strange = await ask(paymentReceive, { ...input, party: 'Other', reference: 'IN 1', amount: '10.00' })
  assert.is(strange.change, null)
  const unknown = await ask(bankRecord, {
    ...input,
    kind: 'unidentified',
    reference: 'IN 2',
    amount: '20.00',
  })
  assert.is(await world.balance({ kind: 'suspense', ownerId: '' }), 3_000n)
  await assertBooks(world)
  const exception = unknown.exception ?? ''
  const known = await ask(paymentIdentify, { exception, party: 'Network A', reason: 'they sent the receipt' })
  assert.equal([known.payment.state, known.payment.bankReference], ['booked', 'IN 2'])
  assert.is(await world.balance({ kind: 'provider', ownerId: network.id }), 2_000n)
  const row = (await world.rows('exceptions')).find(({ id }) => id === exception)
  assert.equal(
    [row?.state, row?.resolution, row?.resolved_by, row?.resolution_reason, row?.revision],
    ['resolved', 'identified', 'ana', 'they sent the receipt', 2],
  )
  const again = await refusal('payment.identify', { exception, party: 'Network A', reason })
  assert.equal(
    [again.code, again.message, again.hint],
    [
      'conflict',
      `The exception ${exception} was resolved already: identified.`,
      `Look at it: exception show ${exception}`,
    ],
  )
  const wrong = { ...input, kind: 'sent_back', reference: 'OUT 1', exception: strange.exception ?? '' }
  assert.match((await refusal('bank.record', { ...wrong, amount: '9.00' })).message, /send all of it back/)
  await ask(bankRecord, { ...wrong, kind: 'sent_back', amount: '10.00' })
  assert.is(await world.balance({ kind: 'suspense', ownerId: '' }), 0n)
  assert.is(await world.balance({ kind: 'bank', ownerId: 'main' }), -2_000n)
  await assertBooks(world)
})

const lines = [
  ['charge', undefined, 'fee', 'bank of main'],
  ['interest', undefined, 'bank of main', 'fee'],
  ['tax_payment', undefined, 'tax_collected', 'bank of main'],
  ['tax_refund', undefined, 'bank of main', 'tax_credited'],
  ['capital', undefined, 'bank of main', 'equity'],
  ['capital', 'out', 'equity', 'bank of main'],
  ['unidentified', undefined, 'bank of main', 'suspense'],
  ['unidentified', 'out', 'suspense', 'bank of main'],
] as const

play('each kind of line of a bank has its posting', async (world) => {
  const { ask, refusal } = await settle(world)
  for (const [index, [kind, direction, debit, credit]] of lines.entries()) {
    const input = { kind, bank: 'main', reference: `L ${index}`, amount: '7.00', reason } as const
    const { postings } = await ask(bankRecord, direction === undefined ? input : { ...input, direction })
    assert.equal(
      postings.map((one) => [one.debit, one.credit, one.amount]),
      [[debit, credit, '7.00']],
      kind,
    )
  }
  const again = { kind: 'tax_payment', bank: 'main', reference: 'L 2', amount: '8.00', reason }
  const booked = await refusal('bank.record', again)
  assert.match(
    booked.message,
    /^The line L 2 \(out\) of main was booked already: tax payment of 7\.00 MXN at \d{4}-/,
  )
  assert.match(booked.hint ?? '', /a reference of its own/)
  const nowhere = await refusal('bank.record', { ...again, bank: 'other', reference: 'L 9' })
  assert.equal(
    [nowhere.code, nowhere.message, nowhere.hint],
    ['not_found', 'There is no bank account other.', 'Bank accounts are set by apply: "banks".'],
  )
  const odd = { kind: 'tax_payment', direction: 'in', bank: 'main', reference: 'x', amount: '7.00', reason }
  assert.is((await refusal('bank.record', odd)).message, 'direction: a tax payment goes out, not in.')
  await assertBooks(world)
})

test('an exception that was archived after it was looked up has been resolved', () => {
  assert.throws(
    () => openStake(null, 'e-1'),
    ({ code, message, hint }: OperationError) =>
      code === 'conflict' &&
      message === 'The exception e-1 was resolved already, and is archived.' &&
      hint === 'Look at it: exception show e-1',
  )
})

test.run()
