/**
 * The port to a blockchain: what the node asks of a chain, and the words it is answered in.
 *
 * An adapter is one chain with its treasury and its endpoints. It knows nothing of orders: only the 32-byte
 * reference that ties a transfer to one, wallets, assets and amounts. It holds no spending key, and nothing
 * that another node would need: cursors and kept values are the caller's, as JSON texts.
 *
 * Nothing here throws for what a network does. Each outcome that can be expected is a value, each request has
 * a time-out, and time comes from the context's clock or as an argument. What is thrown is a defect.
 *
 * Amounts are raw units of the asset (u64 on Solana, int64 on Stellar, uint256 on EVM chains), never floats.
 * References and transaction ids are compared as texts: references are 64 lower-case hexadecimal digits,
 * addresses have the one form that `canonicalWallet` gives.
 */
import type { Blockchain } from '../machines/blockchains.ts'
import type { Instant } from '../machines/time.ts'
import type { ChainDeposit, ChainDepositPage } from './chain-deposits.ts'

/** What an adapter is opened with beside its settings. */
export interface ChainContext {
  /** The node's clock. It measures ages and pauses; the life of orders goes by chain time. */
  readonly clock: () => Instant
  /** How long one request to an endpoint may take; 10,000 ms when it is not given. */
  readonly timeoutMs?: number
  /** How many transactions one page of deposits reads at most; 100. */
  readonly pageSize?: number
}

/** An expected outcome: the value, or why there is none. */
export type Outcome<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }

/** An asset that the settings accept on a chain. */
export interface Asset {
  /** As quotes name it (`send_currency`). A symbol proves nothing about a token; the id does. */
  readonly symbol: string
  /** Solana: the mint. Stellar: `CODE:ISSUER`. EVM: the contract, checksummed. */
  readonly id: string
  readonly decimals: number
}

// ------------------------------------------------------------------------------------------ failures

/**
 * What goes wrong between the node and a network:
 * - `unavailable`: no answer, a time-out, a 5xx, an answer that cannot be read
 * - `rate_limited`: told to come back later (429)
 * - `wrong_network`: the endpoint answers for another network than the settings name
 * - `history_missing`: the cursor is older than what the endpoint still keeps
 * - `inconsistent`: the endpoint (or a pool behind it) contradicts itself: lists what it cannot serve, lags
 *   behind a block it has named, has lost what it showed. Asking again helps once it has caught up
 * - `refused`: the endpoint understood the request and will not serve it
 */
export type ChainFailureKind =
  | 'unavailable'
  | 'rate_limited'
  | 'wrong_network'
  | 'history_missing'
  | 'inconsistent'
  | 'refused'

/** Why a network gave no answer that can be relied on. The caller's cursor stays where it was. */
export interface ChainFailure {
  readonly kind: ChainFailureKind
  /** The host that was asked last. Never the whole address: paths and queries carry keys. */
  readonly endpoint: string
  /** A sentence for the operator: the thing, the cause, the next step. */
  readonly message: string
  /** Asking again later may help without anyone doing anything. */
  readonly retryable: boolean
  /** Not sooner than this, where the endpoint said so. */
  readonly retryAfterMs: number | null
}

/**
 * Why no transaction can be offered:
 * - `wallet_missing`: the wallet's account is not on the chain (it could not pay the network's fee)
 * - `no_trustline`: the wallet cannot hold the asset yet (Stellar: no trust line; Solana: no token account)
 * - `wallet_frozen`: the issuer does not let the wallet move the asset
 * - `treasury_not_ready`: the treasury's account, token account or trust line is missing or frozen
 * - `values_stale`: the kept values are missing or too old
 * - `rpc_unavailable`: the chain could not be read; `message` says which way
 * - `window_closed`: the deadline has passed
 * - `asset_unknown`: the settings do not name the asset (any more)
 * - `amount_invalid`: not a positive amount that the chain can carry
 * - `wallet_invalid`: not an address that `canonicalWallet` accepts
 */
export type BuildRefusalKind =
  | 'wallet_missing'
  | 'no_trustline'
  | 'wallet_frozen'
  | 'treasury_not_ready'
  | 'values_stale'
  | 'rpc_unavailable'
  | 'window_closed'
  | 'asset_unknown'
  | 'amount_invalid'
  | 'wallet_invalid'

export interface BuildRefusal {
  readonly kind: BuildRefusalKind
  /** Trying again may succeed: by itself, or once the user or the operator did what `message` says. */
  readonly retryable: boolean
  /** A sentence that merchants and operators may read: it names accounts, never endpoints. */
  readonly message: string
}

// ------------------------------------------------------------------------------------- transactions

/**
 * Values of a chain at one moment, for `assemble`. They are JSON: a worker keeps them in memory or in a row,
 * and any node can use them. Only the adapter that read them knows what they mean.
 */
export interface KeptValues {
  /** The node's time before the chain was asked: the values are at most this old. */
  readonly readAt: Instant
  readonly values: Readonly<Record<string, string>>
}

/** How long kept values are good for, in ms. `assemble` refuses older ones with `values_stale`. */
export interface KeptFor {
  readonly network: number
  readonly wallet: number
}

export interface WalletRequest {
  /** Canonical. */
  readonly wallet: string
  /** The asset's symbol in the settings. */
  readonly symbol: string
}

export interface TransferRequest extends WalletRequest {
  /** The order's id, for chains where people read a memo. Public: it proves nothing. */
  readonly orderId: string
  /** The order's 32 bytes. */
  readonly reference: string
  /** Raw units still missing: what the transaction moves to the treasury, exactly. */
  readonly amount: bigint
  /**
   * End of the funding window. What can be bound to it (Stellar's time bounds) is. `window_closed` when less
   * than `minSigningMs` is left.
   */
  readonly deadline: Instant
}

/** What is offered can be signed and sent for at least this long. */
export const minSigningMs = 10_000

/** An unsigned transaction in the format of protocol 2.3. */
export interface Assembled {
  readonly transaction: string
  /** It can be signed and sent until then; at least `minSigningMs` after the moment it was assembled for. */
  readonly signableUntil: Instant
  /**
   * After this moment it cannot land any more, so that another may replace it without the user paying twice.
   * `null` where only its wallet can make it void (EVM: the wallet chooses the nonce).
   */
  readonly landsUntil: Instant | null
}

export interface RefundRequest {
  /** The asset's id; it need not be one of the settings. */
  readonly assetId: string
  readonly amount: bigint
  /** Canonical wallet, as a deposit's `sender` gives it. */
  readonly to: string
  /** The exception's or order's 32 bytes, carried as in a deposit so that the refund can be recognised. */
  readonly reference: string
}

/** An unsigned transfer out of the treasury, for the operator to sign where the treasury's keys are. */
export interface Refund {
  readonly transaction: string
  readonly signableUntil: Instant
}

/**
 * What became of a signed transaction:
 * - `sent`: the network has it, or may have it; its deposit will tell
 * - `expired`: it can no longer land; another one has to be signed
 * - `insufficient`: the wallet has not enough of the asset, or for the network's fee
 * - `failed`: it is not the order's, or the network refuses it for another reason
 * - `unavailable`: no endpoint could be asked; the same may be sent again
 */
export type Relayed = 'sent' | 'expired' | 'insufficient' | 'failed' | 'unavailable'

// ------------------------------------------------------------------------------------------ counting

/** What the treasury held of each accepted asset behind one final block. */
export interface TreasuryLook {
  /** Whose holdings they are. */
  readonly treasury: string
  /** The host that answered. */
  readonly endpoint: string
  /** As a deposit's: everything up to this height, and nothing behind it, is in the balances. */
  readonly height: string
  /** Chain time of that block. */
  readonly at: Instant
  readonly holdings: readonly { readonly asset: Asset; readonly units: bigint }[]
}

/**
 * A second pair of eyes on the treasury: it counts what is there, and reads deposits again from any height, with
 * nothing in common with who reads on from the stored cursor but the network.
 */
export interface ChainReader {
  look(): Promise<Outcome<TreasuryLook, ChainFailure>>
  /** A cursor behind this height, as if everything up to it were stored. */
  cursorAt(height: string): Promise<Outcome<string, ChainFailure>>
  /** As the adapter's own, but of accepted assets only where others would cost more requests. */
  deposits(cursor: string): Promise<Outcome<ChainDepositPage, ChainFailure>>
  close(): Promise<void>
}

// --------------------------------------------------------------------------------- health and check

export interface ChainHealth {
  /** Deposits can be read and transactions built now. */
  readonly ok: boolean
  /** The host that answered, or that was asked last. */
  readonly endpoint: string
  /** Genesis hash, passphrase or chain id that the endpoint names; `null` when it did not answer. */
  readonly network: string | null
  /** The last final block: height, and chain time. */
  readonly head: string | null
  readonly headAt: Instant | null
  /** How far the final head is behind the node's clock. */
  readonly lagMs: number | null
  /** The endpoint's `Date` minus the node's clock: a node more than 60 s off stops judging time. */
  readonly clockOffsetMs: number | null
  /** One sentence each: the thing, the cause, the next step. Not empty when `ok` is false. */
  readonly problems: readonly string[]
}

/** One line of `chain check`: what the settings say, compared with what the chain says. */
export interface CheckItem {
  readonly what: 'endpoint' | 'network' | 'treasury' | 'asset' | 'treasury_account'
  /** The host, address or asset it is about. */
  readonly subject: string
  readonly ok: boolean
  /** What was found. */
  readonly found: string
  /** What to do, as a sentence; `null` when nothing is to be done. */
  readonly action: string | null
}

// ------------------------------------------------------------------------------------------ the port

export interface ChainAdapter {
  readonly blockchain: Blockchain
  readonly assets: readonly Asset[]
  readonly keptFor: KeptFor

  /**
   * The one form of an address, or `null` when it cannot sign this chain's transactions: a malformed
   * address, a wrong checksum, a program address, Stellar's M… and C…. Nor the treasury, in any spelling: it does
   * not pay itself.
   */
  canonicalWallet(address: string): string | null

  /** Reads what every transaction needs (block hash, fees, whether the treasury can receive). */
  readNetwork(): Promise<Outcome<KeptValues, ChainFailure>>

  /**
   * Reads what transactions of these wallets need (sequence, gas, whether they can send); one outcome each,
   * in their order. Batched where the network can: a hundred wallets are about one request.
   */
  readWallets(requests: readonly WalletRequest[]): Promise<readonly Outcome<KeptValues, BuildRefusal>[]>

  /**
   * Assembles an unsigned transaction from kept values: pure and at once, for a GET never waits for a chain.
   * The same arguments give the same text.
   */
  assemble(
    request: TransferRequest,
    kept: { readonly network: KeptValues; readonly wallet: KeptValues },
    at: Instant,
  ): Outcome<Assembled, BuildRefusal>

  /** Where reading begins when there is no stored cursor: the present final head. */
  startCursor(): Promise<Outcome<string, ChainFailure>>

  /**
   * The next page of final deposits after a cursor. Passing a cursor says that everything up to it is stored.
   * An endpoint that lags, caps its ranges, is pruned or lists what it cannot serve yields a failure or a
   * shorter page, never a gap.
   */
  deposits(cursor: string): Promise<Outcome<ChainDepositPage, ChainFailure>>

  /**
   * Deposits of the latest blocks that are not final yet, so that no further transaction is offered for an
   * order whose money is on its way. They may vanish; nothing is credited for them. Empty where blocks are
   * final at once.
   */
  unfinalizedChainDeposits(): Promise<Outcome<readonly ChainDeposit[], ChainFailure>>

  /** How many endpoints the settings name. */
  readonly endpoints: number

  /**
   * A new one, to be closed by whoever asks for it, or together with the adapter.
   *
   * @param turn which endpoint is preferred: 0 the first of the settings, 1 the next one, and so on round.
   */
  reader(turn: number): ChainReader

  /** An unsigned transfer from the treasury; reads the chain as it needs. */
  refund(request: RefundRequest): Promise<Outcome<Refund, BuildRefusal>>

  /**
   * Broadcasts what a wallet has signed, on chains whose wallets sign without sending. Only a transaction of this
   * wallet, signed by it, that carries this reference; anything else is `failed` without asking the network.
   */
  relay?(signed: string, order: { readonly wallet: string; readonly reference: string }): Promise<Relayed>

  health(): Promise<ChainHealth>

  /** Every endpoint, the network, the treasury and each asset, compared with the settings. */
  check(): Promise<readonly CheckItem[]>

  /** Ends requests in flight (they fail as `unavailable`) and closes connections. */
  close(): Promise<void>
}

/** The chains that are on. One without an entry is off. */
export type Chains = ReadonlyMap<Blockchain, ChainAdapter>
