/** Endpoints of Solana that lag, forget, cap their lists or sit in a pool that disagrees: nothing is lost. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalSolana, startSolana } from '../../support/chains/solana/local.ts'
import { kindOf, minuteMs, read, transfer, value } from '../asking.ts'
import { Book } from '../book.ts'

const test = suite<{ chain: LocalSolana; adapter: ChainAdapter }>('pools of Solana')
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

test('pages of one that a restart interrupts each time come to an end', async ({ chain, adapter }) => {
  const start = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  for (let count = 0; count < 3; count += 1) {
    await chain.pay(wallet, { units: 1n, assetId: chain.impostorId })
    await chain.pay(wallet, { units: 1n })
  }
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
  assert.is(pages, 3)
  const floorOf = (text: string): number => Number(JSON.parse(text).floor)
  assert.ok(floorOf(cursor) - floorOf(start) < (6 * minuteMs) / 400)
})

test('a transaction that is served for another slot than it was listed for is not believed', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  await t.chain.pay(await t.chain.newWallet(1n), { units: 1n })
  await t.chain.finalize()
  for (const gate of [t.chain.gate, t.chain.spareGate])
    if (gate)
      gate.rewrite = ({ body }, answer) => {
        if (!body.includes('"getTransaction"')) return answer
        const { result, ...rest } = JSON.parse(answer)
        return JSON.stringify({ ...rest, result: { ...result, slot: 1 } })
      }
  assert.is(kindOf(await t.adapter.deposits(cursor)), 'inconsistent')
})

test('no number of endpoints makes a message true that its payer has not signed', async (t) => {
  const cursor = value(await t.adapter.startCursor())
  const wallet = await t.chain.newWallet(1n)
  await t.chain.pay(wallet, { units: 1n, references: ['ab'.repeat(32)] })
  await t.chain.finalize()
  for (const gate of [t.chain.gate, t.chain.spareGate])
    if (gate)
      gate.rewrite = ({ body }, answer) => {
        if (!body.includes('"getTransaction"')) return answer
        const json = JSON.parse(answer)
        // The reference is the last account of the transfer.
        for (const { accounts } of json.result.transaction.message.instructions) accounts.pop()
        return JSON.stringify(json)
      }
  for (let count = 0; count < 4; count += 1) {
    assert.is(kindOf(await t.adapter.deposits(cursor)), 'inconsistent')
    await t.chain.pass(minuteMs)
  }
})

test('a block time that goes back does not take back what was read', async ({ chain, adapter }) => {
  let { cursor, scannedTo } = value(await adapter.deposits(value(await adapter.startCursor())))
  await chain.pass(2 * minuteMs)
  ;({ cursor, scannedTo } = value(await adapter.deposits(cursor)))
  assert.ok(scannedTo !== null)
  await chain.pass(2 * minuteMs)
  chain.gate.rewrite = ({ body }, answer) =>
    body.includes('"getBlockTime"') ? JSON.stringify({ ...JSON.parse(answer), result: 1 }) : answer
  assert.is(value(await adapter.deposits(cursor)).scannedTo, scannedTo)
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
