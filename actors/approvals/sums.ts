/**
 * What moved without a second person within a day, by whoever asked and by each party: an amount that is split comes to the same.
 * Names of those who have the token are claims, so that all of them count as one.
 */
import type { Instant } from '../../machines/time.ts'
import {
  type LockedRows,
  type Row,
  type RowRef,
  row,
  sharedRow,
  type Write,
} from '../../persistence/store.ts'
import type { Moved } from './moved.ts'

const windowMs = 24 * 60 * 60_000

/** Of one row: of more, the two oldest become one, which counts as long as the later of them. */
const maxEntries = 48

/** For every operation without a threshold of its own. */
export const everyOperation = '*'

export interface Mover {
  operation: string
  /** `person:ana`, `token`: all whom one of them has let in count as one. */
  holder: string
}

type Entry = readonly [at: Instant, minor: string]

export type SumRows = {
  thresholds: readonly RowRef<'approval_thresholds'>[]
  sums: readonly RowRef<'unapproved_sums'>[]
}

function scopesOf({ holder }: Mover, { parties }: Moved): string[] {
  // What is no party's is the node's own.
  return [holder, ...(parties.length === 0 ? ['node'] : parties.map((id) => `party:${id}`))]
}

/** What a step holds that may move as much. */
export function sumRows(mover: Mover, moved: readonly Moved[]): SumRows {
  const operations = [mover.operation, everyOperation]
  return {
    thresholds: moved.flatMap(({ currency }) =>
      operations.map((operation) => sharedRow('approval_thresholds', { operation, currency })),
    ),
    sums: moved.flatMap((one) =>
      scopesOf(mover, one).flatMap((scope) =>
        operations.map((operation) => row('unapproved_sums', { operation, scope, currency: one.currency })),
      ),
    ),
  }
}

export interface Exceeded {
  currency: string
  /** Of the request itself. */
  amountMinor: bigint
  thresholdMinor: bigint
  /** The most that one of its scopes has moved before. */
  beforeMinor: bigint
}

export type Judged = { ok: true; writes: Write[] } | { ok: false; reason: 'exceeded'; exceeded: Exceeded }

/**
 * @param isTrusted false while the clock is in doubt: nothing is forgotten then, or a clock that is set would empty the sums
 * @param held those of `sumRows`
 */
export function judgeSums(
  mover: Mover,
  moved: readonly Moved[],
  held: LockedRows<SumRows>,
  { at, isTrusted }: { at: Instant; isTrusted: boolean },
): Judged {
  const thresholds = held.thresholds.flatMap((one) => (one === null ? [] : [one]))
  const writes: Write[] = []
  for (const one of moved) {
    const threshold = thresholdFor(thresholds, mover.operation, one.currency)
    if (threshold === null) continue
    const { operation, amount_minor: thresholdMinor } = threshold
    const { currency, amountMinor } = one
    for (const scope of scopesOf(mover, one)) {
      const known = held.sums.find(
        (sum) => sum?.operation === operation && sum.scope === scope && sum.currency === currency,
      )
      const entries = entriesOf(known ?? null, at, isTrusted)
      const beforeMinor = entries.reduce((sum, [, minor]) => sum + BigInt(minor), 0n)
      if (beforeMinor + amountMinor > thresholdMinor) {
        return {
          ok: false,
          reason: 'exceeded',
          exceeded: { currency, amountMinor, thresholdMinor, beforeMinor },
        }
      }
      const entries_json = JSON.stringify(bounded([...entries, [at, amountMinor.toString()]]))
      const key = { operation, scope, currency }
      writes.push(
        known == null
          ? { insert: 'unapproved_sums', values: { ...key, entries_json } }
          : { update: 'unapproved_sums', key, set: { entries_json } },
      )
    }
  }
  return { ok: true, writes }
}

function thresholdFor(
  thresholds: readonly Row<'approval_thresholds'>[],
  operation: string,
  currency: string,
): Row<'approval_thresholds'> | null {
  const ofCurrency = thresholds.filter((one) => one.currency === currency)
  const own = ofCurrency.find((one) => one.operation === operation)
  return own ?? ofCurrency.find((one) => one.operation === everyOperation) ?? null
}

/** One from the future counts: a clock was set back since. */
function entriesOf(sum: Row<'unapproved_sums'> | null, at: Instant, isTrusted: boolean): Entry[] {
  const entries: Entry[] = sum === null ? [] : JSON.parse(sum.entries_json)
  return isTrusted ? entries.filter(([when]) => when > at - windowMs) : entries
}

function bounded(entries: readonly Entry[]): Entry[] {
  const [first, second, ...rest] = entries
  if (entries.length <= maxEntries || first === undefined || second === undefined) return [...entries]
  const both = (BigInt(first[1]) + BigInt(second[1])).toString()
  return bounded([[Math.max(first[0], second[0]), both], ...rest])
}
