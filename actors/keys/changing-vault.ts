/**
 * The vault of a node whose master key is being changed: for the moment in which some of what it reads was sealed
 * under the one key and some under the other, both open.
 */
import { type Vault, VaultError } from './vault.ts'

export interface ChangingVault extends Vault {
  /**
   * From now on what was sealed under the next key opens, too; what is sealed is sealed under the present one.
   * False while another change is under way: one would overwrite the file of the other.
   */
  admit(next: Vault): boolean
  /** The admitted key becomes the present one. What was read just before still opens. */
  change(): void
  /** Only the present key opens. */
  forgetOther(): void
}

export function createChangingVault(first: Vault): ChangingVault {
  let present = first
  let other: Vault | null = null
  return {
    get fingerprint() {
      return present.fingerprint
    },
    seal: (name, secret) => present.seal(name, secret),
    open(name, sealed) {
      try {
        return present.open(name, sealed)
      } catch (error) {
        if (other === null || !(error instanceof VaultError)) throw error
        return other.open(name, sealed)
      }
    },
    admit(next) {
      if (other !== null) return false
      other = next
      return true
    },
    change() {
      if (other === null) throw new Error('No other master key was admitted.')
      ;[present, other] = [other, present]
    },
    forgetOther() {
      other = null
    },
  }
}
