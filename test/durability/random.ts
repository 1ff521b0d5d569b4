/** Random numbers that are the same for the same seed (mulberry32). */
export interface Random {
  /** From 0 to 1, without 1. */
  fraction(): number
  /** A whole number from 0 to `limit`, without `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    chance: (probability) => fraction() < probability,
  }
}
