/** The scheduler's choices: they begin anew at each event, so that one that is left out changes nothing of the others'. */
import { type Random, seededRandom } from '../durability/random.ts'

export class Chance implements Random {
  readonly #seed: number
  #random: Random

  constructor(seed: number) {
    this.#seed = seed
    this.#random = seededRandom(seed)
  }

  /** @param event its number in the history */
  begin(event: number): void {
    this.#random = seededRandom(Math.imul(this.#seed, 0x9e3779b1) ^ Math.imul(event + 1, 0x85ebca6b))
    // The first numbers of near seeds are near each other.
    for (let skipped = 0; skipped < 3; skipped++) this.#random.fraction()
  }

  fraction(): number {
    return this.#random.fraction()
  }

  below(limit: number): number {
    return this.#random.below(limit)
  }

  chance(probability: number): boolean {
    return this.#random.chance(probability)
  }
}
