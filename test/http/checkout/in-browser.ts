/** The checkout page in a real browser, beside a real node. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { renderCheckout } from '../../../http/checkout/render.ts'
import { locales } from '../../../http/pages/locale.ts'
import { barriers } from '../../support/barriers.ts'
import { holdTimers, launchBrowser, screens } from '../../support/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const browser: Browser | null = await launchBrowser()
let node: TestNode

test.before(async () => {
  node = await startTestNode()
})
test.after(async () => {
  await browser?.close()
  await stopTestNode(node)
})

interface Visit {
  page: Page
  /** Addresses that the browser asked, of any host. */
  asked: string[]
  /** What the browser complained about: scripts and styles that the policy refuses, errors. */
  complaints: string[]
  close(): Promise<void>
}

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  if (browser === null) throw new Error('there is no browser')
  const context = await browser.newContext({ locale: 'en-US', ...screens.phone, ...options })
  const page = await context.newPage()
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${node.publicUrl}/checkout${path}`)
  return { page, asked, complaints, close: () => context.close() }
}

async function create(fields: Record<string, unknown> = {}, direction: 'pay-out' | 'pay-in' = 'pay-out') {
  const made = await node.request({
    as: 'mk_shop',
    path: `/api/v1/merchants/orders/${direction}/`,
    body: payOutBody(fields),
  })
  const id: string = made.json.id
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  const code = (await node.core.orders.find(id))?.order.code ?? ''
  return { id, code, direction }
}

async function tell({ code, direction }: { code: string; direction: string }, step: 'start' | 'confirm') {
  const path = `/api/v1/providers/orders/${direction}/${code}/${step}-payment/`
  const body = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const { status, text } = await node.request({ as: 'pk_a', path, body })
  if (status !== 200) throw new Error(text)
}

const withBrowser = browser === null ? test.skip : test

withBrowser(
  'the page turns to the receipt without being loaded again, and tells it to listeners',
  async () => {
    const order = await create()
    const { page, asked, complaints, close } = await visit(`/${order.id}`)
    await page.evaluate('window.isSame = true')
    assert.is(await page.textContent('h1'), 'Ready to withdraw')
    const groups = await page.textContent('.code')
    assert.is(groups?.replace(/\s/g, ''), order.code)
    await tell(order, 'start')
    await page.getByRole('heading', { level: 1, name: 'The counter is processing your withdrawal' }).waitFor()
    assert.not.match(await page.content(), order.code.slice(0, 4))
    await tell(order, 'confirm')
    await page.getByRole('heading', { level: 1, name: 'Withdrawal completed' }).waitFor()
    assert.is(await page.textContent('#announcement'), 'Withdrawal completed')
    assert.match(await page.title(), /^Withdrawal completed/)
    assert.is(await page.evaluate('window.isSame'), true)
    assert.equal(complaints, [])
    assert.ok(
      asked.every((url) => url.startsWith(node.publicUrl) || url.startsWith('data:')),
      asked.join(' '),
    )
    await close()
  },
)

withBrowser('a page whose node has stopped says so at once, and comes back by itself', async () => {
  const env = { VENTANILLA_HTTP_PORT: String(await freePort()) }
  const own = await startTestNode({ env })
  const made = await own.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/orders/pay-in/',
    body: payOutBody(),
  })
  const { page, close } = await visit('')
  await page.goto(`${own.publicUrl}/checkout/${made.json.id}`)
  assert.is(await page.isVisible('.refresh'), true)
  await own.stop()
  await page.getByText('No connection. This page may be out of date.').waitFor()
  assert.is(await page.isVisible('.refresh'), false, 'it does not say that it updates itself')
  const next = await startTestNode({
    directory: own.directory,
    parties: null,
    env,
  })
  await page.locator('.refresh').waitFor()
  assert.is(await page.isVisible('#offline'), false)
  await close()
  await stopTestNode(next)
})

withBrowser('without a stream the page asks now and then, and says when nobody answers', async () => {
  const order = await create({}, 'pay-in')
  const { page, close } = await visit('')
  await page.route('**/events', (route) => route.abort())
  let isCut = false
  await page.route(`**/${order.id}`, async (route) => {
    if (isCut) return route.abort()
    const response = await route.fetch()
    const body = (await response.text()).replace(/data-poll="\d+"/, 'data-poll="0.1"')
    return route.fulfill({ response, body })
  })
  await page.goto(`${node.publicUrl}/checkout/${order.id}`)
  assert.is(await page.textContent('h1'), 'Ready to pay')
  isCut = true
  await page.getByText('No connection. This page may be out of date.').waitFor()
  isCut = false
  await tell(order, 'start')
  await page.getByRole('heading', { name: 'The counter is processing your payment' }).waitFor()
  assert.is(await page.isVisible('#offline'), false)
  await tell(order, 'confirm')
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  await close()
})

withBrowser(
  'the code is copied bare, what is left counts down, and the order expires on the page',
  async () => {
    const order = await create({ expiry: new Date(node.clock.now() + 62_000).toISOString() })
    const { page, complaints, close } = await visit(`/${order.id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await holdTimers(page)
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.is(await page.evaluate('navigator.clipboard.readText()'), order.code)
    await page.getByText(/^(1:0\d|0:[1-5]\d)$/).waitFor()
    node.clock.advance(63_000)
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await page.getByRole('heading', { name: 'Withdrawal expired' }).waitFor()
    assert.is(await page.isVisible('.code'), false)
    assert.equal(complaints, [])
    await close()
  },
)

withBrowser('a page that could not be read shows the order once it can', async () => {
  const order = await create()
  const { page, close } = await visit('')
  await page.route(
    `**/${order.id}`,
    async (route) => {
      const body = renderCheckout({ kind: 'unavailable' }, 'en', `${node.publicUrl}/checkout`)
      await route.fulfill({
        status: 503,
        contentType: 'text/html',
        body: body.replace(/data-poll="\d+"/, 'data-poll="0.1"'),
      })
    },
    { times: 1 },
  )
  await page.goto(`${node.publicUrl}/checkout/${order.id}`)
  await page.getByRole('heading', { name: 'Ready to withdraw' }).waitFor()
  assert.is(await page.textContent('header'), 'Shop')
  await close()
})

withBrowser('hours count down, too, in the words that the page has without scripts', async () => {
  const order = await create({ expiry: new Date(node.clock.now() + 26 * 3_600_000 + 30_000).toISOString() })
  for (const locale of locales) {
    const plain = await visit(`/${order.id}?lang=${locale}`, { javaScriptEnabled: false })
    const words = (await plain.page.textContent('[data-left]')) ?? ''
    await plain.close()
    const { page, close } = await visit('')
    await page.clock.install()
    await page.goto(`${node.publicUrl}/checkout/${order.id}?lang=${locale}`)
    assert.is(await page.textContent('[data-left]'), words)
    // Half a minute later an hour has turned into 59 minutes, which are not shown beside a day.
    await page.clock.fastForward(31_000)
    await page.locator('[data-left]', { hasNotText: words }).waitFor()
    assert.match(
      (await page.textContent('[data-left]')) ?? '',
      /1 d\p{L}+\P{L}+1 h|1 d\p{L}+ y 1 h|1 d\p{L}+ e 1 h/u,
    )
    await close()
  }
})

withBrowser('without scripts code and status are shown, and the page reloads itself', async () => {
  const order = await create()
  const { page, close } = await visit(`/${order.id}`, { javaScriptEnabled: false })
  assert.is((await page.textContent('.code'))?.replace(/\s/g, ''), order.code)
  assert.is(await page.isVisible('.qr'), true)
  assert.is(await page.isVisible('.barcode'), true)
  assert.is(await page.isVisible('text=Copy code'), false)
  assert.is(await page.locator('meta[http-equiv=refresh]').getAttribute('content'), '15')
  await close()
})

withBrowser('on paper are the code, its marks and what it is for, and nothing to press', async () => {
  const order = await create()
  const { page, close } = await visit(`/${order.id}`)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const shown of ['.code', '.qr', '.barcode', 'dl', 'ol']) assert.ok(await page.isVisible(shown), shown)
  for (const hidden of ['button', 'nav', '.refresh', 'a.button', '.time', '[data-left]']) {
    assert.not(await page.locator(hidden).first().isVisible(), hidden)
  }
  // A4, A6, and the rolls of tills, without their margins.
  for (const paperMm of [210, 105, 100, 80, 58]) {
    const width = Math.floor(((paperMm - 10) / 25.4) * 96)
    await page.setViewportSize({ width, height: 600 })
    for (const shown of ['.amount', '.code', '.qr', '.barcode']) {
      const box = await page.locator(shown).boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${shown} on ${paperMm} mm`)
    }
    const scrolled: number = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(scrolled <= width, `${paperMm} mm`)
    // Below 0.25 mm a module is too narrow for many scanners; the code has 154 with its quiet zone.
    const barcode = await page.locator('.barcode').boundingBox()
    assert.ok(((barcode?.width ?? 0) / 96) * 25.4 > 154 * 0.25, `a module on ${paperMm} mm`)
  }
  await close()
})

withBrowser('the page can be shown in a merchant’s frame, and a link there leaves it', async () => {
  const order = await create()
  const { page, close } = await visit('')
  const merchant = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<iframe src="${node.publicUrl}/checkout/${order.id}"></iframe>`)
  })
  await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://127.0.0.1:${(merchant.address() as AddressInfo).port}/`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Ready to withdraw' }).waitFor()
  assert.is(await frame.locator('a.button').getAttribute('target'), '_top')
  await close()
  merchant.close()
})

withBrowser('no page has a barrier, in either theme, on either screen, in any language', async () => {
  const ready = await create()
  const done = await create()
  await tell(done, 'start')
  await tell(done, 'confirm')
  const payIn = await create({}, 'pay-in')
  await tell(payIn, 'start')
  const expired = await create({ expiry: new Date(node.clock.now() + 1_000).toISOString() })
  node.clock.advance(2_000)
  const ids = [ready, done, payIn, expired].map(({ id }) => `/${id}`)
  let turn = 0
  for (const [screen, size] of Object.entries(screens)) {
    turn++
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await visit('', { ...size, colorScheme })
      // On a desktop only a page with a code is laid out in another way.
      const paths = screen === 'phone' ? [...ids, '', '/unknown'] : [`/${ready.id}`]
      for (const path of paths) {
        // Each language comes to each page, and not in each of the twelve ways.
        const locale = locales[turn++ % locales.length]
        await page.goto(`${node.publicUrl}/checkout${path}?lang=${locale}`)
        assert.equal(await barriers(page), [], `${path} ${screen} ${colorScheme} ${locale}`)
      }
      await close()
    }
  }
})

test.run()
