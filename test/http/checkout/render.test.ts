import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { renderCheckout } from '../../../http/checkout/render.ts'
import { checkoutStyles } from '../../../http/checkout/styles.ts'
import { texts } from '../../../http/checkout/texts/index.ts'
import type { CheckoutFunding, CheckoutOrder } from '../../../http/checkout/view.ts'
import { locales } from '../../../http/pages/locale.ts'
import { orderStatuses } from '../../../machines/statuses.ts'

const now = Date.UTC(2026, 1, 2, 2, 40)
const code = '840129375561204'

const ready: CheckoutOrder = {
  id: '3f2b8c1e-9a4d-4c1b-8a1e-000000000001',
  status: 'READY',
  direction: 'PAY_OUT',
  country: 'MX',
  price: '1250.50',
  currency: 'MXN',
  description: 'Order 4711',
  code,
  expiryAt: now + 75 * 60_000,
  paidAt: null,
  returnUrl: 'https://shop.example/orders/4711?a=1&b=2',
  merchantName: 'Demo Shop',
  merchantContact: '',
  places: null,
  version: '3...',
  funding: null,
  refund: null,
}

function render(order: Partial<CheckoutOrder>, locale: (typeof locales)[number] = 'en'): string {
  const paidAt = order.status === 'COMPLETED' ? now - 60_000 : null
  return renderCheckout(
    { kind: 'order', order: { ...ready, paidAt, ...order }, now, isPaused: false },
    locale,
    'https://pay.example/checkout',
  )
}

/** What a reader gets to see. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf('<body'))
  return body
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replace(/[\s\u00A0\u202F]+/g, ' ')
}

for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
  for (const status of orderStatuses) {
    test(`${direction} ${status} is told in words, and its code only while it can be used`, () => {
      for (const locale of locales) {
        const page = render({ status, direction }, locale)
        const text = textOf(page)
        assert.match(text, texts[locale].statuses[direction][status].heading)
        assert.match(text, locale === 'pt' ? '1.250,50 MXN' : '1,250.50 MXN')
        assert.match(page, `<html lang="${locale}">`)
        const isUsable = status === 'READY'
        assert.is(text.includes('8401 2937'), isUsable)
        assert.is(page.includes(code), false, 'the bare code stands in groups and in the QR alone')
        assert.is(page.includes('class="qr"'), isUsable)
        assert.is(page.includes('class="barcode"'), isUsable)
        const isFinal = ['COMPLETED', 'CANCELLED', 'EXPIRED'].includes(status)
        assert.is(/<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/.test(page), !isFinal)
        assert.is(page.includes(`data-events="/checkout/${ready.id}/events" data-version="3..."`), !isFinal)
      }
    })
  }
}

test('a READY pay-out says amount, time left, until when, what to do, and to keep the code secret', () => {
  const text = textOf(render({}))
  for (const part of [
    'Ready to withdraw',
    '$1,250.50 MXN',
    'Show this code at the counter.',
    '8401 2937 5561 204',
    '8 4 0 1 2 9 3 7 5 5 6 1 2 0 4',
    'Time left 1 hour, 15 minutes',
    'Valid until February 1, 2026 at 9:55 PM CST',
    'Do not share this code',
    'How to withdraw',
    'Order 4711',
    'Back to Demo Shop',
  ]) {
    assert.match(text, part)
  }
  assert.match(render({}), '<time datetime="2026-02-02T03:55:00.000Z">')
})

test('a READY pay-in asks for the money and has nothing to keep secret', () => {
  const text = textOf(render({ direction: 'PAY_IN' }))
  assert.match(text, 'Show this code at the counter and pay in cash.')
  assert.match(text, 'hand over $1,250.50 MXN')
  assert.not.match(text, 'Do not share')
})

test('a completed order is a receipt with the time it was paid', () => {
  const text = textOf(render({ status: 'COMPLETED' }))
  assert.match(text, 'Withdrawal completed')
  assert.match(text, 'Handed over February 1, 2026 at 8:39 PM CST')
  assert.match(text, 'Merchant Demo Shop')
  assert.match(text, `Reference ${ready.id}`)
  assert.match(textOf(render({ status: 'COMPLETED', direction: 'PAY_IN' })), 'Paid February 1, 2026')
})

test('cancelled and expired orders say that no cash may change hands', () => {
  for (const status of ['CANCELLED', 'EXPIRED'] as const) {
    assert.match(textOf(render({ status })), 'Cash can no longer be handed over for this order.')
    assert.match(textOf(render({ status, direction: 'PAY_IN' })), 'Do not hand over money')
  }
})

test('a READY order past its expiry is shown as expired, to the millisecond', () => {
  assert.match(textOf(render({ expiryAt: now })), 'Withdrawal expired')
  assert.match(textOf(render({ expiryAt: now + 1 })), 'Time left Less than a minute')
  // A foreign order may still be waiting for its chain.
  assert.match(textOf(render({ expiryAt: now, status: 'CREATED' })), 'We are preparing your withdrawal')
})

const funding: CheckoutFunding = {
  network: 'Solana',
  asset: 'USDC',
  expected: '1250.500000',
  received: '0.00',
  missing: '1250.500000',
  wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  isOffered: true,
  isSeen: false,
  deadlineAt: now + 29 * 60_000,
  signing: null,
}

for (const [state, its, said] of [
  ['building', { isOffered: false }, 'You will be asked to send 1,250.50 USDC on Solana'],
  ['waiting', {}, 'Send 1,250.50 USDC on Solana by signing the transaction, here or at Demo Shop.'],
  [
    'partial',
    { received: '1000.25', missing: '250.250001' },
    '1,000.25 USDC arrived. Send the missing 250.250001 USDC on Solana',
  ],
  ['seen', { isSeen: true }, 'Solana has it, and will confirm it soon. Do not send it again'],
  [
    'closed',
    { deadlineAt: now - 1 },
    'Do not send anything now. If you have already sent something, contact Demo Shop.',
  ],
] as const) {
  test(`a foreign order that is ${state} says what to send, how and until when`, () => {
    const order = { status: 'CREATED', funding: { ...funding, ...its } } as const
    const text = textOf(render(order))
    assert.match(text, said)
    assert.is(text.includes('Time left 29 minutes'), !['seen', 'closed'].includes(state))
    assert.match(text, `Your wallet ${funding.wallet}`)
    assert.match(text, 'Transfer 1,250.50 USDC')
    assert.match(text, 'Send before February')
    for (const locale of locales) {
      const page = textOf(render(order, locale))
      assert.match(page, texts[locale].funding[state].heading)
      assert.not.match(page, texts[locale].statuses.PAY_OUT.CREATED.heading)
      assert.not.match(page, code.slice(0, 4))
    }
  })
}

test('a foreign order that has its money is like any other, with what arrived', () => {
  const text = textOf(render({ funding: { ...funding, received: '1250.50', missing: null } }))
  assert.match(text, 'Ready to withdraw')
  assert.match(text, 'Time left 1 hour, 15 minutes')
  assert.match(text, 'Received 1,250.50 USDC')
  assert.not.match(text, 'Send before')
})

test('who can pay for a foreign order sees what is signed, paused or not', () => {
  const signing = {
    blockchain: 'STELLAR',
    network: 'Test SDF Network ; September 2015',
    recipient: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    transaction: 'AAAA+/=',
  } as const
  const order = { ...ready, status: 'CREATED', funding: { ...funding, network: 'Stellar', signing } } as const
  for (const isPaused of [true, false]) {
    const page = renderCheckout({ kind: 'order', order, now, isPaused }, 'en', 'https://pay.example/checkout')
    const text = textOf(page)
    assert.match(text, `${texts.en.send} 1,250.50 USDC Network Stellar (Test SDF Network)`)
    assert.match(text, `To ${signing.recipient}`)
    assert.match(page, /<script src="\/checkout\/wallet\.[0-9a-f]{16}\.js" defer>/)
    const settings = /data-wallet="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
    const { address, network, url } = JSON.parse(settings)
    assert.equal([address, network, url], [funding.wallet, signing.network, `/checkout/${ready.id}`])
    const link = /href="(web\+stellar:[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const query = new URLSearchParams(link.slice(link.indexOf('?')))
    assert.is(query.get('xdr'), signing.transaction)
    assert.is(query.get('network_passphrase'), signing.network)
  }
})

test('the page stops to update itself when its reader wants so, and goes on', () => {
  const view = { kind: 'order', order: ready, now } as const
  const paused = renderCheckout({ ...view, isPaused: true }, 'en', 'https://pay.example/checkout')
  assert.not.match(paused, 'http-equiv="refresh"')
  assert.match(textOf(paused), 'Updates are paused. Update now Resume')
  assert.match(paused, '<a href="?lang=en">Resume</a>')
  assert.match(render({}), '<a href="?lang=en&amp;refresh=off">Pause</a>')
})

test('the last ten minutes stand out', () => {
  assert.match(render({ expiryAt: now + 10 * 60_000 - 1 }), '<strong class="soon"')
  assert.not.match(render({ expiryAt: now + 10 * 60_000 }), '<strong class="soon"')
})

test('markup in texts of others is shown, not obeyed', () => {
  const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)><%= 7*7 %>\u202E`
  for (const status of orderStatuses) {
    const page = render({
      status,
      merchantName: hostile,
      description: hostile,
      country: hostile,
      currency: 'MXN',
      returnUrl: `https://shop.example/"><script>alert(1)</script>`,
    })
    assert.not.match(page.replace(/<script src="[\w./]+" defer><\/script>/, ''), '<script')
    assert.not.match(page, '<img')
    assert.not.match(page, '\u202E')
    assert.not.match(page, '"\'>')
    assert.match(page, '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    assert.match(page, '&lt;%= 7*7 %&gt;')
  }
})

const returnUrls: readonly [url: string, href: string | null][] = [
  ['https://shop.example/orders/4711?a=1&b=2', 'https://shop.example/orders/4711?a=1&amp;b=2'],
  ['http://shop.example', 'http://shop.example/'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,x', null],
  ['//shop.example', null],
  ['', null],
]
for (const [url, href] of returnUrls) {
  test(`the return_url "${url}" ${href === null ? 'is no link' : 'is a link'}`, () => {
    const found = /<a class="button[^"]*" href="([^"]*)"/.exec(render({ returnUrl: url }))?.[1] ?? null
    assert.is(found, href)
  })
}

test('a page has no script in it, no style attribute and no address of a third party', () => {
  for (const view of [
    { kind: 'order', order: ready, now, isPaused: false },
    { kind: 'form' },
    { kind: 'not_found' },
    { kind: 'unavailable' },
  ] as const) {
    const page = renderCheckout(view, 'es', 'https://pay.example/checkout')
    assert.not.match(
      page,
      /<script(?! src="\/checkout\/page\.[0-9a-f]{16}\.js" defer><)|\sstyle=|\son[a-z]+=/,
    )
    const addresses = [...page.matchAll(/https?:\/\/[^"'\s<]+/g)].map(([address]) => address)
    assert.ok(addresses.every((address) => address.startsWith('https://shop.example/')))
    assert.ok(Buffer.byteLength(page) < 20_000, `${Buffer.byteLength(page)} bytes`)
  }
})

for (const [blockchain, network, transaction, href] of [
  ['SOLANA', 'solana:devnet', 'AQ==', `solana:https://pay.example/checkout/${ready.id}/solana-pay`],
  ['STELLAR', 'Test SDF Network ; September 2015', 'AAAA', 'web+stellar:tx?xdr=AAAA&amp;network_passphrase='],
  ['MONAD', '0x279f', '{}', null],
] as const) {
  test(`a phone is offered its own wallet for ${blockchain}, or told what to do`, () => {
    const signing = { blockchain, network, recipient: 'treasury', transaction }
    const order = { status: 'CREATED', funding: { ...funding, signing } } as const
    for (const locale of locales) {
      const page = render(order, locale)
      const { here, elsewhere } = texts[locale].payment
      const part = page.slice(page.indexOf('<div class="here">'), page.indexOf('<details class="elsewhere">'))
      assert.is(part.includes(`class="button" href="${href}`), href !== null)
      assert.is(textOf(`<body>${part}`).includes(here.open), href !== null)
      assert.match(textOf(`<body>${part}`), href === null ? here.visit : here.opens)
      assert.match(part, 'data-do="copy-address"')
      assert.match(textOf(page), elsewhere.summary)
    }
  })
}

test('what is left is a date where it is more than thirty days', () => {
  const dayMs = 24 * 60 * 60_000
  for (const [days, isDate] of [
    [29, false],
    [30, false],
    [31, true],
    [26_331, true],
  ] as const) {
    const page = render({ expiryAt: now + days * dayMs })
    const text = textOf(page)
    assert.is(text.includes(`Time left ${days} days`), !isDate, `${days}`)
    assert.is(page.includes('data-left='), !isDate)
    assert.is(text.match(/Valid until/g)?.length, 1, 'said once')
  }
  assert.match(textOf(render({ expiryAt: Date.UTC(2099, 0, 1) })), 'Valid until December 31, 2098')
})

test('the place with the counter is never called what the merchant may be', () => {
  for (const locale of locales) {
    for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
      for (const status of orderStatuses) {
        const text = textOf(render({ status, direction, merchantName: 'Zapatos' }, locale))
        assert.not.match(text, /\bshops?\b|\btiendas?\b|\blojas?\b/i, `${locale} ${direction} ${status}`)
      }
    }
  }
})

test('nothing on paper is wider than a till’s roll', () => {
  const print = checkoutStyles.slice(checkoutStyles.indexOf('@media print'))
  assert.not.match(print, /(^|[\s;{])width:\s*\d+(cm|mm|in)/)
  assert.match(print, /\.time[^}]*display: none/)
})

test('a refund says whose purchase it gives back, in each language', () => {
  const refund = { description: 'Red shoes', price: '1400.00', paidAt: Date.UTC(2026, 0, 15, 18) }
  const words = {
    en: 'Refund of Red shoes: $1,400.00 MXN, paid to Demo Shop on January 15, 2026',
    es: 'Devolución de Red shoes: $1,400.00 MXN, pagado a Demo Shop el 15 de enero de 2026',
    pt: 'Reembolso de Red shoes: $ 1.400,00 MXN, pago a Demo Shop em 15 de janeiro de 2026',
  } as const
  for (const locale of locales) {
    const page = render({ refund }, locale)
    assert.match(textOf(page), words[locale])
    assert.ok(Buffer.byteLength(page) < 30_000)
  }
  assert.not.match(textOf(render({})), 'Refund of')
})

test.run()
