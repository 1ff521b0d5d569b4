/** Which terms hold at an instant. */

import type { FeeTerms } from '../../machines/fees.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

/** What a fee is of (`networkId` is ''), or a commission (`country` is ''). */
export interface FeeKey {
  partyId: string
  networkId: string
  country: string
  currency: string
  direction: Direction
}

/** The latest of these rows that is of the key and has begun; `null` where none has. */
export function feeTermsAt(
  rows: readonly Row<'fee_terms'>[],
  key: FeeKey,
  at: Instant,
): Row<'fee_terms'> | null {
  let found: Row<'fee_terms'> | null = null
  for (const row of rows) {
    const isOfKey =
      row.party_id === key.partyId &&
      row.network_id === key.networkId &&
      row.country === key.country &&
      row.currency === key.currency &&
      row.direction === key.direction
    if (isOfKey && row.from_at <= at && (found === null || row.from_at > found.from_at)) found = row
  }
  return found
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
