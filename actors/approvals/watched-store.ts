/**
 * Stores that look at what an operation would write, in the very step that writes it: no operation can move money past them, and
 * none has to know of approvals.
 */
import type { Instant } from '../../machines/time.ts'
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

type AnyStep = Step<RowRefs, unknown>

function seenOf(
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

export interface StepJudge<Refs extends RowRefs> {
  /** Held by each step beside its own. */
  rows: Refs
  /** @returns what is written with it. @throws what keeps all of it from being written */
  judge(seen: SeenStep, held: LockedRows<Refs>, at: Instant): readonly Write[]
  /** What was judged last is committed. */
  committed?(): void
}

const prefix = 'approval of '

/** Each step that writes is judged in itself. What is written outside a step comes behind one that was, or not at all. */
export function judgedStore<const Refs extends RowRefs>(
  store: Store,
  { rows, judge, committed }: StepJudge<Refs>,
): Store {
  const named = Object.entries(rows).map(([name, refs]) => [`${prefix}${name}`, refs] as const)
  let isJudged = false
  const step = async (asked: AnyStep) => {
    let writes = false
    const result = await store.step({
      ...asked,
      rows: { ...asked.rows, ...Object.fromEntries(named) },
      decide: (held, at) => {
        const decision = asked.decide(held, at)
        writes = decision.writes.length > 0
        if (!writes) return decision
        const own = Object.keys(rows).map((name) => [name, held[`${prefix}${name}`] ?? null])
        const beside = judge(
          seenOf(asked, held, decision),
          // The same names, of which the engine has read what is there.
          Object.fromEntries(own) as LockedRows<Refs>,
          at,
        )
        return { ...decision, writes: [...decision.writes, ...beside] }
      },
    })
    if (result.outcome === 'committed' && writes) {
      isJudged = true
      committed?.()
    }
    return result
  }
  return {
    ...around(store, step),
    execute: (statement, args) => {
      if (isJudged) return store.execute(statement, args)
      throw new Error(`${statement.name} would write before anything was judged.`)
    },
  }
}

function around(store: Store, step: (asked: AnyStep) => Promise<unknown>): Store {
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
