/** An exception that a claim holds is resolved for itself: in the same step the claim is over with it, or goes on without it. */
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { type Actor, actorName } from '../orders/journal.ts'
import { isUndecided } from './documents.ts'
import { tellClaim } from './gate.ts'
import { appendClaimEntry } from './journal.ts'

/** @param claim held by the step; @param as how the exception is resolved */
export function releaseClaim(
  journalKey: string,
  claim: Row<'claims'> | null,
  exceptionId: string,
  { as, actor, reason, at }: { as: string; actor: Actor; reason: string; at: Instant },
): Write[] {
  if (claim === null || !isUndecided(claim)) return []
  // What it asks for is done: the money has gone where the claim wants it.
  const isSettled = as === 'honour' && claim.kind === 'paid_not_credited'
  if (!isSettled && claim.exception_id !== exceptionId) return []
  const event = { type: 'claim.release', at, isSettled } as const
  const told = tellClaim(claim, event)
  if (!told.ok) throw new Error(`Claim ${claim.number} cannot be released: it is ${told.state}.`)
  const { write, ...place } = appendClaimEntry(journalKey, claim, {
    actor,
    event: { ...event, reason },
    from: claim.state,
    to: told.state,
  })
  const letsGo = told.effects.some(({ type }) => type === 'exception.release')
  const set = {
    state: told.state,
    ...(told.context.endedAt !== null
      ? {
          exception_id: exceptionId,
          ended_at: told.context.endedAt,
          ended_by: actorName(actor),
          reason,
          is_by_exception: 1 as const,
          anchored_at: null,
        }
      : {}),
    ...(letsGo ? { exception_id: null } : {}),
    ...place,
    ...told.stored,
  }
  return [{ update: 'claims', key: { id: claim.id }, set }, write]
}

/** Whoever looked at an exception has seen a claim that is not there any more. */
export function letGo({ id, evidence_json, revision }: Row<'exceptions'>): Write {
  const { claim, ...evidence }: { claim?: number } = JSON.parse(evidence_json)
  const set = { evidence_json: JSON.stringify(evidence), revision: revision + 1 }
  return { update: 'exceptions', key: { id }, set }
}
