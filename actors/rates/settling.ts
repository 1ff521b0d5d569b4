/** What a rate's sources come to: pure, over what the live table holds of them. */
import { combineRates, leapProblem } from '../../machines/rate-reading.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { SourceReading, SourceStates } from './live-table.ts'
import { type RateSource, type RateSources, sourceKey, sourceName } from './source.ts'

export type Settled =
  | { kind: 'accepted'; rate: string; at: Instant; readingJson: string }
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

/** @param last the rate in force; `null` when none was read from these sources */
export function settleRate(
  { expected, sources }: RateSources,
  states: SourceStates,
  last: string | null,
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
  const leap = leapProblem(combined.rate, last ?? expected)
  if (leap !== null) {
    const hint = 'if that is right, apply the rate again with what you expect as its rate'
    return { kind: 'refused', problem: `${leap} (${namesOf(current)}); ${hint}` }
  }
  const used = current.filter((_, place) => combined.used.includes(place))
  return {
    kind: 'accepted',
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
}

function namesOf(current: readonly Current[]): string {
  return current.map(({ source }) => sourceName(source)).join(', ')
}
