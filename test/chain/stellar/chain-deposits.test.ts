/** What only Stellar knows of deposits: its kinds of payment, memos, contracts, issuers who take back. */
import { Address, Asset, Claimant, Keypair, Memo, Operation } from '@stellar/stellar-sdk/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter, TransferRequest } from '../../../chain/chain.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { assemble, newReference, only, read, transfer, value, withReference } from '../asking.ts'
import { Book } from '../book.ts'

interface Context {
  chain: LocalStellar
  adapter: ChainAdapter
}

const test = suite<Context>('deposits on Stellar')
test.before(async (t) => {
  t.chain = await startStellar()
  t.chain.openMarket(4n)
  t.adapter = t.chain.open({ clock: t.chain.now })
})
test.after(async ({ chain, adapter }) => {
  await adapter.close()
  await chain.close()
})
test.after.each(({ chain }) => {
  for (const gate of [chain.gate, chain.spareGate]) if (gate) gate.rewrite = null
})

async function bookFrom({ chain, adapter }: Context): Promise<Book> {
  return new Book(chain, value(await adapter.startCursor()))
}

function hashMemo({ reference }: TransferRequest): Memo {
  return Memo.hash(reference)
}

test('two payments in one transaction are two deposits that fund one order', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(100n)
  const request = transfer(chain, wallet, 100n)
  const id = book.open(request)
  const operations = [chain.payment(60n), Operation.bumpSequence({ bumpTo: '0' }), chain.payment(40n)]
  const { hash } = chain.send(wallet, operations, { memo: hashMemo(request) })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(
    [...book.deposits.values()].map(({ transactionId, index }) => [transactionId, index]),
    [
      [hash, '0'],
      [hash, '2'],
    ],
  )
  assert.equal(book.verdictsOf(id), ['credit 60, missing 40', 'credit 40, missing 0'])
})

test('of a path payment, what arrives is credited', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(0n)
  const paths = {
    sendAsset: Asset.native(),
    destination: chain.treasury,
    destAsset: chain.token,
    path: [],
  }
  for (const operation of [
    Operation.pathPaymentStrictReceive({ ...paths, sendMax: '100', destAmount: '40' }),
    Operation.pathPaymentStrictSend({ ...paths, sendAmount: '10', destMin: '1' }),
  ]) {
    const request = transfer(chain, wallet, 400_000_000n)
    const id = book.open(request)
    chain.send(wallet, [operation], { memo: hashMemo(request) })
    assert.is(await book.catchUp(adapter), null)
    assert.equal(book.verdictsOf(id), ['credit 400000000, missing 0'])
    const deposit = only(withReference([...book.deposits.values()], request.reference))
    assert.equal(deposit.flags, ['path_payment'])
    assert.is(deposit.evidence.sent, '10.0000000 native')
    assert.is(deposit.sender, wallet.address)
  }
})

test('a payment to a sub-account of the treasury waits for a person', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const destination = chain.subAccount(chain.treasury, '42')
  chain.send(wallet, [chain.payment(10n, { destination })], { memo: hashMemo(request) })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['exception muxed_destination'])
  assert.is(only([...book.deposits.values()]).evidence.subAccount, destination)
})

test('a payment out of a sub-account is the money of its account, and says so', async ({
  chain,
  adapter,
}) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const source = chain.subAccount(wallet.address, '9')
  const payment = Operation.payment({
    source,
    destination: chain.treasury,
    asset: chain.token,
    amount: '0.0000010',
  })
  chain.send(wallet, [payment])
  const deposit = only(await read(adapter, cursor))
  assert.is(deposit.sender, wallet.address)
  assert.is(deposit.evidence.senderSubAccount, source)
})

test('only memos of 32 bytes are references', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const reference = newReference()
  const memos = [
    Memo.hash(reference),
    Memo.return(reference),
    Memo.text(reference.slice(0, 28)),
    Memo.id('18446744073709551615'),
    Memo.none(),
  ]
  for (const memo of memos) chain.send(wallet, [chain.payment(1n)], { memo })
  const deposits = await read(adapter, cursor)
  assert.equal(
    deposits.map(({ references }) => references),
    [[reference], [reference], [], [], []],
  )
  assert.equal(
    deposits.map(({ evidence: { memo = null } }) => memo),
    [null, null, reference.slice(0, 28), '18446744073709551615', null],
  )
})

test('a fee-bump pays for the transaction that the wallet signed, and changes nothing of it', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const [wallet, feePayer] = [await chain.newWallet(10n), await chain.newWallet(0n)]
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const record = chain.send(wallet, [chain.payment(10n)], { memo: hashMemo(request), feePayer })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  const deposit = only([...book.deposits.values()])
  assert.is(deposit.transactionId, record.hash)
  assert.is(deposit.evidence.innerTransaction, record.innerHash)
  assert.is.not(record.innerHash, record.hash)
})

test('a claimable balance is a deposit when it is claimed, and tells who made it', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const claimants = [new Claimant(chain.treasury)]
  const creation = Operation.createClaimableBalance({ asset: chain.token, amount: '0.0000010', claimants })
  chain.send(wallet, [creation], { memo: hashMemo(request) })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), [])
  const [balanceId = ''] = chain.ledger.accounts.claimable.keys()
  chain.send(chain.treasuryWallet, [Operation.claimClaimableBalance({ balanceId })])
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['exception claimable_balance'])
  const deposit = only([...book.deposits.values()])
  assert.is(deposit.sender, wallet.address)
  assert.is(deposit.amount, 10n)
  assert.is(deposit.evidence.claimableBalance, balanceId)
})

test('a claimable balance whose origin is forgotten is a deposit of nobody', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(10n)
  const claimants = [new Claimant(chain.treasury)]
  chain.send(wallet, [
    Operation.createClaimableBalance({ asset: chain.token, amount: '0.0000010', claimants }),
  ])
  const [balanceId = ''] = chain.ledger.accounts.claimable.keys()
  // Horizon finds no history of a balance once that is older than what it keeps.
  chain.ledger.operationsOf.delete(balanceId)
  const cursor = value(await adapter.startCursor())
  chain.send(chain.treasuryWallet, [Operation.claimClaimableBalance({ balanceId })])
  const deposit = only(await read(adapter, cursor))
  assert.is(deposit.sender, null)
  assert.is(deposit.amount, 10n)
  assert.equal(deposit.references, [])
})

test('what the issuer takes back is reported, and never credited', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  chain.send(wallet, [chain.payment(10n)], { memo: hashMemo(request) })
  const clawback = Operation.clawback({ asset: chain.token, amount: '0.0000007', from: chain.treasury })
  const { hash } = chain.send(chain.issuer, [clawback])
  const contractual = chain.send(chain.issuer, [chain.contractCall('clawback', [chain.treasury], 3n)])
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
  assert.equal(book.verdictOfTransaction(hash), ['exception clawback'])
  assert.equal(book.verdictOfTransaction(contractual.hash), ['exception clawback'])
  const amounts = [...book.deposits.values()].map(({ amount }) => amount)
  assert.equal(amounts, [10n, 7n, 3n])
})

test('XLM is a token that nobody accepts: ignored, or with a reference the wrong asset', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const memo = hashMemo(request)
  const spam = chain.send(wallet, [chain.payment(10n, { asset: Asset.native() })])
  chain.send(wallet, [chain.payment(10n, { asset: Asset.native() })], { memo })
  const closing = (await chain.unpreparedWallet()) ?? wallet
  const merge = chain.send(closing, [Operation.accountMerge({ destination: chain.treasury })], { memo })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictOfTransaction(spam.hash), ['ignore foreign_token'])
  assert.equal(book.verdictsOf(id), ['exception wrong_asset', 'exception wrong_asset'])
  const merged = only([...book.deposits.values()].filter(({ transactionId }) => transactionId === merge.hash))
  assert.is(merged.sender, closing.address)
  assert.is(merged.assetId, 'native')
  assert.is(merged.amount, 100_000_000_000n - 100n)
})

test('a wallet that calls the asset’s contract pays like any other', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(20n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const memo = hashMemo(request)
  const { hash } = chain.send(
    wallet,
    [chain.contractCall('transfer', [wallet.address, chain.treasury], 10n)],
    {
      memo,
    },
  )
  const muxed = chain.subAccount(chain.treasury, '5')
  const second = chain.send(wallet, [chain.contractCall('transfer', [wallet.address, muxed], 10n)], { memo })
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0', 'exception muxed_destination'])
  const [first, other] = [...book.deposits.values()]
  assert.equal([first?.transactionId, first?.flags], [hash, ['contract_call']])
  assert.equal([other?.transactionId, other?.evidence.subAccount], [second.hash, '5'])
})

test('money of a contract, or newly made, has no sender that a wallet could be', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const wallet = await chain.newWallet(10n)
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const memo = hashMemo(request)
  const contract = Address.contract(Keypair.random().rawPublicKey()).toString()
  chain.send(wallet, [chain.contractCall('transfer', [wallet.address, contract], 10n)])
  chain.send(wallet, [chain.contractCall('transfer', [contract, chain.treasury], 10n)], { memo })
  const minted = chain.send(chain.issuer, [chain.contractCall('mint', [chain.treasury], 4n)])
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['exception unknown_sender'])
  assert.equal(book.verdictOfTransaction(minted.hash), ['exception no_reference'])
  const [paid, made] = [...book.deposits.values()]
  assert.equal([paid?.sender, paid?.evidence.from, paid?.evidence.caller], [null, contract, wallet.address])
  assert.equal([made?.sender, made?.amount], [null, 4n])
})

test('a wallet of several signers is the sender, whoever signed', async (t) => {
  const { chain, adapter } = t
  const book = await bookFrom(t)
  const [wallet, partner] = [await chain.newWallet(10n), await chain.newWallet(0n)]
  const signer = { ed25519PublicKey: partner.address, weight: 1 }
  chain.send(wallet, [Operation.setOptions({ signer, masterWeight: 0 })])
  const request = transfer(chain, wallet, 10n)
  const id = book.open(request)
  const { transaction } = await assemble(chain, adapter, request)
  await chain.submitUnsigned(chain.sign(transaction, [partner]))
  assert.is(await book.catchUp(adapter), null)
  assert.equal(book.verdictsOf(id), ['credit 10, missing 0'])
})

test('an operation of another account in the transaction is the money of that account', async (t) => {
  const { chain, adapter } = t
  const cursor = value(await adapter.startCursor())
  const [wallet, payer] = [await chain.newWallet(0n), await chain.newWallet(10n)]
  const payment = Operation.payment({
    source: payer.address,
    destination: chain.treasury,
    asset: chain.token,
    amount: '0.0000010',
  })
  chain.send(wallet, [payment], { signers: [wallet, payer] })
  assert.is(only(await read(adapter, cursor)).sender, payer.address)
})

test('what the treasury pays, exchanges or sends to itself is no deposit', async ({ chain, adapter }) => {
  const wallet = await chain.newWallet(0n)
  const cursor = value(await adapter.startCursor())
  const { treasury, treasuryWallet, token } = chain
  await chain.grant(treasury, 50n)
  const refund = { assetId: chain.asset.id, amount: 10n, to: wallet.address, reference: newReference() }
  await chain.submit(value(await adapter.refund(refund)).transaction, treasuryWallet)
  const toItself = { destination: treasury }
  const exchange = { sendAsset: Asset.native(), destAsset: token, path: [], ...toItself }
  chain.send(treasuryWallet, [
    chain.payment(5n, toItself),
    Operation.pathPaymentStrictSend({ ...exchange, sendAmount: '1', destMin: '1' }),
    chain.contractCall('transfer', [treasury, wallet.address], 5n),
    chain.contractCall('transfer', [treasury, treasury], 5n),
  ])
  const deposits = await read(adapter, cursor)
  assert.equal(
    deposits.map(({ amount, sender }) => [amount, sender]),
    [[50n, chain.issuer.address]],
  )
})

test('a failed transaction is no deposit, even where a server lists it', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const [kept, failed] = [newReference(), newReference()]
  for (const reference of [kept, failed])
    chain.send(wallet, [chain.payment(1n)], { memo: Memo.hash(reference) })
  const failedMemo = Buffer.from(failed, 'hex').toString('base64')
  for (const gate of [chain.gate, chain.spareGate])
    if (gate) gate.rewrite = (_, answer) => withFailure(answer, failedMemo)
  const deposits = await read(adapter, cursor)
  assert.equal(only(deposits).references, [kept])
})

/** Marks the operations of the transaction with this memo as failed. */
function withFailure(answer: string, memo: string): string {
  const page = JSON.parse(answer)
  for (const record of page._embedded?.records ?? [])
    if (record.transaction?.memo === memo) record.transaction_successful = false
  return JSON.stringify(page)
}

test('a deposit says where and when it was made', async ({ chain, adapter }) => {
  const cursor = value(await adapter.startCursor())
  const wallet = await chain.newWallet(10n)
  const { hash, ledger, closedAt } = chain.send(wallet, [chain.payment(1n)])
  const deposit = only(await read(adapter, cursor))
  assert.equal([deposit.transactionId, deposit.height, deposit.at], [hash, ledger.toString(), closedAt])
})

test.run()
