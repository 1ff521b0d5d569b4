/** What a chain brings to a treasury, and what leaves it: the words for both in the port to a blockchain. */
import type { Blockchain } from '../machines/blockchains.ts'
import type { Instant } from '../machines/time.ts'

/**
 * What is unusual about a credit. Matching refuses to fund an order by itself on those of `taintedBy`
 * (matching.ts); the others are evidence.
 * - `unexplained`: the treasury's balance rose by more or less than the transfers in the transaction explain
 * - `muxed_destination`: paid to a sub-account (M…) of the treasury, or with a memo of another kind beside it
 * - `clawback`: the issuer took `amount` back out of the treasury
 * - `claimable_balance`: credited by claiming a balance, not by a payment
 * - `fee_withheld`: the token keeps a part of each transfer; `amount` is what arrived
 * - `path_payment`: the sender paid in another asset that the chain exchanged
 * - `contract_call`: the transfer was made inside a call to a contract or program
 */
export type ChainDepositFlag =
  | 'unexplained'
  | 'muxed_destination'
  | 'clawback'
  | 'claimable_balance'
  | 'fee_withheld'
  | 'path_payment'
  | 'contract_call'

/** One credit to the treasury. Chain, transaction id and index together are its identity, for ever. */
export interface ChainDeposit {
  readonly blockchain: Blockchain
  /** Signature, hash: what a block explorer takes. */
  readonly transactionId: string
  /** Which transfer of the transaction: stable over readings, endpoints and versions of the node. */
  readonly index: string
  /** Slot, ledger or block number, as a decimal text. */
  readonly height: string
  /** Chain time of the block; `null` when the network never says (matching then asks a person). */
  readonly at: Instant | null
  /** What was credited, configured or not: an impostor has the same symbol and another id. */
  readonly assetId: string
  /** The symbol in the settings, `null` when the settings do not name this id. */
  readonly symbol: string | null
  /** Raw units that were credited, after any fee the token takes. Positive. */
  readonly amount: bigint
  /** Whose money it was, canonical; `null` when the chain does not say. */
  readonly sender: string | null
  /**
   * Every 32-byte value that stands where a reference belongs, ours or not. The adapter does not know which
   * are ours; a stranger's extra value does no harm.
   */
  readonly references: readonly string[]
  readonly flags: readonly ChainDepositFlag[]
  /** What else a person may want to see: memo texts, the token account, the gross amount … */
  readonly evidence: Readonly<Record<string, string>>
}

/** Chain, transaction id and index: the text that deposits are unique by. */
export function chainDepositIdentity(
  deposit: Pick<ChainDeposit, 'blockchain' | 'transactionId' | 'index'>,
): string {
  return `${deposit.blockchain}/${deposit.transactionId}/${deposit.index}`
}

/** What left the treasury: of one asset, in one transaction or in one operation of it. Never what only went round. */
export interface Outflow {
  readonly blockchain: Blockchain
  readonly transactionId: string
  /** Unique within its transaction, and no deposit's. */
  readonly index: string
  /** As a deposit's. */
  readonly height: string
  readonly at: Instant | null
  readonly assetId: string
  /** Raw units. Positive. */
  readonly amount: bigint
  /** Who got it, as far as the chain says; `null` where it says nothing, or several. */
  readonly to: string | null
  /** Every 32-byte value that stands where a reference belongs: a refund carries its exception's. */
  readonly references: readonly string[]
  /** Set by whoever reads several treasuries: the one it left, where that is not the present one. */
  readonly formerTreasury?: string
}

/** A page of final deposits, oldest first (those of tokens that the settings do not name may come later). */
export interface ChainDepositPage {
  /**
   * May repeat what an earlier page had: recent blocks are read again until they are deeper than the back
   * ends of a pool disagree. The identity makes that harmless.
   */
  readonly deposits: readonly ChainDeposit[]
  /** What left the treasury in the same blocks, of accepted assets; absent where nothing did. */
  readonly outflows?: readonly Outflow[]
  /** To be stored in the transaction that stores the deposits, and passed to the next call. */
  readonly cursor: string
  /** There is more now: call again without pausing. */
  readonly more: boolean
  /**
   * Chain time *before* which nothing can be missing once this page is stored (blocks of that very second may
   * be): a moment has been read past when this is greater. It never goes back along a
   * chain of cursors; `null` when a first pass has not got that far.
   */
  readonly scannedTo: Instant | null
}
