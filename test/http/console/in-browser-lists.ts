/** How much of a list fits a screen: a line a row on a desktop, little on a phone, and no page is heavy. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'
import { payOutBody } from '../../support/node.ts'
import { closerOf } from '../../support/statement-world.ts'

const browser = await launchBrowser()

/** Heights of the rows of all lists of a page, and how many end above the end of the screen. */
const measure = `(() => {
  const rows = [...document.querySelectorAll('table.list tbody tr')].map((row) => row.getBoundingClientRect())
  return { heights: rows.map(({ height }) => height), seen: rows.filter(({ bottom }) => bottom <= innerHeight).length }
})()`

/** Heights of the links to rooms that are seen without scrolling. */
const roomsOnScreen = `[...document.querySelectorAll('nav.rooms a')]
  .map((link) => link.getBoundingClientRect())
  .filter(({ width, top, bottom }) => width > 0 && top >= 0 && bottom <= innerHeight)
  .map(({ height }) => height)`

/** What has twelve digits and more, and goes on in another line. */
const brokenAmounts = `(() => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const broken = []
  while (walker.nextNode()) {
    const node = walker.currentNode
    const digits = /[\\d,.]{12,}/.exec(node.textContent)
    if (digits === null) continue
    range.setStart(node, digits.index)
    range.setEnd(node, digits.index + digits[0].length)
    if (range.getClientRects().length > 1) broken.push(node.textContent)
  }
  return broken
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

  test('one button of a phone opens all rooms on one screen, and a desktop has them beside the page', async () => {
    const world = await startConsoleWorld()
    closing(() => world.stop())
    const page = await pageAs(world.node, 'administrator')
    await page.setViewportSize(onPhone)
    await page.goto(`${world.node.operatorUrl}/audit`)
    const shown = async () => (await page.evaluate(roomsOnScreen)) as number[]
    assert.equal(await shown(), [])
    await page.click('nav.rooms > button')
    const heights = await shown()
    assert.is(heights.length, await page.locator('nav.rooms a').count())
    assert.ok(Math.min(...heights) >= 24, `${Math.min(...heights)} px`)
    await page.keyboard.press('Escape')
    assert.equal(await shown(), [])
    await page.setViewportSize(onDesktop)
    assert.is((await shown()).length, heights.length)
    assert.not.ok(await page.isVisible('nav.rooms > button'))
  })

  test('amounts of sixteen digits are broken neither in tables nor in tiles', async () => {
    const world = await startConsoleWorld()
    closing(() => world.stop())
    const { node, ask } = world
    const settles = [{ currency: 'MXN', timeZone: 'UTC', every: 'day', account: '0123 4567 8901 2345 67' }]
    const deposits = [{ currency: 'MXN', amount: '87654321098765.43', reference: 'opening' }]
    await node.apply({ merchants: [{ name: 'A merchant whose name is a long one', settles, deposits }] })
    await ask('statement.close', { party: 'A merchant whose name is a long one', currency: 'MXN' }, 'test')
    await closerOf({ ...node.core, clock: node.clock }).pass()
    const frozen = { kind: 'merchant', name: 'A merchant whose name is a long one', reason: 'a leaked key' }
    await ask('party.freeze', frozen, 'test')
    const page = await pageAs(node, 'administrator')
    for (const [path, places] of [
      ['/payments', 'table .whole'],
      ['/', '.tiles small'],
    ] as const) {
      await page.setViewportSize(onDesktop)
      await page.goto(node.operatorUrl + path)
      const long = page.locator(places).filter({ hasText: '87,654,321,098,765.43' })
      assert.ok((await long.count()) > 0, path)
      const broken = await page.evaluate(brokenAmounts)
      assert.equal(broken, [], path)
    }
  })
}

test.run()
