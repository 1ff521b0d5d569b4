/** The days of postings without any zone: parties that agreed on none have UTC's. */
import type { Instant } from '../machines/time.ts'

/** `2026-12-01` */
export function utcDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** The day a late booking is about; null where it is its own. */
export function aboutDay(aboutAt: Instant | undefined, at: Instant): string | null {
  if (aboutAt === undefined) return null
  const day = utcDay(aboutAt)
  return day === utcDay(at) ? null : day
}
