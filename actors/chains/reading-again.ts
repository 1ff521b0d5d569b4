/** Blocks that are read again from some height on, a few pages at a time. */

import type { ChainFailure, ChainReader } from '../../chain/chain.ts'
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'

/** More pages than this at a stretch are too many: something else has to have its turn. */
const manyPages = 300
const pagesAtOnce = 5

/** What is done with each page. */
export type ReadPage = (page: ChainDepositPage) => Promise<void>

export interface ReadOn {
  /** It has come to the last final block. */
  readonly done: boolean
  readonly failure: ChainFailure | null
}

export class ReadingAgain {
  readonly from: number
  readonly #reader: ChainReader
  readonly #record: ReadPage
  #cursor: string | null = null
  #pages = 0

  /** @param from behind this height */
  constructor(reader: ChainReader, from: number, record: ReadPage) {
    this.#reader = reader
    this.from = from
    this.#record = record
  }

  async go(): Promise<ReadOn> {
    if (this.#cursor === null) {
      const cursor = await this.#reader.cursorAt(this.from.toString())
      if (!cursor.ok) return { done: false, failure: cursor.failure }
      this.#cursor = cursor.value
    }
    for (let count = 0; count < pagesAtOnce; count += 1) {
      const page = await this.#reader.deposits(this.#cursor)
      if (!page.ok) return { done: false, failure: page.failure }
      await this.#record(page.value)
      this.#cursor = page.value.cursor
      this.#pages += 1
      if (!page.value.more) return { done: true, failure: null }
    }
    return { done: false, failure: null }
  }

  /** It has read many pages, or so many more since it rested. */
  get isTired(): boolean {
    return this.#pages >= manyPages
  }

  rest(): void {
    this.#pages = 0
  }
}
