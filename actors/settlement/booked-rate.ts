/** At which rate an asset was exchanged: what of it *exchange* holds, and of the money that it was booked with (protocol 15.12). */
import { currencyDecimals, currencyName, formatPrice } from '../../machines/money.ts'
import { exchangeAccounts } from '../../persistence/queries/conversions.ts'
import { accountId, type Row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { own } from '../orders/foreign-postings.ts'

/** Accounts that were exchanged: of all chains of the asset, and of the money that they were booked with. */
interface Booked {
  /** Ids of accounts. */
  assets: { currency: string; id: string }[]
  money: string
}

/**
 * The average rate is that of the whole *exchange*: of an asset's symbol, on all chains, and of one money. Where it holds several, the
 * ledger does not know which was bought with which.
 */
export async function readBooked(store: Store, currency: string, bankCurrency: string): Promise<Booked> {
  const symbol = symbolOf(currency)
  const all = await store.query(exchangeAccounts, {})
  const isAsset = (one: string) => currencyName(one) !== one
  const others = all.filter((one) =>
    isAsset(one.currency) ? symbolOf(one.currency) !== symbol : one.currency !== bankCurrency,
  )
  if (others.length > 0) {
    const names = others.map((one) => currencyName(one.currency)).join(', ')
    throw new OperationError(
      'refused',
      `Beside ${symbol} and ${bankCurrency} the exchange holds ${names}: at which rate ${symbol} was booked in ${bankCurrency} is not told by it.`,
      {
        hint: 'Convert into the currency that it was exchanged for, one pair at a time; ledger export shows the accounts.',
      },
    )
  }
  return {
    assets: all
      .filter((one) => isAsset(one.currency))
      .map((one) => ({ currency: one.currency, id: accountId(own('exchange', one.currency)) })),
    money: accountId(own('exchange', bankCurrency)),
  }
}

function symbolOf(currency: string): string {
  return currencyName(currency).split('.')[0] ?? currency
}

/** Of any chain's asset, in units that are fine enough for all. */
const commonDecimals = 18

export function commonUnits(minor: bigint, currency: string): bigint {
  return minor * 10n ** BigInt(commonDecimals - currencyDecimals(currency))
}

/** @returns what of it was exchanged. */
export function assertParts(
  { amount_minor, currency }: Row<'conversions'>,
  feePartMinor: bigint,
  exchanged: { own: bigint; minor: bigint },
  feeMinor: bigint,
): bigint {
  const told = (minor: bigint) => `${formatPrice(minor, currency)} ${currencyName(currency)}`
  const held = (minor: bigint) => told(minor > 0n ? minor : 0n)
  if (feePartMinor > amount_minor || feePartMinor > feeMinor) {
    throw new OperationError(
      'refused',
      `The fee part of ${told(feePartMinor)} is more than there is: ${told(amount_minor)} left, and the fees hold ${held(feeMinor)}.`,
    )
  }
  const part = amount_minor - feePartMinor
  if (part > exchanged.own) {
    throw new OperationError(
      'refused',
      `Of the ${told(amount_minor)} only ${held(exchanged.own)} was exchanged: the rest is of the fees, or was never an order's.`,
      { hint: 'Name what is of the fees: --fee-part AMOUNT' },
    )
  }
  if (part > 0n && exchanged.minor <= 0n) {
    throw new OperationError(
      'refused',
      `Nothing is booked in that money against ${currencyName(currency)}.`,
      {
        hint: 'Was it sold for another currency?',
      },
    )
  }
  return part
}
