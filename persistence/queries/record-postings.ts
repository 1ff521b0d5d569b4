/** Postings that are known by the record that made them, for `verify`. */
import { statement } from '../statement.ts'
import type { OrderRange } from './verification.ts'

/** What records of a range of ids have moved, and from where to where. */
export function postingsOfRecords(name: string, kinds: readonly string[]) {
  return statement<OrderRange>()(name, ({ db }, arg) =>
    db
      .selectFrom('postings')
      .select(['reference', 'kind', 'debit_account', 'credit_account', 'amount_minor'])
      .where('kind', 'in', kinds)
      .where('reference', '>', arg('after'))
      .where('reference', '<=', arg('last'))
      .orderBy('id'),
  )
}
