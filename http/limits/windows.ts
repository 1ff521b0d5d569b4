/**
 * Counts by key in windows of time: the first one counted begins a window, and its end forgets it.
 *
 * In this process's memory only: a limit protects the node that enforces it, and none needs another's counts.
 * Memory is bounded; beyond `maxKeys` the window that began first is forgotten, whoever fills the table.
 */
import type { Usage } from '../../actors/parties/code-budgets.ts'
import type { Instant } from '../../machines/time.ts'

export interface Windows {
  /** Counts one more. */
  count(key: string, limit: number, now: Instant): Usage
  /** As it is, without counting; over is then who has nothing left. */
  look(key: string, limit: number, now: Instant): Usage
  readonly size: number
}

interface Window {
  beganAt: Instant
  count: number
}

export function createWindows({ windowMs, maxKeys }: { windowMs: number; maxKeys: number }): Windows {
  // The oldest first: a window keeps its place, and a new one goes to the end.
  const windows = new Map<string, Window>()

  // A clock that went back begins a new window: nobody waits for a time that was a mistake.
  const isCurrent = ({ beganAt }: Window, now: Instant) => now >= beganAt && now - beganAt < windowMs

  function current(key: string, now: Instant): Window | undefined {
    const window = windows.get(key)
    if (window === undefined || isCurrent(window, now)) return window
    windows.delete(key)
    return undefined
  }

  function begin(key: string, now: Instant): Window {
    for (const [oldest, window] of windows) {
      if (isCurrent(window, now) && windows.size < maxKeys) break
      windows.delete(oldest)
    }
    const window = { beganAt: now, count: 0 }
    windows.set(key, window)
    return window
  }

  const usage = (window: Window, limit: number, now: Instant) => ({
    limit,
    remaining: Math.max(limit - window.count, 0),
    resetMs: window.beganAt + windowMs - now,
    windowMs,
  })

  return {
    count(key, limit, now) {
      const window = current(key, now) ?? begin(key, now)
      window.count++
      return { ...usage(window, limit, now), isOver: window.count > limit }
    },
    look(key, limit, now) {
      const window = current(key, now) ?? { beganAt: now, count: 0 }
      return { ...usage(window, limit, now), isOver: window.count >= limit }
    },
    get size() {
      return windows.size
    },
  }
}
