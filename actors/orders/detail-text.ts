/** What an entry of the journal tells beside its event, as people read it. */
import { currencyName, formatPrice } from '../../machines/money.ts'

/** A fee or a commission: minor units as decimal strings. */
interface Charge {
  terms: string
  amount: string
  tax: string
}

/** Each detail with its name. */
export function detailTexts(
  details: Readonly<Record<string, unknown>>,
  currency: string,
): { name: string; text: string }[] {
  return Object.entries(details).map(([name, value]) => ({ name, text: textOf(value, currency) }))
}

function textOf(value: unknown, currency: string): string {
  if (typeof value === 'string') return value
  if (!isCharge(value)) return JSON.stringify(value)
  const money = (minor: string) => `${formatPrice(BigInt(minor), currency)} ${currencyName(currency)}`
  return `${money(value.amount)} and ${money(value.tax)} of tax, by terms ${value.terms}`
}

function isCharge(value: unknown): value is Charge {
  if (typeof value !== 'object' || value === null) return false
  const { terms, amount, tax }: Partial<Record<keyof Charge, unknown>> = value
  return (
    typeof terms === 'string' && [amount, tax].every((one) => typeof one === 'string' && /^\d+$/.test(one))
  )
}
