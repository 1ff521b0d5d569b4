/** Values that workers keep for `assemble`: the fee, whether the treasury can receive, sequences. */
import type { BuildRefusal, ChainFailure, KeptFor, KeptValues, Outcome, WalletRequest } from '../chain.ts'
import { type Account, holdingOf, readAccount } from './accounts.ts'
import type { Fields } from './fields.ts'
import type { Horizon } from './horizon.ts'
import { type AcceptedAsset, attempt, type HorizonNetwork } from './network.ts'
import { assetUnknown, refused, unreadable, walletInvalid } from './refusals.ts'
import type { WalletState } from './rpc.ts'

/** A sequence is used up by any other transaction of the wallet; the rest seldom changes. */
export const keptFor: KeptFor = { network: 60_000, wallet: 20_000 }

/**
 * Bounds of the fee that is offered, in stroops. It is a bid: the network takes what its auction asks for,
 * mostly 100. Ten times what half of the transactions paid lately gets through a rise.
 */
const minFee = 10_000n
const maxFee = 1_000_000n
const bidFactor = 10n

/** Horizon has no list of given accounts: so many requests are under way at the same time. */
const parallelRequests = 8

/** Keys of the treasury's state and of what it can still receive, in the network's values. */
export function treasuryKey(symbol: string): string {
  return `treasury ${symbol}`
}
export function roomKey(symbol: string): string {
  return `room ${symbol}`
}

/** `fee` in stroops, and for each asset the treasury's state and how many raw units it can still receive. */
export async function readNetwork(network: HorizonNetwork): Promise<Outcome<KeptValues, ChainFailure>> {
  const readAt = network.clock()
  return await network.ask(async (horizon) => {
    const [stats, treasury] = await Promise.all([
      horizon.get('/fee_stats', {}, 'fee statistics'),
      readAccount(horizon, network.settings.treasury),
    ])
    const values: Record<string, string> = { fee: feeOf(stats).toString() }
    for (const { symbol, id } of network.assets) {
      const { state, room } = holdingOf(treasury, id)
      values[treasuryKey(symbol)] = state
      values[roomKey(symbol)] = room.toString()
    }
    return { readAt, values }
  })
}

function feeOf(stats: Fields): bigint {
  const bid = bidFactor * BigInt(stats.object('fee_charged').digits('p50'))
  return bid < minFee ? minFee : bid > maxFee ? maxFee : bid
}

/** `sequence`: of the wallet's last transaction. */
export async function readWallets(
  network: HorizonNetwork,
  requests: readonly WalletRequest[],
): Promise<Outcome<KeptValues, BuildRefusal>[]> {
  const readAt = network.clock()
  const asked = requests.map((request) => questionOf(network, request))
  const questions = asked.flatMap((question) => (question.ok ? [question.value] : []))
  const read = await readStates(network, questions)
  const states = read.ok ? read.value.values() : [].values()
  return asked.map((question) => {
    if (!question.ok) return question
    if (!read.ok) return unreadable(read.failure)
    const state = states.next().value
    if (state === undefined) throw new Error('a wallet without a state')
    return walletValues(question.value, state, readAt)
  })
}

/** From the RPC, or in its absence from Horizon. */
async function readStates(
  network: HorizonNetwork,
  questions: readonly Question[],
): Promise<Outcome<readonly WalletState[], ChainFailure>> {
  const wanted = questions.map(({ wallet, asset }) => ({ wallet, asset: asset.asset }))
  const fromRpc = await network.rpc?.run((endpoint) =>
    attempt(endpoint, (rpc) => rpc.walletStates(wanted, (ledger) => network.saw(ledger))),
  )
  if (fromRpc?.ok) return fromRpc
  return await network.ask(async (horizon) => {
    const accounts = await readAccounts(horizon, [...new Set(questions.map(({ wallet }) => wallet))])
    return questions.map(({ wallet, asset }) => {
      const account = accounts.get(wallet) ?? null
      return { holding: holdingOf(account, asset.id).state, sequence: account?.sequence ?? null }
    })
  })
}

interface Question {
  readonly wallet: string
  readonly asset: AcceptedAsset
}

function questionOf(
  network: HorizonNetwork,
  { wallet, symbol }: WalletRequest,
): Outcome<Question, BuildRefusal> {
  if (network.canonicalWallet(wallet) === null) return walletInvalid(wallet)
  const asset = network.assets.find((candidate) => candidate.symbol === symbol)
  return asset === undefined ? assetUnknown(symbol) : { ok: true, value: { wallet, asset } }
}

async function readAccounts(
  horizon: Horizon,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, Account | null>> {
  const accounts = new Map<string, Account | null>()
  const left = wallets.values()
  const reader = async (): Promise<void> => {
    for (const wallet of left) accounts.set(wallet, await readAccount(horizon, wallet))
  }
  await Promise.all(Array.from({ length: parallelRequests }, reader))
  return accounts
}

function walletValues(
  { wallet, asset }: Question,
  { holding, sequence }: WalletState,
  readAt: number,
): Outcome<KeptValues, BuildRefusal> {
  if (sequence === null)
    return refused(
      'wallet_missing',
      true,
      `The wallet ${wallet} has no account on Stellar: it needs some XLM for its reserve and the fee.`,
    )
  switch (holding) {
    case 'no_trustline':
    case 'missing':
      return refused(
        'no_trustline',
        true,
        `The wallet ${wallet} has no trust line for ${asset.symbol} (${asset.id}) to pay from.`,
      )
    case 'frozen':
      return refused(
        'wallet_frozen',
        true,
        `The issuer of ${asset.symbol} does not let the wallet ${wallet} move it.`,
      )
    case 'ready':
      return { ok: true, value: { readAt, values: { sequence } } }
  }
}
