/** What people see of the console besides its pages; `in-browser-walk-*.ts` look at these. */

import { test } from 'uvu'
import { launchBrowser } from '../../support/browser.ts'
import { addOperators, onSqlite, startConsoleWorld, tokenOf } from '../../support/console.ts'
import { look, openFolds, press, visitsOf } from '../../support/console-barriers.ts'
import { openForeignWorld } from '../../support/foreign-world.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'
import { refOf } from '../../support/order-world.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const { closing, openPage, pageAs } = visitsOf(test, browser)

  test('what is told of an error, and what is shown only once, has no barrier', async () => {
    const world = await startConsoleWorld()
    closing(() => world.stop())
    const { node, orders } = world
    const page = await pageAs(node, 'administrator')
    await page.goto(`${node.operatorUrl}/orders/00000000-0000-4000-8000-000000000000`)
    await look(page, 'an order that there is not')
    await page.goto(`${node.operatorUrl}/orders/${orders.ready}`)
    await openFolds(page)
    await page.getByLabel('Why').fill(' ')
    await press(page, '/order/cancel')
    await look(page, 'a form without what it needs')
    await page.goto(`${node.operatorUrl}/parties`)
    await page.getByRole('link', { name: 'Apply a file' }).click()
    await look(page, 'a form beside its page')
    const party = { name: 'New till', credentials: [{ key: 'pk_new' }], networks: ['0077'] }
    await page.getByLabel('Or paste it').fill(JSON.stringify({ providers: [party] }))
    await press(page, '/apply/preview')
    await page.getByRole('heading', { name: 'What would be changed' }).waitFor()
    await look(page, 'what a file would change')
    await press(page, '/apply')
    await page.getByRole('heading', { name: 'The changes are applied' }).waitFor()
    await look(page, 'a file that was applied')
    await page.goto(`${node.operatorUrl}/merchants/Shop?form=pair-MX-MXN`)
    await page.getByLabel('Largest amount of an order').fill('1.00')
    await press(page, '/apply/preview')
    await page.locator('.problem').waitFor()
    await look(page, 'a form whose fields are wrong')
    await page.keyboard.press('Escape')
    await page.waitForURL(`${node.operatorUrl}/merchants/Shop`)
    await page.goto(`${node.operatorUrl}/merchants/Shop`)
    await openFolds(page)
    await page.locator('form[action="/order/cancel-all"] [name=reason]').fill('The key has leaked')
    await press(page, '/order/cancel-all')
    await page.getByRole('heading', { name: /orders would be cancelled/ }).waitFor()
    await look(page, 'what a leaked key has made')
    await page.goto(`${node.operatorUrl}/health`)
    await press(page, '/verify')
    await page.getByRole('heading', { name: 'Consistent', exact: true }).waitFor()
    await look(page, 'a verification')
  })

  test('the way in has none, for the first one and for all others', async () => {
    const node = await startTestNode(onSqlite())
    closing(() => stopTestNode(node))
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

  test('what is about a blockchain has none', async () => {
    const world = await openForeignWorld('STELLAR')
    closing(() => world.close())
    const { node } = world
    await addOperators(node)
    const { order, id } = await world.ready({ send: '50.00' })
    await world.sign(order)
    await world.finalize()
    await world.statusIs(id, 'READY')
    await node.core.orders.tell({
      order: await refOf(node.core.store, id),
      actor: { kind: 'operator', name: 'test' },
      type: 'operator.cancel',
      reason: 'Asked for',
      force: false,
    })
    const page = await pageAs(node, 'operator')
    for (const path of ['/health', '/rates', `/orders/${id}`]) {
      await page.goto(node.operatorUrl + path)
      await look(page, path)
    }
    await page.locator('a[href^="/exceptions/"]').first().click()
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    await look(page, 'an exception with money to send back')
    await press(page, '/exception/refund')
    await page.getByRole('heading', { name: 'Unsigned transaction' }).waitFor()
    await look(page, 'a refund')
  })
}

test.run()
