/** Unsigned transactions: what the user's wallet signs, and what pays money back. */
import type { Address } from 'viem'
import { numberToHex } from 'viem/utils'
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
import { canonicalAddress } from './addresses.ts'
import type { EvmNetwork } from './network.ts'
import { amountInvalid, assetUnknown, refused, unreadableChain, walletInvalid } from './refusals.ts'
import { transferData } from './transfer-data.ts'
import { type Fees, gasCall, gasIn, readFees } from './values.ts'

const maxUnits = 2n ** 256n - 1n

export interface Kept {
  readonly network: KeptValues
  readonly wallet: KeptValues
}

/** The wallet chooses the nonce, and may change the fees: nothing else of it is left open. */
export function assemble(
  network: EvmNetwork,
  request: TransferRequest,
  kept: Kept,
  at: Instant,
): Outcome<Assembled, BuildRefusal> {
  const wallet = network.canonicalWallet(request.wallet)
  if (wallet === null) return walletInvalid(network.chain, request.wallet)
  const asset = network.assetNamed(request.symbol)
  if (asset === null) return assetUnknown(network.chain, request.symbol)
  if (request.amount <= 0n || request.amount > maxUnits) return amountInvalid(request.amount, asset.symbol)
  if (at + minSigningMs > request.deadline)
    return refused('window_closed', false, 'The time to fund this order is over.')

  const fees = feesIn(kept.network)
  const gas = kept.wallet.values.asset === asset.id ? unitsIn(kept.wallet, 'gas') : null
  const { feesGoodForMs, title } = network.chain
  const isKept = ({ readAt }: KeptValues): boolean => at - readAt <= feesGoodForMs
  const isFresh = isKept(kept.network) && isKept(kept.wallet)
  if (!isFresh || fees === null || gas === null)
    return refused('values_stale', true, `What is known of ${title} is too old at the moment.`)

  const { amount, reference, deadline } = request
  const transfer = { from: wallet, to: network.treasury, token: asset.id, units: amount, reference }
  return {
    ok: true,
    value: {
      transaction: unsigned(network, transfer, gas, fees),
      signableUntil: Math.min(deadline, at + feesGoodForMs),
      landsUntil: null,
    },
  }
}

interface Transfer {
  readonly from: Address
  readonly to: Address
  readonly token: Address
  readonly units: bigint
  readonly reference: string
}

/** Protocol 2.3: the parameters as JSON, in the form that wallets take. */
function unsigned({ settings }: EvmNetwork, transfer: Transfer, gas: bigint, fees: Fees): string {
  return JSON.stringify({
    type: '0x2',
    chainId: numberToHex(settings.chainId),
    from: transfer.from,
    to: transfer.token,
    value: '0x0',
    data: transferData(transfer.to, transfer.units, transfer.reference),
    gas: numberToHex(gas),
    // Charged is the base fee of the block: the room above it costs nothing.
    maxFeePerGas: numberToHex(2n * fees.baseFee + fees.priorityFee),
    maxPriorityFeePerGas: numberToHex(fees.priorityFee),
  })
}

export async function refund(
  network: EvmNetwork,
  request: RefundRequest,
): Promise<Outcome<Refund, BuildRefusal>> {
  const { amount, reference } = request
  const token = canonicalAddress(request.assetId)
  if (token === null) return assetUnknown(network.chain, request.assetId)
  const to = network.canonicalWallet(request.to)
  if (to === null) return walletInvalid(network.chain, request.to)
  if (amount <= 0n || amount > maxUnits) return amountInvalid(amount, request.assetId)
  const at = network.clock()
  const read = await network.ask(async (endpoint) => {
    const [estimate] = await endpoint.rpc.ask([gasCall(network.treasury, token, to, amount)])
    if (estimate === undefined) throw new Error('one question, one answer')
    return { gas: gasIn(network.chain, estimate), fees: await readFees(endpoint) }
  })
  if (!read.ok) return unreadableChain(network.chain, read.failure.kind)
  const { gas, fees } = read.value
  if (!gas.ok) return unreadableChain(network.chain, gas.failure)
  const transfer = { from: network.treasury, to, token, units: amount, reference }
  const transaction = unsigned(network, transfer, gas.value, fees)
  return { ok: true, value: { transaction, signableUntil: at + network.chain.feesGoodForMs } }
}

function feesIn(kept: KeptValues): Fees | null {
  const [baseFee, priorityFee] = [unitsIn(kept, 'baseFee'), unitsIn(kept, 'priorityFee')]
  return baseFee === null || priorityFee === null ? null : { baseFee, priorityFee }
}

function unitsIn({ values }: KeptValues, name: string): bigint | null {
  const text = values[name] ?? ''
  return /^\d{1,78}$/.test(text) ? BigInt(text) : null
}
