/** An approval as people and programs see it. */
import type { ApprovalState } from '../../machines/approval.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { eventsOfApproval } from '../../persistence/queries/approvals.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { Preview } from './asking.ts'

export interface ApprovalSummary {
  number: number
  operation: string
  state: ApprovalState
  moves: Preview['moves']
  askedBy: string
  /** False where the name is what whoever has the token, or the machine, says. */
  isPerson: boolean
  asked: string
  expires: string
  decidedBy: string | null
  decided: string | null
  ended: string | null
  reason: string | null
  /** Who carries it out, once it is approved. */
  carriedBy: 'node' | 'asker'
  revision: number
}

export interface ApprovalDocument extends ApprovalSummary {
  input: unknown
  preview: Preview
  events: { at: string; by: string; event: string; state: ApprovalState; reason: string | null }[]
}

/** The same for whoever looks at it. */
export interface ShownApproval extends ApprovalDocument {
  /** Why whoever asks here may not approve it; null where they may, and where it does not wait for that. */
  hindrance: { why: string; hint: string | null } | null
}

export function approvalSummary(approval: Row<'approvals'>): ApprovalSummary {
  const { moves }: Preview = JSON.parse(approval.preview_json)
  return {
    number: approval.number,
    operation: approval.operation,
    state: approval.state,
    moves,
    askedBy: approval.asked_by,
    isPerson: approval.is_person === 1,
    asked: formatInstant(approval.asked_at),
    expires: formatInstant(approval.expires_at),
    decidedBy: approval.decided_by,
    decided: instant(approval.decided_at),
    ended: instant(approval.ended_at),
    reason: approval.reason,
    carriedBy: approval.carried_by,
    revision: approval.revision,
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

export async function approvalDocument(
  store: Pick<Store, 'query'>,
  approval: Row<'approvals'>,
): Promise<ApprovalDocument> {
  const events = await store.query(eventsOfApproval, { approvalId: approval.id })
  return {
    ...approvalSummary(approval),
    input: JSON.parse(approval.input_json),
    preview: JSON.parse(approval.preview_json),
    events: events.map(({ told_at, actor, event_json, to_state }) => {
      const { type, reason }: { type: string; reason?: string } = JSON.parse(event_json)
      return { at: formatInstant(told_at), by: actor, event: type, state: to_state, reason: reason ?? null }
    }),
  }
}
