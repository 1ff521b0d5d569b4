/**
 * Pictures of the console's pages from a node with fixed data and a fixed clock:
 * `node scripts/console-screenshots.ts FOLDER [NAME …]`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, screens } from '../test/support/browser.ts'
import { password, startConsoleWorld } from '../test/support/console.ts'

const [folder, ...only] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node scripts/console-screenshots.ts FOLDER [NAME …]')
mkdirSync(folder, { recursive: true })

const world = await startConsoleWorld()
const { node, orders, ask } = world
const first = async (operation: string, key: string): Promise<string> => {
  const answer = (await ask(
    operation,
    operation === 'webhook.list' ? { state: 'dead' } : {},
    'test',
  )) as Record<string, { id: string }[]>
  return answer[key]?.[0]?.id ?? ''
}
const paths: readonly (readonly [name: string, path: string])[] = [
  ['overview', '/'],
  ['orders', '/orders'],
  ['orders-none', '/orders?q=nothing'],
  ['order-started', `/orders/${orders.started}`],
  ['order-completed', `/orders/${orders.completed}`],
  ['exceptions', '/exceptions'],
  ['exception', `/exceptions/${await first('exception.list', 'exceptions')}`],
  ['webhooks', '/webhooks'],
  ['webhook', `/webhooks/${await first('webhook.list', 'webhooks')}`],
  ['parties', '/parties'],
  ['merchant', '/merchants/Shop'],
  ['provider', '/providers/Network%20B'],
  ['rates', '/rates'],
  ['health', '/health'],
  ['audit', '/audit'],
  ['operators', '/operators'],
  ['settings', '/settings'],
  ['account', '/account'],
  ['inspector', '/inspect/'],
  ['replay', `/inspect/orders/${orders.completed}?step=3`],
  ['machine', '/inspect/machines/payOutForeign'],
  ['not-found', `/orders/00000000-0000-4000-8000-000000000000`],
]

const browser = await launchBrowser()
if (browser === null) throw new Error('There is no browser.')
try {
  for (const [screen, size] of Object.entries(screens)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ ...size, colorScheme })
      const page = await context.newPage()
      const shoot = async (name: string) => {
        if (only.length > 0 && !only.includes(name)) return
        const file = join(folder, `console-${name}-${screen}-${colorScheme}.png`)
        await page.screenshot({ path: file, fullPage: true })
        process.stdout.write(`${file}\n`)
      }
      await page.goto(`${node.operatorUrl}/sign-in`)
      await shoot('sign-in')
      await signIn(page)
      for (const [name, path] of paths) {
        if (only.length > 0 && !only.includes(name)) continue
        await page.goto(node.operatorUrl + path)
        await shoot(name)
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await world.stop()
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('administrator')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${node.operatorUrl}/`)
}
