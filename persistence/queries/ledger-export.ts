/** Reads of the whole ledger for an export, for a reader beside the store: postings in pages, what lies before them in sums. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

type Nothing = Record<never, never>

/** From an instant, and before another one. */
export interface Period {
  from: Instant
  until: Instant
}

export const postingsPage = statement<Period & { after: number; limit: number }>()(
  'ledgerExport.postings',
  ({ db }, arg) =>
    db
      .selectFrom('postings')
      .selectAll()
      .where('id', '>', arg('after'))
      .where('posted_at', '>=', arg('from'))
      .where('posted_at', '<', arg('until'))
      .orderBy('id')
      .limit(arg('limit')),
)

export const debitsBefore = statement<{ at: Instant }>()('ledgerExport.debits', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => ['debit_account as account', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('posted_at', '<', arg('at'))
    .groupBy('debit_account'),
)

export const creditsBefore = statement<{ at: Instant }>()('ledgerExport.credits', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => ['credit_account as account', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('posted_at', '<', arg('at'))
    .groupBy('credit_account'),
)

/** When the first and the last of a period were posted; null where there is none. */
export const postedWithin = statement<Period>()('ledgerExport.within', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => [
      fn.min<Instant | null>('posted_at').as('first'),
      fn.max<Instant | null>('posted_at').as('last'),
    ])
    .where('posted_at', '>=', arg('from'))
    .where('posted_at', '<', arg('until')),
)

export const exportedAccounts = statement<Nothing>()('ledgerExport.accounts', ({ db }) =>
  db
    .selectFrom('accounts')
    .leftJoin('parties', 'parties.id', 'accounts.owner_id')
    .select([
      'accounts.id',
      'accounts.kind',
      'accounts.owner_id',
      'accounts.currency',
      'accounts.balance_minor',
      'parties.kind as party_kind',
      'parties.name as party_name',
    ])
    .orderBy('accounts.id'),
)
