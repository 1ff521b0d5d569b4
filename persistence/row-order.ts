/** The one order in which every step reads and locks its rows, so that no two steps wait for each other. */
import type { TableName } from './schema.ts'
import type { RowRef, RowRefs } from './store.ts'

/** Total over the tables: a new one does not compile until it has its place. */
const tableRanks: Readonly<Record<TableName, number>> = {
  facts: 0,
  secrets: 1,
  parties: 2,
  credentials: 3,
  pairs: 4,
  networks: 5,
  rates: 6,
  account_deposits: 7,
  chain_cursors: 8,
  quotes: 9,
  orders: 10,
  foreign_orders: 11,
  consumers: 12,
  deposits: 13,
  journal: 14,
  funding_requests: 15,
  accounts: 16,
  postings: 17,
  webhooks: 18,
  webhook_attempts: 19,
  repeated_messages: 20,
  idempotency_keys: 21,
  exceptions: 22,
  audit: 23,
  people: 24,
  sessions: 25,
  order_totals: 26,
  order_days: 27,
  archived_orders: 28,
  archived_entries: 29,
  archived_balances: 30,
  code_budgets: 31,
  treasury_outflows: 32,
  treasury_movements: 33,
  treasury_counts: 34,
  banks: 35,
  calendars: 36,
  calendar_days: 37,
  settlement_terms: 38,
  cut_offs: 39,
  fee_terms: 40,
  exposure_limits: 41,
  statement_books: 50,
  statements: 51,
  statement_ranges: 52,
  statement_lines: 53,
  allocations: 54,
  lost_statements: 55,
  exposures: 42,
  refundable: 56,
  payment_runs: 57,
  payments: 58,
  payment_events: 59,
  bank_entries: 60,
  lost_payments: 61,
  corrected_lines: 62,
  adjustments: 63,
  conversions: 64,
  exchange_pairs: 65,
  statement_sums: 66,
  network_references: 67,
  report_files: 68,
  report_lines: 69,
  report_missing: 70,
  sent_reports: 71,
  sent_report_parts: 72,
  passkeys: 73,
  recovery_codes: 74,
  invitations: 75,
  notification_channels: 76,
  notification_rules: 77,
  notification_events: 78,
  notification_levels: 79,
  notification_topics: 80,
  notifications: 81,
  claimed_orders: 82,
  claims: 83,
  claim_events: 84,
  claim_evidence: 85,
  claim_contents: 86,
  operator_lists: 87,
  lost_claims: 88,
  simulations: 89,
  approval_thresholds: 90,
  unapproved_sums: 91,
  approvals: 92,
  approval_events: 93,
  receiver_faults: 94,
  sandbox_deliveries: 95,
  inbox_arrivals: 96,
  go_live_steps: 97,
}

/** Every row that a step names. */
export function refsOf(rows: RowRefs): RowRef[] {
  return Object.values(rows).flatMap((named) => named ?? [])
}

/** Rows in table order, and within a table by key. */
export function inLockingOrder(refs: readonly RowRef[]): readonly RowRef[] {
  return refs.length > 1 ? refs.toSorted(compareRefs) : refs
}

/** What was found of the rows that a step names, by the names it gave them. */
export function byName<Found>(
  rows: RowRefs,
  find: (ref: RowRef) => Found | null,
): Record<string, Found | null | (Found | null)[]> {
  const found: Record<string, Found | null | (Found | null)[]> = {}
  for (const name of Object.keys(rows)) {
    const named = rows[name]
    if (named === undefined) found[name] = null
    else found[name] = isMany(named) ? named.map(find) : find(named)
  }
  return found
}

/** TypeScript does not narrow a union with a readonly array by `Array.isArray`. */
function isMany(named: RowRef | readonly RowRef[]): named is readonly RowRef[] {
  return Array.isArray(named)
}

function compareRefs(a: RowRef, b: RowRef): number {
  if (a.table !== b.table) return tableRanks[a.table] - tableRanks[b.table]
  const [left, right] = [keyText(a), keyText(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function keyText(ref: RowRef): string {
  const columns = Object.entries(ref.key).sort(([a], [b]) => (a < b ? -1 : 1))
  return columns.map(([column, value]) => `${column}=${value}`).join('\n')
}
