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
import type { EvmChain } from './chains.ts'
import { type Answer, type Call, failureKindOf, unreadable } from './json-rpc.ts'
import { blockCall, type EvmAsset, type EvmEndpoint, type EvmNetwork } from './network.ts'
import { assetUnknown, unreadableChain, walletInvalid } from './refusals.ts'
import { transferData } from './transfer-data.ts'

/** Fees move slowly, and what a transfer costs does not. */
export function keptFor({ feesGoodForMs }: EvmChain): KeptFor {
  return { network: feesGoodForMs, wallet: feesGoodForMs }
}

/** The dearest reference, byte by byte, so that no other needs more gas. */
const dearestReference = 'ff'.repeat(32)

export interface Fees {
  /** Wei for a unit of gas. */
  readonly baseFee: bigint
  readonly priorityFee: bigint
}

/** `baseFee` and `priorityFee`. */
export async function readNetwork(network: EvmNetwork): Promise<Outcome<KeptValues, ChainFailure>> {
  const readAt = network.clock()
  return await network.ask(async (endpoint) => {
    const { baseFee, priorityFee } = await readFees(endpoint)
    return { readAt, values: { baseFee: baseFee.toString(), priorityFee: priorityFee.toString() } }
  })
}

export async function readFees({ rpc }: EvmEndpoint): Promise<Fees> {
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
  network: EvmNetwork,
  requests: readonly WalletRequest[],
): Promise<Outcome<KeptValues, BuildRefusal>[]> {
  const readAt = network.clock()
  const questions = requests.map((request) => questionOf(network, request))
  const calls = questions.flatMap((question) => (question.ok ? [question.value.call] : []))
  // Within the asking: an endpoint whose estimate cannot be read gives no answer, and another one is asked.
  const outcome = await network.ask(async ({ rpc }) =>
    (await rpc.ask(calls)).map((answer) => gasIn(network.chain, answer)),
  )
  const answers = outcome.ok ? outcome.value : []
  let next = 0
  return questions.map((question) => {
    if (!question.ok) return question
    const gas = outcome.ok ? answers[next++] : { ok: false as const, failure: outcome.failure.kind }
    if (!gas?.ok) return unreadableChain(network.chain, gas?.failure ?? 'unavailable')
    const values = { asset: question.value.asset.id, gas: gas.value.toString() }
    return { ok: true, value: { readAt, values } }
  })
}

interface Question {
  readonly asset: EvmAsset
  readonly call: Call
}

function questionOf(network: EvmNetwork, request: WalletRequest): Outcome<Question, BuildRefusal> {
  const wallet = network.canonicalWallet(request.wallet)
  if (wallet === null) return walletInvalid(network.chain, request.wallet)
  const asset = network.assetNamed(request.symbol)
  if (asset === null) return assetUnknown(network.chain, request.symbol)
  return { ok: true, value: { asset, call: gasCall(wallet, asset.id, network.treasury, 1n) } }
}

export function gasCall(from: Address, token: Address, to: Address, units: bigint): Call {
  const data = transferData(to, units, dearestReference)
  return { method: 'eth_estimateGas', params: [{ from, to: token, data }] }
}

/**
 * The limit for what was estimated. A transfer that is refused now (the wallet has no tokens yet) may be possible when
 * it is signed.
 */
export function gasIn({ gas }: Pick<EvmChain, 'gas'>, answer: Answer): Outcome<bigint, ChainFailureKind> {
  if (answer.ok) {
    const estimate = readQuantity(answer.value, 'an estimate')
    const limit = estimate + (estimate * gas.roomPercent) / 100n
    return { ok: true, value: limit < gas.max ? limit : gas.max }
  }
  const kind = failureKindOf(answer.failure)
  const isRefusal = kind === 'refused' || /revert/i.test(answer.failure.message)
  return isRefusal ? { ok: true, value: gas.withoutEstimate } : { ok: false, failure: kind }
}
