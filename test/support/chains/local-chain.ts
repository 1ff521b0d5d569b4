/**
 * A local network of one blockchain that really executes and really refuses, with its treasury, its test
 * token and wallets that sign. The contract test, the demo and `npm run networks` use all three alike.
 */

import type { Asset, BuildRefusalKind, ChainAdapter, ChainContext } from '../../../chain/chain.ts'
import type { Blockchain } from '../../../machines/blockchains.ts'
import type { Instant } from '../../../machines/time.ts'
import type { Gate } from './gate.ts'

/** A wallet whose key the network's user holds. */
export interface LocalWallet {
  /** Canonical. */
  readonly address: string
}

/** A transfer somebody makes by hand, as no node would have built it. */
export interface ManualTransfer {
  /** Raw units that leave the wallet. */
  readonly units: bigint
  readonly references?: readonly string[]
  /** Another asset than the accepted one. */
  readonly assetId?: string
}

/** What an unsigned transaction does, read by code that shares nothing with the adapter. */
export interface DecodedTransfer {
  /** Who pays and signs; nobody else signs. */
  readonly from: string
  /** The owner that is credited. */
  readonly to: string
  readonly assetId: string
  readonly units: bigint
  /** References it carries. */
  readonly references: readonly string[]
  /** How many signatures it already has. */
  readonly signatures: number
  /** Everything else it does, one name each. Of those only the ones the adapter documents are harmless. */
  readonly others: readonly string[]
}

export interface LocalChain {
  readonly blockchain: Blockchain
  /** The value of `chains.<NAME>` for a node of this network. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly treasury: string
  readonly asset: Asset
  /** Another token with the accepted one's symbol. */
  readonly impostorId: string
  /** Blocks become final some blocks later. */
  readonly finalizesLater: boolean
  /** How far the chain goes on until a block counts as read for good; 0 where a final block is read once. */
  readonly settlesAfterMs: number
  /** In front of the settings' first endpoint. */
  readonly gate: Gate
  /** In front of the second endpoint, where the settings have several. */
  readonly spareGate: Gate | null

  /** Opens the real adapter on this network, or on a network or treasury that the settings get wrong. */
  open(context: ChainContext, overrides?: Readonly<Record<string, unknown>>): ChainAdapter
  /** Settings that expect another network. */
  readonly wrongNetwork: Readonly<Record<string, unknown>>
  /** Settings with a treasury that nobody has set up; `null` where each address can receive as it is. */
  readonly unpreparedTreasury: Readonly<Record<string, unknown>> | null
  /** Addresses that cannot sign here: malformed, a program or contract, a sub-account. */
  readonly unsignableAddresses: readonly string[]

  /** The time of the chain's latest block. Real time unless a clock is given at its start. */
  now(): Instant
  /** Makes everything that is in a block final. */
  finalize(): Promise<void>
  /** Blocks go on for this long without transactions, and are final. */
  pass(ms: number): Promise<void>

  /** A wallet that can pay fees and hold the asset (and the impostor), with raw units of both. */
  newWallet(units?: bigint): Promise<LocalWallet>
  /** A wallet that is not on the chain. */
  unknownWallet(): LocalWallet
  /** How its transactions are refused; `null` where the chain knows no accounts. */
  readonly unknownWalletRefusal: BuildRefusalKind | null
  /** A wallet that can pay fees but was never made ready for the asset; `null` where nothing is needed. */
  unpreparedWallet(): Promise<LocalWallet | null>
  /** Makes any wallet ready to pay fees and to hold the asset, whoever has its key. Harmless when it is. */
  prepareWallet(address: string): Promise<void>
  /** Gives test tokens to a wallet, as the operator of a sandbox does. */
  grant(address: string, units: bigint): Promise<void>
  balanceOf(address: string, assetId: string): Promise<bigint>

  /**
   * Signs as the user's wallet does and broadcasts. Resolves with the transaction's id when it is in a block,
   * rejects when the network refuses it.
   */
  submit(transaction: string, signer: LocalWallet): Promise<string>
  /** Broadcasts without any signature. */
  submitUnsigned(transaction: string): Promise<string>
  /** Pays to the treasury by hand, in one transaction. */
  pay(from: LocalWallet, transfer: ManualTransfer): Promise<string>
  /** A payment that is included in a block and fails there; `null` where the network refuses it at once. */
  payAndFail(from: LocalWallet, transfer: ManualTransfer): Promise<string | null>
  decode(transaction: string): DecodedTransfer

  /**
   * Back ends behind the gates stop following the chain: all of them, or all but those that answer for the
   * head (a pool that disagrees). Call the answer to end it.
   */
  goStale(which: 'all' | 'all_but_heads'): () => void
  /** Back ends forget everything up to now. Call the answer to end it. */
  forgetHistory(): () => void

  close(): Promise<void>
}
