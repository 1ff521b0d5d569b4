/** Accounts, assets, amounts and references as Stellar writes them. */
import { Asset, StrKey } from '@stellar/stellar-sdk/base'

/** Every asset of Stellar has seven decimals. */
export const stellarDecimals = 7

/** Amounts are int64. */
export const maxUnits = 2n ** 63n - 1n

/** The id of Stellar's own currency, that needs no trust line. */
export const nativeId = 'native'

/**
 * The one form of a wallet's address, or `null`. `M…` is a number inside somebody's account, `C…` is a
 * contract: neither can be the source of a transaction.
 */
export function canonicalWallet(address: string): string | null {
  return StrKey.isValidEd25519PublicKey(address) ? address : null
}

/** `CODE:ISSUER` or `native`; `null` for anything else. */
export function assetOf(id: string): Asset | null {
  if (id === nativeId) return Asset.native()
  const [code = '', issuer = '', ...more] = id.split(':')
  const isAsset = /^[A-Za-z0-9]{1,12}$/.test(code) && canonicalWallet(issuer) !== null && more.length === 0
  return isAsset ? new Asset(code, issuer) : null
}

/** Raw units of an amount in Horizon's form; `null` when it is not one. */
export function unitsOf(amount: string): bigint | null {
  const match = /^(\d{1,32})(?:\.(\d{1,7}))?$/.exec(amount)
  if (match === null) return null
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(stellarDecimals, '0')}`)
}

export function amountOf(units: bigint): string {
  const digits = units.toString().padStart(stellarDecimals + 1, '0')
  return `${digits.slice(0, -stellarDecimals)}.${digits.slice(-stellarDecimals)}`
}

export function referenceBytes(reference: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(reference)) throw new Error('a reference is 64 lower-case hexadecimal digits')
  return Buffer.from(reference, 'hex')
}
