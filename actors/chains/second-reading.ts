/**
 * Every block is read a second time, minutes later: what an endpoint has left out comes to light even where one missing
 * amount hides another from the count.
 */
import type { ChainFailure, ChainReader } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import type { ReadPage } from './reading-again.ts'
import { ReadingAgain } from './reading-again.ts'

/** Each block is read again when it is at least this old. */
const secondAfterMs = 300_000

export type SecondRead = { readonly failure: ChainFailure | null; readonly readTo: number | null }

export class SecondReading {
  readonly #record: ReadPage
  /** What was the last block at a time that is minutes ago: up to there blocks are read. */
  #mark: { readonly height: number; readonly at: Instant } | null = null
  #reading: ReadingAgain | null = null
  /** It has read much at a stretch: a look comes first. */
  #isResting = false

  constructor(record: ReadPage) {
    this.#record = record
  }

  /** This was the last block at that time. */
  mark(height: number, at: Instant): void {
    this.#mark ??= { height, at }
    this.#isResting = false
  }

  isDue(at: Instant): boolean {
    return !this.#isResting && this.#mark !== null && at - this.#mark.at >= secondAfterMs
  }

  /**
   * Goes on from what was read twice already.
   *
   * @returns up to which block all were read, once that is so. After a failure a look comes first: a second reading that
   *   fails must not keep the count waiting.
   */
  async go(from: number, reader: ChainReader): Promise<SecondRead> {
    this.#reading ??= new ReadingAgain(reader, from, this.#record)
    const { failure, done } = await this.#reading.go()
    if (failure === null && !done) {
      this.#isResting = this.#reading.isTired
      if (this.#isResting) this.#reading.rest()
      return { failure: null, readTo: null }
    }
    const readTo = failure === null ? (this.#mark?.height ?? null) : null
    this.#reading = null
    this.#mark = null
    return { failure, readTo }
  }
}
