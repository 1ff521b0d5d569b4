/** Everything on a page that updates itself is live: after each change it is what a page that is loaded anew says. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { type ConsoleWorld, startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'
import { payOutBody } from '../../support/node.ts'

const browser = await launchBrowser()

/** All that is read on a page but its foot; each answer gives its forms ids of their own, and what is free is the machine's. */
const shown = `[document.title, ...['nav.rooms', 'main'].map((part) => document.querySelector(part).innerHTML)]
  .join('\\n').replace(/name="form_id" value="[^"]*"|[\\d,.]+ MiB/g, '')`

/** Longer than any page waits before it asks again, on a busy machine too. */
const patienceMs = 60_000

interface Open {
  path: string
  page: Page
}

/** What differs between an open page and the same that is loaded anew; '' for nothing. */
async function difference({ path, page }: Open, fresh: Page, base: string): Promise<string> {
  await fresh.goto(base + path)
  const [is, shouldBe] = (await Promise.all([page.evaluate(shown), fresh.evaluate(shown)])) as [
    string,
    string,
  ]
  if (is === shouldBe) return ''
  const at = [...is].findIndex((sign, index) => sign !== shouldBe[index])
  return `${path}: ${is.slice(Math.max(0, at - 80), at + 80)} instead of ${shouldBe.slice(Math.max(0, at - 80), at + 80)}`
}

/** An order that expires in ten minutes: sooner than a session does. */
let soon = ''

async function makeSoon({ node }: ConsoleWorld): Promise<string> {
  const expiry = new Date(node.clock.now() + 600_000).toISOString()
  const path = '/api/v1/merchants/orders/pay-out/'
  const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody({ expiry }) })
  await node.until(async () => (await node.core.orders.find(json.id))?.order.status === 'READY')
  return json.id
}

const changes: readonly (readonly [what: string, make: (world: ConsoleWorld) => Promise<unknown>])[] = [
  ['a provider locks the order', (world) => tell(world, 'start-payment')],
  ['the lock is released', (world) => tell(world, 'cancel-payment')],
  [
    'another one pays it out',
    (world) => tell(world, 'start-payment').then(() => tell(world, 'confirm-payment')),
  ],
  [
    'a webhook is sent again',
    ({ ask, orders }) => ask('webhook.retry', { order: orders.undelivered }, 'luis'),
  ],
  [
    'an order expires while it is locked',
    async (world) => {
      await tell(world, 'start-payment', soon)
      world.node.clock.advance(15 * 60_000)
      await world.node.core.orders.expire(soon)
    },
  ],
]

async function tell({ node, orders }: ConsoleWorld, step: string, id = orders.ready): Promise<void> {
  // Another moment, so that it is another message.
  node.clock.advance(2000)
  const code = (await node.core.orders.find(id))?.order.code
  const path = `/api/v1/providers/orders/pay-out/${code}/${step}/`
  const body = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const { status, text } = await node.request({ as: 'pk_a', path, body })
  assert.is(status, 200, text)
}

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('an order, its lists, the overview, the queue and the inspector are as if they were loaded anew', async () => {
    const world = await startConsoleWorld()
    closing(() => world.stop())
    const { node, orders } = world
    soon = await makeSoon(world)
    const fresh = await pageAs(node, 'administrator')
    const paths = [
      '/',
      '/orders',
      '/orders?status=READY',
      '/exceptions',
      '/webhooks',
      '/queue',
      '/health',
      '/inspect/',
    ]
    for (const order of [orders.ready, orders.undelivered, soon])
      paths.push(`/orders/${order}`, `/inspect/orders/${order}`)
    const open: Open[] = []
    for (const path of paths) {
      const page = await fresh.context().newPage()
      await page.goto(node.operatorUrl + path)
      assert.is(await page.locator('main[data-live-seconds]').count(), 1, `${path} updates itself`)
      await page.evaluate('globalThis.stayed = true')
      open.push({ path, page })
    }
    for (const [what, make] of changes) {
      await make(world)
      const until = Date.now() + patienceMs
      for (const one of open) {
        let differs = await difference(one, fresh, node.operatorUrl)
        while (differs !== '' && Date.now() < until) {
          await fresh.waitForTimeout(500)
          differs = await difference(one, fresh, node.operatorUrl)
        }
        assert.is(differs, '', what)
        assert.ok(await one.page.evaluate('globalThis.stayed'), `${one.path} was not loaded anew`)
      }
    }
  })
}

test.run()
