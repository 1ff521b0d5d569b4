/**
 * What a claim moves, as one total table: each kind, and each way it may be decided (protocol 16.8). Pure.
 *
 * A claim is between the merchant and the provider of one order. What is accepted or upheld moves as far as the cash was handled
 * otherwise than it is booked; what is rejected moves nothing.
 */
import type { ClaimDecision, ClaimKind, ClaimParty } from './claim.ts'
import type { Direction } from './order.ts'
import { type Leg, legsOf, type OrderAmounts } from './order-postings.ts'

/**
 * credit: as if the cash had been confirmed, with fee and commission. reverse: that again with the other sign, by the amounts that
 * are stored. again: the price once more. difference: from the price to what was handled. note: a false banknote.
 */
export type ClaimMovement = 'credit' | 'reverse' | 'again' | 'difference' | 'note'

const asked = (movement: ClaimMovement): Record<ClaimDecision, ClaimMovement | null> => ({
  accepted: movement,
  upheld: movement,
  rejected: null,
})

const movements: Record<ClaimKind, Record<ClaimDecision, ClaimMovement | null>> = {
  paid_not_credited: asked('credit'),
  credited_not_paid: asked('reverse'),
  twice: asked('again'),
  wrong_amount: asked('difference'),
  false_note: asked('note'),
}

/** Kinds that are about an amount of their own: what was handled instead of the price, or what the false notes come to. */
export function hasAmount(kind: ClaimKind): boolean {
  return kind === 'wrong_amount' || kind === 'false_note'
}

/** Whether it supposes that the cash is booked as handled; the other kind, that it is not. */
export function supposesCredit(kind: ClaimKind): boolean {
  return kind !== 'paid_not_credited'
}

export interface ClaimFacts extends OrderAmounts {
  kind: ClaimKind
  direction: Direction
  /** Of the kinds that have one; minor units, above zero. */
  amountMinor: bigint | null
}

/** Kinds of postings; those behind the first are the parts of its line. */
const kindOf: Readonly<Record<string, string>> = {
  fee: 'claim_fee',
  fee_tax: 'claim_fee_tax',
  commission: 'claim_commission',
  commission_tax: 'claim_commission_tax',
}

/** The movements of a claim that is decided so, in the order of their postings; none for what is rejected. */
export function claimLegs(claim: ClaimFacts, decision: ClaimDecision): Leg[] {
  const movement = movements[claim.kind][decision]
  return movement === null ? [] : legsOfMovement[movement](claim)
}

const legsOfMovement: Record<ClaimMovement, (claim: ClaimFacts) => Leg[]> = {
  credit: (claim) => booked(claim),
  reverse: (claim) => booked(claim).map((leg) => ({ ...leg, from: leg.to, to: leg.from })),
  again: (claim) => [handled(claim, claim.priceMinor)],
  difference(claim) {
    const moreMinor = (claim.amountMinor ?? claim.priceMinor) - claim.priceMinor
    if (moreMinor === 0n) return []
    return [moreMinor > 0n ? handled(claim, moreMinor) : taken(claim, -moreMinor)]
  },
  // A pay-in's false notes are its merchant's loss, since the counter is paid what it can bank; a pay-out's are the provider's.
  note: (claim) => [taken(claim, claim.amountMinor ?? 0n)],
}

/** How much more cash than its price was handled by what is accepted or upheld; below zero, how much less. */
export function handledBeyondMinor({
  kind,
  priceMinor,
  amountMinor,
}: Pick<ClaimFacts, 'kind' | 'priceMinor' | 'amountMinor'>): bigint {
  switch (movements[kind].upheld) {
    case 'again':
      return priceMinor
    case 'difference':
      return (amountMinor ?? priceMinor) - priceMinor
    case 'note':
      return -(amountMinor ?? 0n)
    default:
      return 0n
  }
}

function booked(claim: ClaimFacts): Leg[] {
  return legsOf(claim.direction, 'reclaim', claim).map((leg) => ({
    ...leg,
    kind: kindOf[leg.kind] ?? 'claim',
  }))
}

/** Cash that was handled beyond what is booked. */
function handled({ direction }: ClaimFacts, amountMinor: bigint): Leg {
  const [from, to] =
    direction === 'PAY_IN' ? (['provider', 'available'] as const) : (['available', 'provider'] as const)
  return { kind: 'claim', from, to, amountMinor }
}

/** Cash that is booked, and was not handled. */
function taken(claim: ClaimFacts, amountMinor: bigint): Leg {
  const { from, to, ...leg } = handled(claim, amountMinor)
  return { ...leg, from: to, to: from }
}

/** Who would pay: they are asked, where an operator opens it. */
export function payerOf(
  claim: Pick<ClaimFacts, 'kind' | 'direction' | 'priceMinor' | 'amountMinor'>,
): ClaimParty {
  const nothing = { feeMinor: 0n, feeTaxMinor: 0n, commissionMinor: 0n, commissionTaxMinor: 0n }
  const [first] = claimLegs({ ...nothing, ...claim }, 'accepted')
  return first?.from === 'provider' ? 'provider' : 'merchant'
}
