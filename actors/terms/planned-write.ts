/** What a plan may write: of each table in which it changes what is there, `apply` shows what was there before. */
import type { Write } from '../../persistence/store.ts'

/** Whoever adds one says how its rows are read; nothing compiles before. */
export type ChangedTable =
  | 'banks'
  | 'calendar_days'
  | 'calendars'
  | 'cut_offs'
  | 'exposure_limits'
  | 'fee_terms'
  | 'networks'
  | 'pairs'
  | 'parties'
  | 'rates'
  | 'settlement_terms'

/** Rows that are added, and stay as they are. */
export type AddedTable = 'account_deposits' | 'credentials'

export type PlannedTable = ChangedTable | AddedTable

export type PlannedWrite = Extract<
  Write,
  | { insert: PlannedTable }
  | { update: ChangedTable }
  | { delete: ChangedTable }
  | { post: unknown }
  | { repay: unknown }
>
