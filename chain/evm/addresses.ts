/** Addresses of EVM chains. */
import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'

/** Below this are the precompiled contracts, and the address that stands for nobody. */
const firstPossibleKey = 2n ** 32n

/**
 * The one form of an address: with the checksum of EIP-55. Wallets also hand out addresses without any, all
 * in lower case, and these are taken; one whose checksum is wrong was mistyped.
 */
export function canonicalAddress(address: string): Address | null {
  if (!isAddress(address) || BigInt(address) < firstPossibleKey) return null
  return getAddress(address)
}

/** Throws where the settings hold no address: `where` names the setting. */
export function settledAddress(address: string, where: string): Address {
  const canonical = canonicalAddress(address)
  if (canonical !== null) return canonical
  throw new Error(`${where}: ${address} is not an address, or its checksum is wrong (EIP-55).`)
}
