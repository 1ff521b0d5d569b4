/**
 * How a chain stands, as its workers find it: told to the log once per change, and to `/readyz` as a reason that
 * degrades the node and never takes it down.
 */
import type { Logger } from 'pino'
import type { ChainFailure } from '../../chain/chain.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import type { Condition } from '../condition/condition.ts'

/** What a chain is asked for. The first one that fails is what an operator reads. */
export const chainParts = ['deposits', 'transactions', 'sightings', 'health', 'treasury'] as const
export type ChainPart = (typeof chainParts)[number]

export interface ChainStanding {
  /** @returns when to ask again: later each time, and not before the endpoint wants to be asked. */
  failed(part: ChainPart, failure: ChainProblem, maxPauseMs?: number): Instant
  /** It was asked and answered, or there is nothing to ask. */
  answered(part: ChainPart): void
}

export type ChainProblem = Pick<ChainFailure, 'kind' | 'endpoint' | 'message' | 'retryAfterMs'>

export interface StandingOptions {
  readonly blockchain: Blockchain
  readonly clock: { now(): Instant }
  readonly condition: Condition
  readonly log: Logger
  /** The first pause after a failure, in ms. */
  readonly pauseMs: number
}

const standardMaxPauseMs = 60_000

export function createChainStanding(options: StandingOptions): ChainStanding {
  const { blockchain, clock, condition, log } = options
  const failing = new Map<ChainPart, { problem: ChainProblem; times: number }>()

  function tell(): void {
    const part = `chain:${blockchain}`
    const [first] = chainParts.flatMap((one) => failing.get(one) ?? [])
    if (first === undefined) condition.send({ type: 'recover', part })
    else condition.send({ type: 'degrade', part, reason: first.problem.message })
  }

  return {
    failed(part, problem, maxPauseMs = standardMaxPauseMs) {
      const before = failing.get(part)
      const times = (before?.times ?? 0) + 1
      failing.set(part, { problem, times })
      // Requests that a stop has cut off are nobody's failure.
      const isStopping = condition.getSnapshot().context.phase === 'draining'
      if (!isStopping && !isSame(before?.problem, problem)) {
        const { kind, endpoint, message } = problem
        log.warn({ chain: blockchain, part, kind, endpoint }, message)
        tell()
      }
      const pauseMs = Math.min(maxPauseMs, options.pauseMs * 2 ** Math.min(times - 1, 10))
      return clock.now() + Math.max(pauseMs, problem.retryAfterMs ?? 0)
    },

    answered(part) {
      if (!failing.delete(part)) return
      log.info({ chain: blockchain, part }, 'no longer in trouble')
      tell()
    },
  }
}

/** Messages tell ages, which change with each look. */
function isSame(before: ChainProblem | undefined, problem: ChainProblem): boolean {
  return before?.kind === problem.kind && before.endpoint === problem.endpoint
}
