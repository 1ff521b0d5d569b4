/** Reads of payments, of the statements they settle, and of lines of banks. */
import { sql } from 'kysely'
import type { PaymentState } from '../../machines/payment.ts'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

type Nothing = Record<never, never>

export const bankByName = statement<{ name: string }>()('payment.bank', ({ db }, arg) =>
  db.selectFrom('banks').selectAll().where('name', '=', arg('name')),
)

export const paymentById = statement<{ id: string }>()('payment.byId', ({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('id', '=', arg('id')),
)

export interface PaymentFilter {
  state?: PaymentState | undefined
  partyId?: string | undefined
  runId?: string | undefined
}

/** Payments with whose they are, the newest first. */
export function paymentsPage(filter: PaymentFilter, { after, limit }: PageRequest) {
  return statement<Nothing>()('payment.page', ({ db }) => {
    let query = db
      .selectFrom('payments')
      .innerJoin('parties', 'parties.id', 'payments.party_id')
      .selectAll('payments')
      .select(['parties.name as party_name', 'parties.kind as party_kind'])
    if (filter.state !== undefined) query = query.where('state', '=', filter.state)
    if (filter.partyId !== undefined) query = query.where('party_id', '=', filter.partyId)
    if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('ordered_at', 'payments.id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('ordered_at', 'desc').orderBy('payments.id', 'desc').limit(limit)
  })
}

export const eventsOfPayment = statement<{ paymentId: string }>()('payment.events', ({ db }, arg) =>
  db.selectFrom('payment_events').selectAll().where('payment_id', '=', arg('paymentId')).orderBy('sequence'),
)

/** What a payment settles of each statement, what was released taken off. */
export const allocationsOfPayment = statement<{ paymentId: string }>()('payment.allocations', ({ db }, arg) =>
  db
    .selectFrom('allocations')
    .select(({ fn }) => ['number', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('source', '=', sql.lit('payment'))
    .where('source_id', '=', arg('paymentId'))
    .groupBy('number')
    .orderBy('number'),
)

/** Those that came in, and of which something settles nothing yet; the oldest first. */
export const paymentsWithRest = statement<{ partyId: string; currency: string; limit: number }>()(
  'payment.withRest',
  ({ db }, arg) =>
    db
      .selectFrom('payments')
      .select(['id', 'rest_minor'])
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('rest_minor', '>', sql<bigint>`0`)
      .orderBy('id')
      .limit(arg('limit')),
)

/** Whose sealed statements something is left of, in pages. */
export const owedParties = statement<{ afterParty: string; afterCurrency: string; limit: number }>()(
  'payment.owedParties',
  ({ db }, arg) =>
    db
      .selectFrom('statements')
      .innerJoin('parties', 'parties.id', 'statements.party_id')
      .select(['party_id', 'statements.currency', 'parties.name', 'parties.kind', 'parties.frozen_at'])
      .distinct()
      .whereRef('allocated_minor', '<>', 'due_minor')
      .where('sealed_at', 'is not', null)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('party_id', 'statements.currency'), '>', tuple(arg('afterParty'), arg('afterCurrency'))),
      )
      .orderBy('party_id')
      .orderBy('statements.currency')
      .limit(arg('limit')),
)

/** Ordered, and in the database alone. */
export const unanchoredPayments = statement<{ limit: number }>()('payment.unanchored', ({ db }, arg) =>
  db
    .selectFrom('payments')
    .select(['id', 'party_id', 'currency', 'amount_minor', 'bank', 'run_id'])
    .where('direction', '=', sql.lit('out'))
    .where('anchored_at', 'is', null)
    .orderBy('id')
    .limit(arg('limit')),
)

/** What a restore has lost of a party's payments, as long as nobody has said what became of it. */
export const lostPaymentsOf = statement<{ partyId: string; currency: string }>()(
  'payment.lost',
  ({ db }, arg) =>
    db
      .selectFrom('lost_payments')
      .innerJoin('exceptions', 'exceptions.id', 'lost_payments.exception_id')
      .selectAll('lost_payments')
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('state', '=', sql.lit('open'))
      .orderBy('lost_payments.id'),
)

/** Whether anything was said of it or not. */
export const lostPayment = statement<{ id: string }>()('payment.lostById', ({ db }, arg) =>
  db.selectFrom('lost_payments').selectAll().where('id', '=', arg('id')),
)

export const runById = statement<{ id: string }>()('payment.run', ({ db }, arg) =>
  db.selectFrom('payment_runs').selectAll().where('id', '=', arg('id')),
)

/** Runs of which some payments may still have to be ordered. */
export const openRuns = statement<Nothing>()('payment.openRuns', ({ db }) =>
  db.selectFrom('payment_runs').selectAll().where('completed_at', 'is', null).orderBy('id').limit(20),
)

/** What the file of a run says, in the order of ids. */
export const paymentsInFile = statement<{ runId: string }>()('payment.inFile', ({ db }, arg) =>
  db
    .selectFrom('payments')
    .innerJoin('parties', 'parties.id', 'payments.party_id')
    .select(['payments.id', 'parties.name', 'account', 'amount_minor', 'currency', 'anchored_at'])
    .where('run_id', '=', arg('runId'))
    .where('is_in_file', '=', 1)
    .orderBy('payments.id'),
)

export const bankEntry = statement<{ bank: string; direction: 'out' | 'in'; reference: string }>()(
  'payment.bankEntry',
  ({ db }, arg) =>
    db
      .selectFrom('bank_entries')
      .selectAll()
      .where('bank', '=', arg('bank'))
      .where('direction', '=', arg('direction'))
      .where('reference', '=', arg('reference')),
)
