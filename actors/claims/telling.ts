/**
 * What else a claim is told, each in one step: an answer, a text or a file, that it is withdrawn (protocol 16.8, 16.9). The message of a
 * party is told from its repetition as any other.
 */
import type { ClaimEvent, ClaimParty, ClaimState } from '../../machines/claim.ts'
import type { Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import { recordSettlement } from '../orders/advance.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  rememberAnswer,
  repeated,
} from '../orders/answers.ts'
import { type Actor, actorName } from '../orders/journal.ts'
import { isUndecided } from './documents.ts'
import { evidenceWrites, maxPieces, type Piece } from './evidence.ts'
import { tellClaim } from './gate.ts'
import { appendClaimEntry } from './journal.ts'
import { letGo } from './releasing.ts'

export type Said =
  | { type: 'claim.answer'; by: ClaimParty; agrees: boolean }
  | { type: 'claim.add_evidence' }
  | { type: 'claim.withdraw'; by: ClaimParty | 'operator' }

export interface ToldClaim {
  said: Said
  actor: Actor
  piece: Piece | null
  /** Of an operator, kept in the claim's entries. */
  reason?: string | undefined
  /** The revision whoever tells it saw. */
  revision?: number | undefined
  message?: { guard: MessageGuard; answer: (claim: Row<'claims'>) => Answer }
}

export type ClaimTold =
  | { outcome: 'told'; claim: Row<'claims'>; answer: Answer | null }
  /** `ended`: it was decided or withdrawn. `not_theirs`: others may. `full`: no more evidence is kept. `erased`: the consumer's data were. */
  | { outcome: 'refused'; reason: 'ended' | 'changed' | 'not_theirs' | 'full' | 'erased'; state: ClaimState }
  | Repeated

/** Entries of one claim: parties may change their mind, and not without end. */
const maxEntries = 100

export async function tellOfClaim(
  { store, journalKey }: { store: Store; journalKey: string },
  seen: Row<'claims'>,
  told: ToldClaim,
): Promise<ClaimTold> {
  const { message, piece } = told
  const isWithdrawal = told.said.type === 'claim.withdraw'
  const result = await store.step({
    isEssential: piece === null,
    rows: {
      ...guardRows(message?.guard),
      order: isWithdrawal ? row('orders', { id: seen.order_id }) : undefined,
      consumer: piece === null ? undefined : sharedRow('consumers', { order_id: seen.order_id }),
      exception:
        isWithdrawal && seen.exception_id !== null ? row('exceptions', { id: seen.exception_id }) : undefined,
      claim: row('claims', { id: seen.id }),
    },
    decide: (held, at): Decision<ClaimTold> => {
      const known = recall(message?.guard, held, null, at)
      if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
      const { claim } = held
      if (claim === null) throw new Error(`Claim ${seen.number} is gone.`)
      const planned = planTold(journalKey, { ...held, claim }, told, at)
      if (typeof planned === 'string')
        return { answer: { outcome: 'refused', reason: planned, state: claim.state }, writes: [] }
      const answer = message?.answer(planned.claim) ?? null
      return {
        answer: { outcome: 'told', claim: planned.claim, answer },
        writes: [
          ...planned.writes,
          ...(message === undefined || answer === null
            ? []
            : rememberAnswer(message.guard, held, answer, at)),
        ],
        wake: ['exceptions'],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'repeated_messages.digest' || result.constraint === 'idempotency_keys.key')
    return { outcome: 'in_flight' }
  throw new Error(`Claim ${seen.number} violated ${result.constraint}.`)
}

interface Held {
  claim: Row<'claims'>
  order: Row<'orders'> | null
  consumer: Row<'consumers'> | null
  exception: Row<'exceptions'> | null
}

function planTold(
  journalKey: string,
  { claim, order, consumer, exception }: Held,
  { said, actor, piece, reason, revision }: ToldClaim,
  at: Instant,
): { claim: Row<'claims'>; writes: Write[] } | 'ended' | 'changed' | 'not_theirs' | 'full' | 'erased' {
  if (!isUndecided(claim)) return 'ended'
  if (revision !== undefined && revision !== claim.revision) return 'changed'
  if (piece !== null && consumer?.erased_at != null) return 'erased'
  const isMore = said.type !== 'claim.withdraw'
  if (isMore && claim.revision >= maxEntries) return 'full'
  const event: ClaimEvent = { ...said, at }
  const told = tellClaim(claim, event)
  if (!told.ok) return 'not_theirs'
  if (told.context.evidence > maxPieces) return 'full'
  const { write, ...place } = appendClaimEntry(journalKey, claim, {
    actor,
    event: {
      ...event,
      ...(piece === null ? {} : { hasEvidence: true }),
      ...(reason === undefined ? {} : { reason }),
    },
    from: claim.state,
    to: told.state,
  })
  const name = actorName(actor)
  const isOver = told.context.endedAt !== null
  const set = {
    state: told.state,
    answered_at: told.context.answeredAt,
    ...(isOver
      ? { ended_at: told.context.endedAt, ended_by: name, reason: reason ?? null, anchored_at: null }
      : {}),
    ...place,
    ...told.stored,
  }
  const after = { ...claim, ...set }
  return {
    claim: after,
    writes: [
      { update: 'claims', key: { id: claim.id }, set },
      write,
      ...(piece === null ? [] : evidenceWrites(claim, place.revision, piece, { at, actor: name })),
      ...(isOver && order !== null
        ? recordSettlement(
            journalKey,
            order,
            { type: 'claim.end', at, claim: claim.number, as: told.state },
            actor,
          )
        : []),
      // Whoever looked at it has seen a claim that is not there any more.
      ...(isOver && exception?.state === 'open' ? [letGo(exception)] : []),
    ],
  }
}
