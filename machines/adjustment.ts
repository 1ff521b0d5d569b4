/** A correction of a party's line as movements, before they have owners and a currency (protocol 15.11). Pure. */

/** Accounts of the party itself, and of what the operator earns by it. */
type Place = 'available' | 'provider' | 'fee' | 'tax_collected' | 'tax_credited'

export interface AdjustmentLeg {
  kind: 'adjustment' | 'adjustment_tax'
  from: Place
  to: Place
  amountMinor: bigint
}

/** @param adjustment signed: above zero it is given to the party */
export function adjustmentLegs(adjustment: {
  party_kind: 'merchant' | 'provider'
  amount_minor: bigint
  tax_minor: bigint
}): AdjustmentLeg[] {
  const { party_kind, amount_minor, tax_minor } = adjustment
  const isMerchant = party_kind === 'merchant'
  const place = isMerchant ? 'available' : 'provider'
  const tax = isMerchant ? 'tax_collected' : 'tax_credited'
  const leg = (kind: AdjustmentLeg['kind'], other: Place, minor: bigint): AdjustmentLeg[] => {
    if (minor > 0n) return [{ kind, from: other, to: place, amountMinor: minor }]
    return minor < 0n ? [{ kind, from: place, to: other, amountMinor: -minor }] : []
  }
  return [...leg('adjustment', 'fee', amount_minor), ...leg('adjustment_tax', tax, tax_minor)]
}
