/** What an operator looks at first: what needs attention, what waits, and where the money is. */

import { formatPrice } from '../../machines/money.ts'
import { type OrderStatus, orderStatuses } from '../../machines/statuses.ts'
import { formatInstant } from '../../machines/time.ts'
import { approvalsForOthers } from '../../persistence/queries/approvals.ts'
import { openExceptionCount, webhookCounts } from '../../persistence/queries/operations.ts'
import { ledgerTotals, orderDays, orderTotals, waitingForFunds } from '../../persistence/queries/overview.ts'
import { type Alarm, findAlarms } from '../condition/alarms.ts'
import type { ClockState } from '../condition/clock-watch.ts'
import { readiness } from '../condition/condition.ts'
import { defineOperation } from '../foundation/operation.ts'
import { hideCodes } from '../orders/documents.ts'
import type { NodeContext } from './context.ts'

export interface Overview {
  at: string
  /** `ready`, `degraded` … */
  status: string
  /** What degrades the node, by part. */
  reasons: Record<string, string>
  clock: ClockState['state']
  openExceptions: number
  webhooks: { pending: number; dead: number }
  alarms: Alarm[]
  moreAlarms: boolean
  orders: { status: OrderStatus; payOut: number; payIn: number }[]
  /** Local pay-outs that wait for their merchant's balance. */
  waitingForFunds: number
  /** What each kind of account holds, over all parties. */
  money: { currency: string; balances: { kind: string; amount: string }[] }[]
  /** The last fourteen days in UTC, the oldest first. */
  days: { day: string; created: number; completed: number; failed: number }[]
}

export const attention = defineOperation({
  name: 'overview.attention',
  summary: 'Count what needs attention.',
  fields: {},
  isRead: true,
  async run({ store, operator }: NodeContext): Promise<{ exceptions: number; approvals: number }> {
    const [exceptions] = await store.query(openExceptionCount, {})
    const [approvals] = await store.query(approvalsForOthers, { name: operator })
    return { exceptions: exceptions?.open ?? 0, approvals: Number(approvals?.count ?? 0) }
  },
})

const dayMs = 86_400_000
const shownDays = 14

export const overview = defineOperation({
  name: 'overview.show',
  summary: 'Show what needs attention, what is waiting, and where the money is.',
  fields: {},
  isRead: true,
  forViewers: (document: Overview) => ({
    ...document,
    alarms: document.alarms.map((alarm) => ({ ...alarm, message: hideCodes(alarm.message) })),
  }),
  async run({ store, clock, clockWatch, condition }: NodeContext): Promise<Overview> {
    const now = clock.now()
    const today = Math.floor(now / dayMs)
    const first = today - shownDays + 1
    const [exceptions] = await store.query(openExceptionCount, {})
    const webhooks = new Map((await store.query(webhookCounts, {})).map(({ state, count }) => [state, count]))
    const found = await findAlarms({ store, clock })
    const totals = await store.query(orderTotals, {})
    const [waiting] = await store.query(waitingForFunds, {})
    const ledger = await store.query(ledgerTotals, {})
    const arrivals = await store.query(orderDays, { from: first })
    const ready = readiness(condition)
    const count = (status: OrderStatus, direction: string) =>
      totals.find((line) => line.status === status && line.direction === direction)?.orders ?? 0
    const arrived = (day: number, ...statuses: OrderStatus[]) =>
      arrivals.reduce(
        (sum, line) => sum + (line.day === day && statuses.includes(line.status) ? line.orders : 0),
        0,
      )
    return {
      at: formatInstant(now),
      status: ready.status,
      reasons: 'reasons' in ready ? { ...ready.reasons } : {},
      clock: (await clockWatch.show()).state,
      openExceptions: exceptions?.open ?? 0,
      webhooks: { pending: webhooks.get('pending') ?? 0, dead: webhooks.get('dead') ?? 0 },
      alarms: found.alarms,
      moreAlarms: found.more,
      orders: orderStatuses.map((status) => ({
        status,
        payOut: count(status, 'PAY_OUT'),
        payIn: count(status, 'PAY_IN'),
      })),
      waitingForFunds: waiting?.orders ?? 0,
      money: [...Map.groupBy(ledger, (line) => line.currency)].map(([currency, lines]) => ({
        currency,
        balances: lines.map((line) => ({
          kind: line.kind,
          amount: formatPrice(line.balance_minor, currency),
        })),
      })),
      days: Array.from({ length: shownDays }, (_, index) => ({
        day: formatInstant((first + index) * dayMs).slice(0, 10),
        created: arrived(first + index, 'CREATED'),
        completed: arrived(first + index, 'COMPLETED'),
        failed: arrived(first + index, 'CANCELLED', 'EXPIRED'),
      })),
    }
  },
})
