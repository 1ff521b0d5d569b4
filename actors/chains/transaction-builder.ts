/**
 * The builder of one chain: keeps the values that transactions are made of, and builds those that are due. What
 * it built, or why it could not, is reported to the order; a refused one is tried again.
 */
import type { Assembled, BuildRefusal, TransferRequest, WalletRequest } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { ChainStanding } from './chain-standing.ts'
import type { ChainValues } from './chain-values.ts'

export interface TransactionsOptions {
  readonly values: ChainValues
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  /** Whether the place from which the chain's deposits are read is stored; nothing is payable before. */
  isRead(): Promise<boolean>
  /** Orders that can still be paid, and have not been. */
  waiting(now: Instant): Promise<readonly TransferRequest[]>
  /** Of these, so many whose transaction is to be built by now, the longest overdue first. */
  due(now: Instant, limit: number): Promise<readonly TransferRequest[]>
  built(request: TransferRequest, assembled: Assembled): Promise<void>
  refused(request: TransferRequest, refusal: BuildRefusal, retryAt: Instant): Promise<void>
}

/** So many wallets are read in a pass, and so many transactions built. */
const perPass = 200

/** The longest an order waits until somebody looks whether its transaction is to be built. */
const lookMs = 500

/** People wait for what is built: a chain that answers again is asked again soon. */
const maxPauseMs = 10_000

/** When a refused build is tried again: the chain's own trouble ends sooner than what people have to do. */
const retryMs = { chain: 3_000, people: 15_000 }

export function createTransactionBuilder(options: TransactionsOptions) {
  const { values, clock, standing } = options
  let waiting: readonly TransferRequest[] = []
  let listedAt = Number.NEGATIVE_INFINITY
  let silentUntil = Number.NEGATIVE_INFINITY

  return async function pass(): Promise<PassResult> {
    const begun = clock.now()
    const isRead = await options.isRead()
    values.foundRead(isRead)
    const due = await options.due(begun, perPass)
    // Who waits is looked up less often than what is due: they may be thousands.
    if (due.length > 0 || begun - listedAt >= values.lookMs) {
      waiting = await options.waiting(begun)
      listedAt = begun
    }
    const stale = values.stale(waiting, begun)
    // What is to be built now is read first, and again if it was refused before.
    const asked = [...new Map([...due, ...stale].map((one) => [`${one.wallet} ${one.symbol}`, one])).values()]
    const some = asked.slice(0, perPass)
    const isNeeded = waiting.length > 0 || due.length > 0
    const isAnswered = isNeeded && (await askChain(some, begun))
    if (!isNeeded) standing.answered('transactions')
    // Where the chain is out, orders are told so all the same. Before it is read they stay due.
    const inTurn = isRead ? due : []
    await Promise.all(inTurn.map((request) => build(request)))
    return {
      more: isAnswered && (asked.length > some.length || inTurn.length === perPass),
      nextAt: clock.now() + lookMs,
      seen: { waiting: waiting.length, built: inTurn.length },
    }
  }

  async function askChain(wallets: readonly WalletRequest[], at: Instant): Promise<boolean> {
    if (at < silentUntil) return false
    const failure = await values.refreshNetwork(at)
    if (failure !== null) {
      silentUntil = standing.failed('transactions', failure, maxPauseMs)
      return false
    }
    standing.answered('transactions')
    if (wallets.length > 0) await values.refreshWallets(wallets, at)
    return true
  }

  async function build(request: TransferRequest): Promise<void> {
    const at = clock.now()
    const outcome = values.assemble(request, at)
    if (outcome.ok) await options.built(request, outcome.value)
    else await options.refused(request, outcome.failure, retryAt(outcome.failure, at))
  }
}

function retryAt({ kind }: BuildRefusal, at: Instant): Instant {
  return at + (kind === 'values_stale' || kind === 'rpc_unavailable' ? retryMs.chain : retryMs.people)
}
