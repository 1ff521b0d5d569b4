/** What claims have booked of orders' cash, as reports are held against it (protocol 16.3, 16.8). */
import { claimsBooked } from '../../persistence/queries/claims.ts'
import { settlementTermsOfParty } from '../../persistence/queries/terms.ts'
import type { Store } from '../../persistence/store.ts'
import { type Day, localDay } from '../terms/days.ts'

export interface ClaimedCash {
  /** With whom a claim has credited it, and on which day. */
  credited: { providerId: string; day: Day } | null
  /** The provider with whom it was, and the claim that has taken it back. */
  reversed: { providerId: string; number: number } | null
  /** How much more than the price was handled; below zero, how much less. False notes are handled like good ones. */
  handledBeyondMinor: bigint
}

/** By order; none of one of which no claim has booked anything. */
export async function claimedCashOf(
  store: Pick<Store, 'query'>,
  orders: readonly string[],
): Promise<ReadonlyMap<string, ClaimedCash>> {
  const found = new Map<string, ClaimedCash>()
  if (orders.length === 0) return found
  for (const claim of await store.query(claimsBooked, { orders: JSON.stringify(orders) })) {
    const { order_id: orderId, number, provider_id: providerId, price_minor, amount_minor } = claim
    const known = found.get(orderId) ?? { credited: null, reversed: null, handledBeyondMinor: 0n }
    found.set(orderId, known)
    if (claim.kind === 'paid_not_credited') known.credited = { providerId, day: await dayOf(store, claim) }
    else if (claim.kind === 'credited_not_paid') known.reversed = { providerId, number }
    else if (claim.kind === 'wrong_amount')
      known.handledBeyondMinor += (amount_minor ?? price_minor) - price_minor
  }
  return found
}

/** Its postings are of the day that was running at the provider. */
async function dayOf(
  store: Pick<Store, 'query'>,
  {
    provider_id: partyId,
    currency,
    ended_at,
  }: { provider_id: string; currency: string; ended_at: number | null },
): Promise<Day> {
  const terms = await store.query(settlementTermsOfParty, { partyId })
  return localDay(ended_at ?? 0, terms.find((one) => one.currency === currency)?.time_zone ?? 'UTC')
}
