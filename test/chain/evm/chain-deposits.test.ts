/** What only Monad knows of deposits: its tokens, its contract wallets, what stands in logs. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeFunctionData, getAddress } from 'viem'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { tokenAbi } from '../../support/chains/evm/accounts.ts'
import { type LocalEvm, startEvm } from '../../support/chains/evm/local.ts'
import { rewriting } from '../../support/chains/evm/rewriting.ts'
import type { LocalWallet } from '../../support/chains/local-chain.ts'
import { newReference, only, read, transfer, value, withReference } from '../asking.ts'
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

/** An adapter that accepts this token instead, and a wallet that has some of it. */
async function withToken(t: { chain: LocalEvm }, feeBps: number, announcesAll: boolean) {
  const token = await t.chain.accounts.deployToken(feeBps, announcesAll)
  const adapter = t.chain.open({ clock: t.chain.now }, { assets: { USDC: { id: token, decimals: 6 } } })
  const wallet = await t.chain.newWallet()
  await t.chain.accounts.mint(token, getAddress(wallet.address), 1_000_000n)
  await t.chain.finalize()
  return { token, adapter, wallet, cursor: value(await adapter.startCursor()) }
}

for (const announcesAll of [false, true])
  test(`what arrives of a token that keeps a part is credited (tells all: ${announcesAll})`, async (t) => {
    const { token, adapter, wallet, cursor } = await withToken(t, 100, announcesAll)
    const reference = newReference()
    await t.chain.pay(wallet, { units: 10_000n, references: [reference], assetId: token })
    const deposit = only(await finalChainDeposits(t, adapter, cursor))
    assert.is(deposit.amount, 9_900n)
    assert.is(await t.chain.balanceOf(t.chain.treasury, token), 9_900n)
    assert.equal(deposit.flags, ['fee_withheld'])
    assert.equal(deposit.evidence, { sent: '10000' })
    assert.equal(deposit.references, [reference])
    await adapter.close()
  })

test('two deposits in a block that the balance does not bear out are for a person', async (t) => {
  const { token, adapter, wallet, cursor } = await withToken(t, 5_000, true)
  const other = await t.chain.newWallet()
  await t.chain.accounts.mint(token, getAddress(other.address), 1_000n)
  await t.chain.sendTogether([
    { from: wallet, to: token, data: t.chain.transferData(10_000n, [newReference()]) },
    { from: other, to: token, data: t.chain.transferData(1_000n, [newReference()]) },
  ])
  const deposits = await finalChainDeposits(t, adapter, cursor)
  assert.is(deposits.length, 2)
  assert.is(new Set(deposits.map(({ height }) => height)).size, 1)
  for (const { flags } of deposits) assert.equal(flags, ['unexplained'])
  await adapter.close()
})

test('what leaves the treasury in the same block does not confuse the balance', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(100n)
  await t.chain.sendTogether([
    { from: wallet, to: getAddress(t.chain.asset.id), data: t.chain.transferData(100n) },
    {
      from: { address: t.chain.treasury },
      to: getAddress(t.chain.asset.id),
      // The wallet's entry is empty by then, and to fill it takes more than an estimate knows of.
      gas: 100_000n,
      data: encodeFunctionData({
        abi: tokenAbi,
        functionName: 'transfer',
        args: [getAddress(wallet.address), 60n],
      }),
    },
  ])
  const deposit = only(await finalChainDeposits(t, t.adapter, cursor))
  assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 60n)
  assert.is(deposit.amount, 100n)
  assert.equal(deposit.flags, [])
})

test("where a block's balances are gone the token is taken at its word, and that is told", async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(100n)
  await t.chain.pay(wallet, { units: 100n })
  t.chain.fresh.firstBalance = Number.MAX_SAFE_INTEGER
  const deposit = only(await finalChainDeposits(t, t.adapter, cursor))
  assert.is(deposit.amount, 100n)
  assert.equal(deposit.flags, [])
  assert.match(deposit.evidence.balance ?? '', /does not have the balances/)
})

test('a payment in a block that is replaced before it is final is never a deposit', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(10n)
  const reference = newReference()
  await t.chain.pay(wallet, { units: 10n, references: [reference] })
  assert.is(withReference(value(await t.adapter.unfinalizedChainDeposits()), reference).length, 1)
  await t.chain.anvil.call('anvil_reorg', 1, [])
  assert.equal(value(await t.adapter.unfinalizedChainDeposits()), [])
  assert.equal(await finalChainDeposits(t, t.adapter, cursor), [])
  assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 10n)
})

test('the time of a deposit is the time of its block, whether logs tell it or not', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(10n)
  await t.chain.pay(wallet, { units: 10n })
  const paidAt = t.chain.now()
  await t.chain.finalize()
  const told = only(await read(t.adapter, cursor))
  t.chain.gate.rewrite = (_, answer) => answer.replaceAll(/"blockTimestamp":"0x[0-9a-f]+",?/g, '')
  const other = t.chain.open({ clock: t.chain.now })
  const untold = only(await read(other, cursor))
  assert.is(told.at, paidAt)
  assert.equal(untold, told)
  await other.close()
})

/** A block with so many payments. */
async function payTogether({ chain }: { chain: LocalEvm }, from: LocalWallet, count: number): Promise<void> {
  const payment = { from, to: getAddress(chain.asset.id), data: chain.transferData(1n) }
  await chain.sendTogether(Array.from({ length: count }, () => payment))
}

test('a page ends with the last block that fits, and a larger block is a page of its own', async (t) => {
  const adapter = t.chain.open({ clock: t.chain.now, pageSize: 2 })
  const wallet = await t.chain.newWallet(10n)
  await t.chain.finalize()
  let cursor = value(await adapter.startCursor())
  for (const count of [1, 3, 1, 1, 1]) await payTogether(t, wallet, count)
  await t.chain.finalize()
  const sizes: number[] = []
  for (let more = true; more; ) {
    const page = value(await adapter.deposits(cursor))
    sizes.push(page.deposits.length)
    more = page.more
    cursor = page.cursor
  }
  assert.equal(sizes, [1, 3, 2, 1])
  await adapter.close()
})

test('a deposit has one name, however its logs are numbered and ordered', async (t) => {
  const { wallet, executeAll } = await newContractWallet(t)
  await t.chain.grant(wallet.address, 1_000n)
  await t.chain.finalize()
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const request = transfer(t.chain, wallet, 50n)
  const id = book.open(request)
  await executeAll([25n, 10n, 10n].map((units) => t.chain.transferData(units, [request.reference])))
  await t.chain.finalize()
  const { cursor } = book
  let seed = 11
  for (let round = 0; round < 8; round += 1) {
    t.chain.gate.rewrite = rewriting(({ method }, result) => {
      const logs = method === 'eth_getLogs' ? Object.values(result) : Object(result).logs
      if (!Array.isArray(logs)) return null
      seed += 7
      const numbered = logs.map((log, place) => ({
        ...log,
        logIndex: `0x${(place + seed * 3).toString(16)}`,
      }))
      const turned = [...numbered.slice(round % 3), ...numbered.slice(0, round % 3)]
      // The last of them twice.
      const doubled = [...turned, ...turned.slice(-1)]
      return { result: method === 'eth_getLogs' ? doubled : { ...result, logs: doubled } }
    })
    book.cursor = cursor
    const adapter = t.chain.open({ clock: t.chain.now })
    assert.is(await book.catchUp(adapter), null)
    assert.is([...book.deposits.keys()].length, 3)
    await adapter.close()
  }
  assert.is(book.order(id).received, 45n)
  assert.is(book.order(id).status, 'CREATED')
  for (const { flags } of book.deposits.values()) assert.equal(flags, ['contract_call'])
})

test('a list that numbers a log anew within one answer tells of one deposit', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(25n)
  const request = transfer(t.chain, wallet, 50n)
  const id = book.open(request)
  await t.chain.pay(wallet, { units: 25n, references: [request.reference] })
  await t.chain.finalize()
  t.chain.gate.rewrite = rewriting(({ method }, result) =>
    method === 'eth_getLogs'
      ? { result: Object.values(result).flatMap((log) => [log, log, { ...Object(log), logIndex: '0x63' }]) }
      : null,
  )
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 25, missing 25'])
})

/** What a receipt, a transaction or a header says otherwise than the list of logs. */
const lies: readonly (readonly [string, string, object])[] = [
  ['the receipt of a failure', 'eth_getTransactionReceipt', { status: '0x0' }],
  ['the receipt of another block', 'eth_getTransactionReceipt', { blockHash: `0x${'ab'.repeat(32)}` }],
  ['a receipt without logs', 'eth_getTransactionReceipt', { logs: [] }],
  ['the receipt of another target', 'eth_getTransactionReceipt', { to: `0x${'ab'.repeat(20)}` }],
  ['a transaction of another block', 'eth_getTransactionByHash', { blockHash: `0x${'ab'.repeat(32)}` }],
  ['a block without the transaction', 'eth_getBlockByNumber', { transactions: [] }],
]

for (const [what, asked, lie] of lies)
  test(`a list that ${what} does not bear out moves no money, and is asked for again`, async (t) => {
    const book = new Book(t.chain, value(await t.adapter.startCursor()))
    const wallet = await t.chain.newWallet(25n)
    const request = transfer(t.chain, wallet, 25n)
    const id = book.open(request)
    await t.chain.pay(wallet, { units: 25n, references: [request.reference] })
    await t.chain.finalize()
    const { cursor } = book
    for (const gate of [t.chain.gate, t.chain.spareGate])
      if (gate)
        gate.rewrite = rewriting(({ method }, result) =>
          method === asked ? { result: { ...result, ...lie } } : null,
        )
    assert.is(await book.catchUp(t.adapter), 'inconsistent')
    assert.is(book.cursor, cursor)
    for (const gate of [t.chain.gate, t.chain.spareGate]) if (gate) gate.rewrite = null
    assert.is(await book.catchUp(t.adapter), null)
    assert.equal(book.verdictsOf(id), ['credit 25, missing 0'])
  })

test.run()
