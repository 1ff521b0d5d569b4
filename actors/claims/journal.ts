/**
 * What a claim was told: append-only, one HMAC chain a claim, under the key of the orders' journals. It holds no text of a party: those
 * are evidence, and can be erased.
 */
import { createHmac } from 'node:crypto'
import type { ClaimEvent, ClaimState } from '../../machines/claim.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { type Actor, actorName } from '../orders/journal.ts'

export type ClaimEntryEvent = (ClaimEvent | { type: 'claim.open'; at: Instant }) & {
  /** The piece of evidence that came with it has the entry's sequence. */
  hasEvidence?: true
  reason?: string
}

export interface ClaimEntry {
  actor: Actor
  event: ClaimEntryEvent
  from: ClaimState | null
  to: ClaimState
}

/** The entry as a row, and what follows from it for the claim's row. */
export function appendClaimEntry(
  key: string,
  before: { id: string; revision: number; head: string },
  { actor, event: { at, ...event }, from, to }: ClaimEntry,
): { write: Write; revision: number; head: string } {
  const unsealed = {
    claim_id: before.id,
    sequence: before.revision + 1,
    told_at: at,
    actor: actorName(actor),
    credential_key: 'credential' in actor ? actor.credential : null,
    event_json: JSON.stringify(event),
    from_state: from,
    to_state: to,
  }
  const hash = claimHash(key, before.head, unsealed)
  return {
    write: { insert: 'claim_events', values: { ...unsealed, hash } },
    revision: unsealed.sequence,
    head: hash,
  }
}

/** The hash of an entry after the hash before it (`''` before the first one). */
export function claimHash(key: string, before: string, entry: Omit<Row<'claim_events'>, 'hash'>): string {
  const fields = [
    entry.claim_id,
    entry.sequence,
    entry.told_at,
    entry.actor,
    entry.credential_key,
    entry.event_json,
    entry.from_state,
    entry.to_state,
  ]
  return createHmac('sha256', key)
    .update(`claim${before}${JSON.stringify(fields)}`)
    .digest('base64url')
}
