/**
 * Turns that go round: whoever waits under one key has one, then the next key, however many wait under each. So one
 * address with a hundred connections is one in the line, and a visitor from elsewhere is the next. Every other turn is
 * for the key that has had fewest within the minute: beside a hundred addresses that ask all the time, a visitor is
 * still the next one or two. Only every other one, so that addresses which are always new keep nobody waiting for ever.
 */
import { createWindows } from './windows.ts'

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

const maxKeys = 50_000
/** So many keys from the front of the line are compared: a turn costs no more however long the line is. */
const maxCompared = 1_000
const plenty = Number.MAX_SAFE_INTEGER

/** @param gapMs from one turn to the next, asked for before each */
export function createTurns(gapMs: () => number): Turns {
  /** The key whose turn is next first. */
  const line = new Map<string, Waiting[]>()
  const had = createWindows({ windowMs: 60_000, maxKeys })
  let isForFewest = true
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
    while (line.size > 0) {
      const key = nextKey()
      const waiting = line.get(key) ?? []
      line.delete(key)
      const wanted = waiting.findIndex(({ isWanted }) => isWanted())
      const left = wanted === -1 ? [] : waiting.slice(wanted + 1)
      if (left.length > 0) line.set(key, left)
      if (wanted === -1) continue
      isForFewest = !isForFewest
      had.count(key, plenty, performance.now())
      return waiting[wanted]
    }
    return undefined
  }

  function nextKey(): string {
    const [first = ''] = line.keys()
    if (!isForFewest) return first
    const now = performance.now()
    const next = { key: first, left: 0 }
    let compared = 0
    for (const key of line.keys()) {
      if (compared++ === maxCompared) break
      const left = had.look(key, plenty, now).remaining
      if (left > next.left) Object.assign(next, { key, left })
    }
    return next.key
  }

  return {
    take(key, isWanted) {
      if (line.size === 0 && performance.now() - lastAt >= gapMs()) {
        lastAt = performance.now()
        had.count(key, plenty, lastAt)
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
