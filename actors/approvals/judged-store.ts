/**
 * A store that judges what an operation writes, in the very step that writes it: no operation can move money past it, and none has to
 * know of approvals.
 */
import type { Instant } from '../../machines/time.ts'
import type { LockedRows, RowRefs, Store, Write } from '../../persistence/store.ts'
import { type AnyStep, around, type SeenStep, seenOf } from '../foundation/looking-store.ts'

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
