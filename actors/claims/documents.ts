/** A claim as people and programs see it. */
import {
  type Claimant,
  type ClaimKind,
  type ClaimParty,
  type ClaimState,
  undecidedStates,
} from '../../machines/claim.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { eventsOfClaim, partyNames } from '../../persistence/queries/claims.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { shownEvidence } from './evidence.ts'
import { postingsOfClaim } from './postings.ts'

export interface ClaimSummary {
  /** The reference of its postings. */
  id: string
  number: number
  kind: ClaimKind
  state: ClaimState
  openedBy: Claimant
  opener: string
  /** Who is claimed against. */
  respondent: ClaimParty
  order: string
  direction: Direction
  merchant: string
  provider: string
  currency: string
  price: string
  /** What was handled instead of the price, or what the false notes come to. */
  amount: string | null
  /** Whether the provider has ever held the order. */
  isHeld: boolean
  exception: string | null
  dueOn: string
  isOverdue: boolean
  opened: string
  answered: string | null
  ended: string | null
  endedBy: string | null
  reason: string | null
  revision: number
}

export interface ClaimEvidence {
  number: number
  at: string
  by: string
  /** Null of a text. */
  file: string | null
  type: string
  bytes: number
  /** Null of a file, and once it was erased. */
  text: string | null
  isErased: boolean
}

export interface ClaimDocument extends ClaimSummary {
  /** What it has booked; none before it is decided, of one that was rejected, and where `isByException`. */
  postings: ShownPosting[]
  /** The exception that it held has booked the order's cash. */
  isByException: boolean
  evidence: ClaimEvidence[]
  events: {
    at: string
    by: string
    event: string
    /** Of an answer. */
    agrees: boolean | null
    state: ClaimState
    reason: string | null
  }[]
}

/** What a decision does, or would do. */
export interface ClaimChange {
  dryRun: boolean
  /** As it is behind it. */
  claim: ClaimSummary
  postings: ShownPosting[]
  /** The exception that is resolved with it. */
  exception: string | null
}

const undecided: readonly ClaimState[] = undecidedStates

export function isUndecided({ state }: Pick<Row<'claims'>, 'state'>): boolean {
  return undecided.includes(state)
}

/** @param state `undecided` for all that wait; `undefined` for all there are */
export function undecidedOr(state: ClaimState | 'undecided' | undefined): readonly ClaimState[] | undefined {
  if (state === undefined) return undefined
  return state === 'undecided' ? undecided : [state]
}

/** What parties are called, by id. */
export type PartyNames = ReadonlyMap<string, string>

export async function namesIn(
  store: Pick<Store, 'query'>,
  claims: readonly Pick<Row<'claims'>, 'merchant_id' | 'provider_id'>[],
): Promise<PartyNames> {
  const ids = [...new Set(claims.flatMap(({ merchant_id, provider_id }) => [merchant_id, provider_id]))]
  const found = await store.query(partyNames, { ids: JSON.stringify(ids) })
  return new Map(found.map(({ id, name }) => [id, name]))
}

export function claimSummary(claim: Row<'claims'>, names: PartyNames, now: Instant): ClaimSummary {
  const { currency, merchant_id, provider_id, amount_minor } = claim
  return {
    id: claim.id,
    number: claim.number,
    kind: claim.kind,
    state: claim.state,
    openedBy: claim.opened_by,
    opener: claim.opener,
    respondent: claim.respondent,
    order: claim.order_id,
    direction: claim.direction,
    merchant: names.get(merchant_id) ?? merchant_id,
    provider: names.get(provider_id) ?? provider_id,
    currency,
    price: formatPrice(claim.price_minor, currency),
    amount: amount_minor === null ? null : formatPrice(amount_minor, currency),
    isHeld: claim.is_held === 1,
    exception: claim.exception_id,
    dueOn: claim.due_on,
    isOverdue: isUndecided(claim) && claim.due_at <= now,
    opened: formatInstant(claim.opened_at),
    answered: instant(claim.answered_at),
    ended: instant(claim.ended_at),
    endedBy: claim.ended_by,
    reason: claim.reason,
    revision: claim.revision,
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

export async function claimDocument(
  store: Pick<Store, 'query'>,
  claim: Row<'claims'>,
  now: Instant,
): Promise<ClaimDocument> {
  const events = await store.query(eventsOfClaim, { claimId: claim.id })
  const names = await namesIn(store, [claim])
  const isByException = claim.is_by_exception === 1
  const { state } = claim
  const isBooked = (state === 'accepted' || state === 'upheld') && !isByException
  const posted = isBooked ? postingsOfClaim(claim, state, null).map((post) => ({ post })) : []
  return {
    ...claimSummary(claim, names, now),
    postings: shownPostings(posted, (owner) => names.get(owner)),
    isByException,
    evidence: (await shownEvidence(store, claim.id)).map(({ piece, text }) => ({
      number: piece.sequence,
      at: formatInstant(piece.added_at),
      by: piece.actor,
      file: piece.file_name,
      type: piece.media_type,
      bytes: piece.byte_count,
      text,
      isErased: piece.evidence_key === null,
    })),
    events: events.map(({ told_at, actor, event_json, to_state }) => {
      const { type, agrees, reason }: { type: string; agrees?: boolean; reason?: string } =
        JSON.parse(event_json)
      return {
        at: formatInstant(told_at),
        by: actor,
        event: type,
        agrees: agrees ?? null,
        state: to_state,
        reason: reason ?? null,
      }
    }),
  }
}
