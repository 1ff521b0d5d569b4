/**
 * Coming cut-offs, stored as instants before they come, so that no step reckons with zones (protocol 15.2).
 *
 * Days and their ends rise together. The day that runs keeps its end whatever is agreed on meanwhile; later ones follow the terms, and one
 * that would end before the day before it is left out.
 */
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { addDays, cutOffOf, type Day, type DayRule, dayOf } from './days.ts'
import type { PlannedWrite } from './planned-write.ts'

const dayMs = 86_400_000
/** So far ahead days are always planned. */
export const leastAheadMs = 40 * dayMs
/** Once it is less, they are planned so far. */
const aheadMs = 60 * dayMs

type CutOff = Row<'cut_offs'>

export interface CutOffPlan {
  partyId: string
  currency: string
  rule: DayRule
  at: Instant
  /** In their order; those that ended lately, and all that come. */
  planned: readonly CutOff[]
  /** Before its terms it had UTC days: none of its days comes a second time. */
  hadDays: boolean
}

/** The writes that make the coming days what the rule says; none where they are so already. */
export function planCutOffs(plan: CutOffPlan): PlannedWrite[] {
  const { partyId: party_id, currency, at, planned } = plan
  const coming = planned.filter(({ ends_at }) => ends_at > at)
  const last = coming.at(-1)?.ends_at ?? at
  const wanted = daysUntil(last >= at + leastAheadMs ? last : at + aheadMs, coming[0] ?? null, plan)
  const ends = new Map(wanted.map(({ day, ends_at }) => [day, ends_at]))
  const stays = (row: CutOff) => ends.get(row.day) === row.ends_at
  const kept = new Set(coming.filter(stays).map(({ day }) => day))
  // Those that go, first: an end may be another day's now.
  return [
    ...coming
      .filter((row) => !stays(row))
      .map(({ day }): PlannedWrite => ({ delete: 'cut_offs', key: { party_id, currency, day } })),
    ...wanted
      .filter(({ day }) => !kept.has(day))
      .map(
        ({ day, ends_at }): PlannedWrite => ({
          insert: 'cut_offs',
          values: { party_id, currency, day, ends_at },
        }),
      ),
  ]
}

interface PlannedDay {
  day: Day
  ends_at: Instant
}

function daysUntil(until: Instant, running: CutOff | null, plan: CutOffPlan): PlannedDay[] {
  const { rule, at } = plan
  const found: PlannedDay[] = running === null ? [] : [{ day: running.day, ends_at: running.ends_at }]
  let floor = running?.ends_at ?? at
  for (let day = running === null ? firstDay(plan) : addDays(running.day, 1); ; day = addDays(day, 1)) {
    const ends = cutOffOf(day, rule)
    if (ends > until) return found
    if (ends <= floor) continue
    found.push({ day, ends_at: ends })
    floor = ends
  }
}

function firstDay({ rule, at, planned, hadDays }: CutOffPlan): Day {
  const ended = planned.at(-1)
  const days = [dayOf(at, rule)]
  if (ended !== undefined) days.push(addDays(ended.day, 1))
  else if (hadDays) days.push(dayOf(at, { timeZone: 'UTC', cutOff: '24:00' }))
  // Days are written so that their texts have their order.
  return days.toSorted().at(-1) ?? dayOf(at, rule)
}
