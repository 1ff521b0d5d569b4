/**
 * Reads the rates that have sources, and tells when one cannot be used.
 *
 * A pass asks the sources that are due, all at once, and writes what they come to. Each has its own pause,
 * which grows while it fails: the pass of one worker is the only one that asks.
 */

import { readDoubt, usualMaxJumpPercent, writeDoubt } from '../../machines/rate-doubt.ts'
import { rateFrom } from '../../machines/rate-reading.ts'
import type { Instant } from '../../machines/time.ts'
import { acceptRead, allRates, refuseRead } from '../../persistence/queries/rates.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import { acceptRate, staleAt } from './acceptance.ts'
import { readAnswer } from './answer.ts'
import type { Asked, AskSource } from './ask.ts'
import type { LiveTable, SourceProblem, SourceState, SourceStates } from './live-table.ts'
import { settleRate } from './settling.ts'
import { type RateSource, readSources, sourceKey } from './source.ts'

export interface RateRefreshOptions {
  store: Store
  table: LiveTable
  ask: AskSource
  clock: { now(): Instant }
  condition: Condition
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void }
}

export interface RateRefresh {
  pass(): Promise<PassResult>
  /** Ends the requests that are under way. */
  stop(): void
}

const firstPauseMs = 5_000
const longestPauseMs = 300_000
const longestRetryAfterSeconds = 3_600

export function createRateRefresh(options: RateRefreshOptions): RateRefresh {
  const { store, table, clock } = options
  const stopping = new AbortController()
  const tell = createTeller(options)

  return {
    async pass() {
      const read = await store.query(allRates, {})
      const sources = distinctSources(read)
      table.send({ type: 'keep', keys: new Set(sources.keys()) })
      const { sources: states } = table.getSnapshot().context
      const due = [...sources].filter(([key]) => isDue(states[key], clock.now()))
      // Several sources may look at different places of one answer.
      const answers = new Map<string, Promise<Asked>>()
      await Promise.all(
        due.map(async ([key, source]) => {
          const { url, timeoutSeconds } = source
          const answer = answers.get(url) ?? options.ask(url, timeoutSeconds * 1000, stopping.signal)
          answers.set(url, answer)
          const asked = await answer
          if (!stopping.signal.aborted) note(key, source, asked)
        }),
      )
      if (stopping.signal.aborted) return { more: false }
      for (const row of read) await settle(row)
      const rates = await store.query(allRates, {})
      tell(rates)
      const { sources: known } = table.getSnapshot().context
      const seen = { asked: due.length, rates: rates.length }
      return { more: false, nextAt: nextAt(known, rates, clock.now()), seen }
    },
    stop: () => stopping.abort(new Error('the node is stopping')),
  }

  function note(key: string, source: RateSource, asked: Asked): void {
    const at = clock.now()
    const result = judge(source, asked)
    if (result.ok) {
      const { told, rate } = result
      table.send({
        type: 'answered',
        key,
        reading: { told, rate, at },
        dueAt: at + source.refreshSeconds * 1000,
      })
      return
    }
    const failures = table.getSnapshot().context.sources[key]?.failures ?? 0
    const pauseMs = Math.min(
      firstPauseMs * 2 ** Math.min(failures, 10),
      Math.max(source.refreshSeconds * 1000, longestPauseMs),
    )
    const toldMs = Math.min(result.retryAfterSeconds ?? 0, longestRetryAfterSeconds) * 1000
    table.send({ type: 'failed', key, problem: result.problem, at, dueAt: at + Math.max(pauseMs, toldMs) })
  }

  /** Never over what an operator has changed meanwhile: then the sources are others. */
  async function settle(row: Row<'rates'>): Promise<void> {
    if (row.source_json === null) return
    const { sources } = table.getSnapshot().context
    const now = clock.now()
    const settled = settleRate(readSources(row.source_json), sources, {
      last: row.rate,
      base: row.jump_base,
      baseAt: row.jump_base_at,
      maxJumpPercent: row.max_jump_percent ?? usualMaxJumpPercent,
      now,
    })
    const { blockchain, send_currency: send, country, target_currency: target, source_json: sourceJson } = row
    const key = { blockchain, send, country, target, sourceJson, before: row.updated_at }
    if (settled.kind === 'accepted') {
      const { kind: _, ...accepted } = settled
      if (row.rate === settled.rate && row.updated_at === settled.at && row.problem === null) return
      await store.execute(acceptRead, { ...key, ...accepted })
    } else if (settled.kind === 'doubted') {
      const { rate, at, readingJson } = settled
      const doubted = row.doubt_json === null ? null : readDoubt(row.doubt_json)
      if (doubted?.rate === rate && doubted.at === at) return
      const problem = `${settled.problem}; if it is right: rate accept ${blockchain} ${send} ${country} ${target} --rate ${rate}`
      const doubtJson = writeDoubt({ rate, at, readingJson, since: doubted?.since ?? now })
      await store.execute(refuseRead, { ...key, problem, doubtJson })
    } else if (settled.kind === 'refused' && row.problem !== settled.problem) {
      await store.execute(refuseRead, { ...key, problem: settled.problem, doubtJson: null })
    }
  }
}

/** One that was asked in the future was asked by a clock that was set back since. */
function isDue(state: SourceState | undefined, now: Instant): boolean {
  return state === undefined || state.dueAt <= now || state.askedAt > now
}

/** When a source is due, or a rate too old: one millisecond after its age. */
function nextAt(states: SourceStates, rates: readonly Row<'rates'>[], now: Instant): Instant | null {
  const times = [
    ...Object.values(states).map(({ dueAt }) => dueAt),
    ...rates.flatMap((row) => (staleAt(row) ?? 0) + 1).filter((at) => at > now),
  ]
  return times.length === 0 ? null : Math.min(...times)
}

function distinctSources(rates: readonly Row<'rates'>[]): ReadonlyMap<string, RateSource> {
  const all = rates.flatMap(({ source_json }) =>
    source_json === null ? [] : readSources(source_json).sources,
  )
  return new Map(all.map((source) => [sourceKey(source), source]))
}

type Judged =
  | { ok: true; told: string; rate: string }
  | { ok: false; problem: SourceProblem; retryAfterSeconds: number | null }

function judge(source: RateSource, asked: Asked): Judged {
  if (!asked.ok) {
    const problem: SourceProblem = { kind: 'unreachable', text: asked.problem }
    return { ok: false, problem, retryAfterSeconds: asked.retryAfterSeconds }
  }
  const refused = (text: string): Judged => ({
    ok: false,
    problem: { kind: 'refused', text },
    retryAfterSeconds: null,
  })
  const read = readAnswer(asked.body, source.pointer)
  if (!read.ok) return refused(read.problem)
  const result = rateFrom(read.told, source)
  return result.ok ? { ok: true, told: read.told ?? '', rate: result.rate } : refused(result.problem)
}

/** Says in `/readyz` that rates cannot be used, and in the log which and why, once while it lasts. */
function createTeller({
  clock,
  condition,
  log,
}: RateRefreshOptions): (rates: readonly Row<'rates'>[]) => void {
  let told: ReadonlyMap<string, string> = new Map()
  return (rates) => {
    const now = clock.now()
    const unusable = new Map(
      rates.flatMap((row): [string, string][] => {
        const acceptance = acceptRate(row, now)
        return acceptance.ok ? [] : [[nameOf(row), acceptance.problem]]
      }),
    )
    for (const [rate, why] of unusable) {
      if (!told.has(rate)) log.warn({ rate, why }, 'a rate cannot be used')
    }
    for (const rate of told.keys()) if (!unusable.has(rate)) log.info({ rate }, 'a rate can be used again')
    told = unusable
    const [first] = unusable.keys()
    if (first === undefined) condition.send({ type: 'recover', part: 'rates' })
    else {
      const others = unusable.size > 1 ? ` and ${unusable.size - 1} more` : ''
      const reason = `There is no acceptable rate for ${first}${others}: \`rate list\` says why.`
      condition.send({ type: 'degrade', part: 'rates', reason })
    }
  }
}

function nameOf({ blockchain, send_currency, country, target_currency }: Row<'rates'>): string {
  return `${send_currency} to ${country} ${target_currency} on ${blockchain}`
}
