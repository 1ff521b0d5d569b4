/** What an operation is applied to, and what became of it. */
import type { Transaction } from '@stellar/stellar-sdk/base'
import type { Account, Accounts } from './accounts.ts'

/** What became of one operation. */
export interface Applied {
  readonly type: string
  readonly details: Readonly<Record<string, unknown>>
  /** Accounts whose history it belongs to, beside its source. */
  readonly participants: readonly string[]
  readonly effects: readonly Effect[]
  /** The claimable balance it is about. */
  readonly balanceId?: string
}

export interface Effect {
  readonly type: string
  readonly account: string
  readonly [detail: string]: unknown
}

/** Somebody who exchanges one asset for another at a fixed price. */
export interface Market {
  readonly maker: string
  /** Units of the second asset for one unit of the first. */
  readonly price: bigint
}

export interface Context {
  readonly accounts: Accounts
  /** By `A>B`. */
  readonly markets: ReadonlyMap<string, Market>
  readonly transaction: Transaction
  readonly index: number
  /** The source of the operation: the base account, and as it was given. */
  readonly source: Account
  readonly sourceAddress: string
  readonly nextSequence: bigint
  readonly passphrase: string
}
