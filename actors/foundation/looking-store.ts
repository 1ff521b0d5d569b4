/** A store that looks at what would be written, in the very step that would write it, and writes nothing. */
import type { LockedRows, RowRef, RowRefs, Step, Store, Write } from '../../persistence/store.ts'

/** A step that is about to write. */
export interface SeenStep {
  writes: readonly Write[]
  /** What it answers, for what that tells of what it does. */
  answer: unknown
  /** The rows that it holds, under their tables. */
  held: readonly { table: string; row: Readonly<Record<string, unknown>> }[]
}

/** Thrown out of a step, so that nothing of it is written. */
export class Looked extends Error {
  override readonly name = 'Looked'
  readonly seen: SeenStep
  constructor(seen: SeenStep) {
    super('only looked at')
    this.seen = seen
  }
}

export type AnyStep = Step<RowRefs, unknown>

export function seenOf(
  { rows }: Pick<AnyStep, 'rows'>,
  held: LockedRows<RowRefs>,
  decision: { writes: readonly Write[]; answer: unknown },
): SeenStep {
  const found = Object.keys(rows).flatMap((name) => {
    const refs = [rows[name] ?? []].flat() as readonly RowRef[]
    const values = [held[name] ?? null].flat()
    return refs.flatMap(({ table, isShared }, index) => {
      const row = values[index] ?? null
      return row === null || isShared === true ? [] : [{ table, row }]
    })
  })
  return { ...decision, held: found }
}

/**
 * Writes nothing, whatever it is asked: the first step that would write ends the operation with `Looked`.
 * @param onStep where the operation is to go on as though that had been written, as one of several steps is
 */
export function lookingStore(store: Store, onStep?: (seen: SeenStep) => void): Store & { wrote(): boolean } {
  let hasWritten = false
  const step = async (asked: AnyStep) => {
    let seen: SeenStep | null = null
    const result = await store.step({
      ...asked,
      decide: (held, at) => {
        const decision = asked.decide(held, at)
        seen = null
        if (decision.writes.length === 0) return decision
        seen = seenOf(asked, held, decision)
        if (onStep === undefined) throw new Looked(seen)
        return { answer: decision.answer, writes: [] }
      },
    })
    if (seen !== null) onStep?.(seen)
    return result
  }
  return {
    ...around(store, step),
    execute: async () => {
      hasWritten = true
      return []
    },
    wrote: () => hasWritten,
  }
}

/** The same store, with another way to take a step. */
export function around(store: Store, step: (asked: AnyStep) => Promise<unknown>): Store {
  return {
    engine: store.engine,
    // What a step answers is its own: it is only looked at here.
    step: step as Store['step'],
    query: (statement, args) => store.query(statement, args),
    execute: (statement, args) => store.execute(statement, args),
    followClock: () => store.followClock(),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    lead: (role) => store.lead(role),
    close: async () => {},
  }
}
