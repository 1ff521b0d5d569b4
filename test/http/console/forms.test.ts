/** Forms beside those of orders, webhooks and exceptions: quarantined orders, leaked keys, files of parties, rates. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
const markup = /<script>alert|<img/

let node: TestNode
let visitor: ConsoleVisitor

async function make(fields: Record<string, unknown> = {}): Promise<string> {
  const path = '/api/v1/merchants/orders/pay-out/'
  const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody(fields) })
  return json.id
}

async function show(id: string): Promise<{ status: string; quarantinedSince: string | null }> {
  return (await dispatchOf(node)('order.show', { id }, 'test')) as {
    status: string
    quarantinedSince: string | null
  }
}

/** What the audit log has of an operation last. */
async function lastAudited(operation: string): Promise<string> {
  const { entries } = (await dispatchOf(node)('audit.list', { operation, limit: 1 }, 'test')) as {
    entries: object[]
  }
  return JSON.stringify(entries)
}

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

test('a form that covers the page tells itself why it was refused, and begins with what is wrong', async () => {
  await visitor.get('/merchants/Shop')
  const fields = { party: 'Shop', kind: 'merchant', key: 'mk_shop', form_page: '/merchants/Shop' }
  const { status, text } = await visitor.post('/key/revoke', fields)
  assert.is(status, 422)
  const panel = /<dialog open.*?<\/dialog>/s.exec(text)?.[0] ?? ''
  assert.match(panel, /<div class="notice bad".*mk_shop is the only live key of Shop/s)
  assert.match(panel, /<select id="[^"]*-key" name="key" autofocus>/)

  const short = { password: 'not looked at', newPassword: 'short', form_page: '/account' }
  await visitor.get('/account')
  for (const [language, problem] of [
    ['en', 'is shorter than 12 characters'],
    ['es', 'tiene menos de 12 caracteres'],
    ['pt', 'tem menos de 12 caracteres'],
  ] as const) {
    await visitor.post('/operator/set-own', { language, zone: 'UTC', form_page: '/account' })
    await visitor.get('/account')
    const again = (await visitor.post('/operator/password', short)).text
    const beside = /<dialog open.*?<\/dialog>/s.exec(again)?.[0] ?? ''
    assert.ok(beside.includes(problem), `${language}: ${beside}`)
    assert.match(beside, /type="password" name="newPassword"[^>]*autofocus/)
    assert.not.match(beside, /class="notice/, 'what the field tells is not told twice')
  }
  await visitor.post('/operator/set-own', { language: 'en', zone: 'UTC', form_page: '/account' })
})

test('what a form would change is called as the language of its reader has it', async () => {
  const draft = { draft: 'pair', merchant: 'Shop', country: 'MX', currency: 'MXN', dryRun: 'yes' }
  for (const [language, heading, limits] of [
    ['es', /comercio .*Shop.*: .*MX.* .*MXN.* cambiado/, />0\.01</],
    ['pt', /lojista .*Shop.*: .*MX.* .*MXN.* alterado/, />0,01</],
  ] as const) {
    await visitor.get('/account')
    await visitor.post('/operator/set-own', { language, zone: 'UTC', form_page: '/account' })
    const page = '/merchants/Shop'
    assert.match((await visitor.get(page)).text, limits)
    const sent = { ...draft, min: '10.00', max: '60000.00', payOut: 'yes', payIn: 'yes', form_page: page }
    assert.match((await visitor.post('/apply/preview', sent)).text, heading)
  }
  await visitor.post('/operator/set-own', { language: 'en', zone: 'UTC', form_page: '/account' })
})

test('a network that cannot be compared leads to where its currency is said', async () => {
  const { text } = await visitor.get('/reconciliation')
  assert.match(
    text,
    /without a currency nothing can be compared.*href="\/terms\?kind=provider&amp;party=Network\+A"/s,
  )
  // Where there is no other one, no figure says that all is well.
  assert.not.match(text, /days with differences/)
  assert.match(
    (await visitor.get('/')).text,
    /<strong>–<\/strong> <span>days not reconciled<\/span>.*no network can be compared yet/,
  )
})

test('a room is called the same by the link that leads there and by its page', async () => {
  const name = 'Parties'
  const { text } = await visitor.get('/parties')
  assert.match(text, new RegExp(`<h1>${name}</h1>`))
  assert.match(text, new RegExp(`<nav class="rooms".*href="/parties"[^>]*>[^/]*${name}`, 's'))
})

test('a provider without a balance says so, and a secret can be copied', async () => {
  assert.match((await visitor.get('/providers/Network%20B')).text, /<dt>Balance<\/dt><dd>.*–/)
  const invited = { name: 'luis.paz', role: 'viewer', form_page: '/operators' }
  await visitor.get('/operators')
  const { text } = await visitor.post('/operator/invite', invited)
  const [, copied = '', shown] = /class="secret" data-copy="([^"]*)">([^<]*)</.exec(text) ?? []
  assert.match(copied, /\/join\?invitation=/)
  assert.is(shown, copied)
})

test('orders that a restoration quarantined are listed, and cleared one by one or all at once, with a reason', async () => {
  assert.match((await visitor.get('/quarantined')).text, /No quarantined orders/)
  assert.not.match((await visitor.get('/')).text, /Orders are quarantined/)
  const ids: string[] = []
  for (let count = 0; count < 53; count++) ids.push(await make())
  const [one = '', another = ''] = ids
  await node.core.store.execute(quarantineOpenOrders, { at: node.clock.now() })
  assert.match((await visitor.get('/')).text, /Orders are quarantined after a restore/)

  const first = (await visitor.get('/quarantined')).text
  const second = /href="(\/quarantined\?cursor=[^"]*)" rel="next"/.exec(first)?.[1] ?? ''
  const listed = [first, (await visitor.get(second)).text].flatMap((text) =>
    [...text.matchAll(/href="\/orders\/([0-9a-f-]{36})"/g)].map(([, id]) => id),
  )
  assert.equal(listed.toSorted(), ids.toSorted())

  const silent = await visitor.post('/order/clear', { ids: one, reason: ' ', form_page: '/quarantined' })
  assert.is(silent.status, 400)
  assert.match(silent.text, /reason: is empty/)
  const sent = await visitor.post('/order/clear', {
    ids: one,
    reason: 'Not in their report',
    form_page: '/quarantined?done=order.clear',
  })
  assert.equal(
    [sent.status, sent.headers.get('location')?.split('*')[0]],
    [303, '/quarantined?done=order.clear'],
  )
  assert.is((await show(one)).quarantinedSince, null)
  assert.match(await lastAudited('order.clear'), /Not in their report/)

  assert.match((await visitor.get(`/orders/${another}`)).text, /<strong>Quarantined</)
  const back = await visitor.post('/order/clear', {
    ids: another,
    reason: hostile,
    form_page: `/orders/${another}`,
  })
  assert.is(back.headers.get('location')?.split('*')[0], `/orders/${another}?done=order.clear`)
  assert.not.match((await visitor.get(`/orders/${another}`)).text, /<strong>Quarantined</)
  const strange = await visitor.post('/order/clear', {
    ids: another,
    reason: 'x',
    form_page: '//evil.example/',
  })
  assert.is(strange.headers.get('location')?.split('*')[0], '/?done=order.clear')

  const viewer = await visitorAs(node, 'viewer')
  const seen = (await viewer.get('/quarantined')).text
  assert.not.match(seen, /action="\/order\/clear|\d{4} \d{4} \d{4}/, 'neither forms nor codes')
  assert.is(
    (await viewer.post('/order/clear', { all: 'yes', reason: 'x', form_page: '/quarantined' })).status,
    403,
  )

  await visitor.get('/quarantined')
  await visitor.post('/order/clear', { all: 'yes', reason: 'Nothing was paid since' })
  assert.match((await visitor.get('/quarantined')).text, /No quarantined orders/)
  assert.not.match((await visitor.get('/audit')).text, markup)
})

test('what a leaked key has made is cancelled from its merchant’s page', async () => {
  const id = await make({ description: hostile })
  const page = await visitor.get('/merchants/Shop')
  assert.match(page.text, /action="\/order\/cancel-all"/)
  const form = { credential: 'mk_shop', since: '2026-03-01T00:00', reason: 'The key has leaked' }
  const { status, text } = await visitor.post('/order/cancel-all', form)
  assert.is(status, 200)
  assert.match(text, /<h1>\d+ orders cancelled, 0 left<\/h1>/)
  assert.match(text, /The key is live and Shop is not frozen: it can create more/)
  assert.is((await show(id)).status, 'CANCELLED')
  const wrong = await visitor.post('/order/cancel-all', {
    ...form,
    credential: hostile,
    since: hostile,
    form_page: '/merchants/Shop',
  })
  assert.is(wrong.status, 400)
  assert.not.match(wrong.text, markup)
  const operator = await visitorAs(node, 'operator')
  assert.not.match((await operator.get('/merchants/Shop')).text, /order\/cancel-all/)
  assert.is((await operator.post('/order/cancel-all', { ...form, form_page: '/' })).status, 403)
})

test('dead letters of a merchant are sent again for a range of time', async () => {
  const form = { merchant: 'Shop', since: '2026-03-01T00:00', form_page: '/merchants/Shop' }
  const page = await visitor.get('/merchants/Shop')
  assert.match(page.text, /name="until"/)
  const sent = await visitor.post('/webhook/retry', { ...form, until: '2026-03-01T06:00' })
  assert.is(sent.status, 303)
  // It may have failed again already: that it was asked for is no success.
  const told = (await visitor.get(sent.headers.get('location') ?? '')).text
  assert.match(told, /class="toast notice plain" role="status"><strong>Asked to be sent again/)
  assert.match(await lastAudited('webhook.retry'), /"until":"2026-03-01T06:00:00.000Z"/)
  await visitor.get('/merchants/Shop')
  const wrong = await visitor.post('/webhook/retry', { ...form, until: hostile })
  assert.is(wrong.status, 400)
  assert.match(wrong.text, /until: /)
  assert.not.match(wrong.text, markup)
})

test('a rate has a page with what its sources told', async () => {
  await node.apply({
    rates: [
      {
        blockchains: ['SOLANA'],
        send: 'USDC',
        country: 'MX',
        target: 'MXN',
        rate: '17.00',
        feeFixed: '0.50',
      },
    ],
  })
  const { text } = await visitor.get('/rates')
  assert.match(text, /href="\/rates\/SOLANA\/USDC\/MX\/MXN"/)
  const shown = await visitor.get('/rates/SOLANA/USDC/MX/MXN')
  assert.match(shown.text, /USDC to MXN \(MX\)/)
  assert.match(shown.text, /Fixed: as it was set last/)
  const none = await visitor.get(`/rates/SOLANA/USDC/MX/${encodeURIComponent('<img src=x>')}`)
  assert.is(none.status, 404)
  assert.not.match(none.text, markup)
})

test('a consumer is forgotten, in one order or in all that have ended', async () => {
  const ids = [await make(), await make(), await make()]
  const { ended = '', alsoEnded = '', open = '' } = { ended: ids[0], alsoEnded: ids[1], open: ids[2] }
  for (const id of [ended, alsoEnded])
    await dispatchOf(node)('order.cancel', { id, reason: 'for the test' }, 'test')
  const emailOf = async (id: string) => (await node.core.orders.find(id))?.consumer.email
  const email = (await emailOf(open)) ?? ''
  assert.ok(email.length > 3)
  assert.not.match((await visitor.get(`/orders/${open}`)).text, /Erase personal data/)
  assert.match((await visitor.get(`/orders/${ended}`)).text, /Erase personal data/)
  const one = await visitor.post('/personal/erase', {
    order: ended,
    reason: 'request 17',
    form_page: `/orders/${ended}`,
  })
  assert.equal(
    [one.status, one.headers.get('location')?.split('*')[0]],
    [303, `/orders/${ended}?done=personal.erase`],
  )
  assert.equal([await emailOf(ended), await emailOf(alsoEnded)], ['', email])

  assert.match((await visitor.get('/health')).text, /Erase a consumer/)
  const all = await visitor.post('/personal/erase-consumer', { consumer: email, reason: hostile })
  assert.match(all.text, new RegExp(`are erased[^]*href="/orders/${open}"`))
  assert.not.match(all.text, markup)
  assert.equal([await emailOf(alsoEnded), await emailOf(open)], ['', email])
  assert.match(await lastAudited('personal.erase'), /"consumer":"\*\*\*"/)
  const viewer = await visitorAs(node, 'viewer')
  assert.not.match((await viewer.get(`/orders/${ended}`)).text, /Erase personal data/)
})

test('a restore that nobody announced is shown and accepted with a reason, and then it is over', async () => {
  assert.not.match((await visitor.get('/health')).text, /Accept the restore/)
  await node.core.restoreWatch.setAside({ problem: 'it ends before its anchors do', anchors: 'x.anchors' })
  // Who was signed out of since it was made is not known any more: everybody signs in again.
  assert.is((await visitor.get('/health')).status, 302)
  visitor = await visitorAs(node, 'administrator')
  const page = (await visitor.get('/health')).text
  assert.match(page, /Accept the restore/)
  assert.match(page, /it ends before its anchors do/)
  assert.is((await visitor.post('/node/accept-restore', { reason: ' ', form_page: '/health' })).status, 400)
  const said = await visitor.post('/node/accept-restore', {
    reason: 'put back by hand',
    form_page: '/health',
  })
  assert.is(said.status, 303)
  assert.match(await lastAudited('node.acceptRestore'), /put back by hand/)
  assert.not.match((await visitor.get('/health')).text, /Accept the restore/)
})

test.run()
