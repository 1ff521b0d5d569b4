/** Durations as people write them: `3d`, `36h`, `1d 12h`. */

const secondMs = 1_000
const unitMs: Readonly<Record<string, number>> = {
  s: secondMs,
  m: 60 * secondMs,
  h: 3_600 * secondMs,
  d: 86_400 * secondMs,
  w: 604_800 * secondMs,
}

const form = /^(?:\d{1,9}\s*[smhdw]\s*)+$/

/** Milliseconds; `null` where it is none, or nothing at all. */
export function readDuration(written: string): number | null {
  const text = written.trim().toLowerCase()
  if (!form.test(text)) return null
  const parts = [...text.matchAll(/(\d+)\s*([smhdw])/g)]
  const ms = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0), 0)
  return ms > 0 ? ms : null
}

/** `30 d 4 h`: its two largest units, and whole seconds at least. */
export function formatDuration(ms: number): string {
  let left = Math.round(Math.abs(ms) / secondMs) * secondMs
  const parts: string[] = []
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = unitMs[unit] ?? secondMs
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit === 'm' ? 'min' : unit}`)
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
