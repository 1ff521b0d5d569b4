/** Turns by key: whoever takes one waits until its time has come, and each is a gap after the one before. */

export interface PacingOptions {
  gapMs: number
  maxKeys: number
}

/**
 * @returns resolves at the turn's time: at once for a key that took none within the gap. A turn is never refused: how
 *   many wait is bounded by the connections that one address may have.
 */
export function createPacing({ gapMs, maxKeys }: PacingOptions): (key: string) => Promise<void> {
  /** When the next turn of a key is, on the monotonic clock. Who took one last is last. */
  const next = new Map<string, number>()

  return (key) => {
    const now = performance.now()
    for (const [oldest, at] of next) {
      if (at > now && next.size < maxKeys) break
      next.delete(oldest)
    }
    const turn = Math.max(next.get(key) ?? now, now)
    next.delete(key)
    next.set(key, turn + gapMs)
    return turn <= now ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, turn - now))
  }
}
