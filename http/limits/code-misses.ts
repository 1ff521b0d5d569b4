/**
 * How many codes a provider may ask for in vain: a code is as good as money, and whoever could try them all
 * would find some. Protocol 8.3.
 *
 * Beside the budget of a minute there is one of a day: so many, or 5 % of what was found in the 24 hours
 * before. A code that is found counts once an hour, or asking for the same one all day would buy guesses.
 */
import type { Instant } from '../../machines/time.ts'
import { createWindows, type Usage } from './windows.ts'

export interface CodeMisses {
  /** What is left to the provider; over is who has used up the minute's budget or the day's. */
  budget(providerId: string, now: Instant): Usage
  /** An unknown code with a right check digit. */
  missed(providerId: string, now: Instant): void
  found(providerId: string, orderId: string, now: Instant): void
}

interface Hour {
  /** Hours since the epoch. */
  number: number
  misses: number
  hits: number
}

interface Record {
  /** The last 24 hours and the present one, the oldest first. */
  hours: Hour[]
  /** What was found in the present hour. */
  found: Set<string>
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayHours = 24
const hitShare = 0.05
/** Bounds the memory of a provider's hour; what is found beyond it earns nothing. */
const maxHitsPerHour = 5_000

export function createCodeMisses(limits: { perMinute: number; perDay: number }): CodeMisses {
  // Both are keyed by providers that have signed: as many as the operator has registered.
  const minutes = createWindows({ windowMs: minuteMs, maxKeys: 10_000 })
  const records = new Map<string, Record>()

  function recordOf(providerId: string, now: Instant): Record {
    const known = records.get(providerId)
    if (known !== undefined) return roll(known, now)
    const record = { hours: [{ number: hourOf(now), misses: 0, hits: 0 }], found: new Set<string>() }
    records.set(providerId, record)
    return record
  }

  function day(providerId: string, now: Instant): Usage {
    const { hours } = recordOf(providerId, now)
    const hits = hours.reduce((sum, hour) => sum + hour.hits, 0)
    const misses = hours.reduce((sum, hour) => sum + hour.misses, 0)
    const limit = Math.max(limits.perDay, Math.floor(hits * hitShare))
    return {
      limit,
      remaining: Math.max(limit - misses, 0),
      isOver: misses >= limit,
      resetMs: untilBelow(limit, hours, misses, now),
    }
  }

  return {
    budget(providerId, now) {
      const ofDay = day(providerId, now)
      const ofMinute = minutes.look(providerId, limits.perMinute, now)
      return ofDay.isOver || ofDay.remaining < ofMinute.remaining ? ofDay : ofMinute
    },
    missed(providerId, now) {
      minutes.count(providerId, limits.perMinute, now)
      present(recordOf(providerId, now)).misses++
    },
    found(providerId, orderId, now) {
      const record = recordOf(providerId, now)
      if (record.found.has(orderId) || record.found.size >= maxHitsPerHour) return
      record.found.add(orderId)
      present(record).hits++
    },
  }
}

function hourOf(now: Instant): number {
  return Math.floor(now / hourMs)
}

/** Begins the present hour where there is none yet, and forgets those that a day has passed since. */
function roll(record: Record, now: Instant): Record {
  const number = hourOf(now)
  const latest = present(record)
  if (latest.number === number) return record
  // A clock that went back: what was counted in its future is taken for counted now, so that it ends one day.
  for (const hour of record.hours) hour.number = Math.min(hour.number, number)
  record.hours = record.hours.filter((hour) => number - hour.number <= dayHours)
  record.hours.push({ number, misses: 0, hits: 0 })
  record.found = new Set()
  return record
}

function present({ hours }: Record): Hour {
  const hour = hours.at(-1)
  if (hour === undefined) throw new Error('A record always has its present hour.')
  return hour
}

/** Until enough hours with misses are a day old. */
function untilBelow(limit: number, hours: readonly Hour[], misses: number, now: Instant): number {
  let left = misses
  let forgottenAt = now
  for (const hour of hours) {
    if (left < limit) break
    left -= hour.misses
    forgottenAt = (hour.number + dayHours + 1) * hourMs
  }
  return Math.max(forgottenAt - now, 0)
}
