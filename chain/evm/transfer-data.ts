/**
 * Call data of a token's `transfer` with 32 bytes behind it. Contracts ignore what follows their arguments,
 * so the reference costs its bytes and changes nothing; explorers and nodes keep it with the transaction.
 */
import type { Address, Hex } from 'viem'
import { concat, encodeFunctionData, parseAbi } from 'viem/utils'

const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Bytes of selector and arguments, and of these with a reference. */
const transferBytes = 68
const referencedBytes = 100

/** A deposit with more than these is nobody's order. */
const maxReferences = 16

export function transferData(to: Address, units: bigint, reference: string): Hex {
  if (!/^[0-9a-f]{64}$/.test(reference)) throw new Error('a reference is 64 lower-case hexadecimal digits')
  return concat([encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] }), `0x${reference}`])
}

/** A call of `transfer` to the treasury that was found in a transaction's input. */
export interface CarriedTransfer {
  /** What was asked to move, before any fee of the token. */
  readonly units: bigint
  readonly reference: string | null
}

/** The call that a transaction itself makes; `null` when it makes another. */
export function directTransfer(input: Hex, treasury: Address): CarriedTransfer | null {
  const bytes = input.slice(2).toLowerCase()
  return bytes.startsWith(patternOf(treasury)) ? carriedAt(bytes, 0, bytes.length / 2) : null
}

/**
 * Calls that a contract is asked to make: contract wallets and batches pass them on as bytes, and the 32
 * bytes before those say how many they are.
 */
export function embeddedTransfers(input: Hex, treasury: Address): readonly CarriedTransfer[] {
  const bytes = input.slice(2).toLowerCase()
  const pattern = patternOf(treasury)
  const found: CarriedTransfer[] = []
  for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + 1)) {
    if (at % 2 !== 0 || at < 64 || found.length >= maxReferences) continue
    const length = BigInt(`0x${bytes.slice(at - 64, at)}`)
    const left = bytes.length / 2 - at / 2
    const carried = length <= left ? carriedAt(bytes, at, Number(length)) : null
    if (carried !== null) found.push(carried)
  }
  return found
}

/** Selector and recipient. */
function patternOf(treasury: Address): string {
  return encodeFunctionData({ abi, functionName: 'transfer', args: [treasury, 0n] })
    .slice(2, 2 + 8 + 64)
    .toLowerCase()
}

/** Wallets may add marks of their own behind the reference: it stands right behind the arguments. */
function carriedAt(bytes: string, at: number, length: number): CarriedTransfer | null {
  if (length < transferBytes || bytes.length < at + 2 * transferBytes) return null
  const word = (offset: number): string => bytes.slice(at + 2 * offset, at + 2 * offset + 64)
  const reference = length >= referencedBytes ? word(transferBytes) : ''
  return {
    units: BigInt(`0x${word(transferBytes - 32)}`),
    reference: reference.length === 64 ? reference : null,
  }
}
