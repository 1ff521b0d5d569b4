/**
 * Lets attempts that end at about the same time go on together, so that their steps, and the claims that follow,
 * share one commit: what a commit costs is the wait for the disk, and nothing else is done meanwhile.
 */

/** So many wait for no more. */
const enough = 16

export class Gathering {
  readonly #lingerMs: number
  #underWay = 0
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | null = null

  /** @param lingerMs the longest that one waits for others; 0 for not at all */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs
  }

  /** Something has begun whose end may be waited for. */
  begin(): void {
    this.#underWay++
  }

  /** It has ended; resolves when it and those that ended with it go on. */
  end(): Promise<void> {
    this.#underWay--
    if (this.#lingerMs === 0) return Promise.resolve()
    const together = new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#underWay === 0 || this.#waiting.length >= enough) this.#release()
    else this.#timer ??= setTimeout(() => this.#release(), this.#lingerMs)
    return together
  }

  #release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
