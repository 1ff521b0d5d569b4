/** Transactions of version 1, which web3.js reads and does not write. */
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createKeyPairFromBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
} from '@solana/kit'
import type { Keypair, TransactionInstruction } from '@solana/web3.js'

export async function signVersion1(
  payer: Keypair,
  instructions: readonly TransactionInstruction[],
  lifetime: { blockhash: string; lastValidBlockHeight: number },
): Promise<Uint8Array> {
  const message = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageComputeUnitLimit(80_000, empty),
    (limited) => setTransactionMessageLoadedAccountsDataSizeLimit(1_000_000, limited),
    (limited) => setTransactionMessageFeePayer(address(payer.publicKey.toBase58()), limited),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        {
          blockhash: blockhash(lifetime.blockhash),
          lastValidBlockHeight: BigInt(lifetime.lastValidBlockHeight),
        },
        paid,
      ),
    (lasting) => appendTransactionMessageInstructions(instructions.map(instructionOf), lasting),
  )
  const key = await createKeyPairFromBytes(payer.secretKey)
  const signed = await partiallySignTransaction([key], compileTransaction(message))
  return Uint8Array.from(getTransactionEncoder().encode(signed))
}

function instructionOf({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    programAddress: address(programId.toBase58()),
    // The role of an account is two bits: whether it signs, and whether it is written.
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
    })),
    data,
  }
}
