/** What an approval was told: append-only, one HMAC chain an approval, under the key of the orders' journals. */
import { createHmac } from 'node:crypto'
import type { ApprovalEvent, ApprovalState } from '../../machines/approval.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'

export type ApprovalEntryEvent = (ApprovalEvent | { type: 'approval.ask'; at: Instant }) & { reason?: string }

export interface ApprovalEntry {
  /** Whoever said it; `node` where nobody did. */
  actor: string
  event: ApprovalEntryEvent
  from: ApprovalState | null
  to: ApprovalState
}

/** What the first entry binds: nobody changes what is approved behind it. */
export type Asked = Pick<Row<'approvals'>, 'operation' | 'input_json' | 'preview_json' | 'fingerprint'>

/** The entry as a row, and what follows from it for the approval's row. */
export function appendApprovalEntry(
  key: string,
  before: Asked & { id: string; revision: number; head: string },
  { actor, event: { at, ...event }, from, to }: ApprovalEntry,
): { write: Write; revision: number; head: string } {
  const unsealed = {
    approval_id: before.id,
    sequence: before.revision + 1,
    told_at: at,
    actor,
    event_json: JSON.stringify(event),
    from_state: from,
    to_state: to,
  }
  const hash = approvalHash(key, before, before.head, unsealed)
  return {
    write: { insert: 'approval_events', values: { ...unsealed, hash } },
    revision: unsealed.sequence,
    head: hash,
  }
}

/** The hash of an entry after the hash before it (`''` before the first one). */
export function approvalHash(
  key: string,
  { operation, input_json, preview_json, fingerprint }: Asked,
  before: string,
  entry: Omit<Row<'approval_events'>, 'hash'>,
): string {
  const { approval_id, sequence, told_at, actor, event_json, from_state, to_state } = entry
  const fields = [
    ...[approval_id, sequence, told_at, actor, event_json, from_state, to_state],
    ...[operation, input_json, preview_json, fingerprint],
  ]
  return createHmac('sha256', key)
    .update(`approval${before}${JSON.stringify(fields)}`)
    .digest('base64url')
}
