/** Which language a reader gets, and how amounts and times read in it. */
import type { Instant } from '../../machines/time.ts'

export const locales = ['es', 'pt', 'en'] as const
export type Locale = (typeof locales)[number]

function isLocale(text: string): text is Locale {
  return locales.some((locale) => locale === text)
}

/** Far more than any browser sends; a header may be sixteen thousand commas. */
const maxAcceptLength = 500

/** What the reader chose, else the first of the browser's languages that there is, else `otherwise`. */
export function chooseLocale(
  chosen: string | null,
  acceptLanguage: string,
  otherwise: Locale = 'es',
): Locale {
  if (chosen !== null && isLocale(chosen)) return chosen
  const wanted = acceptLanguage
    .slice(0, maxAcceptLength)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { language: range.split('-')[0] ?? '', weight: weight ? Number(weight.trim().slice(2)) : 1 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
  return wanted.map(({ language }) => language).find(isLocale) ?? otherwise
}

/** A language as it is written in a country: a Mexican amount has other marks than an Argentine one. */
function regional(locale: Locale, country: string): string {
  return /^[A-Z]{2}$/.test(country) ? `${locale}-${country}` : locale
}

const isNumber = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

/** Formats take a quarter of a millisecond to make, so each is made once; there are as many as pairs in use. */
function once<Format>(make: (locale: string, ...parts: string[]) => Format): typeof make {
  const made = new Map<string, Format>()
  return (...parts) => {
    const key = parts.join(' ')
    const format = made.get(key) ?? make(...parts)
    made.set(key, format)
    return format
  }
}

const moneyFormat = once((locale, currency = '', decimals = '') => {
  const digits = decimals === '' ? {} : fractionDigits(Number(decimals))
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...digits,
  })
})

const fractionDigits = (count: number) => ({ minimumFractionDigits: count, maximumFractionDigits: count })

/**
 * An amount in two parts: `$1,000.00` and `MXN`. Many currencies share a sign, so the code always stands beside
 * the number. `price` is a decimal text.
 */
export function formatMoney(
  locale: Locale,
  country: string,
  price: string,
  currency: string,
): { number: string; currency: string } {
  if (!isNumber(price) || !/^[A-Z]{3}$/.test(currency)) return { number: price, currency }
  const fraction = price.split('.')[1] ?? ''
  const usualFormat = moneyFormat(regional(locale, country), currency)
  const usual = usualFormat.resolvedOptions().maximumFractionDigits ?? 2
  // The locale may be used to fewer decimals than the amount has: they are shown all the same.
  const isUsual = fraction.replace(/0+$/, '').length <= usual
  const format = isUsual
    ? usualFormat
    : moneyFormat(regional(locale, country), currency, `${fraction.length}`)
  // A currency without a sign of its own is named by its code, which comes anyway.
  const parts = format
    .formatToParts(price)
    .filter(({ type, value }) => type !== 'currency' || value !== currency)
  return {
    number: parts
      .map(({ value }) => value)
      .join('')
      .trim(),
    currency,
  }
}

const amountFormat = once(
  (locale, decimals = '2') => new Intl.NumberFormat(locale, fractionDigits(Number(decimals))),
)

/** A decimal text with its decimals, without a sign of its currency: for columns. */
export function formatAmount(locale: Locale, country: string, amount: string): string {
  if (!isNumber(amount)) return amount
  return amountFormat(regional(locale, country), `${(amount.split('.')[1] ?? '').length}`).format(amount)
}

const dayFormat = once(
  (locale) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
)

/** @param day such as `2026-12-01` */
export function formatDay(locale: Locale, country: string, day: string): string {
  return dayFormat(regional(locale, country)).format(Date.parse(day))
}

const clockFormat = once(
  (locale, timeZone = 'UTC') =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
)

/** Date and time of day in figures, on the wall of a zone. */
export function formatClock(locale: Locale, country: string, at: Instant, timeZone: string): string {
  return clockFormat(regional(locale, country), timeZone).format(at)
}

const portuguese = new Set(['BR', 'PT', 'AO', 'MZ', 'CV'])
const spanish = new Set('AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR PY SV UY VE'.split(' '))

/** What is written to somebody in a country is written in. */
export function localeOfCountry(country: string): Locale {
  return portuguese.has(country) ? 'pt' : spanish.has(country) ? 'es' : 'en'
}

const assetFormat = once(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 18 }),
)

/** An amount of an asset, exactly: its zeros at the end are left out. */
export function formatAssetAmount(locale: Locale, country: string, amount: string): string {
  return isNumber(amount) ? assetFormat(regional(locale, country)).format(amount) : amount
}

/** Where most of a country lives. A page without script cannot know the reader's zone, so each time names its own. */
const zones: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  BO: 'America/La_Paz',
  BR: 'America/Sao_Paulo',
  CL: 'America/Santiago',
  CO: 'America/Bogota',
  CR: 'America/Costa_Rica',
  DO: 'America/Santo_Domingo',
  EC: 'America/Guayaquil',
  GT: 'America/Guatemala',
  HN: 'America/Tegucigalpa',
  MX: 'America/Mexico_City',
  NI: 'America/Managua',
  PA: 'America/Panama',
  PE: 'America/Lima',
  PY: 'America/Asuncion',
  SV: 'America/El_Salvador',
  UY: 'America/Montevideo',
  VE: 'America/Caracas',
}

/** Whose country's marks a reader is used to; an empty text where none is known. */
export function countryOfZone(zone: string): string {
  return Object.entries(zones).find(([, each]) => each === zone)?.[0] ?? ''
}

/** Latin America, or Brazil, unless the country is known. */
function inRegion(locale: Locale, country: string): string {
  const isSpoken = country !== '' && localeOfCountry(country) === locale
  if (isSpoken) return `${locale}-${country}`
  return { es: 'es-419', pt: 'pt-BR', en: 'en' }[locale]
}

const figuresFormat = once(
  (locale, decimals = '0') =>
    new Intl.NumberFormat(locale, { ...fractionDigits(Number(decimals)), useGrouping: 'always' }),
)

/** A decimal text in the reader's figures, with the decimals that it has; any other text as it is. */
export function formatFigures(locale: Locale, country: string, number: string): string {
  if (!isNumber(number)) return number
  return figuresFormat(inRegion(locale, country), `${(number.split('.')[1] ?? '').length}`).format(number)
}

const momentFormat = once(
  (locale, timeZone = 'UTC') =>
    new Intl.DateTimeFormat(locale, {
      ...twoDigits,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
)

const twoDigits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** English has two orders of day and month, so that there it is the one of ISO 8601, which Swedish writes. */
const unmistakable = (locale: Locale, country: string) =>
  locale === 'en' ? 'sv-SE' : inRegion(locale, country)

/** `01/12/2026 23:59:05` on the wall of a zone; in English `2026-12-01 23:59:05`. */
export function formatMoment(locale: Locale, country: string, at: Instant, timeZone: string): string {
  return momentFormat(unmistakable(locale, country), timeZone).format(at).replace(',', '')
}

const shortDayFormat = once((locale) => new Intl.DateTimeFormat(locale, { ...twoDigits, timeZone: 'UTC' }))

/** @param day such as `2026-12-01`; what is none stays as it is */
export function formatShortDay(locale: Locale, country: string, day: string): string {
  const at = Date.parse(day)
  return Number.isNaN(at) ? day : shortDayFormat(unmistakable(locale, country)).format(at)
}

const timeFormat = once(
  (locale, timeZone = 'UTC') =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    }),
)

/** `1 de febrero de 2026, 8:40 p.m. GMT-6` */
export function formatTime(locale: Locale, country: string, at: Instant): string {
  return timeFormat(regional(locale, country), zones[country] ?? 'UTC').format(at)
}

const unitFormat = once(
  (locale, unit = 'minute') => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }),
)
const listFormat = once((locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'long' }))

const minuteMs = 60_000

/** The two largest units of a duration, rounded down: `2 días, 5 horas`, `14 minutos`. Less than a minute is 0. */
export function formatDuration(locale: Locale, durationMs: number): string {
  const minutes = Math.max(0, Math.floor(durationMs / minuteMs))
  const parts = [
    { unit: 'day', count: Math.floor(minutes / 1440) },
    { unit: 'hour', count: Math.floor(minutes / 60) % 24 },
    { unit: 'minute', count: minutes % 60 },
  ]
  const largest = parts.findIndex(({ count }) => count > 0)
  const shown =
    largest < 0 ? parts.slice(-1) : parts.slice(largest, largest + 2).filter(({ count }) => count > 0)
  return listFormat(locale).format(shown.map(({ unit, count }) => unitFormat(locale, unit).format(count)))
}
