/** Horizons that cut off their history, lag, sit in pools, or answer what cannot be. */
import { Memo, Operation } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import type { GateRequest } from '../../support/chains/gate.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { kindOf, minuteMs, newReference, only, read, transfer, value, withReference } from '../asking.ts'
import { Book } from '../book.ts'

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

function rewrite(chain: LocalStellar, change: ((path: string, answer: Answer) => void) | null): void {
  const apply = ({ path }: GateRequest, text: string): string => {
    const answer = JSON.parse(text)
    change?.(path, answer)
    return JSON.stringify(answer)
  }
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = change === null ? null : apply
}

interface Answer {
  [member: string]: unknown
  _embedded?: { records: Record<string, unknown>[] }
}

async function pay(chain: LocalStellar): Promise<string> {
  const wallet = await chain.newWallet(1n)
  const reference = newReference()
  chain.send(wallet, [chain.payment(1n)], { memo: Memo.hash(reference) })
  return reference
}

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
