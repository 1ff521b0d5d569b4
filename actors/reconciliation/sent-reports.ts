/**
 * What a network's own software reports of a day, sent in parts, one after the other. A part is kept and looked at when it comes; the
 * day is judged once all parts are there and their totals hold, by the same steps as a file, which go on after a kill (protocol 16.7).
 */
import { createHash } from 'node:crypto'
import { maxMinorUnits } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { sentReportNamed, sentReportsOfDay } from '../../persistence/queries/sent-reports.ts'
import type { LineKind, LineOutcome } from '../../persistence/schema-reconciliation.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { inEnglish, type Reason } from '../exceptions/report-reasons.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  rememberUnderKey,
  repeated,
} from '../orders/answers.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { readFacts } from './facts.ts'
import { reportedDayOf } from './report-day.ts'
import { addToSums, maxDifferences, maxReportLines, type ReportLine } from './report-lines.ts'
import { foretell } from './telling-quarantined.ts'

/** Of one day: who corrects it more often than this sends another day's. */
export const maxReportsOfDay = 50
export const maxParts = 2_000

export interface SentLine {
  kind: LineKind
  named: string | null
  reference: string | null
  amountMinor: bigint | null
  paidAt: Instant | null
}

export interface SentPart {
  /** Who has signed it, and with which key; the network is this provider's. */
  provider: { id: string; name: string; credential: string }
  networkId: string
  day: string
  name: string
  part: number
  parts: number
  /** Of the whole report; said with the last part. */
  totals: { lineCount: number; paidMinor: bigint } | null
  lines: readonly SentLine[]
}

/** What its sender is told of a line: of orders that it has never held no more than of those that are not there. */
export interface ToldVerdict {
  line: number
  outcome: LineOutcome
  reason: string | null
  reference: string | null
}

export interface ReceivedPart {
  networkId: string
  day: string
  name: string
  part: number
  parts: number
  /** All parts are there. */
  isComplete: boolean
  verdicts: ToldVerdict[]
}

export type PartRefusal =
  /** Other parts, or other lines under a number that was given. */
  | { reason: 'differs' }
  | { reason: 'expected'; part: number }
  | { reason: 'too_many_reports' }
  | { reason: 'too_many_lines' }
  | { reason: 'too_many_differences'; count: number }
  | { reason: 'line_total'; count: number }
  | { reason: 'paid_total'; paidMinor: bigint }

export type PartOutcome =
  | { outcome: 'received'; received: ReceivedPart; answer: Answer }
  | { outcome: 'refused'; refusal: PartRefusal }
  | Repeated

export interface SendingContext {
  store: Store
  orders: Pick<OrderRegistry, 'context'>
  clock: { now(): Instant }
}

export interface SentMessage {
  guard: MessageGuard | undefined
  answer: (received: ReceivedPart) => Answer
}

/** What an order is to whoever reports it: held last, held before, or neither. */
export type Holding = 'last' | 'before' | null

export function holdingOf(
  providerId: string,
  order: { id: string; lock_provider_id: string | null } | null,
  held: boolean,
): Holding {
  if (order === null) return null
  if (order.lock_provider_id === providerId) return 'last'
  return held ? 'before' : null
}

/** @param line with what is booked here with the provider */
export function toldVerdict(
  line: {
    line: number
    outcome: LineOutcome
    reason: Reason | null
    reference: string | null
    ours_minor: bigint | null
  },
  holding: Holding,
): ToldVerdict {
  const { line: number, outcome, reason, reference, ours_minor } = line
  const told = { line: number, outcome, reason: inEnglish(reason), reference }
  if (outcome === 'matched') return told
  if (outcome === 'only_theirs' || holding === null)
    return {
      ...told,
      outcome: 'only_theirs',
      reason: 'No order of this provider has this name or reference.',
    }
  if (holding === 'last' || ours_minor !== null) return told
  // What became of it after it was given back is others' business.
  return { ...told, outcome: 'status', reason: 'Here it is not booked with this provider.' }
}

export async function receivePart(
  context: SendingContext,
  sent: SentPart,
  message: SentMessage,
): Promise<PartOutcome> {
  const { store } = context
  const { networkId, day, name, part, parts } = sent
  const [known] = await store.query(sentReportNamed, { networkId, day, name })
  const firstLine = await firstLineOf(store, known, part)
  const { verdicts, differing, currency } = await look(context, sent, firstLine)
  const isComplete = part === parts || known?.completed_at != null
  const received = { networkId, day, name, part, parts, isComplete, verdicts }
  const answer = message.answer(received)
  const others = known === undefined ? await store.query(sentReportsOfDay, { networkId, day }) : []
  const id = exceptionId('sent_report', networkId, day, name)
  const digest = digestOf(sent)
  const result = await store.step({
    rows: {
      report: row('sent_reports', { id }),
      kept: row('sent_report_parts', { report_id: id, part }),
      ...guardRows(message.guard),
    },
    isEssential: false,
    decide: (held, at): Decision<PartOutcome> => {
      const before = recall(message.guard, held, null, at)
      if (before.kind !== 'new') return { answer: repeated(before), writes: [] }
      const noKey = { order_id: null, revision: null }
      const keep = rememberUnderKey(message.guard, held, noKey, answer, at)
      const done = { outcome: 'received', received, answer } as const
      if (held.kept !== null && held.kept.digest === digest && held.report?.parts === parts)
        return { answer: done, writes: keep }
      const fresh = held.report ?? beginning(sent, currency, id, at)
      const judged = judgePart(sent, fresh, held.kept !== null, differing)
      if (held.report === null && others.length >= maxReportsOfDay)
        return { answer: { outcome: 'refused', refusal: { reason: 'too_many_reports' } }, writes: [] }
      if (!judged.ok) return { answer: { outcome: 'refused', refusal: judged.refusal }, writes: [] }
      const set = {
        received: part,
        ...judged.sums,
        digest: createHash('sha256')
          .update(`${fresh.digest}\n${linesJson(sent.lines)}`)
          .digest('hex'),
        completed_at: part === parts ? at : null,
      }
      const report: Write =
        held.report === null
          ? { insert: 'sent_reports', values: { ...fresh, ...set } }
          : { update: 'sent_reports', key: { id }, set }
      const values = {
        report_id: id,
        part,
        digest,
        first_line: fresh.line_count + 1,
        line_count: sent.lines.length,
        lines_json: linesJson(sent.lines),
      }
      const wake = part === parts ? (['reports'] as const) : []
      return { answer: done, writes: [report, { insert: 'sent_report_parts', values }, ...keep], wake }
    },
  })
  if (result.outcome === 'committed') return result.answer
  // Two with one key came together; the other one is kept.
  if (result.constraint === 'idempotency_keys.key') return { outcome: 'in_flight' }
  throw new Error(`A part of a report violated ${result.constraint}.`)
}

async function firstLineOf(
  store: Store,
  known: Row<'sent_reports'> | undefined,
  part: number,
): Promise<number> {
  if (known === undefined || part > known.received) return (known?.line_count ?? 0) + 1
  const kept = await store.step({
    rows: { kept: row('sent_report_parts', { report_id: known.id, part }) },
    decide: (held) => ({ answer: held.kept?.first_line ?? 1, writes: [] }),
  })
  if (kept.outcome === 'violated') throw new Error(`A look violated ${kept.constraint}.`)
  return kept.answer
}

/** What each line comes to as things stand. */
async function look(
  { store, orders, clock }: SendingContext,
  { networkId, day, lines, provider }: SentPart,
  firstLine: number,
): Promise<{ verdicts: ToldVerdict[]; differing: number; currency: string }> {
  const { reported } = await reportedDayOf(store, networkId, day)
  const numbered = lines.map((line, index): ReportLine => ({ ...line, line: firstLine + index }))
  const known = await readFacts(store, reported, numbered, { fileId: '', seen: new Map() })
  const teller = { actor: { kind: 'provider', ...provider }, at: clock.now() } as const
  const judged = await foretell({ store, orders }, reported, teller, known, new Set())
  let differing = 0
  const verdicts = known.map(({ line, facts }, index) => {
    const { outcome = 'matched', reason = null } = judged[index] ?? {}
    if (outcome !== 'matched') differing += 1
    const order = facts.order === 'several' ? null : facts.order
    const { line: number, reference } = line
    const ours_minor = judged[index]?.oursMinor ?? null
    const holding = holdingOf(provider.id, order, facts.wasHeld)
    return toldVerdict({ line: number, outcome, reason, reference, ours_minor }, holding)
  })
  return { verdicts, differing, currency: reported.currency }
}

function beginning(
  { networkId, day, name, parts, provider: { name: said_by, credential } }: SentPart,
  currency: string,
  id: string,
  at: Instant,
): Row<'sent_reports'> {
  return {
    ...{ id, network_id: networkId, day, name, parts, currency, received: 0, line_count: 0, paid_count: 0 },
    ...{ paid_minor: 0n, differing: 0, digest: '', began_at: at, said_by, credential },
    ...{ completed_at: null, applied_at: null, file_id: null },
  }
}

type Sums = Pick<Row<'sent_reports'>, 'line_count' | 'paid_count' | 'paid_minor' | 'differing'>

function judgePart(
  { part, parts, lines, totals }: SentPart,
  before: Row<'sent_reports'>,
  isKept: boolean,
  differing: number,
): { ok: true; sums: Sums } | { ok: false; refusal: PartRefusal } {
  const refused = (refusal: PartRefusal) => ({ ok: false, refusal }) as const
  if (isKept || before.parts !== parts) return refused({ reason: 'differs' })
  if (part !== before.received + 1) return refused({ reason: 'expected', part: before.received + 1 })
  const { lineCount, paidCount, paidMinor } = lines.reduce(
    (sums, line) => addToSums(sums, { ...line, line: 0 }),
    { lineCount: before.line_count, paidCount: before.paid_count, paidMinor: before.paid_minor },
  )
  const differ = before.differing + differing
  if (lineCount > maxReportLines || paidMinor > maxMinorUnits) return refused({ reason: 'too_many_lines' })
  if (differ > maxDifferences) return refused({ reason: 'too_many_differences', count: differ })
  if (totals !== null && totals.lineCount !== lineCount)
    return refused({ reason: 'line_total', count: lineCount })
  if (totals !== null && totals.paidMinor !== paidMinor) return refused({ reason: 'paid_total', paidMinor })
  const sums = { line_count: lineCount, paid_count: paidCount, paid_minor: paidMinor, differing: differ }
  return { ok: true, sums }
}

/** Of what the part says, however it was written. */
function digestOf({ lines, totals }: SentPart): string {
  const said = totals === null ? '' : `${totals.lineCount} ${totals.paidMinor}`
  return createHash('sha256')
    .update(`${said}\n${linesJson(lines)}`)
    .digest('hex')
}

type KeptLine = [
  LineKind,
  named: string | null,
  reference: string | null,
  amount: string | null,
  at: number | null,
]

function linesJson(lines: readonly SentLine[]): string {
  const kept = lines.map(
    ({ kind, named, reference, amountMinor, paidAt }): KeptLine => [
      kind,
      named,
      reference,
      amountMinor?.toString() ?? null,
      paidAt,
    ],
  )
  return JSON.stringify(kept)
}

export function linesOf({ lines_json, first_line }: Row<'sent_report_parts'>): ReportLine[] {
  const kept: KeptLine[] = JSON.parse(lines_json ?? '[]')
  return kept.map(([kind, named, reference, amount, paidAt], index) => ({
    line: first_line + index,
    ...{ kind, named, reference, paidAt },
    amountMinor: amount === null ? null : BigInt(amount),
  }))
}
