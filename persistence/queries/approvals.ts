/** Reads of approvals, of what they were told, and of the thresholds above which they are needed. */
import { sql } from 'kysely'
import type { ApprovalState } from '../../machines/approval.ts'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

type Nothing = Record<never, never>

export const approvalByNumber = statement<{ number: number }>()('approval.byNumber', ({ db }, arg) =>
  db.selectFrom('approvals').selectAll().where('number', '=', arg('number')),
)

/** Written out, because a partial index is known by what its condition says. */
const waits = sql<boolean>`state IN ('asked', 'approved')`

/** Those that wait for the very same. */
export const approvalsOfInput = statement<{ digest: string }>()('approval.ofInput', ({ db }, arg) =>
  db
    .selectFrom('approvals')
    .selectAll()
    .where('input_digest', '=', arg('digest'))
    .where(waits)
    .orderBy('number'),
)

/** Page by page, by their numbers: all of them are looked at, however many wait. */
export const waitingApprovals = statement<{ after: number; limit: number }>()(
  'approval.waiting',
  ({ db }, arg) =>
    db
      .selectFrom('approvals')
      .selectAll()
      .where(waits)
      .where('number', '>', arg('after'))
      .orderBy('number')
      .limit(arg('limit')),
)

/** How many of this person wait; names that come with the token are one. */
export const waitingOf = statement<{ name: string; isPerson: 0 | 1 }>()('approval.waitingOf', ({ db }, arg) =>
  db
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(waits)
    .where('is_person', '=', arg('isPerson'))
    .where((eb) => eb.or([eb('is_person', '=', 0), eb('asked_by', '=', arg('name'))])),
)

/** How many wait to be approved, and since when. */
export const askedApprovals = statement<Nothing>()('approval.asked', ({ db }) =>
  db
    .selectFrom('approvals')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('asked_at').as('since')])
    .where('state', '=', 'asked')
    .where(waits),
)

/** The latest asked for first: a page ends at a number. */
export function approvalsPage(
  { states }: { states?: readonly ApprovalState[] | undefined },
  request: PageRequest,
) {
  return statement<Nothing>()('approval.page', ({ db }) => {
    let query = db.selectFrom('approvals').selectAll()
    if (states !== undefined) query = query.where('state', 'in', [...states])
    if (request.after !== null) query = query.where('number', '<', request.after.at)
    return query.orderBy('number', 'desc').limit(request.limit)
  })
}

export const eventsOfApproval = statement<{ approvalId: string }>()('approval.events', ({ db }, arg) =>
  db
    .selectFrom('approval_events')
    .selectAll()
    .where('approval_id', '=', arg('approvalId'))
    .orderBy('sequence'),
)

export const allThresholds = statement<Nothing>()('approval.thresholds', ({ db }) =>
  db.selectFrom('approval_thresholds').selectAll().orderBy('operation').orderBy('currency'),
)

/** In which there are accounts. */
export const ledgerCurrencies = statement<Nothing>()('approval.currencies', ({ db }) =>
  db.selectFrom('accounts').select('currency').distinct().orderBy('currency'),
)

export const approvalsAfter = statement<{ after: string; limit: number }>()('approval.after', ({ db }, arg) =>
  db.selectFrom('approvals').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

export const approvalEventsBetween = statement<{ after: string; last: string }>()(
  'approval.eventsBetween',
  ({ db }, arg) =>
    db
      .selectFrom('approval_events')
      .selectAll()
      .where('approval_id', '>', arg('after'))
      .where('approval_id', '<=', arg('last'))
      .orderBy('approval_id')
      .orderBy('sequence'),
)

export const approvalNumbers = statement<Nothing>()('approval.numbers', ({ db }) =>
  db
    .selectFrom('approvals')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('number').as('last')]),
)

/** How many wait for this person: those that somebody else has asked for. */
export const approvalsForOthers = statement<{ name: string }>()('approval.forOthers', ({ db }, arg) =>
  db
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'asked')
    .where(waits)
    .where('asked_by', '<>', arg('name')),
)
