/** Settlement as an operator finds it in the morning: what closes when, what is due, what is on its way, how much is at stake. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { exposuresOfAll, usedOf } from '../../persistence/queries/exposure.ts'
import { factByName } from '../../persistence/queries/node.ts'
import {
  comingCutOffs,
  type OpenSince,
  openTotals,
  paymentsUnderWay,
  unsealedCount,
} from '../../persistence/queries/statement-pages.ts'
import { settledOnRequest } from '../../persistence/queries/terms.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { settlementStoppedFact } from '../anchors/restore-watch.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { Every } from '../terms/entries.ts'
import { accountsAt } from '../terms/in-force.ts'
import { isClosing } from './closing-days.ts'

export interface OpenTotal {
  currency: string
  /** Whether the operator pays it, or is paid. */
  side: 'pay' | 'collect'
  /** `carried`: too little by itself, it falls due with a later statement. */
  since: OpenSince
  amount: string
  statements: number
  /** The earliest day on which some of it falls due. */
  first: string | null
}

export interface SettlementToday {
  /** UTC, as `payment due` counts. */
  day: string
  /** Since when a restore has stopped closings and payments. */
  stoppedSince: string | null
  open: OpenTotal[]
  /** Ordered or sent, and not booked by the bank yet. */
  transit: { currency: string; state: string; amount: string; payments: number; first: string }[]
  exposure: {
    provider: string
    currency: string
    used: string
    limit: string
    /** Of the limit; null where that is nothing. */
    percent: number | null
    warnAtPercent: number
    warns: boolean
  }[]
  closes: { party: string; kind: PartyKind; currency: string; day: string; at: string; timeZone: string }[]
  /** Merchants that are paid when they ask for it: settled on request, with an account, and not frozen. */
  withdraws: { merchant: string; currency: string }[]
  /** Closed, and their lines are still being stored. */
  unsealed: number
}

const cutOffsRead = 500
const closingsShown = 50
const exposuresShown = 50
const withdrawersShown = 500

export const settlementToday = defineOperation({
  name: 'settlement.today',
  summary:
    'Show what closes next, what is due and overdue, what is on its way to banks, and what providers owe of their limits.',
  fields: {},
  isRead: true,
  async run({ store, clock }: OperationContext): Promise<SettlementToday> {
    const now = clock.now()
    const day = formatInstant(now).slice(0, 10)
    const [stopped] = await store.query(factByName, { name: settlementStoppedFact })
    const open = await store.query(openTotals(day), {})
    const transit = await store.query(paymentsUnderWay, {})
    const exposure = await store.query(exposuresOfAll, { limit: exposuresShown })
    const [unsealed] = await store.query(unsealedCount, {})
    return {
      day,
      stoppedSince: stopped === undefined ? null : formatInstant(Number(stopped.value)),
      open: open.map(({ currency, side, since, sum_minor, statements, first_day }) => ({
        currency,
        side,
        since,
        amount: formatPrice(sum_minor < 0n ? -sum_minor : sum_minor, currency),
        statements,
        first: first_day,
      })),
      transit: transit.map(({ currency, state, sum_minor, payments, first_at }) => ({
        currency,
        state,
        amount: formatPrice(sum_minor, currency),
        payments,
        first: formatInstant(first_at),
      })),
      exposure: exposure.map((one) => {
        const { name, currency, limit_minor: limit, warn_at_percent: warnAtPercent } = one
        const used = usedOf(one)
        return {
          provider: name,
          currency,
          used: formatPrice(used, currency),
          limit: formatPrice(limit, currency),
          percent: limit === 0n ? null : Number((used * 100n) / limit),
          warnAtPercent,
          warns: used * 100n >= limit * BigInt(warnAtPercent),
        }
      }),
      closes: closesOf(await store.query(comingCutOffs, { now, limit: cutOffsRead })),
      withdraws: (await store.query(settledOnRequest, { limit: withdrawersShown }))
        .filter((terms) => accountsAt(terms, now).account !== null)
        .map(({ name: merchant, currency }) => ({ merchant, currency })),
      unsealed: unsealed?.statements ?? 0,
    }
  },
})

interface Coming {
  name: string
  kind: PartyKind
  party_id: string
  currency: string
  day: string
  ends_at: number
  every_json: string
  time_zone: string
}

/** Of each party and currency the first day that is closed by itself. */
function closesOf(coming: readonly Coming[]): SettlementToday['closes'] {
  const first = new Map<string, Coming>()
  for (const one of coming) {
    const every: Every = JSON.parse(one.every_json)
    const key = `${one.party_id} ${one.currency}`
    if (isClosing(every, one.day) && !first.has(key)) first.set(key, one)
  }
  return [...first.values()]
    .slice(0, closingsShown)
    .map(({ name, kind, currency, day, ends_at, time_zone }) => ({
      party: name,
      kind,
      currency,
      day,
      at: formatInstant(ends_at),
      timeZone: time_zone,
    }))
}
