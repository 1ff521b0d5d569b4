/** What everybody has moved alone within a day, under each threshold: an amount that is split comes to the same. */

/** What moved: how much of a money, and whose, where it is anybody's. */
export interface Moved {
  minor: bigint
  parties: readonly string[]
}

const dayMs = 86_400_000

export class Sums {
  /** In cents; `*` is that of every operation without one of its own. */
  readonly thresholds: Map<string, bigint>
  readonly #moves = new Map<string, { at: number; minor: bigint }[]>()

  constructor(thresholds: Readonly<Record<string, bigint>>) {
    this.thresholds = new Map(Object.entries(thresholds))
  }

  /** @returns what is too much for one: whose, and how much was moved before */
  move(operation: string, by: string, at: number, { minor, parties }: Moved): string[] {
    return this.#placesOf(operation, by, parties).flatMap(({ place, threshold, moves }) => {
      const before = sum(moves.filter((move) => move.at > at - dayMs))
      this.#moves.set(place, [...moves, { at, minor }])
      const isTooMuch = minor > 0n && before + minor > threshold
      return isTooMuch ? [`behind ${before} of ${place}, above ${threshold}`] : []
    })
  }

  /** Whether all that anybody ever moved would not make it too much. */
  isBelow(operation: string, by: string, { minor, parties }: Moved): boolean {
    const places = this.#placesOf(operation, by, parties)
    return places.every(({ threshold, moves }) => sum(moves) + minor <= threshold)
  }

  #placesOf(operation: string, by: string, parties: readonly string[]) {
    const judgedBy = this.thresholds.has(operation) ? operation : '*'
    const threshold = this.thresholds.get(judgedBy)
    if (threshold === undefined) return []
    return [by, ...(parties.length === 0 ? ['the node'] : parties)].map((scope) => {
      const place = `${scope} (${judgedBy})`
      return { place, threshold, moves: this.#moves.get(place) ?? [] }
    })
  }
}

function sum(entries: readonly { minor: bigint }[]): bigint {
  return entries.reduce((total, { minor }) => total + minor, 0n)
}
