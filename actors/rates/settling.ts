/** What a rate's sources come to: pure, over what the live table holds of them. */

import { type Accepted, jumpProblem, nextBase } from '../../machines/rate-doubt.ts'
import { combineRates, leapProblem } from '../../machines/rate-reading.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { SourceReading, SourceStates } from './live-table.ts'
import { type RateSource, type RateSources, sourceKey, sourceName } from './source.ts'

export type Settled =
  | { kind: 'accepted'; rate: string; at: Instant; readingJson: string; base: string; baseAt: Instant }
  /** They moved too far for one source alone: the last one is not used, and somebody is to agree. */
  | { kind: 'doubted'; problem: string; rate: string; at: Instant; readingJson: string }
  /** They told what is no rate: the last one is not used any more, however young it is. */
  | { kind: 'refused'; problem: string }
  /** They told nothing: the last rate goes on until it is too old. */
  | { kind: 'unreachable'; problem: string }
  /** Not all were asked yet. */
  | { kind: 'unread' }

interface Current {
  source: RateSource
  reading: SourceReading
}

/** @param accepted the rate in force; nulls when none was read from these sources */
export function settleRate(
  { expected, sources }: RateSources,
  states: SourceStates,
  { maxJumpPercent, now, ...accepted }: Accepted & { maxJumpPercent: number; now: Instant },
): Settled {
  const asked = sources.map((source) => ({ source, state: states[sourceKey(source)] }))
  if (asked.some(({ state }) => state === undefined)) return { kind: 'unread' }
  const current = asked.flatMap(({ source, state }): Current[] =>
    state?.problem === null && state.reading !== null ? [{ source, reading: state.reading }] : [],
  )
  const problems = asked.flatMap(({ source, state }) =>
    state?.problem
      ? [{ kind: state.problem.kind, text: `${sourceName(source)}: ${state.problem.text}` }]
      : [],
  )
  // One that is left of three may be the one that is wrong.
  if (current.length * 2 < sources.length || current.length === 0) {
    const isRefused = problems.some(({ kind }) => kind === 'refused')
    const problem = problems.map(({ text }) => text).join('; ')
    return { kind: isRefused ? 'refused' : 'unreachable', problem }
  }
  const combined = combineRates(current.map(({ reading }) => reading.rate))
  if (!combined.ok) return { kind: 'refused', problem: `${combined.problem} (${namesOf(current)})` }
  const used = current.filter((_, place) => combined.used.includes(place))
  const against = { ...accepted, last: accepted.last ?? expected }
  // Two addresses of one host are one source: who breaks into it has both.
  const agreeing = new Set(used.map(({ source }) => new URL(source.url).host))
  const leap = leapProblem(combined.rate, against.last)
  const jump = agreeing.size > 1 ? null : jumpProblem(combined.rate, against, maxJumpPercent, now)
  const problem = leap ?? jump
  const settled = {
    rate: combined.rate,
    // The rate is as old as the oldest number it was made of.
    at: Math.min(...used.map(({ reading }) => reading.at)),
    readingJson: JSON.stringify({
      sources: current.map(({ source, reading }) => ({
        source: sourceName(source),
        told: reading.told,
        inverse: source.inverse,
        spreadBps: source.spreadBps,
        rate: reading.rate,
        at: formatInstant(reading.at),
        used: used.some((one) => one.source === source),
      })),
      missing: problems.map(({ text }) => text),
    }),
  }
  if (problem !== null) return { kind: 'doubted', problem: `${problem} (${namesOf(current)})`, ...settled }
  // What two agree on begins the hour anew.
  const held = agreeing.size > 1 ? { last: null, base: null, baseAt: null } : against
  return { kind: 'accepted', ...settled, ...nextBase(combined.rate, held, now) }
}

function namesOf(current: readonly Current[]): string {
  return current.map(({ source }) => sourceName(source)).join(', ')
}
