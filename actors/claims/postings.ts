/** A claim's movements as postings: the accounts of its merchant and its provider, and the table in `machines/`. Pure. */
import type { ClaimDecision } from '../../machines/claim.ts'
import { claimLegs } from '../../machines/claim-postings.ts'
import type { Leg, Place } from '../../machines/order-postings.ts'
import type { Instant } from '../../machines/time.ts'
import type { AccountRef, Posting, Row, Topic, Write } from '../../persistence/store.ts'
import { own } from '../orders/foreign-postings.ts'
import { moveAll } from '../orders/postings.ts'
import { type Takeable, takeAllBack } from '../orders/taking-back.ts'

type Claim = Row<'claims'>

export function legsOfClaim(claim: Claim, decision: ClaimDecision): Leg[] {
  return claimLegs(
    {
      kind: claim.kind,
      direction: claim.direction,
      priceMinor: claim.price_minor,
      feeMinor: claim.fee_minor,
      feeTaxMinor: claim.fee_tax_minor,
      commissionMinor: claim.commission_minor,
      commissionTaxMinor: claim.commission_tax_minor,
      amountMinor: claim.amount_minor,
    },
    decision,
  )
}

/** Whether it would take from its merchant. */
export function debitsMerchant(claim: Claim): boolean {
  return claim.is_foreign === 0 && legsOfClaim(claim, 'upheld')[0]?.from === 'available'
}

/** The end user of a foreign order has paid with an asset: what would be its merchant's is the operator's. */
function placeOf({ merchant_id, provider_id, currency, is_foreign }: Claim, place: Place): AccountRef {
  switch (place) {
    case 'provider':
      return { kind: 'provider', ownerId: provider_id, currency }
    case 'commission':
      return { kind: 'fee', ownerId: provider_id, currency }
    case 'tax_credited':
      return { kind: 'tax_credited', ownerId: provider_id, currency }
    default:
      return is_foreign === 1 ? own('fee', currency) : { kind: place, ownerId: merchant_id, currency }
  }
}

/** @param aboutAt when the cash was handled that it is about, as far as that is known */
export function postingsOfClaim(claim: Claim, decision: ClaimDecision, aboutAt: Instant | null): Posting[] {
  return legsOfClaim(claim, decision).map(({ kind, from, to, amountMinor }) => ({
    kind,
    debit: placeOf(claim, from),
    credit: placeOf(claim, to),
    amountMinor,
    orderId: null,
    reference: claim.id,
    ...(aboutAt === null ? {} : { aboutAt }),
  }))
}

/** What a decision writes to the ledger: what a merchant lacks is a debt, which fees that come back repay (protocol 10.1). */
export function claimMoves(
  postings: readonly Posting[],
  takeable: Takeable,
  at: Instant,
): { writes: Write[]; wake: readonly Topic[] } {
  const [first] = postings
  if (first?.debit.kind !== 'available') return moveAll(postings)
  const returned = moveAll(postings.filter(({ credit }) => credit.kind === 'available'))
  const repay = returned.writes.filter((write) => 'repay' in write)
  return { writes: [...takeAllBack(postings, takeable, at), ...repay], wake: returned.wake }
}
