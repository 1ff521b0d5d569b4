/** What is to be told, to whom, and what was: channels, rules, events, topics and the outbox of notifications. */
import { sql } from 'kysely'
import type { Instant } from '../../machines/time.ts'
import type { ChannelKind } from '../schema-notifications.ts'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

type Nothing = Record<never, never>

export const allChannels = statement<Nothing>()('notification.channels', ({ db }) =>
  db.selectFrom('notification_channels').selectAll().orderBy('name'),
)

export const channelByName = statement<{ name: string }>()('notification.channel', ({ db }, arg) =>
  db.selectFrom('notification_channels').selectAll().where('name', '=', arg('name')),
)

export const ruleByName = statement<{ name: string }>()('notification.rule', ({ db }, arg) =>
  db.selectFrom('notification_rules').selectAll().where('name', '=', arg('name')),
)

export const allRules = statement<Nothing>()('notification.rules', ({ db }) =>
  db.selectFrom('notification_rules').selectAll().orderBy('name'),
)

/** What happened and was not handed to the rules, the oldest first. */
export const newEvents = statement<{ limit: number }>()('notification.events', ({ db }, arg) =>
  db.selectFrom('notification_events').selectAll().orderBy('id').limit(arg('limit')),
)

export const allLevels = statement<Nothing>()('notification.levels', ({ db }) =>
  db.selectFrom('notification_levels').selectAll().orderBy('id'),
)

/** How many exceptions of a kind are open; counted up to one. */
export const openOfKind = statement<{ kind: string }>()('notification.openOfKind', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select('id')
    .where('state', '=', 'open')
    .where('kind', '=', arg('kind'))
    .limit(1),
)

export const exceptionsById = statement<{ id: string }>()('notification.exception', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .leftJoin('orders', 'orders.id', 'exceptions.order_id')
    .leftJoin('parties', 'parties.id', 'orders.merchant_id')
    .select(['exceptions.id', 'exceptions.kind', 'exceptions.order_id', 'exceptions.chain'])
    .select([
      'exceptions.amount',
      'exceptions.asset',
      'parties.id as merchant_id',
      'parties.name as merchant',
    ])
    .where('exceptions.id', '=', arg('id')),
)

/** Whose available balance is below an amount; of one party where it is named. */
export function balancesBelow(partyId: string | null) {
  return statement<{ currency: string; belowMinor: bigint; limit: number }>()(
    'notification.balancesBelow',
    ({ db }, arg) => {
      const below = db
        .selectFrom('accounts')
        .innerJoin('parties', 'parties.id', 'accounts.owner_id')
        .select(['parties.id', 'parties.name', 'accounts.balance_minor'])
        .where('accounts.kind', '=', 'available')
        .where('accounts.currency', '=', arg('currency'))
        .where('accounts.balance_minor', '<', arg('belowMinor'))
        .orderBy('parties.id')
        .limit(arg('limit'))
      return partyId === null ? below : below.where('parties.id', '=', partyId)
    },
  )
}

/** What came back after it was said to be over, and was not told since. */
export const topicsBack = statement<{ before: Instant; limit: number }>()(
  'notification.topicsBack',
  ({ db }, arg) =>
    db
      .selectFrom('notification_topics')
      .select(['rule', 'topic', 'channel', 'party_id'])
      .where('is_on', '=', sql.lit(1 as const))
      .where('was_told_on', '=', sql.lit(0 as const))
      .where('told_at', '<=', arg('before'))
      .orderBy('told_at')
      .limit(arg('limit')),
)

export const topicsOfChannel = statement<{ channel: string; limit: number }>()(
  'notification.topicsOfChannel',
  ({ db }, arg) =>
    db
      .selectFrom('notification_topics')
      .selectAll()
      .where('channel', '=', arg('channel'))
      // What is over and was told is forgotten; what goes on untold stays out of it.
      .where(({ or, eb }) => or([eb('untold_count', '>', 0), eb('is_on', '=', 0)]))
      .orderBy('party_id')
      .orderBy('rule')
      .orderBy('topic')
      .limit(arg('limit')),
)

export const topicsOfRule = statement<{ rule: string; limit: number }>()(
  'notification.topicsOfRule',
  ({ db }, arg) =>
    db
      .selectFrom('notification_topics')
      .select(['rule', 'topic'])
      .where('rule', '=', arg('rule'))
      .limit(arg('limit')),
)

export const dueNotifications = statement<{ kind: ChannelKind; now: Instant; limit: number }>()(
  'notification.due',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('settled_at', 'is', null)
      .where('kind', '=', arg('kind'))
      .where('due_at', '<=', arg('now'))
      .orderBy('due_at')
      .limit(arg('limit')),
)

export const nextNotificationDue = statement<{ kind: ChannelKind; now: Instant }>()(
  'notification.nextDue',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select('due_at')
      .where('settled_at', 'is', null)
      .where('kind', '=', arg('kind'))
      .where('due_at', '>', arg('now'))
      .orderBy('due_at')
      .limit(1),
)

export const notificationById = statement<{ id: string }>()('notification.byId', ({ db }, arg) =>
  db.selectFrom('notifications').selectAll().where('id', '=', arg('id')),
)

/** The newest first. */
export function notificationsPage(
  { state, channel }: { state?: string | undefined; channel?: string | undefined },
  { after, limit }: PageRequest,
) {
  return statement<Nothing>()('notification.page', ({ db }) => {
    let query = db.selectFrom('notifications').selectAll()
    if (state !== undefined) query = query.where(sql<string>`state`, '=', state)
    if (channel !== undefined) query = query.where('channel', '=', channel)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  })
}

/** Of a channel that is to be removed: what still goes there. */
export const pendingOfChannel = statement<{ channel: string }>()(
  'notification.pendingOfChannel',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('state', '=', sql.lit('pending' as const))
      .where('channel', '=', arg('channel'))
      .limit(1),
)

export const notificationCounts = statement<Nothing>()('notification.counts', ({ db }) =>
  db
    .selectFrom('notifications')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', 'in', ['pending', 'dead'])
    .groupBy('state'),
)

/** Mails of invitations that did not arrive, and make no account any more. */
export const overInvitations = statement<{ before: Instant; limit: number }>()(
  'notification.overInvitations',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('state', '=', sql.lit('dead' as const))
      .where('purpose', '=', sql.lit('invitation' as const))
      .where('created_at', '<', arg('before'))
      .orderBy('created_at')
      .limit(arg('limit')),
)

/** What was delivered before a time. */
export const oldNotifications = statement<{ before: Instant; limit: number }>()(
  'notification.old',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select('id')
      .where('state', '=', sql.lit('delivered' as const))
      .where('created_at', '<', arg('before'))
      .orderBy('created_at')
      .limit(arg('limit')),
)
