/**
 * Time is an argument: nothing here reads a clock. An *instant* is a number of milliseconds since the epoch.
 */

export type Instant = number

/** ISO 8601, UTC, milliseconds, `Z`: the one form of every answer and webhook. */
export function formatInstant(at: Instant): string {
  return new Date(at).toISOString()
}

const datetime =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,6})?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/** Four digits hold no more than these years, in UTC too. */
const firstInstant = Date.parse('0001-01-01T00:00:00.000Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Reads `YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]`; without an offset it is UTC.
 * `null` when the text has another form or names a day or hour that does not exist.
 */
export function parseInstant(text: string): Instant | null {
  const match = datetime.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = 'Z'] = match
  const read = new Date(0)
  // Not `Date.UTC`: it takes the years 0 to 99 for 1900 to 1999.
  read.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  read.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  // A date rolls over where a day or hour does not exist, and then reads back as another one.
  const exists = read.toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}.`)
  const offsetMs = offsetMilliseconds(offset)
  if (!exists || year === '0000' || offsetMs === null) return null
  const at = read.getTime() - offsetMs
  return at >= firstInstant && at <= lastInstant ? at : null
}

function offsetMilliseconds(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
