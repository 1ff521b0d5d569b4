/** The pages of terms and calendars: what is in force, and forms that change what is to come (protocol 15.2). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const shopTerms = '/terms?kind=merchant&party=Shop'
const tillTerms = '/terms?kind=provider&party=Network+A'
const why = { reason: 'contract 12' }
const fee = {
  merchant: 'Shop',
  country: 'MX',
  currency: 'MXN',
  direction: 'PAY_IN',
  from: '2026-12-01',
  ...why,
}

let node: TestNode
let visitor: ConsoleVisitor

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

test('a fee is agreed on by a form, shown, and audited', async () => {
  assert.match((await visitor.get('/merchants/Shop')).text, /href="\/terms\?kind=merchant&amp;party=Shop"/)
  assert.match((await visitor.get(shopTerms)).text, /Nothing was agreed on: there is no fee/)
  const sent = await visitor.post('/terms/set-fee', {
    ...fee,
    bps: '250',
    taxBps: '1600',
    form_page: shopTerms,
  })
  assert.equal([sent.status, sent.headers.get('location')], [303, `${shopTerms}&done=terms.setFee`])
  const { text } = await visitor.get(shopTerms)
  assert.match(text, /2026-12-01/)
  assert.match(text, /coming/)
  assert.match(text, /2\.5 %/)
  const { entries } = (await dispatchOf(node)(
    'audit.list',
    { operation: 'terms.setFee', limit: 1 },
    'x',
  )) as {
    entries: object[]
  }
  assert.match(JSON.stringify(entries), /contract 12/)
})

test('what is wrong in a form is told by its field, and nothing is written', async () => {
  const before = (await visitor.get(shopTerms)).text
  const rows: [fields: Record<string, string>, line: RegExp][] = [
    [{ ...fee, fixed: '-1' }, /fixed: &quot;-1&quot; is below zero/],
    [{ ...fee, from: '2026-02-30' }, /from: &quot;2026-02-30&quot; is not a date/],
    [{ ...fee, country: 'BR', currency: 'BRL' }, /min: is missing/],
    [{ ...fee, merchant: 'Nobody' }, /There is no merchant Nobody/],
  ]
  for (const [fields, line] of rows) {
    const { status, text } = await visitor.post('/terms/set-fee', { ...fields, form_page: shopTerms })
    assert.ok(status >= 400, String(status))
    assert.match(text, line)
    assert.not.match(text, /merchants\[0\]/)
    assert.match(text, /<h1>Terms of Shop<\/h1>/)
    const isAgain = text.includes('<details class="act" open>')
    assert.is(isAgain, fields.merchant === 'Shop', 'the form is open, and filled in as it was')
  }
  assert.is((await visitor.get(shopTerms)).text.length, before.length)
})

test('settlement, exposure, a network and its commission are agreed on', async () => {
  const settlement = { currency: 'MXN', timeZone: 'America/Mexico_City', cutOff: '22:00', every: 'mon, thu' }
  const provider = { provider: 'Network A', network: '0001', ...why }
  const posts: [name: string, fields: Record<string, string>][] = [
    ['setSettlement', { party: 'Network A', kind: 'provider', account: 'CLABE 1', ...settlement, ...why }],
    ['setExposure', { provider: 'Network A', currency: 'MXN', limit: '200000', ...why }],
    ['setNetwork', { ...provider, name: 'Tiendas', currency: 'MXN', es: 'Pida un depósito.' }],
    ['setCommission', { ...provider, direction: 'PAY_IN', from: '2026-12-01', fixed: '5.00' }],
  ]
  for (const [name, fields] of posts) {
    await visitor.get(tillTerms)
    const path = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    const form = { ...fields, form_page: tillTerms }
    const { status, headers } = await visitor.post(`/terms/${path}`, form)
    assert.equal([status, headers.get('location')], [303, `${tillTerms}&done=terms.${name}`])
  }
  const { text } = await visitor.get(tillTerms)
  for (const shown of [
    'CLABE 1',
    'Mon, Thu',
    'until 22:00 in America/Mexico_City',
    'Tiendas',
    '80 %',
    '5.00',
  ])
    assert.ok(text.includes(shown), shown)
})

test('closed days are imported, told before they are', async () => {
  const days = { name: 'mx-banks', text: 'date,note\n2026-12-25,Navidad\n' }
  const told = await visitor.post('/calendar/import', { ...days, dryRun: 'yes' })
  assert.match(told.text, /What the import would do/)
  assert.match((await visitor.get('/calendars')).text, /There is no calendar yet/)
  assert.match((await visitor.post('/calendar/import', days)).text, /The days are imported/)
  assert.match((await visitor.get('/calendars')).text, /Navidad/)
  const wrong = await visitor.post('/calendar/import', { ...days, text: 'date\n2026-02-30\n' })
  assert.match(wrong.text, /line 2: “2026-02-30” is no date/)
})

test('viewers look, and have no form', async () => {
  const viewer = await visitorAs(node, 'viewer')
  for (const path of [shopTerms, tillTerms, '/calendars'])
    assert.not.match((await viewer.get(path)).text, /<form[^>]*action="\/(terms|calendars)/)
  assert.is((await viewer.post('/terms/set-fee', { ...fee, bps: '1' })).status, 403)
})

test.run()
