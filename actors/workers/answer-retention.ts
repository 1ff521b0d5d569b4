/**
 * Forgets the answers that were stored for repetitions. An Idempotency-Key stands for one day, and a message is not
 * taken a second time once its signature is too old; what is kept longer would only make every start slower.
 */
import type { Instant } from '../../machines/time.ts'
import { forgetIdempotencyKeys, forgetRepeatedMessages } from '../../persistence/queries/stored-answers.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from './worker.ts'

/** Few enough that nobody waits for it. */
const answersPerPass = 100
/** Signatures live for at most a day before and a day behind their time; one day more is for clocks set back. */
const keptMs = 3 * 24 * 60 * 60 * 1000

export interface AnswerRetentionOptions {
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nothing is old. */
  isTrusted: () => boolean
}

export async function forgetAnswers(
  store: Store,
  { clock, isTrusted }: AnswerRetentionOptions,
): Promise<PassResult> {
  if (!isTrusted()) return { more: false }
  const old = { before: clock.now() - keptMs, limit: answersPerPass }
  const messages = await store.execute(forgetRepeatedMessages, old)
  const keys = await store.execute(forgetIdempotencyKeys, old)
  return { more: Math.max(messages.length, keys.length) === answersPerPass }
}
