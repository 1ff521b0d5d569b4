/** Horizons in a pool, behind another network’s name, or garbled: none is believed alone. */
import { Memo } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { kindOf, minuteMs, newReference, only, read, transfer, value, withReference } from '../asking.ts'
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

test('a head is believed once it is deeper than the members of a pool disagree', async (t) => {
  const { chain, adapter } = t
  const book = new Book(chain, value(await adapter.startCursor()))
  const moment = chain.now()
  await chain.pass(11 * 5_000)
  assert.is(await book.catchUp(adapter), null)
  assert.is(book.scannedTo, null)
  await chain.pass(5_000)
  assert.is(await book.catchUp(adapter), null)
  assert.is(book.scannedTo, moment)
})

test('a member of a pool that cut off more than the one that named its history is found out', async (t) => {
  const { chain, adapter } = t
  await pay(chain)
  const book = new Book(chain, value(await adapter.startCursor()))
  const [first, second] = [await pay(chain), await pay(chain)]
  const { cursor } = book
  const newest = only(withReference(await read(chain.open({ clock: chain.now }), cursor), second))
  // The root comes from a full member, the operations from one that lost all but the last of them.
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/operations') && page)
      page.records = page.records.filter((record) => record.transaction_hash === newest.transactionId)
  })
  assert.is(await book.catchUp(adapter), 'inconsistent')
  assert.is(book.cursor, cursor)
  rewrite(chain, null)
  await chain.pass(2 * minuteMs)
  assert.is(await book.catchUp(adapter), null)
  for (const reference of [first, second])
    assert.is(withReference([...book.deposits.values()], reference).length, 1)
})

test('operations of another network behind the same name move no cursor', async ({ chain, adapter }) => {
  await pay(chain)
  const cursor = value(await adapter.startCursor())
  const reference = await pay(chain)
  rewrite(chain, (path, { _embedded: page }) => {
    if (path.includes('/operations'))
      for (const record of page?.records ?? []) record.transaction_hash = newReference()
  })
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
  rewrite(chain, null)
  await chain.pass(2 * minuteMs)
  assert.is(withReference(await read(adapter, cursor), reference).length, 1)
})

test('an endpoint that moves to another network is not believed, though it was a moment ago', async (t) => {
  const { chain, adapter } = t
  const cursor = value(await adapter.startCursor())
  rewrite(chain, (path, answer) => {
    if (path === '/') answer.network_passphrase = 'Some Other Network'
  })
  assert.is(kindOf(await adapter.deposits(cursor)), 'wrong_network')
})

test('a network that was reset is a failure with a hint', async ({ adapter }) => {
  const cursor = JSON.parse(value(await adapter.startCursor()))
  const outcome = await adapter.deposits(JSON.stringify({ ...cursor, ledger: 9_999_999 }))
  assert.is(kindOf(outcome), 'inconsistent')
  assert.match(outcome.ok ? '' : outcome.failure.message, /reset of a test network/)
})

test('a ledger that one garbled answer named does not shut out the true ones for ever', async (t) => {
  const { chain, adapter } = t
  const cursor = value(await adapter.startCursor())
  const reference = await pay(chain)
  rewrite(chain, (path, answer) => {
    if (path === '/') answer.history_latest_ledger = 999_999_999
  })
  await adapter.health()
  rewrite(chain, null)
  assert.is(kindOf(await adapter.deposits(cursor)), 'inconsistent')
  await chain.pass(5 * minuteMs)
  assert.is(withReference(await read(adapter, cursor), reference).length, 1)
})

test('whatever the members of a pool do in between, each payment is credited once', async ({ chain }) => {
  // The same numbers from 0 to 1 each time (Lehmer's).
  let state = 7
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const gates = [chain.gate, chain.spareGate].filter((gate) => gate !== null)
  const wallet = await chain.newWallet(1_000n)
  let adapter = chain.open({ clock: chain.now, pageSize: 3 })
  const book = new Book(chain, value(await adapter.startCursor()))
  const ids: string[] = []
  const outcomes = new Set<string>()
  const { upstream: fresh } = chain.gate
  let stale = fresh
  for (let round = 0; round < 40; round += 1) {
    const request = transfer(chain, wallet, 1n)
    ids.push(book.open(request))
    for (const gate of gates) gate.upstream = fresh
    if (round % 4 === 0) {
      chain.goStale(next() < 0.5 ? 'all' : 'all_but_heads')
      stale = chain.gate.upstream
    }
    chain.send(wallet, [chain.payment(1n)], { memo: Memo.hash(request.reference) })
    for (const gate of gates) {
      gate.upstream = (asked) => (next() < 0.5 ? stale : fresh)(asked)
      gate.trouble = () => (next() < 0.1 ? (next() < 0.5 ? 'cut' : { status: 503 }) : null)
    }
    if (next() < 0.3) {
      await adapter.close()
      adapter = chain.open({ clock: chain.now, pageSize: 3 })
    }
    const page = await adapter.deposits(book.cursor)
    outcomes.add(kindOf(page))
    if (page.ok) book.store(page.value)
    for (const gate of gates) gate.trouble = null
  }
  for (const gate of gates) gate.upstream = fresh
  await chain.pass(2 * minuteMs)
  assert.is(await book.catchUp(adapter), null)
  for (const id of ids) assert.equal(book.verdictsOf(id), ['credit 1, missing 0'])
  assert.equal([...outcomes].toSorted(), ['inconsistent', 'ok', 'unavailable'])
  await adapter.close()
})

test.run()
