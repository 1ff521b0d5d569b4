/**
 * Whether a rate may be used (part 2 of the design, Quote): one that was fixed, or read from its sources lately
 * enough, and not refused since.
 */
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { readSources } from './source.ts'

export type Acceptance =
  | { accepted: true; rate: string; source: string }
  /** A sentence for the operator: merchants are told nothing of it. */
  | { accepted: false; problem: string }

/** How old a rate from sources may be where nothing else is said. A fixed one never ages by itself. */
export const usualMaxAgeSeconds = 300

export function acceptRate(row: Row<'rates'>, at: Instant): Acceptance {
  const { rate, problem } = row
  if (problem !== null) return { accepted: false, problem }
  if (rate === null) return { accepted: false, problem: 'no source has told a rate yet' }
  const maxAgeSeconds = maxAgeOf(row)
  // A time that lies ahead was written by a clock that was wrong: that says as little about the rate.
  const ageSeconds = Math.floor(Math.abs(at - row.updated_at) / 1000)
  if (maxAgeSeconds !== null && Math.abs(at - row.updated_at) > maxAgeSeconds * 1000) {
    return { accepted: false, problem: `the rate is ${ageSeconds} s old, more than ${maxAgeSeconds} s` }
  }
  return { accepted: true, rate, source: sourceOf(row) }
}

/** `null` where it never ages. */
export function maxAgeOf(row: Pick<Row<'rates'>, 'max_age_seconds' | 'source_json'>): number | null {
  if (row.max_age_seconds !== null || row.source_json === null) return row.max_age_seconds
  const { sources } = readSources(row.source_json)
  return Math.min(...sources.map((source) => source.maxAgeSeconds ?? usualMaxAgeSeconds))
}

/** When the rate stops being usable by its age; `null` when it never does. */
export function staleAt(row: Row<'rates'>): Instant | null {
  const maxAgeSeconds = maxAgeOf(row)
  return row.rate === null || maxAgeSeconds === null ? null : row.updated_at + maxAgeSeconds * 1000
}

function sourceOf({ source_json }: Row<'rates'>): string {
  if (source_json === null) return 'fixed'
  return readSources(source_json)
    .sources.map(({ url }) => new URL(url).host)
    .join(', ')
}
