/** Answers without a part of what a transaction did, and what a transfer is called in each. */
import type { VersionedTransactionResponse } from '@solana/web3.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { unrecorded } from '../../../chain/recorded.ts'
import { creditsOf } from '../../../chain/solana/credits.ts'
import {
  base58,
  checked,
  mint,
  options,
  otherAccount,
  payer,
  program,
  responseOf,
  router,
  treasuryAccount,
  walletAccount,
} from './written-answers.ts'

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
  const [gone, left] = [but(walletAccount, before), but(walletAccount, after)]
  assert.match(doubtOf({ preTokenBalances: gone, postTokenBalances: left }) ?? '', /source/)
  assert.match(doubtOf({ innerInstructions: [] }) ?? '', /explain/)
})

test('only an account that the transaction itself opens held nothing before', () => {
  const { meta, ...rest } = routed()
  if (meta === null) throw new Error('a response with metadata')
  const preTokenBalances = (meta.preTokenBalances ?? []).filter(
    ({ accountIndex }) => accountIndex !== treasuryAccount,
  )
  const read = (more: readonly { accounts: number[]; data: Buffer }[]) => {
    const calls = more.map(({ accounts, data }) => ({
      accounts,
      data: base58(data),
      programIdIndex: program,
    }))
    const innerInstructions = (meta.innerInstructions ?? []).map((group) => ({
      ...group,
      instructions: [...calls, ...group.instructions],
    }))
    return creditsOf({ ...rest, meta: { ...meta, preTokenBalances, innerInstructions } }, options)
  }
  for (const more of [[], [{ accounts: [walletAccount, mint], data: Buffer.from([18]) }]])
    assert.throws(() => read(more), /without what \S+ held before it/)
  for (const kind of [1, 16, 18, 255])
    assert.ok(read([{ accounts: [treasuryAccount, mint], data: Buffer.from([kind]) }]).deposits.length > 0)
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

test.run()
