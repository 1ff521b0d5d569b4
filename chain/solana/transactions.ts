/** Unsigned transactions: what the user's wallet signs, and what pays money back. */
import {
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type { Instant } from '../../machines/time.ts'
import {
  type Assembled,
  type BuildRefusal,
  type KeptValues,
  minSigningMs,
  type Outcome,
  type Refund,
  type RefundRequest,
  type TransferRequest,
} from '../chain.ts'
import { associatedTokenAccount, referenceKey } from './addresses.ts'
import { computeBudget, createTokenAccount, memo, transferChecked } from './instructions.ts'
import type { SolanaAsset, SolanaNetwork } from './network.ts'
import { assetUnknown, refused, unreadable, walletInvalid } from './refusals.ts'
import { type Mint, readMint, readTokenAccount } from './token-account.ts'
import { keptFor, type TokenAccountState, treasuryKey } from './values.ts'

/** A block hash is good for 150 blocks. Blocks come every 0.4 s, seldom faster, sometimes much slower. */
const signableMs = 45_000
const landsMs = 120_000

const maxUnits = 2n ** 64n - 1n

export interface Kept {
  readonly network: KeptValues
  readonly wallet: KeptValues
}

/**
 * A version-0 transaction that the wallet pays for: compute limit and price, a memo with the order's id, and
 * the transfer with the reference, last, as wallets that follow Solana Pay want it.
 */
export function assemble(
  network: SolanaNetwork,
  request: TransferRequest,
  kept: Kept,
  at: Instant,
): Outcome<Assembled, BuildRefusal> {
  const wallet = keyOf(request.wallet)
  if (wallet === null || network.canonicalWallet(request.wallet) === null)
    return walletInvalid(request.wallet)
  const asset = network.assets.find(({ symbol }) => symbol === request.symbol)
  if (asset === undefined) return assetUnknown(request.symbol)
  if (request.amount <= 0n || request.amount > maxUnits)
    return refused(
      'amount_invalid',
      false,
      `An amount of ${request.amount} units of ${asset.symbol} cannot be sent.`,
    )
  if (at + minSigningMs > request.deadline)
    return refused('window_closed', false, 'The time to fund this order is over.')

  const { blockHash, unitPrice } = kept.network.values
  // Whether the wallet can sign was asked when its values were read; asking again costs more than the rest.
  const { source, ...read } = kept.wallet.values
  const isOfWallet = read.wallet === request.wallet && read.symbol === request.symbol
  const state = kept.network.values[treasuryKey(asset.symbol)]
  const isFresh = at - kept.network.readAt <= keptFor.network && at - kept.wallet.readAt <= keptFor.wallet
  if (!isFresh || !isOfWallet || !blockHash || !unitPrice || !source || !isState(state))
    return refused('values_stale', true, 'What is known of Solana is too old at the moment.')
  if (state !== 'ready') return treasuryNotReady(asset, state)

  const transaction = unsigned(wallet, blockHash, [
    ...computeBudget(Number(unitPrice)),
    memo(request.orderId, wallet),
    transferChecked({
      program: asset.program,
      mint: asset.mint,
      decimals: asset.decimals,
      source: new PublicKey(source),
      destination: asset.account,
      owner: wallet,
      amount: request.amount,
      reference: referenceKey(request.reference),
    }),
  ])
  const { readAt } = kept.network
  const value = { transaction, signableUntil: readAt + signableMs, landsUntil: readAt + landsMs }
  return { ok: true, value }
}

function isState(value: string | undefined): value is TokenAccountState {
  return value === 'ready' || value === 'missing' || value === 'frozen'
}

function treasuryNotReady(asset: SolanaAsset, state: TokenAccountState): Outcome<never, BuildRefusal> {
  return refused(
    'treasury_not_ready',
    true,
    `The treasury's token account ${asset.account.toBase58()} for ${asset.symbol} is ${state}: ` +
      'the operator has to put it right.',
  )
}

function unsigned(
  payer: PublicKey,
  blockHash: string,
  instructions: readonly TransactionInstruction[],
): string {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockHash,
    instructions: [...instructions],
  }).compileToV0Message()
  return Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
}

interface RefundFacts {
  readonly blockHash: string
  readonly mint: Mint | null
  readonly hasSource: boolean
  readonly hasDestination: boolean
}

/** The treasury pays, also for a token account that the receiver has closed since. */
export async function refund(
  network: SolanaNetwork,
  request: RefundRequest,
): Promise<Outcome<Refund, BuildRefusal>> {
  if (network.canonicalWallet(request.to) === null) return walletInvalid(request.to)
  if (request.amount <= 0n || request.amount > maxUnits)
    return refused('amount_invalid', false, `An amount of ${request.amount} units cannot be sent.`)
  const mint = keyOf(request.assetId)
  if (mint === null) return assetUnknown(request.assetId)
  const receiver = new PublicKey(request.to)

  const readAt = network.clock()
  const read = await network.ask(async (connection): Promise<RefundFacts> => {
    const [{ value: latest }, [mintAccount = null]] = await Promise.all([
      connection.getLatestBlockhashAndContext('confirmed'),
      connection.getMultipleAccountsInfo([mint], 'confirmed'),
    ])
    const facts = { blockHash: latest.blockhash, mint: readMint(mintAccount) }
    if (mintAccount === null) return { ...facts, hasSource: false, hasDestination: false }
    const [source, destination] = await connection.getMultipleAccountsInfo(
      [network.treasury, receiver].map((owner) => associatedTokenAccount(owner, mint, mintAccount.owner)),
      'confirmed',
    )
    const has = (account: typeof source): boolean => readTokenAccount(account ?? null) !== null
    return { ...facts, hasSource: has(source), hasDestination: has(destination) }
  })
  if (!read.ok) return unreadable(read.failure)
  const facts = read.value
  if (facts.mint === null) return assetUnknown(request.assetId)
  if (!facts.hasSource)
    return refused('treasury_not_ready', true, `The treasury holds no token account for ${request.assetId}.`)
  const { decimals } = facts.mint
  const program = new PublicKey(facts.mint.program)
  const destination = associatedTokenAccount(receiver, mint, program)
  const transaction = unsigned(network.treasury, facts.blockHash, [
    ...(facts.hasDestination ? [] : [createTokenAccount(network.treasury, receiver, mint, program)]),
    transferChecked({
      program,
      mint,
      decimals,
      source: associatedTokenAccount(network.treasury, mint, program),
      destination,
      owner: network.treasury,
      amount: request.amount,
      reference: referenceKey(request.reference),
    }),
  ])
  return { ok: true, value: { transaction, signableUntil: readAt + signableMs } }
}

function keyOf(address: string): PublicKey | null {
  try {
    return new PublicKey(address)
  } catch {
    return null
  }
}
