/** Looking for barriers on the console's pages: on one or both screens, in both themes, with all that is folded open. */
import { Readable } from 'node:stream'
import type { Browser, Page } from 'playwright-core'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { pages } from '../../http/console/rooms.ts'
import { quarantineOpenOrders } from '../../persistence/queries/quarantine.ts'
import { barriers, barriersOfColours } from './barriers.ts'
import { screens } from './browser.ts'
import { camtEntry, camtStatement } from './camt.ts'
import { addArchivedOrder, type ConsoleWorld, password, startConsoleWorld } from './console.ts'
import type { TestNode, TestNodeOptions } from './node.ts'

/** In the page: everything folded is opened, for it is there as well. Says how much wider than the screen that is. */
const openAll = `(() => {
  for (const each of document.querySelectorAll('details')) each.open = true
  // One at a time is open for people; here each stands in its place, so that all of them are looked at.
  for (const each of document.querySelectorAll('dialog[popover]')) {
    each.removeAttribute('popover')
    each.style.cssText = 'display: block; position: static; height: auto; width: 100%; box-shadow: none'
  }
  return document.documentElement.scrollWidth - innerWidth
})()`

export async function openFolds(page: Page): Promise<void> {
  await page.evaluate(openAll)
}

export async function look(page: Page, what: string): Promise<void> {
  for (const { viewport } of Object.values(screens)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const view = `${what}, ${viewport.width} wide, ${colorScheme}`
      assert.ok(Number(await page.evaluate(openAll)) <= 0, `${view}: it is wider than the screen`)
      const found = colorScheme === 'light' ? await barriers(page) : await barriersOfColours(page)
      assert.equal(found, [], view)
    }
  }
}

/** Sends the first form of an address. */
export async function press(page: Page, form: string): Promise<void> {
  await openFolds(page)
  await page.locator(`form[action="${form}"] button`).first().click()
  await page.waitForLoadState()
}

export interface Visits {
  /** Closed when its test ends, however it ends. */
  closing(close: () => Promise<unknown>): void
  openPage(hasScripts?: boolean): Promise<Page>
  /** Signed in. */
  pageAs(node: TestNode, name: string, hasScripts?: boolean): Promise<Page>
}

export function visitsOf(test: Test, browser: Browser): Visits {
  const opened: (() => Promise<unknown>)[] = []
  test.after.each(async () => {
    for (const close of opened.splice(0).reverse()) await close()
  })
  test.after(() => browser.close())
  const openPage = async (hasScripts = true) => {
    // Scripts of the test are let in; nothing else differs from what people see.
    const context = await browser.newContext({ bypassCSP: true, javaScriptEnabled: hasScripts })
    opened.push(() => context.close())
    return context.newPage()
  }
  return {
    closing: (close) => opened.push(close),
    openPage,
    async pageAs({ operatorUrl }, name, hasScripts) {
      const page = await openPage(hasScripts)
      await page.goto(`${operatorUrl}/sign-in`)
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${operatorUrl}/`)
      return page
    },
  }
}

/** Claims that wait, that have booked something, and that were rejected. @returns the difference that the first is about */
async function claimed({ ask, orders: { completed: order } }: ConsoleWorld): Promise<string> {
  const { exceptions } = (await ask('exception.list', { order }, 'test')) as { exceptions: { id: string }[] }
  const exception = exceptions[0]?.id ?? ''
  const said = { order, reason: 'mail of Monday' }
  const amount = { kind: 'wrong_amount', amount: '990.00', exception }
  await ask('claim.open', { ...said, ...amount, text: 'The receipt says 990.' }, 'test')
  await ask('claim.open', { ...said, kind: 'twice' }, 'test')
  await ask('claim.answer', { number: 2, as: 'denies', text: 'Only once.', reason: 'their mail' }, 'test')
  await ask('claim.uphold', { number: 2, reason: 'both receipts' }, 'test')
  await ask('claim.open', { ...said, kind: 'false_note', amount: '200.00' }, 'test')
  await ask('claim.reject', { number: 3, reason: 'the note is good' }, 'test')
  return exception
}

/** One that waits; from here on terms take two people. @returns the addresses of its pages */
async function oneApproval({ ask }: ConsoleWorld): Promise<string[]> {
  const reason = 'agreed on Monday'
  await ask('approval.setThreshold', { currency: 'MXN', amount: '1000.00', reason }, 'test')
  const deposit = { merchant: 'Shop', reference: 'SPEI 9', amount: '5000.00', currency: 'MXN', reason }
  const said = await ask('deposit.add', deposit, 'test').then(String, String)
  assert.match(said, /approval 1/i)
  return ['/approvals', '/approvals/1']
}

/** What there is in a sandbox alone, with something on each of its pages. @returns their addresses */
async function ofSandbox({ ask, node, orders: { completed: order } }: ConsoleWorld): Promise<string[]> {
  await ask('sandbox.setFault', { merchant: 'Shop', fault: 'status', order }, 'test')
  const { url } = (await ask('sandbox.inbox', { merchant: 'Shop' }, 'test')) as { url: string }
  await fetch(url, { method: 'POST', body: '{}' })
  const refused = { as: 'mk_shop', path: '/api/v1/merchants/webhooks/ping/', body: {} }
  await node.request(refused)
  await node.request({ ...refused, body: { notify_url: url } })
  const { deliveries } = (await ask('sandbox.deliveries', { merchant: 'Shop' }, 'test')) as {
    deliveries: { id: string }[]
  }
  const { requests } = (await ask('sandbox.requests', { party: 'Shop' }, 'test')) as {
    requests: { id: string }[]
  }
  return [
    '/sandbox',
    '/sandbox/merchants/Shop',
    '/sandbox/providers/Network%20A',
    '/sandbox/deliveries?merchant=Shop',
    `/sandbox/deliveries?merchant=Shop&delivery=${deliveries[0]?.id}`,
    '/sandbox/inbox?merchant=Shop',
    '/sandbox/requests?party=Shop&kind=merchant',
    `/sandbox/requests?party=Shop&kind=merchant&request=${requests[0]?.id}`,
  ]
}

/** Addresses of every page, with something on each. */
async function addressesOf(world: ConsoleWorld): Promise<string[]> {
  return [...(await addressesEverywhere(world)), ...(await ofSandbox(world))]
}

async function addressesEverywhere(world: ConsoleWorld): Promise<string[]> {
  const { ask, orders, node } = world
  const { exceptions } = (await ask('exception.list', {}, 'test')) as { exceptions: { id: string }[] }
  const { webhooks } = (await ask('webhook.list', { state: 'dead' }, 'test')) as {
    webhooks: { id: string }[]
  }
  const received = (await ask(
    'payment.receive',
    { party: 'Network B', bank: 'main', reference: 'SPEI 1', amount: '428.14', reason: 'test' },
    'test',
  )) as { change: { payment: { id: string } } }
  const payment = received.change.payment.id
  await ask('statement.close', { party: 'Network A', currency: 'MXN' }, 'test')
  await node.apply({
    providers: [{ name: 'Network A', networks: [{ id: '0001', name: 'A', currency: 'MXN' }] }],
  })
  const report = `order,outcome,amount,paid_at,reference\r\n${orders.completed},paid,990.00,2026-03-01T13:05:00Z,F-1\r\n`
  const day = { network: '0001', day: '2026-03-01' }
  const look = async () => {
    const uploaded = await node.core.uploads.receive(Readable.from([Buffer.from(report)]))
    if (!uploaded.ok) throw new Error(uploaded.reason)
    const input = { file: uploaded.upload.id, ...day }
    const { run } = (await ask('reconciliation.read', input, 'test')) as { run: string }
    await node.core.reports.settled(run)
    return run
  }
  const run = await look()
  await ask('reconciliation.apply', { run: await look() }, 'test')
  const difference = await claimed(world)
  const statement = camtStatement({ closing: '5.00', inner: camtEntry('CRDT', '5.00', 'DEP-1') })
  const sent = await node.core.uploads.receive(Readable.from([Buffer.from(statement)]))
  if (!sent.ok) throw new Error(sent.reason)
  const held = (await ask('reconciliation.bank', { file: sent.upload.id, bank: 'main' }, 'test')) as {
    run: string
  }
  await node.core.statements.settled(held.run)
  await ask(
    'notification.channel.set',
    { name: 'ops', kind: 'webhook', url: 'https://ops.example/hook' },
    'test',
  )
  await ask('notification.rule.set', { name: 'r1', events: 'alarm', channel: 'ops' }, 'test')
  await ask('notification.test', { channel: 'ops' }, 'test')
  const { notifications } = (await ask('notification.list', {}, 'test')) as {
    notifications: { id: string }[]
  }
  return [
    '/notifications',
    '/claims',
    '/claims/open',
    `/claims/open?exception=${difference}`,
    '/claims/1',
    '/claims/2',
    '/claims/3',
    `/exceptions/${difference}`,
    '/reconciliation/days/0001/2026-03-02',
    `/notifications/${notifications[0]?.id}`,
    '/',
    '/orders',
    '/orders?q=nothing',
    '/orders?from=tomorrow&to=2026-02-30',
    '/orders?provider=Nobody',
    `/archive/${await addArchivedOrder(node)}`,
    '/notifications',
    `/orders/${orders.completed}`,
    `/orders/${orders.started}`,
    `/orders/${orders.stranded}`,
    '/quarantined',
    '/exceptions',
    '/exceptions?state=resolved',
    `/exceptions/${exceptions[0]?.id}`,
    '/webhooks',
    `/webhooks/${webhooks[0]?.id}`,
    '/parties',
    '/merchants/Shop',
    '/providers/Network%20B',
    '/terms?kind=merchant&party=Shop',
    '/settlement',
    '/statements',
    '/statement?kind=provider&party=Network%20A&currency=MXN&number=1',
    '/payments',
    `/payments/${payment}`,
    '/bank',
    `/bank/statements/${held.run}`,
    '/adjustments',
    '/conversions',
    '/calendars',
    '/reconciliation',
    '/reconciliation/days/0001/2026-03-01',
    `/reconciliation/files/${run}`,
    '/rates',
    '/rates/SOLANA/USDC/MX/MXN',
    '/health',
    '/queue',
    '/audit',
    '/operators',
    '/settings',
    '/search',
    '/search?q=no+such+thing',
    '/search?q=network',
    '/account',
    '/account/factors',
    '/account/passkey',
    '/account/authenticator',
    '/inspect/',
    '/inspect/machines/payOutForeign',
    `/inspect/orders/${orders.completed}`,
  ]
}

const rate = { send: 'USDC', country: 'MX', target: 'MXN', rate: '17.00', feeFixed: '0.50' }

/** A node with something on every page there is, and the addresses of these. */
export async function everyPage(
  { closing }: Pick<Visits, 'closing'>,
  options: TestNodeOptions = {},
): Promise<{ node: TestNode; addresses: readonly string[] }> {
  const world = await startConsoleWorld(options)
  closing(() => world.stop())
  const { node } = world
  await node.apply({
    banks: [{ name: 'main', currency: 'MXN' }],
    rates: [{ blockchains: ['SOLANA'], ...rate }],
  })
  await node.core.store.execute(quarantineOpenOrders, { at: node.core.clock.now() })
  const addresses = [...(await addressesOf(world)), ...(await oneApproval(world))]
  const shown = (path: string) => decodeURIComponent(new URL(path, 'http://console').pathname)
  const missing = pages.filter(({ path }) => !addresses.some((each) => path.test(shown(each))))
  assert.equal(
    missing.map(({ path }) => String(path)),
    [],
  )
  return { node, addresses }
}

/** Fills the form of an address, and sends it: to be looked at, or to be booked. */
export async function sendForm(
  page: Page,
  action: string,
  values: Readonly<Record<string, string>>,
  isOnlyShown: boolean,
): Promise<void> {
  await openFolds(page)
  const form = page.locator(`form[action="${action}"]`).first()
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`)
    if ((await field.evaluate((one) => one.nodeName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
  const looksFirst = (await form.locator('[type=hidden][name="dryRun"]').count()) > 0
  await form.getByRole('button').first().click()
  await page.waitForLoadState()
  if (isOnlyShown || !looksFirst) return
  const shown = page.locator(`.act.main form[action="${action}"]:not(:has([name="dryRun"])) button`)
  // What is refused is not shown.
  if ((await shown.count()) === 0) return
  await shown.click()
  await page.waitForLoadState()
}
