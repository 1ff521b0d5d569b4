/** Horizons that cut off their history, lag, sit in pools, or answer what cannot be. */
import { Operation } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { kindOf, minuteMs, only, read, transfer, value, withReference } from '../asking.ts'
import { Book } from '../book.ts'
import { pay, rewrite } from './rewritten-answers.ts'

interface Context {
  chain: LocalStellar
  adapter: ChainAdapter
}

const test = suite<Context>('history of Stellar')

test.before(async (t) => {
  t.chain = await startStellar()
  t.adapter = t.chain.open({ clock: t.chain.now, pageSize: 5 })
})

test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})

test.after.each(async ({ chain }) => {
  rewrite(chain, null)
  chain.fresh.elder = 1
  await chain.pass(2 * minuteMs)
})

test('the newest operation proves that nothing is missing, however old it is', async ({ chain, adapter }) => {
  await pay(chain)
  const cursor = value(await adapter.startCursor())
  await chain.pass(60 * minuteMs)
  const reference = await pay(chain)
  await adapter.health()
  const requests = chain.gate.requests
  assert.is(withReference(await read(adapter, cursor), reference).length, 1)
  // For each of the two pages, the root and the operations: nothing else had to be asked.
  assert.is(chain.gate.requests - requests, 4)
})

test('history may be cut off up to where it has been read', async ({ chain, adapter }) => {
  await pay(chain)
  const book = new Book(chain, value(await adapter.startCursor()))
  await chain.pass(2 * minuteMs)
  assert.is(await book.catchUp(adapter), null)
  // What was read last is deeper than the head was then, and the head then is where the history begins.
  const { ledger }: { ledger: number } = JSON.parse(book.cursor)
  const reference = await pay(chain)
  chain.fresh.elder = ledger + 1
  assert.is(await book.catchUp(adapter), null)
  assert.is(withReference([...book.deposits.values()], reference).length, 1)
})

test('history that is cut off one ledger further is a gap', async ({ chain, adapter }) => {
  await pay(chain)
  const book = new Book(chain, value(await adapter.startCursor()))
  await chain.pass(2 * minuteMs)
  assert.is(await book.catchUp(adapter), null)
  const { cursor } = book
  const { ledger }: { ledger: number } = JSON.parse(cursor)
  chain.fresh.elder = ledger + 2
  const outcome = await adapter.deposits(cursor)
  assert.is(kindOf(outcome), 'history_missing')
  assert.is(!outcome.ok && outcome.failure.retryable, false)
  assert.match(outcome.ok ? '' : outcome.failure.message, /older history/)
  assert.is(book.cursor, cursor)
})

test('an operation tells how far the chain has been read', async ({ chain, adapter }) => {
  const book = new Book(chain, value(await adapter.startCursor()))
  await pay(chain)
  const paidAt = chain.now()
  const paidIn = chain.ledger.sequence
  await pay(chain)
  book.store(value(await chain.open({ clock: chain.now, pageSize: 1 }).deposits(book.cursor)))
  assert.is(book.scannedTo, paidAt)
  // A root that has not got there yet is behind what has been read.
  rewrite(chain, (path, answer) => {
    if (path === '/') answer.history_latest_ledger = paidIn - 2
  })
  assert.is(kindOf(await adapter.deposits(book.cursor)), 'inconsistent')
})

test('what happened before the beginning is no deposit, whichever member says what was last', async ({
  chain,
}) => {
  const adapter = chain.open({ clock: chain.now, pageSize: 1 })
  await pay(chain)
  // The member that is asked for the newest operation has not seen the next two yet.
  const catchUp = chain.goStale('all_but_heads')
  await pay(chain)
  await pay(chain)
  const cursor = value(await adapter.startCursor())
  catchUp()
  const late = await pay(chain)
  const deposits = await read(adapter, cursor)
  assert.equal(
    deposits.map((deposit) => only(deposit.references)),
    [late],
  )
  await adapter.close()
})

test('a treasury without any history is read once its first payment comes', async ({ chain }) => {
  const fresh = await chain.newWallet(0n)
  chain.ledger.operationsOf.delete(fresh.address)
  const adapter = chain.open({ clock: chain.now }, { treasury: fresh.address })
  const cursor = value(await adapter.startCursor())
  assert.equal(await read(adapter, cursor), [])
  const wallet = await chain.newWallet(1n)
  chain.send(wallet, [chain.payment(1n, { destination: fresh.address })])
  assert.is(only(await read(adapter, cursor)).sender, wallet.address)
  await adapter.close()
})

test('short pages end nothing', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const references = [await pay(chain), await pay(chain), await pay(chain), await pay(chain)]
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/operations') && page) page.records = page.records.slice(0, 2)
  })
  const deposits = await read(adapter, cursor)
  assert.equal(
    deposits.map((deposit) => only(deposit.references)),
    references,
  )
})

test('what cannot be read is no answer, and moves no cursor', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const reference = await pay(chain)
  const spoil: [string, (record: Record<string, unknown>) => void][] = [
    ['unavailable', (record) => delete record.amount],
    ['unavailable', (record) => Object.assign(record, { amount: '1,5' })],
    ['unavailable', (record) => Object.assign(record, { amount: '-1.0000000' })],
    ['unavailable', (record) => delete record.transaction],
    ['unavailable', (record) => Object.assign(record, { created_at: 'soon' })],
    ['unavailable', (record) => Object.assign(record, { paging_token: 'x' })],
    ['unavailable', (record) => delete record.to],
  ]
  for (const [kind, change] of spoil) {
    rewrite(chain, (path, { _embedded: page }) => {
      if (path.includes('/operations')) for (const record of page?.records.slice(-1) ?? []) change(record)
    })
    assert.is(kindOf(await adapter.deposits(cursor)), kind)
    await chain.pass(2 * minuteMs)
  }
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/operations')) page?.records.reverse()
  })
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = () => '<html>'
  await chain.pass(2 * minuteMs)
  assert.is(kindOf(await adapter.deposits(cursor)), 'unavailable')
  rewrite(chain, null)
  await chain.pass(2 * minuteMs)
  assert.is(withReference(await read(adapter, cursor), reference).length, 1)
})

test('an operation that is listed twice is one, and its effect too', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const reference = await pay(chain)
  const closing = (await chain.unpreparedWallet()) ?? chain.unknownWallet()
  chain.send(closing, [Operation.accountMerge({ destination: chain.treasury })])
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/operations') || path.includes('/effects')) page?.records.push(...page.records)
  })
  const deposits = await read(adapter, cursor)
  rewrite(chain, null)
  assert.is(deposits.length, 2)
  assert.is(withReference(deposits, reference).length, 1)
})

test('an operation whose effects are not served yet waits for them', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const closing = (await chain.unpreparedWallet()) ?? chain.unknownWallet()
  const { hash } = chain.send(closing, [Operation.accountMerge({ destination: chain.treasury })])
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/effects') && page) page.records = []
  })
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
  rewrite(chain, null)
  await chain.pass(2 * minuteMs)
  assert.is(only(await read(adapter, cursor)).transactionId, hash)
})

test('a server that says 410 has no history that old', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  for (const gate of [chain.gate, chain.spareGate])
    if (gate) gate.trouble = ({ path }) => (path.includes('/operations') ? { status: 410 } : null)
  assert.is(kindOf(await adapter.deposits(cursor)), 'history_missing')
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.trouble = null
})

test('a text that no adapter wrote is no cursor', async ({ adapter }) => {
  for (const text of ['{}', '{"after":"x","anchor":null,"ledger":1,"readTo":null,"head":{}}', '"1"']) {
    const outcome = await adapter.deposits(text).then(
      () => 'accepted',
      (error: Error) => error.message,
    )
    assert.match(outcome, /not a cursor of Stellar/)
  }
})

test('a back end far behind gives no sequence', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  const catchUp = chain.goStale('all_but_heads')
  await chain.pass(2 * minuteMs)
  value(await adapter.startCursor())
  assert.is(kindOf(only(await adapter.readWallets([request]))), 'rpc_unavailable')
  catchUp()
  await chain.pass(2 * minuteMs)
  assert.is(kindOf(only(await adapter.readWallets([request]))), 'ok')
})

test.run()
