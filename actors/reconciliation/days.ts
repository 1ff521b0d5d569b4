/** The days of networks: which are open, imported, differing or reconciled, and a day with its lines. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { currentFile, currentFilesBetween, missingAfter } from '../../persistence/queries/reconciliation.ts'
import {
  allNetworks,
  currentFiles,
  dayLines,
  inTransitOfStatement,
  statementsOfDay,
} from '../../persistence/queries/reconciliation-days.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { inEnglish, type Reason, reasonOf } from '../exceptions/report-reasons.ts'
import { addDays, type Day, localDay } from '../terms/days.ts'
import { mappingOf } from '../terms/report-mapping.ts'
import {
  type Counts,
  countsBetween,
  type DayState,
  dayState,
  nearbyOpen,
  noCounts,
  openAmong,
  stateOf,
} from './day-states.ts'
import { type Bridge, bookedOf, type DayOutcome, readBridge, readSums } from './day-sums.ts'
import { awaitedDays } from './missing.ts'
import type { FoundDay } from './report-day.ts'

export interface NetworkDay {
  day: Day
  state: DayState
  /** Differences that wait for a person, and all there are. */
  open: number
  differences: number
  /** Paid here, and in no report yet. */
  pending: number
  /** The days whose reports may tell of what is pending, and are not there. */
  awaited: Day[]
  lines: number
  paid: string | null
}

export interface NetworkDays {
  network: string
  name: string | null
  provider: string
  currency: string | null
  days: NetworkDay[]
}

/** As far as a day may wait for others. */
const longestTolerance = 7
/** Of all networks with a currency, the newest day first; none from before their provider was here, unless it is reported. */
export async function networkDays(store: Store, from: Day, to: Day): Promise<NetworkDays[]> {
  const counts = await countsBetween(store, from, to)
  const found = await store.query(currentFiles, { from, to: addDays(to, longestTolerance) })
  const files = new Map(found.map((file) => [`${file.network_id} ${file.day}`, file]))
  const days: Day[] = []
  for (let day = to; day >= from; day = addDays(day, -1)) days.push(day)
  return (await store.query(allNetworks, {})).map((network) => ({
    network: network.network_id,
    name: network.name,
    provider: network.provider_name,
    currency: network.currency,
    days: days.flatMap((day) => {
      const key = `${network.network_id} ${day}`
      const file = files.get(key)
      if (file === undefined && day < localDay(network.since, 'UTC')) return []
      const { toleratedDays } = mappingOf(network.report_json)
      const awaited = awaitedDays(day, toleratedDays, (one) => files.has(`${network.network_id} ${one}`))
      return [dayOf(day, file, counts.get(key) ?? noCounts, awaited)]
    }),
  }))
}

function dayOf(day: Day, file: Row<'report_files'> | undefined, counts: Counts, awaited: Day[]): NetworkDay {
  const state = stateOf(file, counts)
  const pending = counts.missing - counts.judged
  return {
    day,
    state,
    open: counts.open,
    differences: counts.differing + counts.judged,
    pending,
    awaited: pending > 0 ? awaited : [],
    lines: file?.line_count ?? 0,
    paid: file === undefined ? null : formatPrice(file.paid_minor, file.currency),
  }
}

export function today(now: number): Day {
  return localDay(now, 'UTC')
}

export interface DayRow {
  /** Of the network's report; null where it has none. */
  line: number | null
  outcome: DayOutcome
  order: string | null
  /** How the network names it. */
  named: string | null
  reference: string | null
  kind: string | null
  theirs: string | null
  theirTime: string | null
  ours: string | null
  oursDay: Day | null
  /** In English, and as a code; null of a match. */
  reason: string | null
  why: Reason | null
  exception: string | null
  /** Of its exception. */
  isOpen: boolean
}

export interface DaySums {
  outcome: DayOutcome
  count: number
  theirs: string
  ours: string
}

export interface DayDocument {
  network: string
  name: string | null
  provider: string
  currency: string
  day: Day
  state: DayState
  open: number
  /** Paid here, and in no report yet. */
  pending: number
  /** The days whose reports may tell of what is pending, and are not there. */
  awaited: Day[]
  /** Days around it with differences that wait for a person. */
  nearby: { day: Day; open: number }[]
  /** Its report was judged by terms that have changed since: the same file, sent again, is judged by those in force. */
  isOfFormerTerms: boolean
  toleratedDays: number
  report: { source: string; digest: string; lines: number; applied: string | null; by: string } | null
  /** By outcome. */
  sums: DaySums[]
  /** Here: what is booked of this day, whichever report tells of it. */
  totals: Record<'here' | 'network', { count: number; amount: string }>
  /** From what is booked here to what the network says; null without a report. */
  bridge: Bridge | null
  /** Statements of the provider that tell of the day, with what is settled of them: what is only ordered at a bank is not. */
  statements: { number: number; due: string; settled: string; dueOn: string | null }[]
  rows: DayRow[]
  next: string | null
}

export interface DayAsked {
  outcome?: DayOutcome | 'differences' | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

export async function dayDocument(store: Store, found: FoundDay, asked: DayAsked): Promise<DayDocument> {
  const { reported, network, provider } = found
  const { networkId, day, currency, providerId, toleratedDays } = reported
  const [file] = await store.query(currentFile, { networkId, day })
  const { state, open, pending } = await dayState(store, networkId, day, file)
  const later = await store.query(currentFilesBetween, {
    networkId,
    from: day,
    to: addDays(day, toleratedDays),
  })
  const there = new Set(later.map((one) => one.day))
  const sums = await readSums(store, found.reported, file)
  const { rows, next } = await rowsOf(store, found, file, asked)
  const amount = (minor: bigint) => formatPrice(minor, currency)
  const here = bookedOf(sums)
  const statements = await store.query(statementsOfDay, { partyId: providerId, currency, day })
  return {
    network: networkId,
    name: network.name,
    provider,
    currency,
    day,
    state,
    open,
    pending,
    awaited: pending > 0 ? awaitedDays(day, toleratedDays, (one) => there.has(one)) : [],
    nearby: await nearbyOpen(store, networkId, day, longestTolerance),
    isOfFormerTerms: file !== undefined && file.rules !== found.rules,
    toleratedDays,
    report: file === undefined ? null : reportOf(file),
    sums: sums.lines.map(({ outcome, count, theirs, ours }) => ({
      outcome,
      count,
      theirs: amount(theirs),
      ours: amount(ours),
    })),
    totals: {
      here: { count: here.count, amount: amount(here.minor) },
      network: { count: file?.paid_count ?? 0, amount: amount(file?.paid_minor ?? 0n) },
    },
    bridge: file === undefined ? null : await readBridge(store, found.reported, file, sums),
    statements: await Promise.all(
      statements.map(async ({ number, due_minor, allocated_minor, due_on, postponed_to }) => {
        const ordered = await store.query(inTransitOfStatement, { partyId: providerId, currency, number })
        const inTransit = ordered.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
        return {
          number,
          due: amount(due_minor),
          settled: amount(allocated_minor - inTransit),
          dueOn: postponed_to ?? due_on,
        }
      }),
    ),
    rows,
    next,
  }
}

function reportOf(file: Row<'report_files'>): DayDocument['report'] {
  const { source, digest, line_count: lines, applied_at, began_by: by } = file
  return { source, digest, lines, applied: applied_at === null ? null : formatInstant(applied_at), by }
}

/** What is missing first: a report has no place for it. A cursor is an order's id or a line. */
async function rowsOf(
  store: Store,
  { reported: { networkId, day, currency } }: FoundDay,
  file: Row<'report_files'> | undefined,
  { outcome, cursor = 'order:', limit = 100 }: DayAsked,
): Promise<{ rows: DayRow[]; next: string | null }> {
  const amount = (minor: bigint | null) => (minor === null ? null : formatPrice(minor, currency))
  const rows: DayRow[] = []
  const [kind, place = ''] = cursor.split(/:(.*)/s)
  if (
    kind === 'order' &&
    (outcome === undefined || ['differences', 'only_ours', 'pending'].includes(outcome))
  ) {
    for (let after = place; rows.length < limit; ) {
      const page = await store.query(missingAfter, { networkId, day, after, limit })
      const last = page.at(-1)
      if (last === undefined) break
      after = last.order_id
      for (const { order_id, ours_minor, exception_id } of page) {
        const of: DayOutcome = exception_id === null ? 'pending' : 'only_ours'
        if (outcome !== undefined && outcome !== of && !(outcome === 'differences' && of === 'only_ours'))
          continue
        rows.push({
          ...{
            line: null,
            outcome: of,
            order: order_id,
            named: null,
            reference: null,
            kind: null,
            theirs: null,
          },
          ...{
            theirTime: null,
            ours: amount(ours_minor),
            oursDay: day,
            exception: exception_id,
            isOpen: false,
          },
          ...saidWhy({ code: of === 'pending' ? 'pending' : 'unreported' }),
        })
      }
      if (rows.length >= limit) return withStates(store, rows, `order:${after}`)
    }
  }
  if (file === undefined || outcome === 'only_ours' || outcome === 'pending')
    return withStates(store, rows, null)
  const after = kind === 'line' ? Number(place) || 0 : 0
  const left = limit - rows.length
  const lines = await store.query(dayLines({ fileId: file.id, outcome, after, limit: left }), {})
  for (const line of lines) {
    rows.push({
      line: line.line,
      outcome: line.outcome,
      order: line.order_id,
      named: line.named,
      reference: line.reference,
      kind: line.kind,
      theirs: amount(line.amount_minor),
      theirTime: line.paid_at === null ? null : formatInstant(line.paid_at),
      ours: amount(line.ours_minor),
      oursDay: line.ours_day,
      ...saidWhy(reasonOf(line.reason)),
      exception: line.exception_id,
      isOpen: false,
    })
  }
  return withStates(store, rows, lines.length < left ? null : `line:${lines.at(-1)?.line ?? 0}`)
}

function saidWhy(why: Reason | null): Pick<DayRow, 'reason' | 'why'> {
  return { reason: inEnglish(why), why }
}

async function withStates(
  store: Store,
  rows: DayRow[],
  next: string | null,
): Promise<{ rows: DayRow[]; next: string | null }> {
  const ids = rows.flatMap(({ exception }) => (exception === null ? [] : [exception]))
  const open = await openAmong(store, ids)
  return { rows: rows.map((row) => ({ ...row, isOpen: open.has(row.exception ?? '') })), next }
}
