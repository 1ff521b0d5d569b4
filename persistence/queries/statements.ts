/** Reads of statements, and of the postings they are made of. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

interface Book {
  partyId: string
  currency: string
}

interface OfStatement extends Book {
  number: number
}

export const bookOf = statement<Book>()('statement.book', ({ db }, arg) =>
  db
    .selectFrom('statement_books')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency')),
)

export const statementByNumber = statement<OfStatement>()('statement.byNumber', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number')),
)

/** A number that a restore has lost. */
export const lostStatement = statement<OfStatement>()('statement.lost', ({ db }, arg) =>
  db
    .selectFrom('lost_statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number')),
)

/** The newest before a number. */
export const statementBefore = statement<OfStatement>()('statement.before', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '<', arg('number'))
    .orderBy('number', 'desc')
    .limit(1),
)

/** Closed, and not sealed yet: in the order in which they were closed. */
export const unsealedStatements = statement<{ limit: number }>()('statement.unsealed', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .selectAll()
    .where('sealed_at', 'is', null)
    .orderBy('party_id')
    .orderBy('currency')
    .orderBy('number')
    .limit(arg('limit')),
)

/** Whose numbers are in the database alone. */
export const unanchoredStatements = statement<{ limit: number }>()('statement.unanchored', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .select(['party_id', 'currency', 'number'])
    .where('sealed_at', 'is', null)
    .where('anchored_at', 'is', null)
    .orderBy('party_id')
    .orderBy('currency')
    .orderBy('number')
    .limit(arg('limit')),
)

/** Something is left of what they ask for, sealed or not; the oldest first. */
export const openStatementsOf = statement<Book & { limit: number }>()('statement.open', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .whereRef('allocated_minor', '<>', 'due_minor')
    .orderBy('number')
    .limit(arg('limit')),
)

export const rangesOf = statement<OfStatement>()('statement.ranges', ({ db }, arg) =>
  db
    .selectFrom('statement_ranges')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number'))
    .orderBy('account_id'),
)

export const linesAfter = statement<OfStatement & { line: number; limit: number }>()(
  'statement.lines',
  ({ db }, arg) =>
    db
      .selectFrom('statement_lines')
      .selectAll()
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('number', '=', arg('number'))
      .where('line', '>', arg('line'))
      .orderBy('line')
      .limit(arg('limit')),
)

export const lastLineOf = statement<OfStatement>()('statement.lastLine', ({ db }, arg) =>
  db
    .selectFrom('statement_lines')
    .select(['line', 'balance_minor'])
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number'))
    .orderBy('line', 'desc')
    .limit(1),
)

export const lostNumbersOf = statement<{ partyId: string }>()('statement.lost', ({ db }, arg) =>
  db
    .selectFrom('lost_statements')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .orderBy('currency')
    .orderBy('number'),
)

/** A range of an account's numbers. */
export interface AccountRange {
  account: string
  first: number
  last: number
}

/** The postings of an account whose side there has a number of the range; the other side of each is `other`. */
export const debitsOfRange = statement<AccountRange>()('statement.debits', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .leftJoin('orders', 'orders.id', 'postings.order_id')
    .select([
      'postings.id',
      'postings.kind',
      'amount_minor',
      'order_id',
      'reference',
      'posted_at',
      'about_day',
      'credit_account as other',
      'debit_number as number',
      'debit_day as day',
      'orders.direction',
      'orders.lock_network_id as network_id',
      'orders.merchant_order_id',
    ])
    .where('debit_account', '=', arg('account'))
    .where('debit_number', '>=', arg('first'))
    .where('debit_number', '<=', arg('last'))
    .orderBy('debit_number'),
)

export const creditsOfRange = statement<AccountRange>()('statement.credits', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .leftJoin('orders', 'orders.id', 'postings.order_id')
    .select([
      'postings.id',
      'postings.kind',
      'amount_minor',
      'order_id',
      'reference',
      'posted_at',
      'about_day',
      'debit_account as other',
      'credit_number as number',
      'credit_day as day',
      'orders.direction',
      'orders.lock_network_id as network_id',
      'orders.merchant_order_id',
    ])
    .where('credit_account', '=', arg('account'))
    .where('credit_number', '>=', arg('first'))
    .where('credit_number', '<=', arg('last'))
    .orderBy('credit_number'),
)

/** What the postings of a range moved: without their orders, since sums may be of all that was posted after an old day. */
export const debitAmounts = statement<AccountRange>()('statement.debitAmounts', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(['kind', 'amount_minor'])
    .where('debit_account', '=', arg('account'))
    .where('debit_number', '>=', arg('first'))
    .where('debit_number', '<=', arg('last')),
)

export const creditAmounts = statement<AccountRange>()('statement.creditAmounts', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select('amount_minor')
    .where('credit_account', '=', arg('account'))
    .where('credit_number', '>=', arg('first'))
    .where('credit_number', '<=', arg('last')),
)

/** The first posting of an account from a number on, by each side: one look into each index. */
export const firstDebitFrom = statement<{ account: string; first: number }>()(
  'statement.debitFrom',
  ({ db }, arg) =>
    db
      .selectFrom('postings')
      .select(['debit_number as number', 'debit_day as day'])
      .where('debit_account', '=', arg('account'))
      .where('debit_number', '>=', arg('first'))
      .orderBy('debit_number')
      .limit(1),
)

export const firstCreditFrom = statement<{ account: string; first: number }>()(
  'statement.creditFrom',
  ({ db }, arg) =>
    db
      .selectFrom('postings')
      .select(['credit_number as number', 'credit_day as day'])
      .where('credit_account', '=', arg('account'))
      .where('credit_number', '>=', arg('first'))
      .orderBy('credit_number')
      .limit(1),
)

/** Days of a party that have ended, and come after the last one closed; the first of them first. */
export const endedDays = statement<Book & { after: string; now: Instant; limit: number }>()(
  'statement.endedDays',
  ({ db }, arg) =>
    db
      .selectFrom('cut_offs')
      .selectAll()
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('day', '>', arg('after'))
      .where('ends_at', '<=', arg('now'))
      .orderBy('ends_at')
      .limit(arg('limit')),
)

/** When the running day of any party ends that ends first. */
export const nextCutOff = statement<{ now: Instant }>()('statement.nextCutOff', ({ db }, arg) =>
  db
    .selectFrom('cut_offs')
    .select(({ fn }) => fn.min('ends_at').as('ends_at'))
    .where('ends_at', '>', arg('now')),
)
