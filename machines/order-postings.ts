/**
 * Where an order's money goes, as one total table: from which place to which, and which of its amounts.
 *
 * The price is in exactly one place at a time: reserved, owed to the provider, available again, or in suspense (protocol
 * 10.1); what a pay-out costs its merchant beside it (fee and tax) goes with it. For a pay-in nothing is reserved: the
 * provider owes what it collected, and the merchant's fee is taken from what comes. A provider earns its commission in the
 * step that credits the cash (protocol 15.1).
 */
import type { Direction, LocalMovement } from './order.ts'

/** An order's amounts, in minor units of its currency. They are stored with it; nothing is computed again. */
export interface OrderAmounts {
  priceMinor: bigint
  /** The merchant's, and the tax on it. */
  feeMinor: bigint
  feeTaxMinor: bigint
  /** The provider's, and the tax on it. */
  commissionMinor: bigint
  commissionTaxMinor: bigint
}

/** Accounts of the order's merchant. */
type MerchantPlace = 'available' | 'reserved' | 'suspense' | 'fee' | 'tax_collected'
/** Accounts of the provider that holds, or held, the order. Below zero *provider* owes, above zero it is owed. */
type ProviderPlace = 'provider' | 'commission' | 'tax_credited'
export type Place = MerchantPlace | ProviderPlace

/** What an operator says of the cash of an order that ended while locked. `reclaim` honours it after its money was given back. */
export type Settlement = 'honour' | 'return' | 'reclaim'

export interface Leg {
  kind: string
  from: Place
  to: Place
  amountMinor: bigint
}

type Step = readonly [kind: string, from: Place, to: Place, amount: (amounts: OrderAmounts) => bigint]

/** What a pay-out takes from its merchant: the price, the fee and its tax. */
export function wholeOf({
  priceMinor,
  feeMinor,
  feeTaxMinor,
}: Pick<OrderAmounts, 'priceMinor' | 'feeMinor' | 'feeTaxMinor'>): bigint {
  return priceMinor + feeMinor + feeTaxMinor
}

const earned: readonly Step[] = [
  ['commission', 'commission', 'provider', ({ commissionMinor }) => commissionMinor],
  ['commission_tax', 'tax_credited', 'provider', ({ commissionTaxMinor }) => commissionTaxMinor],
]

/** The merchant's fee, from where its money is. */
const charged = (from: MerchantPlace): readonly Step[] => [
  ['fee', from, 'fee', ({ feeMinor }) => feeMinor],
  ['fee_tax', from, 'tax_collected', ({ feeTaxMinor }) => feeTaxMinor],
]

const whole = (kind: string, from: Place, to: Place): readonly Step[] => [[kind, from, to, wholeOf]]
const price = (kind: string, from: Place, to: Place): Step => [kind, from, to, ({ priceMinor }) => priceMinor]

const paidOut = (kind: string, from: MerchantPlace): readonly Step[] => [
  price(kind, from, 'provider'),
  ...charged(from),
  ...earned,
]
const paidIn = (kind: string): readonly Step[] => [
  price(kind, 'provider', 'available'),
  ...charged('available'),
  ...earned,
]

const steps: Record<Direction, Record<LocalMovement | Settlement, readonly Step[]>> = {
  PAY_OUT: {
    reserve: whole('reserve', 'available', 'reserved'),
    release: whole('release', 'reserved', 'available'),
    settle: paidOut('settle', 'reserved'),
    suspend: whole('suspend', 'reserved', 'suspense'),
    honour: paidOut('honour', 'suspense'),
    return: whole('return', 'suspense', 'available'),
    reclaim: paidOut('reclaim', 'available'),
  },
  PAY_IN: {
    reserve: [],
    release: [],
    settle: paidIn('settle'),
    suspend: [],
    honour: paidIn('honour'),
    return: [],
    reclaim: paidIn('reclaim'),
  },
}

/** What a movement of a local order moves, in the order of its postings; nothing for what is zero. */
export function legsOf(
  direction: Direction,
  movement: LocalMovement | Settlement,
  amounts: OrderAmounts,
): Leg[] {
  return toLegs(steps[direction][movement], amounts)
}

/** What a provider earns by the cash of any order, foreign ones too. */
export function commissionLegs(amounts: OrderAmounts): Leg[] {
  return toLegs(earned, amounts)
}

function toLegs(all: readonly Step[], amounts: OrderAmounts): Leg[] {
  return all
    .map(([kind, from, to, amount]) => ({ kind, from, to, amountMinor: amount(amounts) }))
    .filter(({ amountMinor }) => amountMinor > 0n)
}
