/** What an operator may ask about exchange rates: what is in force, and why one is not. */

import { readDoubt, usualMaxJumpPercent } from '../../machines/rate-doubt.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { allRates, rateByPair } from '../../persistence/queries/rates.ts'
import type { Row } from '../../persistence/store.ts'
import { text } from '../foundation/fields.ts'
import type { OperationContext } from '../foundation/operation.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { acceptRate, maxAgeOf } from './acceptance.ts'
import type { RateBook, SourceState, SourceStates } from './live-table.ts'
import { type RateSource, readSources, sourceKey, sourceName } from './source.ts'

/** What the operations on rates need of the node. */
export interface RateContext extends OperationContext {
  /** What its sources of rates tell, and whom it may ask. */
  rates: RateBook
}

export interface RateDocument {
  blockchain: string
  send: string
  country: string
  target: string
  /** `null` while no source has told one. */
  rate: string | null
  /** In the currency that is sent. */
  feeFixed: string
  feeBps: number
  /** `null` where it never ages. */
  maxAgeSeconds: number | null
  /** Quotes are made with it. */
  acceptable: boolean
  /** Why it is not; `null` while it is. */
  problem: string | null
  /** What its sources told and nobody has agreed to yet; `null` while nothing is in doubt. */
  doubt: { rate: string; since: string } | null
  /** How far it may move from the last one accepted before it is doubted. */
  maxJumpPercent: number
  /** Where it is read from; `null` for a fixed rate. */
  source: readonly RateSource[] | null
  /** When it was fixed or read. */
  updated: string
}

export interface SourceDocument {
  source: string
  /** What it told last that was a rate, as it wrote it, and what that comes to. */
  told: string | null
  rate: string | null
  at: string | null
  /** Of the last request. */
  problem: string | null
  /** Requests in a row that brought no rate. */
  failures: number
  /** `null` where this process has not asked it. */
  nextAt: string | null
}

export interface RateDetails extends RateDocument {
  /** What the operator expected of the sources. */
  expected: string | null
  /** What each source told last. */
  readings: SourceDocument[]
  /** What the rate was made of. */
  madeOf: unknown
}

export const rateList = defineOperation({
  name: 'rate.list',
  summary: 'List exchange rates with their fees, and why any is not used.',
  fields: {},
  isRead: true,
  async run({ store, clock, rates }: RateContext): Promise<{ rates: RateDocument[] }> {
    const rows = await store.query(allRates, {})
    const { sources } = rates.table.getSnapshot().context
    return { rates: rows.map((row) => documentOf(row, sources, clock.now())) }
  },
})

const name = text({ minLength: 1, maxLength: 20 })

export const rateKeyFields = { blockchain: name, send: name, country: name, target: name }

export const rateShow = defineOperation({
  name: 'rate.show',
  summary: "Show an exchange rate with its sources' answers.",
  fields: rateKeyFields,
  arguments: ['blockchain', 'send', 'country', 'target'],
  isRead: true,
  async run({ store, clock, rates }: RateContext, key): Promise<RateDetails> {
    const [row] = await store.query(rateByPair, key)
    if (row === undefined) {
      const { blockchain, send, country, target } = key
      const hint = '`rate list` lists the rates there are.'
      const what = `There is no rate of ${send} to ${country} ${target} on ${blockchain}.`
      throw new OperationError('not_found', what, { hint })
    }
    const { sources: states } = rates.table.getSnapshot().context
    const given = row.source_json === null ? null : readSources(row.source_json)
    return {
      ...documentOf(row, states, clock.now()),
      expected: given?.expected ?? null,
      readings: (given?.sources ?? []).map((source) => sourceDocument(source, states[sourceKey(source)])),
      madeOf: row.reading_json === null ? null : JSON.parse(row.reading_json),
    }
  },
})

function documentOf(row: Row<'rates'>, states: SourceStates, now: Instant): RateDocument {
  const acceptance = acceptRate(row, now)
  const sources = row.source_json === null ? null : readSources(row.source_json).sources
  return {
    blockchain: row.blockchain,
    send: row.send_currency,
    country: row.country,
    target: row.target_currency,
    rate: row.rate,
    feeFixed: row.fee_fixed,
    feeBps: row.fee_bps,
    maxAgeSeconds: maxAgeOf(row),
    acceptable: acceptance.ok,
    problem: acceptance.ok ? null : withCauses(acceptance.problem, row.problem, sources ?? [], states),
    doubt: doubtDocument(row),
    maxJumpPercent: row.max_jump_percent ?? usualMaxJumpPercent,
    source: sources,
    updated: formatInstant(row.updated_at),
  }
}

function doubtDocument({ doubt_json }: Row<'rates'>): RateDocument['doubt'] {
  if (doubt_json === null) return null
  const { rate, since } = readDoubt(doubt_json)
  return { rate, since: formatInstant(since) }
}

/** A rate that is too old says nothing of why: its sources do. */
function withCauses(
  problem: string,
  refusal: string | null,
  sources: readonly RateSource[],
  states: SourceStates,
): string {
  if (refusal !== null) return problem
  const causes = sources.flatMap((source) => {
    const failed = states[sourceKey(source)]?.problem
    return failed ? [`${sourceName(source)} ${failed.text}`] : []
  })
  return [problem, ...causes].join('; ')
}

function sourceDocument(source: RateSource, state: SourceState | undefined): SourceDocument {
  const { reading = null, problem = null, failures = 0, dueAt = null } = state ?? {}
  return {
    source: sourceName(source),
    told: reading?.told ?? null,
    rate: reading?.rate ?? null,
    at: reading === null ? null : formatInstant(reading.at),
    problem: problem?.text ?? null,
    failures,
    nextAt: dueAt === null ? null : formatInstant(dueAt),
  }
}
