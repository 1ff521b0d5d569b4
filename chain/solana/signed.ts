/**
 * Whether a message is the one that a signature is of: the signature is the transaction's id, so that what an endpoint
 * serves for it, the accounts and data of each instruction, can be proved to be what the payer has signed.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js'
import { base58Bytes } from './addresses.ts'

/** @returns `null` for a version of messages that cannot be written down here, so that nothing can be proved. */
export function isSigned(
  { transaction, version = 'legacy' }: VersionedTransactionResponse,
  signature: string,
): boolean | null {
  if (version !== 'legacy' && version !== 0) return null
  const { message } = transaction
  const payer = 'accountKeys' in message ? message.accountKeys[0] : message.staticAccountKeys[0]
  if (payer === undefined) return false
  try {
    return verify(null, message.serialize(), keyOf(payer), base58Bytes(signature))
  } catch {
    // What cannot be written down as a message was never signed.
    return false
  }
}

/** The header of an Ed25519 key in DER, before its 32 bytes (RFC 8410). */
const derHeader = Buffer.from('302a300506032b6570032100', 'hex')

function keyOf(payer: PublicKey): KeyObject {
  const key = Buffer.concat([derHeader, payer.toBytes()])
  return createPublicKey({ key, format: 'der', type: 'spki' })
}
