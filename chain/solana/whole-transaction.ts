/**
 * A transaction as an endpoint serves it, with all that a decision about money needs. Fields that servers may leave
 * out (a node that keeps no metadata answers with nulls) are not read as nothing: an answer without them is no answer,
 * and is asked for again. Pure.
 */
import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js'
import type { Instant } from '../../machines/time.ts'
import { base58Bytes } from './addresses.ts'
import { ChainFailed } from './network.ts'

export interface Instruction {
  /** Made by a program that the transaction calls. */
  readonly isInner: boolean
  readonly program: string
  readonly accounts: readonly number[]
  readonly data: Buffer
}

/** What a token account held; `null` where it was none. */
export interface TokenBalance {
  readonly owner: string
  readonly mint: string
  readonly program: string
  readonly before: bigint | null
  readonly after: bigint | null
}

export interface WholeTransaction {
  readonly slot: number
  /** Chain time of its block; `null` where the endpoint does not say. */
  readonly at: Instant | null
  readonly keys: readonly PublicKey[]
  readonly instructions: readonly Instruction[]
  /** By place among the keys. */
  readonly balances: ReadonlyMap<number, TokenBalance>
  /** Accounts that existed before and after: such a token account has a balance there. */
  readonly existedBefore: (account: number) => boolean
  readonly existsAfter: (account: number) => boolean
}

type Meta = NonNullable<VersionedTransactionResponse['meta']>
type Balances = NonNullable<Meta['postTokenBalances']>

/**
 * `null` for a transaction that failed: it moved no tokens.
 *
 * @throws ChainFailed (`inconsistent`) where something is missing.
 */
export function wholeTransaction(
  { transaction, meta, slot, blockTime }: VersionedTransactionResponse,
  signature: string,
): WholeTransaction | null {
  const whole = <Value>(value: Value | null | undefined, what: string): Value => {
    if (value !== null && value !== undefined) return value
    throw new ChainFailed(
      'inconsistent',
      `serves transaction ${signature} without ${what}. It is asked again; ` +
        'add an endpoint that keeps whole transactions to chains.SOLANA.rpc.',
    )
  }
  const { err, preTokenBalances, postTokenBalances, innerInstructions, ...rest } = whole(meta, 'its metadata')
  if (err === undefined) whole(err, 'its outcome')
  if (err !== null) return null
  const before = balancesIn(whole(preTokenBalances, 'its token balances before'), whole)
  const after = balancesIn(whole(postTokenBalances, 'its token balances after'), whole)
  const keys = keysOf(transaction.message, rest, whole)
  const { preBalances, postBalances } = rest
  if (preBalances.length !== keys.length || postBalances.length !== keys.length)
    whole(null, 'the balances of all its accounts')
  const program = (index: number): string => whole(keys[index], 'the address of a program').toBase58()
  const accounts = (indexes: readonly number[]): readonly number[] => {
    for (const index of indexes) whole(keys[index], 'the address of an account')
    return indexes
  }
  const outer = transaction.message.compiledInstructions.map((instruction) => ({
    isInner: false,
    program: program(instruction.programIdIndex),
    accounts: accounts(instruction.accountKeyIndexes),
    data: Buffer.from(instruction.data),
  }))
  const inner = whole(innerInstructions, 'the instructions inside its calls').flatMap(({ instructions }) =>
    instructions.map((instruction) => ({
      isInner: true,
      program: program(instruction.programIdIndex),
      accounts: accounts(instruction.accounts),
      data: Buffer.from(base58Bytes(instruction.data)),
    })),
  )
  return {
    slot,
    at: typeof blockTime === 'number' ? blockTime * 1000 : null,
    keys,
    instructions: [...outer, ...inner],
    balances: joined(before, after),
    existedBefore: (account) => (preBalances[account] ?? 0) > 0,
    existsAfter: (account) => (postBalances[account] ?? 0) > 0,
  }
}

type Whole = <Value>(value: Value | null | undefined, what: string) => Value

type Balance = Pick<TokenBalance, 'owner' | 'mint' | 'program'> & { readonly amount: bigint }

function balancesIn(balances: Balances, whole: Whole): ReadonlyMap<number, Balance> {
  return new Map(
    balances.map(({ accountIndex, owner, mint, programId, uiTokenAmount: { amount } }) => [
      accountIndex,
      {
        owner: whole(owner, 'the owner of a token account'),
        mint,
        program: whole(programId, 'the program of a token account'),
        amount: BigInt(whole(/^\d{1,20}$/.exec(amount), 'a readable balance')[0]),
      },
    ]),
  )
}

function joined(
  before: ReadonlyMap<number, Balance>,
  after: ReadonlyMap<number, Balance>,
): ReadonlyMap<number, TokenBalance> {
  return new Map(
    [...before, ...after].map(([account, { owner, mint, program }]) => [
      account,
      {
        owner,
        mint,
        program,
        before: before.get(account)?.amount ?? null,
        after: after.get(account)?.amount ?? null,
      },
    ]),
  )
}

function keysOf(
  message: VersionedTransactionResponse['transaction']['message'],
  { loadedAddresses }: Pick<Meta, 'loadedAddresses'>,
  whole: Whole,
): readonly PublicKey[] {
  if ('accountKeys' in message) return message.getAccountKeys().keySegments().flat()
  const lookups = message.addressTableLookups.reduce(
    (count, { writableIndexes, readonlyIndexes }) => count + writableIndexes.length + readonlyIndexes.length,
    0,
  )
  const loaded = loadedAddresses ?? (lookups === 0 ? { writable: [], readonly: [] } : null)
  const { writable, readonly } = whole(loaded, 'the addresses from its tables')
  if (writable.length + readonly.length !== lookups) whole(null, 'all addresses from its tables')
  return message.getAccountKeys({ accountKeysFromLookups: { writable, readonly } }).keySegments().flat()
}
