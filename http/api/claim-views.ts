/** What parties see of claims: protocol 16.8. */
import type { OwnClaim, OwnText } from '../../actors/claims/party-claims.ts'

export interface ClaimView {
  number: number
  kind: string
  state: string
  opened_by: string
  claimed_against: string
  order: string | null
  direction: string
  currency: string
  price: string
  amount: string | null
  due_on: string
  opened: string
  answered: string | null
  ended: string | null
  reference: string
}

export interface ClaimTextView {
  written: string
  by: string
  text: string | null
}

export function viewOfClaim(claim: OwnClaim): ClaimView {
  return {
    number: claim.number,
    kind: claim.kind,
    state: claim.state,
    opened_by: claim.openedBy,
    claimed_against: claim.respondent,
    order: claim.named,
    direction: claim.direction,
    currency: claim.currency,
    price: claim.price,
    amount: claim.amount,
    due_on: claim.dueOn,
    opened: claim.opened,
    answered: claim.answered,
    ended: claim.ended,
    reference: claim.id,
  }
}

export function viewOfClaimText({ at, by, text }: OwnText): ClaimTextView {
  return { written: at, by, text }
}
