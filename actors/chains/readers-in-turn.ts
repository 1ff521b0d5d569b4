/** Endpoints are asked in turn: one that lies must not be the only one to be heard. Each reader keeps its doubts. */
import type { ChainAdapter, ChainReader } from '../../chain/chain.ts'

export class ReadersInTurn {
  readonly #chain: Pick<ChainAdapter, 'endpoints' | 'reader'>
  readonly #readers = new Map<number, ChainReader>()
  #turn = 0

  constructor(chain: Pick<ChainAdapter, 'endpoints' | 'reader'>) {
    this.#chain = chain
  }

  get present(): ChainReader {
    const reader = this.#readers.get(this.#turn) ?? this.#chain.reader(this.#turn)
    this.#readers.set(this.#turn, reader)
    return reader
  }

  next(): void {
    this.#turn = (this.#turn + 1) % this.#chain.endpoints
  }
}
