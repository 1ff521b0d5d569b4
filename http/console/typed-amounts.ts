/**
 * Amounts as an operator types them. Where pages write `1.000,00` for a thousand, `1.000` is a thousand to whoever reads them and one to a
 * program; so that nothing is guessed, separators of thousands are refused in every language, and a point and a comma both stand before
 * decimals.
 */
import { OperationError } from '../../actors/foundation/operation.ts'
import { withDecimals } from './view.ts'

/** `amount` of a currency, which its documents write with two decimals; `units` of an asset, and rates, which may have many more. */
export type AmountKind = 'amount' | 'units'

const forms: Readonly<Record<AmountKind, RegExp>> = {
  amount: /^(-?\d+)(?:[.,](\d{1,2}))?$/,
  // Three digits could be thousands, unless nothing is before them.
  units: /^(-?\d+)(?:[.,](\d{1,2}|\d{4,36})|(?<=^-?0+)[.,](\d{3}))?$/,
}

/**
 * @returns decimal text with a point; `null` for what could be read in two ways, or is no amount. A currency may stand behind it, as in
 * `1000,00 MXN`, and is kept.
 */
export function typedAmount(written: string, kind: AmountKind): string | null {
  const [, figures = '', currency = ''] = /^(\S+)(\s+[A-Za-z]{3})?$/.exec(written.trim()) ?? []
  const match = forms[kind].exec(figures)
  if (match === null) return null
  const [, whole = '', two, three = ''] = match
  // The zero that tells three decimals from thousands has said what it is there for.
  const fraction = two === undefined ? three : two.replace(/^(\d{3})0$/, '$1')
  return `${whole}${fraction === '' ? '' : `.${fraction}`}${currency.toUpperCase().replace(/\s+/, ' ')}`
}

/** As a form can send it back, and as pages write it: `1000.00` of CLP is `1000`. */
export function typeableAmount(amount: string, currency: string): string {
  return withDecimals(amount, currency).replace(/(\.\d\d)0$/, '$1')
}

/** As a form can send it back: of three decimals nobody could tell whether they are thousands. */
export function typeableUnits(amount: string): string {
  return typedAmount(amount, 'units') === null ? `${amount}0` : amount
}

/**
 * What a form has sent, with each amount as decimal text. What has no figure in it stays as it is.
 * @throws OperationError where one is not clear
 */
export function withTypedAmounts<Values extends Readonly<Record<string, string>>>(
  values: Values,
  kinds: ReadonlyMap<string, AmountKind>,
): Values {
  const details: string[] = []
  const read = Object.entries(values).map(([name, written]) => {
    const kind = kinds.get(name)
    // Of what has no figure, such as `none`, the operation says what it is.
    if (kind === undefined || !/\p{N}/u.test(written)) return [name, written] as const
    const plain = typedAmount(written, kind)
    if (plain === null) details.push(`${name}: "${written.slice(0, 80)}" ${problems[kind]}`)
    return [name, plain ?? written] as const
  })
  // Each name has a text, as before.
  if (details.length === 0) return Object.fromEntries(read) as Values
  throw new OperationError('invalid', 'An amount is not clear; nothing was done.', { details })
}

const problems: Readonly<Record<AmountKind, string>> = {
  amount:
    'is not clear as an amount: write it without separators of thousands, with a point or a comma before at most two decimals, such as 1000.50.',
  units:
    'is not clear as a number: write it without separators of thousands, with a point or a comma before its decimals, and a zero behind three of them, such as 1.2500.',
}
