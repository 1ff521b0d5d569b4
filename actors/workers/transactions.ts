/**
 * The builder of one chain: keeps the values that transactions are made of, and builds those that are due. What
 * it built, or why it could not, is reported to the order; a refused one is tried again.
 */
import type { Assembled, BuildRefusal, TransferRequest } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import type { ChainStanding } from './chain-standing.ts'
import type { ChainValues } from './chain-values.ts'
import type { PassResult } from './worker.ts'

export interface TransactionsOptions {
  readonly values: ChainValues
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  /** Orders that can still be funded, and have not been. */
  waiting(now: Instant): Promise<readonly TransferRequest[]>
  /** Of these, the ones whose transaction is to be built by now, the longest overdue first. */
  due(now: Instant): Promise<readonly TransferRequest[]>
  built(request: TransferRequest, assembled: Assembled): Promise<void>
  /** `retryAt` is null when trying again is of no use. */
  refused(request: TransferRequest, refusal: BuildRefusal, retryAt: Instant | null): Promise<void>
}

/** So many wallets are read in a pass, and so many transactions built. */
const perPass = 200

/** When a refused build is tried again: the chain's own trouble ends sooner than what people have to do. */
const retryMs = { chain: 3_000, people: 15_000 }

export function createTransactionBuilder(options: TransactionsOptions) {
  const { values, clock, standing } = options

  return async function pass(): Promise<PassResult> {
    const begun = clock.now()
    const waiting = await options.waiting(begun)
    if (waiting.length === 0) {
      values.stale([], begun)
      return { more: false, seen: { waiting: 0 } }
    }
    const failure = await values.refreshNetwork(begun)
    // Orders are told all the same: their merchants wait for a transaction.
    const askAgainAt = failure === null ? null : standing.failed('transactions', failure)
    if (failure === null) standing.answered('transactions')
    const stale = values.stale(waiting, begun)
    const due = (await options.due(begun)).slice(0, perPass)
    // What is to be built now is read first, and again if it was refused before.
    const asked = [...new Map([...due, ...stale].map((one) => [`${one.wallet} ${one.symbol}`, one])).values()]
    const some = asked.slice(0, perPass)
    if (some.length > 0 && failure === null) await values.refreshWallets(some, begun)
    await Promise.all(due.map((request) => build(request)))
    const more = asked.length > some.length && failure === null
    return {
      more,
      nextAt: askAgainAt ?? clock.now() + values.lookMs,
      seen: { waiting: waiting.length, built: due.length },
    }
  }

  async function build(request: TransferRequest): Promise<void> {
    const at = clock.now()
    const outcome = values.assemble(request, at)
    if (outcome.ok) await options.built(request, outcome.value)
    else await options.refused(request, outcome.failure, retryAt(outcome.failure, at))
  }
}

function retryAt({ kind, retryable }: BuildRefusal, at: Instant): Instant | null {
  if (!retryable) return null
  return at + (kind === 'values_stale' || kind === 'rpc_unavailable' ? retryMs.chain : retryMs.people)
}
