/**
 * What entries change of fees and commissions (protocol 15.2): what has begun stays as it was, the same entry again is no change, and one
 * of a later day ends the one before.
 */
import { randomUUID } from 'node:crypto'
import { feeOf } from '../../machines/fees.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { FeeKind } from '../../persistence/schema-settlement.ts'
import type { Row } from '../../persistence/store.ts'
import { localDay, startOfDay } from './days.ts'
import type { FeeEntry } from './entries.ts'
import { feeTermsOf } from './in-force.ts'
import { isSame, type TermsPlan } from './plan.ts'

type FeeRow = Row<'fee_terms'>

export interface FeesOf {
  kind: FeeKind
  partyId: string
  /** For people: `merchant Demo Shop: fees of MX MXN`. */
  what: string
  networkId: string
  country: string
  currency: string
  timeZone: string
  /** Its pair or network is made in the same step: there is no past to change. */
  isNew: boolean
  /** The greatest that a merchant may ask for; `null` where nothing is taken from a price. */
  maxPriceMinor: bigint | null
  /** Where that stands, in the file. */
  path: string
}

export function planFees(plan: TermsPlan, of: FeesOf, entries: readonly FeeEntry[]): void {
  const rows = (plan.known.parties.get(of.partyId)?.fees ?? []).filter((row) => isOf(row, of))
  const after = new Map(rows.map((row) => [keyOf(row.direction, row.from_day), { row, path: of.path }]))
  for (const entry of entries) {
    const key = keyOf(entry.direction, entry.from)
    const row = planFee(plan, of, entry, after.get(key)?.row)
    if (row !== null) after.set(key, { row, path: entry.path })
  }
  for (const { row, path } of after.values()) {
    if (!isOver(row, after, plan.at)) judgePrices(plan, of, row, path)
  }
}

function isOf(row: FeeRow, of: FeesOf): boolean {
  return (
    row.kind === of.kind &&
    row.network_id === of.networkId &&
    row.country === of.country &&
    row.currency === of.currency
  )
}

function keyOf(direction: Direction, from: string): string {
  return `${direction} ${from}`
}

/** What it is after the step; `null` where it cannot be, which is noted. */
function planFee(
  { at, problems, change }: TermsPlan,
  of: FeesOf,
  entry: FeeEntry,
  before: FeeRow | undefined,
): FeeRow | null {
  const { direction, from, path } = entry
  const values = {
    fixed_minor: entry.fixedMinor,
    bps: entry.bps,
    min_minor: entry.minMinor,
    max_minor: entry.maxMinor,
    tax_bps: entry.taxBps,
  }
  if (before !== undefined) {
    if (isSame(before, values)) return before
    if (before.from_at <= at) {
      problems.add(
        path,
        `${direction} from ${from} has begun, and is not changed: say what changes from a later day`,
      )
      return null
    }
    change(`${of.what} on ${direction} from ${from} set`, {
      update: 'fee_terms',
      key: { id: before.id },
      set: values,
    })
    return { ...before, ...values }
  }
  const today = localDay(at, of.timeZone)
  if (!of.isNew && from < today) {
    problems.add(
      `${path}.from`,
      `"${from}" is past: it is ${today} in ${of.timeZone}, and what was agreed on before is not changed`,
    )
    return null
  }
  const row = {
    id: randomUUID(),
    party_id: of.partyId,
    kind: of.kind,
    network_id: of.networkId,
    country: of.country,
    currency: of.currency,
    direction,
    from_day: from,
    from_at: fromAt(from, of.timeZone, of.isNew ? null : at),
    ...values,
  }
  change(`${of.what} on ${direction} from ${from} added`, { insert: 'fee_terms', values: row })
  return row
}

/** Of terms written on their first day, the hours before are past. */
function fromAt(day: string, timeZone: string, at: Instant | null): Instant {
  const start = startOfDay(day, timeZone)
  return at === null ? start : Math.max(start, at)
}

/** Whether others of its direction have taken its place. */
function isOver(row: FeeRow, after: ReadonlyMap<string, { row: FeeRow }>, at: Instant): boolean {
  return [...after.values()].some(
    ({ row: other }) =>
      other.direction === row.direction && other.from_at > row.from_at && other.from_at <= at,
  )
}

/** A pay-in that does not cover its fee is refused when it is created; a fee that none could cover is a typing error. */
function judgePrices({ problems }: TermsPlan, of: FeesOf, row: FeeRow, path: string): void {
  if (row.direction !== 'PAY_IN' || of.maxPriceMinor === null) return
  const { feeMinor, taxMinor } = feeOf(feeTermsOf(row), of.maxPriceMinor)
  if (feeMinor + taxMinor <= of.maxPriceMinor) return
  const shown = (minor: bigint) => formatPrice(minor, of.currency)
  problems.add(
    path,
    `PAY_IN from ${row.from_day}: the fee of ${shown(feeMinor)} and its tax of ${shown(taxMinor)} are more than ` +
      `the greatest price, ${shown(of.maxPriceMinor)} ${of.currency}: no pay-in would cover them`,
  )
}

/** Coming days begin in another zone, when a party's zone is another one. */
export function moveFees(plan: TermsPlan, partyId: string, currency: string, timeZone: string): void {
  const { at, known, change } = plan
  for (const row of known.parties.get(partyId)?.fees ?? []) {
    if (row.currency !== currency || row.from_at <= at) continue
    const from_at = fromAt(row.from_day, timeZone, at)
    if (from_at === row.from_at) continue
    change(`${row.kind} on ${row.direction} from ${row.from_day}: begins by the clock of ${timeZone}`, {
      update: 'fee_terms',
      key: { id: row.id },
      set: { from_at },
    })
  }
}
