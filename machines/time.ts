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

/**
 * Reads `YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]`; without an offset it is UTC.
 * `null` when the text has another form or names a day or hour that does not exist.
 */
export function parseInstant(text: string): Instant | null {
  const match = datetime.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset = 'Z'] = match
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const at = Date.UTC(fields[0], fields[1] - 1, fields[2], fields[3], fields[4], fields[5], milliseconds)
  const read = new Date(at)
  const exists =
    fields[0] > 0 &&
    read.getUTCFullYear() === fields[0] &&
    read.getUTCMonth() === fields[1] - 1 &&
    read.getUTCDate() === fields[2] &&
    read.getUTCHours() === fields[3] &&
    read.getUTCMinutes() === fields[4] &&
    read.getUTCSeconds() === fields[5]
  const offsetMs = offsetMilliseconds(offset)
  return exists && offsetMs !== null ? at - offsetMs : null
}

function offsetMilliseconds(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
