/**
 * Whether a rate may be used (protocol 10.4): one that was fixed, or read from its sources
 * lately enough, and not refused since.
 */
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { readSources, sourceName } from './source.ts'

export type Acceptance =
  | { ok: true; rate: string; source: string }
  /** A sentence for the operator: merchants are told nothing of it. */
  | { ok: false; problem: string }

export function acceptRate(row: Row<'rates'>, at: Instant): Acceptance {
  const { rate, problem } = row
  if (problem !== null) return { ok: false, problem }
  if (rate === null) return { ok: false, problem: 'no source has told a rate yet' }
  const maxAgeSeconds = maxAgeOf(row)
  // A time that lies ahead was written by a clock that was wrong: that says as little about the rate.
  const ageMs = Math.abs(at - row.updated_at)
  if (maxAgeSeconds !== null && ageMs > maxAgeSeconds * 1000) {
    const age = `${Math.floor(ageMs / 1000)} s old, and may be ${maxAgeSeconds} s`
    return { ok: false, problem: `the rate is ${age}` }
  }
  return { ok: true, rate, source: sourceOf(row) }
}

/** `null` where it never ages. */
export function maxAgeOf(row: Pick<Row<'rates'>, 'max_age_seconds' | 'source_json'>): number | null {
  if (row.max_age_seconds !== null || row.source_json === null) return row.max_age_seconds
  return Math.min(...readSources(row.source_json).sources.map(({ maxAgeSeconds }) => maxAgeSeconds))
}

/** When the rate stops being usable by its age; `null` when it never does. */
export function staleAt(row: Row<'rates'>): Instant | null {
  const maxAgeSeconds = maxAgeOf(row)
  return row.rate === null || maxAgeSeconds === null ? null : row.updated_at + maxAgeSeconds * 1000
}

function sourceOf({ source_json }: Row<'rates'>): string {
  return source_json === null ? 'fixed' : readSources(source_json).sources.map(sourceName).join(', ')
}
