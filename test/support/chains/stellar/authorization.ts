/** Whether the signatures on an envelope are enough, and none too many. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { extractBaseAddress, type OperationRecord, StrKey, type Transaction } from '@stellar/stellar-sdk/base'
import type { Account, Accounts } from './accounts.ts'

/** A transaction that is refused: it costs nothing and is in no ledger. */
export class Refused extends Error {
  readonly code: string
  readonly operations: readonly string[]
  constructor(code: string, operations: readonly string[] = []) {
    super([code, ...operations].join(' '))
    this.code = code
    this.operations = operations
  }
}

interface Signed {
  readonly signatures: Transaction['signatures']
  hash(): Uint8Array
}

/** Index into an account's thresholds. */
const levels = { low: 0, medium: 1, high: 2 } as const

/** Weighs the signatures as the network does: the fee's payer first, then each operation's source. */
export class Signatures {
  readonly #signed: Signed
  readonly #used = new Set<number>()

  constructor(signed: Signed) {
    this.#signed = signed
  }

  authorizePayer(account: Account): void {
    if (!this.#reaches(account, 'low')) throw new Refused('tx_bad_auth')
  }

  authorizeOperations(accounts: Accounts, source: string, operations: readonly OperationRecord[]): void {
    const codes = operations.map((operation) => {
      const account = accounts.byAddress.get(extractBaseAddress(operation.source ?? source))
      if (account === undefined) return 'op_no_source_account'
      return this.#reaches(account, levelOf(operation)) ? 'op_success' : 'op_bad_auth'
    })
    if (codes.some((code) => code !== 'op_success')) throw new Refused('tx_failed', codes)
  }

  refuseUnused(): void {
    if (this.#used.size < this.#signed.signatures.length) throw new Refused('tx_bad_auth_extra')
  }

  #reaches(account: Account, level: keyof typeof levels): boolean {
    const weight = [...account.signers].reduce(
      (sum, [key, weight]) => (weight > 0 && this.#isSignedBy(key) ? sum + weight : sum),
      0,
    )
    return weight >= Math.max(1, account.thresholds[levels[level]])
  }

  #isSignedBy(address: string): boolean {
    const raw = Buffer.from(StrKey.decodeEd25519PublicKey(address))
    const hash = this.#signed.hash()
    const index = this.#signed.signatures.findIndex(
      ({ hint, signature }) =>
        raw.subarray(-4).equals(hint.toBytes()) && verify(null, hash, keyOf(raw), signature.toBytes()),
    )
    if (index >= 0) this.#used.add(index)
    return index >= 0
  }
}

function levelOf({ type }: OperationRecord): keyof typeof levels {
  if (type === 'setOptions' || type === 'accountMerge') return 'high'
  return type === 'bumpSequence' || type === 'setTrustLineFlags' || type === 'claimClaimableBalance'
    ? 'low'
    : 'medium'
}

/** RFC 8410 puts this in front of the 32 bytes. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

function keyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([ed25519Prefix, raw]), format: 'der', type: 'spki' })
}
