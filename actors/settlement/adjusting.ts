/**
 * Corrections of lines (protocol 15.11). What was closed is never changed: a correction is a line of its own, in the party's running day,
 * that names the one it corrects.
 */
import { adjustmentLegs } from '../../machines/adjustment.ts'
import { currencyName, formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { AdjustmentKind } from '../../persistence/schema-adjustments.ts'
import {
  type AccountRef,
  accountId,
  type Decision,
  type Posting,
  type Row,
  row,
  type Store,
  type Topic,
  type Write,
} from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { moveAll } from '../orders/postings.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { type Takeable, takeAllBack, takeableRows } from '../orders/taking-back.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import type { FoundLine, NamedLine } from './corrected-line.ts'
import { assertRunning, stopRow } from './stopping.ts'
import { assertRoom } from './written.ts'

export interface AskedAdjustment {
  party: Row<'parties'>
  currency: string
  kind: AdjustmentKind
  /** Above zero it is given to the party, below zero it is taken. */
  amountMinor: bigint
  /** Beside it, of its sign; zero for none. */
  taxMinor: bigint
  reference: string
  named: NamedLine
  line: FoundLine
  reason: string
  operator: string
  dryRun: boolean
}

export interface AdjustmentDocument {
  id: string
  party: string
  partyKind: Row<'adjustments'>['party_kind']
  currency: string
  reference: string
  kind: AdjustmentKind
  amount: string
  tax: string
  /** The line that it corrects, as it was named. */
  statement: number | null
  line: number | null
  order: string | null
  reason: string
  booked: string
  bookedBy: string
}

export interface RecordedAdjustment {
  dryRun: boolean
  adjustment: AdjustmentDocument
  /** The line's amount, and by how much it is corrected with this. */
  lineTotal: string
  lineCorrected: string
  postings: ShownPosting[]
}

export function adjustmentDocument(adjustment: Row<'adjustments'>, party: string): AdjustmentDocument {
  const { currency } = adjustment
  return {
    id: adjustment.id,
    party,
    partyKind: adjustment.party_kind,
    currency,
    reference: adjustment.reference,
    kind: adjustment.kind,
    amount: formatPrice(adjustment.amount_minor, currency),
    tax: formatPrice(adjustment.tax_minor, currency),
    statement: adjustment.statement_number,
    line: adjustment.line,
    order: adjustment.order_id,
    reason: adjustment.reason,
    booked: formatInstant(adjustment.booked_at),
    bookedBy: adjustment.booked_by,
  }
}

/** Pure: the postings of a correction, with what a merchant has on its way to it where what it has available does not do. */
function adjustmentWrites(
  adjustment: Row<'adjustments'>,
  aboutAt: Instant,
  from: Takeable,
): { writes: Write[]; wake: readonly Topic[] } {
  const { party_id: ownerId, currency } = adjustment
  const postings = adjustmentLegs(adjustment).map(
    ({ kind, from, to, amountMinor }): Posting => ({
      kind,
      debit: { kind: from, ownerId, currency },
      credit: { kind: to, ownerId, currency },
      amountMinor,
      orderId: null,
      reference: adjustment.id,
      aboutAt,
    }),
  )
  if (adjustment.party_kind === 'provider' || adjustment.amount_minor > 0n) return moveAll(postings)
  return { writes: takeAllBack(postings, from, adjustment.booked_at), wake: [] }
}

/** @throws OperationError for what is no correction of that line, and nothing is written. */
export async function adjust(store: Store, asked: AskedAdjustment): Promise<RecordedAdjustment> {
  const { party, currency, line, reference, dryRun } = asked
  const of = (kind: AccountRef['kind']) =>
    row('accounts', { id: accountId({ kind, ownerId: party.id, currency }) })
  const lineKey = { account_id: line.account, account_number: line.number }
  const result = await store.step({
    rows: {
      stop: stopRow,
      // Held by itself: two corrections of one party go one behind the other, also of what has no row yet.
      party: row('parties', { id: party.id }),
      before: row('adjustments', { party_id: party.id, reference }),
      corrected: row('corrected_lines', lineKey),
      debt: of('debt'),
      provider: of('provider'),
      fee: of('fee'),
      tax: of(party.kind === 'merchant' ? 'tax_collected' : 'tax_credited'),
      ...(await takeableRows(store, { ownerId: party.id, currency })),
    },
    decide: (held, at): Decision<RecordedAdjustment> => {
      assertRunning(held.stop)
      if (held.before !== null) throw recordedBefore(held.before, party.name)
      const correctedMinor = assertWithin(asked, held.corrected?.corrected_minor ?? 0n)
      const adjustment = newAdjustment(asked, at)
      const { available, payable, debt, provider, fee, tax } = held
      assertRoom(absolute(asked.amountMinor + asked.taxMinor), available, payable, debt, provider, fee, tax)
      const { writes: moved, wake } = adjustmentWrites(adjustment, line.aboutAt, held)
      const counted: Write =
        held.corrected === null
          ? {
              insert: 'corrected_lines',
              values: { ...lineKey, total_minor: line.totalMinor, corrected_minor: correctedMinor },
            }
          : { update: 'corrected_lines', key: lineKey, set: { corrected_minor: correctedMinor } }
      const names = (owner: string) => (owner === party.id ? party.name : undefined)
      const answer = {
        dryRun,
        adjustment: adjustmentDocument(adjustment, party.name),
        lineTotal: formatPrice(line.totalMinor, currency),
        lineCorrected: formatPrice(correctedMinor, currency),
        postings: shownPostings(moved, names, [available, debt]),
      }
      if (dryRun) return { answer, writes: [] }
      return { answer, writes: [counted, { insert: 'adjustments', values: adjustment }, ...moved], wake }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`A correction for ${party.id} violated ${result.constraint}.`)
}

function newAdjustment(asked: AskedAdjustment, at: Instant): Row<'adjustments'> {
  const { party, line, named } = asked
  return {
    id: timeOrderedId(at),
    party_id: party.id,
    party_kind: party.kind,
    currency: asked.currency,
    reference: asked.reference,
    kind: asked.kind,
    amount_minor: asked.amountMinor,
    tax_minor: asked.taxMinor,
    account_id: line.account,
    account_number: line.number,
    statement_number: named.statement,
    line: named.line,
    order_id: named.order,
    reason: asked.reason,
    booked_at: at,
    booked_by: asked.operator,
  }
}

/** What can be explained by a line is no more than the line. @returns what it is corrected by, with this */
function assertWithin({ line, currency, amountMinor, taxMinor }: AskedAdjustment, before: bigint): bigint {
  const after = before + amountMinor + taxMinor
  if (absolute(after) <= absolute(line.totalMinor)) return after
  const told = (minor: bigint) => `${formatPrice(minor, currency)} ${currencyName(currency)}`
  const already = before === 0n ? '' : `, and it was corrected by ${told(before)} already`
  throw new OperationError(
    'refused',
    `The line is of ${told(line.totalMinor)}${already}: it cannot be corrected by ${told(amountMinor + taxMinor)}.`,
    { hint: 'Name the line that explains the amount.' },
  )
}

function absolute(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}

function recordedBefore(
  { reference, amount_minor, currency, booked_at }: Row<'adjustments'>,
  party: string,
): OperationError {
  return new OperationError(
    'conflict',
    `The correction ${reference} of ${party} was booked already: ${formatPrice(amount_minor, currency)} ${currency} at ${formatInstant(booked_at)}.`,
    { hint: 'Each correction of a party has a reference of its own.' },
  )
}
