/** Days and times on pages are of the operator's zone: as they are shown, and as they are asked for. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listFileHref } from '../../../http/console/list-links.ts'
import { en } from '../../../http/console/texts/en.ts'
import { type View, viewFor } from '../../../http/console/view.ts'
import { momentOf, momentsOf } from '../../../http/console/zones.ts'
import { fakeClock } from '../../support/clock.ts'
import { addOperators, dispatchOf, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, stopTestNode } from '../../support/node.ts'

const viewOf = (language: View['language'], timeZone: string | null) => viewFor({ language, timeZone }, '')

/** What a reader sees of a moment. */
const shown: [language: View['language'], zone: string | null, at: string, expected: string][] = [
  ['en', null, '2026-03-01T12:00:05.123Z', '2026-03-01 12:00:05'],
  ['en', 'America/Mexico_City', '2026-03-01T05:59:59.999Z', '2026-02-28 23:59:59'],
  ['en', 'America/Mexico_City', '2026-03-01T06:00:00.000Z', '2026-03-01 00:00:00'],
  ['es', 'America/Mexico_City', '2026-03-01T06:00:00.000Z', '01/03/2026 00:00:00'],
  ['pt', 'America/Sao_Paulo', '2026-03-01T03:00:00.000Z', '01/03/2026 00:00:00'],
  // Clocks in Santiago go back at midnight to 23:00 on Saturday 4 April 2026, and forward to 1:00 on Sunday 6 September.
  ['es', 'America/Santiago', '2026-04-05T02:59:59.000Z', '04-04-2026 23:59:59'],
  ['es', 'America/Santiago', '2026-04-05T03:00:00.000Z', '04-04-2026 23:00:00'],
  ['es', 'America/Santiago', '2026-09-06T03:59:59.000Z', '05-09-2026 23:59:59'],
  ['es', 'America/Santiago', '2026-09-06T04:00:00.000Z', '06-09-2026 01:00:00'],
]

test('a moment is told on the wall of the reader’s zone', () => {
  for (const [language, zone, at, expected] of shown)
    assert.is(viewOf(language, zone).time(at), expected, `${language} ${zone} ${at}`)
})

/** First and last day of a range, and the hours that it has. */
const ranges: [zone: string, day: string, from: string, to: string, hours: number][] = [
  ['UTC', '2026-03-01', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z', 24],
  ['America/Mexico_City', '2026-03-01', '2026-03-01T06:00:00.000Z', '2026-03-02T06:00:00.000Z', 24],
  // The last changes of Mexico City's clock.
  ['America/Mexico_City', '2022-04-03', '2022-04-03T06:00:00.000Z', '2022-04-04T05:00:00.000Z', 23],
  ['America/Mexico_City', '2022-10-30', '2022-10-30T05:00:00.000Z', '2022-10-31T06:00:00.000Z', 25],
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', '2026-04-05T04:00:00.000Z', 25],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z', 23],
  // Midnight was left out, and came twice.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z', 23],
  ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', '2018-02-18T03:00:00.000Z', 25],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z', 23],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z', 25],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z', 23],
  ['Europe/Madrid', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', 25],
  ['Europe/Lisbon', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z', 23],
  // By half an hour, and a day that there was not.
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z', 24.5],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z', 0],
]

test('a day is as long as it is in its zone', () => {
  for (const [zone, day, from, to, hours] of ranges) {
    const found = momentsOf({ from: day, to: day }, zone)
    assert.equal(found, { from, to }, `${zone} ${day}`)
    assert.is((Date.parse(found.to) - Date.parse(found.from)) / 3_600_000, hours)
  }
  for (const odd of [
    { from: 'tomorrow', to: '2026-02-30' },
    { from: '2026-03-02', to: '2026-03-01' },
  ])
    assert.equal(momentsOf(odd, 'America/Santiago'), odd, 'is refused as it was written')
})

/** A time that is written into a form, and the moment that is meant. */
const moments: [zone: string, written: string, at: string][] = [
  ['UTC', '2026-03-01T12:00', '2026-03-01T12:00:00.000Z'],
  ['America/Mexico_City', '2026-03-01T12:00', '2026-03-01T18:00:00.000Z'],
  ['America/Santiago', '2026-04-04T23:30', '2026-04-05T02:30:00.000Z'],
  ['America/Santiago', '2026-09-06T00:30', '2026-09-06T04:30:00.000Z'],
  ['America/Santiago', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00Z'],
  ['America/Santiago', '2026-02-30T12:00', '2026-02-30T12:00'],
  ['America/Santiago', 'noon', 'noon'],
]

test('a time that is written into a form is of the reader’s zone, and the first of two', () => {
  for (const [zone, written, at] of moments) assert.is(momentOf(written, zone), at, `${zone} ${written}`)
})

/** An amount with the decimals of its currency, in the reader's figures. */
const amounts: [language: View['language'], zone: string, amount: string, currency: string, text: string][] =
  [
    ['en', 'UTC', '26990.00', 'CLP', '26,990 CLP'],
    ['es', 'America/Santiago', '26990.00', 'CLP', '26.990 CLP'],
    ['es', 'America/Mexico_City', '1234567.50', 'MXN', '1,234,567.50 MXN'],
    ['es', 'UTC', '1234.50', 'MXN', '1,234.50 MXN'],
    ['pt', 'America/Sao_Paulo', '1234567.50', 'BRL', '1.234.567,50 BRL'],
    ['en', 'UTC', '-0.05', 'MXN', '-0.05 MXN'],
    ['en', 'UTC', '5.00', 'KWD', '5.000 KWD'],
    // A digit that the currency has not is shown all the same: it is there.
    ['en', 'UTC', '26990.05', 'CLP', '26,990.05 CLP'],
    ['en', 'UTC', '9007199254740993.01', 'MXN', '9,007,199,254,740,993.01 MXN'],
    ['en', 'UTC', '12.345678', 'USDC', '12.345678 USDC'],
    ['pt', 'UTC', '12.345678', 'USDC.SOLANA', '12,345678 USDC.SOLANA'],
    ['en', 'UTC', 'none', 'MXN', 'none MXN'],
  ]

test('an amount has the decimals of its currency and the marks of its reader', () => {
  for (const [language, zone, amount, currency, text] of amounts)
    assert.is(viewOf(language, zone).money(amount, currency), text, `${language} ${zone} ${amount}`)
})

/** Whom a page is written for. */
const readers: [chosen: View['language'] | null, browser: string, language: View['language']][] = [
  [null, '', 'en'],
  [null, 'es-MX,es;q=0.9', 'es'],
  [null, 'de-DE,pt-BR;q=0.8,en;q=0.5', 'pt'],
  [null, 'de-DE', 'en'],
  ['pt', 'es-MX', 'pt'],
]

test('the language is the one that was chosen, else the browser’s, else English', () => {
  for (const [language, browser, expected] of readers)
    assert.is(viewFor({ language, timeZone: null }, browser).language, expected, `${language} ${browser}`)
})

test('the audit log is found by days of the zone, and says what is wrong with a day', async () => {
  const node = await startTestNode({ clock: fakeClock(Date.UTC(2026, 2, 1, 5, 30)) })
  try {
    await addOperators(node)
    const ask = dispatchOf(node)
    const shop = { name: 'Shop', kind: 'merchant' }
    await ask('party.freeze', { ...shop, reason: 'BEFORE' }, 'ana')
    node.clock.advance(3_600_000)
    await ask('party.unfreeze', { ...shop, reason: 'AFTER' }, 'ana')
    await ask('operator.set', { name: 'administrator', zone: 'America/Mexico_City' }, 'ana')
    const visitor = await visitorAs(node, 'administrator')
    const found = async (address: string) => {
      const { text } = await visitor.get(address)
      return ['BEFORE', 'AFTER'].filter((reason) => text.includes(reason))
    }
    assert.equal(await found('/audit?from=2026-03-01&to=2026-03-01'), ['AFTER'])
    assert.equal(await found('/audit?to=2026-02-28'), ['BEFORE'])
    assert.equal(await found(listFileHref('/audit?to=2026-02-28', 'audit')), ['BEFORE'])
    const { text } = await visitor.get('/audit?from=2026-03-02&to=2026-03-01')
    assert.match(text, 'It lies before the first day.')
    assert.equal(await found('/audit?from=today'), [])
    assert.match((await visitor.get('/audit?from=2030-01-01')).text, en.node.noMatchingChanges)
  } finally {
    await stopTestNode(node)
  }
})

test('orders are found by days of the zone, in the list and in its file, and the foot says which it is', async () => {
  const node = await startTestNode({ clock: fakeClock(Date.UTC(2026, 2, 1, 5, 30)) })
  try {
    await addOperators(node)
    const ask = dispatchOf(node)
    const path = '/api/v1/merchants/orders/pay-out/'
    await node.request({ as: 'mk_shop', path, body: payOutBody({ merchant_order_id: 'BEFORE' }) })
    node.clock.advance(3_600_000)
    await node.request({ as: 'mk_shop', path, body: payOutBody({ merchant_order_id: 'AFTER' }) })
    const visitor = await visitorAs(node, 'viewer')
    const found = async (address: string) => {
      const { text } = await visitor.get(address)
      return ['BEFORE', 'AFTER'].filter((id) => text.includes(id))
    }
    assert.equal(await found('/orders?from=2026-03-01&to=2026-03-01'), ['BEFORE', 'AFTER'])
    await ask('operator.set', { name: 'viewer', language: 'es', zone: 'America/Mexico_City' }, 'ana')
    assert.equal(await found('/orders?from=2026-03-01&to=2026-03-01'), ['AFTER'])
    assert.equal(await found(listFileHref('/orders?from=2026-03-01&to=2026-03-01', 'orders')), ['AFTER'])
    assert.equal(await found('/orders?to=2026-02-28'), ['BEFORE'])
    const { text } = await visitor.get('/orders')
    assert.match(text, '<html lang="es">')
    assert.match(text, 'Los días y las horas son de la zona America/Mexico_City.')
    assert.match(text, '28/02/2026 23:30:00')
    const file = await visitor.get(listFileHref('/orders', 'orders'))
    assert.match(file.text, '2026-03-01T05:30:00.000Z', 'a file is as it is')
    assert.not.match(text, en.frame.signOut)
  } finally {
    await stopTestNode(node)
  }
})

/** In Santiago the hour from 23:00 came twice on 4 April 2026: both are of that day, and 0:00 is of the next. */
const aroundTheChange: [at: string, id: string][] = [
  ['2026-04-04T02:59:00Z', 'DAY-BEFORE'],
  ['2026-04-04T03:00:00Z', 'MIDNIGHT'],
  ['2026-04-05T02:30:00Z', 'FIRST-HALF-PAST'],
  ['2026-04-05T03:30:00Z', 'SECOND-HALF-PAST'],
  ['2026-04-05T04:00:00Z', 'NEXT-DAY'],
]

const asked: [query: string, found: string[]][] = [
  ['from=2026-04-03&to=2026-04-03', ['DAY-BEFORE']],
  ['from=2026-04-04&to=2026-04-04', ['MIDNIGHT', 'FIRST-HALF-PAST', 'SECOND-HALF-PAST']],
  ['from=2026-04-04&to=2026-04-04&sort=oldest', ['MIDNIGHT', 'FIRST-HALF-PAST', 'SECOND-HALF-PAST']],
  ['from=2026-04-05', ['NEXT-DAY']],
  ['to=2026-04-04', ['DAY-BEFORE', 'MIDNIGHT', 'FIRST-HALF-PAST', 'SECOND-HALF-PAST']],
]

test('ranges over a change of the clock are the same in the list, in its files and in saved filters, in each language', async () => {
  const node = await startTestNode({ clock: fakeClock(Date.UTC(2026, 3, 4, 2, 58)) })
  try {
    await addOperators(node)
    const ask = dispatchOf(node)
    for (const [at, merchant_order_id] of aroundTheChange) {
      node.clock.advance(Date.parse(at) - node.clock.now())
      const body = payOutBody({ merchant_order_id, expiry: '2026-05-01T00:00:00Z' })
      await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
    }
    const visitor = await visitorAs(node, 'administrator')
    for (const language of ['en', 'es', 'pt'] as const) {
      await ask('operator.set', { name: 'administrator', language, zone: 'America/Santiago' }, 'ana')
      for (const [query, found] of asked) {
        const page = `/orders?${query}`
        const name = `${language} ${query}`.replaceAll(/[^a-z0-9 ]/g, ' ').slice(0, 40)
        await visitor.get(page)
        const saved = await visitor.post('/list/save-filter', {
          list: 'orders',
          query,
          name,
          form_page: page,
        })
        assert.is(saved.status, 303, saved.text)
        const { text } = await visitor.get('/orders')
        const links = [...text.matchAll(/href="([^"]+)"[^>]*>(?:<[^>]+>)*([^<]+)</g)]
        const [, link = ''] = links.find(([, , shown]) => shown === name) ?? []
        const addresses = [link.replaceAll('&amp;', '&'), listFileHref(page, 'orders')]
        for (const address of addresses) {
          const seen = (await visitor.get(address)).text
          const expected = query.includes('sort=oldest') ? found : found.toReversed()
          const ids = aroundTheChange.map(([, id]) => id).filter((id) => seen.includes(id))
          ids.sort((one, other) => seen.indexOf(one) - seen.indexOf(other))
          assert.equal(ids, expected, `${language} ${address}`)
        }
        await ask('list.removeFilter', { list: 'orders', name }, 'administrator').catch(() => null)
      }
    }
  } finally {
    await stopTestNode(node)
  }
})

test.run()
