/** Reads of statements, their lines and what settles them, for `verify`. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'

interface Book {
  partyId: string
  currency: string
}

/** Whose statements there are, in pages. */
export const booksAfter = statement<{ afterParty: string; afterCurrency: string; limit: number }>()(
  'verify.books',
  ({ db }, arg) =>
    db
      .selectFrom('statement_books')
      .innerJoin('parties', 'parties.id', 'statement_books.party_id')
      .selectAll('statement_books')
      .select('parties.kind')
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('party_id', 'currency'), '>', tuple(arg('afterParty'), arg('afterCurrency'))),
      )
      .orderBy('party_id')
      .orderBy('currency')
      .limit(arg('limit')),
)

export const statementAfter = statement<Book & { number: number }>()('verify.statement', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '>', arg('number'))
    .orderBy('number')
    .limit(1),
)

/** How many numbers between two are recorded as lost, both not counted. */
export const lostBetween = statement<Book & { after: number; before: number }>()(
  'verify.lostNumbers',
  ({ db }, arg) =>
    db
      .selectFrom('lost_statements')
      .select(({ fn }) => fn.countAll<number>().as('numbers'))
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('number', '>', arg('after'))
      .where('number', '<', arg('before')),
)

/** Lines of a statement, each with whether its order is in the archive. */
export const linesWithArchive = statement<Book & { number: number; line: number; limit: number }>()(
  'verify.statementLines',
  ({ db }, arg) =>
    db
      .selectFrom('statement_lines')
      .leftJoin('archived_orders', 'archived_orders.id', 'statement_lines.order_id')
      .selectAll('statement_lines')
      .select('archived_orders.id as archived_id')
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('number', '=', arg('number'))
      .where('line', '>', arg('line'))
      .orderBy('line')
      .limit(arg('limit')),
)

/** What a closing took to *payable*, by the statement that the posting names. */
export const sweptFor = statement<{ account: string; reference: string }>()('verify.swept', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(sql<bigint>`coalesce(sum(amount_minor), 0)`.as('sum_minor'))
    .where('debit_account', '=', arg('account'))
    .where('kind', '=', sql.lit('sweep'))
    .where('reference', '=', arg('reference')),
)

/** Set-offs of one statement against another that are not met by as much of the other way, at most a hundred. */
export const unmetSetOffs = statement<Record<never, never>>()('verify.setOffs', ({ db }) =>
  db
    .selectFrom('allocations')
    .select(({ fn }) => [
      'party_id',
      'currency',
      'number',
      'source_id',
      fn.sum<bigint>('amount_minor').as('sum_minor'),
    ])
    .where('source', '=', sql.lit('set_off'))
    .groupBy(['party_id', 'currency', 'number', 'source_id'])
    .having(
      sql<boolean>`sum(amount_minor) <> -(SELECT coalesce(sum(other.amount_minor), 0) FROM allocations AS other
        WHERE other.source = 'set_off' AND other.party_id = allocations.party_id AND other.currency = allocations.currency
          AND CAST(other.number AS TEXT) = allocations.source_id AND other.source_id = CAST(allocations.number AS TEXT))`,
    )
    .limit(100),
)
