/** What only Solana knows of transactions: block hashes that age, token accounts that freeze, its fees. */
import {
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import type { DecodedTransfer } from '../../support/chains/local-chain.ts'
import { type LocalSolana, startSolana } from '../../support/chains/solana/local.ts'
import { transferTokens } from '../../support/chains/solana/programs.ts'
import {
  assemble,
  isRefused,
  keep,
  kindOf,
  minuteMs,
  newReference,
  only,
  read,
  transfer,
  value,
} from '../asking.ts'

const test = suite<{ chain: LocalSolana; adapter: ChainAdapter }>('transactions on Solana')
test.before(async (t) => {
  t.chain = await startSolana()
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})
test.after.each(({ chain }) => {
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = gate.trouble = null
})

test('a transaction holds compute limit and price, the order as a memo, and the transfer last', async (t) => {
  const request = transfer(t.chain, await t.chain.newWallet(1n), 1n)
  const { transaction } = await assemble(t.chain, t.adapter, request)
  const { others } = t.chain.decode(transaction)
  assert.equal(others, ['compute limit 80000', 'compute price 10000', `memo ${request.orderId}`])
  const bytes = Buffer.from(transaction, 'base64')
  // Nothing follows the transfer, whose last account is the reference.
  assert.ok(bytes.length <= 1_232)
  assert.is(bytes.readUInt8(bytes.length - 1), 0)
  assert.is(bytes.readUInt8(bytes.length - 12), 10)
})

test('it costs less than half of its compute limit', async (t) => {
  const wallet = await t.chain.newWallet(1n)
  const { transaction } = await assemble(t.chain, t.adapter, transfer(t.chain, wallet, 1n))
  await t.chain.submit(transaction, wallet)
  const used = Number(t.chain.ledger.entries.at(-1)?.meta.computeUnitsConsumed)
  assert.ok(used > 0 && used < 40_000, String(used))
})

test('the price of a compute unit follows the market, within bounds', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  for (const [market, offered] of [
    [0, 10_000],
    [123_456, 123_456],
    [9_000_000, 500_000],
  ]) {
    chain.gate.rewrite = ({ body }, answer) =>
      body.includes('"getRecentPrioritizationFees"')
        ? JSON.stringify({ ...JSON.parse(answer), result: [{ slot: 1, prioritizationFee: market }] })
        : answer
    const { others } = chain.decode((await assemble(chain, adapter, request)).transaction)
    assert.ok(others.includes(`compute price ${offered}`))
  }
})

test('the oldest values that are kept can be signed for ten more seconds, and then die', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  const request = transfer(t.chain, wallet, 1n)
  const kept = await keep(t.adapter, request)
  await t.chain.pass(t.adapter.keptFor.network)
  const late = value(t.adapter.assemble(request, kept, t.chain.now()))
  await t.chain.pass(10_000)
  assert.ok(t.chain.now() <= late.signableUntil)
  await t.chain.submit(late.transaction, wallet)

  const dead = value(t.adapter.assemble({ ...request, reference: newReference() }, kept, kept.network.readAt))
  assert.ok(dead.landsUntil !== null)
  await t.chain.pass(dead.landsUntil - t.chain.now())
  await isRefused(t.chain.submit(dead.transaction, wallet))
  const network = { ...kept.network, readAt: t.chain.now() }
  assert.is(kindOf(t.adapter.assemble(request, { ...kept, network }, t.chain.now())), 'ok')
  await t.chain.pass(t.adapter.keptFor.wallet)
  const later = { ...kept, network: { ...network, readAt: t.chain.now() } }
  assert.is(kindOf(t.adapter.assemble(request, later, t.chain.now())), 'values_stale')
})

test('values of another wallet or asset are no values', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  const kept = await keep(adapter, request)
  const other = await keep(adapter, transfer(chain, await chain.newWallet(1n), 1n))
  const at = kept.network.readAt
  assert.is(kindOf(adapter.assemble(request, { ...kept, wallet: other.wallet }, at)), 'values_stale')
  const { readAt, values } = kept.wallet
  const wallet = { readAt, values: { ...values, symbol: 'EURC' } }
  assert.is(kindOf(adapter.assemble(request, { ...kept, wallet }, at)), 'values_stale')
})

test('a frozen wallet is refused, and a frozen treasury', async () => {
  const chain = await startSolana()
  const adapter = chain.open({ clock: chain.now })
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 1n)
  const kept = await keep(adapter, request)
  chain.freeze(wallet.address)
  assert.is(kindOf(only(await adapter.readWallets([request]))), 'wallet_frozen')
  chain.freeze(chain.treasury)
  const network = value(await adapter.readNetwork())
  assert.is(kindOf(adapter.assemble(request, { ...kept, network }, chain.now())), 'treasury_not_ready')
  const frozen = only((await adapter.check()).filter(({ ok }) => !ok))
  assert.is(frozen.what, 'treasury_account')
  assert.match(frozen.action ?? '', /thaw/)
  await adapter.close()
  await chain.close()
})

test('two hundred wallets are four requests', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  value(await adapter.readNetwork())
  const before = chain.gate.requests
  const answers = await adapter.readWallets(Array.from({ length: 200 }, () => request))
  assert.is(answers.length, 200)
  assert.ok(answers.every(({ ok }) => ok))
  assert.is(chain.gate.requests - before, 4)
})

test('a refund signed by the treasury pays, and is no deposit', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(50n)
  await chain.pay(wallet, { units: 50n })
  await chain.finalize()
  const cursor = value(await adapter.startCursor())
  const refund = { assetId: chain.asset.id, amount: 50n, to: wallet.address, reference: newReference() }
  const { transaction } = value(await adapter.refund(refund))
  await chain.submit(transaction, { address: chain.treasury })
  assert.is(await chain.balanceOf(wallet.address, chain.asset.id), 50n)
  await chain.finalize()
  assert.equal(await read(adapter, cursor), [])
})

test('a refund opens the token account that the receiver has closed', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(50n)
  await chain.pay(wallet, { units: 50n })
  const bare = await chain.unpreparedWallet()
  if (bare === null) throw new Error('a wallet without a token account')
  const refund = { assetId: chain.asset.id, amount: 50n, to: bare.address, reference: newReference() }
  const { transaction } = value(await adapter.refund(refund))
  await chain.submit(transaction, { address: chain.treasury })
  assert.is(await chain.balanceOf(bare.address, chain.asset.id), 50n)
})

test('a refund of what the treasury does not hold is refused', async ({ chain, adapter }) => {
  const { address } = await chain.newWallet(1n)
  const refund = { assetId: chain.asset.id, amount: 1n, to: address, reference: newReference() }
  assert.is(kindOf(await adapter.refund({ ...refund, assetId: address })), 'asset_unknown')
  assert.is(kindOf(await adapter.refund({ ...refund, assetId: 'x' })), 'asset_unknown')
  assert.is(kindOf(await adapter.refund({ ...refund, amount: 2n ** 64n })), 'amount_invalid')
  assert.is(
    kindOf(await adapter.refund({ ...refund, to: chain.unsignableAddresses[0] ?? '' })),
    'wallet_invalid',
  )
  const elsewhere = await startSolana()
  const poor = chain.open({ clock: chain.now }, { treasury: elsewhere.treasury })
  assert.is(kindOf(await poor.refund(refund)), 'treasury_not_ready')
  await poor.close()
  await elsewhere.close()
})

test('check compares decimals, program and address of each asset', async ({ chain }) => {
  const { id, decimals } = chain.asset
  const program = chain.token.program.toBase58()
  const wrongs: [Record<string, unknown>, RegExp][] = [
    [{ id, decimals: 9, program }, /decimals 6/],
    [{ id, decimals, program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' }, /program Tokenkeg/],
    [{ id: chain.treasury, decimals, program }, /Correct the id/],
  ]
  for (const [asset, action] of wrongs) {
    const adapter = chain.open({ clock: chain.now }, { assets: { USDC: asset } })
    const wrong = only((await adapter.check()).filter(({ ok, what }) => !ok && what === 'asset'))
    assert.match(wrong.action ?? '', action)
    await adapter.close()
  }
})

test('settings without addresses are refused with their names', ({ chain }) => {
  const open = (overrides: Record<string, unknown>) => () => chain.open({ clock: chain.now }, overrides)
  assert.throws(open({ treasury: 'nowhere' }), /chains\.SOLANA\.treasury: nowhere is not an address/)
  const asset = { id: 'x', decimals: 6, program: chain.treasury }
  assert.throws(open({ assets: { USDC: asset } }), /chains\.SOLANA\.assets\.USDC\.id/)
})

test('check says when the treasury is a token account and not its owner', async ({ chain }) => {
  const [account = ''] = chain.unsignableAddresses
  const adapter = chain.open({ clock: chain.now }, { treasury: account })
  const wrong = (await adapter.check()).filter(({ ok }) => !ok).map(({ what }) => what)
  assert.equal(wrong, ['treasury', 'treasury_account'])
  await adapter.close()
})

test('health says how old the last final block is, when that is long', async ({ chain, adapter }) => {
  const catchUp = chain.goStale('all')
  await chain.pass(3 * minuteMs)
  const { ok, lagMs, problems } = await adapter.health()
  assert.is(ok, false)
  assert.ok(lagMs !== null && lagMs > 3 * minuteMs)
  assert.match(only(problems), /1\d\d s old\.$/)
  catchUp()
})

test('an address of an endpoint never shows its path', async ({ chain }) => {
  const rpc = [`${chain.gate.url}/secret-key?token=secret-token`]
  const adapter = chain.open({ clock: chain.now }, { rpc })
  chain.gate.trouble = () => 'cut'
  const told = JSON.stringify([await adapter.health(), await adapter.check(), await adapter.readNetwork()])
  assert.not.match(told, /secret/)
  await adapter.close()
})

test('slots can follow a clock, for a developer’s sandbox', async () => {
  let now = Date.UTC(2026, 2, 4, 12)
  const chain = await startSolana({ clock: () => now })
  const adapter = chain.open({ clock: () => now })
  const wallet = await chain.newWallet(5n)
  const cursor = value(await adapter.startCursor())
  const request = transfer(chain, wallet, 5n)
  now += minuteMs
  const { transaction } = await assemble(chain, adapter, request)
  await chain.submit(transaction, wallet)
  assert.equal(await read(adapter, cursor), [])
  now += minuteMs
  const { at } = only(await read(adapter, cursor))
  assert.ok(at !== null && at < now && at >= now - 2 * minuteMs)
  await adapter.close()
  await chain.close()
})

test('the reader of these tests sees what was not asked for', async ({ chain }) => {
  const wallet = await chain.newWallet(2n)
  const [from, to] = [new PublicKey(wallet.address), new PublicKey(chain.treasury)]
  const asked = transferTokens(chain.token, from, to, 1n, [newReference()])
  const decode = (...instructions: TransactionInstruction[]): DecodedTransfer => {
    const recentBlockhash = chain.ledger.blockHashAsOf(chain.ledger.slot).blockhash
    const message = new TransactionMessage({ payerKey: from, recentBlockhash, instructions })
    const bytes = new VersionedTransaction(message.compileToV0Message()).serialize()
    return chain.decode(Buffer.from(bytes).toString('base64'))
  }
  assert.equal(decode(asked).others, [])
  const more = SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: 1 })
  assert.equal(decode(more, asked).others, ['11111111111111111111111111111111 instruction 2'])
  assert.throws(() => decode(asked, asked), /2 transfers/)
})

test.run()
