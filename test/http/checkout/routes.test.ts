import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { broken, closeServersAfter, funding, id, order, send, start } from '../../support/checkout-app.ts'

closeServersAfter()

test('an order is shown under its id, in the language of the browser or the one chosen', async () => {
  const { port, asked } = await start()
  const spanish = await send(port, `/checkout/${id}`)
  assert.is(spanish.status, 200)
  assert.is(spanish.headers['content-type'], 'text/html; charset=utf-8')
  assert.is(spanish.headers['content-language'], 'es')
  assert.match(spanish.text, 'Listo para retirar')
  const portuguese = await send(port, `/checkout/${id}`, 'GET', { 'Accept-Language': 'pt-BR' })
  assert.match(portuguese.text, 'Pronto para sacar')
  const english = await send(port, `/checkout/${id.toUpperCase()}/?lang=en`, 'GET', {
    'Accept-Language': 'pt',
  })
  assert.match(english.text, 'Ready to withdraw')
  assert.match(english.text, 'http-equiv="refresh"')
  const paused = await send(port, `/checkout/${id}?lang=en&refresh=off`)
  assert.not.match(paused.text, 'http-equiv="refresh"')
  assert.equal(asked, [id, id, id, id])
})

test('the headers keep the page to itself', async () => {
  const { port } = await start({ frameAncestors: ['https://shop.example', "'self'"] })
  const paths = [
    `/checkout/${id}`,
    '/checkout',
    '/checkout/unknown',
    `/checkout/${broken}`,
    '/checkout/?id=x',
  ]
  for (const path of paths) {
    const { headers, text } = await send(port, path)
    assert.is(headers['cache-control'], 'no-store')
    assert.is(headers['referrer-policy'], 'no-referrer')
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['x-robots-tag'], 'noindex, nofollow')
    assert.is(headers.vary, 'Accept-Language')
    const policy = String(headers['content-security-policy'])
    assert.match(policy, "default-src 'none';")
    assert.match(policy, "script-src 'self'; connect-src 'self';")
    assert.match(policy, "frame-ancestors https://shop.example 'self'")
    assert.not.match(policy, 'unsafe')
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1]
    if (style === undefined) continue
    assert.match(policy, `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';`)
  }
  const nobody = await start({ frameAncestors: [] })
  assert.match(
    String((await send(nobody.port, '/checkout')).headers['content-security-policy']),
    "frame-ancestors 'none'",
  )
})

test('unknown and malformed ids look the same, and a malformed one is not looked up', async () => {
  const { port, asked } = await start()
  const unknown = await send(port, '/checkout/3f2b8c1e-9a4d-4c1b-8a1e-0000000000ac')
  assert.is(unknown.status, 404)
  assert.match(unknown.text, 'No encontramos esta orden')
  asked.length = 0
  for (const path of [
    'x',
    `${id}x`,
    `x${id}`,
    `${id}${id}`,
    `${id}/x`,
    '%zz',
    '%00',
    '..%2f..%2fetc',
    '<script>',
    '__proto__',
  ]) {
    const malformed = await send(port, `/checkout/${path}`)
    assert.is(malformed.status, 404)
    assert.is(malformed.text, unknown.text, path)
    assert.equal({ ...malformed.headers, date: '' }, { ...unknown.headers, date: '' })
  }
  assert.equal(asked, [])
})

test('without an id the page asks for one, and the form leads to it', async () => {
  const { port } = await start()
  for (const path of ['/checkout', '/checkout/']) {
    const form = await send(port, `${path}?lang=en`)
    assert.is(form.status, 200)
    assert.match(form.text, '<form action="/checkout/" method="get">')
    assert.match(form.text, /<input id="id" name="id" required/)
  }
  const entered: readonly [text: string, location: string][] = [
    [id, `/checkout/${id}?lang=en`],
    [` ${id.toUpperCase()} `, `/checkout/${id}?lang=en`],
    [`https://pay.example/checkout/${id}?lang=pt`, `/checkout/${id}?lang=en`],
    ['4711', '/checkout/unknown?lang=en'],
    ['', '/checkout/unknown?lang=en'],
    ['//evil.example/\r\nSet-Cookie: a=b', '/checkout/unknown?lang=en'],
  ]
  for (const [text, location] of entered) {
    const answer = await send(port, `/checkout/?id=${encodeURIComponent(text)}&lang=en`)
    assert.is(answer.status, 302)
    assert.is(answer.headers.location, location)
  }
})

test('HEAD answers as GET does, without the page; other methods are not allowed', async () => {
  const { port, asked } = await start()
  const get = await send(port, `/checkout/${id}`)
  const head = await send(port, `/checkout/${id}`, 'HEAD')
  assert.is(head.text, '')
  assert.is(head.status, 200)
  assert.equal({ ...head.headers, date: '' }, { ...get.headers, date: '' })
  asked.length = 0
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const path of ['/checkout', `/checkout/${id}`]) {
      const answer = await send(port, path, method)
      assert.is(answer.status, 405)
      assert.is(answer.headers.allow, 'GET, HEAD')
    }
  }
  assert.equal(asked, [])
})

test('an order that cannot be read now is a page that tries again, and an error for the log', async () => {
  const { port, errors } = await start()
  const answer = await send(port, `/checkout/${broken}?lang=en`)
  assert.is(answer.status, 503)
  assert.match(answer.text, 'We cannot show this order right now')
  assert.match(answer.text, 'http-equiv="refresh"')
  assert.not.match(answer.text, 'disk')
  assert.is(errors.length, 1)
})

test('live status is below the page, for what may be an order', async () => {
  const { port, asked } = await start()
  assert.is((await send(port, `/checkout/${id.toUpperCase()}/events`)).text, `a stream of ${id}`)
  const missing = await send(port, '/checkout/x/events')
  assert.is(missing.status, 404)
  assert.is((await send(port, `/checkout/${id}/events/x`)).text, missing.text)
  assert.is((await send(port, '/checkout/3f2b8c1e-9a4d-4c1b-8a1e-0000000000ac/events')).text, missing.text)
  assert.is((await send(port, `/checkout/${id}/events`, 'HEAD')).status, 404)
  assert.equal(asked, [])
})

test('the script has a name that changes with it, and may be kept for ever', async () => {
  const { port } = await start()
  const { text } = await send(port, `/checkout/${id}`)
  const path = /<script src="([^"]+)" defer>/.exec(text)?.[1] ?? ''
  const script = await send(port, path)
  assert.is(script.status, 200)
  assert.is(script.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.is(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.is(script.headers['x-content-type-options'], 'nosniff')
  assert.is((await send(port, '/checkout/page.0000000000000000.js')).status, 404)
})

test('page and script are at most 60 KB compressed, with a foreign order too', async () => {
  const foreign = { ...order, status: 'CREATED', funding } as const
  for (const shown of [order, foreign]) {
    const { port } = await start({ findOrder: async () => shown })
    const page = await send(port, `/checkout/${id}`)
    const paths = [...page.text.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => path ?? '')
    const scripts = await Promise.all(paths.map(async (path) => (await send(port, path)).text))
    const bytes = [page.text, ...scripts].reduce((sum, text) => sum + gzipSync(text).length, 0)
    assert.ok(bytes < 60_000, `${bytes} bytes`)
  }
})

test('what lies elsewhere is passed on', async () => {
  const { port } = await start()
  for (const path of ['/', '/checkouts', '/checkout-x', '/api/v1/checkout/', '/healthz', '//checkout']) {
    assert.is((await send(port, path)).status, 418, path)
  }
  assert.is((await send(port, '/elsewhere', 'POST')).status, 418)
})

test('a base without a path has the root and single names for its own', async () => {
  const { port } = await start({ checkoutUrl: 'https://cash.example' })
  assert.match((await send(port, `/${id}`)).text, 'Listo para retirar')
  assert.match((await send(port, '/')).text, '<form action="/" method="get">')
  assert.is((await send(port, `/?id=${id}`)).headers.location, `/${id}?lang=es`)
  assert.is((await send(port, '/x')).status, 404)
  assert.is((await send(port, '/api/v1/x')).status, 418)
})

test('a Host header that is no host does no harm', async () => {
  const { port } = await start()
  assert.is((await send(port, `/checkout/${id}?lang=en`, 'GET', { Host: 'a b:c' })).status, 200)
})

test.run()
