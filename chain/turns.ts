/** The same endpoints with another one preferred: whoever counts asks each of them in its turn. */
import type { ChainReader } from './chain.ts'

export function inTurn<Url>(urls: readonly Url[], turn: number): readonly Url[] {
  const first = turn % urls.length
  return [...urls.slice(first), ...urls.slice(0, first)]
}

/** The readers of an adapter, which end with it. */
export function openReaders(open: (turn: number) => ChainReader) {
  const opened: ChainReader[] = []
  return {
    reader(turn: number): ChainReader {
      const reader = open(turn)
      opened.push(reader)
      return reader
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((reader) => reader.close()))
    },
  }
}
