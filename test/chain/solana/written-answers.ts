/** Answers of Solana about one transaction, written out by hand. */
import { Message, PublicKey, type VersionedTransactionResponse } from '@solana/web3.js'
import type { ChainDeposit } from '../../../chain/chain-deposits.ts'
import { creditsOf } from '../../../chain/solana/credits.ts'

export const classic = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

export const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

export const key = (byte: number): string => new PublicKey(Buffer.alloc(32, byte)).toBase58()

/** Places in the list of keys. */
export const [payer, treasuryAccount, walletAccount, otherAccount, mint, reference] = [0, 1, 2, 3, 4, 5]
export const program = 6
export const router = 7

export const [treasury, wallet] = [key(21), key(22)]
const other = key(23)

const owners: Readonly<Record<number, string>> = {
  [treasuryAccount]: treasury,
  [walletAccount]: wallet,
  [otherAccount]: other,
}

export interface Played {
  readonly program?: string
  /** Balance of each token account before and after. */
  readonly balances: Readonly<Record<number, readonly [bigint, bigint]>>
  readonly outer?: readonly { accounts: number[]; data: Buffer; programIdIndex?: number }[]
  readonly inner?: readonly { accounts: number[]; data: string }[]
  readonly error?: object
}

export const options = {
  signature: 'signature',
  treasury,
  accounts: [key(2)],
  symbolOf: () => 'USDC',
}

export type Told = Partial<Pick<ChainDeposit, 'amount' | 'sender' | 'references' | 'flags'>> & {
  readonly name: string
}

export function credits(played: Played): readonly Told[] {
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

export function responseOf({
  program: tokenProgram = classic,
  ...played
}: Played): VersionedTransactionResponse {
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

export function base58(data: Buffer): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let [number, text] = [BigInt(`0x0${data.toString('hex')}`), '']
  for (; number > 0n; number /= 58n) text = alphabet.charAt(Number(number % 58n)) + text
  for (const byte of data) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

export function amountData(head: readonly number[], amount: bigint, tail: readonly number[] = []): Buffer {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(amount)
  return Buffer.concat([Buffer.from(head), data, Buffer.from(tail)])
}

export const plain = (amount: bigint, from = walletAccount) => ({
  accounts: [from, treasuryAccount, payer],
  data: amountData([3], amount),
})

export const checked = (amount: bigint, from = walletAccount, to = treasuryAccount) => ({
  accounts: [from, mint, to, payer, reference],
  data: amountData([12], amount, [6]),
})

export const referenceText = Buffer.alloc(32, 6).toString('hex')
