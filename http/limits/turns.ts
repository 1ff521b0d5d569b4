/**
 * Turns that go round: whoever waits under one key has one, then the next key, however many wait under each. So one
 * address with a hundred connections is one in the line, and a visitor from elsewhere is the next.
 */

export interface Turns {
  /**
   * Resolves when a turn has come: at once where nobody waits and the last one is a gap ago. A turn is never refused,
   * and one that nobody wants any more by then is not spent; its promise stays unsettled.
   */
  take(key: string, isWanted: () => boolean): Promise<void>
}

interface Waiting {
  isWanted: () => boolean
  come: () => void
}

/** @param gapMs from one turn to the next, asked for before each */
export function createTurns(gapMs: () => number): Turns {
  /** The key whose turn is next first. */
  const line = new Map<string, Waiting[]>()
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null

  function arrange(): void {
    if (timer !== null || line.size === 0) return
    const waitMs = lastAt + gapMs() - performance.now()
    timer = setTimeout(
      () => {
        timer = null
        const next = takeWanted()
        if (next !== undefined) {
          const now = performance.now()
          // What a timer is late is made up for by the next turn, within one gap.
          lastAt = Math.min(Math.max(lastAt + gapMs(), now - gapMs()), now)
          next.come()
        }
        arrange()
      },
      Math.max(waitMs, 0),
    )
  }

  function takeWanted(): Waiting | undefined {
    for (const [key, waiting] of line) {
      line.delete(key)
      const wanted = waiting.findIndex(({ isWanted }) => isWanted())
      const left = wanted === -1 ? [] : waiting.slice(wanted + 1)
      if (left.length > 0) line.set(key, left)
      if (wanted !== -1) return waiting[wanted]
    }
    return undefined
  }

  return {
    take(key, isWanted) {
      if (line.size === 0 && performance.now() - lastAt >= gapMs()) {
        lastAt = performance.now()
        return Promise.resolve()
      }
      return new Promise((come) => {
        const waiting = { isWanted, come }
        const others = line.get(key)
        if (others === undefined) line.set(key, [waiting])
        else others.push(waiting)
        arrange()
      })
    },
  }
}
