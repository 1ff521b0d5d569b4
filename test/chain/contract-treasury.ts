/** The contract on counting: what the treasury holds at a final block, and what explains how it changed. */
import * as assert from 'uvu/assert'
import type { ChainReader } from '../../chain/chain.ts'
import type { ChainDeposit, Outflow } from '../../chain/chain-deposits.ts'
import { newReference, only, value } from './asking.ts'
import type { Context, Contract } from './contract-context.ts'

async function held(t: Context, reader: ChainReader): Promise<{ height: string; units: bigint }> {
  const { height, holdings, at } = value(await reader.look())
  assert.ok(at <= t.chain.now())
  const { asset, units } = only(holdings)
  assert.equal(asset, t.chain.asset)
  return { height, units }
}

/** Everything of the accepted asset behind a height. */
async function movedSince(t: Context, reader: ChainReader, height: string) {
  const [deposits, outflows]: [ChainDeposit[], Outflow[]] = [[], []]
  let cursor = value(await reader.cursorAt(height))
  for (let more = true; more; ) {
    const page = value(await reader.deposits(cursor))
    deposits.push(...page.deposits.filter(({ assetId }) => assetId === t.chain.asset.id))
    outflows.push(...(page.outflows ?? []))
    more = page.more
    cursor = page.cursor
  }
  return { deposits, outflows }
}

export function treasury(test: Contract): void {
  test('what comes and goes between two looks is the difference of their balances', async (t) => {
    const reader = t.adapter.reader(0)
    const wallet = await t.chain.newWallet(1_000n)
    await t.chain.finalize()
    const before = await held(t, reader)
    await t.chain.pay(wallet, { units: 30n })
    await t.chain.pay(wallet, { units: 7n, references: [newReference()] })
    await t.chain.pay(wallet, { units: 5n, assetId: t.chain.impostorId })
    const reference = newReference()
    const refund = { assetId: t.chain.asset.id, amount: 11n, to: wallet.address, reference }
    const { transaction } = value(await t.adapter.refund(refund))
    const refundId = await t.chain.submit(transaction, { address: t.chain.treasury })
    await t.chain.finalize()
    const after = await held(t, reader)
    assert.is(after.units - before.units, 30n + 7n - 11n)
    assert.ok(BigInt(after.height) > BigInt(before.height))
    const { deposits, outflows } = await movedSince(t, reader, before.height)
    assert.equal(deposits.map(({ amount }) => amount).toSorted(), [30n, 7n])
    const { height, at, index, ...outflow } = only(outflows)
    assert.equal(outflow, {
      blockchain: t.chain.blockchain,
      transactionId: refundId,
      assetId: t.chain.asset.id,
      amount: 11n,
      to: wallet.address,
      references: [reference],
    })
    assert.ok(BigInt(height) > BigInt(before.height) && BigInt(height) <= BigInt(after.height))
    assert.equal(await movedSince(t, reader, after.height), { deposits: [], outflows: [] })
    await reader.close()
  })

  test('reading again finds what the cursor reads, by the same identities, and leaves its reading alone', async (t) => {
    const cursor = value(await t.adapter.startCursor())
    const reader = t.adapter.reader(1)
    const wallet = await t.chain.newWallet(1_000n)
    await t.chain.finalize()
    const { height } = await held(t, reader)
    for (let count = 0; count < 7; count += 1) await t.chain.pay(wallet, { units: 3n })
    await t.chain.finalize()
    const first = value(await t.adapter.deposits(cursor))
    const again = await movedSince(t, reader, height)
    const rest = first.more ? value(await t.adapter.deposits(first.cursor)) : { deposits: [] }
    const identity = ({ transactionId, index }: ChainDeposit) => `${transactionId}/${index}`
    const read = [...first.deposits, ...rest.deposits].filter(({ assetId }) => assetId === t.chain.asset.id)
    assert.equal(new Set(again.deposits.map(identity)), new Set(read.map(identity)))
    assert.is(again.deposits.length, 7)
    await reader.close()
  })

  test('a look at an endpoint that is down is made at the other one', async (t) => {
    if (t.chain.spareGate === null) return
    t.chain.gate.trouble = () => ({ status: 500 })
    const reader = t.adapter.reader(0)
    const look = value(await reader.look())
    assert.is(look.endpoint, new URL(t.chain.spareGate.url).host)
    t.chain.gate.trouble = null
    const own = t.adapter.reader(1)
    assert.is(value(await own.look()).endpoint, new URL(t.chain.spareGate.url).host)
    await Promise.all([reader.close(), own.close()])
  })
}
