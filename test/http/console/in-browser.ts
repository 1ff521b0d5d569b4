import type { Browser, BrowserContext, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { holdTimers, launchBrowser, screens } from '../../support/browser.ts'
import { type ConsoleWorld, password, startConsoleWorld } from '../../support/console.ts'
import { payOutBody } from '../../support/node.ts'

const browser: Browser | null = await launchBrowser()

async function pageAs(world: ConsoleWorld, name: string, context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${world.node.operatorUrl}/sign-in`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${world.node.operatorUrl}/`)
  return page
}

async function openFolded(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `${title}…` }).click()
}

if (browser !== null) {
  let world: ConsoleWorld
  let context: BrowserContext
  const complaints: string[] = []

  test.before(async () => {
    world = await startConsoleWorld()
    context = await browser.newContext(screens.desktop)
    context.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
  })

  test.after(async () => {
    await browser.close()
    await world.stop()
  })

  test('an operator finds an order by its code and cancels it', async () => {
    const { node, orders } = world
    const page = await pageAs(world, 'operator', context)
    const code = (await node.core.orders.find(orders.ready))?.order.code ?? ''
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByLabel('Id or code').fill(code.replace(/(\d{4})/g, '$1 '))
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: orders.ready.slice(-8) }).click()
    await page.getByRole('heading', { name: '1,000.00 MXN, ready' }).waitFor()
    await openFolded(page, 'Cancel')
    await page.getByLabel('Why').fill('The shop <b>asked</b> for it')
    await page.getByRole('button', { name: 'Cancel the order' }).click()
    await page.getByText('The order is cancelled.').waitFor()
    await page.getByText('reason: The shop <b>asked</b> for it').waitFor()
    await page.close()
  })

  test('the box on every page is reached by a key, and puts no code into an address', async () => {
    const { node, orders } = world
    const page = await pageAs(world, 'operator', context)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const code = (await node.core.orders.find(orders.ready))?.order.code ?? ''
    await page.keyboard.press('/')
    await page.keyboard.type(code.replace(/(\d{4})/g, '$1 '))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${node.operatorUrl}/orders/${orders.ready}`)
    await page.keyboard.press('/')
    await page.keyboard.type('nobody@mail.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor()
    assert.not.ok(asked.some((url) => url.includes(code.slice(0, 4)) || url.includes('nobody')))
    await page.getByRole('searchbox', { name: 'Search everything' }).fill(`…${orders.ready.slice(-8)}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${node.operatorUrl}/orders/${orders.ready}`)
    await page.close()
  })

  test('who was too slow is told so, and keeps what was typed', async () => {
    const { ask, orders } = world
    const page = await pageAs(world, 'operator', context)
    await page.goto(`${world.node.operatorUrl}/orders/${orders.started}`)
    await openFolded(page, 'Release for Network B')
    const why = page.getByLabel('Why').nth(1)
    await why.fill('Its till is dead')
    await ask('order.release', { id: orders.started, provider: 'Network B', reason: 'faster' }, 'luis')
    await page.getByRole('button', { name: 'Release the order' }).click()
    await page.getByText('It has changed').waitFor()
    await page.getByRole('heading', { name: '1,000.00 MXN, ready' }).waitFor()
    assert.is(await page.getByText('Release for Network B').count(), 0, 'what cannot be done is not offered')
    await page.close()
  })

  test('an exception is resolved with evidence, and a dead letter sent again', async () => {
    const page = await pageAs(world, 'operator', context)
    await page.getByRole('link', { name: 'open exceptions' }).click()
    await page
      .getByRole('row', { name: /expired while locked/ })
      .getByRole('link')
      .first()
      .click()
    await openFolded(page, 'Resolve: return')
    await page.getByLabel('How you know').nth(1).fill('The shop’s till was empty')
    await page.getByLabel('Evidence').nth(1).fill('Receipt 4711')
    await page.getByRole('button', { name: 'Resolve as return' }).click()
    await page.getByText('The exception is resolved.').waitFor()
    await page.getByText('Receipt 4711').waitFor()

    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('search', { name: 'This list' }).getByLabel('State').selectOption('dead')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('tbody a').first().click()
    await openFolded(page, 'Resend')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Asked to be sent again').waitFor()
    await page.close()
  })

  test('a page shows what others do without being reloaded', async () => {
    const { ask, orders } = world
    const page = await pageAs(world, 'viewer', context)
    await page.goto(`${world.node.operatorUrl}/orders/${orders.waiting}`)
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }))
    await ask('order.cancel', { id: orders.waiting, reason: 'Not needed' }, 'luis')
    await page.locator('dl .badge', { hasText: 'cancelled' }).waitFor()
    assert.ok(await page.evaluate(() => 'stayed' in globalThis))
    await page.close()
  })

  test('heading, facts and what may be done change together, or not at all while a form is filled in', async () => {
    const { ask, node } = world
    const path = '/api/v1/merchants/orders/pay-in/'
    const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody() })
    const page = await pageAs(world, 'operator', context)
    await page.goto(`${node.operatorUrl}/orders/${json.id}`)
    await page.getByRole('heading', { name: /ready$/ }).waitFor()
    await openFolded(page, 'Cancel')
    const why = page.getByLabel('Why')
    await why.fill('asked for')
    await ask('order.cancel', { id: json.id, reason: 'by somebody else' }, 'luis')
    await page.getByText('This page has changed.').waitFor()
    assert.is(await page.getByRole('heading', { name: /ready$/ }).count(), 1, 'nothing was replaced')
    assert.is(await why.inputValue(), 'asked for')
    await why.fill('')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: /cancelled$/ }).waitFor()
    assert.is(await page.getByText('This page has changed.').count(), 0)
    assert.is(await page.getByRole('button', { name: 'Cancel the order' }).count(), 0)
    await page.close()
  })

  test('the inspector counts its steps as they come, in the heading too', async () => {
    const { ask, node } = world
    const path = '/api/v1/merchants/orders/pay-in/'
    const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody() })
    const page = await pageAs(world, 'administrator', context)
    await page.goto(`${node.operatorUrl}/inspect/orders/${json.id}`)
    await page.getByRole('heading', { name: 'step 1 of 1' }).waitFor()
    await ask('order.cancel', { id: json.id, reason: 'not needed' }, 'luis')
    await page.getByRole('heading', { name: 'step 2 of 2' }).waitFor()
    assert.match(await page.title(), /step 2 of 2/)
    await page.close()
  })

  test('nothing is said to have changed while a form is filled in, unless it has', async () => {
    const { ask, node } = world
    const path = '/api/v1/merchants/orders/pay-in/'
    const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody() })
    const page = await pageAs(world, 'operator', context)
    await page.goto(`${node.operatorUrl}/orders/${json.id}`)
    await openFolded(page, 'Cancel')
    await page.getByLabel('Why').fill('asked for')
    let answered = 0
    page.on('response', (response) => {
      if (response.url().endsWith(json.id)) answered++
    })
    for (let waited = 0; answered < 2 && waited < 1_200; waited++) await page.waitForTimeout(100)
    assert.ok(answered >= 2)
    assert.is(await page.getByText('This page has changed.').count(), 0)
    await ask('order.cancel', { id: json.id, reason: 'by somebody else' }, 'luis')
    await page.getByText('This page has changed.').waitFor()
    await page.close()
  })

  test('what people carry elsewhere is copied by a button', async () => {
    const { node, orders } = world
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: node.operatorUrl })
    const page = await pageAs(world, 'operator', context)
    await page.goto(`${node.operatorUrl}/orders/${orders.completed}`)
    await holdTimers(page)
    await page.getByRole('button', { name: 'Copy: Code' }).click()
    await page.getByRole('button', { name: 'Copied: Code' }).waitFor()
    const code = (await node.core.orders.find(orders.completed))?.order.code
    assert.is(await page.evaluate('navigator.clipboard.readText()'), code)
    await page.close()
  })

  test('a new key shows its secret once, and nowhere again', async () => {
    const page = await pageAs(world, 'administrator', context)
    await page.goto(`${world.node.operatorUrl}/providers/Network%20B`)
    await openFolded(page, 'Add a key')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const secret = (await page.locator('.secret').textContent()) ?? ''
    assert.ok(secret.length >= 32)
    for (const path of ['/providers/Network%20B', '/audit']) {
      await page.goto(world.node.operatorUrl + path)
      assert.not.ok((await page.content()).includes(secret), path)
    }
    await page.close()
  })

  test('a kept address of nothing leads through the way in, which keeps the name, to a page that leads on', async () => {
    const { operatorUrl } = world.node
    const other = await browser.newContext(screens.desktop)
    const page = await other.newPage()
    const focused = () => page.evaluate('document.activeElement.name')
    await page.goto(`${operatorUrl}/no/such/page?x=1`)
    await page.getByLabel('Password').waitFor()
    assert.is(await focused(), 'name')
    await page.keyboard.type('operator')
    await page.getByLabel('Password').fill('a wrong one')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.is(await page.getByLabel('Name').inputValue(), 'operator')
    assert.is(await focused(), 'password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    assert.is(page.url(), `${operatorUrl}/no/such/page?x=1`)
    await page
      .getByRole('navigation', { name: 'You are here' })
      .getByRole('link', { name: 'Console' })
      .click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await other.close()
  })

  test('everything works without scripts', async () => {
    const plain = await browser.newContext({ ...screens.phone, javaScriptEnabled: false })
    const page = await pageAs(world, 'administrator', plain)
    await page.goto(`${world.node.operatorUrl}/merchants/Other%20Shop`)
    await openFolded(page, 'Freeze')
    await page.getByLabel('Why').first().fill('Its key has leaked')
    await page.locator('dialog').getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('It is frozen.').waitFor()
    await page.getByText('Its key has leaked').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await plain.close()
  })

  test('the policy let everything through that the pages need, and nothing failed', () => {
    // What is refused on purpose is told by the browser, too: a conflict is an answer with 409.
    assert.equal(
      complaints.filter((text) => !/status of 409/.test(text)),
      [],
    )
  })
}

test.run()
