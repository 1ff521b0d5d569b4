/** What only Solana knows of deposits: its token programs, its versions of transactions. */
import { PublicKey } from '@solana/web3.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalSolana, startSolana } from '../../support/chains/solana/local.ts'
import { transferTokens } from '../../support/chains/solana/programs.ts'
import { minuteMs, newReference, only, read, transfer, value, withReference } from '../asking.ts'
import { Book } from '../book.ts'

const test = suite<{ chain: LocalSolana; adapter: ChainAdapter }>('deposits on Solana')
test.before(async (t) => {
  t.chain = await startSolana()
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})
test.after.each(async ({ chain }) => {
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = null
  chain.stale.ignoresMinContextSlot = false
  await chain.pass(2 * minuteMs)
})

test('two transfers in one transaction are two deposits', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(100n)
  const [from, to] = [new PublicKey(wallet.address), new PublicKey(chain.treasury)]
  const references = [newReference(), newReference()]
  const [first = '', second = ''] = references
  const id = chain.send(wallet, [
    transferTokens(chain.token, from, to, 10n, [first]),
    transferTokens(chain.token, from, to, 5n, [second]),
  ])
  await chain.finalize()
  const deposits = await read(adapter, cursor)
  assert.equal(
    deposits.map(({ transactionId, amount, references }) => [transactionId, amount, references]),
    [
      [id, 10n, [first]],
      [id, 5n, [second]],
    ],
  )
  assert.is(new Set(deposits.map(({ index }) => index)).size, 2)
})

test('money that no transfer explains is a deposit without a sender, for a person to look at', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  t.chain.mint(t.chain.treasury, 77n)
  await t.chain.finalize()
  assert.is(await book.catchUp(t.adapter), null)
  const deposit = only([...book.deposits.values()])
  assert.is(deposit.sender, null)
  assert.is(deposit.amount, 77n)
  assert.equal(deposit.flags, ['unexplained'])
  assert.equal(book.verdictOfTransaction(deposit.transactionId), ['exception unexplained'])
})

test('transactions of version 1 are read, as mainnet has them', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const reference = newReference()
  const [from, to] = [new PublicKey(wallet.address), new PublicKey(chain.treasury)]
  const id = await chain.sendVersion1(wallet, [transferTokens(chain.token, from, to, 10n, [reference])])
  assert.is(chain.ledger.entries.at(-1)?.version, 1)
  await chain.finalize()
  const deposit = only(withReference(await read(adapter, cursor), reference))
  assert.is(deposit.transactionId, id)
  assert.is(deposit.amount, 10n)
})

test('a payment on a fork that is abandoned is never a deposit', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const reference = newReference()
  const abandon = chain.ledger.fork()
  await chain.pay(wallet, { units: 10n, references: [reference] })
  assert.is(withReference(value(await adapter.unfinalizedChainDeposits()), reference).length, 1)
  abandon()
  assert.equal(value(await adapter.unfinalizedChainDeposits()), [])
  await chain.finalize()
  assert.equal(await read(adapter, cursor), [])
  assert.is(await chain.balanceOf(wallet.address, chain.asset.id), 10n)
})

test('a transaction that failed is not even read', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  await chain.payAndFail(await chain.newWallet(1n), { units: 2n })
  await chain.finalize()
  let isRead = false
  chain.gate.rewrite = ({ body }, answer) => {
    isRead ||= body.includes('"getTransaction"')
    return answer
  }
  assert.equal(await read(adapter, cursor), [])
  assert.is(isRead, false)
})

test('one transaction with an accepted and another token is handed over once', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(10n)
  const [from, to] = [new PublicKey(wallet.address), new PublicKey(t.chain.treasury)]
  const impostor = { ...t.chain.token, mint: new PublicKey(t.chain.impostorId) }
  t.chain.send(wallet, [
    transferTokens(t.chain.token, from, to, 3n, []),
    transferTokens(impostor, from, to, 4n, []),
  ])
  await t.chain.finalize()
  const fresh = t.chain.open({ clock: t.chain.now })
  const deposits = await read(fresh, cursor)
  assert.equal(deposits.map(({ amount, symbol }) => [amount, symbol]).sort(), [
    [3n, 'USDC'],
    [4n, null],
  ])
  await fresh.close()
})

test('accepted deposits do not depend on lists that public endpoints refuse', async ({ chain }) => {
  for (const gate of [chain.gate, chain.spareGate])
    if (gate)
      gate.rewrite = ({ body }, answer) => {
        if (!body.includes('"getTokenAccountsByOwner"')) return answer
        const { id, jsonrpc } = JSON.parse(answer)
        return JSON.stringify({ id, jsonrpc, error: { code: -32600, message: 'not for you' } })
      }
  const adapter = chain.open({ clock: chain.now })
  const cursor = value(await adapter.startCursor())
  await chain.pay(await chain.newWallet(9n), { units: 9n })
  await chain.finalize()
  assert.is(only(await read(adapter, cursor)).amount, 9n)
  const { ok, problems } = await adapter.health()
  assert.is(ok, true)
  assert.match(only(problems), /^Transfers of other tokens .+ not for you/)
  await adapter.close()
})

test('a balance of another token that nothing explains is looked into a few times only', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(123_456n)
  let lists = 0
  t.chain.gate.rewrite = ({ body }, answer) => {
    if (body.includes('"getSignaturesForAddress"') && body.includes('"limit":20')) lists += 1
    if (!body.includes('"getTokenAccountsByOwner"')) return answer
    const parsed = JSON.parse(answer)
    for (const { account } of parsed.result.value) {
      const data = Buffer.from(account.data[0], 'base64')
      amount.copy(data, 64)
      account.data[0] = data.toString('base64')
    }
    return JSON.stringify(parsed)
  }
  let next = cursor
  for (let round = 0; round < 6; round += 1) {
    next = value(await t.adapter.deposits(next)).cursor
    await t.chain.pass(minuteMs)
  }
  assert.is(lists, 3)
})

test.run()

const fees = suite('a token that keeps a part of each transfer')

fees('credits what arrived, and says what was sent', async () => {
  const chain = await startSolana({ feeBps: 100 })
  const adapter = chain.open({ clock: chain.now })
  const book = new Book(chain, value(await adapter.startCursor()))
  const wallet = await chain.newWallet(1_000_000n)
  const id = book.open(transfer(chain, wallet, 10_000n))
  const { reference } = book.order(id)
  await chain.pay(wallet, { units: 10_000n, references: [reference] })
  await chain.finalize()
  assert.is(await book.catchUp(adapter), null)
  const deposit = only([...book.deposits.values()])
  assert.is(deposit.amount, 9_900n)
  assert.equal(deposit.flags, ['fee_withheld'])
  assert.is(deposit.evidence.sent, '10000')
  assert.equal(book.verdictsOf(id), ['credit 9900, missing 100'])
  assert.equal(
    (await adapter.check()).filter(({ ok }) => !ok),
    [],
  )
  await adapter.close()
  await chain.close()
})

fees.run()
