/**
 * Reads and bulk changes of the webhook deliveries.
 *
 * What waits may be a hundred thousand rows: every statement here seeks in an index and stops after its limit.
 * "Pending" is said by `settled_at`, as the partial indexes do.
 */
import { sql } from 'kysely'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

/** One merchant's deliveries to one host. */
export interface LaneKey {
  merchantId: string
  host: string
}

/** Lanes with webhooks that fell due between two instants, both inclusive, and how many were looked at. */
export const lanesFallenDue = statement<{ from: Instant; to: Instant; limit: number }>()(
  'webhook.lanesFallenDue',
  ({ db }, arg) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('webhooks')
          .select(['merchant_id', 'host'])
          .where('settled_at', 'is', null)
          .where('due_at', '>=', arg('from'))
          .where('due_at', '<=', arg('to'))
          .orderBy('due_at')
          .limit(arg('limit'))
          .as('due'),
      )
      .select(({ fn }) => ['merchant_id', 'host', fn.countAll<number>().as('webhooks')])
      .groupBy(['merchant_id', 'host']),
)

/** The lane that comes after another one, with the instant its first webhook is due. */
export const laneAfterLane = statement<LaneKey>()('webhook.laneAfter', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(['merchant_id', 'host', 'due_at'])
    .where('settled_at', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('merchant_id', 'host'), '>', tuple(arg('merchantId'), arg('host'))),
    )
    .orderBy('merchant_id')
    .orderBy('host')
    .orderBy('due_at')
    .limit(1),
)

/** Webhooks of a lane that fell due after `after` and until `until`, the longest due first. */
export const dueInLane = statement<LaneKey & { after: Instant; until: Instant; limit: number }>()(
  'webhook.dueInLane',
  ({ db }, arg) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'order_id', 'sequence', 'attempts'])
      .where('settled_at', 'is', null)
      .where('merchant_id', '=', arg('merchantId'))
      .where('host', '=', arg('host'))
      .where('due_at', '>', arg('after'))
      .where('due_at', '<=', arg('until'))
      .where('lease_until_at', 'is', null)
      .orderBy('due_at')
      .limit(arg('limit')),
)

export const countDueInLane = statement<LaneKey & { until: Instant; limit: number }>()(
  'webhook.countDueInLane',
  ({ db }, arg) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('webhooks')
          .select('due_at')
          .where('settled_at', 'is', null)
          .where('merchant_id', '=', arg('merchantId'))
          .where('host', '=', arg('host'))
          .where('due_at', '<=', arg('until'))
          .limit(arg('limit'))
          .as('due'),
      )
      .select(({ fn }) => fn.countAll<number>().as('webhooks')),
)

/** Webhooks of a lane that wait for their own turn, not for an earlier one of their order, by when they are due. */
export const waitingInLane = statement<LaneKey & { after: Instant; limit: number }>()(
  'webhook.waitingInLane',
  ({ db }, arg) =>
    db
      .selectFrom('webhooks')
      .select(['id', 'due_at', 'created_at', 'last_attempt_at'])
      .where('settled_at', 'is', null)
      .where('merchant_id', '=', arg('merchantId'))
      .where('host', '=', arg('host'))
      .where('due_at', '>', arg('after'))
      .where('lease_until_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('webhooks as earlier')
              .select('earlier.id')
              .whereRef('earlier.order_id', '=', 'webhooks.order_id')
              .whereRef('earlier.sequence', '<', 'webhooks.sequence')
              .where('earlier.settled_at', 'is', null),
          ),
        ),
      )
      .orderBy('due_at')
      .limit(arg('limit')),
)

/** When the next webhook falls due after now. */
export const nextDueAt = statement<{ now: Instant }>()('webhook.nextDueAt', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('due_at')
    .where('settled_at', 'is', null)
    .where('due_at', '>', arg('now'))
    .orderBy('due_at')
    .limit(1),
)

export const pendingOfOrder = statement<{ orderId: string }>()('webhook.pendingOfOrder', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('settled_at', 'is', null)
    .where('order_id', '=', arg('orderId'))
    .orderBy('sequence'),
)

/** Attempts whose lease ends by then: their node has died, or is about to be late. */
export const leasedUntil = statement<{ until: Instant; limit: number }>()('webhook.leased', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select([
      'id',
      'order_id',
      'merchant_id',
      'attempts',
      'attempts_before',
      'last_attempt_at',
      'lease_until_at',
    ])
    .where('lease_until_at', '<=', arg('until'))
    .orderBy('lease_until_at')
    .limit(arg('limit')),
)

/** Lets webhooks go that are due later than any retry can be: the clock was ahead when they were written. */
export const bringForward = statement<{ latest: Instant; now: Instant; limit: number }>()(
  'webhook.bringForward',
  ({ db }, arg) =>
    db
      .updateTable('webhooks')
      .set({ due_at: arg('now') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhooks')
          .select('id')
          .where('settled_at', 'is', null)
          .where('due_at', '>', arg('latest'))
          .where('lease_until_at', 'is', null)
          .limit(arg('limit')),
      )
      .returning('id'),
)

/** Dead letters of a merchant that died between two instants, both inclusive, and can be sent again. */
export const deadLettersOf = statement<{
  merchantId: string
  since: Instant
  until: Instant
  limit: number
}>()('webhook.dead', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    // A literal, because a partial index is not found by a value that is bound later; and this one, not that of
    // what may be pruned, which would look at the dead letters of all merchants.
    .where('state', '=', sql.lit('dead'))
    .where('merchant_id', '=', arg('merchantId'))
    .where('settled_at', '>=', arg('since'))
    .where('settled_at', '<=', arg('until'))
    .where(({ fn, lit }) => fn.coalesce('pruned_at', lit(0)), '=', 0)
    .orderBy('settled_at')
    .limit(arg('limit')),
)

/** Webhooks of an order that were not delivered, or not yet. */
export const undeliveredOfOrder = statement<{ orderId: string }>()('webhook.undelivered', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('order_id', '=', arg('orderId'))
    .where('state', 'in', ['pending', 'dead'])
    .where('pruned_at', 'is', null)
    .orderBy('sequence'),
)
