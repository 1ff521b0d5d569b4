/** What only Stellar knows of transactions: sequences, time bounds, signers, trust lines, its fee. */
import { createHash } from 'node:crypto'
import { Horizon, Keypair, Networks, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter } from '../../../chain/chain.ts'
import type { LocalWallet } from '../../support/chains/local-chain.ts'
import { Refused } from '../../support/chains/stellar/authorization.ts'
import { decodeEnvelope } from '../../support/chains/stellar/decode.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { assemble, keep, kindOf, minuteMs, newReference, only, transfer, value } from '../asking.ts'

const test = suite<{ chain: LocalStellar; adapter: ChainAdapter }>('transactions on Stellar')
test.before(async (t) => {
  t.chain = await startStellar()
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})

/** Why the network refuses it: the codes that Horizon gives. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.message
  }
}

test('every byte of it is known: one payment, the reference, the deadline, and nothing else', async (t) => {
  const wallet = await t.chain.newWallet(1n)
  for (const amount of [1n, 25_500_000n, 2n ** 62n + 7n]) {
    const request = transfer(t.chain, wallet, amount, { deadline: t.chain.now() + 30 * minuteMs + 999 })
    const { transaction, signableUntil, landsUntil } = await assemble(t.chain, t.adapter, request)
    const { signedBytes, ...envelope } = decodeEnvelope(transaction)
    const lastSecond = Math.floor(request.deadline / 1000)
    assert.equal(envelope, {
      source: wallet.address,
      fee: 10_000,
      sequence: t.chain.ledger.accounts.get(wallet.address).sequence + 1n,
      timeBounds: { min: 0n, max: BigInt(lastSecond) },
      memo: { type: 'hash', value: request.reference },
      operations: [
        {
          type: 1,
          source: null,
          payment: { to: t.chain.treasury, assetId: t.chain.asset.id, units: amount },
        },
      ],
      signatures: 0,
    })
    assert.is(signableUntil, lastSecond * 1000)
    assert.is(landsUntil, lastSecond * 1000)
    assert.ok(signedBytes.length > 0)
  }
})

test('what the wallet signs is bound to the network', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(5n)
  const { transaction } = await assemble(chain, adapter, transfer(chain, wallet, 5n))
  const sha256 = (...parts: (string | Buffer)[]): Buffer =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  const envelopeType = Buffer.from([0, 0, 0, 2])
  const signed = sha256(
    sha256(chain.ledger.passphrase),
    envelopeType,
    decodeEnvelope(transaction).signedBytes,
  )
  assert.is(await chain.submit(transaction, wallet), signed.toString('hex'))
})

test('the network refuses it with anything changed, and takes it as it is', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(100n)
  const key = Keypair.random()
  const { transaction } = await assemble(chain, adapter, transfer(chain, wallet, 100n))
  const { passphrase } = chain.ledger
  const changed = async (change: (text: string) => string): Promise<string> =>
    refusal(chain.submitUnsigned(change(transaction)))
  const signed = chain.sign(transaction, [wallet])
  const bytes = Buffer.from(signed, 'base64')

  assert.is(await changed((text) => text), 'tx_bad_auth')
  assert.is(
    await changed((text) => {
      const other = TransactionBuilder.fromXdr(text, passphrase)
      other.sign(key)
      return other.toXdr()
    }),
    'tx_bad_auth',
  )
  assert.is(
    await changed(() => {
      const both = TransactionBuilder.fromXdr(signed, passphrase)
      both.sign(key)
      return both.toXdr()
    }),
    'tx_bad_auth_extra',
  )
  for (const network of [Networks.PUBLIC, Networks.TESTNET])
    assert.is(await changed((text) => chain.sign(text, [wallet], network)), 'tx_bad_auth', network)
  // The last byte of the amount stands before the extension and the one signature with its hint and length.
  const amountAt = bytes.length - 4 - 4 - 4 - 4 - 64 - 1
  assert.is(bytes.readBigInt64BE(amountAt - 7), 100n)
  bytes.writeUInt8(99, amountAt)
  assert.is(await changed(() => bytes.toString('base64')), 'tx_bad_auth')
  assert.is(await chain.balanceOf(wallet.address, chain.asset.id), 100n)

  await chain.submitUnsigned(signed)
  assert.is(await chain.balanceOf(wallet.address, chain.asset.id), 0n)
})

test('each kept value is refused by its own age', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  const { network, wallet } = await keep(adapter, request)
  const at = network.readAt + 60_000
  const kindAt = (networkAt: number, walletAt: number): string =>
    kindOf(
      adapter.assemble(
        request,
        { network: { ...network, readAt: networkAt }, wallet: { ...wallet, readAt: walletAt } },
        at,
      ),
    )
  assert.is(kindAt(at - 60_000, at - 20_000), 'ok')
  assert.is(kindAt(at - 60_001, at), 'values_stale')
  assert.is(kindAt(at, at - 20_001), 'values_stale')
})

test('it is void after the deadline, and after any other transaction of the wallet', async (t) => {
  const { chain, adapter } = t
  const wallet = await chain.newWallet(100n)
  const request = transfer(chain, wallet, 1n, { deadline: chain.now() + minuteMs })
  const kept = await keep(adapter, request)
  const first = value(adapter.assemble(request, kept, chain.now()))
  chain.send(wallet, [Operation.bumpSequence({ bumpTo: '0' })])
  assert.is(await refusal(chain.submit(first.transaction, wallet)), 'tx_bad_seq')
  const second = await assemble(chain, adapter, request)
  // The ledger that closes with the last second still takes it.
  await chain.pass(first.signableUntil - chain.now())
  assert.is(await refusal(chain.submit(second.transaction, wallet)), 'tx_too_late')
  const third = transfer(chain, wallet, 1n, { deadline: chain.now() + 10_999 })
  const { transaction, landsUntil } = await assemble(chain, adapter, third)
  await chain.pass(5_000)
  await chain.submit(transaction, wallet)
  assert.is(chain.now(), landsUntil)
})

test('too little of the asset, or of XLM for the fee, is refused by the network', async ({
  chain,
  adapter,
}) => {
  const wallet = await chain.newWallet(10n)
  const { transaction } = await assemble(chain, adapter, transfer(chain, wallet, 11n))
  assert.is(await refusal(chain.submit(transaction, wallet)), 'tx_failed op_underfunded')
  const poor = await chain.newWallet(10n)
  const account = chain.ledger.accounts.get(poor.address)
  account.balance = 20_009_999n
  const request = transfer(chain, poor, 10n)
  const { transaction: unpaid } = await assemble(chain, adapter, request)
  assert.is(await refusal(chain.submit(unpaid, poor)), 'tx_insufficient_balance')
  account.balance += 1n
  await chain.submit(unpaid, poor)
})

test('a wallet of several signers is served like any other, and signs with all of them', async (t) => {
  const { chain, adapter } = t
  const [wallet, partner] = [await chain.newWallet(100n), await chain.newWallet(0n)]
  const signer = { ed25519PublicKey: partner.address, weight: 1 }
  chain.send(wallet, [Operation.setOptions({ signer, medThreshold: 2, highThreshold: 2 })])
  const { transaction } = await assemble(chain, adapter, transfer(chain, wallet, 100n))
  const signedBy = (...signers: LocalWallet[]): Promise<string> =>
    refusal(chain.submitUnsigned(chain.sign(transaction, signers)))
  assert.is(await signedBy(wallet), 'tx_failed op_bad_auth')
  assert.is(await signedBy(partner), 'tx_failed op_bad_auth')
  assert.is(await signedBy(wallet, partner), 'accepted')
})

test('the fee is a bid that follows the market, within bounds', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  for (const [usual, offered] of [
    ['100', 10_000],
    ['5000', 50_000],
    ['9000000', 1_000_000],
  ] as const) {
    chain.fresh.usualFee = usual
    assert.is(decodeEnvelope((await assemble(chain, adapter, request)).transaction).fee, offered)
  }
  chain.fresh.usualFee = '100'
})

test('a wallet that the issuer froze is refused until it is free again', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1n)
  const setFlags = (authorized: boolean): void => {
    const flags = { authorized }
    chain.send(chain.issuer, [
      Operation.setTrustLineFlags({ trustor: request.wallet, asset: chain.token, flags }),
    ])
  }
  setFlags(false)
  const outcome = only(await adapter.readWallets([request]))
  assert.is(kindOf(outcome), 'wallet_frozen')
  assert.is(!outcome.ok && outcome.failure.retryable, true)
  setFlags(true)
  assert.is(kindOf(only(await adapter.readWallets([request]))), 'ok')
})

test('a treasury that is frozen or full offers nothing', async ({ chain, adapter }) => {
  const request = transfer(chain, await chain.newWallet(1n), 1_000n)
  const refused = async (): Promise<string> => {
    const outcome = adapter.assemble(request, await keep(adapter, request), chain.now())
    return outcome.ok ? 'ok' : `${outcome.failure.kind}: ${outcome.failure.message}`
  }
  const trust = (limit?: string): void => {
    const line = { asset: chain.token, ...(limit === undefined ? {} : { limit }) }
    chain.send(chain.treasuryWallet, [Operation.changeTrust(line)])
  }
  const held = await chain.balanceOf(chain.treasury, chain.asset.id)
  trust(`0.${(held + 999n).toString().padStart(7, '0')}`)
  assert.match(await refused(), /^treasury_not_ready: .* has room for 999 units only/)
  // Offers of the treasury to buy the asset need their room, too.
  const offers = '"buying_liabilities":"0.0000001"'
  chain.gate.rewrite = (_, answer) => answer.replaceAll('"buying_liabilities":"0.0000000"', offers)
  assert.match(await refused(), / has room for 998 units only/)
  chain.gate.rewrite = null
  trust()
  assert.is(await refused(), 'ok')
  const freeze = { trustor: chain.treasury, asset: chain.token }
  chain.send(chain.issuer, [Operation.setTrustLineFlags({ ...freeze, flags: { authorized: false } })])
  assert.match(await refused(), /^treasury_not_ready: .* is frozen/)
  const treasuryAccount = (await adapter.check()).find(({ what }) => what === 'treasury_account')
  assert.match(treasuryAccount?.action ?? '', /issuer/)
  chain.send(chain.issuer, [Operation.setTrustLineFlags({ ...freeze, flags: { authorized: true } })])
  assert.is(await refused(), 'ok')
})

test('the treasury itself is nobody’s wallet', async ({ chain, adapter }) => {
  const request = transfer(chain, chain.treasuryWallet, 1n)
  assert.is(kindOf(only(await adapter.readWallets([request]))), 'wallet_invalid')
  const kept = await keep(adapter, transfer(chain, await chain.newWallet(1n), 1n))
  assert.is(kindOf(adapter.assemble(request, kept, chain.now())), 'wallet_invalid')
})

test('a refund that the treasury signs pays back, in XLM too', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(0n)
  await chain.grant(chain.treasury, 500n)
  for (const [assetId, amount] of [
    [chain.asset.id, 500n],
    ['native', 3n],
  ] as const) {
    const reference = newReference()
    const before = await chain.balanceOf(wallet.address, assetId)
    const outcome = value(await adapter.refund({ assetId, amount, to: wallet.address, reference }))
    const { timeBounds, memo } = decodeEnvelope(outcome.transaction)
    assert.is(Number(timeBounds?.max) * 1000, outcome.signableUntil)
    assert.is(outcome.signableUntil, chain.now() + 60 * minuteMs)
    assert.equal(memo, { type: 'hash', value: reference })
    assert.is(await refusal(chain.submit(outcome.transaction, wallet)), 'tx_bad_auth')
    await chain.submit(outcome.transaction, chain.treasuryWallet)
    assert.is(await chain.balanceOf(wallet.address, assetId), before + amount)
  }
})

test('a refund that cannot arrive is refused with the reason', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(1n)
  const unprepared = (await chain.unpreparedWallet()) ?? wallet
  const refund = { assetId: chain.asset.id, amount: 1n, to: wallet.address, reference: newReference() }
  const refusals: [Partial<typeof refund>, string][] = [
    [{ to: chain.unknownWallet().address }, 'wallet_missing'],
    [{ to: unprepared.address }, 'no_trustline'],
    [{ to: chain.treasury }, 'wallet_invalid'],
    [{ to: chain.subAccount(wallet.address, '1') }, 'wallet_invalid'],
    [{ amount: 0n }, 'amount_invalid'],
    [{ assetId: 'USDC' }, 'asset_unknown'],
    [{ assetId: `USDC:${wallet.address}` }, 'treasury_not_ready'],
  ]
  for (const [change, kind] of refusals)
    assert.is(kindOf(await adapter.refund({ ...refund, ...change })), kind, kind)
  // Its issuer takes an asset back without a trust line.
  assert.is(kindOf(await adapter.refund({ ...refund, to: chain.issuer.address })), 'ok')
})

test('settings that no Stellar can have are refused at once', ({ chain }) => {
  const { id } = chain.asset
  for (const [overrides, message] of [
    [{ treasury: chain.subAccount(chain.treasury, '1') }, /chains\.STELLAR\.treasury/],
    [{ assets: { USDC: { id, decimals: 6 } } }, /chains\.STELLAR\.assets\.USDC\.decimals: .*7, not 6/],
    [{ assets: { USDC: { id: 'USDC', decimals: 7 } } }, /CODE:ISSUER/],
    [{ assets: { XLM: { id: 'native', decimals: 7 } } }, /CODE:ISSUER/],
    [{ reader: 'rpc' }, /chains\.STELLAR\.reader/],
  ] as const)
    assert.throws(() => chain.open({ clock: chain.now }, overrides), message)
})

test('the local network speaks as Horizon does to the SDK that wallets use', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const { transaction } = await assemble(chain, adapter, request)
  const server = new Horizon.Server(chain.gate.url, { allowHttp: true })
  const signed = TransactionBuilder.fromXdr(chain.sign(transaction, [wallet]), chain.ledger.passphrase)
  const { hash } = await server.submitTransaction(signed, { skipMemoRequiredCheck: true })
  const account = await server.loadAccount(wallet.address)
  assert.is(account.sequence, decodeEnvelope(transaction).sequence.toString())
  const { records } = await server.operations().forAccount(wallet.address).order('desc').limit(1).call()
  assert.equal(
    records.map((record) => [record.type, record.transaction_hash]),
    [['payment', hash]],
  )
})

test.run()
