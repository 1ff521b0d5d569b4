import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor } from 'xstate'
import { tellApproval } from '../../actors/approvals/gate.ts'
import { tellClaim } from '../../actors/claims/gate.ts'
import { decide } from '../../actors/orders/decide.ts'
import { tellPayment } from '../../actors/settlement/payment-gate.ts'
import { type ApprovalEvent, type ApprovalState, approvalStates } from '../../machines/approval.ts'
import { type ClaimEvent, type ClaimState, claimStates } from '../../machines/claim.ts'
import {
  type Chart,
  type ChartName,
  charts,
  chartVersion,
  isChartName,
  type StoredChartName,
  storedCharts,
} from '../../machines/index.ts'
import { newOrder, type OrderEvent, type OrderEventType, orderSetup } from '../../machines/order.ts'
import { type PaymentEvent, type PaymentState, paymentStates } from '../../machines/payment.ts'
import { type OrderStatus, orderStatuses } from '../../machines/statuses.ts'
import { loadSnapshot, SnapshotError, type Upcaster } from '../../persistence/snapshots.ts'
import { readGolden, readRecord, snapshotFolder, snapshotProblem } from '../../scripts/chart-record.ts'
import { statusesOf } from '../support/order-table-tests.ts'

const names = Object.keys(storedCharts) as StoredChartName[]
const record = readRecord()

/** Every golden snapshot there is, of every version. */
const goldenFiles = readdirSync(snapshotFolder).map((file) => {
  const [, name = '', version, status = ''] = /^(\w+)\.v(\d+)\.(\w+)\.json$/.exec(file) ?? []
  return { file, name, version: Number(version), status }
})

const ofOrders = goldenFiles.flatMap(({ name, status, ...golden }) => {
  if (name === 'payment' || name === 'claim' || name === 'approval') return []
  const known = orderStatuses.find((one) => one === status)
  if (!isChartName(name) || known === undefined) throw new Error(`${golden.file} is no snapshot of a chart`)
  return { ...golden, name, status: known }
})

// What an order in each status accepts from its holder, the operator and the node, an hour before its expiry.
const acceptedEvents: Record<ChartName, Partial<Record<OrderStatus, OrderEventType[]>>> = {
  payOutLocal: {
    CREATED: ['funds.reserve', 'operator.cancel'],
    READY: ['payment.start', 'payment.report', 'operator.cancel'],
    PAYMENT_STARTED: ['payment.confirm', 'payment.report', 'payment.cancel', 'operator.cancel'],
    COMPLETED: [],
    CANCELLED: [],
    EXPIRED: [],
  },
  payOutForeign: {
    CREATED: ['funds.credit', 'funds.accept', 'operator.cancel'],
    READY: ['payment.start', 'payment.report', 'operator.cancel'],
    PAYMENT_STARTED: ['payment.confirm', 'payment.report', 'payment.cancel', 'operator.cancel'],
    COMPLETED: [],
    CANCELLED: [],
    EXPIRED: [],
  },
  payIn: {
    READY: ['payment.start', 'payment.report', 'operator.cancel'],
    PAYMENT_STARTED: ['payment.confirm', 'payment.report', 'payment.cancel', 'operator.cancel'],
    COMPLETED: [],
    CANCELLED: [],
    EXPIRED: [],
  },
}

function everyEvent(at: number): OrderEvent[] {
  return [
    { type: 'funds.reserve', at },
    { type: 'transaction.built', at, amount: '1', digest: '0a' },
    { type: 'funds.credit', at, deposit: 'SOLANA/signature/0', amount: '1', missing: '0' },
    { type: 'funds.accept', at, deposit: 'SOLANA/signature/0', amount: '1', missing: '0', reason: 'late' },
    { type: 'payment.start', at, providerId: 'provider', networkId: '0001' },
    { type: 'payment.confirm', at, providerId: 'provider' },
    {
      type: 'payment.report',
      at,
      providerId: 'provider',
      networkId: '0001',
      paidAt: at,
      amount: '100000',
      reference: 'receipt 1',
      reason: 'the report',
    },
    { type: 'payment.cancel', at, providerId: 'provider' },
    { type: 'operator.cancel', at, reason: 'fraud', force: true },
    { type: 'order.expire', at },
  ]
}

for (const { file, name, version, status } of ofOrders) {
  test(`${file} loads, and accepts what an order in ${status} accepts`, () => {
    const text = readFileSync(join(snapshotFolder, file), 'utf8')
    const loaded = loadSnapshot(name, charts[name], version, text)
    const events = everyEvent(loaded.context.expiryAt - 3_600_000)
    const outcomes = events.map((event) => ({ event, ...decide({ machine: name, version, text }, event) }))
    const accepted = outcomes.filter((one) => one.ok).map(({ event }) => event.type)
    assert.equal(accepted, acceptedEvents[name][status])

    const actor = createActor(charts[name], { snapshot: loaded }).start()
    assert.is(actor.getSnapshot().status, accepted.length > 0 ? 'active' : 'done')
    assert.is(JSON.stringify(actor.getSnapshot().value), JSON.stringify(loaded.value))
  })
}

// What an operator and the bank may say of a payment that goes out.
const acceptedOfPayments: Record<PaymentState, PaymentEvent['type'][]> = {
  ordered: ['payment.send', 'payment.book', 'payment.return'],
  sent: ['payment.book', 'payment.return'],
  booked: ['payment.return'],
  returned: [],
}

for (const { file, version, status } of goldenFiles.filter(({ name }) => name === 'payment')) {
  test(`${file} loads, and accepts what a payment that is ${status} accepts`, () => {
    const snapshot = readFileSync(join(snapshotFolder, file), 'utf8')
    const events: PaymentEvent[] = [
      { type: 'payment.send', at: 1 },
      { type: 'payment.book', at: 1 },
      { type: 'payment.return', at: 1, reason: 'account closed' },
    ]
    const told = events.map((event) => ({
      event,
      ...tellPayment({ machine_version: version, snapshot }, event),
    }))
    const state = paymentStates.find((one) => one === status)
    assert.ok(state !== undefined, `${file} is no snapshot of a payment`)
    assert.equal(
      told.filter(({ ok }) => ok).map(({ event }) => event.type),
      acceptedOfPayments[state],
    )
    for (const one of told) if (!one.ok) assert.is(one.state, state)
  })
}

const otherStates = { payment: [...paymentStates], claim: [...claimStates], approval: [...approvalStates] }

// Of a claim of a merchant: who is claimed against answers, an operator decides, and only its merchant withdraws it.
const acceptedOfClaims: Record<ClaimState, string[]> = {
  open: ['answer', 'add_evidence', 'accept', 'uphold', 'reject', 'withdraw', 'release'],
  agreed: ['answer', 'add_evidence', 'accept', 'reject', 'withdraw', 'release'],
  denied: ['answer', 'add_evidence', 'uphold', 'reject', 'withdraw', 'release'],
  accepted: [],
  upheld: [],
  rejected: [],
  withdrawn: [],
}

for (const { file, version, status } of goldenFiles.filter(({ name }) => name === 'claim')) {
  test(`${file} loads, and accepts what a claim that is ${status} accepts`, () => {
    const snapshot = readFileSync(join(snapshotFolder, file), 'utf8')
    const events: ClaimEvent[] = [
      { type: 'claim.answer', at: 1, by: 'provider', agrees: false },
      { type: 'claim.answer', at: 1, by: 'merchant', agrees: true },
      { type: 'claim.add_evidence', at: 1 },
      { type: 'claim.accept', at: 1 },
      { type: 'claim.uphold', at: 1 },
      { type: 'claim.reject', at: 1 },
      { type: 'claim.withdraw', at: 1, by: 'merchant' },
      { type: 'claim.withdraw', at: 1, by: 'operator' },
      { type: 'claim.release', at: 1, isSettled: false },
    ]
    const accepted = events.filter((event) => tellClaim({ machine_version: version, snapshot }, event).ok)
    const state = claimStates.find((one) => one === status)
    assert.ok(state !== undefined, `${file} is no snapshot of a claim`)
    assert.equal(
      accepted.map(({ type }) => type.replace('claim.', '')),
      acceptedOfClaims[state],
    )
  })
}

// What Luis and Ana may say of what Ana has asked for, and time, before it expires.
const acceptedOfApprovals: Record<ApprovalState, string[]> = {
  asked: ['approve', 'refuse', 'withdraw', 'void'],
  approved: ['refuse', 'carry_out', 'fail', 'withdraw', 'void'],
  carried_out: [],
  failed: [],
  refused: [],
  withdrawn: [],
  expired: [],
  void: [],
}

for (const { file, version, status } of goldenFiles.filter(({ name }) => name === 'approval')) {
  test(`${file} loads, and accepts what an approval that is ${status} accepts`, () => {
    const snapshot = readFileSync(join(snapshotFolder, file), 'utf8')
    const events: ApprovalEvent[] = [
      { type: 'approval.approve', at: 1, by: 'ana' },
      { type: 'approval.approve', at: 1, by: 'luis' },
      { type: 'approval.refuse', at: 1, by: 'luis' },
      { type: 'approval.carry_out', at: 1 },
      { type: 'approval.fail', at: 1 },
      { type: 'approval.withdraw', at: 1, by: 'luis' },
      { type: 'approval.withdraw', at: 1, by: 'ana' },
      { type: 'approval.expire', at: 1 },
      { type: 'approval.void', at: 1 },
    ]
    const accepted = events.filter((event) => tellApproval({ machine_version: version, snapshot }, event).ok)
    const state = approvalStates.find((one) => one === status)
    assert.ok(state !== undefined, `${file} is no snapshot of an approval`)
    assert.equal(
      accepted.map(({ type }) => type.replace('approval.', '')),
      acceptedOfApprovals[state],
    )
    const late = { type: 'approval.expire', at: Number.MAX_SAFE_INTEGER } as const
    assert.is(
      tellApproval({ machine_version: version, snapshot }, late).ok,
      ['asked', 'approved'].includes(state),
    )
  })
}

for (const name of names) {
  test(`there is a golden snapshot of ${name} for each of its statuses, and some of each version`, () => {
    const ofChart = goldenFiles.filter((golden) => golden.name === name)
    const present = ofChart.filter(({ version }) => version === chartVersion(storedCharts[name]))
    const statuses = present.map(({ status }) => status)
    const known = isChartName(name) ? statusesOf(charts[name]) : otherStates[name]
    assert.equal(statuses.toSorted(), known.toSorted())
    const versions = new Set(ofChart.map(({ version }) => version))
    assert.equal([...versions].toSorted(), record[name]?.map(({ version }) => version).toSorted())
  })

  test(`${name} makes the very snapshots that are recorded of its version`, () => {
    const golden = (status: string) => readGolden(name, chartVersion(storedCharts[name]), status)
    assert.is(snapshotProblem(record, name, golden), null)
  })
}

test('a snapshot that changed without its version is called by its chart and status', () => {
  const golden = (status: string) => (status === 'READY' ? '{}' : readGolden('payIn', 1, status))
  const changed = 'The snapshots of the chart payIn in READY changed, and its version did not. '
  const known = (isReleased: boolean) => ({ payIn: [{ version: 1, isReleased, definition: '' }] })
  assert.is(
    snapshotProblem(known(false), 'payIn', golden),
    `${changed}Version 1 is not released yet: run npm run charts.`,
  )
  assert.is(
    snapshotProblem(known(true), 'payIn', golden),
    `${changed}Version 1 is released: raise the version, and write an upcaster in persistence/snapshots.ts.`,
  )
})

/** A chart of a later day: `WAITING` has been called `READY`, and orders count their locks, since version 3. */
const later: Chart = orderSetup.createMachine({
  id: 'later',
  version: '3',
  context: newOrder,
  initial: 'open',
  states: {
    open: {
      initial: 'READY',
      states: {
        READY: {
          on: {
            'payment.start': {
              target: '#later.COMPLETED',
              actions: {
                type: 'takeLock',
                params: ({ event: { providerId, networkId, at } }) => ({ providerId, networkId, at }),
              },
            },
          },
        },
      },
    },
    COMPLETED: { type: 'final' },
  },
})

const upcasters: Upcaster[] = [
  (snapshot) => ({ ...snapshot, value: { open: 'READY' } }),
  (snapshot) => ({ ...snapshot, context: { ...(snapshot.context as object), locks: 7 } }),
]

function storedText(value: unknown): string {
  const context = { orderId: 'o', expiryAt: 10, lock: null }
  return JSON.stringify({ status: 'active', value, context, historyValue: {}, children: {} })
}

test('a snapshot of an old version goes through every step up to the present one, in order', () => {
  const loaded = loadSnapshot('payIn', later, 1, storedText({ open: 'WAITING' }), upcasters)
  const actor = createActor(later, { snapshot: loaded }).start()
  actor.send({ type: 'payment.start', at: 5, providerId: 'A', networkId: '0001' })
  const { value, context } = actor.getSnapshot()
  assert.equal([value, context.locks, context.orderId], ['COMPLETED', 8, 'o'])
})

test('an old snapshot that is not brought up cannot be restored: the steps above are what did it', () => {
  const errors: unknown[] = []
  const actor = createActor(later, { snapshot: JSON.parse(storedText({ open: 'WAITING' })) })
  actor.subscribe({ error: (error) => errors.push(error) })
  actor.start()
  assert.match(String(errors[0]), /State 'WAITING' does not exist/)
})

test('a snapshot goes through the steps after its own version only', () => {
  const [second, present] = [2, 3].map((version) =>
    loadSnapshot('payIn', later, version, storedText({ open: 'READY' }), upcasters),
  )
  assert.is(second?.context.locks, 7)
  assert.is(present?.context.locks, undefined)
})

test('a snapshot of a later version is not read', () => {
  const read = () => loadSnapshot('payIn', later, 4, storedText({ open: 'READY' }), upcasters)
  assert.throws(
    read,
    (error: unknown) => error instanceof SnapshotError && /has version 4/.test(error.message),
  )
})

test('a snapshot is not read where a step is missing, or its version is none', () => {
  for (const [version, steps] of [
    [1, upcasters.slice(0, 1)],
    [1, []],
    [0, upcasters],
    [Number.NaN, upcasters],
  ] as const) {
    const read = () => loadSnapshot('payIn', later, version, storedText({ open: 'READY' }), steps)
    assert.throws(read, (error: unknown) => error instanceof SnapshotError, `version ${version}`)
  }
})

test('every chart has its steps from version 1 to the present one', () => {
  for (const name of names)
    assert.type(loadSnapshot(name, storedCharts[name], 1, storedText({ open: 'READY' })), 'object')
})

test.run()
