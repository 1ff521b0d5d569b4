/**
 * What the repository remembers of its charts: the hash of each version's definition, and a golden snapshot of
 * every status. Once a version is released its snapshots are in databases, and neither may change any more.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginApproval, tellApproval } from '../actors/approvals/gate.ts'
import { beginClaim, tellClaim } from '../actors/claims/gate.ts'
import { begin, decide } from '../actors/orders/decide.ts'
import { beginPayment, tellPayment } from '../actors/settlement/payment-gate.ts'
import type { ApprovalEvent, ApprovalState } from '../machines/approval.ts'
import type { ClaimEvent, ClaimState } from '../machines/claim.ts'
import {
  type Chart,
  type ChartName,
  chartVersion,
  type StoredChartName,
  storedCharts,
} from '../machines/index.ts'
import type { OrderEvent, OrderInput } from '../machines/order.ts'
import type { PaymentEvent, PaymentState } from '../machines/payment.ts'
import { type OrderStatus, orderStatuses } from '../machines/statuses.ts'

interface RecordedVersion {
  version: number
  isReleased: boolean
  /** SHA-256 of the definition. */
  definition: string
}

/** Every version of every chart, the oldest first. */
export type ChartRecord = Partial<Record<string, RecordedVersion[]>>

const dataFolder = join(import.meta.dirname, '../data')
const recordFile = join(dataFolder, 'charts.json')
export const snapshotFolder = join(dataFolder, 'snapshots')
const names = Object.keys(storedCharts) as StoredChartName[]

export function readRecord(): ChartRecord {
  return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {}
}

/** Covers states, transitions, guards, actions, their parameters and the first context; not what they are coded as. */
export function definitionHash(chart: Chart): string {
  const { version: _, ...definition } = chart.config
  return createHash('sha256').update(JSON.stringify(definition, withFunctions)).digest('hex')
}

function withFunctions(_key: string, value: unknown): unknown {
  if (typeof value !== 'function') return value
  // XState's `and`, `or` and `not` are functions that differ only in what they combine.
  if ('guards' in value) return { [value.name]: value.guards }
  return value.toString().replace(/\s+/g, '')
}

const input: OrderInput = {
  orderId: '0197a1c4-6f00-7000-8000-000000000001',
  price: '100000',
  currency: 'MXN',
  createdAt: 1_795_770_000_000,
  expiryAt: 1_795_780_800_000,
  confirmGraceMs: 600_000,
}
const at = input.createdAt + 60_000
const reserve: OrderEvent = { type: 'funds.reserve', at }
const credit = { deposit: 'SOLANA/signature/0', amount: '50000000', missing: '0' }
const built: OrderEvent = { type: 'transaction.built', at, amount: credit.amount, digest: '0a' }
const funded: OrderEvent = { type: 'funds.credit', at, ...credit }
const start: OrderEvent = { type: 'payment.start', at, providerId: 'provider', networkId: '0001' }
const confirm: OrderEvent = { type: 'payment.confirm', at: at + 60_000, providerId: 'provider' }
const cancel: OrderEvent = { type: 'operator.cancel', at: at + 60_000, reason: 'fraud', force: true }
const expire: OrderEvent = { type: 'order.expire', at: input.expiryAt + input.confirmGraceMs }

/** The shortest way to each status; those that end an order end a locked one, which remembers the most. */
const ways: Record<ChartName, Partial<Record<OrderStatus, readonly OrderEvent[]>>> = {
  payOutLocal: {
    CREATED: [],
    READY: [reserve],
    PAYMENT_STARTED: [reserve, start],
    COMPLETED: [reserve, start, confirm],
    CANCELLED: [reserve, start, cancel],
    EXPIRED: [reserve, start, expire],
  },
  payOutForeign: {
    CREATED: [built],
    READY: [built, funded],
    PAYMENT_STARTED: [built, funded, start],
    COMPLETED: [built, funded, start, confirm],
    CANCELLED: [built, funded, start, cancel],
    EXPIRED: [built, funded, start, expire],
  },
  payIn: {
    READY: [],
    PAYMENT_STARTED: [start],
    COMPLETED: [start, confirm],
    CANCELLED: [start, cancel],
    EXPIRED: [start, expire],
  },
}

const ordered = { paymentId: input.orderId, direction: 'out', amount: '42530', currency: 'MXN', at } as const
const send: PaymentEvent = { type: 'payment.send', at: at + 60_000 }
const book: PaymentEvent = { type: 'payment.book', at: at + 120_000 }
const bounce: PaymentEvent = { type: 'payment.return', at: at + 180_000, reason: 'account closed' }

/** Of one that goes out, which remembers the most. */
const paymentWays: Record<PaymentState, readonly PaymentEvent[]> = {
  ordered: [],
  sent: [send],
  booked: [send, book],
  returned: [send, book, bounce],
}

const opened = {
  claimId: input.orderId,
  kind: 'paid_not_credited',
  claimant: 'merchant',
  respondent: 'provider',
  at,
} as const
const agree: ClaimEvent = { type: 'claim.answer', at: at + 60_000, by: 'provider', agrees: true }
const deny: ClaimEvent = { ...agree, agrees: false }

const claimWays: Record<ClaimState, readonly ClaimEvent[]> = {
  open: [],
  agreed: [agree],
  denied: [deny],
  accepted: [agree, { type: 'claim.accept', at: at + 120_000 }],
  upheld: [deny, { type: 'claim.uphold', at: at + 120_000 }],
  rejected: [deny, { type: 'claim.reject', at: at + 120_000 }],
  withdrawn: [deny, { type: 'claim.withdraw', at: at + 120_000, by: 'merchant' }],
}

const askedFor = {
  approvalId: input.orderId,
  operation: 'adjustment.record',
  askedBy: 'ana',
  at,
  expiresAt: at + 259_200_000,
} as const
const approve: ApprovalEvent = { type: 'approval.approve', at: at + 60_000, by: 'luis' }

const approvalWays: Record<ApprovalState, readonly ApprovalEvent[]> = {
  asked: [],
  approved: [approve],
  carried_out: [approve, { type: 'approval.carry_out', at: at + 120_000 }],
  failed: [approve, { type: 'approval.fail', at: at + 120_000 }],
  refused: [{ type: 'approval.refuse', at: at + 60_000, by: 'luis' }],
  withdrawn: [approve, { type: 'approval.withdraw', at: at + 120_000, by: 'ana' }],
  expired: [approve, { type: 'approval.expire', at: askedFor.expiresAt }],
  void: [approve, { type: 'approval.void', at: at + 120_000 }],
}

/** A snapshot as it is stored, with the version of its chart. */
interface Golden {
  version: number
  text: string
}

/** A snapshot of each status, as the present charts make it. */
function goldenSnapshots(name: StoredChartName): Map<string, Golden> {
  if (name === 'payment') return goldenPayments()
  if (name === 'approval') return goldenApprovals()
  return name === 'claim' ? goldenClaims() : goldenOrders(name)
}

function goldenOrders(name: ChartName): Map<OrderStatus, Golden> {
  const golden = new Map<OrderStatus, Golden>()
  for (const status of orderStatuses) {
    const way = ways[name][status]
    if (way === undefined) continue
    let order = begin(name, input)
    for (const event of way) {
      const decided = decide(order.stored, event)
      if (!decided.ok) throw new Error(`The way of ${name} to ${status} is refused: ${decided.reason}.`)
      order = decided
    }
    if (order.status !== status) throw new Error(`The way of ${name} to ${status} leads to ${order.status}.`)
    golden.set(status, order.stored)
  }
  return golden
}

function goldenPayments(): Map<string, Golden> {
  const golden = new Map<string, Golden>()
  for (const [state, way] of Object.entries(paymentWays)) {
    let payment = beginPayment(ordered)
    for (const event of way) {
      const told = tellPayment(payment.stored, event)
      if (!told.ok) throw new Error(`The way of a payment to ${state} is refused: ${told.reason}.`)
      payment = told
    }
    if (payment.state !== state)
      throw new Error(`The way of a payment to ${state} leads to ${payment.state}.`)
    golden.set(state, { version: payment.stored.machine_version, text: payment.stored.snapshot })
  }
  return golden
}

function goldenClaims(): Map<string, Golden> {
  const golden = new Map<string, Golden>()
  for (const [state, way] of Object.entries(claimWays)) {
    let claim = beginClaim(opened)
    for (const event of way) {
      const told = tellClaim(claim.stored, event)
      if (!told.ok) throw new Error(`The way of a claim to ${state} is refused.`)
      claim = told
    }
    if (claim.state !== state) throw new Error(`The way of a claim to ${state} leads to ${claim.state}.`)
    golden.set(state, { version: claim.stored.machine_version, text: claim.stored.snapshot })
  }
  return golden
}

function goldenApprovals(): Map<string, Golden> {
  const golden = new Map<string, Golden>()
  for (const [state, way] of Object.entries(approvalWays)) {
    let approval = beginApproval(askedFor)
    for (const event of way) {
      const told = tellApproval(approval.stored, event)
      if (!told.ok) throw new Error(`The way of an approval to ${state} is refused.`)
      approval = told
    }
    if (approval.state !== state)
      throw new Error(`The way of an approval to ${state} leads to ${approval.state}.`)
    golden.set(state, { version: approval.stored.machine_version, text: approval.stored.snapshot })
  }
  return golden
}

/** As it stands in its file: for people to read, and to see what a change changed. */
function prettySnapshot({ text }: Golden): string {
  return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
}

function snapshotFile(name: StoredChartName, version: number, status: string): string {
  return join(snapshotFolder, `${name}.v${version}.${status}.json`)
}

/** What is wrong between a chart and what is recorded of its version; `null` when nothing is. */
export function chartProblem(record: ChartRecord, name: StoredChartName, chart: Chart): string | null {
  const known = recordedVersion(record, name, chart)
  if (!known)
    return `Version ${chartVersion(chart)} of the chart ${name} is not recorded. Run npm run charts.`
  if (known.definition === definitionHash(chart)) return null
  return `The definition of the chart ${name} changed, and its version did not. ${advice(known)}`
}

/** What is wrong between the snapshots a chart makes and the golden ones of its version. */
export function snapshotProblem(
  record: ChartRecord,
  name: StoredChartName,
  golden: (status: string) => string | null,
): string | null {
  const known = recordedVersion(record, name, storedCharts[name])
  const changed = [...goldenSnapshots(name)].filter(
    ([status, made]) => golden(status) !== prettySnapshot(made),
  )
  if (!known || changed.length === 0) return null
  const statuses = changed.map(([status]) => status).join(', ')
  return `The snapshots of the chart ${name} in ${statuses} changed, and its version did not. ${advice(known)}`
}

function recordedVersion(
  record: ChartRecord,
  name: StoredChartName,
  chart: Chart,
): RecordedVersion | undefined {
  return record[name]?.find(({ version }) => version === chartVersion(chart))
}

function advice({ version, isReleased }: RecordedVersion): string {
  return isReleased
    ? `Version ${version} is released: raise the version, and write an upcaster in persistence/snapshots.ts.`
    : `Version ${version} is not released yet: run npm run charts.`
}

/**
 * The record with the present versions in it.
 * @returns the problems instead when a released version was changed.
 */
export function updateRecord(
  record: ChartRecord,
  present: Partial<Record<StoredChartName, Chart>>,
  release: boolean,
): { record: ChartRecord } | { problems: string[] } {
  const updated: ChartRecord = { ...record }
  const problems: string[] = []
  for (const name of names) {
    const chart = present[name]
    if (chart === undefined) continue
    const version = chartVersion(chart)
    const versions = record[name] ?? []
    const isReleased = recordedVersion(record, name, chart)?.isReleased ?? false
    const problem = isReleased ? chartProblem(record, name, chart) : null
    if (problem !== null) problems.push(problem)
    const others = versions.filter((one) => one.version !== version)
    const entry = { version, isReleased: isReleased || release, definition: definitionHash(chart) }
    updated[name] = [...others, entry].sort((a, b) => a.version - b.version)
  }
  return problems.length > 0 ? { problems } : { record: updated }
}

/** The golden snapshot of a version's status, as it stands in its file. */
export function readGolden(name: StoredChartName, version: number, status: string): string | null {
  const file = snapshotFile(name, version, status)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Writes the record, and the golden snapshots of the versions that `before` did not call released. */
export function writeRecord(before: ChartRecord, record: ChartRecord): void {
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`)
  mkdirSync(snapshotFolder, { recursive: true })
  for (const name of names) {
    if (recordedVersion(before, name, storedCharts[name])?.isReleased) continue
    for (const [status, golden] of goldenSnapshots(name))
      writeFileSync(snapshotFile(name, golden.version, status), prettySnapshot(golden))
  }
}
