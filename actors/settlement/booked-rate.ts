/** At which rate an asset was exchanged: what *exchange* holds of it for one money, and with how much of that it was booked (protocol 15.12). */
import { currencyDecimals, currencyName, formatPrice } from '../../machines/money.ts'
import { exchangePairs } from '../../persistence/queries/conversions.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'

type Pair = Row<'exchange_pairs'>

/**
 * The pairs of an asset's symbol, on all its chains, and a money: their average is the rate.
 *
 * @returns also how much of the asset was in the archive when an upgrade could not tell its money
 */
export async function readPairs(
  store: Store,
  currency: string,
  bankCurrency: string,
): Promise<{ pairs: Pick<Pair, 'asset' | 'money'>[]; unknownUnits: bigint }> {
  const symbol = symbolOf(currency)
  const all = (await store.query(exchangePairs, {})).filter(({ asset }) => symbolOf(asset) === symbol)
  return {
    pairs: all.filter(({ money }) => money === bankCurrency).map(({ asset, money }) => ({ asset, money })),
    unknownUnits: sumOfPairs(all.filter(({ money }) => money === '')).units,
  }
}

export interface Exchanged {
  /** Of the asset on all chains, in units that are fine enough for each. */
  units: bigint
  /** Of the money that it was booked with. */
  minor: bigint
}

export function sumOfPairs(pairs: readonly (Pair | null)[]): Exchanged {
  const sum = { units: 0n, minor: 0n }
  for (const pair of pairs) {
    if (pair === null) continue
    sum.units += commonUnits(pair.asset_minor, pair.asset)
    sum.minor += pair.money_minor
  }
  return sum
}

function symbolOf(currency: string): string {
  return currencyName(currency).split('.')[0] ?? currency
}

/** Of any chain's asset, in units that are fine enough for all. */
const commonDecimals = 18

export function commonUnits(minor: bigint, currency: string): bigint {
  return minor * 10n ** BigInt(commonDecimals - currencyDecimals(currency))
}

/**
 * @param held of the asset by *exchange* on its chain, for whatever money, and by the fees
 * @returns what of it was exchanged
 */
export function assertParts(
  { amount_minor, currency }: Row<'conversions'>,
  {
    feePartMinor,
    bankCurrency,
    unknownUnits,
  }: { feePartMinor: bigint; bankCurrency: string; unknownUnits: bigint },
  exchanged: Exchanged,
  held: { exchangeMinor: bigint; feeMinor: bigint },
): bigint {
  const told = (minor: bigint) => `${formatPrice(minor, currency)} ${currencyName(currency)}`
  const atLeastNone = (minor: bigint) => told(minor > 0n ? minor : 0n)
  if (feePartMinor > amount_minor || feePartMinor > held.feeMinor) {
    throw new OperationError(
      'refused',
      `The fee part of ${told(feePartMinor)} is more than there is: ${told(amount_minor)} left, and the fees hold ${atLeastNone(held.feeMinor)}.`,
    )
  }
  const part = amount_minor - feePartMinor
  if (part > held.exchangeMinor) {
    throw new OperationError(
      'refused',
      `Of the ${told(amount_minor)} only ${atLeastNone(held.exchangeMinor)} was exchanged: the rest is of the fees, or was never an order's.`,
      { hint: 'Name what is of the fees: --fee-part AMOUNT' },
    )
  }
  if (part > 0n && (commonUnits(part, currency) > exchanged.units || exchanged.minor <= 0n)) {
    const symbol = symbolOf(currency)
    const there = exchanged.units > 0n ? `only ${fromCommonUnits(exchanged.units, currency)}` : 'nothing'
    const unknown =
      unknownUnits === 0n
        ? ''
        : ` In the archive are ${fromCommonUnits(unknownUnits, currency)} of which an upgrade could not tell the money.`
    throw new OperationError(
      'refused',
      `Of the ${told(part)} ${there} was exchanged for ${bankCurrency}: at which rate ${symbol} was booked in it is not told for more.${unknown}`,
      {
        hint: 'Book the proceeds in the currency that it was exchanged for, one conversion for each; ledger export shows the accounts.',
      },
    )
  }
  return part
}

/** Rounded down to what the currency can tell. */
function fromCommonUnits(units: bigint, currency: string): string {
  const minor = units / 10n ** BigInt(commonDecimals - currencyDecimals(currency))
  return `${formatPrice(minor, currency)} ${symbolOf(currency)}`
}
