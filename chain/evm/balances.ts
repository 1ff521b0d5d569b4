/**
 * The treasury's balance beside the transfers that explain it. Tokens may keep a part of a transfer, and some
 * announce all of it: what counts is what arrived.
 */
import type { TransferLog } from './answers.ts'
import { readWord } from './answers.ts'
import type { BalanceVerdict } from './credits.ts'
import { type Answer, unreadable } from './json-rpc.ts'
import type { Memory } from './memory.ts'
import { balanceCall, type EvmAsset, type EvmEndpoint, type EvmNetwork } from './network.ts'
import type { ProvenTransaction } from './receipts.ts'

interface Movements {
  readonly incoming: readonly TransferLog[]
  readonly outgoing: readonly TransferLog[]
}

/** Blocks, and what is listed of them. */
export interface Span extends Movements {
  readonly from: number
  readonly to: number
}

/** What the balances say of each transfer of an accepted token; of others nothing is asked. */
export class BalanceCheck {
  readonly #network: EvmNetwork
  readonly #endpoint: EvmEndpoint
  readonly #memory: Memory

  constructor(network: EvmNetwork, endpoint: EvmEndpoint, memory: Memory) {
    this.#network = network
    this.#endpoint = endpoint
    this.#memory = memory
  }

  /**
   * Two balances cover a whole page; only where they do not agree is each block looked at.
   *
   * @param proven every transaction of the blocks that are asked about: the list is believed of other blocks only
   */
  async verdicts(
    listed: Span,
    proven: readonly ProvenTransaction[],
  ): Promise<(transfer: TransferLog) => BalanceVerdict> {
    const known = {
      incoming: proven.flatMap(({ incoming }) => incoming),
      outgoing: proven.flatMap(({ outgoing }) => outgoing),
    }
    const ids = new Set(proven.map(({ transactionId }) => transactionId))
    const others = only(listed, ({ transactionId }) => !ids.has(transactionId))
    const byAsset = new Map<string, (transfer: TransferLog) => BalanceVerdict>()
    for (const asset of this.#network.assets) {
      const isOf = ({ token }: TransferLog): boolean => token === asset.id
      const moved = only(known, isOf)
      if (moved.incoming.length === 0) continue
      const rest = only(others, isOf)
      const all = {
        ...listed,
        incoming: [...moved.incoming, ...rest.incoming],
        outgoing: [...moved.outgoing, ...rest.outgoing],
      }
      byAsset.set(asset.id, await this.#verdictsOf(asset, all, moved))
    }
    return (transfer) => byAsset.get(transfer.token)?.(transfer) ?? 'agrees'
  }

  async #verdictsOf(
    asset: EvmAsset,
    span: Span,
    moved: Movements,
  ): Promise<(transfer: TransferLog) => BalanceVerdict> {
    const [rise = null] = await this.#rises(asset, [span])
    if (rise === null) return () => 'unread'
    if (rise === net(span)) return () => 'agrees'
    const heights = [...new Set(moved.incoming.map(({ height }) => height))]
    const blocks = heights.map((at) => ({ from: at, to: at, ...only(moved, ({ height }) => height === at) }))
    const rises = await this.#rises(asset, blocks)
    const verdicts = new Map(
      blocks.map((block, index) => [block.from, verdictOf(block, rises[index] ?? null)]),
    )
    return ({ height }) => verdicts.get(height) ?? 'unread'
  }

  /** By how much the balance rose over each span; `null` where the endpoint does not have it any more. */
  async #rises(asset: EvmAsset, spans: readonly Span[]): Promise<readonly (bigint | null)[]> {
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

/** `null` where the endpoint says that it does not have it; an answer that holds no balance is none. */
function balanceIn(answer: Answer | undefined): bigint | null {
  if (!answer?.ok) return null
  const balance = readWord(answer.value)
  if (balance === null) throw unreadable('a balance that is no number')
  return balance
}
