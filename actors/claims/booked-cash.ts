/**
 * What is booked of an order's cash, and with whom, before a claim moves anything of it (protocol 16.8): it is credited once and taken
 * back once, and never more is taken back than is booked.
 */
import { handledBeyondMinor, supposesCredit } from '../../machines/claim-postings.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { claimAfter, correctCredited } from '../orders/refunds.ts'

type Claim = Row<'claims'>

/** As the step holds it. */
interface BookedCash {
  claim: Claim
  order: Row<'orders'>
  claimed: Row<'claimed_orders'> | null
  ended: Row<'exceptions'> | null
  disputed: Row<'exceptions'> | null
}

/** @throws OperationError where the claim supposes something else than is booked */
export function assertCash({ claim, order, claimed, ended, disputed }: BookedCash): void {
  const isHonoured = [ended, disputed].some((one) => one?.state === 'resolved' && one.resolution === 'honour')
  const isCredited = order.status === 'COMPLETED' || isHonoured || claimed?.credited_by != null
  if (supposesCredit(claim.kind)) assertBooked(claim, order, claimed, isCredited)
  else if (isCredited) {
    const by = claimed?.credited_by == null ? '' : ` by claim ${claimed.credited_by}`
    const problem = `The cash of the order is booked already${by}: claim ${claim.number} would book it twice.`
    throw new OperationError('refused', problem, { hint: `Look at it: order show ${order.id}` })
  }
}

function assertBooked(
  claim: Claim,
  order: Row<'orders'>,
  claimed: Row<'claimed_orders'> | null,
  isCredited: boolean,
): void {
  const { number, kind } = claim
  const reversedBy = claimed?.reversed_by ?? null
  if (!isCredited || reversedBy !== null) {
    const why = reversedBy === null ? 'is not booked' : `was taken back by claim ${reversedBy}`
    throw new OperationError(
      'refused',
      `The cash of the order ${why}: claim ${number} has nothing to correct.`,
      { hint: `Look at it: order show ${order.id}` },
    )
  }
  const bookedWith = claimed?.provider_id ?? order.lock_provider_id
  // The cash may have been handled a second time by another one that has held the order.
  if (kind !== 'twice' && claim.provider_id !== bookedWith) {
    throw new OperationError(
      'refused',
      `The cash of the order is booked with another provider: claim ${number} has nothing to correct.`,
      { hint: `claim reject ${number}; order show ${order.id} tells who has it` },
    )
  }
  const correctedMinor = claimed?.corrected_minor ?? 0n
  const priceLeft = kind === 'credited_not_paid' ? 0n : claim.price_minor
  if (priceLeft + correctedMinor + beyondMinor(claim) >= 0n) return
  const booked = formatPrice(claim.price_minor + correctedMinor, claim.currency)
  throw new OperationError(
    'refused',
    `By other claims ${booked} ${claim.currency} of the order's cash are booked: claim ${number} would take back more.`,
    { hint: `claim reject ${number}; what is left of it is a correction: adjustment record` },
  )
}

function beyondMinor({ kind, price_minor: priceMinor, amount_minor: amountMinor }: Claim): bigint {
  return handledBeyondMinor({ kind, priceMinor, amountMinor })
}

/** So that whatever speaks about the order's cash later finds it. */
export function markOrder(claim: Claim, claimed: Row<'claimed_orders'> | null): Write[] {
  const { kind, number, order_id, provider_id } = claim
  if (claimed === null) throw new Error(`Claim ${number} has no row of its order.`)
  const marked = (set: Partial<Row<'claimed_orders'>>): Write[] => [
    { update: 'claimed_orders', key: { order_id }, set },
  ]
  if (kind === 'paid_not_credited') return marked({ credited_by: number, provider_id })
  if (kind === 'credited_not_paid') return marked({ reversed_by: number })
  return marked({ corrected_minor: claimed.corrected_minor + beyondMinor(claim) })
}

/**
 * A refund whose cash was handed out counts again, and one whose cash never was counts no more; of a pay-in no more is given back
 * than is booked (protocol 15.7).
 * @param refundable of the pay-in, or of the one that the order gives back
 */
export function refundAfter(
  claim: Claim,
  order: Row<'orders'>,
  refundable: Row<'refundable'> | null,
): Write[] {
  const { kind } = claim
  if (order.direction === 'PAY_IN')
    return refundable === null ? [] : correctCredited(refundable, beyondMinor(claim))
  if (kind === 'paid_not_credited') return claimAfter('reclaim', order, refundable)
  return kind === 'credited_not_paid' ? claimAfter('return', order, refundable) : []
}
