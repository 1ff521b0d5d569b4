/** How many blocks an endpoint searches at once: fewer once it refuses, more again when that goes well. */

/** So many answers in a row, and a larger range is tried. */
const answersBeforeGrowth = 16

export class LogRange {
  readonly #max: number
  #blocks: number
  #answers = 0

  constructor(max: number) {
    this.#max = max
    this.#blocks = max
  }

  get blocks(): number {
    return this.#blocks
  }

  /** A range of so many blocks was refused. */
  refused(blocks: number): void {
    this.#blocks = Math.max(1, Math.floor(Math.min(blocks, this.#blocks) / 2))
    this.#answers = 0
  }

  /** A range of so many blocks was searched. */
  served(blocks: number): void {
    if (blocks < this.#blocks) return
    this.#answers += 1
    if (this.#answers < answersBeforeGrowth) return
    this.#blocks = Math.min(this.#max, this.#blocks * 2)
    this.#answers = 0
  }
}
