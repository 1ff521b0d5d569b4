/**
 * Every command, on a running and (`npm run test:durability`) on a stopped node: the same documents in shape, and whole words for people.
 *
 * `TRANSCRIPT=1` prints what an operator reads.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { isLargeShare } from '../durability/share.ts'
import { camtStatement } from '../support/camt.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'
import { approvalLines, approvalRefusals } from './approval-lines.ts'
import { commandsOf, helpOf } from './helps.ts'
import { notificationLines } from './notification-lines.ts'

interface World {
  node: TestNode
  isRunning: boolean
  /** Ids of orders by their merchant_order_id, and of what belongs to them. */
  order(name: string): Promise<string>
  webhookOf(name: string): Promise<string>
  exceptionOf(name: string): Promise<string>
  /** The one that came in. */
  payment(): Promise<string>
  run(...args: string[]): Promise<Ran>
}

type Line = readonly (string | ((world: World) => Promise<string>))[]

const order = (name: string) => (world: World) => world.order(name)
const webhookOf = (name: string) => (world: World) => world.webhookOf(name)
const exceptionOf = (name: string) => (world: World) => world.exceptionOf(name)
const payment = (world: World) => world.payment()
const byBank = ['--bank', 'main'] as const
const ofDone = [
  ...['--because', 'dispute', '--currency', 'MXN', '--reference', 'claim 1'],
  '--order',
  (world: World) => world.order('done'),
] as const
const why = ['--reason', 'a bad day'] as const
const forA = ['--for-provider', 'Network A', ...why] as const

const from = ['--direction', 'PAY_IN', '--from', '2026-12-01'] as const
const settlement = ['--currency', 'MXN', '--time-zone', 'America/Mexico_City', '--every', 'mon,thu'] as const

const ordersPath = '/api/v1/merchants/orders/pay-out/'
const reported = ['--provider', 'Network A', '--network', '0001', '--day', '2026-03-01']
/** In an order in which each finds what it needs. */
const lines: readonly Line[] = [
  ['apply', 'more.json'],
  ['signature', 'explain', '--as', 'mk_shop', '--date', '1772366400', 'GET', ordersPath],
  ['record', 'find', 'held too'],
  ['order', 'list'],
  ['order', 'show', order('held')],
  ['order', 'cancel', order('waiting'), ...why],
  ['order', 'cancel', order('waiting'), ...why],
  ['order', 'release', order('held'), ...forA],
  ['order', 'confirm', order('held too'), ...forA],
  ['order', 'cancel', '--credential', 'mk_shop', '--since', '2026-03-01T12:00:00Z', ...why],
  ['order', 'cancel', order('last held'), ...why, '--force'],
  ['order', 'quarantined'],
  ['order', 'clear', '--all', ...why],
  ['order', 'evidence', order('done'), '--out', 'evidence.zip'],
  ['evidence', 'key'],
  ['evidence', 'check', 'evidence.zip'],
  ['evidence', 'rotate'],
  ['exception', 'list'],
  ['exception', 'list', '--state', 'resolved'],
  ['exception', 'show', exceptionOf('forced')],
  ['exception', 'resolve', exceptionOf('forced'), '--as', 'honour', ...why, '--evidence', 'receipt 4711'],
  ['exception', 'resolve', exceptionOf('forced'), '--as', 'return', ...why],
  ['exception', 'resolve', exceptionOf('last held'), '--as', 'return', ...why, '--revision', '7'],
  ['exception', 'refund', exceptionOf('last held')],
  ['sandbox', 'simulate', order('done'), 'confirm'],
  ['sandbox', 'clock', 'show'],
  ['sandbox', 'clock', 'reset'],
  ['sandbox', 'go-live', 'Network B'],
  ['sandbox', 'requests', 'Network B'],
  ...['inbox', 'deliveries', 'faults'].map((verb) => ['sandbox', verb, 'Other Shop'] as const),
  ['sandbox', 'set-fault', 'Other Shop', 'status', '--status', '500', '--deliveries', '2'],
  ['sandbox', 'remove-fault', '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'],
  ['webhook', 'list'],
  ['webhook', 'show', webhookOf('forced')],
  ['webhook', 'pause', 'Other Shop'],
  ['webhook', 'resume', 'Other Shop'],
  ['webhook', 'retry', webhookOf('done')],
  ['merchant', 'list'],
  ['merchant', 'show', 'Shop'],
  ['provider', 'list'],
  ['provider', 'show', 'Network A'],
  ['party', 'freeze', 'Network B', ...why],
  ['party', 'unfreeze', 'Network B', ...why],
  ['rate', 'list'],
  ['rate', 'show', 'SOLANA', 'USDC', 'MX', 'MXN'],
  ['rate', 'accept', 'SOLANA', 'USDC', 'MX', 'MXN', '--rate', '17.25', ...why],
  ['terms', 'set-network', 'Network A', '--network', '0001', '--currency', 'MXN', '--min', '20', ...why],
  ['terms', 'set-commission', 'Network A', '--network', '0001', ...from, '--fixed', '5.00', ...why],
  ['terms', 'set-fee', 'Shop', '--country', 'MX', '--currency', 'MXN', ...from, '--bps', '250', ...why],
  ['calendar', 'import', 'closed.csv', '--name', 'mx-banks'],
  ['terms', 'set-settlement', 'Shop', '--kind', 'merchant', ...settlement, '--calendar', 'mx-banks', ...why],
  ['order', 'report', 'report.csv', ...reported, '--dry-run'],
  ['reconcile', 'report.csv', ...reported, '--dry-run'],
  ['reconcile', 'report.csv', ...reported],
  ['sandbox', 'sample-report', '0001', '--day', '2026-03-01', '--out', 'sample.csv'],
  ['sandbox', 'sample-statement', 'main', '--out', 'sample.xml'],
  ['reconciliation', 'days', '--to', '2026-03-02'],
  ['reconciliation', 'day', '0001', '2026-03-01', '--outcome', 'differences'],
  ['terms', 'set-exposure', 'Network A', '--currency', 'MXN', '--limit', '200000', ...why],
  ['terms', 'show'],
  ['calendar', 'list'],
  ['deposit', 'add', 'Shop', 'wire 1', '--amount', '500', '--currency', 'MXN', ...why],
  ['deposit', 'reverse', 'Shop', 'opening', ...why],
  ['key', 'list', 'Shop'],
  ['key', 'rotate', 'Shop', '--key', 'mk_new'],
  ['webhook', 'switch-key', 'Shop', 'mk_new'],
  ...['rotate-secret', 'drop-secret'].map((verb) => ['webhook', verb, 'Shop', ...why] as const),
  ['key', 'revoke', 'mk_shop', ...why],
  ['key', 'revoke', 'mk_new'],
  ['key', 'rewrap', '--new-key-file', 'new.key'],
  ['operator', 'add', 'ana', '--role', 'administrator'],
  ['operator', 'add', 'luis', '--role', 'viewer'],
  ['operator', 'change', 'luis', '--role', 'operator'],
  ['operator', 'set', 'luis', '--language', 'es', '--zone', 'America/Mexico_City'],
  ...['disable', 'enable'].map((verb) => ['operator', verb, 'luis'] as const),
  ['operator', 'reset', 'luis'],
  ['operator', 'list'],
  ['machine', 'draw', 'payIn', '--format', 'mermaid'],
  ...['version', 'machine list', 'clock show', 'chain lag'].map((words) => words.split(' ')),
  ['clock', 'accept'],
  ['node', 'drain', ...why],
  ['node', 'show'],
  ['node', 'undrain'],
  ['node', 'show-restore'],
  ['node', 'accept-restore', ...why],
  ['alarm', 'list'],
  ['audit', 'list'],
  ['audit', 'list', '--operation', 'order.cancel', '--limit', '1'],
  ['chain', 'check'],
  ['backup', 'copies'],
  ['archive', 'verify'],
  ['claim', 'open', order('done'), '--kind', 'twice', '--text', 'The receipt has two stamps', ...why],
  ['claim', 'evidence', 'add', '1', '--text', 'They called again'],
  ['claim', 'answer', '1', '--as', 'denies', '--text', 'The till was closed', ...why],
  ['claim', 'accept', '1', ...why],
  ['claim', 'uphold', '1', '--dry-run', ...why],
  ['claim', 'reject', '1', ...why],
  ['claim', 'withdraw', '1', ...why],
  ['claim', 'list', '--state', 'undecided'],
  ['claim', 'list'],
  ['claim', 'show', '1'],
  ...notificationLines,
  ['erase', '--order', order('done'), ...why],
  ['erase', '--consumer', 'ana@example.com', ...why],
  ['payment', 'receive', 'Network A', ...byBank, '--reference', 'SPEI 1', '--amount', '10.00', ...why],
  ['payment', 'list'],
  ['payment', 'show', payment],
  ['payment', 'due'],
  ['payment', 'order', 'Network A', ...byBank, '--amount', '1.00', ...why],
  ['payment', 'sent', payment, ...why],
  ['payment', 'book', payment, '--reference', 'SPEI 1', ...why],
  ['payment', 'return', payment, ...why, '--reference', 'SPEI 2'],
  ['payment', 'export', 'unknown'],
  ['payment', 'identify', 'unknown', '--party', 'Shop', ...why],
  ['bank', 'record', '--kind', 'charge', ...byBank, '--reference', 'COM 1', '--amount', '35.00', ...why],
  ['bank', 'list'],
  ['reconcile', 'statement.xml', ...byBank, '--dry-run'],
  ['reconcile', 'statement.xml', ...byBank],
  ['adjustment', 'record', 'Network A', ...ofDone, '--amount', '1.00', '--dry-run', ...why],
  ['adjustment', 'record', 'Network A', ...ofDone, '--amount', '-1.00', ...why],
  ['adjustment', 'list'],
  ['conversion', 'list'],
  ['conversion', 'record', 'unseen', ...why],
  ['conversion', 'sell', 'unknown', ...byBank, '--reference', 'SPEI 3', '--amount', '1.00', ...why],
  ['withdrawal', 'request', 'Shop', '--currency', 'CLP', ...why],
  ['statement', 'close', 'Network A', '--currency', 'MXN'],
  ['statement', 'list', 'Network A'],
  ['statement', 'show', 'Network A', '1', '--currency', 'MXN'],
  ['statement', 'export', 'Network A', '1', '--currency', 'MXN'],
  ['operator', 'invite', 'nuria', '--role', 'viewer'],
  ['operator', 'uninvite', 'nuria'],
  ['operator', 'reset-factors', 'unknown'],
  ['settlement', 'resume', ...why],
  ['ledger', 'export', '--output', 'ledger.journal', '--overwrite'],
  ['verify'],
  ['doctor'],
  ...approvalLines,
]

/** They run a node, need a listening one or none, or what only a month brings; they have tests of their own. */
const elsewhere = [
  ...'serve demo request restore migrate init install move'.split(' '),
  ...['chain rescan', 'webhook listen', 'archive show', 'backup drill'],
]

test('no command is missing here', async () => {
  const all: string[] = []
  for (const name of await commandsOf()) {
    const inGroup = await commandsOf(name)
    all.push(...(inGroup.length === 0 ? [name] : inGroup.map((one) => `${name} ${one}`)))
  }
  assert.ok(all.length > 30)
  const played = (command: string) =>
    lines.some((line) => command.split(' ').every((word, index) => line[index] === word))
  const missing = all.filter((command) => !played(command) && !elsewhere.includes(command))
  assert.equal(missing, [], 'add them to the transcript')
})

test('each command has a help text with examples that name it', async () => {
  const named = await Promise.all(
    (await commandsOf()).map(async (name) => [name, await commandsOf(name)] as const),
  )
  const groups = new Set(named.filter(([, inGroup]) => inGroup.length > 0).map(([name]) => name))
  for (const line of lines) {
    const words = line.filter((word) => typeof word === 'string')
    const [first = '', second = '', third = ''] = words
    const isGroup = groups.has(first) && (first !== 'backup' || second === 'drill')
    const isNested = isGroup && (await commandsOf(first, second)).length > 0
    const command = isGroup ? [first, second, ...(isNested ? [third] : [])] : [first]
    const { code, out } = await helpOf(...command)
    assert.is(code, 0)
    assert.match(out, new RegExp(`\\nExamples:\\n  \\$ (.* && )?ventanilla ${command.join(' ')}`))
    assert.match(out, /--json +print one JSON document/)
  }
})

async function prepare(isRunning: boolean): Promise<World> {
  const node = await startTestNode()
  const { directory, clock } = node
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  const run = (...args: string[]) => ventanilla({ cwd: directory, env, clock }, ...args)
  const ids = new Map<string, string>()
  for (const name of ['waiting', 'held', 'held too', 'done', 'forced', 'last held', 'swept']) {
    const body = payOutBody({ merchant_order_id: name })
    const made = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
    ids.set(name, made.json.id)
    const statusOf = async () => (await node.core.orders.find(made.json.id))?.order.status
    await node.until(async () => (await statusOf()) === 'READY')
    clock.advance(1000)
  }
  const act = async (name: string, action: string) => {
    const code = (await node.core.orders.find(ids.get(name) ?? ''))?.order.code
    const path = `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`
    const { status } = await node.request({ as: 'pk_a', path, body: { network_id: '0001' } })
    assert.is(status, 200)
  }
  // What is sent meanwhile would differ from run to run.
  assert.is((await run('webhook', 'pause', 'Shop')).code, 0)
  for (const name of ['held', 'held too', 'done', 'forced', 'last held']) await act(name, 'start')
  await act('done', 'confirm')
  await run('order', 'cancel', ids.get('forced') ?? '', '--reason', 'x', '--force')
  writeFileSync(join(directory, 'new.key'), generateMasterKey())
  const columns = 'order,outcome,amount,paid_at,reference'
  // No order is quarantined here, so it cannot be booked; test/backup plays one that can.
  writeFileSync(join(directory, 'statement.xml'), camtStatement({}))
  writeFileSync(join(directory, 'report.csv'), `${columns}\n${ids.get('done')},not_paid,,,\n`)
  const second = { name: 'second', kind: 'email', to: ['ops@pay.example'] }
  writeFileSync(join(directory, 'notifications.json'), JSON.stringify({ channels: [second] }))
  writeFileSync(join(directory, 'closed.csv'), 'date,note\n2026-12-25,Navidad\n')
  writeFileSync(
    join(directory, 'more.json'),
    JSON.stringify({
      banks: [{ name: 'main', currency: 'MXN' }],
      merchants: [{ name: 'Shop', contact: 'ana@shop.example' }],
      rates: [{ blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN', rate: '17.25' }],
    }),
  )
  if (!isRunning) await node.stop()
  const found = async (...args: string[]) => (await run(...args)).out.trim()
  return {
    node,
    isRunning,
    run,
    order: async (name) => ids.get(name) ?? '',
    webhookOf: (name) => found('webhook', 'list', '--order', ids.get(name) ?? '', '--field', 'webhooks.0.id'),
    exceptionOf: (name) =>
      found('exception', 'list', '--order', ids.get(name) ?? '', '--field', 'exceptions.0.id'),
    payment: () => found('payment', 'list', '--field', 'payments.0.id'),
  }
}

/** What each line is answered with. */
async function transcript(world: World, ...options: string[]): Promise<{ line: string; ran: Ran }[]> {
  const told: { line: string; ran: Ran }[] = []
  try {
    for (const parts of lines) {
      const args = await Promise.all(parts.map((part) => (typeof part === 'string' ? part : part(world))))
      told.push({ line: args.join(' '), ran: await world.run(...args, ...options) })
    }
  } finally {
    if (world.isRunning) await stopTestNode(world.node)
  }
  return told
}

/** Names and types of a document's members, whatever their values; of a list those of its items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort()
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}

test(`a running node gives documents${isLargeShare ? ', and a stopped one of the same shape' : ''}`, async () => {
  const running = await transcript(await prepare(true), '--json')
  // Each command opens the database for itself then, which takes its time: `npm run test:durability` does that.
  const stopped = isLargeShare ? await transcript(await prepare(false), '--json') : null
  for (const [index, { line, ran }] of running.entries()) {
    const other = stopped?.[index]?.ran
    if (stopped !== null)
      assert.equal([other?.code, shapeOf(other?.json)], [ran.code, shapeOf(ran.json)], line)
    assert.ok(ran.json !== null, line)
    assert.ok((ran.code === 0) !== 'error' in ran.json || line === 'doctor', `${line}: ${ran.out}`)
  }
  const refused = running.flatMap(({ ran }) => ('error' in ran.json ? [ran.json.error.code] : []))
  assert.equal(refused, [
    ...['refused', 'conflict', 'conflict', 'refused', 'not_found', 'conflict', 'refused'],
    // A claim that is denied is not accepted, and one that was rejected is not withdrawn.
    ...['refused', 'conflict'],
    // Of notifications: no such channel and notification, and a channel that a rule names.
    ...['not_found', 'not_found', 'not_found', 'refused'],
    // Of payments: no account, the wrong way, booked already, and no such run and exception.
    ...['refused', 'refused', 'conflict', 'not_found', 'not_found'],
    // No such transaction and conversion.
    ...['not_found', 'not_found'],
    // Of a withdrawal: nothing is agreed on.
    'refused',
    // A statement that is not sealed is no file; no such operator; nothing is stopped.
    ...['refused', 'not_found', 'conflict'],
    ...approvalRefusals,
  ])
})

test('what people read is whole', async () => {
  for (const { line, ran } of await transcript(await prepare(true))) {
    if (process.env.TRANSCRIPT === '1') console.log(`\n$ ventanilla ${line}\n${ran.out}${ran.err}`)
    // What `doctor` finds is its answer.
    assert.ok(ran.code === 0 || ran.err !== '' || line === 'doctor', line)
    assert.ok((ran.out + ran.err).trim().length > 0, line)
    assert.not.match(ran.out + ran.err, /undefined|\[object|NaN|: null/, line)
  }
})

test.run()
