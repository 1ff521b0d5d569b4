/** Any list as a table for a spreadsheet: what is seen, with whole ids, plain amounts and moments, and no formula in it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ConsoleWorld } from '../../support/console.ts'
import { addArchivedOrder, type ConsoleVisitor, startConsoleWorld, visitorAs } from '../../support/console.ts'

let world: ConsoleWorld
let visitor: ConsoleVisitor

test.before(async () => {
  world = await startConsoleWorld()
  await world.node.apply({ merchants: [{ name: 'Shop', contact: '=1+1' }] })
  visitor = await visitorAs(world.node, 'administrator')
})

test.after(() => world.stop())

const href = (page: string, list: string) => `/list.csv?${new URLSearchParams({ page, list })}`

const lines = (text: string) => text.replace('\ufeff', '').split('\r\n').slice(0, -1)

test('each list has a link to its file, and the file has its rows', async () => {
  const pages: [path: string, list: string, head: string, least: number][] = [
    ['/exceptions', 'exceptions', '"Exception","Kind","Opened","Order","Amount","Currency","Why"', 2],
    ['/webhooks?state=dead', 'webhooks', '"Webhook","State","Tells","Order","Merchant"', 1],
    ['/parties', 'merchants', '"Name","State","Available","Currency","Reserved"', 2],
    ['/parties', 'providers', '"Name","State","Networks","Balance"', 2],
    ['/merchants/Shop', 'deposits', '"Reference","Amount","Currency","Bank"', 1],
    ['/audit', 'audit', '"At"', 2],
    ['/operators', 'operators', '"Name"', 3],
  ]
  for (const [path, list, head, least] of pages) {
    const { text } = await visitor.get(path)
    const link = href(path, list).replaceAll('&', '&amp;')
    assert.ok(text.includes(`href="${link}"`), `${path} has the link to ${list}`)
    const file = await visitor.get(href(path, list))
    assert.is(file.status, 200, path)
    assert.match(file.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8$/)
    assert.is(file.headers.get('content-disposition'), `attachment; filename="${list}.csv"`)
    const [first = '', ...rows] = lines(file.text)
    assert.ok(first.startsWith(head), `${path}: ${first}`)
    assert.ok(rows.length >= least, `${path}: ${rows.length} rows`)
  }
})

test('ids are whole, amounts and moments are plain, and formulas are texts', async () => {
  const webhooks = await visitor.get(href('/webhooks?state=dead', 'webhooks'))
  assert.match(webhooks.text, new RegExp(world.orders.undelivered))
  assert.match(webhooks.text, /"'?2026-03-01T\d\d:\d\d:\d\d\.\d{3}Z"/)
  const parties = await visitor.get(href('/parties', 'merchants'))
  assert.match(parties.text, /"Shop \('=1\+1\)"|"Shop \(=1\+1\)"/)
  assert.match(parties.text, /,\d+\.\d\d,"MXN",\d+\.\d\d,/)
})

test('a file goes on over the pages of its list', async () => {
  for (let made = 0; made < 60; made++)
    await world
      .ask('party.freeze', { name: 'Shop', kind: 'merchant', reason: `n ${made}` }, 'ana')
      .catch(() => {})
  const file = await visitor.get(href('/audit', 'audit'))
  assert.ok(lines(file.text).length > 61, String(lines(file.text).length))
})

test('nobody gets a list that they may not see, nor anything that is none', async () => {
  const viewer = await visitorAs(world.node, 'viewer')
  assert.is((await viewer.get(href('/audit', 'audit'))).status, 403)
  assert.is((await visitor.get(href('/audit', 'nothing'))).status, 404)
  assert.is((await visitor.get(href('https://evil.example/audit', 'audit'))).status, 404)
  assert.is((await visitor.get('/list.csv')).status, 404)
  const nobody = await visitorAs(world.node, 'viewer')
  nobody.cookie = null
  assert.is((await nobody.get(href('/webhooks', 'webhooks'))).status, 302)
})

test('an archived order is found by its last digits, and has a page that says where all of it is', async () => {
  const id = await addArchivedOrder(world.node)
  const found = await visitor.get('/search?q=abcdef1')
  assert.is(found.headers.get('location'), `/archive/${id}`)
  const { text } = await visitor.get(`/archive/${id}`)
  for (const shown of ['2025-01.jsonl', 'old-1', '1234 5678 9012 345', `ventanilla archive show ${id}`])
    assert.ok(text.includes(shown), shown)
  const viewer = await visitorAs(world.node, 'viewer')
  assert.not.match((await viewer.get(`/archive/${id}`)).text, /1234 5678/)
  assert.is((await visitor.get(`/archive/${world.orders.ready}`)).status, 404)
})

test.run()
