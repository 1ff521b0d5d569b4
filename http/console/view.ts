/** Whom a page is written for: in which language, and by the clock of which zone. A page is data; this makes words of it. */
import type { Language } from '../../actors/people/languages.ts'
import { currencyDecimals } from '../../machines/money.ts'
import { chooseLocale, countryOfZone, formatFigures, formatMoment, formatShortDay } from '../pages/locale.ts'
import type { Counted } from './texts/counted.ts'
import { type Texts, tables } from './texts/index.ts'

export interface View {
  readonly language: Language
  /** An IANA zone. */
  readonly zone: string
  readonly texts: Texts
  /** A whole number, or a decimal text with as many decimals as it has. */
  number(value: number | string): string
  /** A decimal text, with the decimals of its currency and more where it has more. */
  amount(amount: string, currency: string): string
  /** The same, and the currency: `26,990 CLP`. */
  money(amount: string, currency: string): string
  /** A number that a sentence inflects for. */
  counted(count: number): Counted
  /** ISO 8601, to the second, on the wall of the zone. */
  time(iso: string): string
  /** A day of a calendar, whoever's it is: `2026-12-01`. */
  day(day: string): string
}

/** What is said in the reader's language: texts are in the tables of `texts/`, and a page names them. */
export type Said = (texts: Texts, view: View) => string

/** A text as it is stands for data: names, ids, what somebody has written. */
export type Words = string | Said

export function say(words: Words, view: View): string {
  return typeof words === 'string' ? words : words(view.texts, view)
}

export interface Reader {
  /** What they have chosen; `null` for nothing. */
  language: Language | null
  timeZone: string | null
}

/** @param acceptLanguage of the request: it counts for whoever has chosen nothing, and the node's own language after it. */
export function viewFor({ language: chosen, timeZone }: Reader, acceptLanguage: string): View {
  const language = chooseLocale(chosen, acceptLanguage, 'en')
  const zone = timeZone ?? 'UTC'
  const country = countryOfZone(zone)
  const amount = (text: string, currency: string) =>
    formatFigures(language, country, withDecimals(text, currency))
  return {
    language,
    zone,
    texts: tables[language],
    number: (value) => formatFigures(language, country, String(value)),
    counted: (count) => ({ count, text: formatFigures(language, country, String(count)) }),
    amount,
    money: (text, currency) => (currency === '' ? amount(text, '') : `${amount(text, currency)} ${currency}`),
    time: (iso) => {
      const at = Date.parse(iso)
      return Number.isNaN(at) ? iso : formatMoment(language, country, at, zone)
    },
    day: (day) => formatShortDay(language, country, day),
  }
}

/** `26990.00` of CLP is `26990`: zeros that its currency has not are left out, and no other digit is. */
export function withDecimals(amount: string, currency: string): string {
  // Assets have decimals of their own, and are told with as many as they need.
  if (!/^[A-Z]{3}$/.test(currency) || !/^-?\d+(\.\d+)?$/.test(amount)) return amount
  const [whole = '', fraction = ''] = amount.split('.')
  const rest = fraction.replace(/0+$/, '')
  const shown = rest.length > currencyDecimals(currency) ? rest : rest.padEnd(currencyDecimals(currency), '0')
  return shown === '' ? whole : `${whole}.${shown}`
}
