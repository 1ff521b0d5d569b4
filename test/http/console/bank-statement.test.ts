/** The console's page of a bank's statement: it is sent, looked at, booked, and what is proposed is booked by hand. */
import { Readable } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partyByName } from '../../../persistence/queries/provisioning.ts'
import { allBanks } from '../../../persistence/queries/terms.ts'
import { camtEntry, camtNamed, camtStatement } from '../../support/camt.ts'
import {
  type ConsoleVisitor,
  type ConsoleWorld,
  startConsoleWorld,
  visitorAs,
} from '../../support/console.ts'
import { commit } from '../../support/order-world.ts'
import { close, termsOf } from '../../support/payment-world.ts'

let world: ConsoleWorld
test.before(async () => {
  world = await startConsoleWorld()
  const columns = { day: 'Date', reference: 'Ref', amount: 'Amount' }
  await world.node.apply({
    banks: [
      { name: 'a first', currency: 'COP', statement: { columns } },
      { name: 'main', currency: 'MXN' },
    ],
  })
})
test.after(() => world.stop())

interface Looked {
  path: string
  page: string
}

/** Sends a statement, and looks at its page once it is at rest. */
async function send(visitor: ConsoleVisitor, text: string): Promise<Looked> {
  await visitor.get('/bank')
  const form = { bank: 'main', form_page: '/bank', dryRun: 'yes' }
  const sent = await visitor.upload('/reconciliation/bank', form, { name: 'file', bytes: text })
  assert.is(sent.status, 303, sent.text)
  const path = (sent.headers.get('location') ?? '').split('?')[0] ?? ''
  await world.node.core.statements.settled(path.split('/').at(-1) ?? '')
  return { path, page: (await visitor.get(path)).text }
}

const booked = async () =>
  ((await world.ask('bank.list', {}, 'test')) as { entries: { reference: string }[] }).entries
    .map(({ reference }) => reference)
    .toSorted()

async function due(kind: 'merchant' | 'provider', name: string, dueMinor: bigint): Promise<void> {
  const { store } = world.node.core
  const [party] = await store.query(partyByName, { kind, name })
  await commit(store, [termsOf(party?.id ?? '', 'CLABE 1')])
  await close({ store }, party?.id ?? '', { number: 1, dueMinor, kind })
}

async function ordered(party: string): Promise<string> {
  const { payment } = (await world.ask(
    'payment.order',
    { party, bank: 'main', reason: 'as agreed' },
    'test',
  )) as { payment: { id: string } }
  return payment.id
}

test('a statement is looked at and booked, and what is proposed is booked from its line', async () => {
  const visitor = await visitorAs(world.node, 'administrator')
  await due('merchant', 'Shop', 30_000n)
  await due('provider', 'Network B', 20_000n)
  const [named, other] = [await ordered('Shop'), await ordered('Network B')]
  const text = camtStatement({
    opening: '500.00',
    closing: '7.00',
    inner:
      camtEntry('DBIT', '300.00', 'SPEI 1', camtNamed(named)) +
      camtEntry('DBIT', '200.00', 'SPEI 2', '<AddtlNtryInf>as the bank writes it</AddtlNtryInf>') +
      camtEntry('CRDT', '7.00', 'SPEI 3'),
  })
  const looked = await send(visitor, text)
  for (const said of ['Nothing is booked yet', 'the button below books it', 'proposed', 'unidentified'])
    assert.match(looked.page, said)
  assert.match(looked.page, `href="/payments/${other}"`, 'nothing of it is filled in yet')
  assert.match(looked.page, 'as the bank writes it')
  assert.equal(await booked(), [])

  // Booked from where it was looked at, and once.
  const run = /name="run" value="([^"]+)"/.exec(looked.page)?.[1] ?? ''
  const sent = await visitor.post('/reconciliation/book', { run, form_page: `/bank/statements/${run}` })
  assert.is(sent.status, 303, sent.text)
  const path = (sent.headers.get('location') ?? '').split('?')[0] ?? ''
  await world.node.core.statements.settled(path.split('/').at(-1) ?? '')
  const { text: page } = await visitor.get(path)
  await visitor.get(`/bank/statements/${run}`)
  const twice = await visitor.post('/reconciliation/book', { run, form_page: `/bank/statements/${run}` })
  assert.is(twice.status, 404)
  assert.match(page, 'Booked; 2 entries wait for a decision')
  assert.not.match(page, 'All entries are done')
  assert.not.match(page, 'is being done', 'its own notice says how far it is')
  assert.match(page, '1 payment has this amount')
  assert.equal(await booked(), ['SPEI 1', 'SPEI 3'])
  assert.match(page, /href="\/exceptions\/[0-9a-f-]{36}"/)
  const link = new RegExp(`href="(/payments/${other}[^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const payment = await visitor.get(link)
  assert.match(payment.text, /name="reference"[^>]*value="SPEI 2"/)
  assert.match(payment.text, /name="valueDay"[^>]*value="2026-03-01"/)
  const revision = /name="revision" value="(\d+)"/.exec(payment.text)?.[1] ?? ''
  const said = { id: other, revision, reference: 'SPEI 2', valueDay: '2026-03-01', reason: 'as proposed' }
  assert.is((await visitor.post('/payment/book', { ...said, form_page: link })).status, 303)
  assert.equal(await booked(), ['SPEI 1', 'SPEI 2', 'SPEI 3'])

  const again = await send(visitor, text)
  assert.is([...again.page.matchAll(/booked before<\/bdi>/g)].length, 3)
  assert.equal(await booked(), ['SPEI 1', 'SPEI 2', 'SPEI 3'])
})

test('what is no statement is refused where it was sent, and the form keeps what was chosen', async () => {
  const visitor = await visitorAs(world.node, 'administrator')
  await visitor.get('/bank')
  const form = { bank: 'main', form_page: '/bank', dryRun: 'yes' }
  const file = { name: 'file', bytes: 'PK and more' }
  const refused = await visitor.upload('/reconciliation/bank', form, file)
  assert.is(refused.status, 400)
  assert.match(refused.text, 'spreadsheets, MT940 and PDF are not read')
  assert.match(refused.text, /<option value="main" selected/)
  assert.match(refused.text, /name="dryRun" value="yes"/)
})

test('CSV of a bank without columns is refused with where they are set', async () => {
  const visitor = await visitorAs(world.node, 'administrator')
  const { text } = await visitor.get('/bank')
  assert.match(text, /<h2[^>]*id="statement"[^>]*>Bank statement/)
  assert.match(text, /<option value="a first"[^>]*>a first: camt.053 or CSV</)
  assert.match(text, /<option value="main"[^>]*>main: camt.053</)
  const form = { bank: 'main', form_page: '/bank', dryRun: 'yes' }
  const file = { name: 'file', bytes: 'Date;Amount\n2026-03-01;5.00\n' }
  const refused = await visitor.upload('/reconciliation/bank', form, file)
  assert.is(refused.status, 400)
  assert.match(refused.text, 'the bank main has no CSV columns set')
  assert.match(refused.text, 'banks[].statement')
  assert.not.match(refused.text, 'not XML')
  const banks = await visitor.get('/calendars')
  assert.match(banks.text, 'day: Date · reference: Ref · amount: Amount')
  assert.match(banks.text, 'CSV is not read: no columns are set')
})

test('a file that is refused late is told on its page, with the form for the next one', async () => {
  const { uploads, statements, store } = world.node.core
  const visitor = await visitorAs(world.node, 'administrator')
  await visitor.get('/bank')
  const [bank] = (await store.query(allBanks, {})).filter(({ name }) => name === 'main')
  const received = await uploads.receive(Readable.from([Buffer.from('PK and more')]))
  if (bank === undefined || !received.ok) throw new Error('there are both')
  const run = statements.begin(bank, received.upload.id, { operator: 'test', dryRun: true })
  assert.throws(() => statements.book(run, 'test'), /still being looked at: book it once that has ended/)
  await statements.settled(run)
  assert.throws(() => statements.book(run, 'test'), /was refused: nothing of it is booked/)
  const { text } = await visitor.get(`/bank/statements/${run}?bank=main`)
  assert.match(text, 'spreadsheets, MT940 and PDF are not read')
  assert.match(text, /<option value="main" selected/)
})

test('a file is looked at first, whatever is said; entries of one line have numbers of their own', async () => {
  const visitor = await visitorAs(world.node, 'administrator')
  await visitor.get('/bank')
  const before = await booked()
  const bytes = camtStatement({
    opening: '7.00',
    closing: '10.00',
    inner: camtEntry('CRDT', '1.00', 'ONE') + camtEntry('CRDT', '2.00', 'TWO'),
  }).replaceAll('\n', '')
  const form = { bank: 'main', form_page: '/bank' }
  const sent = await visitor.upload('/reconciliation/bank', form, { name: 'file', bytes })
  const run = /statements\/([\w-]+)/.exec(sent.headers.get('location') ?? '')?.[1] ?? ''
  await world.node.core.statements.settled(run)
  const { dryRun, verdicts } = world.node.core.statements.show(run)
  assert.ok(dryRun)
  assert.equal(
    verdicts.map(({ entry, line }) => [entry, line]),
    [
      [1, 1],
      [2, 1],
    ],
  )
  assert.equal(await booked(), before)
})

test('a statement is for those who may book it', async () => {
  const operator = await visitorAs(world.node, 'operator')
  const viewer = await visitorAs(world.node, 'viewer')
  const file = { name: 'file', bytes: camtStatement({}) }
  for (const visitor of [viewer, operator]) {
    assert.not.match((await visitor.get('/bank')).text, /type="file"/)
    const sent = await visitor.upload('/reconciliation/bank', { bank: 'main', form_page: '/bank' }, file)
    assert.is(sent.status, 403)
  }
  assert.is((await viewer.get('/bank/statements/abc')).status, 403)
})

const orderOf = () => world.orders.completed

test('an order’s evidence is downloaded by those who may, and its contact by nobody without asking for it', async () => {
  for (const [role, status] of [
    ['viewer', 403],
    ['operator', 200],
    ['administrator', 200],
  ] as const) {
    const visitor = await visitorAs(world.node, role)
    const page = `/orders/${orderOf()}`
    const shown = (await visitor.get(page)).text
    assert.is(shown.includes('action="/order/evidence"'), status === 200, role)
    const sent = await visitor.post('/order/evidence', { id: orderOf(), form_page: page })
    assert.is(sent.status, status, role)
    if (status !== 200) continue
    assert.is(sent.headers.get('content-type'), 'application/zip')
    assert.match(sent.headers.get('content-disposition') ?? '', `evidence-${orderOf()}.zip`)
    assert.is(sent.headers.get('cache-control'), 'no-store')
    assert.ok(sent.text.startsWith('PK'), 'it is a ZIP file')
    assert.not.match(sent.text, 'ana@example.com')
  }
})

test.run()
