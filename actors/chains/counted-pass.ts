/**
 * The scanner and the counter of one chain in one pass: the counter gets its turn when the scanner has caught up, so
 * that nothing is recorded while it compares, and so that one node does both.
 */
import type { Instant } from '../../machines/time.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { Counted, TreasuryCounter } from './treasury-counter.ts'

export interface CountedPassOptions {
  scan(): Promise<PassResult>
  readonly counter: Pick<TreasuryCounter, 'open' | 'pass'>
  readonly clock: { now(): Instant }
  /** Whether reading the chain has begun. */
  hasBegun(): Promise<boolean>
  /** A count that throws keeps nobody from reading deposits. @returns when to count again. */
  countFailed(error: unknown): Instant
}

export function countedPass(options: CountedPassOptions): () => Promise<PassResult> {
  const { scan, counter, clock, hasBegun, countFailed } = options
  let failedUntil: Instant = 0

  async function count(): Promise<Counted> {
    if (clock.now() < failedUntil) return { more: false, nextAt: failedUntil }
    try {
      return await counter.pass()
    } catch (error) {
      failedUntil = countFailed(error)
      return { more: false, nextAt: failedUntil }
    }
  }

  return async () => {
    if (!(await hasBegun())) await counter.open().catch(countFailed)
    const scanned = await scan()
    // One that failed rests as long as its endpoint asks for.
    if (scanned.more || scanned.seen === undefined) return scanned
    const { more, nextAt } = await count()
    const times = [scanned.nextAt, nextAt].filter((at) => at != null)
    return { ...scanned, more, nextAt: times.length === 0 ? null : Math.min(...times) }
  }
}
