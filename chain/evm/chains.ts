/**
 * What tells one EVM chain from another, beside the defaults of its settings in `data/chains.default.json`. The
 * adapter is the same for all of them.
 */
import { blockchainFacts, type EvmBlockchain } from '../../machines/blockchains.ts'

/** Names by which endpoints know blocks that cannot be taken back. */
export type FinalityTag = 'finalized' | 'safe'

interface Facts {
  /** What fees are paid in; it has 18 decimals everywhere. */
  readonly coin: string
  /** The tag of the last block that counts. */
  readonly finality: FinalityTag
  /** Endpoints whose newest final block is older than this have stopped following. */
  readonly maxLagMs: number
  /**
   * The back ends of a pool differ by a block or two at any moment, and by this much of chain time at the worst: one
   * that is further behind has stopped. Younger blocks are read again.
   */
  readonly disagreementMs: number
  /** How long the fees that were read leave enough room, and so how long a transaction can be signed. */
  readonly feesGoodForMs: number
  readonly gas: {
    /** For a sender that cannot make the transfer yet, so that nobody can tell what it takes. */
    readonly withoutEstimate: bigint
    /** A token of somebody's own must not burn the treasury's coins when its transfer is paid back. */
    readonly max: bigint
    /** How much more than the estimate is offered. */
    readonly roomPercent: bigint
  }
}

export interface EvmChain extends Facts {
  readonly name: EvmBlockchain
  readonly title: string
}

export const evmFacts: Readonly<Record<EvmBlockchain, Facts>> = {
  MONAD: {
    coin: 'MON',
    finality: 'finalized',
    // A final block is about a second old.
    maxLagMs: 60_000,
    // 75 blocks, which with those that come between two looks are the 100 that public endpoints search at once.
    disagreementMs: 30_000,
    feesGoodForMs: 600_000,
    gas: {
      // 10,100 for an account and 8,100 for a slot that is read first are about four times what Ethereum takes.
      withoutEstimate: 150_000n,
      max: 1_000_000n,
      // The limit is charged, and not what is used: for an amount of more digits, and for what others change meanwhile.
      roomPercent: 5n,
    },
  },
}

export function evmChain(name: EvmBlockchain): EvmChain {
  return { name, title: blockchainFacts[name].title, ...evmFacts[name] }
}
