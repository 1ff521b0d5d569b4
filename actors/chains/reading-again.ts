/** Blocks that are read again from some height on, a few pages at a time. */

import type { ChainFailure, ChainReader } from '../../chain/chain.ts'
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'

/** Pages of one reading: what lies further back an operator asks for. */
const maxPages = 300
const pagesAtOnce = 5

export type ReadOn = { readonly done: boolean; readonly failure: null } | { readonly failure: ChainFailure }

export class ReadingAgain {
  readonly from: number
  readonly #reader: ChainReader
  readonly #record: (page: ChainDepositPage) => Promise<void>
  #cursor: string | null = null
  #pages = 0

  /** @param from behind this height */
  constructor(reader: ChainReader, from: number, record: (page: ChainDepositPage) => Promise<void>) {
    this.#reader = reader
    this.from = from
    this.#record = record
  }

  /** @returns whether it has come to the last final block, or has read enough. */
  async go(): Promise<ReadOn> {
    if (this.#cursor === null) {
      const cursor = await this.#reader.cursorAt(this.from.toString())
      if (!cursor.ok) return { failure: cursor.failure }
      this.#cursor = cursor.value
    }
    for (let count = 0; count < pagesAtOnce; count += 1) {
      const page = await this.#reader.deposits(this.#cursor)
      if (!page.ok) return { failure: page.failure }
      await this.#record(page.value)
      this.#cursor = page.value.cursor
      this.#pages += 1
      if (!page.value.more || this.#pages >= maxPages) return { done: true, failure: null }
    }
    return { done: false, failure: null }
  }
}
