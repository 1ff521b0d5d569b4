/** The console's room *Reconciliation*: a file is looked at, applied, and its differences are settled. */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ConsoleVisitor,
  type ConsoleWorld,
  startConsoleWorld,
  visitorAs,
} from '../../support/console.ts'

let world: ConsoleWorld
test.before(async () => {
  world = await startConsoleWorld()
  const network = { id: '0001', name: 'Tiendas A', currency: 'MXN', report: { columns, toleratedDays: 0 } }
  await world.node.apply({ providers: [{ name: 'Network A', networks: [network] }] })
})
test.after(() => world.stop())

const columns = { order: 'order', reference: 'folio', amount: 'amount' }
const day = '2026-03-01'
const file = (lines: string[]) => ['order,folio,amount', ...lines, ''].join('\n')
const form = { provider: 'Network A', network: '0001', day, form_page: '/reconciliation' }
const folders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`ventanilla-uploads-${process.pid}-`))
const filesLeft = () => folders().flatMap((name) => readdirSync(`${tmpdir()}/${name}`))

/** Looks at a file until what it comes to is there. */
async function look(
  visitor: ConsoleVisitor,
  text: string,
): Promise<{ path: string; run: string; page: string }> {
  await visitor.get('/reconciliation')
  const sent = await visitor.upload('/reconciliation/read', form, { name: 'file', bytes: text })
  assert.is(sent.status, 303, sent.text)
  const path = (sent.headers.get('location') ?? '').split('?')[0] ?? ''
  const run = path.split('/').at(-1) ?? ''
  await world.node.core.reports.settled(run)
  return { path, run, page: (await visitor.get(path)).text }
}

test('a day with differences is looked at, applied and settled, by the console alone', async () => {
  const visitor = await visitorAs(world.node, 'operator')
  const { completed, ready } = world.orders
  const lines = [`${completed},F-1,990.00`, `${ready},F-2,1000.00`, ',F-3,5.00']
  const { path, run, page } = await look(visitor, file(lines))
  assert.match(page, /Nothing is changed yet/)
  assert.match(page, /The network says 990\.00 MXN, and the order 1,000\.00 MXN/)
  const applied = await visitor.post('/reconciliation/apply', { run, form_page: path })
  assert.is(applied.status, 303)
  // A small file is applied at once, and one goes on with its day.
  assert.match(applied.headers.get('location') ?? '', /^\/reconciliation\/days\/0001\/2026-03-01\?/)
  await world.node.core.reports.settled(run)
  assert.match((await visitor.get(path)).text, /It is applied/)
  assert.match((await visitor.get(`/reconciliation?to=${day}`)).text, /3 to look at/)
  const shown = (await visitor.get(`/reconciliation/days/0001/${day}?outcome=differences`)).text
  for (const text of ['another amount', 'another status', 'only there']) assert.match(shown, new RegExp(text))
  const ids = [...shown.matchAll(/href="\/exceptions\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id)
  assert.is(ids.length, 3)
  for (const id of ids) {
    const exception = (await visitor.get(`/exceptions/${id}`)).text
    assert.match(exception, /<h1[^>]*>[^<]*: (another amount|another status|only there)</)
    assert.match(exception, /<nav class="crumb".*<a href="\/reconciliation\/days\/0001\/2026-03-01"/)
    const said = { id, as: 'dismiss', reason: 'their mail of Monday', form_page: `/exceptions/${id}` }
    const resolved = await visitor.post('/exception/resolve', said)
    assert.match(resolved.headers.get('location') ?? '', /^\/reconciliation\/days\/0001\/2026-03-01\?/)
  }
  assert.match(
    (await visitor.get(`/reconciliation/days/0001/${day}`)).text,
    /badge good"[^>]*><bdi>reconciled/,
  )
  const bridge = (await visitor.get(`/reconciliation/days/0001/${day}`)).text
  assert.match(bridge, /another amount \(1\)[\s\S]*-10\.00 MXN[\s\S]*1 dismissed/)
  assert.match(bridge, /unexplained[\s\S]*>0\.00 MXN/)
  assert.match((await look(visitor, file(lines))).page, /The very same file counts for the day already/)
})

test('what is no report is refused with a line, and nothing of it is left', async () => {
  const visitor = await visitorAs(world.node, 'operator')
  const refused = async (text: string) => (await look(visitor, text)).page
  assert.match(await refused('PK\u0003\u0004 and more'), /it is a ZIP file, or a spreadsheet/)
  assert.match(await refused(file(['=1+1,F-1,5.00'])), /begins like a formula/)
  assert.match(
    await refused('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>\n<x>&a;</x>'),
    /it is XML, and a network’s report is CSV/,
  )
  await visitor.get('/reconciliation')
  const before = filesLeft().length
  const large = await visitor
    .upload('/reconciliation/read', form, { name: 'file', bytes: Buffer.alloc(50 * 1024 * 1024, 0x20) })
    .catch(() => null)
  // Whoever still sends may see the connection close before the answer.
  if (large !== null) assert.equal([large.status, /larger than 32 MB/.test(large.text)], [413, true])
  assert.is(filesLeft().length, before)
})

test('a form with a file is for those who may send one, from their own page', async () => {
  const viewer = await visitorAs(world.node, 'viewer')
  assert.not.match((await viewer.get('/reconciliation')).text, /type="file"/)
  const sent = await viewer.upload('/reconciliation/read', form, { name: 'file', bytes: file([]) })
  assert.is(sent.status, 403)
  const before = filesLeft().length
  const operator = await visitorAs(world.node, 'operator')
  operator.page = ''
  assert.is(
    (await operator.upload('/reconciliation/read', form, { name: 'file', bytes: file([]) })).status,
    403,
  )
  await operator.get('/reconciliation')
  assert.is(
    (await operator.upload('/reconciliation/read', form, { name: 'other', bytes: file([]) })).status,
    415,
  )
  assert.is((await operator.post('/reconciliation/read', form)).status, 415)
  assert.is(filesLeft().length, before)
})

test.run()
