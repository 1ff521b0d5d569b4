/** The contract on endpoints that fail, lie, lag and forget, and on what an operator is told. */
import * as assert from 'uvu/assert'
import type { Trouble } from '../support/chains/gate.ts'
import { kindOf, minuteMs, only, transfer, value } from './asking.ts'
import { bookFrom, type Contract, healGates, openAdapter } from './contract-context.ts'

const troubled: readonly [Trouble, string][] = [
  [{ status: 429, headers: { 'retry-after': '7' } }, 'rate_limited'],
  [{ status: 503 }, 'unavailable'],
  [{ status: 403 }, 'refused'],
  ['cut', 'unavailable'],
]

export function troubles(test: Contract): void {
  test('an outage over the payment is a failure without a new cursor, and loses nothing', async (t) => {
    const book = await bookFrom(t)
    const wallet = await t.chain.newWallet(100n)
    for (const [trouble, kind] of troubled) {
      const request = transfer(t.chain, wallet, 1n)
      const id = book.open(request)
      for (const gate of [t.chain.gate, t.chain.spareGate]) if (gate) gate.trouble = () => trouble
      await t.chain.pay(wallet, { units: 1n, references: [request.reference] })
      await t.chain.finalize()
      assert.is(await book.catchUp(t.adapter), kind)
      assert.is(kindOf(await t.adapter.readNetwork()), kind)
      const refusals = await t.adapter.readWallets([request])
      assert.is(kindOf(only(refusals)), 'rpc_unavailable')
      const health = await t.adapter.health()
      assert.is(health.ok, false)
      assert.ok(health.problems.length > 0)
      await healGates(t)
      assert.is(await book.catchUp(t.adapter), null)
      assert.equal(book.verdictsOf(id), ['credit 1, missing 0'])
      assert.is((await t.adapter.health()).ok, true)
    }
  })

  test('a second endpoint takes over from one in trouble', async (t) => {
    if (t.chain.spareGate === null) return
    const before = t.chain.spareGate.requests
    for (const [trouble] of troubled) {
      t.chain.gate.trouble = () => trouble
      const health = await t.adapter.health()
      assert.is(health.ok, true)
      assert.is(health.problems.length, 1)
      value(await t.adapter.deposits(value(await t.adapter.startCursor())))
      await healGates(t)
    }
    assert.ok(t.chain.spareGate.requests > before)
  })

  test('an endpoint that stays silent costs its time-out and no more', async (t) => {
    const adapter = openAdapter(t, {}, 200)
    const cursor = value(await t.adapter.startCursor())
    for (const gate of [t.chain.gate, t.chain.spareGate]) if (gate) gate.trouble = () => 'silence'
    const outcome = await adapter.deposits(cursor)
    assert.is(kindOf(outcome), 'unavailable')
    assert.match(outcome.ok ? '' : outcome.failure.message, /too long/)
    await adapter.close()
  })

  test('an endpoint that asks for quiet gets it', async (t) => {
    const cursor = value(await t.adapter.startCursor())
    for (const gate of [t.chain.gate, t.chain.spareGate])
      if (gate) gate.trouble = () => ({ status: 429, headers: { 'retry-after': '30' } })
    await t.adapter.deposits(cursor)
    const before = t.chain.gate.requests
    const outcome = await t.adapter.deposits(cursor)
    assert.is(t.chain.gate.requests, before)
    const wait = outcome.ok ? null : outcome.failure.retryAfterMs
    assert.ok(wait !== null && wait > 25_000 && wait <= 30_000)
  })

  test('an endpoint of another network is not believed', async (t) => {
    const adapter = openAdapter(t, t.chain.wrongNetwork)
    const cursor = value(await t.adapter.startCursor())
    assert.is(kindOf(await adapter.startCursor()), 'wrong_network')
    assert.is(kindOf(await adapter.deposits(cursor)), 'wrong_network')
    assert.is(kindOf(await adapter.readNetwork()), 'wrong_network')
    const health = await adapter.health()
    assert.is(health.ok, false)
    const network = (await adapter.check()).filter(({ what }) => what === 'network')
    assert.ok(network.length > 0 && network.every(({ ok, action }) => !ok && action !== null))
    await adapter.close()
  })

  for (const which of ['all', 'all_but_heads'] as const) {
    test(`back ends that lag behind (${which}) lose no deposit and take no cursor back`, async (t) => {
      const book = await bookFrom(t)
      const wallet = await t.chain.newWallet(10n)
      const request = transfer(t.chain, wallet, 10n)
      const id = book.open(request)
      const catchUp = t.chain.goStale(which)
      const moment = t.chain.now()
      await t.chain.pay(wallet, { units: 10n, references: [request.reference] })
      await t.chain.finalize()
      for (let round = 0; round < 3; round += 1) await book.catchUp(t.adapter)
      assert.equal(book.verdictsOf(id), [])
      assert.ok((book.scannedTo ?? 0) <= moment)
      catchUp()
      await t.chain.pass(2 * minuteMs)
      assert.is(await book.catchUp(t.adapter), null)
      assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
    })
  }

  test('a cursor older than what the endpoint keeps is a failure, not a gap', async (t) => {
    const book = await bookFrom(t)
    const wallet = await t.chain.newWallet(10n)
    const request = transfer(t.chain, wallet, 10n)
    const id = book.open(request)
    await t.chain.pay(wallet, { units: 10n, references: [request.reference] })
    await t.chain.pass(10 * minuteMs)
    const remember = t.chain.forgetHistory()
    const adapter = openAdapter(t)
    const { cursor } = book
    assert.is(await book.catchUp(adapter), 'history_missing')
    assert.is(book.cursor, cursor)
    remember()
    await t.chain.pass(2 * minuteMs)
    assert.is(await book.catchUp(adapter), null)
    assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
    await adapter.close()
  })
}

export function operation(test: Contract): void {
  test('health names the network, the final head and how old it is', async (t) => {
    const health = await t.adapter.health()
    assert.is(health.ok, true)
    assert.equal(health.problems, [])
    assert.is(health.endpoint, new URL(t.chain.gate.url).host)
    assert.ok(health.network !== null && health.network !== '')
    assert.match(health.head ?? '', /^[0-9]+$/)
    assert.ok(health.headAt !== null && health.headAt <= t.chain.now())
    assert.is(health.lagMs, t.chain.now() - health.headAt)
    assert.ok(health.clockOffsetMs !== null)
  })

  test('check finds nothing to do where the settings are right', async (t) => {
    const items = await t.adapter.check()
    assert.equal(
      items.filter(({ ok, action }) => !ok || action !== null),
      [],
    )
    const kinds = new Set(items.map(({ what }) => what))
    for (const what of ['endpoint', 'network', 'treasury', 'asset', 'treasury_account'] as const)
      assert.ok(kinds.has(what) || (what === 'treasury_account' && t.chain.unpreparedTreasury === null), what)
  })

  test('check tells what to do about a treasury that is not ready', async (t) => {
    if (t.chain.unpreparedTreasury === null) return
    const adapter = openAdapter(t, t.chain.unpreparedTreasury)
    const wrong = (await adapter.check()).filter(({ ok }) => !ok)
    assert.ok(wrong.some(({ what }) => what === 'treasury_account'))
    for (const { action } of wrong) assert.match(action ?? '', /^[A-Z].+\.$/)
    await adapter.close()
  })

  test('check and health say when no endpoint answers', async (t) => {
    for (const gate of [t.chain.gate, t.chain.spareGate]) if (gate) gate.trouble = () => 'cut'
    const wrong = (await t.adapter.check()).filter(({ ok }) => !ok)
    assert.ok(wrong.some(({ what }) => what === 'endpoint'))
  })
}
