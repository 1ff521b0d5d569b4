/** What a transaction credited, from answers written out by hand: cases that no local program makes. */
import { Message, MessageV0, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainDeposit } from '../../../chain/chain-deposits.ts'
import { unrecorded } from '../../../chain/recorded.ts'
import { base58Bytes } from '../../../chain/solana/addresses.ts'
import { creditsOf } from '../../../chain/solana/credits.ts'
import { only } from '../asking.ts'

const classic = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const key = (byte: number): string => new PublicKey(Buffer.alloc(32, byte)).toBase58()

/** Places in the list of keys. */
const [payer, treasuryAccount, walletAccount, otherAccount, mint, reference, program, router] = [
  0, 1, 2, 3, 4, 5, 6, 7,
]
const [treasury, wallet, other] = [key(21), key(22), key(23)]
const owners: Readonly<Record<number, string>> = {
  [treasuryAccount]: treasury,
  [walletAccount]: wallet,
  [otherAccount]: other,
}

interface Played {
  readonly program?: string
  /** Balance of each token account before and after. */
  readonly balances: Readonly<Record<number, readonly [bigint, bigint]>>
  readonly outer?: readonly { accounts: number[]; data: Buffer; programIdIndex?: number }[]
  readonly inner?: readonly { accounts: number[]; data: string }[]
  readonly error?: object
}

const options = {
  signature: 'signature',
  treasury,
  accounts: [key(2)],
  symbolOf: () => 'USDC',
}

type Told = Partial<Pick<ChainDeposit, 'amount' | 'sender' | 'references' | 'flags'>> & {
  readonly name: string
}

function credits(played: Played): readonly Told[] {
  return creditsOf(responseOf(played), options).deposits.map(
    ({ index, amount, sender, references, flags }) => ({
      name: index.startsWith('x') ? 'transfer' : index,
      amount,
      sender,
      references,
      flags,
    }),
  )
}

function responseOf({ program: tokenProgram = classic, ...played }: Played): VersionedTransactionResponse {
  const keys = [key(1), key(2), key(3), key(4), key(5), key(6), tokenProgram, key(8)]
  const balance = (which: 0 | 1) =>
    Object.entries(played.balances).map(([index, amounts]) => ({
      accountIndex: Number(index),
      mint: keys[mint] ?? '',
      owner: owners[Number(index)] ?? '',
      programId: tokenProgram,
      uiTokenAmount: { amount: amounts[which].toString(), decimals: 6, uiAmount: null },
    }))
  return {
    slot: 9,
    blockTime: 1_772_000_000,
    version: 'legacy',
    transaction: {
      signatures: ['signature'],
      message: new Message({
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 4 },
        accountKeys: keys,
        recentBlockhash: key(99),
        instructions: (played.outer ?? []).map(({ programIdIndex = program, accounts, data }) => ({
          programIdIndex,
          accounts,
          data: base58(data),
        })),
      }),
    },
    meta: {
      err: played.error ?? null,
      fee: 5_000,
      preBalances: keys.map(() => 1),
      postBalances: keys.map(() => 1),
      preTokenBalances: balance(0),
      postTokenBalances: balance(1),
      innerInstructions: [
        {
          index: 0,
          instructions: (played.inner ?? []).map((inner) => ({ programIdIndex: program, ...inner })),
        },
      ],
    },
  }
}

function base58(data: Buffer): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let [number, text] = [BigInt(`0x0${data.toString('hex')}`), '']
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text
  for (const byte of data) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

function amountData(head: readonly number[], amount: bigint, tail: readonly number[] = []): Buffer {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(amount)
  return Buffer.concat([Buffer.from(head), data, Buffer.from(tail)])
}

const plain = (amount: bigint, from = walletAccount) => ({
  accounts: [from, treasuryAccount, payer],
  data: amountData([3], amount),
})
const checked = (amount: bigint, from = walletAccount, to = treasuryAccount) => ({
  accounts: [from, mint, to, payer, reference],
  data: amountData([12], amount, [6]),
})
const referenceText = Buffer.alloc(32, 6).toString('hex')

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

/** A router's call that pays the treasury 29 by two transfers, as it is served. */
function routed(): VersionedTransactionResponse {
  const call = { accounts: [payer], data: Buffer.from([1]), programIdIndex: router }
  const inner = [checked(20n), checked(9n, otherAccount)].map(({ accounts, data }) => ({
    accounts,
    data: base58(data),
  }))
  const balances = {
    [treasuryAccount]: [5n, 34n],
    [walletAccount]: [20n, 0n],
    [otherAccount]: [9n, 0n],
  } as const
  return responseOf({ balances, outer: [call], inner })
}

type Meta = NonNullable<VersionedTransactionResponse['meta']>

const without: readonly (readonly [string, (meta: Meta) => Partial<Meta> | null])[] = [
  ['metadata', () => null],
  ['token balances before', () => ({ preTokenBalances: null })],
  ['token balances after', () => ({ postTokenBalances: null })],
  ['the instructions inside its calls', () => ({ innerInstructions: null })],
  [
    'the owner of a token account',
    ({ postTokenBalances }) => ({
      postTokenBalances: (postTokenBalances ?? []).map(({ owner: _, ...balance }) => balance),
    }),
  ],
  ['the balances of all its accounts', () => ({ postBalances: [1] })],
]
for (const [what, changed] of without)
  test(`a transaction without ${what} is no answer`, () => {
    const { meta, ...rest } = routed()
    if (meta === null) throw new Error('a response with metadata')
    const change = changed(meta)
    const response = { ...rest, meta: change === null ? null : { ...meta, ...change } }
    assert.throws(() => creditsOf(response, options), new RegExp(`without .*${what}`))
  })

test('balances and calls that are missing among others leave a doubt', () => {
  const { meta, ...rest } = routed()
  if (meta === null) throw new Error('a response with metadata')
  const doubtOf = (change: Partial<Meta>) =>
    creditsOf({ ...rest, meta: { ...meta, ...change } }, options).doubt
  const but = (account: number, balances: Meta['postTokenBalances']) =>
    (balances ?? []).filter(({ accountIndex }) => accountIndex !== account)
  const { preTokenBalances: before, postTokenBalances: after } = meta
  assert.is(doubtOf({}), null)
  assert.match(doubtOf({ postTokenBalances: but(treasuryAccount, after) }) ?? '', /balance of the treasury/)
  assert.match(doubtOf({ preTokenBalances: but(treasuryAccount, before) }) ?? '', /balance of the treasury/)
  const [gone, left] = [but(walletAccount, before), but(walletAccount, after)]
  assert.match(doubtOf({ preTokenBalances: gone, postTokenBalances: left }) ?? '', /source/)
  assert.match(doubtOf({ innerInstructions: [] }) ?? '', /explain/)
})

test('a deposit that was read without its calls is the same deposit when it is read with them', () => {
  const whole = creditsOf(routed(), options).deposits
  const { meta, ...rest } = routed()
  if (meta === null) throw new Error('a response with metadata')
  const lacking = creditsOf({ ...rest, meta: { ...meta, innerInstructions: [] } }, options).deposits
  assert.equal(
    lacking.map(({ amount, flags }) => [amount, flags]),
    [[29n, ['unexplained']]],
  )
  assert.equal(
    whole.map(({ amount }) => amount),
    [20n, 9n],
  )
  assert.equal(unrecorded('SOLANA', whole, lacking), [])
  assert.equal(unrecorded('SOLANA', lacking, whole), [])
})

test('a transfer has one name, wherever an answer puts it among the calls', () => {
  const { meta, ...rest } = routed()
  const [group] = meta?.innerInstructions ?? []
  if (meta === null || group === undefined) throw new Error('a response with calls')
  const namesOf = (instructions: typeof group.instructions) =>
    creditsOf({ ...rest, meta: { ...meta, innerInstructions: [{ ...group, instructions }] } }, options)
      .deposits.map(({ index, amount }) => `${index} ${amount}`)
      .toSorted()
  const other = { programIdIndex: router, accounts: [payer], data: base58(Buffer.from([7])) }
  const names = namesOf(group.instructions)
  assert.equal(namesOf([other, ...group.instructions]), names)
  assert.equal(namesOf(group.instructions.toReversed()), names)
})

test('base58 keeps leading zeros and refuses other letters', () => {
  for (const bytes of [[], [0], [0, 0, 1], [255, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    assert.equal([...base58Bytes(base58(Buffer.from(bytes)))], bytes)
  assert.throws(() => base58Bytes('0OIl'))
})

test.run()
