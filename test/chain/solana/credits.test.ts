/** What a transaction credited, from answers written out by hand: cases that no local program makes. */
import { MessageV0, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { base58Bytes } from '../../../chain/solana/addresses.ts'
import { creditsOf } from '../../../chain/solana/credits.ts'
import { only } from '../asking.ts'
import {
  amountData,
  base58,
  checked,
  classic,
  credits,
  key,
  mint,
  options,
  otherAccount,
  payer,
  plain,
  reference,
  referenceText,
  router,
  token2022,
  treasury,
  treasuryAccount,
  wallet,
  walletAccount,
} from './written-answers.ts'

test('a plain transfer has no mint among its accounts', () => {
  const balances = { [treasuryAccount]: [0n, 10n], [walletAccount]: [10n, 0n] } as const
  assert.equal(credits({ balances, outer: [plain(10n)] }), [
    { name: 'transfer', amount: 10n, sender: wallet, references: [], flags: [] },
  ])
})

test('a transfer inside a call carries its reference and says so', () => {
  const balances = { [treasuryAccount]: [5n, 15n], [walletAccount]: [10n, 0n] } as const
  const call = { accounts: [payer], data: Buffer.from([1]), programIdIndex: router }
  const { accounts, data } = checked(10n)
  assert.equal(credits({ balances, outer: [call], inner: [{ accounts, data: base58(data) }] }), [
    { name: 'transfer', amount: 10n, sender: wallet, references: [referenceText], flags: ['contract_call'] },
  ])
})

test('accounts from lookup tables count like the others', () => {
  const [from, to] = [new PublicKey(key(3)), new PublicKey(key(2))]
  const message = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 3 },
    staticAccountKeys: [key(1), key(5), key(6), classic].map((text) => new PublicKey(text)),
    recentBlockhash: key(99),
    // Keys from tables come behind the static ones: 4 is the wallet's account, 5 the treasury's.
    compiledInstructions: [
      { programIdIndex: 3, accountKeyIndexes: [4, 1, 5, 0, 2], data: checked(10n).data },
    ],
    addressTableLookups: [
      { accountKey: new PublicKey(key(50)), writableIndexes: [0, 1], readonlyIndexes: [] },
    ],
  })
  const balance = (accountIndex: number, owner: string, amount: string) => ({
    accountIndex,
    mint: key(5),
    owner,
    programId: classic,
    uiTokenAmount: { amount, decimals: 6, uiAmount: null },
  })
  const response: VersionedTransactionResponse = {
    slot: 9,
    blockTime: null,
    version: 0,
    transaction: { signatures: ['signature'], message },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [1, 1, 1, 1, 1, 1],
      postBalances: [1, 1, 1, 1, 1, 1],
      preTokenBalances: [balance(4, wallet, '10'), balance(5, treasury, '0')],
      postTokenBalances: [balance(4, wallet, '0'), balance(5, treasury, '10')],
      innerInstructions: [],
      loadedAddresses: { writable: [from, to], readonly: [] },
    },
  }
  const credit = only(creditsOf(response, options).deposits)
  assert.is(credit.amount, 10n)
  assert.is(credit.sender, wallet)
  assert.is(credit.at, null)
  assert.equal(credit.references, [referenceText])
  assert.is(credit.evidence.tokenAccount, key(2))
})

test('a failed transaction credits nothing', () => {
  const balances = { [treasuryAccount]: [0n, 10n] } as const
  assert.equal(credits({ balances, outer: [checked(10n)], error: { InstructionError: [0, 'Custom'] } }), [])
})

test('what leaves the treasury, or passes through, is no deposit', () => {
  const away = { [treasuryAccount]: [10n, 0n], [walletAccount]: [0n, 10n] } as const
  assert.equal(credits({ balances: away, outer: [checked(10n, treasuryAccount, walletAccount)] }), [])
  const through = {
    [treasuryAccount]: [0n, 0n],
    [walletAccount]: [10n, 0n],
    [otherAccount]: [0n, 10n],
  } as const
  const both = [checked(10n), checked(10n, treasuryAccount, otherAccount)]
  assert.equal(credits({ balances: through, outer: both }), [])
})

test('money that comes and partly goes in one transaction is for a person to look at', () => {
  const balances = {
    [treasuryAccount]: [0n, 4n],
    [walletAccount]: [10n, 0n],
    [otherAccount]: [0n, 6n],
  } as const
  const both = [checked(10n), checked(6n, treasuryAccount, otherAccount)]
  assert.equal(credits({ balances, outer: both }), [
    {
      name: `net.${key(2)}`,
      amount: 4n,
      sender: wallet,
      references: [referenceText],
      flags: ['unexplained'],
    },
  ])
})

test('transfers of several senders that do not add up have no sender', () => {
  const balances = {
    [treasuryAccount]: [0n, 12n],
    [walletAccount]: [5n, 0n],
    [otherAccount]: [5n, 0n],
  } as const
  assert.equal(credits({ balances, outer: [checked(5n), checked(5n, otherAccount)] }), [
    {
      name: `net.${key(2)}`,
      amount: 12n,
      sender: null,
      references: [referenceText],
      flags: ['unexplained'],
    },
  ])
})

test('a fee that the instruction names is taken off each transfer', () => {
  const withFee = (amount: bigint, fee: bigint) => {
    const feeData = amountData([], fee)
    return {
      accounts: [walletAccount, mint, treasuryAccount, payer, reference],
      data: Buffer.concat([amountData([26, 1], amount, [6]), feeData]),
    }
  }
  const balances = { [treasuryAccount]: [0n, 27n], [walletAccount]: [30n, 0n] } as const
  const credited = credits({ program: token2022, balances, outer: [withFee(10n, 1n), withFee(20n, 2n)] })
  assert.equal(
    credited.map(({ name, amount, flags }) => [name, amount, flags]),
    [
      ['transfer', 9n, ['fee_withheld']],
      ['transfer', 18n, ['fee_withheld']],
    ],
  )
})

test('the classic token program keeps no fee: less than was sent needs a person', () => {
  const balances = { [treasuryAccount]: [0n, 9n], [walletAccount]: [10n, 0n] } as const
  assert.equal(
    credits({ balances, outer: [checked(10n)] }).map(({ amount, flags }) => [amount, flags]),
    [[9n, ['unexplained']]],
  )
})

test('a transfer to oneself explains nothing', () => {
  const balances = { [treasuryAccount]: [10n, 15n] } as const
  const toSelf = checked(10n, treasuryAccount, treasuryAccount)
  assert.equal(
    credits({ balances, outer: [toSelf] }).map(({ amount, flags }) => [amount, flags]),
    [[5n, ['unexplained']]],
  )
})

test('base58 keeps leading zeros and refuses other letters', () => {
  for (const bytes of [[], [0], [0, 0, 1], [255, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    assert.equal([...base58Bytes(base58(Buffer.from(bytes)))], bytes)
  assert.throws(() => base58Bytes('0OIl'))
})

test.run()
