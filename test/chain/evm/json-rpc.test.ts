/** Batches, and what becomes of answers that are none. */
import { createServer, type Server } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readHeader, readTransaction, readTransfers } from '../../../chain/evm/answers.ts'
import { evmChain } from '../../../chain/evm/chains.ts'
import { type Call, failureIn, failureKindOf, JsonRpc } from '../../../chain/evm/json-rpc.ts'
import { LogRange } from '../../../chain/evm/log-range.ts'
import { gasIn } from '../../../chain/evm/values.ts'
import { Requests } from '../../../chain/requests.ts'

type Reply = { readonly status?: number; readonly body: string }

interface Endpoint {
  server: Server
  /** Sizes of the batches that came; 1 is a single request. */
  sizes: number[]
  reply: (calls: readonly { id: number; method: string }[], isBatch: boolean) => Reply
  rpc: JsonRpc
  requests: Requests
}

const test = suite<Endpoint>('JSON-RPC of Monad')

const results = (calls: readonly { id: number }[]): Reply => ({
  body: JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: id }))),
})
const failure = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
const some = (count: number): readonly Call[] =>
  Array.from({ length: count }, (_, index) => ({ method: `question_${index}`, params: [] }))

test.before.each(async (t) => {
  t.sizes = []
  t.reply = (calls, isBatch) =>
    isBatch ? results(calls) : { body: JSON.stringify({ jsonrpc: '2.0', id: 0, result: 0 }) }
  t.server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const calls = Array.isArray(body) ? body : [body]
    t.sizes.push(calls.length)
    const { status = 200, body: text } = t.reply(calls, Array.isArray(body))
    response.writeHead(status).end(text)
  })
  await new Promise<void>((resolve) => t.server.listen(0, '127.0.0.1', resolve))
  const address = t.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  t.requests = new Requests({ clock: () => 0, timeoutMs: 5_000 })
  t.rpc = new JsonRpc(`http://127.0.0.1:${address.port}/with/a/key`, t.requests)
})
test.after.each(async ({ server, requests }) => {
  requests.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** What the port would be told. */
async function failureOf(t: Endpoint, calls = some(1)): Promise<{ kind: string; message: string }> {
  try {
    await t.rpc.results(calls)
  } catch (error) {
    return failureIn(error, t.rpc.host)
  }
  throw new Error('it did not fail')
}

test('a hundred questions are one request, and each gets its own answer in any order', async (t) => {
  t.reply = (calls) => results(calls.toReversed())
  assert.equal(
    await t.rpc.results(some(100)),
    Array.from({ length: 100 }, (_, id) => id),
  )
  assert.equal(t.sizes, [100])
})

test('a batch that is refused as a whole is asked in smaller ones, and larger ones later', async (t) => {
  t.reply = (calls, isBatch) => {
    if (isBatch && calls.length > 20)
      return { body: failure(-32603, 'number of requests exceeds limit of 20') }
    return isBatch ? results(calls) : { body: '{"jsonrpc":"2.0","id":0,"result":0}' }
  }
  assert.is((await t.rpc.results(some(100))).length, 100)
  assert.equal(t.sizes.slice(0, 4), [100, 50, 25, 13])
  assert.ok(t.rpc.batchLimit > 13 && t.rpc.batchLimit <= 20)
  assert.ok(t.sizes.length < 12)
})

test('an endpoint that answers no batches is asked one by one', async (t) => {
  t.reply = (calls, isBatch) =>
    isBatch
      ? { status: 400, body: failure(-32600, 'batches are not supported') }
      : { body: JSON.stringify({ jsonrpc: '2.0', id: 0, result: calls[0]?.method }) }
  assert.equal(await t.rpc.results(some(3)), ['question_0', 'question_1', 'question_2'])
})

test('a refusal that a provider explains with HTTP 400 is understood', async (t) => {
  t.reply = () => ({ status: 400, body: failure(-32600, 'up to a 10 block range') })
  const { kind, message } = await failureOf(t)
  assert.is(kind, 'refused')
  assert.match(message, /^127\.0\.0\.1:\d+ refuses the request \(error -32600: up to a 10 block range\)\.$/)
})

test('a quota is told apart from a refusal, and makes batches smaller', async (t) => {
  t.reply = () => ({ status: 429, body: '' })
  assert.is((await failureOf(t, some(40))).kind, 'rate_limited')
  assert.is(t.rpc.batchLimit, 20)
  t.reply = () => ({ body: failure(-32005, 'rate limit exceeded') })
  assert.is((await failureOf(t, some(20))).kind, 'rate_limited')
  assert.is(t.rpc.batchLimit, 10)
  t.reply = (calls) => ({
    body: JSON.stringify(
      calls.map(({ id }) => ({
        id,
        error: { code: -32007, message: '25/second request limit: too many requests' },
      })),
    ),
  })
  assert.is((await failureOf(t, some(2))).kind, 'rate_limited')
})

test('what cannot be read is no answer, and the address stays secret', async (t) => {
  const bodies = ['', '<html>', '[]', 'null', '{}', '[{"id":0}]', '[{"id":7,"result":1},{"id":1,"result":1}]']
  for (const body of bodies) {
    t.reply = () => ({ body })
    const { kind, message } = await failureOf(t, some(2))
    assert.is(kind, 'unavailable', body)
    assert.not.match(message, /key/)
  }
  t.reply = () => ({ status: 413, body: '<html>' })
  assert.is((await failureOf(t)).kind, 'refused')
})

test('errors mean what their words say, as codes differ', () => {
  const meanings: [number, string, string][] = [
    [-32602, 'Block requested not found. Request might be querying historical state', 'inconsistent'],
    [-32603, 'overloaded, try again later', 'rate_limited'],
    [-32603, 'Internal error: Triedb error', 'unavailable'],
    [-32602, 'block range too large', 'refused'],
    [-32614, 'eth_getLogs is limited to a 100 range', 'refused'],
    [-32005, 'query returned more than 10000 results', 'refused'],
    [429, 'Your app has exceeded its compute units per second capacity', 'rate_limited'],
    [3, 'execution reverted', 'refused'],
  ]
  for (const [code, message, kind] of meanings) assert.is(failureKindOf({ code, message }), kind, message)
})

const monad = evmChain('MONAD')

test('an estimate gets a twentieth more, a refused one a fixed limit, and a monstrous one the most', () => {
  assert.equal(gasIn(monad, { ok: true, value: '0xea60' }), { ok: true, value: 63_000n })
  assert.equal(gasIn(monad, { ok: true, value: '0x1c9c380' }), { ok: true, value: 1_000_000n })
  for (const [code, message] of [
    [3, 'execution reverted'],
    [-32603, 'EVM error: Revert'],
    [-32000, 'insufficient funds'],
  ] as const)
    assert.equal(gasIn(monad, { ok: false, failure: { code, message } }), { ok: true, value: 150_000n })
  assert.equal(gasIn(monad, { ok: false, failure: { code: -32603, message: 'overloaded' } }), {
    ok: false,
    failure: 'rate_limited',
  })
})

test('a range of blocks is halved when it is refused, and doubled after sixteen answers', () => {
  const range = new LogRange(100)
  range.refused(100)
  range.refused(50)
  assert.is(range.blocks, 25)
  for (let answers = 0; answers < 15; answers += 1) range.served(25)
  range.served(3)
  assert.is(range.blocks, 25)
  range.served(25)
  assert.is(range.blocks, 50)
  for (let answers = 0; answers < 100; answers += 1) range.served(range.blocks)
  assert.is(range.blocks, 100)
  for (let refusals = 0; refusals < 20; refusals += 1) range.refused(range.blocks)
  assert.is(range.blocks, 1)
})

test('blocks, transactions and logs are taken apart with suspicion', () => {
  const word = `0x${'ab'.repeat(32)}` as const
  const block = { number: '0x10', hash: word, timestamp: '0x65', baseFeePerGas: '0x7' }
  assert.equal(readHeader(block), { height: 16, hash: word, at: 101_000, baseFee: 7n })
  assert.is(readHeader(null), null)
  for (const wrong of [
    {},
    [],
    'x',
    { ...block, number: 16 },
    { ...block, hash: '0xab' },
    { ...block, timestamp: '-0x1' },
  ])
    assert.throws(() => readHeader(wrong), /cannot be read/)

  assert.is(readTransaction(null), null)
  assert.is(readTransaction({ blockHash: null }), null)
  assert.throws(
    () => readTransaction({ blockHash: word, to: null, from: '0x', input: '0x' }),
    /cannot be read/,
  )

  const topic = `0x${'01'.repeat(32)}` as const
  const log = {
    address: `0x${'12'.repeat(20)}`,
    topics: [topic, word, word],
    data: word,
    blockNumber: '0x1',
    blockHash: word,
    transactionHash: word,
    logIndex: '0x2',
  }
  const filter = { topic, isAccepted: () => false }
  assert.is(readTransfers([log], filter).length, 1)
  // ERC-721 puts a fourth word among the topics; other tokens put other things into the data.
  const others = [
    { ...log, topics: [topic, word, word, word] },
    { ...log, topics: [topic, word] },
    { ...log, data: '0x' },
  ]
  assert.equal(readTransfers(others, filter), [])
  // An accepted token has no other: what is missing in its logs was left out.
  for (const other of others)
    assert.throws(() => readTransfers([other], { topic, isAccepted: () => true }), /cannot be read/)
  assert.throws(() => readTransfers([{ ...log, removed: true }], filter), /taken back/)
  assert.throws(() => readTransfers({}, filter), /cannot be read/)
  for (const name of Object.keys(log))
    assert.throws(() => readTransfers([{ ...log, [name]: null }], filter), /cannot be read/)
})

test.run()
