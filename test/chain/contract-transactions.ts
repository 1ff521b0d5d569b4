/** The contract on transactions: what is built, and what is refused. */
import * as assert from 'uvu/assert'
import { assemble, isRefused, keep, kindOf, minuteMs, newReference, transfer, value } from './asking.ts'
import { type Contract, openAdapter } from './contract-context.ts'

export function transactions(test: Contract): void {
  wallets(test)
  transfers(test)
  refusals(test)
}

function wallets(test: Contract): void {
  test('a wallet that signs has one canonical form, anything else is refused', ({ chain, adapter }) => {
    const { address } = chain.unknownWallet()
    assert.is(adapter.canonicalWallet(address), address)
    for (const wrong of [
      ...chain.unsignableAddresses,
      chain.treasury,
      '',
      ' ',
      'x',
      address.slice(0, -6),
      `${address}0`,
      ` ${address}`,
    ])
      assert.is(adapter.canonicalWallet(wrong), null, wrong)
    // Where case counts, as on Solana, another spelling may by chance be another address.
    for (const spelling of [chain.treasury.toLowerCase(), chain.treasury.toUpperCase()]) {
      const found = adapter.canonicalWallet(spelling)
      if (found !== null) assert.is(found, spelling)
      assert.is.not(found, chain.treasury)
    }
  })

  test('the treasury is offered no transfer to itself, nor a refund', async ({ chain, adapter }) => {
    const request = transfer(chain, await chain.newWallet(10n), 1n)
    const kept = await keep(adapter, request)
    const own = { ...request, wallet: chain.treasury }
    assert.equal((await adapter.readWallets([own])).map(kindOf), ['wallet_invalid'])
    assert.is(kindOf(adapter.assemble(own, kept, chain.now())), 'wallet_invalid')
    const refund = { assetId: chain.asset.id, amount: 1n, to: chain.treasury, reference: newReference() }
    assert.is(kindOf(await adapter.refund(refund)), 'wallet_invalid')
  })
}

function transfers(test: Contract): void {
  test('what is assembled moves exactly the amount of the asset from wallet to treasury', async (t) => {
    const wallet = await t.chain.newWallet(1_000_000_000n)
    const request = transfer(t.chain, wallet, 25_500_000n)
    const kept = await keep(t.adapter, request)
    const at = t.chain.now()
    const { transaction, signableUntil } = value(t.adapter.assemble(request, kept, at))
    assert.ok(signableUntil >= at + 10_000)
    assert.is(value(t.adapter.assemble(request, kept, at)).transaction, transaction)
    const { others: _, ...decoded } = t.chain.decode(transaction)
    assert.equal(decoded, {
      from: wallet.address,
      to: t.chain.treasury,
      assetId: t.chain.asset.id,
      units: 25_500_000n,
      references: [request.reference],
      signatures: 0,
    })
    const treasuryBefore = await t.chain.balanceOf(t.chain.treasury, t.chain.asset.id)
    await t.chain.submit(transaction, wallet)
    assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 974_500_000n)
    assert.is(await t.chain.balanceOf(wallet.address, t.chain.impostorId), 1_000_000_000n)
    assert.is(await t.chain.balanceOf(t.chain.treasury, t.chain.asset.id), treasuryBefore + 25_500_000n)
  })

  test('the network refuses it unsigned, signed by another, and twice', async (t) => {
    const wallet = await t.chain.newWallet(3_000_000n)
    const { transaction } = await assemble(t.chain, t.adapter, transfer(t.chain, wallet, 1_000_000n))
    await isRefused(t.chain.submitUnsigned(transaction))
    const another = await t.chain.newWallet(1_000_000n)
    await t.chain.submit(transaction, another).catch(() => {})
    assert.is(await t.chain.balanceOf(another.address, t.chain.asset.id), 1_000_000n)
    assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 3_000_000n)
    await t.chain.submit(transaction, wallet)
    assert.is(await t.chain.balanceOf(wallet.address, t.chain.asset.id), 2_000_000n)
  })

  test('kept values are plain JSON, and good for as long as the adapter says', async (t) => {
    const request = transfer(t.chain, await t.chain.newWallet(1n), 1n)
    const kept = await keep(t.adapter, request)
    const copy = JSON.parse(JSON.stringify(kept))
    const at = kept.network.readAt
    assert.equal(t.adapter.assemble(request, copy, at), t.adapter.assemble(request, kept, at))
    const last = at + Math.min(t.adapter.keptFor.network, t.adapter.keptFor.wallet)
    assert.ok(value(t.adapter.assemble(request, kept, last)).signableUntil >= last + 10_000)
    assert.is(kindOf(t.adapter.assemble(request, kept, last + 60 * minuteMs)), 'window_closed')
    const open = { ...request, deadline: last + 120 * minuteMs }
    assert.is(kindOf(t.adapter.assemble(open, kept, last + 1)), 'values_stale')
    const empty = { readAt: at, values: {} }
    assert.is(kindOf(t.adapter.assemble(request, { network: empty, wallet: empty }, at)), 'values_stale')
  })
}

function refusals(test: Contract): void {
  test('what cannot succeed is refused with a kind, a sentence, and whether to try again', async (t) => {
    const wallet = await t.chain.newWallet(1n)
    const request = transfer(t.chain, wallet, 1n)
    const kept = await keep(t.adapter, request)
    const at = kept.network.readAt
    const refusals: [Partial<typeof request>, string, boolean][] = [
      [{ symbol: 'NONE' }, 'asset_unknown', false],
      [{ amount: 0n }, 'amount_invalid', false],
      [{ amount: 2n ** 256n }, 'amount_invalid', false],
      [{ deadline: at - 1 }, 'window_closed', false],
      [{ deadline: at + 9_000 }, 'window_closed', false],
      [{ wallet: 'nobody' }, 'wallet_invalid', false],
    ]
    for (const [change, kind, retryable] of refusals) {
      const outcome = t.adapter.assemble({ ...request, ...change }, kept, at)
      assert.is(kindOf(outcome), kind)
      assert.is(!outcome.ok && outcome.failure.retryable, retryable)
      assert.match(outcome.ok ? '' : outcome.failure.message, /^[A-Z].+\.$/)
    }
  })

  test('a wallet that is not there or not ready is refused, and accepted once it is', async (t) => {
    const unknown = transfer(t.chain, t.chain.unknownWallet(), 1n)
    const unprepared = await t.chain.unpreparedWallet()
    const ready = transfer(t.chain, await t.chain.newWallet(1n), 1n)
    const requests = [unknown, ...(unprepared ? [transfer(t.chain, unprepared, 1n)] : []), ready]
    const kinds = (await t.adapter.readWallets(requests)).map(kindOf)
    assert.equal(kinds, [t.chain.unknownWalletRefusal ?? 'ok', ...(unprepared ? ['no_trustline'] : []), 'ok'])
  })

  test('a treasury that cannot receive is a refusal to be tried again', async (t) => {
    if (t.chain.unpreparedTreasury === null) return
    const adapter = openAdapter(t, t.chain.unpreparedTreasury)
    const request = transfer(t.chain, await t.chain.newWallet(1n), 1n)
    const kept = await keep(adapter, request)
    const outcome = adapter.assemble(request, kept, kept.network.readAt)
    assert.is(kindOf(outcome), 'treasury_not_ready')
    assert.is(!outcome.ok && outcome.failure.retryable, true)
    await adapter.close()
  })

  test('a refund moves the amount from the treasury to the sender, unsigned', async (t) => {
    const wallet = await t.chain.newWallet(1n)
    const reference = newReference()
    const refund = { amount: 7_000_000n, to: wallet.address, reference }
    for (const assetId of [t.chain.asset.id, t.chain.impostorId]) {
      const { transaction } = value(await t.adapter.refund({ ...refund, assetId }))
      const { others: _, ...decoded } = t.chain.decode(transaction)
      assert.equal(decoded, {
        from: t.chain.treasury,
        to: wallet.address,
        assetId,
        units: 7_000_000n,
        references: [reference],
        signatures: 0,
      })
    }
  })
}
