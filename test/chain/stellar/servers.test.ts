/** The servers of Stellar: what an operator is told of them, and many wallets at once from an RPC. */
import { Operation } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { keep, kindOf, minuteMs, only, transfer, value } from '../asking.ts'

const test = suite<{ chain: LocalStellar; horizon: ChainAdapter; adapter: ChainAdapter }>(
  'servers of Stellar',
)
test.before(async (t) => {
  t.chain = await startStellar()
  t.horizon = t.chain.open({ clock: t.chain.now })
  t.adapter = t.chain.open({ clock: t.chain.now }, { rpc: t.chain.rpcGate.url })
})
test.after(async ({ chain, horizon, adapter }) => {
  await Promise.all([horizon.close(), adapter.close()])
  await chain.close()
})
test.after.each(async ({ chain }) => {
  chain.rpcGate.rewrite = chain.rpcGate.trouble = null
  await chain.pass(2 * minuteMs)
})

test('a hundred wallets are about one request, and told as Horizon tells them', async (t) => {
  const { chain, horizon, adapter } = t
  const [ready, frozen] = [await chain.newWallet(1n), await chain.newWallet(1n)]
  const flags = { trustor: frozen.address, asset: chain.token, flags: { authorized: false } }
  chain.send(chain.issuer, [Operation.setTrustLineFlags(flags)])
  const wallets = [
    ready,
    (await chain.unpreparedWallet()) ?? ready,
    frozen,
    { address: chain.subAccount(ready.address, '1') },
    chain.issuer,
    ...Array.from({ length: 115 }, () => chain.unknownWallet()),
    ready,
  ]
  const requests = wallets.map((wallet) => transfer(chain, wallet, 1n))
  const before = [chain.gate.requests, chain.rpcGate.requests]
  const states = await adapter.readWallets(requests)
  assert.equal(states, await horizon.readWallets(requests))
  assert.equal(states.slice(0, 6).map(kindOf), [
    'ok',
    'no_trustline',
    'wallet_frozen',
    'wallet_invalid',
    'ok',
    'wallet_missing',
  ])
  // Whose network it is, and twice up to a hundred wallets; Horizon alone was asked for each of them.
  assert.is(chain.rpcGate.requests - (before[1] ?? 0), 3)
  assert.is(chain.gate.requests - (before[0] ?? 0), 1 + 119)
})

test('a transaction is the same from either', async ({ chain, horizon, adapter }) => {
  const wallet = await chain.newWallet(5n)
  const request = transfer(chain, wallet, 5n)
  const at = chain.now()
  const fromRpc = value(adapter.assemble(request, await keep(adapter, request), at))
  assert.equal(fromRpc, value(horizon.assemble(request, await keep(horizon, request), at)))
  await chain.submit(fromRpc.transaction, wallet)
})

test('an RPC in trouble is passed over for Horizon, and named', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  const troubles: (() => void)[] = [
    () => {
      chain.rpcGate.trouble = () => 'cut'
    },
    () => {
      chain.rpcGate.trouble = () => ({ status: 429 })
    },
    () => {
      chain.rpcGate.rewrite = (_, answer) => answer.replace(chain.ledger.passphrase, 'Another Network')
    },
    () => {
      chain.rpcGate.rewrite = ({ body }, answer) =>
        body.includes('getNetwork') ? answer : '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}'
    },
    () => {
      chain.rpcGate.rewrite = (_, answer) => answer.replace(/"xdr":"AAA[^"]+"/, '"xdr":"AAAA"')
    },
    () => {
      chain.rpcGate.rewrite = (_, answer) => answer.replace(/"latestLedger":\d+/, '"latestLedger":1')
    },
  ]
  for (const trouble of troubles) {
    // Whose network it is, is asked again once a minute.
    await chain.pass(2 * minuteMs)
    trouble()
    assert.is(kindOf(only(await adapter.readWallets([request]))), 'ok')
    const { ok, problems } = await adapter.health()
    assert.is(ok, true)
    assert.is(problems.length, 1)
    assert.ok(problems[0]?.startsWith(new URL(chain.rpcGate.url).host))
    chain.rpcGate.rewrite = chain.rpcGate.trouble = null
    await chain.pass(2 * minuteMs)
    value(only(await adapter.readWallets([request])))
    assert.equal((await adapter.health()).problems, [])
  }
})

test('check looks at the RPC too', async ({ chain, adapter }) => {
  const host = new URL(chain.rpcGate.url).host
  const ofRpc = async (): Promise<readonly (readonly [string, boolean])[]> =>
    (await adapter.check()).flatMap(({ what, subject, ok }) => (subject === host ? [[what, ok]] : []))
  assert.equal(await ofRpc(), [
    ['endpoint', true],
    ['network', true],
  ])
  chain.rpcGate.rewrite = (_, answer) => answer.replace(chain.ledger.passphrase, 'Another Network')
  assert.equal(await ofRpc(), [
    ['endpoint', true],
    ['network', false],
  ])
  chain.rpcGate.trouble = () => 'cut'
  assert.equal(await ofRpc(), [['endpoint', false]])
})

test('health tells of a Horizon that lags behind its own node, or behind the clock', async (t) => {
  const { chain, horizon: adapter } = t
  chain.fresh.behindCore = 13
  const lagging = await adapter.health()
  assert.is(lagging.ok, false)
  assert.match(lagging.problems.join(), /13 ledgers behind the node/)
  chain.fresh.behindCore = 0
  const late = chain.open({ clock: () => chain.now() + 61_000 })
  const old = await late.health()
  assert.is(old.ok, false)
  assert.is(old.lagMs, 61_000)
  assert.match(old.problems.join(), /closed 61 s ago/)
  await late.close()
})

test('check tells of a treasury without an account, an unknown asset and an issuer’s powers', async (t) => {
  const { chain } = t
  const adapter = chain.open(
    { clock: chain.now },
    {
      treasury: chain.unknownWallet().address,
      assets: { USDC: { id: `USDX:${chain.issuer.address}`, decimals: 7 } },
    },
  )
  const wrong = (await adapter.check()).filter(({ ok }) => !ok)
  assert.equal(
    wrong.map(({ what }) => what),
    ['treasury', 'asset', 'treasury_account'],
  )
  await adapter.close()
  const asset = (await t.horizon.check()).find(({ what }) => what === 'asset')
  assert.match(asset?.found ?? '', /can take it back/)
})

test.run()
