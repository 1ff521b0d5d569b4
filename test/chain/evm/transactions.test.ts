/** What only Monad knows of transactions: their text, their gas, their fees, its addresses. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getAddress, parseEventLogs } from 'viem'
import type { ChainAdapter } from '../../../chain/chain.ts'
import { tokenAbi } from '../../support/chains/evm/accounts.ts'
import { type LocalEvm, startEvm } from '../../support/chains/evm/local.ts'
import { assemble, keep, kindOf, minuteMs, only, transfer, value } from '../asking.ts'

const test = suite<{ chain: LocalEvm; adapter: ChainAdapter }>('transactions on Monad')
test.before(async (t) => {
  t.chain = await startEvm('MONAD')
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})

const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/

test('the transaction is the JSON text of parameters that wallets take, and names no nonce', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  const request = transfer(t.chain, wallet, 10n, { reference: '0'.repeat(63).concat('1') })
  const { transaction, landsUntil } = await assemble(t.chain, t.adapter, request)
  const parameters: Readonly<Record<string, string>> = JSON.parse(transaction)
  const { gas, maxFeePerGas, maxPriorityFeePerGas, ...fixed } = parameters
  assert.equal(fixed, {
    type: '0x2',
    chainId: '0x279f',
    from: wallet.address,
    to: t.chain.asset.id,
    value: '0x0',
    data: t.chain.transferData(10n, [request.reference]),
  })
  assert.equal(Object.keys(parameters), [
    'type',
    'chainId',
    'from',
    'to',
    'value',
    'data',
    'gas',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
  ])
  for (const number of [gas, maxFeePerGas, maxPriorityFeePerGas]) assert.match(number ?? '', quantity)
  // The wallet chooses the nonce: only it can make the transaction void.
  assert.is(landsUntil, null)
})

test('signed and executed, it makes one transfer of the asset and does nothing else', async (t) => {
  const wallet = await t.chain.newWallet(1_000n)
  const { transaction } = await assemble(t.chain, t.adapter, transfer(t.chain, wallet, 999n))
  assert.equal(t.chain.decode(transaction).others, [])
  const id = await t.chain.submit(transaction, wallet)
  const receipt = Object(await t.chain.anvil.call('eth_getTransactionReceipt', id))
  assert.is(receipt.from, wallet.address.toLowerCase())
  assert.is(receipt.to, t.chain.asset.id.toLowerCase())
  const sent = Object(await t.chain.anvil.call('eth_getTransactionByHash', id))
  assert.is(BigInt(sent.value), 0n)
  assert.is(receipt.logs.length, 1)
  const [log] = receipt.logs
  assert.is(log.address, t.chain.asset.id.toLowerCase())
  assert.equal(
    log.topics.slice(1).map((topic: string) => getAddress(`0x${topic.slice(26)}`)),
    [wallet.address, t.chain.treasury],
  )
  assert.is(BigInt(log.data), 999n)
})

test('the gas limit is tight, for Monad charges all of it, and is enough', async (t) => {
  const dearest = { amount: 2n ** 256n - 2n, reference: 'ff'.repeat(32) }
  const cheapest = { amount: 1n, reference: '00'.repeat(32) }
  for (const { amount, reference } of [dearest, cheapest]) {
    const wallet = await t.chain.newWallet(1n)
    const token = await t.chain.accounts.deployToken()
    const assets = { USDC: { id: token, decimals: 6 } }
    // A unit more: Ethereum gives gas back for an entry that is emptied.
    await t.chain.accounts.mint(token, getAddress(wallet.address), amount + 1n)
    // Nobody has paid yet: the first transfer also makes the treasury's entry in the token.
    const adapter = t.chain.open({ clock: t.chain.now }, { assets })
    const request = transfer(t.chain, wallet, amount, { reference })
    const { transaction } = await assemble(t.chain, adapter, request)
    const { to, data, gas } = JSON.parse(transaction)
    const { gasUsed } = await t.chain.accounts.send(getAddress(wallet.address), {
      to,
      data,
      gas: BigInt(gas),
    })
    assert.is(await t.chain.balanceOf(t.chain.treasury, token), amount)
    const [least, most] = [(gasUsed * 104n) / 100n, (gasUsed * 107n) / 100n]
    assert.ok(BigInt(gas) >= least && BigInt(gas) <= most, `${BigInt(gas)} for ${gasUsed}`)
    await adapter.close()
  }
})

test('a wallet without tokens or MON is offered its transaction, and can pay once it has both', async (t) => {
  const wallet = t.chain.unknownWallet()
  const request = transfer(t.chain, wallet, 5_000_000n)
  const { transaction } = await assemble(t.chain, t.adapter, request)
  assert.is(BigInt(JSON.parse(transaction).gas), 150_000n)
  await t.chain.accounts.fund(getAddress(wallet.address))
  await t.chain.grant(wallet.address, 5_000_000n)
  await t.chain.submit(transaction, wallet)
  assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 0n)
  await t.chain.grant(wallet.address, 5_000_000n)
  const again = await assemble(t.chain, t.adapter, request)
  assert.ok(BigInt(JSON.parse(again.transaction).gas) < 70_000n)
})

test('the fees leave room for a base fee that doubles', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  await t.chain.anvil.call('anvil_setNextBlockBaseFeePerGas', 100_000_000_000)
  await t.chain.finalize()
  const block = Object(await t.chain.anvil.call('eth_getBlockByNumber', 'latest', false))
  const baseFee = BigInt(block.baseFeePerGas)
  const { transaction } = await assemble(t.chain, t.adapter, transfer(t.chain, wallet, 10n))
  const { maxFeePerGas, maxPriorityFeePerGas } = JSON.parse(transaction)
  assert.is(BigInt(maxFeePerGas), 2n * baseFee + BigInt(maxPriorityFeePerGas))
  await t.chain.anvil.call('anvil_setNextBlockBaseFeePerGas', Number(2n * baseFee))
  await t.chain.submit(transaction, wallet)
})

test('the end of the window is the last moment to sign, and too little time is none', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  const request = transfer(t.chain, wallet, 10n)
  const kept = await keep(t.adapter, request)
  const at = t.chain.now()
  const until = (deadline: number) => t.adapter.assemble({ ...request, deadline }, kept, at)
  assert.is(value(until(at + minuteMs)).signableUntil, at + minuteMs)
  assert.is(value(until(at + 10_000)).signableUntil, at + 10_000)
  assert.is(kindOf(until(at + 9_999)), 'window_closed')
})

test('values that were read for one asset say nothing of another', async (t) => {
  const assets = {
    USDC: { id: t.chain.asset.id, decimals: 6 },
    USDT: { id: t.chain.impostorId, decimals: 6 },
  }
  const adapter = t.chain.open({ clock: t.chain.now }, { assets })
  const request = transfer(t.chain, await t.chain.newWallet(10n), 10n)
  const kept = await keep(adapter, request)
  const at = t.chain.now()
  assert.is(kindOf(adapter.assemble(request, kept, at)), 'ok')
  assert.is(kindOf(adapter.assemble({ ...request, symbol: 'USDT' }, kept, at)), 'values_stale')
  for (const values of [{}, { baseFee: 'x', priorityFee: '1' }, { baseFee: '-1', priorityFee: '1' }])
    assert.is(
      kindOf(adapter.assemble(request, { ...kept, network: { readAt: at, values } }, at)),
      'values_stale',
    )
  await adapter.close()
})

test('a hundred wallets are one request', async (t) => {
  const requests = Array.from({ length: 100 }, () => transfer(t.chain, t.chain.unknownWallet(), 1n))
  await t.adapter.readWallets(requests.slice(0, 1))
  const before = t.chain.gate.requests
  const outcomes = await t.adapter.readWallets(requests)
  assert.ok(outcomes.every(({ ok }) => ok))
  assert.is(t.chain.gate.requests - before, 1)
})

test('a wallet may be given without a checksum, and the transaction has it', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  const bare = wallet.address.toLowerCase()
  assert.is(t.adapter.canonicalWallet(bare), wallet.address)
  const request = transfer(t.chain, { address: bare }, 10n)
  const { transaction } = await assemble(t.chain, t.adapter, request)
  assert.is(t.chain.decode(transaction).from, wallet.address)
})

test('the treasury and the tokens cannot be wallets of orders', async ({ chain, adapter }) => {
  for (const address of [chain.treasury, chain.asset.id, chain.treasury.toLowerCase()]) {
    assert.is(adapter.canonicalWallet(address), null)
    const [outcome] = await adapter.readWallets([{ wallet: address, symbol: 'USDC' }])
    assert.is(outcome && kindOf(outcome), 'wallet_invalid')
  }
})

test('a refund that is signed by the treasury is executed, and can be recognised', async (t) => {
  const wallet = await t.chain.newWallet(10n)
  await t.chain.pay(wallet, { units: 7n })
  const reference = 'ef'.repeat(32)
  const request = { assetId: t.chain.asset.id, amount: 7n, to: wallet.address, reference }
  const { transaction } = value(await t.adapter.refund(request))
  const id = await t.chain.submit(transaction, { address: t.chain.treasury })
  assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 10n)
  const { logs } = Object(await t.chain.anvil.call('eth_getTransactionReceipt', id))
  assert.is(only(parseEventLogs({ abi: tokenAbi, logs })).args.value, 7n)
  assert.equal(t.chain.decode(transaction).references, [reference])
})

test('a refund that cannot be made is refused', async ({ chain, adapter }) => {
  const request = {
    assetId: chain.asset.id,
    amount: 7n,
    to: chain.unknownWallet().address,
    reference: '0'.repeat(64),
  }
  assert.is(kindOf(await adapter.refund({ ...request, assetId: 'USDC' })), 'asset_unknown')
  assert.is(kindOf(await adapter.refund({ ...request, to: 'nobody' })), 'wallet_invalid')
  assert.is(kindOf(await adapter.refund({ ...request, amount: 0n })), 'amount_invalid')
  assert.is(kindOf(await adapter.refund({ ...request, amount: 2n ** 256n })), 'amount_invalid')
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.trouble = () => 'cut'
  assert.is(kindOf(await adapter.refund(request)), 'rpc_unavailable')
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.trouble = null
  await chain.pass(2 * minuteMs)
})

test('check says which contract or which decimals are wrong', async (t) => {
  const wrong = async (asset: { id: string; decimals: number }) => {
    const adapter = t.chain.open({ clock: t.chain.now }, { assets: { USDC: asset } })
    const item = only((await adapter.check()).filter(({ what }) => what === 'asset'))
    await adapter.close()
    return item
  }
  const { id } = t.chain.asset
  assert.equal(await wrong({ id, decimals: 18 }), {
    what: 'asset',
    subject: `USDC ${id}`,
    ok: false,
    found: 'USDC, decimals 6',
    action: 'Set decimals 6 for USDC in chains.MONAD.assets.',
  })
  const nobody = t.chain.unknownWallet().address
  assert.is((await wrong({ id: nobody, decimals: 6 })).found, 'no contract at this address')
  const wallet = await t.chain.newWallet(1n)
  const contract = await t.chain.accounts.deployWallet(getAddress(wallet.address))
  assert.is((await wrong({ id: contract, decimals: 6 })).found, 'a contract that is no ERC-20 token')
})

test('settings with a mistyped address are refused when the chain is opened', ({ chain }) => {
  const mistyped = '0x754704bc059F8C67012fEd69BC8A327a5aafb603'
  const open = (overrides: Readonly<Record<string, unknown>>) => () =>
    chain.open({ clock: chain.now }, overrides)
  assert.throws(open({ treasury: mistyped }), /^chains\.MONAD\.treasury: /)
  const assets = { USDC: { id: '0x12', decimals: 6 } }
  assert.throws(open({ assets }), /^chains\.MONAD\.assets\.USDC\.id: /)
})

test.run()
