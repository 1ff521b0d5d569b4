/** Reads of claims, of what they were told, and of their evidence. */
import { sql } from 'kysely'
import type { ClaimState } from '../../machines/claim.ts'
import type { Instant } from '../../machines/time.ts'
import type { PartyKind } from '../schema.ts'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'
import { isOneOf } from './reconciliation.ts'
import { postingsOfRecords } from './record-postings.ts'

type Nothing = Record<never, never>

export const claimByNumber = statement<{ number: number }>()('claim.byNumber', ({ db }, arg) =>
  db.selectFrom('claims').selectAll().where('number', '=', arg('number')),
)

export const claimsOfOrderRows = statement<{ orderId: string }>()('claim.ofOrder', ({ db }, arg) =>
  db.selectFrom('claims').selectAll().where('order_id', '=', arg('orderId')).orderBy('number'),
)

/** Those by which cash of orders was booked beside the orders' own postings. @param orders a JSON list of ids */
export const claimsBooked = statement<{ orders: string }>()('claim.booked', ({ db, engine }, arg) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where(isOneOf(engine, 'order_id', arg('orders')))
    .where('state', 'in', ['accepted', 'upheld'])
    .where(sql<boolean>`is_by_exception = 0`)
    .orderBy('number'),
)

/** Written out, because a partial index is known by what its condition says. */
const undecided = sql<boolean>`state IN ('open', 'agreed', 'denied')`

/** The one that holds an exception. */
export const claimOfException = statement<{ exceptionId: string }>()('claim.ofException', ({ db }, arg) =>
  db.selectFrom('claims').selectAll().where('exception_id', '=', arg('exceptionId')).where(undecided),
)

/** The one that asks for the cash of an order for a provider. */
export const claimForCash = statement<{ orderId: string; providerId: string }>()(
  'claim.forCash',
  ({ db }, arg) =>
    db
      .selectFrom('claims')
      .selectAll()
      .where('order_id', '=', arg('orderId'))
      .where('kind', '=', 'paid_not_credited')
      .where('provider_id', '=', arg('providerId'))
      .where(undecided),
)

export interface ClaimFilter {
  states?: readonly ClaimState[] | undefined
  party?: { kind: PartyKind; id: string } | undefined
  orderId?: string | undefined
}

/** Claims, the latest opened first: a page ends at a number. */
export function claimsPage({ states, party, orderId }: ClaimFilter, request: PageRequest) {
  return statement<Nothing>()('claim.page', ({ db }) => {
    let query = db.selectFrom('claims').selectAll()
    if (states !== undefined) query = query.where('state', 'in', [...states])
    if (party !== undefined)
      query = query.where(party.kind === 'merchant' ? 'merchant_id' : 'provider_id', '=', party.id)
    if (orderId !== undefined) query = query.where('order_id', '=', orderId)
    if (request.after !== null) query = query.where('number', '<', request.after.at)
    return query.orderBy('number', 'desc').limit(request.limit)
  })
}

/** Those that wait although their day is over, the longest over first. */
export const overdueClaims = statement<{ now: Instant; limit: number }>()('claim.overdue', ({ db }, arg) =>
  db
    .selectFrom('claims')
    .select(['number', 'kind', 'state', 'respondent', 'order_id', 'due_at', 'due_on'])
    .where(undecided)
    .where('due_at', '<=', arg('now'))
    .orderBy('due_at')
    .orderBy('number')
    .limit(arg('limit')),
)

/** Opened or ended, and in the database alone. */
export const unanchoredClaims = statement<{ limit: number }>()('claim.unanchored', ({ db }, arg) =>
  db
    .selectFrom('claims')
    .select([
      'id',
      'number',
      'kind',
      'state',
      'order_id',
      'merchant_id',
      'provider_id',
      'currency',
      'price_minor',
      'amount_minor',
      'head',
    ])
    .where('anchored_at', 'is', null)
    .orderBy('number')
    .limit(arg('limit')),
)

export const eventsOfClaim = statement<{ claimId: string }>()('claim.events', ({ db }, arg) =>
  db.selectFrom('claim_events').selectAll().where('claim_id', '=', arg('claimId')).orderBy('sequence'),
)

/** Without what is stored of it. */
export const evidenceOfClaim = statement<{ claimId: string }>()('claim.evidence', ({ db }, arg) =>
  db.selectFrom('claim_evidence').selectAll().where('claim_id', '=', arg('claimId')).orderBy('sequence'),
)

export const contentOfEvidence = statement<{ claimId: string; sequence: number }>()(
  'claim.content',
  ({ db }, arg) =>
    db
      .selectFrom('claim_contents')
      .select('content')
      .where('claim_id', '=', arg('claimId'))
      .where('sequence', '=', arg('sequence')),
)

/** The texts of a claim, as they are stored. */
export const textContents = statement<{ claimId: string }>()('claim.texts', ({ db }, arg) =>
  db
    .selectFrom('claim_contents')
    .innerJoin('claim_evidence', (join) =>
      join
        .onRef('claim_evidence.claim_id', '=', 'claim_contents.claim_id')
        .onRef('claim_evidence.sequence', '=', 'claim_contents.sequence'),
    )
    .select(['claim_contents.sequence', 'claim_contents.content'])
    .where('claim_contents.claim_id', '=', arg('claimId'))
    .where('file_name', 'is', null),
)

/** Evidence about an order that was not erased. */
export const evidenceOfOrder = statement<{ orderId: string }>()('claim.evidenceOfOrder', ({ db }, arg) =>
  db
    .selectFrom('claims')
    .innerJoin('claim_evidence', 'claim_evidence.claim_id', 'claims.id')
    .select(['claim_evidence.claim_id', 'claim_evidence.sequence'])
    .where('order_id', '=', arg('orderId'))
    .where('evidence_key', 'is not', null),
)

/** Names of parties. @param ids a JSON list */
export const partyNames = statement<{ ids: string }>()('claim.parties', ({ db, engine }, arg) =>
  db
    .selectFrom('parties')
    .select(['id', 'name'])
    .where(isOneOf(engine, 'id', arg('ids'))),
)

export const claimsAfter = statement<{ after: string; limit: number }>()('verify.claims', ({ db }, arg) =>
  db.selectFrom('claims').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

export const claimEventsBetween = statement<{ after: string; last: string }>()(
  'verify.claimEvents',
  ({ db }, arg) =>
    db
      .selectFrom('claim_events')
      .selectAll()
      .where('claim_id', '>', arg('after'))
      .where('claim_id', '<=', arg('last'))
      .orderBy('claim_id')
      .orderBy('sequence'),
)

export const claimEvidenceBetween = statement<{ after: string; last: string }>()(
  'verify.claimEvidence',
  ({ db }, arg) =>
    db
      .selectFrom('claim_evidence')
      .leftJoin('claim_contents', (join) =>
        join
          .onRef('claim_contents.claim_id', '=', 'claim_evidence.claim_id')
          .onRef('claim_contents.sequence', '=', 'claim_evidence.sequence'),
      )
      .selectAll('claim_evidence')
      .select(sql<0 | 1>`CASE WHEN claim_contents.content IS NULL THEN 0 ELSE 1 END`.as('has_content'))
      .where('claim_evidence.claim_id', '>', arg('after'))
      .where('claim_evidence.claim_id', '<=', arg('last'))
      .orderBy('claim_evidence.claim_id')
      .orderBy('claim_evidence.sequence'),
)

const kinds = ['claim', 'claim_fee', 'claim_fee_tax', 'claim_commission', 'claim_commission_tax']

export const claimPostings = postingsOfRecords('verify.claimPostings', kinds)

/** Postings of claims that are not there, at most a hundred. */
export const strayClaimPostings = statement<Nothing>()('verify.strayClaims', ({ db }) =>
  db
    .selectFrom('postings')
    .leftJoin('claims', 'claims.id', 'postings.reference')
    .select(['postings.id', 'postings.reference'])
    .where('postings.kind', 'in', kinds)
    .where('claims.id', 'is', null)
    .orderBy('postings.id')
    .limit(100),
)

/** How many claims there are and were lost, and the greatest number. */
export const claimNumbers = statement<Nothing>()('verify.claimNumbers', ({ db }) =>
  db
    .selectFrom(
      db
        .selectFrom('claims')
        .select('number')
        .unionAll(db.selectFrom('lost_claims').select('number'))
        .as('given'),
    )
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('number').as('last')]),
)

export const claimedOrder = statement<{ orderId: string }>()('claim.orderMarks', ({ db }, arg) =>
  db.selectFrom('claimed_orders').selectAll().where('order_id', '=', arg('orderId')),
)

export const claimedOrderRows = statement<Nothing>()('verify.claimedOrders', ({ db }) =>
  db.selectFrom('claimed_orders').selectAll().orderBy('order_id'),
)
