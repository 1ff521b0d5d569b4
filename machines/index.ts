/** Every chart under the name its orders are stored with, and the version of its snapshots. */
import type { AnyStateMachine } from 'xstate'
import { approval } from './approval.ts'
import { claim } from './claim.ts'
import { payIn } from './pay-in.ts'
import { payOutForeign } from './pay-out-foreign.ts'
import { payOutLocal } from './pay-out-local.ts'
import { payment } from './payment.ts'

/** Charts differ in the type of their states only; XState has no narrower type that covers them all. */
export type Chart = AnyStateMachine

export type ChartName = 'payOutLocal' | 'payOutForeign' | 'payIn'

export const charts: Readonly<Record<ChartName, Chart>> = { payOutLocal, payOutForeign, payIn }

export type StoredChartName = ChartName | 'payment' | 'claim' | 'approval'

/** Everything that is stored as a snapshot: the charts of orders, and those of payments, claims and approvals. */
export const storedCharts: Readonly<Record<StoredChartName, Chart>> = { ...charts, payment, claim, approval }

export function isChartName(name: string): name is ChartName {
  return Object.hasOwn(charts, name)
}

/** Snapshots carry no version of their own; it is stored beside them. */
export function chartVersion(chart: Chart): number {
  return Number(chart.version)
}
