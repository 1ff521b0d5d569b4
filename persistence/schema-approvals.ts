/** The tables of approvals; what columns hold is said in `schema.ts`. */
import type { ApprovalState } from '../machines/approval.ts'
import type { Instant } from '../machines/time.ts'

/** An operation that somebody asked for, and that needs a second person. */
export interface ApprovalTable {
  id: string
  /** From one on, without gaps. */
  number: number
  operation: string
  /** Without secrets. */
  input_json: string
  /** SHA-256 of operation and input: the same request waits once. */
  input_digest: string
  /** What it would do, as it was shown when it was asked for. */
  preview_json: string
  /** What it comes to, and of which revisions: another result voids it. */
  fingerprint: string
  /** By whom it is carried out: the node, once it is approved, or whoever asked, to whom its answer belongs. */
  carried_by: 'node' | 'asker'
  asked_by: string
  /** Signed in; otherwise a claim of whoever has the token, or the machine. */
  is_person: 0 | 1
  asked_at: Instant
  expires_at: Instant
  state: ApprovalState
  decided_by: string | null
  decided_at: Instant | null
  /** Why it was refused, withdrawn or voided, or could not be carried out. */
  reason: string | null
  ended_at: Instant | null
  /** Counts what it was told; the last of those entries has `head` as its hash. */
  revision: number
  head: string
  machine_version: number
  snapshot: string
}

/** What an approval was told, append-only; `hash` chains each entry to the one before it. */
export interface ApprovalEventTable {
  approval_id: string
  sequence: number
  told_at: Instant
  actor: string
  event_json: string
  from_state: ApprovalState | null
  to_state: ApprovalState
  hash: string
}

/** Above it an operation needs a second person; `*` for every operation without one of its own. */
export interface ApprovalThresholdTable {
  operation: string
  currency: string
  amount_minor: bigint
  set_at: Instant
  set_by: string
  revision: number
}

/** What moved without a second person lately. */
export interface UnapprovedSumTable {
  /** Whose threshold has judged it: an operation, or `*`. */
  operation: string
  /** `person:ana`, `token`, `party:<id>`, `node`. */
  scope: string
  currency: string
  /** `[[at, minor], …]`, the oldest first. */
  entries_json: string
}

export interface ApprovalTables {
  approvals: ApprovalTable
  approval_events: ApprovalEventTable
  approval_thresholds: ApprovalThresholdTable
  unapproved_sums: UnapprovedSumTable
}
