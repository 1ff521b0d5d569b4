/** What workers keep so that a transaction can be assembled at once: see `KeptValues` of the port. */
import type { Address } from 'viem'
import type {
  BuildRefusal,
  ChainFailure,
  ChainFailureKind,
  KeptFor,
  KeptValues,
  Outcome,
  WalletRequest,
} from '../chain.ts'
import { readKnownHeader, readQuantity } from './answers.ts'
import { type Answer, type Call, failureKindOf, unreadable } from './json-rpc.ts'
import { blockCall, type MonadAsset, type MonadEndpoint, type MonadNetwork } from './network.ts'
import { assetUnknown, unreadableChain, walletInvalid } from './refusals.ts'
import { transferData } from './transfer-data.ts'

/** Fees move slowly, and what a transfer costs does not. */
export const keptFor: KeptFor = { network: 600_000, wallet: 600_000 }

/**
 * For a sender that cannot make the transfer yet, so that nobody can tell what it takes. Monad charges 10,100
 * gas for an account and 8,100 for a slot that is read first, about four times what Ethereum does.
 */
const gasWithoutEstimate = 150_000n

/** A token of somebody's own must not burn the treasury's MON when its transfer is paid back. */
const maxGas = 1_000_000n

/** The dearest reference, byte by byte, so that no other needs more gas. */
const dearestReference = 'ff'.repeat(32)

export interface Fees {
  /** Wei of MON for a unit of gas. */
  readonly baseFee: bigint
  readonly priorityFee: bigint
}

/** `baseFee` and `priorityFee`. */
export async function readNetwork(network: MonadNetwork): Promise<Outcome<KeptValues, ChainFailure>> {
  const readAt = network.clock()
  return await network.ask(async (endpoint) => {
    const { baseFee, priorityFee } = await readFees(endpoint)
    return { readAt, values: { baseFee: baseFee.toString(), priorityFee: priorityFee.toString() } }
  })
}

export async function readFees({ rpc }: MonadEndpoint): Promise<Fees> {
  const [latest, suggested] = await rpc.results([
    blockCall('latest'),
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ])
  const { baseFee } = readKnownHeader(latest)
  if (baseFee === null) throw unreadable('a block without a base fee')
  return { baseFee, priorityFee: readQuantity(suggested, 'a priority fee') }
}

/** `asset` (its id), and the `gas` that a transfer of it from this wallet may use. */
export async function readWallets(
  network: MonadNetwork,
  requests: readonly WalletRequest[],
): Promise<Outcome<KeptValues, BuildRefusal>[]> {
  const readAt = network.clock()
  const questions = requests.map((request) => questionOf(network, request))
  const calls = questions.flatMap((question) => (question.ok ? [question.value.call] : []))
  const outcome = await network.ask(({ rpc }) => rpc.ask(calls))
  const answers = outcome.ok ? outcome.value.map(gasIn) : []
  let next = 0
  return questions.map((question) => {
    if (!question.ok) return question
    const gas = outcome.ok ? answers[next++] : { ok: false as const, failure: outcome.failure.kind }
    if (!gas?.ok) return unreadableChain(gas?.failure ?? 'unavailable')
    const values = { asset: question.value.asset.id, gas: gas.value.toString() }
    return { ok: true, value: { readAt, values } }
  })
}

interface Question {
  readonly asset: MonadAsset
  readonly call: Call
}

function questionOf(network: MonadNetwork, request: WalletRequest): Outcome<Question, BuildRefusal> {
  const wallet = network.canonicalWallet(request.wallet)
  if (wallet === null) return walletInvalid(request.wallet)
  const asset = network.assetNamed(request.symbol)
  if (asset === null) return assetUnknown(request.symbol)
  return { ok: true, value: { asset, call: gasCall(wallet, asset.id, network.treasury, 1n) } }
}

export function gasCall(from: Address, token: Address, to: Address, units: bigint): Call {
  const data = transferData(to, units, dearestReference)
  return { method: 'eth_estimateGas', params: [{ from, to: token, data }] }
}

/**
 * The limit for what was estimated. Monad charges the limit and not what is used, so there is little room:
 * for an amount of more digits, and for what others change in the token meanwhile. A transfer that is refused
 * now (the wallet has no tokens yet) may be possible when it is signed.
 */
export function gasIn(answer: Answer): Outcome<bigint, ChainFailureKind> {
  if (answer.ok) {
    const estimate = readQuantity(answer.value, 'an estimate')
    const limit = estimate + estimate / 20n
    return { ok: true, value: limit < maxGas ? limit : maxGas }
  }
  const kind = failureKindOf(answer.failure)
  const isRefusal = kind === 'refused' || /revert/i.test(answer.failure.message)
  return isRefusal ? { ok: true, value: gasWithoutEstimate } : { ok: false, failure: kind }
}
