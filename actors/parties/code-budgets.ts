/**
 * The budgets of code misses in the database: the same for every node and after every start. What is asked for is
 * taken out before it is used.
 *
 * Beside the budget of a minute there is one of a day: so many, or 5 % of what was found in the 24 hours before.
 */
import type { Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'

export interface Usage {
  limit: number
  /** What is left of the limit in this window. */
  remaining: number
  /** More than the limit was counted. */
  isOver: boolean
  /** Until the window ends. */
  resetMs: number
  /** How long a window is. */
  windowMs: number
}

export interface BudgetWant {
  /** At least 1. */
  looks: number
  /** Taken before and not used. */
  giveBack: number
  /** Orders found since the last time. */
  hits: number
}

export interface Granted {
  /** As many as were wanted or are left. */
  looks: number
  /** Tells one minute of the budget from another. */
  minute: Instant
  /** Until that minute ends. */
  minuteLeftMs: number
  /** Of the budget that is nearer to its end. */
  usage: Usage
}

export interface CodeBudgets {
  /** @throws as a step of the store. */
  take(providerId: string, want: BudgetWant): Promise<Granted>
}

export interface CodeLimits {
  perMinute: number
  perDay: number
}

interface Hour {
  /** Hours since the epoch. */
  number: number
  misses: number
  hits: number
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayHours = 24
const hitShare = 0.05

export function createCodeBudgets(store: Pick<Store, 'step'>, limits: CodeLimits): CodeBudgets {
  return {
    async take(providerId, want) {
      const result = await store.step({
        rows: { budget: row('code_budgets', { provider_id: providerId }) },
        decide: ({ budget }, at): Decision<Granted> => {
          const { granted, after } = takeFrom(budget, want, limits, at)
          const key = { provider_id: providerId }
          return {
            answer: granted,
            writes: [
              budget === null
                ? { insert: 'code_budgets', values: { ...key, ...after } }
                : { update: 'code_budgets', key, set: after },
            ],
          }
        },
      })
      if (result.outcome === 'committed') return result.answer
      throw new Error(`A budget of codes violated ${result.constraint}.`)
    },
  }
}

type Budget = Omit<Row<'code_budgets'>, 'provider_id'>

/** What is granted out of a budget, and what is left of it; `null` is one of which nothing was taken yet. */
function takeFrom(
  budget: Budget | null,
  want: BudgetWant,
  limits: CodeLimits,
  now: Instant,
): { granted: Granted; after: Budget } {
  const hours = roll(budget, now)
  giveBack(hours, want.giveBack)
  const present = presentOf(hours)
  present.hits += want.hits
  const minute = minuteOf(budget, now)

  const hits = hours.reduce((sum, hour) => sum + hour.hits, 0)
  const misses = hours.reduce((sum, hour) => sum + hour.misses, 0)
  const dayLimit = Math.max(limits.perDay, Math.floor(hits * hitShare))
  const left = { minute: Math.max(limits.perMinute - minute.misses, 0), day: Math.max(dayLimit - misses, 0) }
  const looks = Math.min(want.looks, left.minute, left.day)
  present.misses += looks
  const isDay = left.day === 0 || left.day < left.minute
  const minuteLeftMs = minute.beganAt + minuteMs - now
  return {
    granted: {
      looks,
      minute: minute.beganAt,
      minuteLeftMs,
      usage: {
        limit: isDay ? dayLimit : limits.perMinute,
        remaining: (isDay ? left.day : left.minute) - looks,
        isOver: looks === 0,
        resetMs: isDay ? untilBelow(dayLimit, hours, misses + looks, now) : minuteLeftMs,
        windowMs: isDay ? dayHours * hourMs : minuteMs,
      },
    },
    after: {
      minute_began_at: minute.beganAt,
      minute_misses: minute.misses + looks,
      hours_json: JSON.stringify(hours),
    },
  }
}

/** A clock that went back begins a new minute: nobody waits for a time that was a mistake. */
function minuteOf(budget: Budget | null, now: Instant): { beganAt: Instant; misses: number } {
  const beganAt = budget?.minute_began_at ?? now
  const isPresent = now >= beganAt && now - beganAt < minuteMs
  return isPresent ? { beganAt, misses: budget?.minute_misses ?? 0 } : { beganAt: now, misses: 0 }
}

/** The last 24 hours and the present one, the oldest first. */
function roll(budget: Budget | null, now: Instant): Hour[] {
  const number = Math.floor(now / hourMs)
  const stored: Hour[] = budget === null ? [] : JSON.parse(budget.hours_json)
  // A clock that went back: what was counted in its future is taken for counted now, so that it ends one day.
  const hours = stored
    .map((hour) => ({ ...hour, number: Math.min(hour.number, number) }))
    .filter((hour) => number - hour.number <= dayHours)
  if (hours.at(-1)?.number !== number) hours.push({ number, misses: 0, hits: 0 })
  return hours
}

function presentOf(hours: readonly Hour[]): Hour {
  const hour = hours.at(-1)
  if (hour === undefined) throw new Error('A budget always has its present hour.')
  return hour
}

/** From the latest hours: that is when it was taken. */
function giveBack(hours: readonly Hour[], looks: number): void {
  let left = looks
  for (const hour of hours.toReversed()) {
    const given = Math.min(left, hour.misses)
    hour.misses -= given
    left -= given
  }
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
