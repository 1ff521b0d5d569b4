/** Whatever an endpoint answers, it is an answer or a failure: nothing is thrown, and another endpoint is asked. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LightChain, withLightChain } from '../../support/chains/light/light-chain.ts'
import { lightChains } from '../../support/chains/light/light-chains.ts'

const clock = () => Date.UTC(2026, 2, 3, 12)

/** An adapter of two endpoints, of which the first so many give `0`, which is no quantity, to one method. */
async function withUnreadable<Result>(
  method: string,
  count: number,
  work: (adapter: ChainAdapter, chain: LightChain) => Promise<Result>,
): Promise<Result> {
  const chain = lightChains.MONAD({ clock, opening: 1_000n, endpoints: 2 })
  const answer: LightChain['answer'] = async (endpoint, url, body) => {
    const honest = await chain.answer(endpoint, url, body)
    if (chain.endpoints.indexOf(endpoint) >= count) return honest
    const asked: { id: number; method: string }[] = [JSON.parse(body)].flat()
    const ids = asked.filter((question) => question.method === method).map(({ id }) => id)
    const given: { id: number }[] | { id: number } = JSON.parse(await honest.text())
    const changed = [given]
      .flat()
      .map((one) => (ids.includes(one.id) ? { jsonrpc: '2.0', id: one.id, result: '0' } : one))
    return Response.json(Array.isArray(given) ? changed : changed[0])
  }
  return withLightChain(Object.create(chain, { answer: { value: answer } }), async () => {
    const adapter = chain.open({ clock })
    try {
      return await work(adapter, chain)
    } finally {
      await adapter.close()
    }
  })
}

const read = (adapter: ChainAdapter, { newWallet }: LightChain) =>
  adapter.readWallets([{ wallet: newWallet(), symbol: 'USDC' }])

test('an estimate that cannot be read is asked of another endpoint', async () => {
  const [outcome] = await withUnreadable('eth_estimateGas', 1, read)
  assert.ok(outcome?.ok)
})

test('an estimate that nobody gives is a chain that cannot be read', async () => {
  const [outcome] = await withUnreadable('eth_estimateGas', 2, read)
  assert.is(outcome?.ok === false && outcome.failure.kind, 'rpc_unavailable')
})

for (const method of ['eth_getBalance', 'eth_getCode', 'eth_call', 'eth_chainId', 'eth_getBlockByNumber'])
  test(`a check is made whatever is answered to ${method}`, async () => {
    const items = await withUnreadable(method, 2, (adapter) => adapter.check())
    assert.ok(items.length > 0)
  })

test.run()
