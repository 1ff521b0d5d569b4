/**
 * Forgets what nobody can ask for any more. An Idempotency-Key stands for one day, and a message is not taken a
 * second time once its signature is too old; stored answers that are kept longer would only make every start slower.
 * A quote that no order was made of is worth nothing once it has expired.
 */
import type { Instant } from '../../machines/time.ts'
import { forgetUnusedQuotes } from '../../persistence/queries/quote-retention.ts'
import { forgetIdempotencyKeys, forgetRepeatedMessages } from '../../persistence/queries/stored-answers.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'

/** Few enough that nobody waits for it. */
const rowsPerPass = 100
/** Signatures live for at most a day before and a day behind their time; one day more is for clocks set back. */
const keptMs = 3 * 24 * 60 * 60 * 1000
/** Behind their expiry, so that who asks why an old quote is refused still finds it. */
const quotesKeptMs = 24 * 60 * 60 * 1000

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
  const old = { before: clock.now() - keptMs, limit: rowsPerPass }
  const messages = await store.execute(forgetRepeatedMessages, old)
  const keys = await store.execute(forgetIdempotencyKeys, old)
  const quotes = await store.execute(forgetUnusedQuotes, {
    before: clock.now() - quotesKeptMs,
    limit: rowsPerPass,
  })
  return { more: Math.max(messages.length, keys.length, quotes.length) === rowsPerPass }
}
