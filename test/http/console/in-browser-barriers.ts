/** Every page of the console, as it is shown on a phone and on a desktop, in light and dark, with all that is folded open. */
import type { Browser, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pages } from '../../../http/console/rooms.ts'
import { holdOpenOrders } from '../../../persistence/queries/holds.ts'
import { barriers } from '../../support/barriers.ts'
import { launchBrowser, screens } from '../../support/browser.ts'
import {
  addOperators,
  type ConsoleWorld,
  onSqlite,
  password,
  startConsoleWorld,
  tokenOf,
} from '../../support/console.ts'
import { openForeignWorld } from '../../support/foreign-world.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

/** In the page: everything folded is opened, for it is there as well. Says how much wider than the screen that is. */
const openAll = `(() => {
  for (const each of document.querySelectorAll('details')) each.open = true
  return document.documentElement.scrollWidth - innerWidth
})()`

const views = [screens.phone, screens.desktop].flatMap(({ viewport }) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

async function look(page: Page, what: string): Promise<void> {
  for (const { viewport, colorScheme } of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const view = `${what}, ${viewport.width} wide, ${colorScheme}`
    assert.ok(Number(await page.evaluate(openAll)) <= 0, `${view}: it is wider than the screen`)
    assert.equal(await barriers(page), [], view)
  }
}

async function press(page: Page, form: string): Promise<void> {
  await page.evaluate(openAll)
  await page.locator(`form[action="${form}"] button`).first().click()
  await page.waitForLoadState()
}

const browser: Browser | null = await launchBrowser()

if (browser !== null) {
  /** What a test has opened is closed, however it ends. */
  const opened: (() => Promise<unknown>)[] = []
  test.after.each(async () => {
    for (const close of opened.splice(0).reverse()) await close()
  })
  test.after(() => browser.close())

  /** Scripts of the test are let in; nothing else differs from what people see. */
  const openPage = async () => {
    const context = await browser.newContext({ bypassCSP: true })
    opened.push(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return page
  }

  const pageAs = async ({ operatorUrl }: TestNode, name: string) => {
    const page = await openPage()
    await page.goto(`${operatorUrl}/sign-in`)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${operatorUrl}/`)
    return page
  }

  /** Addresses of every page, with something on each. */
  async function addressesOf({ ask, orders }: ConsoleWorld): Promise<string[]> {
    const { exceptions } = (await ask('exception.list', {}, 'test')) as { exceptions: { id: string }[] }
    const { webhooks } = (await ask('webhook.list', { state: 'dead' }, 'test')) as {
      webhooks: { id: string }[]
    }
    return [
      '/',
      '/orders',
      '/orders?q=nothing',
      '/orders?from=tomorrow&to=2026-02-30',
      '/orders?provider=Nobody',
      `/orders/${orders.completed}`,
      `/orders/${orders.started}`,
      `/orders/${orders.stranded}`,
      '/held',
      '/exceptions',
      '/exceptions?state=resolved',
      `/exceptions/${exceptions[0]?.id}`,
      '/webhooks',
      `/webhooks/${webhooks[0]?.id}`,
      '/parties',
      '/merchants/Shop',
      '/providers/Network%20B',
      '/rates',
      '/rates/SOLANA/USDC/MX/MXN',
      '/health',
      '/audit',
      '/operators',
      '/settings',
      '/account',
      '/inspect/',
      '/inspect/machines/payOutForeign',
      `/inspect/orders/${orders.completed}`,
    ]
  }

  const rate = { send: 'USDC', country: 'MX', target: 'MXN', rate: '17.00', feeFixed: '0.50' }

  test('no page has a barrier that axe knows', async () => {
    const world = await startConsoleWorld()
    opened.push(() => world.stop())
    const { node } = world
    await node.apply({ rates: [{ blockchains: ['SOLANA'], ...rate }] })
    await node.core.store.execute(holdOpenOrders, { at: node.clock.now() })
    const addresses = await addressesOf(world)
    const shown = (path: string) => decodeURIComponent(new URL(path, 'http://console').pathname)
    for (const { path } of pages)
      assert.ok(
        addresses.some((each) => path.test(shown(each))),
        String(path),
      )
    const page = await pageAs(node, 'administrator')
    for (const path of addresses) {
      const answer = await page.goto(node.operatorUrl + path)
      assert.is(answer?.status(), 200, path)
      await look(page, path)
    }
  })

  test('nor what is told of an error, and what is shown this once', async () => {
    const world = await startConsoleWorld()
    opened.push(() => world.stop())
    const { node, orders } = world
    const page = await pageAs(node, 'administrator')
    await page.goto(`${node.operatorUrl}/orders/00000000-0000-4000-8000-000000000000`)
    await look(page, 'an order that there is not')
    await page.goto(`${node.operatorUrl}/orders/${orders.ready}`)
    await page.evaluate(openAll)
    await page.getByLabel('Why').fill(' ')
    await press(page, '/orders/cancel')
    await look(page, 'a form without what it needs')
    await page.goto(`${node.operatorUrl}/parties`)
    await page.evaluate(openAll)
    const party = { name: 'New till', credentials: [{ key: 'pk_new' }], networks: ['0077'] }
    await page.getByLabel('File (JSON)').fill(JSON.stringify({ providers: [party] }))
    await press(page, '/parties/apply')
    await page.getByRole('heading', { name: 'The file is applied' }).waitFor()
    await look(page, 'a file that was applied')
    await page.goto(`${node.operatorUrl}/merchants/Shop`)
    await page.evaluate(openAll)
    await page.locator('form[action="/merchants/cancel-orders"] [name=reason]').fill('The key has leaked')
    await press(page, '/merchants/cancel-orders')
    await page.getByRole('heading', { name: /orders cancelled/ }).waitFor()
    await look(page, 'what a leaked key has made')
    await page.goto(`${node.operatorUrl}/health`)
    await press(page, '/health/verify')
    await page.getByRole('heading', { name: /holds/ }).waitFor()
    await look(page, 'a verification')
  })

  test('nor the way in, for the first one and for all others', async () => {
    const node = await startTestNode(onSqlite())
    opened.push(() => stopTestNode(node))
    const page = await openPage()
    await page.goto(`${node.operatorUrl}/sign-in`)
    await page.getByText('first administrator').first().waitFor()
    await look(page, 'the first administrator')
    await page.getByLabel('Name').last().fill('ana')
    await page.getByLabel('Password').last().fill('short')
    await page.getByLabel(/token/i).fill(tokenOf(node))
    await press(page, '/first-administrator')
    await look(page, 'a first administrator with a weak password')
    await addOperators(node)
    await page.goto(`${node.operatorUrl}/sign-in?done=out`)
    await look(page, '/sign-in')
    await page.getByLabel('Name').fill('ana')
    await page.getByLabel('Password').fill('a wrong one')
    await press(page, '/sign-in')
    await look(page, 'a sign-in that failed')
  })

  test('nor what is about a blockchain', async () => {
    const world = await openForeignWorld('STELLAR')
    opened.push(() => world.close())
    const { node } = world
    await addOperators(node)
    const { order, id } = await world.ready({ send: '50.00' })
    await world.sign(order)
    await world.finalize()
    await world.statusIs(id, 'READY')
    await node.core.orders.tell({
      orderId: id,
      actor: { kind: 'operator', name: 'test' },
      event: (at) => ({ type: 'operator.cancel', at, reason: 'Asked for', force: false }),
      answer: () => ({ status: 200, body: '' }),
    })
    const page = await pageAs(node, 'operator')
    for (const path of ['/health', '/rates', `/orders/${id}`]) {
      await page.goto(node.operatorUrl + path)
      await look(page, path)
    }
    await page.locator('a[href^="/exceptions/"]').first().click()
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    await look(page, 'an exception with money to send back')
    await press(page, '/exceptions/refund')
    await page.getByRole('heading', { name: 'Unsigned transaction' }).waitFor()
    await look(page, 'a refund')
  })
}

test.run()
