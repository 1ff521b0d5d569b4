/**
 * The treasury's balance beside the transfers that explain it. Tokens may keep a part of a transfer, and some
 * announce all of it: what counts is what arrived.
 */
import type { TransferLog } from './answers.ts'
import { readWord } from './answers.ts'
import type { BalanceVerdict } from './credits.ts'
import type { Answer } from './json-rpc.ts'
import type { Memory } from './memory.ts'
import { balanceCall, type MonadAsset, type MonadEndpoint, type MonadNetwork } from './network.ts'

interface Movements {
  readonly incoming: readonly TransferLog[]
  readonly outgoing: readonly TransferLog[]
}

/** Blocks, and all that moved in them. */
interface Span extends Movements {
  readonly from: number
  readonly to: number
}

/** What the balances say of each transfer of an accepted token; of others nothing is asked. */
export class BalanceCheck {
  readonly #network: MonadNetwork
  readonly #endpoint: MonadEndpoint
  readonly #memory: Memory

  constructor(network: MonadNetwork, endpoint: MonadEndpoint, memory: Memory) {
    this.#network = network
    this.#endpoint = endpoint
    this.#memory = memory
  }

  /** Two balances cover a whole page; only where they do not agree is each block looked at. */
  async verdicts(span: Span): Promise<(transfer: TransferLog) => BalanceVerdict> {
    const byAsset = new Map<string, (transfer: TransferLog) => BalanceVerdict>()
    for (const asset of this.#network.assets) {
      const moved = only(span, ({ token }) => token === asset.id)
      if (moved.incoming.length > 0)
        byAsset.set(asset.id, await this.#verdictsOf(asset, { ...span, ...moved }))
    }
    return (transfer) => byAsset.get(transfer.token)?.(transfer) ?? 'agrees'
  }

  async #verdictsOf(asset: MonadAsset, span: Span): Promise<(transfer: TransferLog) => BalanceVerdict> {
    const [rise = null] = await this.#rises(asset, [span])
    if (rise === null) return () => 'unread'
    if (rise === net(span)) return () => 'agrees'
    const heights = [...new Set(span.incoming.map(({ height }) => height))]
    const blocks = heights.map((at) => ({ from: at, to: at, ...only(span, ({ height }) => height === at) }))
    const rises = await this.#rises(asset, blocks)
    const verdicts = new Map(
      blocks.map((block, index) => [block.from, verdictOf(block, rises[index] ?? null)]),
    )
    return ({ height }) => verdicts.get(height) ?? 'unread'
  }

  /** By how much the balance rose over each span; `null` where the endpoint does not have it any more. */
  async #rises(asset: MonadAsset, spans: readonly Span[]): Promise<readonly (bigint | null)[]> {
    const { treasury } = this.#network
    const calls = spans.flatMap(({ from, to }) => [
      balanceCall(asset.id, treasury, from - 1),
      balanceCall(asset.id, treasury, to),
    ])
    const answers = await this.#memory.ask(this.#endpoint, calls)
    return spans.map((_, index) => {
      const [before, after] = [balanceIn(answers[2 * index]), balanceIn(answers[2 * index + 1])]
      return before === null || after === null ? null : after - before
    })
  }
}

function verdictOf(block: Movements, rise: bigint | null): BalanceVerdict {
  if (rise === null) return 'unread'
  if (rise === net(block)) return 'agrees'
  const [transfer, ...others] = block.incoming
  const isAlone = others.length === 0 && block.outgoing.length === 0
  return transfer !== undefined && isAlone && rise > 0n && rise < transfer.units ? rise : 'unexplained'
}

function only({ incoming, outgoing }: Movements, test: (transfer: TransferLog) => boolean): Movements {
  return { incoming: incoming.filter(test), outgoing: outgoing.filter(test) }
}

function net({ incoming, outgoing }: Movements): bigint {
  return sum(incoming) - sum(outgoing)
}

function sum(transfers: readonly TransferLog[]): bigint {
  return transfers.reduce((total, { units }) => total + units, 0n)
}

function balanceIn(answer: Answer | undefined): bigint | null {
  return answer?.ok ? readWord(answer.value) : null
}
