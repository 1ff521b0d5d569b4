/** How much of a list fits a screen: a line a row on a desktop, little on a phone, and no page is heavy. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'
import { payOutBody } from '../../support/node.ts'

const browser = await launchBrowser()

/** Heights of the rows of all lists of a page, and how many end above the end of the screen. */
const measure = `(() => {
  const rows = [...document.querySelectorAll('table.list tbody tr')].map((row) => row.getBoundingClientRect())
  return { heights: rows.map(({ height }) => height), seen: rows.filter(({ bottom }) => bottom <= innerHeight).length }
})()`

const onPhone = { width: 390, height: 844 }
const onDesktop = { width: 1440, height: 900 }
const mostBytes = 60_000

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('lists are a line a row at 1440, at most 90 px a row at 390, and light', async () => {
    const world = await startConsoleWorld()
    closing(() => world.stop())
    const { node, orders } = world
    for (let made = 0; made < 50; made++) {
      const merchant_order_id = `A merchant’s own id that is as long as they get, number ${made}`
      const body = payOutBody({
        merchant_order_id,
        price: '48123.45',
        notify_url: `https://hooks.shop.example/${'a'.repeat(60)}`,
      })
      await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body })
    }
    const page = await pageAs(node, 'administrator')
    const sizes = new Map<string, number>()
    page.on('response', async (response) => {
      if (response.request().resourceType() === 'document')
        sizes.set(new URL(response.url()).pathname, (await response.body()).byteLength)
    })
    const lists = ['/orders', '/webhooks', '/exceptions', '/audit', `/orders/${orders.stranded}`]
    for (const path of lists) {
      for (const [viewport, most] of [[onDesktop, 40] as const, [onPhone, 90] as const]) {
        await page.setViewportSize(viewport)
        await page.goto(node.operatorUrl + path)
        const { heights, seen } = (await page.evaluate(measure)) as { heights: number[]; seen: number }
        assert.ok(heights.length > 0, path)
        assert.ok(
          Math.max(...heights) <= most,
          `${path} at ${viewport.width}: ${Math.max(...heights)} px a row`,
        )
        if (path === '/orders' && viewport === onDesktop) assert.ok(seen >= 16, `${seen} orders on a screen`)
      }
      assert.ok((sizes.get(path) ?? 0) <= mostBytes, `${path}: ${sizes.get(path)} bytes`)
    }
  })
}

test.run()
