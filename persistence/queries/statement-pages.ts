/** Reads of statements for those who look at them: lists, what is open in all, what settled one, and what closes next. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Instant } from '../../machines/time.ts'
import type { PartyKind, Tables } from '../schema.ts'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'

type Nothing = Record<never, never>

interface OfStatement {
  partyId: string
  currency: string
  number: number
}

export interface StatementFilter {
  partyId?: string | undefined
  kind?: PartyKind | undefined
  currency?: string | undefined
  /** `open`: something is left of what it asks for. `settled`: nothing is. `closing`: it is not sealed yet. */
  state?: 'open' | 'settled' | 'closing' | 'sealed' | undefined
  /** Open, and due before this day. */
  overdueOn?: string | undefined
  /** Whose last day is this one or later. */
  from?: string | undefined
  /** Whose last day is this one or earlier. */
  to?: string | undefined
}

/** When it falls due: one that is too small by itself with the next open one that is not. */
function dueDay({ ref, selectFrom, fn }: ExpressionBuilder<Tables, 'statements'>) {
  const later = selectFrom('statements as later')
    .select(sql<string>`min(coalesce(later.postponed_to, later.due_on))`.as('day'))
    .whereRef('later.party_id', '=', 'statements.party_id')
    .whereRef('later.currency', '=', 'statements.currency')
    .whereRef('later.number', '>', 'statements.number')
    .whereRef('later.allocated_minor', '<>', 'later.due_minor')
  return fn.coalesce(ref('statements.postponed_to'), ref('statements.due_on'), later)
}

/** Statements with whose they are, the latest closed first. An end's id is `party/currency/number`. */
export function statementsPage(filter: StatementFilter, { after, limit }: PageRequest) {
  return statement<Nothing>()('statement.page', ({ db }) => {
    let query = db
      .selectFrom('statements')
      .innerJoin('parties', 'parties.id', 'statements.party_id')
      .selectAll('statements')
      .select('parties.name')
    const { partyId, kind, currency, state, overdueOn, from, to } = filter
    if (partyId !== undefined) query = query.where('party_id', '=', partyId)
    if (kind !== undefined) query = query.where('party_kind', '=', kind)
    if (currency !== undefined) query = query.where('statements.currency', '=', currency)
    if (state === 'open' || overdueOn !== undefined)
      query = query.whereRef('allocated_minor', '<>', 'due_minor')
    if (state === 'settled') query = query.whereRef('allocated_minor', '=', 'due_minor')
    if (state === 'closing') query = query.where('sealed_at', 'is', null)
    if (state === 'sealed') query = query.where('sealed_at', 'is not', null)
    if (overdueOn !== undefined) query = query.where((eb) => eb(dueDay(eb), '<', overdueOn))
    if (from !== undefined) query = query.where('to_day', '>=', from)
    if (to !== undefined) query = query.where('to_day', '<=', to)
    if (after !== null) {
      const [party = '', of = '', number = '0'] = after.id.split('/')
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('closed_at', 'party_id', 'statements.currency', 'number'),
          '<',
          tuple(after.at, party, of, Number(number)),
        ),
      )
    }
    return query
      .orderBy('closed_at', 'desc')
      .orderBy('party_id', 'desc')
      .orderBy('statements.currency', 'desc')
      .orderBy('number', 'desc')
      .limit(limit)
  })
}

/** What is left of all open statements, by currency, sign and when it falls due as seen on a day. */
export function openTotals(day: string) {
  return statement<Nothing>()('statement.openTotals', ({ db }) =>
    db
      .selectFrom(
        db
          .selectFrom('statements')
          .select((eb) => [
            'statements.currency',
            sql<bigint>`due_minor - allocated_minor`.as('left_minor'),
            dueDay(eb).as('due_day'),
          ])
          .whereRef('allocated_minor', '<>', 'due_minor')
          .where('sealed_at', 'is not', null)
          .as('open'),
      )
      .select(({ fn, ref }) => {
        const due = ref('open.due_day')
        return [
          'open.currency',
          sql<'pay' | 'collect'>`case when ${ref('open.left_minor')} > 0 then 'pay' else 'collect' end`.as(
            'side',
          ),
          sql<OpenSince>`case when ${due} is null then 'carried' when ${due} < ${day} then 'overdue' when ${due} = ${day} then 'today' else 'later' end`.as(
            'since',
          ),
          fn.sum<bigint>('open.left_minor').as('sum_minor'),
          fn.countAll<number>().as('statements'),
          fn.min('open.due_day').as('first_day'),
        ]
      })
      .groupBy([sql`1`, sql`2`, sql`3`])
      .orderBy(sql`1`),
  )
}

export type OpenSince = 'overdue' | 'today' | 'later' | 'carried'

/** Payments to parties that the bank has not booked. */
export const paymentsUnderWay = statement<Nothing>()('payment.underWay', ({ db }) =>
  db
    .selectFrom('payments')
    .select(({ fn }) => [
      'currency',
      'state',
      fn.sum<bigint>('amount_minor').as('sum_minor'),
      fn.countAll<number>().as('payments'),
      fn.min('ordered_at').as('first_at'),
    ])
    .where('state', 'in', ['ordered', 'sent'])
    .groupBy(['currency', 'state'])
    .orderBy('currency')
    .orderBy('state'),
)

/** Days that end behind an instant with whose they are and how that party is closed; the first ones first. */
export const comingCutOffs = statement<{ now: Instant; limit: number }>()(
  'statement.comingCutOffs',
  ({ db }, arg) =>
    db
      .selectFrom('cut_offs')
      .innerJoin('settlement_terms as terms', (join) =>
        join
          .onRef('terms.party_id', '=', 'cut_offs.party_id')
          .onRef('terms.currency', '=', 'cut_offs.currency'),
      )
      .innerJoin('parties', 'parties.id', 'cut_offs.party_id')
      .leftJoin('statement_books as books', (join) =>
        join
          .onRef('books.party_id', '=', 'cut_offs.party_id')
          .onRef('books.currency', '=', 'cut_offs.currency'),
      )
      .select([
        'cut_offs.party_id',
        'cut_offs.currency',
        'cut_offs.day',
        'cut_offs.ends_at',
        'terms.every_json',
        'terms.time_zone',
        'parties.name',
        'parties.kind',
      ])
      .where('cut_offs.ends_at', '>', arg('now'))
      // A day that was closed on request closes no more.
      .where(({ or, eb }) =>
        or([eb('books.closed_day', 'is', null), eb('books.closed_day', '<', eb.ref('cut_offs.day'))]),
      )
      .orderBy('cut_offs.ends_at')
      .orderBy('parties.name')
      .orderBy('cut_offs.currency')
      .limit(arg('limit')),
)

export const unsealedCount = statement<Nothing>()('statement.unsealedCount', ({ db }) =>
  db
    .selectFrom('statements')
    .select(({ fn }) => fn.countAll<number>().as('statements'))
    .where('sealed_at', 'is', null),
)

/** What settled a statement, and what was taken back of that; in the order of time. */
export const allocationsOfStatement = statement<OfStatement & { limit: number }>()(
  'statement.allocations',
  ({ db }, arg) =>
    db
      .selectFrom('allocations')
      .select(['id', 'source', 'source_id', 'amount_minor', 'allocated_at'])
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('number', '=', arg('number'))
      .orderBy('allocated_at')
      .orderBy('id')
      .limit(arg('limit')),
)

/** What the lines of a sealed statement add up to; none before it is sealed. */
export const sumsOfStatement = statement<OfStatement>()('statement.sums', ({ db }, arg) =>
  db
    .selectFrom('statement_sums')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number'))
    .orderBy('kind')
    .orderBy('direction'),
)

/** Where the party does business in a currency, by its pairs or its networks. */
export const countryOfParty = statement<{ partyId: string; currency: string }>()(
  'party.country',
  ({ db }, arg) =>
    db
      .selectFrom('pairs')
      .select('country')
      .where('merchant_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .union(
        db
          .selectFrom('networks')
          .select((eb) => eb.fn.coalesce('country', sql<string>`''`).as('country'))
          .where('provider_id', '=', arg('partyId'))
          .where('currency', '=', arg('currency'))
          .where('country', 'is not', null),
      )
      .orderBy('country')
      .limit(1),
)

/** Something is left of them, and they fall due by themselves; in pages. */
export const dueStatementsAfter = statement<{ party: string; of: string; number: number; limit: number }>()(
  'statement.dueAfter',
  ({ db }, arg) =>
    db
      .selectFrom('statements')
      .select(['party_id', 'currency', 'number', 'due_on', 'postponed_to'])
      .whereRef('allocated_minor', '<>', 'due_minor')
      .where('due_on', 'is not', null)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('party_id', 'currency', 'number'), '>', tuple(arg('party'), arg('of'), arg('number'))),
      )
      .orderBy('party_id')
      .orderBy('currency')
      .orderBy('number')
      .limit(arg('limit')),
)
