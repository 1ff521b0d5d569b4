/** Amounts, fees and days as somebody reckons them who knows the terms and the calendar, and nothing of the program. */

const decimals: Readonly<Record<string, number>> = {
  CLP: 0,
  PYG: 0,
  JPY: 0,
  MXN: 2,
  USD: 2,
  BRL: 2,
  KWD: 3,
  TND: 3,
  'USDC.SOLANA/6': 6,
  'EURC.SOLANA/6': 6,
  'USDC.STELLAR/7': 7,
  'USDC.MONAD/6': 6,
}

function decimalsOf(currency: string): number {
  const found = decimals[currency]
  if (found === undefined) throw new Error(`The model does not know the currency ${currency}.`)
  return found
}

/** `-12.50` MXN is -1250, and `7.00` CLP is 7: answers have two decimals at least. */
export function minor(text: string, currency: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const places = decimalsOf(currency)
  if (/[^0]/.test(fraction.slice(places))) throw new Error(`${text} has more decimals than ${currency}.`)
  const size = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
  return text.startsWith('-') ? -size : size
}

/** -1250 MXN is `-12.50`. */
export function written(amount: bigint, currency: string): string {
  const places = decimalsOf(currency)
  const digits = String(amount < 0n ? -amount : amount).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return amount < 0n ? `-${text}` : text
}

/** Of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/** What a contract says of a fee or a commission, as the terms' text has it. */
export interface Rate {
  from: string
  direction: string
  fixed?: string
  bps?: number
  min?: string
  max?: string
  taxBps?: number
}

/** The rate of a direction that holds on a day: the latest that has begun. */
export function rateOn(rates: readonly Rate[], direction: string, day: string): Rate | undefined {
  return rates
    .filter((one) => one.direction === direction && one.from <= day)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1)
}

/** The fee on a price, and the tax on the fee, each to the minor unit. */
export function charge(
  rate: Rate | undefined,
  price: bigint,
  currency: string,
): { fee: bigint; tax: bigint } {
  if (rate === undefined) return { fee: 0n, tax: 0n }
  let fee = minor(rate.fixed ?? '0', currency) + percentage(price, rate.bps ?? 0)
  if (rate.min !== undefined && fee < minor(rate.min, currency)) fee = minor(rate.min, currency)
  if (rate.max !== undefined && fee > minor(rate.max, currency)) fee = minor(rate.max, currency)
  return { fee, tax: percentage(fee, rate.taxBps ?? 0) }
}

/** Hundredths of a percent; from half a minor unit on it is one. */
function percentage(amount: bigint, bps: number): bigint {
  const exact = amount * BigInt(bps)
  const [whole, rest] = [exact / 10_000n, exact % 10_000n]
  return rest * 2n >= 10_000n ? whole + 1n : whole
}

const wallClocks = new Map<string, Intl.DateTimeFormat>()

/** The day on the wall, unless the wall's clock shows the cut-off or later: then the next. */
export function dayAt(at: number, zone: string, cutOff: string): string {
  const known = wallClocks.get(zone)
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  wallClocks.set(zone, clock)
  const parts = clock.format(at)
  const [date = '', time = ''] = parts.split(' ')
  return cutOff !== '24:00' && time >= cutOff ? plusDays(date, 1) : date
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export function weekday(day: string): string {
  return new Date(`${day}T12:00:00Z`).toUTCString().slice(0, 3).toUpperCase()
}

export interface Calendar {
  weekend?: readonly string[]
  closed?: readonly { date: string }[]
}

/** So many banking days behind a day; for none the day itself, or the next one on which banks work. */
export function bankingDay(
  day: string,
  count: number,
  { weekend = ['SAT', 'SUN'], closed = [] }: Calendar,
): string {
  const isOpen = (one: string) => !weekend.includes(weekday(one)) && closed.every(({ date }) => date !== one)
  const next = (from: string): string => (isOpen(from) ? from : next(plusDays(from, 1)))
  let found = next(day)
  for (let left = count; left > 0; left--) found = next(plusDays(found, 1))
  return found
}
