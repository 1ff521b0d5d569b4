/** Which webhooks are old enough to lose their bodies, which hold consumers' data, and their attempts. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

interface Pruning {
  /** What was settled before then. */
  before: Instant
  limit: number
}

export const prunableDelivered = statement<Pruning>()('webhook.prunableDelivered', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('state', '=', 'delivered')
    .where('settled_at', '<', arg('before'))
    .where('settled_at', 'is not', null)
    .where('pruned_at', 'is', null)
    .orderBy('settled_at')
    .limit(arg('limit')),
)

/** A superseded one was not delivered itself: a later one of its order must have been. */
export const prunableSuperseded = statement<Pruning>()('webhook.prunableSuperseded', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('state', '=', 'superseded')
    .where('settled_at', '<', arg('before'))
    .where('settled_at', 'is not', null)
    .where('pruned_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhooks as later')
          .select('later.id')
          .whereRef('later.order_id', '=', 'webhooks.order_id')
          .whereRef('later.sequence', '>', 'webhooks.sequence')
          .where('later.state', '=', 'delivered'),
      ),
    )
    .orderBy('settled_at')
    .limit(arg('limit')),
)

/** A dead letter stays whole as long as somebody may have it sent again: until its exception is resolved. */
export const prunableDead = statement<Pruning>()('webhook.prunableDead', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('state', '=', 'dead')
    .where('settled_at', '<', arg('before'))
    .where('settled_at', 'is not', null)
    .where('pruned_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exceptions')
            .select('exceptions.id')
            .whereRef('exceptions.order_id', '=', 'webhooks.order_id')
            .where('exceptions.kind', '=', 'webhook_dead')
            .where('exceptions.state', '=', 'open'),
        ),
      ),
    )
    .orderBy('settled_at')
    .limit(arg('limit')),
)
