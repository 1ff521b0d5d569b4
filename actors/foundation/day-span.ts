/** From one day to another, as lists are narrowed to it. */
import { type Instant, parseInstant } from '../../machines/time.ts'
import { OperationError } from './operation.ts'

interface Days {
  from?: string | undefined
  to?: string | undefined
}

/** From inclusive, to exclusive. */
export interface Span {
  from?: Instant
  to?: Instant
}

interface DaysRead {
  span: Span
  problems: { name: 'from' | 'to'; text: string }[]
}

/** Days of UTC, both inclusive, or moments; `undefined` leaves that end open. */
export function readDays(days: Days): DaysRead {
  const read: DaysRead = { span: {}, problems: [] }
  for (const name of ['from', 'to'] as const) {
    const text = days[name]
    if (text === undefined) continue
    const at = momentOf(text, name === 'to')
    if (at === null) {
      read.problems.push({ name, text: `"${shortened(text)}" is no day such as 2026-03-01.` })
    } else read.span[name] = at
  }
  const { from, to } = read.span
  if (from !== undefined && to !== undefined && from >= to) {
    read.problems.push({ name: 'to', text: 'It lies before the first day.' })
  }
  return read
}

/** @throws OperationError `invalid`, with what is wrong with each */
export function spanOf(days: Days): Span {
  const { span, problems } = readDays(days)
  if (problems.length === 0) return span
  const details = problems.map(({ name, text }) => `${name}: ${text}`)
  throw new OperationError('invalid', 'The days are not right.', { details })
}

const dayMs = 86_400_000

function momentOf(text: string, isEnd: boolean): Instant | null {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const at = parseInstant(isDay ? `${text}T00:00Z` : text)
  return at !== null && isDay && isEnd ? at + dayMs : at
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
