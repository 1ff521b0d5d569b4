/**
 * A reader that gives way: after each look at the database it rests the longer, the busier the node is that serves
 * meanwhile. A low priority alone does not do: whoever computes on the other processors slows the memory and the
 * caches they share.
 */
import type { Reader } from '../../persistence/store.ts'

export interface Pace {
  /** What part of its time the node is busy, 0 to 1. */
  load(): number
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  sleep(milliseconds: number): Promise<void>
}

/** Below this the node does not notice who reads beside it. */
const lowLoad = 0.2
/** At full load so many times as long as it worked. */
const restPerWork = 20
/** The load is asked again meanwhile: who was busy may have finished. */
const longestSleepMs = 100

/** Each read counts with what its caller did since the one before. */
export function pacedReader(reader: Reader, pace: Pace): Reader {
  let workedSince = pace.now()

  async function giveWay(): Promise<void> {
    const workedMs = pace.now() - workedSince
    const begunAt = pace.now()
    for (;;) {
      const rested = pace.now() - begunAt
      const left = restAfter(workedMs, pace.load()) - rested
      if (left <= 0) break
      await pace.sleep(Math.min(left, longestSleepMs))
    }
    workedSince = pace.now()
  }

  async function thenRest<Result>(read: Promise<Result>): Promise<Result> {
    const result = await read
    await giveWay()
    return result
  }

  async function* restAfterEach<Found>(looks: AsyncIterable<Found>): AsyncIterable<Found> {
    for await (const found of looks) {
      await giveWay()
      yield found
    }
  }

  return {
    engine: reader.engine,
    snapshot: (read) => thenRest(reader.snapshot(read)),
    damages: () => restAfterEach(reader.damages()),
    brokenReferences: () => restAfterEach(reader.brokenReferences()),
    close: () => reader.close(),
  }
}

/** Milliseconds. */
function restAfter(workedMs: number, load: number): number {
  return load < lowLoad ? 0 : workedMs * load * restPerWork
}
