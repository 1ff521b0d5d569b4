/** The contract on deposits: what is credited, what becomes an exception, and how pages go on. */
import * as assert from 'uvu/assert'
import { assemble, minuteMs, only, read, transfer, value, withReference } from './asking.ts'
import { bookFrom, type Contract, openAdapter } from './contract-context.ts'

export function deposits(test: Contract): void {
  test('a signed and sent transaction is a deposit once it is final, and seen before', async (t) => {
    const wallet = await t.chain.newWallet(50_000_000n)
    const cursor = value(await t.adapter.startCursor())
    const request = transfer(t.chain, wallet, 25_500_000n)
    const { transaction } = await assemble(t.chain, t.adapter, request)
    const id = await t.chain.submit(transaction, wallet)
    if (t.chain.finalizesLater) {
      assert.equal(withReference(await read(t.adapter, cursor), request.reference), [])
      const seen = withReference(value(await t.adapter.unfinalizedChainDeposits()), request.reference)
      assert.is(only(seen).transactionId, id)
    }
    await t.chain.finalize()
    const deposit = only(withReference(await read(t.adapter, cursor), request.reference))
    assert.is(deposit.transactionId, id)
    assert.is(deposit.amount, 25_500_000n)
    assert.is(deposit.sender, wallet.address)
    assert.is(deposit.assetId, t.chain.asset.id)
    assert.is(deposit.symbol, t.chain.asset.symbol)
    assert.is(deposit.blockchain, t.chain.blockchain)
    assert.equal(deposit.flags, [])
    assert.ok(deposit.at !== null && Math.abs(deposit.at - t.chain.now()) < 2 * minuteMs)
    assert.equal(withReference(value(await t.adapter.unfinalizedChainDeposits()), request.reference), [])
  })

  test('each kind of payment is credited once or becomes an exception', async (t) => {
    const book = await bookFrom(t)
    const wallet = await t.chain.newWallet(1_000n)
    const stranger = await t.chain.newWallet(1_000n)
    const requests = Array.from({ length: 9 }, () => transfer(t.chain, wallet, 100n))
    requests.push(transfer(t.chain, wallet, 100n, { deadline: t.chain.now() - 2 * minuteMs }))
    const [exact, partial, over, twice, other, wrong, cancelled, failed, none, late] = requests.map(
      (request) => ({ id: book.open(request), references: [request.reference] }),
    )
    if (!(exact && partial && over && twice && other && wrong && cancelled && failed && none && late))
      throw new Error('ten orders')
    const pay = (order: { references: string[] }, units: bigint, from = wallet): Promise<string> =>
      t.chain.pay(from, { units, references: order.references })
    book.setStatus(cancelled.id, 'CANCELLED')
    await pay(exact, 100n)
    await pay(partial, 40n)
    await pay(over, 130n)
    await pay(twice, 100n)
    await pay(twice, 101n)
    await pay(other, 100n, stranger)
    await t.chain.pay(wallet, { units: 100n, ...wrong, assetId: t.chain.impostorId })
    await pay(cancelled, 100n)
    await t.chain.payAndFail(wallet, { units: 1_000_000n, ...failed })
    const bare = await t.chain.pay(wallet, { units: 100n })
    await pay(late, 99n)
    await t.chain.finalize()
    assert.is(await book.catchUp(t.adapter), null)

    assert.equal(book.verdictsOf(exact.id), ['credit 100, missing 0'])
    assert.equal(book.verdictsOf(partial.id), ['credit 40, missing 60'])
    assert.equal(book.verdictsOf(over.id), ['credit 100, missing 0, overpaid 30'])
    assert.equal(book.verdictsOf(twice.id), ['credit 100, missing 0', 'exception already_funded'])
    assert.equal(book.verdictsOf(other.id), ['exception other_sender'])
    assert.equal(book.verdictsOf(wrong.id), ['exception wrong_asset'])
    assert.equal(book.verdictsOf(cancelled.id), ['exception order_cancelled'])
    assert.equal(book.verdictsOf(failed.id), [])
    assert.equal(book.verdictOfTransaction(bare), ['exception no_reference'])
    assert.equal(book.verdictsOf(late.id), ['exception late'])

    await pay(partial, 60n)
    await t.chain.finalize()
    assert.is(await book.catchUp(t.adapter), null)
    assert.is(book.order(partial.id).status, 'READY')
  })

  test('two orders of one wallet and one amount each find their own deposit', async (t) => {
    const book = await bookFrom(t)
    const wallet = await t.chain.newWallet(20n)
    const requests = [transfer(t.chain, wallet, 10n), transfer(t.chain, wallet, 10n)]
    const ids = requests.map((request) => book.open(request))
    for (const request of requests.toReversed()) {
      const { transaction } = await assemble(t.chain, t.adapter, request)
      await t.chain.submit(transaction, wallet)
    }
    await t.chain.finalize()
    assert.is(await book.catchUp(t.adapter), null)
    for (const id of ids) assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  })
}

export function pages(test: Contract): void {
  test('deposits come page by page, and a restart at any page neither loses nor doubles one', async (t) => {
    const book = await bookFrom(t)
    const wallet = await t.chain.newWallet(1_000n)
    const ids: string[] = []
    for (let count = 0; count < 17; count += 1) {
      const request = transfer(t.chain, wallet, 1n)
      ids.push(book.open(request))
      await t.chain.pay(wallet, { units: 1n, references: [request.reference] })
    }
    await t.chain.finalize()
    let pagesRead = 0
    for (let more = true; more; pagesRead += 1) {
      // Each page is read by an adapter that knows nothing but the stored cursor.
      const adapter = openAdapter(t)
      const page = value(await adapter.deposits(book.cursor))
      book.store(page)
      more = page.more
      await adapter.close()
    }
    assert.ok(pagesRead > 1)
    for (const id of ids) assert.equal(book.verdictsOf(id), ['credit 1, missing 0'])
    const order = [...book.deposits.values()].map(({ height }) => BigInt(height))
    assert.equal(
      order,
      order.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  })

  test('the chain time that was read never goes back, and passes each moment', async (t) => {
    const book = await bookFrom(t)
    const moment = t.chain.now()
    let before = Number.NEGATIVE_INFINITY
    for (let round = 0; round < 3; round += 1) {
      await t.chain.pass(2 * minuteMs + t.chain.settlesAfterMs)
      assert.is(await book.catchUp(t.adapter), null)
      assert.ok((book.scannedTo ?? before) >= before)
      before = book.scannedTo ?? before
    }
    assert.ok(before >= moment)
    assert.ok(before <= t.chain.now())
  })
}
