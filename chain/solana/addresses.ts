/** Addresses of Solana: programs, wallets, token accounts, references. */
import { PublicKey } from '@solana/web3.js'

export const tokenProgram = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const token2022Program = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const associatedTokenProgram = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** The classic memo program: wallets know it. */
export const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** The programs that everybody knows, the system's first: their addresses are on the curve by chance. */
const programs: readonly string[] = [
  PublicKey.default,
  tokenProgram,
  token2022Program,
  associatedTokenProgram,
  memoProgram,
].map((program) => program.toBase58())

/**
 * The one form of a wallet's address, or `null`. An address off the curve belongs to a program: nobody holds
 * a key to it, so it cannot sign. Nor can one of a program itself.
 */
export function canonicalWallet(address: string): string | null {
  try {
    const key = new PublicKey(address)
    if (key.toBase58() !== address || programs.includes(address)) return null
    return PublicKey.isOnCurve(key.toBytes()) ? address : null
  } catch {
    return null
  }
}

/** The token account that wallets derive from an owner and a mint. */
export function associatedTokenAccount(owner: PublicKey, mint: PublicKey, program: PublicKey): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()]
  return PublicKey.findProgramAddressSync(seeds, associatedTokenProgram)[0]
}

/** A reference is any 32 bytes; it need not be a key that anyone holds. */
export function referenceKey(reference: string): PublicKey {
  if (!/^[0-9a-f]{64}$/.test(reference)) throw new Error('a reference is 64 lower-case hexadecimal digits')
  return new PublicKey(Buffer.from(reference, 'hex'))
}

export function referenceOf(key: PublicKey): string {
  return Buffer.from(key.toBytes()).toString('hex')
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes of a base58 text, of any length: instruction data comes like that. */
export function base58Bytes(text: string): Uint8Array {
  let number = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) throw new Error('not base58')
    number = number * 58n + BigInt(digit)
  }
  const hex = number === 0n ? '' : number.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}
