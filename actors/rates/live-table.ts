/**
 * The live table: what each source told last, in this process. The rates that follow from it are rows; the
 * table is what the next refresh, the operator and the inspector look at.
 */
import { createStore } from '@xstate/store'
import type { Instant } from '../../machines/time.ts'
import type { TargetRules } from '../outbound/target.ts'

export interface SourceReading {
  /** The number as the source wrote it. */
  told: string
  /** The rate it comes to. */
  rate: string
  at: Instant
}

/** Why a source told no rate: it gave no answer that can be read, or it told what is no rate. */
export interface SourceProblem {
  kind: 'unreachable' | 'refused'
  /** Completes a sentence that begins with the source's name. */
  text: string
}

export interface SourceState {
  /** The last one that was a rate. */
  reading: SourceReading | null
  /** Of the last request; `null` when it brought the reading. */
  problem: SourceProblem | null
  /** Requests in a row that brought none. */
  failures: number
  askedAt: Instant
  /** When it is asked again. */
  dueAt: Instant
}

/** By `sourceKey`. */
export type SourceStates = Readonly<Record<string, SourceState>>

export function createLiveTable() {
  return createStore({
    context: { sources: {} as SourceStates },
    on: {
      answered: (context, event: { key: string; reading: SourceReading; dueAt: Instant }) => {
        const { key, reading, dueAt } = event
        const state = { reading, problem: null, failures: 0, askedAt: reading.at, dueAt }
        return { ...context, sources: { ...context.sources, [key]: state } }
      },
      failed: (context, event: { key: string; problem: SourceProblem; at: Instant; dueAt: Instant }) => {
        const { key, problem, at, dueAt } = event
        const before = context.sources[key]
        const state = {
          reading: before?.reading ?? null,
          problem,
          failures: (before?.failures ?? 0) + 1,
          askedAt: at,
          dueAt,
        }
        return { ...context, sources: { ...context.sources, [key]: state } }
      },
      /** Only these are still asked. */
      keep: (context, event: { keys: ReadonlySet<string> }) => {
        const kept = Object.entries(context.sources).filter(([key]) => event.keys.has(key))
        const isSame = kept.length === Object.keys(context.sources).length
        return isSame ? context : { ...context, sources: Object.fromEntries(kept) }
      },
    },
  })
}

export type LiveTable = ReturnType<typeof createLiveTable>

/** What a node knows of its sources, and whom it may ask. */
export interface RateBook {
  table: LiveTable
  rules: TargetRules
}
