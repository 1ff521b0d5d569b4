/** The data of token accounts and mints, as far as both token programs agree on it. */
import { type AccountInfo, PublicKey } from '@solana/web3.js'
import { token2022Program, tokenProgram } from './addresses.ts'

export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly isFrozen: boolean
}

export interface Mint {
  readonly program: string
  readonly decimals: number
  /** Extensions that take a part of a transfer, or ask for accounts that a plain transfer lacks. */
  readonly extensions: readonly number[]
}

/** Token-2022 puts the kind of an account behind the classic part: 1 is a mint, 2 a token account. */
const kindAt = 165
const accountLength = 165
const mintLength = 82

type Account = AccountInfo<Buffer>

/** `null` when there is no such account, or it is something else. */
export function readTokenAccount(account: Account | null): TokenAccount | null {
  if (account === null || !isTokenProgram(account.owner)) return null
  const { data } = account
  const isAccount = data.length === accountLength || (data.length > kindAt && data[kindAt] === 2)
  if (!isAccount) return null
  return {
    mint: new PublicKey(data.subarray(0, 32)).toBase58(),
    owner: new PublicKey(data.subarray(32, 64)).toBase58(),
    amount: data.readBigUInt64LE(64),
    isFrozen: data[108] === 2,
  }
}

export function readMint(account: Account | null): Mint | null {
  if (account === null || !isTokenProgram(account.owner)) return null
  const { data } = account
  const isMint = data.length === mintLength || (data.length > kindAt && data[kindAt] === 1)
  const decimals = data[44]
  if (!isMint || decimals === undefined) return null
  return { program: account.owner.toBase58(), decimals, extensions: extensionsOf(data) }
}

function isTokenProgram(program: PublicKey): boolean {
  return program.equals(tokenProgram) || program.equals(token2022Program)
}

/** The types of a Token-2022 mint's extensions: entries of type and length behind the kind. */
function extensionsOf(data: Buffer): readonly number[] {
  const types: number[] = []
  for (let offset = kindAt + 1; offset + 4 <= data.length; offset += 4 + data.readUInt16LE(offset + 2)) {
    const type = data.readUInt16LE(offset)
    if (type === 0) break
    types.push(type)
  }
  return types
}
