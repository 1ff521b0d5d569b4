/**
 * Forgets what nobody can ask for any more. An Idempotency-Key stands for one day, and a message is not taken a
 * second time once its signature is too old; stored answers that are kept longer would only make every start slower.
 * A quote that no order was made of is worth nothing once it has expired.
 */
import { forgetUnusedQuotes } from '../../persistence/queries/quote-retention.ts'
import { forgetIdempotencyKeys, forgetRepeatedMessages } from '../../persistence/queries/stored-answers.ts'
import type { Store } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { PassResult } from '../foundation/worker.ts'

/** Few enough that nobody waits for it. */
const rowsPerPass = 100
const dayMs = 24 * 60 * 60 * 1000
/** A key stands for one day. */
const keysKeptMs = 3 * dayMs
/** Behind their expiry, so that who asks why an old quote is refused still finds it. */
const quotesKeptMs = dayMs

export interface AnswerRetentionOptions {
  clock: Clock
  /** False while the clock is in doubt: then nothing is old. */
  isTrusted: () => boolean
  /** How far a signature's time may be from the clock. */
  toleranceMs: number
}

export async function forgetAnswers(
  store: Store,
  { clock, isTrusted, toleranceMs }: AnswerRetentionOptions,
): Promise<PassResult> {
  if (!isTrusted()) return { more: false }
  const old = (keptMs: number) => ({ before: clock.now() - keptMs, limit: rowsPerPass })
  // A message is judged as early as it is taken, and taken for twice the tolerance; a day is for clocks set back.
  // They are dated by this clock or ahead of it, and taken by the world's.
  const messages = await store.execute(forgetRepeatedMessages, {
    before: worldNow(clock) - 2 * toleranceMs - dayMs,
    limit: rowsPerPass,
  })
  const keys = await store.execute(forgetIdempotencyKeys, old(keysKeptMs))
  const quotes = await store.execute(forgetUnusedQuotes, {
    before: clock.now() - quotesKeptMs,
    limit: rowsPerPass,
  })
  return { more: Math.max(messages.length, keys.length, quotes.length) === rowsPerPass }
}
