/** Endpoints as the public ones are: capped, counted, and pools whose back ends disagree. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalEvm, startEvm } from '../../support/chains/evm/local.ts'
import { rewriting } from '../../support/chains/evm/rewriting.ts'
import { kindOf, minuteMs, newReference, only, read, transfer, value } from '../asking.ts'
import { Book } from '../book.ts'

const test = suite<{ chain: LocalEvm; adapter: ChainAdapter }>('endpoints of Monad')
test.before(async (t) => {
  t.chain = await startEvm('MONAD')
})
test.before.each(async (t) => {
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after.each(async ({ chain, adapter }) => {
  await adapter.close()
  for (const gate of [chain.gate, chain.spareGate]) {
    if (gate === null) continue
    gate.trouble = null
    gate.rewrite = null
    gate.upstream = () => chain.fresh.url
  }
  Object.assign(chain.fresh, { maxLogRange: 1000, firstBlock: 0 })
  Object.assign(chain.stale, { staleAt: null, headsAreFresh: false })
  await chain.finalize()
})
test.after(({ chain }) => chain.close())

function both({ chain }: { chain: LocalEvm }) {
  if (chain.spareGate === null) throw new Error('two endpoints')
  return [chain.gate, chain.spareGate]
}

async function bookWithOrder(t: { chain: LocalEvm; adapter: ChainAdapter }, units = 10n) {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(units)
  const request = transfer(t.chain, wallet, units)
  const id = book.open(request)
  const pay = () => t.chain.pay(wallet, { units, references: [request.reference] })
  return { book, id, pay }
}

test('an endpoint that searches fewer blocks than the settings say is asked for fewer', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  const adapter = t.chain.open({ clock: t.chain.now }, { maxLogRange: 20 })
  t.chain.fresh.maxLogRange = 4
  await t.chain.mine(25)
  await pay()
  await t.chain.mine(25)
  const requestsFor = async (): Promise<number> => {
    const before = t.chain.gate.requests
    assert.is(await book.catchUp(adapter), null)
    return t.chain.gate.requests - before
  }
  // 20 and 10 are refused; ten pages of 5 blocks take two requests each.
  const capped = await requestsFor()
  assert.ok(capped > 20 && capped < 30, `${capped} requests`)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  t.chain.fresh.maxLogRange = 1000
  await t.chain.mine(50)
  await requestsFor()
  await t.chain.mine(50)
  const free = await requestsFor()
  assert.ok(free < capped, `${free} requests`)
  await adapter.close()
})

test('a block that somebody floods with a token of his own does not hide a payment in it', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  const spammer = await t.chain.newWallet()
  const flood = await t.chain.accounts.deployFlood()
  const abi = parseAbi(['function flood(address to, uint256 count)'])
  const data = encodeFunctionData({ abi, functionName: 'flood', args: [t.chain.treasury, 300n] })
  await t.chain.send(spammer, { to: flood, data })
  await pay()
  await t.chain.finalize()
  for (const gate of [t.chain.gate, t.chain.spareGate])
    if (gate)
      gate.rewrite = (request, answer) =>
        rewriting(({ method, params }) => {
          const isTooLarge =
            method === 'eth_getLogs' && answer.length > 50_000 && !('address' in Object(params[0]))
          return isTooLarge ? { error: { code: -32603, message: 'response exceeds size limit' } } : null
        })(request, answer)
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  assert.ok([...book.deposits.values()].every(({ symbol }) => symbol === 'USDC'))
})

test('a pool whose back ends disagree at random loses nothing and doubles nothing', async (t) => {
  const book = new Book(t.chain, value(await t.adapter.startCursor()))
  const wallet = await t.chain.newWallet(1_000n)
  let seed = 7
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (const gate of both(t)) gate.upstream = () => (random() < 0.5 ? t.chain.stale.url : t.chain.fresh.url)
  const ids: string[] = []
  for (let round = 0; round < 30; round += 1) {
    t.chain.stale.headsAreFresh = random() < 0.5
    // The slower back end is up to 12 blocks behind.
    const height = Number(await t.chain.anvil.call('eth_blockNumber'))
    t.chain.stale.staleAt = height - Math.floor(random() * 12)
    const request = transfer(t.chain, wallet, 1n)
    ids.push(book.open(request))
    await t.chain.pay(wallet, { units: 1n, references: [request.reference] })
    if (random() < 0.3) await t.chain.finalize()
    await book.catchUp(t.adapter)
  }
  t.chain.stale.staleAt = null
  await t.chain.pass(2 * minuteMs)
  await book.catchUp(t.adapter)
  for (const id of ids) assert.equal(book.verdictsOf(id), ['credit 1, missing 0'])
})

test('a back end that answers with no logs is found out before the blocks settle', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  const empty = rewriting(({ method }) => (method === 'eth_getLogs' ? { result: [] } : null))
  for (const gate of both(t)) gate.rewrite = empty
  await pay()
  const paidAt = t.chain.now()
  for (let second = 0; second < 28; second += 1) {
    await t.chain.mine(1)
    assert.is(await book.catchUp(t.adapter), null)
  }
  assert.equal(book.verdictsOf(id), [])
  assert.ok(book.scannedTo !== null && book.scannedTo <= paidAt)
  for (const gate of both(t)) gate.rewrite = null
  await t.chain.pass(3 * minuteMs)
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('an endpoint that stopped following the chain is left for one that does', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  t.chain.stale.staleAt = Number(await t.chain.anvil.call('eth_blockNumber'))
  t.chain.gate.upstream = () => t.chain.stale.url
  await t.chain.pass(2 * minuteMs)
  await pay()
  await t.chain.finalize()
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  const health = await t.adapter.health()
  assert.is(health.ok, true)
  assert.match(
    only(health.problems),
    /has stopped following the chain: its last final block \d+ is of 2026-03-05T/,
  )
})

test('when all seem to have stopped they are believed, and health says how old the head is', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  await pay()
  await t.chain.finalize()
  // It is the node's clock that runs ahead.
  const adapter = t.chain.open({ clock: () => t.chain.now() + 10 * minuteMs })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  const health = await adapter.health()
  assert.is(health.ok, false)
  assert.match(health.problems.join(), /a final block that is 60\d s old/)
  await adapter.close()
})

test('an endpoint far behind what was read already never takes the cursor back', async (t) => {
  const { book } = await bookWithOrder(t)
  const stopped = Number(await t.chain.anvil.call('eth_blockNumber'))
  for (let look = 0; look < 2; look += 1) {
    await t.chain.pass(5 * minuteMs)
    assert.is(await book.catchUp(t.adapter), null)
  }
  const { cursor, scannedTo } = book
  t.chain.stale.staleAt = stopped
  for (const gate of both(t)) gate.upstream = () => t.chain.stale.url
  assert.is(await book.catchUp(t.adapter), 'inconsistent')
  assert.equal([book.cursor, book.scannedTo], [cursor, scannedTo])
})

test('back ends that differ by a few blocks are no trouble', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  await pay()
  await t.chain.finalize()
  await t.chain.mine(4)
  // Single questions and batches go to different back ends.
  t.chain.stale.staleAt = Number(await t.chain.anvil.call('eth_blockNumber')) - 4
  for (const gate of both(t))
    gate.upstream = ({ body }) => (body.startsWith('[') ? t.chain.stale.url : t.chain.fresh.url)
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  for (let look = 0; look < 3; look += 1) assert.is(await book.catchUp(t.adapter), null)
})

test('a back end that stopped half a minute ago is told from one that differs', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  t.chain.stale.staleAt = Number(await t.chain.anvil.call('eth_blockNumber'))
  await pay()
  await t.chain.mine(35)
  const { cursor } = book
  for (const gate of both(t))
    gate.upstream = ({ body }) => (body.startsWith('[') ? t.chain.stale.url : t.chain.fresh.url)
  assert.is(await book.catchUp(t.adapter), 'inconsistent')
  assert.is(book.cursor, cursor)
  for (const gate of both(t)) gate.upstream = () => t.chain.fresh.url
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('what contradicts itself stops the page, and is read when it does not', async (t) => {
  const { book, id, pay } = await bookWithOrder(t)
  await pay()
  await t.chain.finalize()
  const { cursor } = book
  const elsewhere = `0x${'07'.repeat(32)}`
  const lies: Parameters<typeof rewriting>[0][] = [
    // A transaction is listed and not served, or is said to be in another block.
    ({ method }) => (method === 'eth_getTransactionByHash' ? { result: null } : null),
    ({ method }, result) =>
      method === 'eth_getTransactionByHash' ? { result: { ...result, blockHash: elsewhere } } : null,
    // The last block is one, and then another.
    ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[0] !== 'finalized'
        ? { result: { ...result, hash: elsewhere } }
        : null,
  ]
  for (const lie of lies) {
    for (const gate of both(t)) gate.rewrite = rewriting(lie)
    assert.is(await book.catchUp(t.adapter), 'inconsistent')
    assert.is(book.cursor, cursor)
  }
  for (const gate of both(t)) gate.rewrite = null
  assert.is(await book.catchUp(t.adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('logs that are refused for their number are not asked for in smaller ranges', async (t) => {
  const { book } = await bookWithOrder(t)
  await t.chain.mine(60)
  const busy = { error: { code: -32005, message: 'rate limit exceeded' } }
  t.chain.gate.rewrite = rewriting(({ method }) => (method === 'eth_getLogs' ? busy : null))
  const adapter = t.chain.open({ clock: t.chain.now }, { rpc: [t.chain.gate.url] })
  assert.is(await book.catchUp(adapter), 'rate_limited')
  t.chain.gate.rewrite = null
  await t.chain.mine(10)
  const before = t.chain.gate.requests
  assert.is(await book.catchUp(adapter), null)
  assert.ok(t.chain.gate.requests - before <= 3)
  await adapter.close()
})

test('an endpoint that answers few questions at a time is asked again only for the rest', async (t) => {
  const adapter = t.chain.open({ clock: t.chain.now }, { rpc: [t.chain.gate.url] })
  const book = new Book(t.chain, value(await adapter.startCursor()))
  const wallet = await t.chain.newWallet(40n)
  const requests = Array.from({ length: 40 }, () => transfer(t.chain, wallet, 1n))
  const ids = requests.map((request) => book.open(request))
  for (const { reference } of requests) await t.chain.pay(wallet, { units: 1n, references: [reference] })
  await t.chain.finalize()
  let served = 0
  t.chain.gate.rewrite = rewriting(({ method }) => {
    if (method !== 'eth_getTransactionByHash') return null
    served += 1
    return served % 25 < 15 ? null : { error: { code: -32007, message: 'too many requests' } }
  })
  let failures = 0
  while ((await book.catchUp(adapter)) === 'rate_limited') {
    failures += 1
    await t.chain.finalize()
    await t.chain.pass(10_000)
    if (failures > 10) throw new Error('no progress')
  }
  assert.ok(failures > 0)
  assert.ok(served < 80, `${served} questions`)
  for (const id of ids) assert.equal(book.verdictsOf(id), ['credit 1, missing 0'])
  await adapter.close()
})

test('a page that its caller could not store is handed over again', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  let cursor = value(await t.adapter.startCursor())
  const references = Array.from({ length: 6 }, newReference)
  const handed: string[] = []
  for (let round = 0; round < 10; round += 1) {
    const reference = references[round]
    if (reference === undefined) await t.chain.mine(1)
    else await t.chain.pay(wallet, { units: 1n, references: [reference] })
    for (let attempts = 0; attempts < 3; attempts += 1) {
      const page = value(await t.adapter.deposits(cursor))
      handed.push(...page.deposits.flatMap(({ references }) => references))
      if (attempts === 2) cursor = page.cursor
    }
  }
  for (const reference of references)
    assert.ok(handed.filter((one) => one === reference).length >= 3, 'in all three pages of its first look')
  // Once it is stored it is not told again, until another node or a restart knows nothing of that.
  assert.equal(await read(t.adapter, cursor), [])
  const restarted = t.chain.open({ clock: t.chain.now })
  assert.is((await read(restarted, cursor)).length, 6)
  await restarted.close()
})

test('what is no chain at all is a failure and not a crash', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  for (const answer of ['<html>', '{}', '[]', 'null', '{"result":"0x279f"}', '[{"id":0,"result":{}}]']) {
    for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = () => answer
    const fresh = chain.open({ clock: chain.now })
    assert.is(kindOf(await fresh.deposits(cursor)), 'unavailable', answer)
    assert.is(kindOf(await fresh.readNetwork()), 'unavailable', answer)
    assert.is((await fresh.health()).ok, false)
    await fresh.close()
  }
})

test('a cursor of another chain, or of nobody, is a defect', async ({ adapter }) => {
  for (const cursor of [
    '',
    '7',
    'null',
    '{"settled":1}',
    '{"settled":{"height":1,"at":1},"read":"1","marks":[],"pages":0}',
  ]) {
    const outcome = await adapter.deposits(cursor).then(
      () => 'read',
      () => 'thrown',
    )
    assert.is(outcome, 'thrown', cursor)
  }
})

test.run()
