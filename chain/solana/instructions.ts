/**
 * The few instructions this node builds. They are encoded here: the usual library for token programs depends
 * on bigint-buffer, which has an advisory that nobody fixes.
 */
import {
  type AccountMeta,
  ComputeBudgetProgram,
  type PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import { associatedTokenAccount, associatedTokenProgram, memoProgram } from './addresses.ts'

/** Enough for a memo and a transfer under either token program; the fee is paid for the limit. */
const computeUnits = 80_000

export function computeBudget(unitPriceMicroLamports: number): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeUnits }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: unitPriceMicroLamports }),
  ]
}

export function memo(text: string, signer: PublicKey): TransactionInstruction {
  return new TransactionInstruction({
    programId: memoProgram,
    data: Buffer.from(text, 'utf8'),
    keys: [readOnly(signer, true)],
  })
}

export interface TokenTransfer {
  readonly program: PublicKey
  readonly mint: PublicKey
  readonly decimals: number
  readonly source: PublicKey
  readonly destination: PublicKey
  readonly owner: PublicKey
  readonly amount: bigint
  readonly reference: PublicKey
}

/** `TransferChecked`, with the reference as one more read-only account: the token program ignores it. */
export function transferChecked(transfer: TokenTransfer): TransactionInstruction {
  const data = Buffer.alloc(10)
  data.writeUInt8(12, 0)
  data.writeBigUInt64LE(transfer.amount, 1)
  data.writeUInt8(transfer.decimals, 9)
  return new TransactionInstruction({
    programId: transfer.program,
    data,
    keys: [
      writable(transfer.source),
      readOnly(transfer.mint),
      writable(transfer.destination),
      readOnly(transfer.owner, true),
      readOnly(transfer.reference),
    ],
  })
}

/** `CreateIdempotent` of the associated token program: does nothing when the account is there. */
export function createTokenAccount(
  payer: PublicKey,
  owner: PublicKey,
  mint: PublicKey,
  program: PublicKey,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: associatedTokenProgram,
    data: Buffer.from([1]),
    keys: [
      { pubkey: payer, isSigner: true, isWritable: true },
      writable(associatedTokenAccount(owner, mint, program)),
      readOnly(owner),
      readOnly(mint),
      readOnly(SystemProgram.programId),
      readOnly(program),
    ],
  })
}

function readOnly(pubkey: PublicKey, isSigner = false): AccountMeta {
  return { pubkey, isSigner, isWritable: false }
}

function writable(pubkey: PublicKey): AccountMeta {
  return { pubkey, isSigner: false, isWritable: true }
}
