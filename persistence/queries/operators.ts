/** Operators of the console and their sessions. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const allOperators = statement<Record<never, never>>()('operator.all', ({ db }) =>
  db.selectFrom('operators').selectAll().orderBy('name'),
)

export const operatorByName = statement<{ name: string }>()('operator.byName', ({ db }, arg) =>
  db.selectFrom('operators').selectAll().where('name', '=', arg('name')),
)

/** Whether there is one: they are few, and none is ever removed. */
export const enabledAdministrators = statement<Record<never, never>>()('operator.administrators', ({ db }) =>
  db
    .selectFrom('operators')
    .select('name')
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .limit(1),
)

/** A session that is in use, with its operator as they are now. */
export const sessionByDigest = statement<{ digest: string }>()('session.byDigest', ({ db }, arg) =>
  db
    .selectFrom('sessions')
    .innerJoin('operators', 'operators.name', 'sessions.operator_name')
    .select([
      'sessions.created_at',
      'sessions.seen_at',
      'operators.name',
      'operators.role',
      'operators.disabled_at',
      'operators.password_at',
      'operators.language',
      'operators.time_zone',
    ])
    .where('sessions.digest', '=', arg('digest')),
)

export const touchSession = statement<{ digest: string; at: Instant }>()('session.touch', ({ db }, arg) =>
  db
    .updateTable('sessions')
    .set({ seen_at: arg('at') })
    .where('digest', '=', arg('digest'))
    .returning('digest'),
)

export const endSession = statement<{ digest: string }>()('session.end', ({ db }, arg) =>
  db.deleteFrom('sessions').where('digest', '=', arg('digest')).returning('operator_name'),
)

export const endSessionsOf = statement<{ name: string }>()('session.endAll', ({ db }, arg) =>
  db.deleteFrom('sessions').where('operator_name', '=', arg('name')).returning('digest'),
)

/** Sessions that nobody can use any more. */
export const forgetSessions = statement<{ createdBefore: Instant; seenBefore: Instant }>()(
  'session.forget',
  ({ db }, arg) =>
    db
      .deleteFrom('sessions')
      .where((eb) =>
        eb.or([eb('created_at', '<', arg('createdBefore')), eb('seen_at', '<', arg('seenBefore'))]),
      )
      .returning('digest'),
)

export const sessionsByOperator = statement<Record<never, never>>()('session.counts', ({ db }) =>
  db
    .selectFrom('sessions')
    .select(['operator_name', ({ fn }) => fn.countAll<number>().as('sessions')])
    .groupBy('operator_name'),
)
