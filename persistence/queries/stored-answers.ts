/** Forgets stored answers that nobody can be given any more: a part of them at a time, the oldest first. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

interface Forgetting {
  /** What was stored before then. */
  before: Instant
  limit: number
}

export const forgetRepeatedMessages = statement<Forgetting>()('repeatedMessage.forget', ({ db }, arg) =>
  db
    .deleteFrom('repeated_messages')
    .where((where) =>
      where(
        where.refTuple('party_id', 'digest'),
        'in',
        where
          .selectFrom('repeated_messages')
          .select(['party_id', 'digest'])
          .where('accepted_at', '<', arg('before'))
          .orderBy('accepted_at')
          .limit(arg('limit'))
          .$asTuple('party_id', 'digest'),
      ),
    )
    .returning('order_id'),
)

export const forgetIdempotencyKeys = statement<Forgetting>()('idempotencyKey.forget', ({ db }, arg) =>
  db
    .deleteFrom('idempotency_keys')
    .where((where) =>
      where(
        where.refTuple('party_id', 'key'),
        'in',
        where
          .selectFrom('idempotency_keys')
          .select(['party_id', 'key'])
          .where('created_at', '<', arg('before'))
          .orderBy('created_at')
          .limit(arg('limit'))
          .$asTuple('party_id', 'key'),
      ),
    )
    .returning('order_id'),
)
