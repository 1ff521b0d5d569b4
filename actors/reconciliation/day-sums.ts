/** What a day comes to on both sides, and step by step from one to the other. */
import { formatPrice } from '../../machines/money.ts'
import {
  decisionsOnLines,
  decisionsOnMissing,
  missingSum,
  outcomeSums,
  toldByDifferences,
  toldByMatches,
} from '../../persistence/queries/reconciliation-days.ts'
import type { LineOutcome } from '../../persistence/schema-reconciliation.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { addDays } from '../terms/days.ts'
import type { ReportedDay } from './matching.ts'

/** What a row of a day is about. */
export type DayOutcome = LineOutcome | 'only_ours' | 'pending'

export interface OutcomeSum {
  outcome: DayOutcome
  count: number
  theirs: bigint
  ours: bigint
}

export interface BookedSum {
  count: number
  minor: bigint
}

export interface SumsOfDay {
  lines: OutcomeSum[]
  /** Of its lines, what the network calls paid, and what is booked here of the day itself. */
  steps: { outcome: DayOutcome; count: number; theirs: bigint; booked: BookedSum }[]
  /** Of the day, and told of by the report of another. */
  elsewhere: BookedSum
}

/** A step of the bridge. `elsewhere`: payments of the day that another day's report tells of. */
export interface BridgeStep {
  outcome: DayOutcome | 'elsewhere'
  count: number
  /** With its sign: what the network says beyond what is booked here of the day. */
  amount: string
  decided: readonly Decided[]
}

export interface Bridge {
  steps: BridgeStep[]
  /** What the report's own sum says beyond all of them. */
  unexplained: string
}

/** What became of differences. */
export interface Decided {
  /** A resolution, or `open`. */
  as: string
  count: number
  /** What claims about them came to; null without any. */
  claimed: string | null
}

/** As far as reports of other days are read for what differs. */
const farthestDays = 7

export async function readSums(
  store: Pick<Store, 'query'>,
  reported: ReportedDay,
  file: Row<'report_files'> | undefined,
): Promise<SumsOfDay> {
  const { networkId, day } = reported
  const found = file === undefined ? [] : await store.query(outcomeSums, { fileId: file.id, day })
  const sums: SumsOfDay = {
    lines: [],
    steps: [],
    elsewhere: await bookedElsewhere(store, reported, ({ also_in }) => also_in === null),
  }
  for (const one of found) {
    const { outcome, count } = { outcome: one.outcome, count: Number(one.count) }
    const [theirs, ours] = [BigInt(one.theirs_minor ?? 0n), BigInt(one.ours_minor ?? 0n)]
    const booked = { count: Number(one.booked_count), minor: BigInt(one.booked_minor ?? 0n) }
    sums.lines.push({ outcome, count, theirs, ours })
    sums.steps.push({ outcome, count, theirs: BigInt(one.paid_minor ?? 0n), booked })
  }
  for (const isJudged of [1, 0] as const) {
    const [sum] = await store.query(missingSum, { networkId, day, isJudged })
    const count = Number(sum?.count ?? 0)
    if (count === 0) continue
    const [outcome, ours] = [isJudged === 1 ? 'only_ours' : 'pending', BigInt(sum?.ours_minor ?? 0n)] as const
    sums.lines.push({ outcome, count, theirs: 0n, ours })
    sums.steps.push({ outcome, count, theirs: 0n, booked: { count, minor: ours } })
  }
  return sums
}

/** @param isLeft whether a payment counts here that another day's report tells of: not where the day's own has counted it */
export async function bookedElsewhere(
  store: Pick<Store, 'query'>,
  { networkId, day, toleratedDays }: ReportedDay,
  isLeft: (told: { order_id: string; also_in: string | null }) => boolean,
): Promise<BookedSum> {
  const within = (days: number) => ({ networkId, day, from: addDays(day, -days), to: addDays(day, days) })
  const told = [
    ...(await store.query(toldByMatches, within(toleratedDays))),
    ...(await store.query(toldByDifferences, within(farthestDays))),
  ]
  const byOrder = new Map<string, bigint>()
  for (const { order_id, ours_minor, also_in } of told)
    if (order_id !== null && ours_minor !== null && isLeft({ order_id, also_in }))
      byOrder.set(order_id, ours_minor)
  return { count: byOrder.size, minor: [...byOrder.values()].reduce((sum, minor) => sum + minor, 0n) }
}

/** Each payment of the day once, whichever report tells of it. */
export function bookedOf({ steps, elsewhere }: SumsOfDay): BookedSum {
  return steps.reduce(
    (sum, { booked }) => ({ count: sum.count + booked.count, minor: sum.minor + booked.minor }),
    elsewhere,
  )
}

export async function readBridge(
  store: Pick<Store, 'query'>,
  { networkId, day, currency }: ReportedDay,
  { id: fileId, paid_minor: reportedMinor }: Row<'report_files'>,
  sums: SumsOfDay,
): Promise<Bridge> {
  const { steps, elsewhere } = sums
  const onLines = await store.query(decisionsOnLines, { fileId })
  const onMissing = await store.query(decisionsOnMissing, { networkId, day })
  const decisions = [...onLines, ...onMissing.map((one) => ({ ...one, outcome: 'only_ours' as const }))]
  const decidedOf = (of: DayOutcome) =>
    decisions
      .filter(({ outcome }) => outcome === of)
      .map(
        ({ state, resolution, count, claimed_minor: claimed }): Decided => ({
          as: resolution ?? state,
          count: Number(count),
          claimed: claimed === null ? null : formatPrice(BigInt(claimed), currency),
        }),
      )
  const amount = (minor: bigint) => formatPrice(minor, currency)
  const other = {
    outcome: 'elsewhere',
    count: elsewhere.count,
    minor: -elsewhere.minor,
    decided: [],
  } as const
  const found = [
    ...steps.map(({ outcome, count, theirs, booked }) => ({
      ...{ outcome, count, minor: theirs - booked.minor },
      decided: decidedOf(outcome),
    })),
    ...(elsewhere.count === 0 ? [] : [other]),
  ]
  const explained = found.reduce((sum, { minor }) => sum + minor, bookedOf(sums).minor)
  return {
    steps: found
      .filter(({ outcome, minor }) => outcome !== 'matched' || minor !== 0n)
      .map(({ minor, ...step }) => ({ ...step, amount: amount(minor) })),
    unexplained: amount(reportedMinor - explained),
  }
}
