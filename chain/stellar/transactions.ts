/** Unsigned transactions: what the user's wallet signs, and what pays money back. */
import {
  Account,
  Memo,
  Operation,
  type Asset as StellarAsset,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base'
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
import { holdingOf, readAccount } from './accounts.ts'
import { amountOf, assetOf, maxUnits, referenceBytes } from './addresses.ts'
import type { AcceptedAsset, HorizonNetwork } from './network.ts'
import { amountInvalid, assetUnknown, refused, unreadable, walletInvalid } from './refusals.ts'
import { keptFor, roomKey, treasuryKey } from './values.ts'

export interface Kept {
  readonly network: KeptValues
  readonly wallet: KeptValues
}

/** One payment with the reference as hash memo, good until the deadline or the wallet's next transaction. */
export function assemble(
  network: HorizonNetwork,
  request: TransferRequest,
  kept: Kept,
  at: Instant,
): Outcome<Assembled, BuildRefusal> {
  const { wallet, symbol, amount, deadline } = request
  const { treasury, passphrase } = network.settings
  if (network.canonicalWallet(wallet) === null) return walletInvalid(wallet)
  const asset = network.assets.find((candidate) => candidate.symbol === symbol)
  if (asset === undefined) return assetUnknown(symbol)
  if (amount <= 0n || amount > maxUnits) return amountInvalid(amount, symbol)
  // Time bounds are whole seconds, and the ledger that closes in the last one still takes the transaction.
  const lastSecond = Math.floor(deadline / 1000)
  if (at + minSigningMs > lastSecond * 1000)
    return refused('window_closed', false, 'The time to fund this order is over.')

  const { fee } = kept.network.values
  const { sequence } = kept.wallet.values
  const isFresh = at - kept.network.readAt <= keptFor.network && at - kept.wallet.readAt <= keptFor.wallet
  const state = kept.network.values[treasuryKey(symbol)]
  const room = kept.network.values[roomKey(symbol)]
  if (!isFresh || fee === undefined || sequence === undefined || state === undefined || room === undefined)
    return refused('values_stale', true, 'What is known of Stellar is too old at the moment.')
  if (state !== 'ready') return treasuryNotReady(treasury, asset, `is ${state}`)
  if (BigInt(room) < amount) return treasuryNotReady(treasury, asset, `has room for ${room} units only`)

  const transaction = unsigned(passphrase, {
    source: wallet,
    sequence,
    fee,
    lastSecond,
    reference: request.reference,
    destination: treasury,
    asset: asset.asset,
    amount,
  })
  return {
    ok: true,
    value: { transaction, signableUntil: lastSecond * 1000, landsUntil: lastSecond * 1000 },
  }
}

function treasuryNotReady(
  treasury: string,
  asset: AcceptedAsset,
  state: string,
): Outcome<never, BuildRefusal> {
  return refused(
    'treasury_not_ready',
    true,
    `The treasury ${treasury} ${state} for ${asset.symbol} (${asset.id}): the operator has to put it right.`,
  )
}

interface Payment {
  readonly source: string
  /** Of the source's last transaction. */
  readonly sequence: string
  readonly fee: string
  readonly lastSecond: number
  readonly reference: string
  readonly destination: string
  readonly asset: StellarAsset
  readonly amount: bigint
}

function unsigned(passphrase: string, payment: Payment): string {
  const { source, sequence, fee, lastSecond, reference, destination, asset, amount } = payment
  return new TransactionBuilder(new Account(source, sequence), {
    fee,
    networkPassphrase: passphrase,
    memo: Memo.hash(referenceBytes(reference)),
    timebounds: { minTime: 0, maxTime: lastSecond },
  })
    .addOperation(Operation.payment({ destination, asset, amount: amountOf(amount) }))
    .build()
    .toXdr()
}

/** The operator signs elsewhere and may need a while; after it a fresh refund is made. */
const refundSeconds = 3_600
const refundFee = '100000'

/** The treasury pays the base account of who paid, with the reference as hash memo. */
export async function refund(
  network: HorizonNetwork,
  request: RefundRequest,
): Promise<Outcome<Refund, BuildRefusal>> {
  const { assetId, amount, to, reference } = request
  const { treasury, passphrase } = network.settings
  if (network.canonicalWallet(to) === null) return walletInvalid(to)
  const asset = assetOf(assetId)
  if (asset === null) return assetUnknown(assetId)
  if (amount <= 0n || amount > maxUnits) return amountInvalid(amount, assetId)

  const read = await network.ask(async (horizon) => {
    const [from, receiver] = await Promise.all([treasury, to].map((each) => readAccount(horizon, each)))
    return { from: from ?? null, receiver: receiver ?? null }
  })
  if (!read.ok) return unreadable(read.failure)
  const { from, receiver } = read.value
  const source = holdingOf(from, assetId)
  if (from === null || source.state !== 'ready')
    return refused('treasury_not_ready', true, `The treasury ${treasury} is ${source.state} for ${assetId}.`)
  const refusal = receiverRefusal(to, assetId, amount, holdingOf(receiver, assetId))
  if (refusal !== null) return refusal

  const lastSecond = Math.floor(network.clock() / 1000) + refundSeconds
  const transaction = unsigned(passphrase, {
    source: treasury,
    sequence: from.sequence,
    fee: refundFee,
    lastSecond,
    reference,
    destination: to,
    asset,
    amount,
  })
  return { ok: true, value: { transaction, signableUntil: lastSecond * 1000 } }
}

function receiverRefusal(
  to: string,
  assetId: string,
  amount: bigint,
  { state, room }: ReturnType<typeof holdingOf>,
): Outcome<never, BuildRefusal> | null {
  switch (state) {
    case 'missing':
      return refused('wallet_missing', true, `The receiver ${to} has no account on Stellar (any more).`)
    case 'no_trustline':
      return refused('no_trustline', true, `The receiver ${to} has no trust line for ${assetId} (any more).`)
    case 'frozen':
      return refused('wallet_frozen', true, `The issuer of ${assetId} does not let ${to} receive it.`)
    case 'ready':
      if (room >= amount) return null
      return refused('no_trustline', true, `The trust line of ${to} for ${assetId} has no room for it.`)
  }
}
