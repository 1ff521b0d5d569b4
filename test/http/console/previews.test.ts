/** What moves money is shown before it is done: in its form, where that is known, and in answer to it otherwise. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wordsOf } from '../../../actors/foundation/operation.ts'
import { approvalRules } from '../../../actors/operations/approval-rules.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import {
  type ConsoleVisitor,
  type ConsoleWorld,
  startConsoleWorld,
  visitorAs,
} from '../../support/console.ts'

let world: ConsoleWorld
let visitor: ConsoleVisitor

test.before(async () => {
  world = await startConsoleWorld()
  const settles = [{ currency: 'MXN', timeZone: 'UTC', every: 'request', account: 'CLABE 1' }]
  await world.node.apply({
    banks: [{ name: 'main', currency: 'MXN' }],
    merchants: [{ name: 'Shop', settles }],
  })
  visitor = await visitorAs(world.node, 'administrator')
})

test.after(() => world.stop())

/** Each form of a page: where it is sent to, and what is in it. */
function formsOf(page: string): { action: string; inner: string }[] {
  return [...page.matchAll(/<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => ({ action, inner }),
  )
}

const looksFirst = (inner: string) => inner.includes('name="dryRun" value="yes"')
const showsBookings = (inner: string) => /class="books"|Nothing moves\./.test(inner)

/** Operations that are asked without a threshold, and move money: by what their forms show. */
const movingAnyAmount = [
  'order.release',
  'order.cancel',
  'order.cancelAll',
  'statement.close',
  'withdrawal.request',
]

/** Those that move money, and show it in another place than their form. */
const shownElsewhere: Readonly<Record<string, string>> = {
  apply: 'its file is shown first',
  'reconciliation.apply': 'the page of its report shows first what it comes to',
  'reconciliation.bank': 'it looks alone; another one books',
  'reconciliation.book': 'the page of its statement shows first what it comes to',
  'approval.approve': 'its page shows what would be posted',
  'approval.carryOut': 'its page shows what would be posted',
  'chain.rescan': 'it looks first: only a chain that is read has its form',
  'sandbox.simulate': 'no money is in a sandbox',
  'sandbox.clock.advance': 'no money is in a sandbox',
  'clock.accept': 'its form says how many orders fall due',
}

/** Those that move none, by what they are about. */
const movingNothing: Readonly<Record<string, readonly string[]>> = {
  list: ['setColumns', 'saveFilter', 'removeFilter'],
  order: ['clear', 'evidence'],
  evidence: ['rotate'],
  reconciliation: ['read'],
  approval: ['refuse', 'withdraw', 'setThreshold', 'removeThreshold'],
  claim: ['open', 'answer', 'addEvidence', 'withdraw'],
  party: ['freeze', 'unfreeze'],
  terms: ['setFee', 'setCommission', 'setSettlement', 'setExposure', 'setNetwork'],
  calendar: ['import'],
  rate: ['accept'],
  webhook: ['retry', 'pause', 'resume', 'switchKey', 'rotateSecret', 'dropSecret'],
  notification: ['retry', 'test', 'apply', 'channel.set', 'channel.remove', 'rule.set', 'rule.remove'],
  payment: ['export'],
  key: ['rotate', 'revoke', 'rewrap'],
  node: ['drain', 'undrain', 'acceptRestore'],
  personal: ['erase'],
  operator: [
    'add',
    'change',
    'disable',
    'enable',
    'reset',
    'password',
    'set',
    'setOwn',
    'invite',
    'uninvite',
    'resetFactors',
  ],
  session: ['end'],
  settlement: ['resume'],
  backup: ['make', 'drill'],
  sandbox: ['setFault', 'removeFault', 'clock.reset'],
}

/** A second person looks at its amount, but nothing moves by it. */
const harmless = ['payment.sent']

const changing = operationsOf('sandbox').filter(({ isRead }) => !isRead)
const hasThreshold = ({ name }: { name: string }) =>
  Object.entries(approvalRules).some(([of, rule]) => of === name && rule?.[0] === 'amount')

const moving = new Set(
  changing
    .filter((operation) => hasThreshold(operation) || movingAnyAmount.includes(operation.name))
    .filter(({ name }) => !harmless.includes(name))
    .map((operation) => `/${wordsOf(operation).join('/')}`),
)

test('of each operation that changes something it is said whether it moves money', () => {
  const names = changing.filter((operation) => !hasThreshold(operation)).map(({ name }) => name)
  const said = [
    ...movingAnyAmount,
    ...Object.keys(shownElsewhere),
    ...Object.entries(movingNothing).flatMap(([about, verbs]) => verbs.map((verb) => `${about}.${verb}`)),
  ]
  assert.equal(said.toSorted(), names.toSorted())
})

test('each form that moves money shows what it books, or looks first', async () => {
  const { ask, orders } = world
  await ask(
    'payment.receive',
    { party: 'Network B', bank: 'main', reference: 'IN 1', amount: '50.00', reason: 'x' },
    'test',
  )
  const unknown = { kind: 'unidentified', bank: 'main', reference: 'IN 2', amount: '20.00', reason: 'x' }
  await ask('bank.record', unknown, 'test')
  const { exceptions } = (await ask('exception.list', { state: 'open' }, 'test')) as {
    exceptions: { id: string }[]
  }
  const { payments } = (await ask('payment.list', {}, 'test')) as { payments: { id: string }[] }
  await ask('claim.open', { order: orders.completed, kind: 'twice', reason: 'mail', text: 'Twice.' }, 'test')
  const pages = [
    ...['/settlement', '/payments', '/bank', '/adjustments', '/conversions', '/merchants/Shop', '/claims/1'],
    ...[orders.started, orders.ready].map((id) => `/orders/${id}`),
    ...exceptions.map(({ id }) => `/exceptions/${id}`),
    ...payments.map(({ id }) => `/payments/${id}`),
  ]
  const seen = new Set<string>()
  for (const path of pages) {
    for (const { action, inner } of formsOf((await visitor.get(path)).text)) {
      if (!moving.has(action)) continue
      seen.add(action)
      assert.ok(looksFirst(inner) || showsBookings(inner), `${action} on ${path}`)
    }
  }
  const unseen = [...moving].filter((action) => !seen.has(action))
  // A file's form books deposits; what is ordered, and what has left a treasury, other tests look at.
  assert.equal(unseen.toSorted(), ['/conversion/sell', '/deposit/add', '/payment/book'])
})

test('a run that was cut off has a form that goes on with it, and no command', async () => {
  const { store, clock } = world.node.core
  const run = '01912d5a-0000-7000-8000-00000000c0de'
  const values = {
    ...{ id: run, bank: 'main', currency: 'MXN', due_day: '2026-03-01', created_at: clock.now() },
    ...{ created_by: 'ana', completed_at: null, exported_at: null, exported_by: null, file_digest: null },
    revision: 1,
  }
  await store.step({
    rows: {},
    decide: () => ({ answer: null, writes: [{ insert: 'payment_runs', values }] }),
  })
  const { text } = await visitor.get('/payments')
  assert.not.match(text, 'payment due')
  const form = formsOf(text).find(({ inner }) => inner.includes(`name="run" value="${run}"`))
  assert.ok(form !== undefined && looksFirst(form.inner))
  const said = { order: 'yes', run, form_page: '/payments' }
  const looked = await visitor.post('/payment/due', { ...said, dryRun: 'yes' })
  assert.match(looked.text, /What would be ordered/)
  assert.is((await visitor.post('/payment/due', said)).status, 200)
  assert.not.match((await visitor.get('/payments')).text, run)
})

test('a confirmation for a provider shows its postings on the page, and books those', async () => {
  const { orders, ask } = world
  const page = `/orders/${orders.started}`
  const { text } = await visitor.get(page)
  const inner = (action: string) => formsOf(text).find((one) => one.action === action)?.inner ?? ''
  assert.match(
    inner('/order/confirm'),
    /It would book:[\s\S]*1,000\.00 MXN[\s\S]*reserved of Shop[\s\S]*provider of Network B/,
  )
  assert.match(inner('/order/release'), /Nothing moves\./)
  assert.match(inner('/order/cancel'), /reserved of Shop[\s\S]*suspense of Shop/)
  const said = { id: orders.started, provider: 'Network B', reason: 'the receipt', form_page: page }
  const looked = await visitor.post('/order/confirm', { ...said, dryRun: 'yes' })
  assert.match(looked.text, /What would be booked[\s\S]*provider of Network B[\s\S]*Book it/)
  const status = async () =>
    ((await ask('order.show', { id: orders.started }, 'test')) as { status: string }).status
  assert.is(await status(), 'PAYMENT_STARTED')
  const [again] = formsOf(looked.text).filter(({ action }) => action === '/order/confirm')
  assert.ok(again !== undefined && !looksFirst(again.inner))
  assert.match(again.inner, /name="reason" value="the receipt"/)
  assert.is((await visitor.post('/order/confirm', said)).status, 303)
  assert.is(await status(), 'COMPLETED')
})

test('what is asked for with a preview is told again beside the button', async () => {
  await visitor.get('/bank')
  const form = { kind: 'charge', bank: 'main', reference: 'COM 1', amount: '35', reason: 'monthly' }
  const { text } = await visitor.post('/bank/record', { ...form, dryRun: 'yes', form_page: '/bank' })
  for (const [label, value] of [
    ['What it is', 'Bank charge'],
    ['Bank account', 'main'],
    ['Bank reference', 'COM 1'],
    ['What it is, in words', 'monthly'],
  ])
    assert.match(text, new RegExp(`<dt>${label}</dt><dd>(<[^>]+>)*${value}`), label)
})

test.run()
