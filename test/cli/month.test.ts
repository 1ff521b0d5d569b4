/**
 * A month of two shops and two networks in three currencies, as they and their operator meet it: over HTTP and the command line.
 *
 * Every account ends as the table below says, which was reckoned by hand, and as an independent bookkeeper reckons from the answers.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { assertSameBalances, hasHledger } from '../support/hledger.ts'
import { Bookkeeper } from '../support/model/bookkeeper.ts'
import { written } from '../support/model/figures.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'
import { monthTerms } from './month-terms.ts'

/** What the operator owes is above zero, what it has or is owed is below. What is not here is zero. */
const atTheEnd = [
  // 10,000.00 came from Kiosk; 7,153.04 went to it, 839.76 and 1,160.16 to Tiendas, 100.00 to Corner, 35.00 of charges, 6.00 of taxes.
  'bank bank MXN MXN -706.04',
  // 12,152 came from Tiendas and 1,000 from the owner; 12,199 went to Kiosk.
  'bank bank CLP CLP -953',
  // 12.245 came from Corner, 12.095 went to Books.
  'bank bank KWD KWD -0.150',
  // What is kept, 2,000.00, less a refund of 138.00 with 2.40 of fee and tax, less 1,000.00 with 17.40 that was honoured.
  'available Kiosk MXN 842.20',
  // 500.00 came and was taken back, after 400.00 had been paid out; 300.00 came later, less 8.70.
  'debt Books MXN -108.70',
  // 10.95, 18.76, 2.07 and 15.00, and the taxes on them.
  'fee Kiosk MXN 46.78',
  'tax_collected Kiosk MXN 7.48',
  'fee Books MXN 7.50',
  'tax_collected Books MXN 1.20',
  'fee Kiosk CLP 123',
  'tax_collected Kiosk CLP 23',
  'fee Books KWD 0.250',
  // 8.50, 15.00, 6.10 and 13.00, and the taxes on them.
  'fee Tiendas MXN -42.60',
  'tax_credited Tiendas MXN -6.82',
  'fee Tiendas CLP -162',
  'tax_credited Tiendas CLP -31',
  'fee Corner KWD -0.100',
  'fee  MXN -35.00',
  'tax_collected  MXN -6.00',
  'equity  CLP 1000',
]

/** Who, in what, which; its days; opening and closing; what was due, when, and what is left of it. */
const statements = [
  'Books KWD 1, 2026-06-01 to 2026-06-02: 0.000 to 12.095, due 12.095 on 2026-06-02, left 0.000',
  'Corner KWD 1, 2026-06-01 to 2026-06-01: 0.000 to -12.245, due -12.245 on 2026-06-01, left 0.000',
  'Corner KWD 2, 2026-06-02 to 2026-06-02: -12.245 to 0.000, due 0.000 on -, left 0.000',
  'Corner MXN 1, 2026-06-01 to 2026-06-05: 0.00 to 100.00, due 100.00 on 2026-06-05, left 0.00',
  'Corner MXN 2, 2026-06-06 to 2026-06-12: 100.00 to 0.00, due 0.00 on -, left 0.00',
  'Kiosk CLP 1, 2026-06-01 to 2026-06-05: 0.00 to 12199.00, due 12199.00 on 2026-06-05, left 0.00',
  'Kiosk CLP 2, 2026-06-06 to 2026-06-12: 12199.00 to 0.00, due 0.00 on -, left 0.00',
  // The next day of banks is the 2nd; the 3rd is a holiday.
  'Kiosk MXN 1, 2026-06-01 to 2026-06-01: 0.00 to 9153.04, due 7153.04 on 2026-06-02, left 0.00',
  'Kiosk MXN 2, 2026-06-02 to 2026-06-02: 9153.04 to 4012.64, due 0.00 on -, left 0.00',
  'Kiosk MXN 3, 2026-06-03 to 2026-06-03: 4012.64 to 842.20, due 0.00 on -, left 0.00',
  'Tiendas CLP 1, 2026-06-01 to 2026-06-01: 0.00 to -12152.00, due -12152.00 on 2026-06-01, left 0.00',
  'Tiendas CLP 2, 2026-06-02 to 2026-06-02: -12152.00 to 0.00, due 0.00 on -, left 0.00',
  'Tiendas MXN 1, 2026-06-01 to 2026-06-01: 0.00 to 839.76, due 839.76 on 2026-06-02, left 0.00',
  'Tiendas MXN 2, 2026-06-02 to 2026-06-02: 839.76 to 145.08, due 145.08 on 2026-06-04, left 0.00',
  // The holiday it is closed on counts as the next day of banks.
  'Tiendas MXN 3, 2026-06-03 to 2026-06-03: 145.08 to 1160.16, due 1015.08 on 2026-06-05, left 0.00',
  'Tiendas MXN 4, 2026-06-06 to 2026-06-06: 1160.16 to 0.00, due 0.00 on -, left 0.00',
]

let node: TestNode
let books: Bookkeeper
test.before(async () => {
  const clock = fakeClock(Date.UTC(2026, 5, 1, 16))
  books = new Bookkeeper(monthTerms, clock.now())
  node = await startTestNode({ clock, parties: monthTerms })
})
test.after(() => stopTestNode(node))

async function command(...args: string[]): Promise<Ran> {
  const env = { VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}` }
  const ran = await ventanilla({ cwd: node.directory, env, clock: node.clock }, ...args, '--json')
  assert.is(ran.code, 0, `${args.join(' ')}: ${ran.out}${ran.err}`)
  note(args, ran.json)
  return ran
}

/** Tells the bookkeeper what a command has answered. */
function note([group, name, subject = '']: readonly string[], json: Ran['json']): void {
  const at = node.clock.now()
  if (group === 'deposit') books.tell({ ...json, is: name === 'add' ? 'deposit' : 'reversal', at })
  if (group === 'bank') books.tell({ is: 'bankLine', at, line: json.line })
  if (group === 'statement' && name === 'close') books.closeNow(subject, json.currency, at)
  if (group !== 'payment') return
  const changes = json.ordered ?? [json.change ?? json]
  for (const { payment } of changes) if (payment) books.tell({ is: 'payment', at, payment })
}

const shops: Record<string, string> = { mk_kiosk: 'Kiosk', mk_books: 'Books' }
const ownKeys = new Map<string, string>()

/** Tells the bookkeeper what the API answers of an order now. */
async function look(way: string, id: string, network: string | null): Promise<void> {
  const as = ownKeys.get(id) ?? ''
  const { json } = await node.request({ as, path: `/api/v1/merchants/orders/${way}/${id}/` })
  const direction = way === 'pay-in' ? 'PAY_IN' : 'PAY_OUT'
  const order = { ...json, direction }
  books.tell({
    ...{ is: 'order', at: node.clock.now(), merchant: shops[as] ?? '' },
    ...{ country: json.country, order, network },
  })
}

const why = ['--reason', 'by the bank’s statement'] as const
let lines = 0
const line = () => ['--reference', `LINE ${++lines}`] as const

/** An order as its merchant makes it, once it is ready. */
async function order(as: string, way: 'pay-in' | 'pay-out', body: Record<string, unknown>): Promise<string> {
  const path = `/api/v1/merchants/orders/${way}/`
  const made = await node.request({ as, path, body: payOutBody({ expiry: '2026-06-20T12:00:00Z', ...body }) })
  assert.is(made.status, 201, made.text)
  const { id } = made.json
  await node.until(async () => (await node.request({ as, path: `${path}${id}/` })).json.status === 'READY')
  ownKeys.set(id, as)
  await look(way, id, null)
  node.clock.advance(1000)
  return id
}

async function act(
  as: string,
  way: string,
  id: string,
  action: string,
  network: string,
  body = {},
): Promise<void> {
  const code = (await node.core.orders.find(id))?.order.code
  const path = `/api/v1/providers/orders/${way}/${code}/${action}-payment/`
  const { status, text } = await node.request({ as, path, body: { network_id: network, ...body } })
  assert.is(status, 200, `${action}: ${text}`)
  await look(way, id, network)
  node.clock.advance(1000)
}

/** What a till has read off the customer's code. */
function priceOf({ price, price_currency }: Record<string, unknown>) {
  return { price, price_currency }
}

async function paid(
  [shop, way, body]: Parameters<typeof order>,
  [provider, network]: [string, string],
): Promise<string> {
  const id = await order(shop, way, body)
  for (const action of ['start', 'confirm']) await act(provider, way, id, action, network, priceOf(body))
  return id
}

/** Until days are closed and sealed as the node does it by itself. */
async function goTo(at: string, sealed: number): Promise<void> {
  node.clock.advance(Date.parse(at) - node.clock.now())
  const wake = { rows: {}, decide: () => ({ answer: null, writes: [], wake: ['statements' as const] }) }
  await node.core.store.step(wake)
  await node.until(async () => {
    const { json } = await command('statement', 'list')
    return json.statements.filter((one: { state: string }) => one.state === 'sealed').length === sealed
  })
  books.endDays(node.clock.now())
}

/** What is ordered goes out as the bank says. */
async function book(id: string): Promise<void> {
  await command('payment', 'sent', id, ...why)
  await command('payment', 'book', id, ...line(), ...why)
}

async function payOne(party: string, bank: string, ...more: string[]): Promise<string> {
  const { payment } = (await command('payment', 'order', party, '--bank', bank, ...more, ...why)).json
  await book(payment.id)
  return payment.id
}

/** All that is due from a bank account, as one run. */
async function payRun(on: string): Promise<{ party: string; amount: string; id: string }[]> {
  const { run, ordered, problems } = (
    await command('payment', 'due', '--on', on, '--order', '--bank', 'bank MXN')
  ).json
  assert.equal(problems, [])
  const exported = (await command('payment', 'export', run.id)).json
  assert.is((await command('payment', 'export', run.id)).json.file, exported.file)
  assert.is(exported.payments, ordered.length)
  const paid = ordered.map(
    ({ payment }: { payment: { party: string; amount: string; id: string } }) => payment,
  )
  for (const { id } of paid) await book(id)
  return paid
}

const receive = (party: string, bank: string, amount: string) =>
  command('payment', 'receive', party, '--bank', bank, ...line(), '--amount', amount, ...why)
const record = (kind: string, bank: string, amount: string, ...more: string[]) =>
  command('bank', 'record', '--kind', kind, '--bank', bank, ...line(), '--amount', amount, ...more, ...why)

const mx = { country: 'MX', price_currency: 'MXN' }

/** @returns a pay-in that is given back later */
async function firstDay(): Promise<string> {
  await receive('Kiosk', 'bank MXN', '10000')
  const bought = await paid(['mk_kiosk', 'pay-in', { ...mx, price: '438.00' }], ['pk_tiendas', 't-mx'])
  await paid(['mk_kiosk', 'pay-out', { ...mx, price: '1250.50' }], ['pk_tiendas', 't-mx'])
  const chilean = { country: 'CL', price_currency: 'CLP', price: '12345' }
  await paid(['mk_kiosk', 'pay-in', chilean], ['pk_tiendas', 't-cl'])
  const kuwaiti = { country: 'KW', price_currency: 'KWD', price: '12.345' }
  await paid(['mk_books', 'pay-in', kuwaiti], ['pk_corner', 'c-kw'])
  await command('deposit', 'add', 'Books', 'cheque', '--amount', '500', '--currency', 'MXN', ...why)
  await paid(['mk_books', 'pay-out', { ...mx, price: '400.00' }], ['pk_corner', 'c-mx'])
  // A cheque without funds: 100.00 of it are there, and 400.00 are a debt.
  await command('deposit', 'reverse', 'Books', 'cheque', ...why)
  return bought
}

/** A part is paid by hand and the rest in a run; that comes back. @returns an order that a till holds */
async function secondDay(bought: string): Promise<string> {
  await command('statement', 'close', 'Books', '--currency', 'KWD')
  await goTo('2026-06-02T16:00:01Z', 5)
  await payOne('Kiosk', 'bank MXN', '--amount', '5000')
  const run = await payRun('2026-06-02')
  assert.equal(run.map(({ party, amount }) => `${party} ${amount}`).toSorted(), [
    'Kiosk 2153.04',
    'Tiendas 839.76',
  ])
  const bounced = run.find(({ party }) => party === 'Kiosk')?.id ?? ''
  await command('payment', 'return', bounced, ...line(), '--reason', 'the account is closed')
  await receive('Tiendas', 'bank CLP', '10000')
  await receive('Tiendas', 'bank CLP', '2152')
  await receive('Corner', 'bank KWD', '12.245')
  await payOne('Books', 'bank KWD')
  await record('charge', 'bank MXN', '35.00')
  await record('tax_payment', 'bank MXN', '6.00')
  await record('capital', 'bank CLP', '1000')
  const { exception } = (await record('unidentified', 'bank MXN', '77.00')).json
  await record('sent_back', 'bank MXN', '77.00', '--exception', exception)
  await paid(['mk_kiosk', 'pay-out', { ...mx, price: '138.00', refund_of: bought }], ['pk_tiendas', 't-mx'])
  const expiry = '2026-06-03T12:00:00Z'
  const held = await order('mk_kiosk', 'pay-out', { ...mx, price: '1000.00', expiry })
  await act('pk_tiendas', 'pay-out', held, 'start', 't-mx')
  await paid(['mk_books', 'pay-in', { ...mx, price: '300.00' }], ['pk_corner', 'c-mx'])
  return held
}

/** The order ended while it was held; its cash was handed out. What came back is paid anew. */
async function thirdDay(held: string): Promise<void> {
  await look('pay-out', held, 't-mx')
  const { exceptions } = (await command('exception', 'list', '--order', held)).json
  const { id } = exceptions.find(({ kind }: { kind: string }) => kind === 'expired_while_locked')
  await command('exception', 'resolve', id, '--as', 'honour', '--reason', 'a receipt with a signature')
  books.tell({ is: 'resolution', at: node.clock.now(), order: held, as: 'honour' })
  await payOne('Kiosk', 'bank MXN', '--statement', '1')
}

test('a month of settlement ends as it was reckoned by hand', async () => {
  const bought = await firstDay()
  await goTo('2026-06-02T16:00:00Z', 4)
  const held = await secondDay(bought)
  await goTo('2026-06-03T16:00:00Z', 9)
  await thirdDay(held)
  await goTo('2026-06-06T16:00:00Z', 13)
  const run = await payRun('2026-06-08')
  assert.equal(run.map(({ party, amount }) => `${party} ${amount}`).toSorted(), [
    'Corner 100.00',
    'Tiendas 1160.16',
  ])
  await payOne('Kiosk', 'bank CLP')
  await goTo('2026-06-30T16:00:00Z', 16)

  assert.equal(await accountsAtTheEnd(), atTheEnd.toSorted())
  assert.equal((await command('statement', 'list')).json.statements.map(shown).toSorted(), statements)
  assert.equal(reckonedBalances(), atTheEnd.toSorted())
  assert.equal(reckonedStatements(), statements)
  assert.equal((await command('payment', 'due', '--on', '2026-12-31')).json.due, [])
  assert.is((await command('verify')).json.ok, true)
  const journal = join(node.directory, 'ledger.journal')
  await command('ledger', 'export', '--format', 'hledger', '--output', journal)
  if (!hasHledger('the month')) return
  assertSameBalances(readFileSync(journal, 'utf8'), await allRows(node.core.store, 'accounts'), nameOf)
})

/** Names of parties by their ids, once they are read. */
const names = new Map<string, string>()
const nameOf = (ownerId: string) => names.get(ownerId) ?? ownerId

async function accountsAtTheEnd(): Promise<string[]> {
  for (const { id, name } of await allRows(node.core.store, 'parties')) names.set(id, name)
  return (await allRows(node.core.store, 'accounts'))
    .filter(({ balance_minor }) => balance_minor !== 0n)
    .map(
      (one) =>
        `${one.kind} ${nameOf(one.owner_id)} ${one.currency} ${written(one.balance_minor, one.currency)}`,
    )
    .toSorted()
}

function reckonedBalances(): string[] {
  return [...books.balances()]
    .map(([place, minor]) => `${place} ${written(minor, place.slice(-3))}`)
    .toSorted()
}

function reckonedStatements(): string[] {
  const parties = ['Books', 'Corner', 'Kiosk', 'Tiendas']
  return parties
    .flatMap((party) =>
      ['CLP', 'KWD', 'MXN'].flatMap((currency) =>
        books.statements(party, currency).map((one) => {
          const text = (minor: bigint) => `${written(minor, currency)}${currency === 'CLP' ? '.00' : ''}`
          const { number, from, to, dueOn } = one
          const [opening, closing, due, open] = [one.opening, one.closing, one.due, one.open].map(text)
          return shown({ party, currency, number, from, to, opening, closing, due, dueOn, open })
        }),
      ),
    )
    .toSorted()
}

function shown(one: Record<string, string | number | null | undefined>): string {
  const { party, currency, number, opening, closing, due, dueOn, open } = one
  return `${party} ${currency} ${number}, ${one.from} to ${one.to}: ${opening} to ${closing}, due ${due} on ${dueOn ?? '-'}, left ${open}`
}

test.run()
