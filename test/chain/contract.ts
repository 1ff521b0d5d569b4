/**
 * What every adapter has to do, told by its local network. `test/chain/<chain>.test.ts` runs it and adds what
 * only its chain knows.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type {
  Assembled,
  BuildRefusal,
  ChainAdapter,
  ChainFailure,
  Deposit,
  KeptValues,
  Outcome,
  TransferRequest,
} from '../../chain/chain.ts'
import type { LocalChain, LocalWallet } from '../support/chains/local-chain.ts'

const minutes = 60_000

/** Runs the contract on a network that `open` starts once for the file. */
export function contract(name: string, open: () => Promise<LocalChain>): void {
  const test = suite<{ chain: LocalChain; adapter: ChainAdapter }>(`${name} contract`)
  test.before(async (context) => {
    context.chain = await open()
    context.adapter = context.chain.open({ clock: context.chain.now, timeoutMs: 2_000 })
  })
  test.after(async ({ chain, adapter }) => {
    await adapter.close()
    await chain.close()
  })
  test.after.each(({ chain }) => {
    for (const gate of [chain.gate, chain.spareGate]) if (gate !== null) gate.trouble = gate.rewrite = null
  })

  test('a wallet that signs has one canonical form, anything else is refused', ({ chain, adapter }) => {
    const { address } = chain.unknownWallet()
    assert.is(adapter.canonicalWallet(address), address)
    for (const wrong of [...chain.unsignableAddresses, '', ' ', 'x', address.slice(1), `${address}x`])
      assert.is(adapter.canonicalWallet(wrong), null, wrong)
  })

  test('what is assembled moves exactly the amount of the asset from wallet to treasury', async (t) => {
    const wallet = await t.chain.newWallet(1_000_000_000n)
    const request = transfer(t.chain, wallet, 25_500_000n)
    const kept = await keep(t.adapter, request)
    const { transaction, signableUntil } = value(t.adapter.assemble(request, kept, t.chain.now()))
    assert.ok(signableUntil >= t.chain.now() + 10_000)
    assert.equal(value(t.adapter.assemble(request, kept, t.chain.now())).transaction, transaction)
    const decoded = t.chain.decode(transaction)
    assert.equal(
      { ...decoded, others: null },
      {
        from: wallet.address,
        to: t.chain.treasury,
        assetId: t.chain.asset.id,
        units: 25_500_000n,
        references: [request.reference],
        signatures: 0,
        others: null,
      },
    )
    const before = await t.chain.balanceOf(wallet.address, t.chain.asset.id)
    await t.chain.submit(transaction, wallet)
    assert.is(before - (await t.chain.balanceOf(wallet.address, t.chain.asset.id)), 25_500_000n)
  })

  test('the network refuses it unsigned and signed by another', async (t) => {
    const wallet = await t.chain.newWallet(1_000_000n)
    const { transaction } = await assemble(t.adapter, transfer(t.chain, wallet, 1_000_000n), t.chain)
    await rejects(t.chain.submitUnsigned(transaction))
    await rejects(t.chain.submit(transaction, await t.chain.newWallet(1_000_000n)))
    await t.chain.submit(transaction, wallet)
  })

  test('a signed and sent transaction is a final deposit with its reference, once it is final', async (t) => {
    const wallet = await t.chain.newWallet(50_000_000n)
    const cursor = value(await t.adapter.startCursor())
    const request = transfer(t.chain, wallet, 25_500_000n)
    const { transaction } = await assemble(t.adapter, request, t.chain)
    const id = await t.chain.submit(transaction, wallet)
    if (t.chain.finalizesLater) {
      assert.equal(of(await read(t.adapter, cursor), request.reference), [])
      const [seen] = of(value(await t.adapter.unfinalizedDeposits()), request.reference)
      assert.is(seen?.transactionId, id)
    }
    await t.chain.finalize()
    const [deposit, ...more] = of(await read(t.adapter, cursor), request.reference)
    assert.equal(more, [])
    assert.is(deposit?.transactionId, id)
    assert.is(deposit.amount, 25_500_000n)
    assert.is(deposit.sender, wallet.address)
    assert.is(deposit.assetId, t.chain.asset.id)
    assert.is(deposit.symbol, t.chain.asset.symbol)
    assert.is(deposit.blockchain, t.chain.blockchain)
    assert.equal(deposit.flags, [])
    assert.ok(deposit.at !== null && Math.abs(deposit.at - t.chain.now()) < 2 * minutes)
    assert.equal(of(value(await t.adapter.unfinalizedDeposits()), request.reference), [])
  })

  test.run()
}

export function transfer(
  chain: LocalChain,
  wallet: LocalWallet,
  amount: bigint,
  overrides: Partial<TransferRequest> = {},
): TransferRequest {
  return {
    orderId: randomUUID(),
    reference: randomBytes(32).toString('hex'),
    wallet: wallet.address,
    symbol: chain.asset.symbol,
    amount,
    deadline: chain.now() + 30 * minutes,
    ...overrides,
  }
}

/** What the workers keep for a request, read now. */
export async function keep(
  adapter: ChainAdapter,
  request: TransferRequest,
): Promise<{ network: KeptValues; wallet: KeptValues }> {
  const network = value(await adapter.readNetwork())
  const [wallet] = await adapter.readWallets([request])
  if (wallet === undefined) throw new Error('no answer for the wallet')
  return { network, wallet: value(wallet) }
}

export async function assemble(
  adapter: ChainAdapter,
  request: TransferRequest,
  chain: LocalChain,
): Promise<Assembled> {
  return value(adapter.assemble(request, await keep(adapter, request), chain.now()))
}

/** Every deposit after a cursor, page by page until there is no more. */
export async function read(adapter: ChainAdapter, cursor: string): Promise<readonly Deposit[]> {
  const deposits: Deposit[] = []
  for (let more = true, from = cursor; more; ) {
    const page = value(await adapter.deposits(from))
    deposits.push(...page.deposits)
    more = page.more
    from = page.cursor
  }
  return deposits
}

export function of(deposits: readonly Deposit[], reference: string): readonly Deposit[] {
  return deposits.filter(({ references }) => references.includes(reference))
}

export function value<Value>(outcome: Outcome<Value, ChainFailure | BuildRefusal>): Value {
  if (!outcome.ok) throw new Error(`${outcome.failure.kind}: ${outcome.failure.message}`)
  return outcome.value
}

export async function rejects(promise: Promise<unknown>): Promise<void> {
  const outcome = await promise.then(
    () => 'accepted',
    () => 'refused',
  )
  assert.is(outcome, 'refused')
}
