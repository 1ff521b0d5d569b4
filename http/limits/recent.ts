/** Keys that were noted within a time, to a hundredth of it; memory is bounded, and whoever was noted longest ago is forgotten first. */
import type { Instant } from '../../machines/time.ts'

export interface Recent {
  note(key: string, now: Instant): void
  has(key: string, now: Instant): boolean
}

export function createRecent({ forMs, maxKeys }: { forMs: number; maxKeys: number }): Recent {
  // The one noted longest ago first.
  const noted = new Map<string, Instant>()
  // Who is noted with each request would be put to the end each time for nothing.
  const exactMs = forMs / 100
  return {
    note(key, now) {
      const at = noted.get(key)
      if (at !== undefined && Math.abs(now - at) < exactMs) return
      noted.delete(key)
      noted.set(key, now)
      if (noted.size <= maxKeys) return
      for (const oldest of noted.keys()) {
        noted.delete(oldest)
        break
      }
    },
    has(key, now) {
      const at = noted.get(key)
      return at !== undefined && Math.abs(now - at) < forMs
    },
  }
}
