import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ChainDeposit, type ChainDepositFlag, chainDepositIdentity } from '../../chain/chain-deposits.ts'
import {
  type ChainDepositReason,
  type FundableOrder,
  match,
  type ProposedAction,
  unreadableOrder,
} from '../../chain/matching.ts'
import { orderStatuses } from '../../machines/statuses.ts'

const deadline = Date.UTC(2026, 2, 4, 12, 30)
const [ours, another] = ['aa'.repeat(32), 'bb'.repeat(32)]

function order(changes: Partial<FundableOrder> = {}): FundableOrder {
  return {
    id: 'order',
    blockchain: 'SOLANA',
    assetId: 'mint',
    wallet: 'wallet',
    reference: ours,
    expected: 100n,
    received: 0n,
    status: 'CREATED',
    fundingDeadline: deadline,
    ...changes,
  }
}

function deposit(changes: Partial<ChainDeposit> = {}): ChainDeposit {
  return {
    blockchain: 'SOLANA',
    transactionId: 'transaction',
    index: '0',
    height: '1',
    at: deadline - 60_000,
    assetId: 'mint',
    symbol: 'USDC',
    amount: 100n,
    sender: 'wallet',
    references: [ours],
    flags: [],
    evidence: {},
    ...changes,
  }
}

/** The verdict in one line, as the tables below write it. */
function verdict(paid: ChainDeposit, orders: readonly FundableOrder[]): string {
  const decided = match(paid, {
    byReference: orders.filter(({ reference }) => paid.references.includes(reference)),
    byWallet: orders.filter(({ wallet, status }) => wallet === paid.sender && status === 'CREATED'),
    archived: [],
  })
  const told = (
    exception: { reason: ChainDepositReason; amount: bigint; acceptable: boolean } & Proposal,
  ): string => {
    assert.match(exception.explanation, /^[A-Z].+\.$/)
    return [
      exception.reason,
      exception.amount,
      exception.proposedAction,
      exception.proposedOrderId ?? 'none',
      ...(exception.acceptable ? ['acceptable'] : []),
    ].join(' ')
  }
  switch (decided.kind) {
    case 'ignore':
      return `ignore ${decided.reason}`
    case 'exception':
      return told(decided.exception)
    case 'credit': {
      const rest = decided.exception === null ? '' : `; ${told(decided.exception)}`
      return `credit ${decided.amount} to ${decided.orderId}, missing ${decided.missing}${rest}`
    }
  }
}

interface Proposal {
  explanation: string
  proposedAction: ProposedAction
  proposedOrderId: string | null
}

function table(
  name: string,
  rows: readonly [string, Partial<ChainDeposit>, readonly FundableOrder[], string][],
): void {
  for (const [title, changes, orders, expected] of rows)
    test(`${name}: ${title}`, () => {
      assert.is(verdict(deposit(changes), orders), expected)
    })
}

table('reference and wallet', [
  ['the exact sum funds', {}, [order()], 'credit 100 to order, missing 0'],
  ['too little is summed', { amount: 40n }, [order()], 'credit 40 to order, missing 60'],
  ['the smallest unit missing', { amount: 99n }, [order()], 'credit 99 to order, missing 1'],
  ['the missing rest funds', { amount: 60n }, [order({ received: 40n })], 'credit 60 to order, missing 0'],
  [
    'too much funds, the rest is an exception',
    { amount: 101n },
    [order()],
    'credit 100 to order, missing 0; overpaid 1 refund order',
  ],
  [
    'too much in the second transfer',
    { amount: 100n },
    [order({ received: 40n })],
    'credit 60 to order, missing 0; overpaid 40 refund order',
  ],
  ['the last moment of the window is in time', { at: deadline }, [order()], 'credit 100 to order, missing 0'],
  [
    'a stranger’s extra reference does no harm',
    { references: [another, ours] },
    [order()],
    'credit 100 to order, missing 0',
  ],
  [
    'another chain’s order with the same reference is none of ours',
    {},
    [order({ id: 'elsewhere', blockchain: 'MONAD' }), order()],
    'credit 100 to order, missing 0',
  ],
  [
    'two orders of one wallet and one amount are told apart by reference',
    { references: [another] },
    [order({ id: 'first' }), order({ id: 'second', reference: another })],
    'credit 100 to second, missing 0',
  ],
])

table('an order’s reference that does not fund', [
  ['from another wallet', { sender: 'other' }, [order()], 'other_sender 100 refund order acceptable'],
  ['from nobody known', { sender: null }, [order()], 'unknown_sender 100 investigate order acceptable'],
  [
    'in another asset of the same symbol',
    { assetId: 'impostor', symbol: null },
    [order()],
    'wrong_asset 100 refund order',
  ],
  [
    'in another accepted asset',
    { assetId: 'euro', symbol: 'EURC' },
    [order()],
    'wrong_asset 100 refund order',
  ],
  ['too late', { at: deadline + 1 }, [order()], 'late 100 accept order acceptable'],
  ['at an unknown time', { at: null }, [order()], 'unknown_time 100 investigate order acceptable'],
  [
    'of several orders',
    { references: [ours, another] },
    [order(), order({ id: 'second', reference: another })],
    'several_references 100 investigate none',
  ],
  [
    'larger than the ledger',
    { amount: 2n ** 63n },
    [order()],
    'amount_too_large 9223372036854775808 investigate order',
  ],
  [
    'as large as the ledger',
    { amount: 2n ** 63n - 1n },
    [order()],
    'credit 100 to order, missing 0; overpaid 9223372036854775707 refund order',
  ],
  [
    'funded already, before its status says so',
    {},
    [order({ received: 100n })],
    'already_funded 100 refund order',
  ],
])

const byStatus: Readonly<Record<(typeof orderStatuses)[number], string>> = {
  CREATED: 'credit 100 to order, missing 0',
  READY: 'already_funded 100 refund order',
  PAYMENT_STARTED: 'already_funded 100 refund order',
  COMPLETED: 'already_funded 100 refund order',
  CANCELLED: 'order_cancelled 100 refund order',
  EXPIRED: 'order_expired 100 refund order',
}
for (const status of orderStatuses)
  test(`an order in ${status}: ${byStatus[status]}`, () => {
    const received = status === 'CREATED' ? 0n : 100n
    assert.is(verdict(deposit(), [order({ status, received })]), byStatus[status])
    if (status !== 'CREATED')
      assert.is(verdict(deposit(), [order({ status, received: 40n })]), byStatus[status])
  })

const byFlag: Readonly<Record<ChainDepositFlag, string>> = {
  unexplained: 'unexplained 100 investigate order acceptable',
  muxed_destination: 'muxed_destination 100 accept order acceptable',
  clawback: 'clawback 100 investigate order',
  claimable_balance: 'claimable_balance 100 accept order acceptable',
  fee_withheld: 'credit 100 to order, missing 0',
  path_payment: 'credit 100 to order, missing 0',
  contract_call: 'credit 100 to order, missing 0',
}
for (const [flag, expected] of Object.entries(byFlag) as [ChainDepositFlag, string][])
  test(`flag ${flag}: ${expected}`, () => {
    assert.is(verdict(deposit({ flags: [flag] }), [order()]), expected)
  })

table('flags', [
  [
    'a harmless one before a grave one',
    { flags: ['contract_call', 'unexplained'] },
    [order()],
    'unexplained 100 investigate order acceptable',
  ],
  [
    'in the wrong asset, that comes first',
    { flags: ['muxed_destination'], assetId: 'impostor', symbol: null },
    [order()],
    'wrong_asset 100 refund order',
  ],
  [
    'a claimed balance of a dead order can only be paid back',
    { flags: ['claimable_balance'] },
    [order({ status: 'EXPIRED' })],
    'claimable_balance 100 refund order',
  ],
  ['a clawback names no order', { flags: ['clawback'], references: [] }, [], 'clawback 100 investigate none'],
])

const bare = { references: [] }
table('without an order’s reference', [
  ['nobody’s', { ...bare, sender: 'other' }, [order()], 'no_reference 100 refund none'],
  ['from nobody known', { ...bare, sender: null }, [order()], 'no_reference 100 investigate none'],
  ['the wallet’s one order', bare, [order()], 'no_reference 100 accept order acceptable'],
  [
    'the wallet’s one order, another amount',
    { ...bare, amount: 7n },
    [order()],
    'no_reference 7 accept order acceptable',
  ],
  [
    'the one of two orders that misses this sum',
    { ...bare, amount: 60n },
    [order(), order({ id: 'partly', reference: another, received: 40n })],
    'no_reference 60 accept partly acceptable',
  ],
  [
    'two orders that miss this sum',
    bare,
    [order(), order({ id: 'second', reference: another })],
    'no_reference 100 refund none',
  ],
  [
    'two orders that miss other sums',
    { ...bare, amount: 7n },
    [order(), order({ id: 'second', reference: another })],
    'no_reference 7 refund none',
  ],
  [
    'an order in another asset',
    { ...bare, assetId: 'euro', symbol: 'EURC' },
    [order()],
    'no_reference 100 refund none',
  ],
  ['an order on another chain', bare, [order({ blockchain: 'MONAD' })], 'no_reference 100 refund none'],
  ['an order that has its money', bare, [order({ received: 100n })], 'no_reference 100 refund none'],
  [
    'a reference nobody has',
    { references: [another] },
    [order()],
    'unknown_reference 100 accept order acceptable',
  ],
  [
    'a reference nobody has, of a stranger',
    { references: [another], sender: 'x' },
    [],
    'unknown_reference 100 refund none',
  ],
  [
    'larger than the ledger',
    { ...bare, amount: 2n ** 64n },
    [order()],
    'no_reference 18446744073709551616 refund order',
  ],
  [
    'a token nobody accepts is spam',
    { ...bare, assetId: 'spam', symbol: null },
    [order()],
    'ignore foreign_token',
  ],
  [
    'a token nobody accepts, with a reference nobody has',
    { references: [another], assetId: 'spam', symbol: null },
    [],
    'ignore foreign_token',
  ],
])

test('a lookup that answers with more than was asked for changes nothing', () => {
  const orders = [order({ id: 'x', reference: another }), order({ id: 'y', wallet: 'other' })]
  const decided = match(deposit({ references: [] }), {
    byReference: orders,
    byWallet: orders,
    archived: [],
  })
  assert.is(decided.kind === 'exception' && decided.exception.proposedOrderId, 'x')
})

test('what carries the reference of an archived order goes back, whatever token it is', () => {
  const orders = { byReference: [], byWallet: [order({ id: 'waiting' })], archived: ['ended'] }
  const told = (changes: Partial<ChainDeposit>) => {
    const decided = match(deposit(changes), orders)
    if (decided.kind === 'exception') assert.match(decided.exception.explanation, /^[A-Z].+\.$/)
    return decided.kind === 'exception'
      ? [decided.exception.reason, decided.exception.proposedAction, decided.exception.proposedOrderId]
      : decided.kind
  }
  assert.equal(told({}), ['order_archived', 'refund', null])
  assert.equal(told({ symbol: null }), ['order_archived', 'refund', null])
  assert.equal(told({ flags: ['clawback'] }), ['clawback', 'investigate', null])
})

test('the least and the largest amount that the ledger holds can still be an order’s', () => {
  assert.is(verdict(deposit({ amount: 1n }), [order()]), 'credit 1 to order, missing 99')
  const largest = 2n ** 63n - 1n
  const late = { at: deadline + 1, amount: largest }
  assert.is(verdict(deposit(late), [order()]), `late ${largest} accept order acceptable`)
})

test('what can be accepted need not be paid back, and so may have come from nobody', () => {
  const muxed = deposit({ sender: null, flags: ['muxed_destination'] })
  assert.is(verdict(muxed, [order()]), 'muxed_destination 100 accept order acceptable')
  assert.is(verdict(muxed, [order({ received: 100n })]), 'muxed_destination 100 investigate order')
})

test('a deposit of an order that cannot be read waits for a program that can, and is the order’s', () => {
  const { explanation, ...exception } = unreadableOrder({ amount: 7n }, 'order')
  const proposed = { proposedOrderId: 'order', proposedAction: 'accept', acceptable: true }
  assert.equal(exception, { reason: 'order_unreadable', amount: 7n, ...proposed })
  assert.match(explanation, /^This program cannot read the order/)
})

test('an amount that is not positive is a defect of the adapter', () => {
  for (const amount of [0n, -1n]) assert.throws(() => verdict(deposit({ amount }), [order()]), RangeError)
})

test('a deposit is identified by chain, transaction and index', () => {
  assert.is(chainDepositIdentity(deposit({ index: '2.0' })), 'SOLANA/transaction/2.0')
})

test.run()
