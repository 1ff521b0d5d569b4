/** Amounts, currencies and countries of a document that a person wrote. */
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import { matching, type Read, Wrong } from './reading.ts'

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A slip such as `MNX` would book money where no order can use it. */
export const country = known(
  /^[A-Z]{2}$/,
  (code) => code !== 'ZZ' && regions.of(code) !== undefined,
  'a country such as "MX"',
)
export const currency = known(/^[A-Z]{3}$/, (code) => currencies.has(code), 'a currency such as "MXN"')

function known(form: RegExp, isKnown: (code: string) => boolean, what: string): Read<string> {
  const read = matching(form, what)
  return (value) => {
    const code = read(value)
    return code instanceof Wrong || isKnown(code) ? code : new Wrong(`is not ${what}`)
  }
}

/** An amount above zero. Of a currency that is wrong itself, only its form can be judged. */
export function amountOf(of: string | undefined): Read<bigint> {
  return amount(of, (minor) => minor > 0n, 'is not above zero')
}

/** As `amountOf`; zero is one, too. */
export function amountFromZero(of: string | undefined): Read<bigint> {
  return amount(of, (minor) => minor >= 0n, 'is below zero')
}

function amount(of: string | undefined, fits: (minor: bigint) => boolean, otherwise: string): Read<bigint> {
  const what = of === undefined ? 'an amount' : `an amount of ${of}`
  return (value) => {
    if (typeof value !== 'string') return new Wrong(`is not ${what}: write it as a text, such as "100.00"`)
    const minor = parseAmount(value, currencyDecimals(of ?? ''))
    if (minor === 'not_a_number') return new Wrong(`is not ${what}`)
    if (of === undefined) return 0n
    if (minor === 'too_large') return new Wrong('is more than the ledger can hold')
    if (minor === 'too_many_decimals') return new Wrong(`has more decimals than ${of}`)
    return fits(minor) ? minor : new Wrong(otherwise)
  }
}
