/**
 * A conversion of the treasury's asset into money at a bank, as movements in two currencies that never meet (protocol 15.12). Pure.
 *
 * What was exchanged is relieved at the average rate at which it was booked; what is sold of the operator's fees brings fees.
 */

/** The operator's own accounts, and the bank. */
type Place = 'suspense' | 'transit' | 'exchange' | 'fee' | 'bank' | 'fx_result'

export interface ConversionLeg {
  kind: 'conversion_sent' | 'conversion' | 'conversion_fee' | 'conversion_result'
  /** The asset's currency, or the bank's. */
  in: 'asset' | 'money'
  from: Place
  to: Place
  amountMinor: bigint
}

export interface Sale {
  /** The asset, in its smallest units. */
  amountMinor: bigint
  /** Of it, what is of the operator's fees. */
  feePartMinor: bigint
  proceedsMinor: bigint
}

/** What of the proceeds is what. */
export interface Proceeds {
  /** At which the asset was booked: *exchange* is relieved of it. */
  bookedMinor: bigint
  /** Of the fee part. */
  feeMinor: bigint
  /** More than it was booked with, below zero less. */
  resultMinor: bigint
}

/**
 * Both quotients are rounded once, half up, to the minor unit of the bank's currency.
 *
 * @param booked an amount of the asset (in units of any size that all its chains share) and what it was booked with, in the bank's currency
 */
export function proceedsOf(
  { amountMinor, feePartMinor, proceedsMinor }: Sale,
  booked: { partUnits: bigint; units: bigint; minor: bigint },
): Proceeds {
  const bookedMinor = booked.partUnits === 0n ? 0n : halfUp(booked.minor * booked.partUnits, booked.units)
  const feeMinor = halfUp(proceedsMinor * feePartMinor, amountMinor)
  return { bookedMinor, feeMinor, resultMinor: proceedsMinor - feeMinor - bookedMinor }
}

/** @param numerator not below zero @param denominator above zero */
function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** The asset has left: it waited in suspense since it was seen leaving. */
export function sentLegs(amountMinor: bigint): ConversionLeg[] {
  return [{ kind: 'conversion_sent', in: 'asset', from: 'transit', to: 'suspense', amountMinor }]
}

/** It is sold: its proceeds are at the bank. */
export function soldLegs(sale: Sale, { bookedMinor, feeMinor, resultMinor }: Proceeds): ConversionLeg[] {
  const part = sale.amountMinor - sale.feePartMinor
  const atRate = resultMinor < 0n ? bookedMinor + resultMinor : bookedMinor
  const legs: ConversionLeg[] = [
    { kind: 'conversion', in: 'asset', from: 'exchange', to: 'transit', amountMinor: part },
    { kind: 'conversion_fee', in: 'asset', from: 'fee', to: 'transit', amountMinor: sale.feePartMinor },
    { kind: 'conversion', in: 'money', from: 'bank', to: 'exchange', amountMinor: atRate },
    { kind: 'conversion_fee', in: 'money', from: 'bank', to: 'fee', amountMinor: feeMinor },
    resultMinor > 0n
      ? { kind: 'conversion_result', in: 'money', from: 'bank', to: 'fx_result', amountMinor: resultMinor }
      : {
          kind: 'conversion_result',
          in: 'money',
          from: 'fx_result',
          to: 'exchange',
          amountMinor: -resultMinor,
        },
  ]
  return legs.filter((leg) => leg.amountMinor > 0n)
}
