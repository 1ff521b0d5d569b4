/** What only Solana knows of deposits: its token programs, its versions of transactions, its pools. */
import { PublicKey } from '@solana/web3.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../chain/chain.ts'
import { type LocalSolana, startSolana } from '../support/chains/solana/local.ts'
import { transferTokens } from '../support/chains/solana/programs.ts'
import { kindOf, minuteMs, newReference, only, read, transfer, value, withReference } from './asking.ts'
import { Book } from './book.ts'

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
    deposits.map(({ transactionId, index, amount, references }) => [
      transactionId,
      index,
      amount,
      references,
    ]),
    [
      [id, '0', 10n, [first]],
      [id, '1', 5n, [second]],
    ],
  )
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
  assert.is(withReference(value(await adapter.unfinalizedDeposits()), reference).length, 1)
  abandon()
  assert.equal(value(await adapter.unfinalizedDeposits()), [])
  await chain.finalize()
  assert.equal(await read(adapter, cursor), [])
  assert.is(await chain.balanceOf(wallet.address, chain.asset.id), 10n)
})

test('a pool that does not know of minimum slots loses nothing: recent blocks are read again', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(10n)
  const id = book.open(transfer(t.chain, wallet, 10n))
  t.chain.stale.ignoresMinContextSlot = true
  const catchUp = t.chain.goStale('all_but_heads')
  await t.chain.pay(wallet, { units: 10n, references: [book.order(id).reference] })
  await t.chain.finalize()
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), [])
  catchUp()
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('a back end further behind than blocks are read again is not believed', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const catchUp = chain.goStale('all_but_heads')
  await chain.pass(3 * minuteMs)
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
  catchUp()
})

test('a transaction that is listed and not served stops the cursor', async ({ chain, adapter }) => {
  const book = new Book(chain, value(await adapter.startCursor()))
  const wallet = await chain.newWallet(10n)
  const id = book.open(transfer(chain, wallet, 10n))
  const signature = await chain.pay(wallet, { units: 10n, references: [book.order(id).reference] })
  await chain.finalize()
  chain.fresh.unservable.add(signature)
  const { cursor } = book
  assert.is(await book.catchUp(adapter), 'inconsistent')
  assert.is(book.cursor, cursor)
  chain.fresh.unservable.clear()
  await chain.pass(minuteMs)
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('history that is missing between cursor and head is no history', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  await chain.pass(10 * minuteMs)
  chain.fresh.firstSlot = chain.ledger.finalSlot() - 1_000
  assert.is(kindOf(await adapter.deposits(cursor)), 'history_missing')
  chain.fresh.firstSlot = 0
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

test('pages of one that a restart interrupts each time come to an end', async ({ chain, adapter }) => {
  const start = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  await chain.pay(wallet, { units: 10n, assetId: chain.impostorId })
  for (let count = 0; count < 3; count += 1) await chain.pay(wallet, { units: 1n })
  await chain.pass(5 * minuteMs)
  let [cursor, more, pages] = [start, true, 0]
  for (; more && pages < 10; pages += 1) {
    const restarted = chain.open({ clock: chain.now, pageSize: 1 })
    const page = value(await restarted.deposits(cursor))
    ;[cursor, more] = [page.cursor, page.more]
    await restarted.close()
    // Where the pass ends was settled when it began: what is newer belongs to the next one.
    await chain.pass(minuteMs)
  }
  assert.is(pages, 4)
  const floorOf = (text: string): number => Number(JSON.parse(text).floor)
  assert.ok(floorOf(cursor) - floorOf(start) < (6 * minuteMs) / 400)
})

test('an endpoint that caps its lists is read to the end', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  for (let count = 0; count < 10; count += 1) await chain.pay(wallet, { units: 1n })
  await chain.finalize()
  let lists = 0
  chain.gate.rewrite = ({ body }, answer) => {
    if (!body.includes('"getSignaturesForAddress"')) return answer
    lists += 1
    const { result, ...rest } = JSON.parse(answer)
    return JSON.stringify({ ...rest, result: result.slice(0, 4) })
  }
  assert.is((await read(adapter, cursor)).length, 10)
  assert.ok(lists >= 4)
})

test('a pool whose member does not know the last page is not taken for the end', async ({
  chain,
  adapter,
}) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  for (let count = 0; count < 10; count += 1) await chain.pay(wallet, { units: 1n })
  await chain.finalize()
  for (const gate of [chain.gate, chain.spareGate])
    if (gate)
      gate.rewrite = ({ body }, answer) => {
        if (!body.includes('"getSignaturesForAddress"')) return answer
        const { result, ...rest } = JSON.parse(answer)
        return JSON.stringify({ ...rest, result: body.includes('"before"') ? [] : result.slice(0, 4) })
      }
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
})

test('an endpoint that has become another network moves no cursor', async ({ chain, adapter }) => {
  const book = new Book(chain, value(await adapter.startCursor()))
  const wallet = await chain.newWallet(10n)
  const id = book.open(transfer(chain, wallet, 10n))
  await chain.pay(wallet, { units: 10n, references: [book.order(id).reference] })
  await chain.finalize()
  const other = await startSolana()
  const { cursor } = book
  const upstream = chain.gate.upstream
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.upstream = () => other.gate.url
  assert.is(await book.catchUp(adapter), 'inconsistent')
  assert.is(book.cursor, cursor)
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.upstream = upstream
  await chain.pass(minuteMs)
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  await other.close()
})

test('what the caller has stored is not handed over again by the same node', async ({ chain, adapter }) => {
  const start = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  await chain.pay(wallet, { units: 1n })
  await chain.finalize()
  const first = value(await adapter.deposits(start))
  assert.is(first.deposits.length, 1)
  assert.equal(value(await adapter.deposits(first.cursor)).deposits, [])
  // Asked from before, it cannot know what is stored.
  assert.is(value(await adapter.deposits(start)).deposits.length, 1)
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
