/** Which language a reader gets, and how amounts and times read in it. */
import type { Instant } from '../../machines/time.ts'

export const locales = ['es', 'pt', 'en'] as const
export type Locale = (typeof locales)[number]

function isLocale(text: string): text is Locale {
  return locales.some((locale) => locale === text)
}

/** What the reader chose, else the first of the browser's languages that there is, else Spanish. */
export function chooseLocale(chosen: string | null, acceptLanguage: string): Locale {
  if (chosen !== null && isLocale(chosen)) return chosen
  const wanted = acceptLanguage

    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { language: range.split('-')[0] ?? '', weight: weight ? Number(weight.trim().slice(2)) : 1 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
  return wanted.map(({ language }) => language).find(isLocale) ?? 'es'
}

/** A language as it is written in a country: a Mexican amount has other marks than an Argentine one. */
function regional(locale: Locale, country: string): string {
  return /^[A-Z]{2}$/.test(country) ? `${locale}-${country}` : locale
}

const isNumber = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

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
  if (!isNumber(price)) return { number: price, currency }
  const format = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
    new Intl.NumberFormat(regional(locale, country), {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...options,
    })
  const fraction = price.split('.')[1] ?? ''
  const usual = format({}).resolvedOptions().maximumFractionDigits ?? 2
  // The locale may be used to fewer decimals than the amount has: they are shown all the same.
  const decimals = fraction.replace(/0+$/, '').length > usual ? fraction.length : usual
  const parts = format({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).formatToParts(
    price,
  )
  // A currency without a sign of its own is named by its code, which comes anyway.
  const shown = parts.filter(({ type, value }) => type !== 'currency' || value !== currency)
  return {
    number: shown
      .map(({ value }) => value)
      .join('')
      .trim(),
    currency,
  }
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

/** `1 de febrero de 2026, 8:40 p.m. GMT-6` */
export function formatTime(locale: Locale, country: string, at: Instant): string {
  return new Intl.DateTimeFormat(regional(locale, country), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zones[country] ?? 'UTC',
    timeZoneName: 'short',
  }).format(at)
}

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
  const texts = shown.map(({ unit, count }) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  )
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(texts)
}
