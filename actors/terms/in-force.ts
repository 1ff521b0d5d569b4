/** Which terms hold at an instant. */

import type { FeeTerms } from '../../machines/fees.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

/**
 * The latest of the currency and the direction that has begun; `null` where none has.
 *
 * @param rows of one merchant and country, or of one network
 */
export function feeTermsAt(
  rows: readonly Row<'fee_terms'>[],
  { currency, direction }: { currency: string; direction: Direction },
  at: Instant,
): Row<'fee_terms'> | null {
  return rows
    .filter((row) => row.currency === currency && row.direction === direction && row.from_at <= at)
    .reduce<Row<'fee_terms'> | null>(
      (last, row) => (last === null || row.from_at > last.from_at ? row : last),
      null,
    )
}

/** A row as what fees are worked out from. */
export function feeTermsOf(row: Row<'fee_terms'>): FeeTerms {
  return {
    fixedMinor: row.fixed_minor,
    bps: row.bps,
    minMinor: row.min_minor,
    maxMinor: row.max_minor,
    taxBps: row.tax_bps,
  }
}

type Accounts = Pick<
  Row<'settlement_terms'>,
  'account' | 'account_from_at' | 'next_account' | 'next_account_at'
>

/** Where a party is paid at an instant: what was to come may have come since it was written. */
export function accountsAt(row: Accounts, at: Instant): Accounts {
  if (row.next_account_at === null || row.next_account_at > at) return row
  return {
    account: row.next_account,
    account_from_at: row.next_account_at,
    next_account: null,
    next_account_at: null,
  }
}
