/** Forgets quotes that nobody has used and nobody can use any more: a part of them at a time, the oldest first. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const forgetUnusedQuotes = statement<{ before: Instant; limit: number }>()(
  'quote.forget',
  ({ db }, arg) =>
    db
      .deleteFrom('quotes')
      // Said twice, so that one that was taken while this waited for it stays.
      .where('order_id', 'is', null)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('quotes')
          .select('id')
          .where('order_id', 'is', null)
          .where('expires_at', '<', arg('before'))
          .orderBy('expires_at')
          .limit(arg('limit')),
      )
      .returning('id'),
)
