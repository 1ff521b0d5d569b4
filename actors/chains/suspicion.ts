/** What one look has found and nothing explained: told only once another look finds the very same. */
import type { TreasuryLook } from '../../chain/chain.ts'
import type { ChainProblem } from './chain-standing.ts'
import type { Judged } from './treasury-differences.ts'

/** Endpoints that count differently this often in a row are told. */
const maxDisputes = 5

interface Suspected {
  /** By asset. */
  readonly differences: ReadonlyMap<string, bigint>
  readonly height: string
  readonly endpoint: string
}

export class Suspicion {
  #suspected: Suspected | null = null
  #disputes = 0

  /** Whether the look before, behind another block, has found these very differences. */
  isConfirmedBy({ height }: TreasuryLook, differing: readonly Judged[]): boolean {
    const before = this.#suspected
    if (before === null || before.height === height) return false
    return differing.every(({ count, difference }) => before.differences.get(count.asset_id) === difference)
  }

  /** @returns what is to be told of endpoints that go on contradicting each other. */
  raise({ height, endpoint }: TreasuryLook, differing: readonly Judged[]): ChainProblem | null {
    const before = this.#suspected
    if (before !== null) this.#disputes += 1
    const differences = new Map(differing.map(({ count, difference }) => [count.asset_id, difference]))
    this.#suspected = { differences, height, endpoint }
    return this.isCalm ? null : disputed(before?.endpoint ?? endpoint, endpoint)
  }

  /** A look has agreed with the books. @returns as `raise`. */
  drop({ endpoint }: TreasuryLook): ChainProblem | null {
    const before = this.#suspected
    this.#suspected = null
    if (before === null) this.#disputes = Math.max(0, this.#disputes - 1)
    else if (before.endpoint !== endpoint) this.#disputes += 1
    return before === null || this.isCalm ? null : disputed(before.endpoint, endpoint)
  }

  /** Endpoints do not contradict each other, or no longer. */
  get isCalm(): boolean {
    return this.#disputes < maxDisputes
  }

  /** What two looks agree about was told. */
  settle(): void {
    this.#suspected = null
    this.#disputes = 0
  }
}

function disputed(one: string, other: string): ChainProblem {
  const message =
    `${one} and ${other} keep on counting the treasury differently: one ` +
    'of them is wrong. Compare both with a block explorer, and remove the wrong one from the ' +
    'settings.'
  return { kind: 'inconsistent', endpoint: one, message, retryAfterMs: null }
}
