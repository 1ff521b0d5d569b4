/** What simulations of a sandbox look for. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const dueSimulations = statement<{ now: Instant; limit: number }>()('simulation.due', ({ db }, arg) =>
  db
    .selectFrom('simulations')
    .selectAll()
    .where('settled_at', 'is', null)
    .where('due_at', '<=', arg('now'))
    .orderBy('due_at')
    .limit(arg('limit')),
)

export const settleSimulation = statement<{ id: string; at: Instant; outcome: string }>()(
  'simulation.settle',
  ({ db }, arg) =>
    db
      .updateTable('simulations')
      .set({ settled_at: arg('at'), outcome: arg('outcome') })
      .where('id', '=', arg('id'))
      .returning('id'),
)

export const balanceOfAccount = statement<{ id: string }>()('simulation.balance', ({ db }, arg) =>
  db.selectFrom('accounts').select('balance_minor').where('id', '=', arg('id')),
)

/** The first network that takes the price, of a provider that is not frozen; of this one, where it is named. */
export function networkForSimulation({ providerId }: { providerId: string | null | undefined }) {
  return statement<{ currency: string; priceMinor: bigint }>()('simulation.network', ({ db }, arg) => {
    let query = db
      .selectFrom('networks')
      .innerJoin('parties', 'parties.id', 'networks.provider_id')
      .select(['networks.network_id', 'networks.provider_id', 'parties.name'])
      .where('parties.frozen_at', 'is', null)
      .where((eb) =>
        eb.or([eb('networks.currency', 'is', null), eb('networks.currency', '=', arg('currency'))]),
      )
      .where((eb) =>
        eb.or([eb('networks.min_minor', 'is', null), eb('networks.min_minor', '<=', arg('priceMinor'))]),
      )
      .where((eb) =>
        eb.or([eb('networks.max_minor', 'is', null), eb('networks.max_minor', '>=', arg('priceMinor'))]),
      )
    if (providerId != null) query = query.where('networks.provider_id', '=', providerId)
    return query.orderBy('networks.network_id').limit(1)
  })
}

/** Whether an attempt to tell somebody something is under way, whichever node makes it. */
export const attemptsUnderWay = statement<Record<never, never>>()('sandbox.underWay', ({ db }) =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('lease_until_at', 'is not', null)
    .unionAll(db.selectFrom('notifications').select('id').where('lease_until_at', 'is not', null))
    .limit(1),
)

/** Of orders that wait for their chain and should have ended by now, the one whose chain is read the least far. */
export const overdueAtChain = statement<{ now: Instant }>()('sandbox.overdueAtChain', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .innerJoin('foreign_orders', 'foreign_orders.order_id', 'orders.id')
    .leftJoin('chain_cursors', 'chain_cursors.blockchain', 'foreign_orders.blockchain')
    .select(({ fn, lit }) => fn.coalesce('chain_cursors.scanned_to_at', lit(0)).as('scanned_to_at'))
    .where('orders.due_at', '<=', arg('now'))
    .where('orders.machine', '=', 'payOutForeign')
    .where('orders.status', '=', 'CREATED')
    .where('orders.quarantined_at', 'is', null)
    .orderBy('scanned_to_at')
    .limit(1),
)

/** When the order that ends next by itself does; a quarantined one does not. */
export const nextOrderDue = statement<{ now: Instant }>()('order.nextDue', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select('due_at')
    .where('due_at', '>', arg('now'))
    .where('quarantined_at', 'is', null)
    .orderBy('due_at')
    .limit(1),
)

export const nextSimulationDue = statement<{ now: Instant }>()('simulation.nextDue', ({ db }, arg) =>
  db
    .selectFrom('simulations')
    .select('due_at')
    .where('settled_at', 'is', null)
    .where('due_at', '>', arg('now'))
    .orderBy('due_at')
    .limit(1),
)

/** What has come about between two instants, the first one exclusive. */
export const cameAbout = statement<{ from: Instant; to: Instant }>()('sandbox.cameAbout', ({ db }, arg) =>
  db.selectNoFrom((eb) => {
    const count = () => eb.fn.countAll<number>().as('count')
    return [
      eb
        .selectFrom('journal')
        .select(count())
        .where('entry_at', '>', arg('from'))
        .where('entry_at', '<=', arg('to'))
        .where('outcome', '=', 'accepted')
        .where('to_status', '=', 'EXPIRED')
        .where('from_status', '<>', 'EXPIRED')
        .as('orders_expired'),
      eb
        .selectFrom('simulations')
        .select(count())
        .where('settled_at', '>', arg('from'))
        .where('settled_at', '<=', arg('to'))
        .as('simulations'),
      eb
        .selectFrom('webhook_attempts')
        .select(count())
        .where('started_at', '>', arg('from'))
        .where('started_at', '<=', arg('to'))
        .as('webhook_attempts'),
      eb
        .selectFrom('statements')
        .select(count())
        .where('closed_at', '>', arg('from'))
        .where('closed_at', '<=', arg('to'))
        .as('statements_closed'),
      eb
        .selectFrom('approvals')
        .select(count())
        .where('ended_at', '>', arg('from'))
        .where('ended_at', '<=', arg('to'))
        .where('state', '=', 'expired')
        .as('approvals_expired'),
      eb
        .selectFrom('notifications')
        .select(count())
        .where('created_at', '>', arg('from'))
        .where('created_at', '<=', arg('to'))
        .as('notifications'),
      eb
        .selectFrom('exceptions')
        .select(count())
        .where('opened_at', '>', arg('from'))
        .where('opened_at', '<=', arg('to'))
        .as('exceptions_opened'),
      eb
        .selectFrom('archived_orders')
        .select(count())
        .where('archived_at', '>', arg('from'))
        .where('archived_at', '<=', arg('to'))
        .as('orders_archived'),
    ]
  }),
)

/** When something was written that is dated later than an instant; nothing where nothing is. */
export const datedAfter = statement<{ at: Instant }>()('sandbox.datedAfter', ({ db }, arg) =>
  db
    .selectFrom('journal')
    .select('entry_at as at')
    .where('entry_at', '>', arg('at'))
    .unionAll(db.selectFrom('postings').select('posted_at as at').where('posted_at', '>', arg('at')))
    .unionAll(db.selectFrom('statement_books').select('closed_at as at').where('closed_at', '>', arg('at')))
    .unionAll(db.selectFrom('parties').select('created_at as at').where('created_at', '>', arg('at')))
    .unionAll(db.selectFrom('people').select('password_at as at').where('password_at', '>', arg('at')))
    .limit(1),
)

/** Sessions of a clock that is taken back: nobody could tell how old they are. */
export const endSessionsAfter = statement<{ at: Instant }>()('session.endAfter', ({ db }, arg) =>
  db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('created_at', '>', arg('at')), eb('seen_at', '>', arg('at'))]))
    .returning('digest'),
)
