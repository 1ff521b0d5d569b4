/** Where to go with an order that is ready, what to bring, and whom to ask. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDirectory } from '../../../actors/parties/party-limits.ts'
import { renderCheckout } from '../../../http/checkout/render.ts'
import type { CheckoutOrder, CheckoutPlace } from '../../../http/checkout/view.ts'
import { type Locale, locales } from '../../../http/pages/locale.ts'
import { createCheckoutOrders } from '../../../node/checkout-order.ts'
import type { Store } from '../../../persistence/store.ts'
import { agree } from '../../support/agreed-terms.ts'
import { now, order as ready } from '../../support/checkout-app.ts'
import { commit, inOrderWorld, type OrderWorld, shop, tills } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const shops: CheckoutPlace = {
  name: 'Tiendas Demo',
  min: '20.00',
  max: '10000.00',
  counterFee: '12.00',
  hours: '8–22 h',
  text: { es: 'Pida un retiro.', en: 'Ask for a withdrawal.' },
}
const bare: CheckoutPlace = { name: 'Bare', min: null, max: null, counterFee: null, hours: null, text: {} }

const render = (changes: Partial<CheckoutOrder>, locale: Locale = 'en'): string =>
  renderCheckout(
    { kind: 'order', order: { ...ready, ...changes }, now, isPaused: false },
    locale,
    'https://pay.example/checkout',
  )

/** Its texts, with a space between them. */
const textOf = (page: string): string =>
  page
    .slice(page.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00A0]+/g, ' ')

const placesOf = (...listed: CheckoutPlace[]): CheckoutOrder['places'] => ({ listed, count: listed.length })

const told: readonly [Locale, string][] = [
  [
    'es',
    'Dónde ir Tiendas Demo De $20.00 MXN a $10,000.00 MXN Cargo en caja: $12.00 MXN Horario: 8–22 h Pida un retiro. Qué llevar',
  ],
  [
    'pt',
    'Aonde ir Tiendas Demo De $ 20,00 MXN a $ 10.000,00 MXN Taxa no caixa: $ 12,00 MXN Horário: 8–22 h Pida un retiro. O que levar',
  ],
  [
    'en',
    'Where to go Tiendas Demo $20.00 MXN to $10,000.00 MXN Counter fee: $12.00 MXN Hours: 8–22 h Ask for a withdrawal. What to bring',
  ],
]

for (const [locale, text] of told) {
  test(`a network is told in ${locale}, with its own text in that language or else marked as another`, () => {
    const page = render({ places: placesOf(shops) }, locale)
    assert.match(textOf(page), text)
    assert.is(page.includes('<span lang="es">'), locale === 'pt')
  })
}

test('a network without terms has its name alone, and without any network there is nothing but what to bring', () => {
  assert.match(textOf(render({ places: placesOf(bare) })), 'Where to go Bare What to bring This code')
  const none = textOf(render({ places: placesOf() }))
  assert.not.match(none, 'Where to go')
  assert.match(none, 'What to bring This code, on your phone or printed.')
})

test('a pay-in asks for the amount in cash, and for a counter fee where there is one', () => {
  const payIn = { direction: 'PAY_IN' } as const
  const withFee = textOf(render({ ...payIn, places: placesOf(shops, bare) }))
  assert.match(withFee, '$1,250.50 MXN in cash. The counter fee, where there is one')
  const free = textOf(render({ ...payIn, places: placesOf({ ...shops, counterFee: '0.00' }) }))
  assert.not.match(free, 'where there is one')
  assert.not.match(textOf(render({ places: placesOf(bare) })), 'in cash.')
})

test('networks are told only while the order can be paid; whom to ask, always', () => {
  for (const status of ['CREATED', 'PAYMENT_STARTED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const) {
    const text = textOf(render({ status, places: placesOf(shops), merchantContact: 'help@shop.example' }))
    assert.not.match(text, 'Tiendas Demo')
    assert.match(text, 'Questions for the merchant help@shop.example')
  }
  const late = textOf(render({ expiryAt: now, places: placesOf(shops) }))
  assert.not.match(late, 'Tiendas Demo')
  assert.not.match(textOf(render({})), 'Questions')
})

test('forty networks with the longest of texts leave the page below 30 KB, and nothing of theirs is markup', () => {
  const name = '<script>&"\u202E'.repeat(10).slice(0, 100)
  const place = { ...shops, name, hours: '<b>&'.repeat(25), text: { es: '&<>"\''.repeat(100) } }
  const listed = Array.from({ length: 12 }, () => place)
  for (const locale of locales) {
    const page = render({ places: { listed, count: 40 }, direction: 'PAY_IN' }, locale)
    const size = Buffer.byteLength(page)
    assert.ok(size < 30_000, `${size} bytes`)
    const shown = page.split('<li><strong>').length - 1
    assert.ok(shown > 0 && shown < 12)
    assert.match(page, String(40 - shown))
    assert.not.match(page, '<script>&')
    assert.not.match(page, '<b>')
    assert.not.match(page, '\u202E')
  }
  const short = render({ places: { listed: Array.from({ length: 12 }, () => shops), count: 40 } })
  assert.match(textOf(short), 'and 28 more networks')
  assert.ok(Buffer.byteLength(short) < 30_000)
})

function checkoutOf(world: OrderWorld, isDrained = false) {
  const asked: string[] = []
  const store: Pick<Store, 'query'> = {
    query(statement, values) {
      asked.push(statement.name)
      return world.store.query(statement, values)
    },
  }
  const find = createCheckoutOrders({
    orders: world.orders,
    directory: createDirectory(world.store),
    store,
    isDrained: () => isDrained,
    transactions: { offer: async () => '' },
    clock: world.clock,
    places: new Map(),
  })
  return { asked, find }
}

play('what is agreed on with networks comes in one query, without what they earn', async (world) => {
  await agree(world, {
    name: 'Tiendas Demo',
    country: 'MX',
    currency: 'MXN',
    min_minor: 2000n,
    counter_fee_minor: 1200n,
    text_json: '{"es":"Pida un retiro."}',
  })
  await world.deposit(1_000_000n)
  const { id } = await world.order()
  const { asked, find } = checkoutOf(world)
  const found = await find(id)
  assert.is(found?.status, 'READY')
  assert.equal(asked, ['checkout.places'])
  assert.equal(found?.places, {
    count: 1,
    listed: [
      {
        name: 'Tiendas Demo',
        min: '20.00',
        max: null,
        counterFee: '12.00',
        hours: null,
        text: { es: 'Pida un retiro.' },
      },
    ],
  })
})

play('nobody is sent to a counter that would refuse', async (world) => {
  await agree(world, { name: 'Tiendas Demo', country: 'MX', currency: 'MXN' })
  await world.deposit(1_000_000n)
  const { id } = await world.order()
  const { asked, find } = checkoutOf(world)
  assert.is((await checkoutOf(world, true).find(id))?.places, null, 'the node is drained')
  const freeze = (party: string, at: number | null) =>
    commit(world.store, [{ update: 'parties', key: { id: party }, set: { frozen_at: at } }])
  await freeze(tills.A.id, 5)
  assert.equal((await find(id))?.places, { count: 0, listed: [] })
  await freeze(tills.A.id, null)
  assert.is((await find(id))?.places?.count, 1)
  await freeze(shop.id, 5)
  assert.is((await find(id))?.places, null)
  await freeze(shop.id, null)
  await commit(world.store, [{ update: 'orders', key: { id }, set: { quarantined_at: 5 } }])
  asked.length = 0
  assert.is((await find(id))?.places, null)
  assert.equal(asked, [], 'and nothing is read')
})

test.run()
