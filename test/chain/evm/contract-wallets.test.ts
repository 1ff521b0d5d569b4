/** Money that contracts send on Monad: wallets that are contracts, bundles, claims, tokens that are made. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { tokenAbi } from '../../support/chains/evm/accounts.ts'
import { type LocalEvm, startEvm } from '../../support/chains/evm/local.ts'
import { newReference, only, transfer, value } from '../asking.ts'
import { Book } from '../book.ts'
import { finalChainDeposits, newContractWallet } from './contract-wallet.ts'

const test = suite<{ chain: LocalEvm; adapter: ChainAdapter }>('deposits on Monad')

test.before(async (t) => {
  t.chain = await startEvm('MONAD')
  t.adapter = t.chain.open({ clock: t.chain.now })
})

test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})

test.after.each(async ({ chain }) => {
  chain.fresh.firstBalance = 0
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = null
  await chain.finalize()
})

const floodAbi = parseAbi(['function flood(address to, uint256 count)'])

test('a contract wallet funds its order when it passes the reference on', async (t) => {
  const { wallet, owner, execute } = await newContractWallet(t)
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const request = transfer(t.chain, wallet, 100n)
  const id = book.open(request)
  const paid = await execute(t.chain.transferData(100n, [request.reference]))
  const bare = await execute(t.chain.transferData(100n))
  await t.chain.finalize()
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 100, missing 0'])
  assert.equal(book.verdictOfTransaction(bare), ['exception no_reference'])
  const deposit = only([...book.deposits.values()].filter(({ transactionId }) => transactionId === paid))
  assert.is(deposit.sender, wallet.address)
  assert.equal(deposit.flags, ['contract_call'])
  assert.equal(deposit.evidence, { contract: wallet.address, caller: owner.address })
})

test('the owner of a contract wallet is another sender than the wallet', async (t) => {
  const { owner, execute } = await newContractWallet(t)
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const request = transfer(t.chain, owner, 100n)
  const id = book.open(request)
  await execute(t.chain.transferData(100n, [request.reference]))
  await t.chain.finalize()
  await book.catchUp(t.adapter)
  assert.equal(book.verdictsOf(id), ['exception other_sender'])
})

test('a bundle pays orders of different amounts, and leaves equal ones to a person', async (t) => {
  const { wallet, executeAll } = await newContractWallet(t)
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const requests = [10n, 20n, 30n, 30n].map((amount) => transfer(t.chain, wallet, amount))
  const ids = requests.map((request) => book.open(request))
  const calls = requests.map(({ amount, reference }) => t.chain.transferData(amount, [reference]))
  await executeAll(calls.slice(0, 2))
  await executeAll(calls.slice(2))
  await t.chain.finalize()
  await book.catchUp(t.adapter)
  const [first = '', second = '', third = '', fourth = ''] = ids
  assert.equal(book.verdictsOf(first), ['credit 10, missing 0'])
  assert.equal(book.verdictsOf(second), ['credit 20, missing 0'])
  for (const id of [third, fourth])
    assert.equal(book.verdictsOf(id), ['exception several_references', 'exception several_references'])
  assert.is(new Set([...book.deposits.keys()]).size, 4)
})

test('money that somebody else moves is its owner’s', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const [owner, spender] = [await t.chain.newWallet(100n), await t.chain.newWallet()]
  const token = getAddress(t.chain.asset.id)
  const [from, by, to] = [owner.address, spender.address, t.chain.treasury].map((one) => getAddress(one))
  if (!from || !by || !to) throw new Error('three addresses')
  await t.chain.send(owner, {
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [by, 100n] }),
  })
  await t.chain.send(spender, {
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: 'transferFrom', args: [from, to, 100n] }),
  })
  const deposit = only(await finalChainDeposits(t, t.adapter, cursor))
  assert.is(deposit.sender, owner.address)
  assert.equal(deposit.evidence, { caller: spender.address })
  assert.equal(deposit.references, [])
})

test('a token that is made for the treasury comes from nobody', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  await t.chain.grant(t.chain.treasury, 77n)
  await t.chain.finalize()
  await book.catchUp(t.adapter)
  const deposit = only([...book.deposits.values()])
  assert.is(deposit.sender, null)
  assert.is(deposit.amount, 77n)
  assert.equal(
    [...book.verdicts.values()].map(({ kind }) => kind),
    ['exception'],
  )
})

test('what moves nothing is no deposit', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(1n)
  await t.chain.pay(wallet, { units: 0n, references: [newReference()] })
  await t.chain.pay({ address: t.chain.treasury }, { units: 5n, references: [newReference()] })
  assert.equal(await finalChainDeposits(t, t.adapter, cursor), [])
})

test('transfers that a contract only claims are of a token that nobody accepts', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(1n)
  const flood = await t.chain.accounts.deployFlood()
  const args = [t.chain.treasury, 50n] as const
  const data = encodeFunctionData({ abi: floodAbi, functionName: 'flood', args })
  const id = await t.chain.send(wallet, { to: flood, data })
  await t.chain.finalize()
  await book.catchUp(t.adapter)
  assert.equal(new Set(book.verdictOfTransaction(id)), new Set(['ignore foreign_token']))
  for (const { assetId, symbol } of book.deposits.values()) assert.equal([assetId, symbol], [flood, null])
})

test.run()
