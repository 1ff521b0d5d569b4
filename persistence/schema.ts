/**
 * The tables, the same for every engine.
 *
 * Columns ending in `_minor` are minor units and read and bound as BigInt; columns ending in `_at` are
 * instants (milliseconds since the epoch); flags are 0 or 1; `_json` columns hold JSON text.
 */
import type { Generated, Selectable } from 'kysely'
import type { Direction } from '../machines/order.ts'
import type { OrderStatus } from '../machines/statuses.ts'
import type { Instant } from '../machines/time.ts'
import type { AdjustmentTables } from './schema-adjustments.ts'
import type { ApprovalTables } from './schema-approvals.ts'
import type { ArchivedBalanceTable, ArchivedEntryTable, ArchivedOrderTable } from './schema-archive.ts'
import type { ClaimTables } from './schema-claims.ts'
import type { ConversionTables } from './schema-conversions.ts'
import type {
  ChainCursorTable,
  ChainDepositTable,
  ForeignOrderTable,
  QuoteTable,
} from './schema-foreign-currency.ts'
import type { AccountDepositTable, AccountTable, ExposureTable, PostingTable } from './schema-ledger.ts'
import type { OperatorListTable } from './schema-lists.ts'
import type { NotificationTables } from './schema-notifications.ts'
import type { OrderDayTable, OrderTotalTable } from './schema-order-counts.ts'
import type { PaymentTables } from './schema-payments.ts'
import type { PeopleTables } from './schema-people.ts'
import type { ReconciliationTables } from './schema-reconciliation.ts'
import type { RefundableTable } from './schema-refunds.ts'
import type { SandboxTables } from './schema-sandbox.ts'
import type { SettlementTables } from './schema-settlement.ts'
import type { StatementTables } from './schema-statements.ts'
import type { TreasuryCountTable, TreasuryMovementTable, TreasuryOutflowTable } from './schema-treasuries.ts'
import type { WebhookAttemptTable, WebhookTable } from './schema-webhooks.ts'

export type Flag = 0 | 1
export type PartyKind = 'merchant' | 'provider'

export interface PartyTable {
  id: string
  kind: PartyKind
  name: string
  contact: string
  requests_per_minute: number | null
  frozen_at: Instant | null
  frozen_reason: string | null
  /** While it is set nothing is sent to this merchant; what happens meanwhile waits. */
  webhooks_paused_at: Instant | null
  /** Nothing is given up for its age as it was before then. */
  webhooks_resumed_at: Instant | null
  /** The key an operator chose for this merchant's webhooks, and when. */
  webhook_credential_key: string | null
  webhook_credential_at: Instant | null
  /** Sealed like a key's secret; null while its webhooks are signed in the protocol's way alone (protocol 6.7). */
  webhook_secret_ciphertext: Generated<string | null>
  webhook_secret_at: Generated<Instant | null>
  /** The one before, which signs beside it until then. */
  former_webhook_secret_ciphertext: Generated<string | null>
  former_webhook_secret_until_at: Generated<Instant | null>
  created_at: Instant
}

/** A key and its secret, AES-256-GCM under a key derived from the master key. */
export interface CredentialTable {
  key: string
  party_id: string
  secret_ciphertext: string
  created_at: Instant
  /** The first valid request signed with it; webhooks move to a new key then. */
  first_used_at: Instant | null
  last_used_at: Instant | null
  revoked_at: Instant | null
}

/** A country and currency a merchant is enabled for, with its inclusive limits. */
export interface PairTable {
  merchant_id: string
  country: string
  currency: string
  min_minor: bigint
  max_minor: bigint
  cash_increment_minor: bigint
  pay_out: Flag
  pay_in: Flag
}

/** What an operator fixed, or what was read last from where `source_json` says. */
export interface RateTable {
  blockchain: string
  send_currency: string
  country: string
  target_currency: string
  rate: string | null
  fee_fixed: string
  fee_bps: number
  max_age_seconds: number | null
  source_json: string | null
  /** What the rate was made of, where it was read. */
  reading_json: string | null
  /** Why what was read last is no rate; null while it is one. */
  problem: string | null
  /** When the rate was fixed or read. */
  updated_at: Instant
  /** How far what is read may be from the last one accepted; null means the usual. */
  max_jump_percent: Generated<number | null>
  /** What was accepted at the beginning of the present hour, and when. */
  jump_base: Generated<string | null>
  jump_base_at: Generated<Instant | null>
  /** What the sources told that nobody has agreed to yet; null while nothing is in doubt. */
  doubt_json: Generated<string | null>
}

export interface OrderTable {
  id: string
  code: string
  direction: Direction
  order_type: string
  merchant_id: string
  merchant_order_id: string
  /** The credential that created it. */
  credential_key: string
  country: string
  price_minor: bigint
  currency: string
  description: string
  notify_url: string
  return_url: string
  created_at: Instant
  modified_at: Instant
  expiry_at: Instant
  /** When the order falls due by itself; null once it is final. */
  due_at: Instant | null
  paid_at: Instant | null
  status: OrderStatus
  lock_provider_id: string | null
  lock_network_id: string | null
  locked_at: Instant | null
  /** It was open in a backup that was restored: whether it was paid since is not known, so no payment is started. */
  quarantined_at: Instant | null
  /** How often a provider has taken the lock. */
  locks: number
  /** Counts accepted events: two readers of the same revision saw the same order. */
  revision: number
  journal_count: number
  journal_head: string
  /** Refused events, those beyond the journal's limit included. */
  refusals: number
  webhook_count: number
  machine: string
  machine_version: number
  snapshot: string
  /** Agreed on when it was made: what it costs its merchant, the tax on that, and by which terms; null where none had been. */
  fee_minor: Generated<bigint>
  fee_tax_minor: Generated<bigint>
  fee_terms_id: Generated<string | null>
  /** Agreed on when it was locked: what its provider earns by it. Nothing while nobody holds it. */
  commission_minor: Generated<bigint>
  commission_tax_minor: Generated<bigint>
  commission_terms_id: Generated<string | null>
  /** The pay-in that this pay-out gives back; it may be in the archive. */
  refund_of: Generated<string | null>
}

/** Personal data, kept apart so that it can be erased. */
export interface ConsumerTable {
  order_id: string
  email: string
  phone_number: string
  /** The e-mail is found by it (actors/orders/consumer-digest.ts); null where there is none, or it was not made yet. */
  email_digest: Generated<string | null>
  /** The same of the telephone number. */
  phone_digest: Generated<string | null>
  /** Since then all of it is empty, because somebody asked for it. */
  erased_at: Generated<Instant | null>
}

/** All that an order holds of persons, as it is once that is erased; whatever erases or archives it takes these. */
export const noPersonalData: Omit<Selectable<ConsumerTable>, 'order_id' | 'erased_at'> = {
  email: '',
  phone_number: '',
  email_digest: null,
  phone_digest: null,
}

/** Append-only; `hash` chains each entry to the one before it. */
export interface JournalTable {
  /** In the order of commits, over all orders. */
  position: Generated<number>
  order_id: string
  sequence: number
  entry_at: Instant
  /** `merchant:NAME`, `provider:NAME`, `operator:NAME`, `funding`, `clock` … */
  actor: string
  credential_key: string | null
  event_json: string
  from_status: OrderStatus | null
  to_status: OrderStatus
  /** `accepted`, or the reason of the refusal. */
  outcome: string
  hash: string
}

/** A local pay-out that waits for its merchant's balance. */
export interface FundingRequestTable {
  order_id: string
  /** Creation order within the queue. */
  position: Generated<number>
  merchant_id: string
  currency: string
  price_minor: bigint
}

/** Messages that were judged: accepted starts and cancels, and every start, confirm and cancel that was refused. */
export interface RepeatedMessageTable {
  party_id: string
  digest: string
  /** '' where it was refused before its order was looked at. */
  order_id: string
  /** The order's revision after the message; 0 without an order. */
  revision: number
  answer_json: string
  /** When it was judged; of one that came too early, when it says that it was made. */
  accepted_at: Instant
  /** 0 where the same bytes may be another till's, so that they are judged as a second message. */
  is_repeatable: Generated<Flag>
}

/**
 * How many codes a provider may still ask for in vain: what was taken out of its budgets, by whichever node, before
 * it was used.
 */
export interface CodeBudgetTable {
  provider_id: string
  minute_began_at: Instant
  minute_misses: number
  /** `[{ number, misses, hits }]`: hours since the epoch, the last 24 and the present one. */
  hours_json: string
}

export interface IdempotencyKeyTable {
  party_id: string
  key: string
  /** SHA-256 of method, path and body. */
  payload_digest: string
  order_id: string | null
  revision: number | null
  answer_json: string
  created_at: Instant
}

/** Everything that needs a person. */
export interface ExceptionTable {
  id: string
  kind: string
  state: 'open' | 'resolved'
  order_id: string | null
  chain: string | null
  transaction_id: string | null
  amount: string | null
  asset: string | null
  sender: string | null
  reason: string
  evidence_json: string
  opened_at: Instant
  resolved_at: Instant | null
  /** One of those its kind has, or what the node itself saw. */
  resolution: string | null
  /** The operator, as they gave their name; null where the node itself saw it settled. */
  resolved_by: string | null
  resolution_reason: string | null
  /** What the operator had in hand: a receipt's number, a mail. */
  resolution_evidence: string | null
  /** Counts changes: who resolves says which one they saw. */
  revision: number
}

/** Every operation of an operator. */
export interface AuditTable {
  id: Generated<number>
  done_at: Instant
  operator: string
  operation: string
  input_json: string
  outcome: string
}

/** The node's own secrets, wrapped under the master key: `journal`, `reference`. */
export interface SecretTable {
  name: string
  ciphertext: string
}

/** Facts about the database itself: the master key's fingerprint, whether it was provisioned, … */
export interface FactTable {
  name: string
  value: string
}

export interface Tables
  extends SettlementTables,
    StatementTables,
    PaymentTables,
    AdjustmentTables,
    ConversionTables,
    ReconciliationTables,
    PeopleTables,
    NotificationTables,
    ClaimTables,
    ApprovalTables,
    SandboxTables {
  parties: PartyTable
  credentials: CredentialTable
  pairs: PairTable
  rates: RateTable
  account_deposits: AccountDepositTable
  accounts: AccountTable
  postings: PostingTable
  exposures: ExposureTable
  orders: OrderTable
  refundable: RefundableTable
  consumers: ConsumerTable
  journal: JournalTable
  funding_requests: FundingRequestTable
  webhooks: WebhookTable
  webhook_attempts: WebhookAttemptTable
  repeated_messages: RepeatedMessageTable
  idempotency_keys: IdempotencyKeyTable
  code_budgets: CodeBudgetTable
  exceptions: ExceptionTable
  quotes: QuoteTable
  foreign_orders: ForeignOrderTable
  deposits: ChainDepositTable
  chain_cursors: ChainCursorTable
  treasury_counts: TreasuryCountTable
  treasury_movements: TreasuryMovementTable
  treasury_outflows: TreasuryOutflowTable
  audit: AuditTable
  secrets: SecretTable
  facts: FactTable
  operator_lists: OperatorListTable
  order_totals: OrderTotalTable
  order_days: OrderDayTable
  archived_orders: ArchivedOrderTable
  archived_entries: ArchivedEntryTable
  archived_balances: ArchivedBalanceTable
}

export type TableName = keyof Tables
