/** Instructions that issuers, operators and other people's wallets send; the node builds none of these. */
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'

export const tokenProgram = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const associatedTokenProgram = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

export interface TestMint {
  readonly mint: PublicKey
  readonly program: PublicKey
  readonly decimals: number
}

export function tokenAccount(owner: PublicKey, { mint, program }: TestMint): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()]
  return PublicKey.findProgramAddressSync(seeds, associatedTokenProgram)[0]
}

function instruction(
  programId: PublicKey,
  data: Buffer,
  keys: readonly (readonly [PublicKey, 'signer' | 'writable' | 'read'])[],
): TransactionInstruction {
  return new TransactionInstruction({
    programId,
    data,
    keys: keys.map(([pubkey, role]) => ({
      pubkey,
      isSigner: role === 'signer',
      isWritable: role === 'writable',
    })),
  })
}

const classicMintLength = 82
/** The classic part, padded to a token account's length, the kind, and one transfer-fee extension of 108. */
const feeMintLength = 165 + 1 + 4 + 108

/** Creates a mint; `feeBps` makes it a Token-2022 mint that keeps a part of each transfer. */
export function createMint(
  { mint, program, decimals }: TestMint,
  authority: PublicKey,
  rent: (length: number) => number,
  feeBps: number | null,
): TransactionInstruction[] {
  const space = feeBps === null ? classicMintLength : feeMintLength
  const initialize = Buffer.concat([
    Buffer.from([20, decimals]),
    authority.toBytes(),
    Buffer.from([1]),
    authority.toBytes(),
  ])
  return [
    SystemProgram.createAccount({
      fromPubkey: authority,
      newAccountPubkey: mint,
      lamports: rent(space),
      space,
      programId: program,
    }),
    ...(feeBps === null ? [] : [initializeTransferFee(mint, program, feeBps)]),
    instruction(program, initialize, [[mint, 'writable']]),
  ]
}

/** `TransferFeeExtension::InitializeTransferFeeConfig` without authorities. */
function initializeTransferFee(mint: PublicKey, program: PublicKey, feeBps: number): TransactionInstruction {
  const data = Buffer.alloc(2 + 1 + 1 + 2 + 8)
  data.writeUInt8(26, 0)
  data.writeUInt16LE(feeBps, 4)
  data.writeBigUInt64LE(2n ** 63n, 6)
  return instruction(program, data, [[mint, 'writable']])
}

export function createTokenAccount(
  payer: PublicKey,
  owner: PublicKey,
  token: TestMint,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: associatedTokenProgram,
    data: Buffer.from([1]),
    keys: [
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: tokenAccount(owner, token), isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: false },
      { pubkey: token.mint, isSigner: false, isWritable: false },
      { pubkey: SystemProgram.programId, isSigner: false, isWritable: false },
      { pubkey: token.program, isSigner: false, isWritable: false },
    ],
  })
}

export function mintTo(
  token: TestMint,
  owner: PublicKey,
  authority: PublicKey,
  units: bigint,
): TransactionInstruction {
  const data = Buffer.alloc(9)
  data.writeUInt8(7, 0)
  data.writeBigUInt64LE(units, 1)
  return instruction(token.program, data, [
    [token.mint, 'writable'],
    [tokenAccount(owner, token), 'writable'],
    [authority, 'signer'],
  ])
}

export function freezeAccount(
  token: TestMint,
  owner: PublicKey,
  authority: PublicKey,
): TransactionInstruction {
  return instruction(token.program, Buffer.from([10]), [
    [tokenAccount(owner, token), 'writable'],
    [token.mint, 'read'],
    [authority, 'signer'],
  ])
}

/** `TransferChecked` between the associated accounts of two owners, with references behind. */
export function transferTokens(
  token: TestMint,
  from: PublicKey,
  to: PublicKey,
  units: bigint,
  references: readonly string[],
): TransactionInstruction {
  const data = Buffer.alloc(10)
  data.writeUInt8(12, 0)
  data.writeBigUInt64LE(units, 1)
  data.writeUInt8(token.decimals, 9)
  return instruction(token.program, data, [
    [tokenAccount(from, token), 'writable'],
    [token.mint, 'read'],
    [tokenAccount(to, token), 'writable'],
    [from, 'signer'],
    ...references.map((reference) => [new PublicKey(Buffer.from(reference, 'hex')), 'read'] as const),
  ])
}
