/** Deposits that are on record under a former name, or under that of an incomplete reading, are not recorded again. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import { type RecordedChainDeposit, unrecorded } from '../../chain/recorded.ts'
import type { Blockchain } from '../../machines/blockchains.ts'

interface Told {
  readonly index: string
  readonly amount: bigint
  readonly sender?: string | null
  readonly assetId?: string
  readonly tokenAccount?: string
}

function recorded({
  index,
  amount,
  sender = 'ana',
  assetId = 'usdc',
  tokenAccount,
}: Told): RecordedChainDeposit {
  return { index, amount, sender, assetId, evidence: tokenAccount === undefined ? {} : { tokenAccount } }
}

function read(blockchain: Blockchain, told: Told): ChainDeposit {
  const rest = { transactionId: 't', height: '1', at: 1, symbol: null, references: [], flags: [] } as const
  return { ...recorded(told), ...rest, blockchain }
}

function left(blockchain: Blockchain, news: readonly Told[], known: readonly Told[]): string[] {
  const deposits = news.map((told) => read(blockchain, told))
  return unrecorded(blockchain, deposits, known.map(recorded)).map(
    ({ index, amount }) => `${index}: ${amount}`,
  )
}

test('a log that 0.1.0 recorded by its place in the block is known, wherever a pool numbers it now', () => {
  const news = [{ index: 'xaa.0', amount: 25n }]
  assert.equal(left('MONAD', news, [{ index: '17', amount: 25n }]), [])
  // What arrived of it was told otherwise then.
  assert.equal(left('MONAD', news, [{ index: '17', amount: 24n }]), [])
  assert.equal(left('MONAD', news, [{ index: '17', amount: 25n, sender: 'bob' }]), ['xaa.0: 25'])
  assert.equal(left('MONAD', news, [{ index: '17', amount: 25n, assetId: 'other' }]), ['xaa.0: 25'])
})

test('each former name stands for one transfer: of equal ones the rest is new', () => {
  const three = ['xaa.0', 'xaa.1', 'xaa.2'].map((index) => ({ index, amount: 10n }))
  assert.equal(left('MONAD', three, [{ index: '3', amount: 10n }]), ['xaa.1: 10', 'xaa.2: 10'])
  const all = ['3', '4', '5'].map((index) => ({ index, amount: 10n }))
  assert.equal(left('MONAD', three, all), [])
  // One that 0.1.0 had twice, since it was numbered anew.
  assert.equal(left('MONAD', three, [...all, { index: '9', amount: 10n }]), [])
})

test('the rest stays the rest when it is read again', () => {
  const news = [
    { index: 'xaa.0', amount: 5n },
    { index: 'xbb.0', amount: 7n },
  ]
  const former = [{ index: '3', amount: 6n }]
  assert.equal(left('MONAD', news, former), ['xbb.0: 7'])
  assert.equal(left('MONAD', news, [...former, { index: 'xbb.0', amount: 7n }]), [])
  assert.equal(left('MONAD', news, [{ index: '3', amount: 7n }]), ['xaa.0: 5'])
})

const account = { tokenAccount: 'account' }

test('a token account’s gain is known as a whole, or transfer by transfer, and never as both', () => {
  const whole = { index: 'net.account', amount: 29n, ...account }
  const transfers = [
    { index: 'xaa.0', amount: 20n, ...account },
    { index: 'xbb.0', amount: 9n, ...account },
  ]
  assert.equal(left('SOLANA', transfers, [{ ...whole, sender: null }]), [])
  assert.equal(left('SOLANA', [whole], transfers), [])
  assert.equal(left('SOLANA', [whole], transfers.slice(0, 1)), ['net.account: 9'])
  assert.equal(left('SOLANA', transfers, [transfers[0] ?? whole, { ...whole, amount: 9n }]), [])
  for (const index of ['3.0', '3']) assert.equal(left('SOLANA', [whole], [{ ...whole, index }]), [])
  const former = [
    { index: '3.0', amount: 20n, ...account },
    { index: '3.1', amount: 9n, sender: null, ...account },
  ]
  assert.equal(left('SOLANA', transfers, former), [])
  const elsewhere = { ...whole, tokenAccount: 'other', index: 'net.other' }
  assert.equal(left('SOLANA', [whole], [elsewhere]), ['net.account: 29'])
})

test('an operation of Stellar keeps its name, and its changes are known under their former ones', () => {
  assert.equal(left('STELLAR', [{ index: '2', amount: 5n }], [{ index: '1', amount: 5n }]), ['2: 5'])
  assert.equal(left('STELLAR', [{ index: '2', amount: 5n }], [{ index: '2', amount: 5n }]), [])
  const changes = [
    { index: '1.xaa.0', amount: 5n },
    { index: '1.xbb.0', amount: 6n },
  ]
  assert.equal(left('STELLAR', changes, [{ index: '1.1', amount: 6n }]), ['1.xaa.0: 5'])
  assert.equal(left('STELLAR', changes, [{ index: '2.1', amount: 6n }]), ['1.xaa.0: 5', '1.xbb.0: 6'])
})

test.run()
