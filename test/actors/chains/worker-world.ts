/** What a chain is made to say to its workers, and the node around them. */
import pino from 'pino'
import { createChainStanding } from '../../../actors/chains/chain-standing.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import type { BuildRefusal, BuildRefusalKind, ChainFailure, ChainFailureKind } from '../../../chain/chain.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'

export const failure = (kind: ChainFailureKind, retryAfterMs: number | null = null): ChainFailure => ({
  kind,
  endpoint: 'node.example',
  message: `node.example: ${kind}.`,
  retryable: true,
  retryAfterMs,
})

export const refusal = (kind: BuildRefusalKind, retryable = true): BuildRefusal => ({
  kind,
  retryable,
  message: kind,
})

export const fine = <Value>(value: Value) => ({ ok: true, value }) as const

export const bad = <Failure>(failed: Failure) => ({ ok: false, failure: failed }) as const

export function world(clock: FakeClock = fakeClock()) {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) })
  const standing = createChainStanding({ blockchain: 'SOLANA', clock, condition, log, pauseMs: 1_000 })
  const reason = () => {
    const ready = readiness(condition)
    return ready.status === 'degraded' ? ready.reasons['chain:SOLANA'] : null
  }
  return { clock, condition, standing, lines, reason }
}
