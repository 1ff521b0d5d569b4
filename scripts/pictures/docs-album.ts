/** The pictures of the README and the guides: a sandbox as it looks after some weeks of work. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { prepareMix } from '../../test/bench/mix.ts'
import { password, startConsoleWorld } from '../../test/support/console.ts'
import { payOutBody } from '../../test/support/node.ts'
import { merchantPath } from '../../test/support/orders.ts'
import type { Album } from './camera.ts'

const orders = 6_000

export async function docsAlbum(): Promise<Album> {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-pictures-'))
  await prepareMix(directory, orders)
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  const world = await startConsoleWorld({ directory, env })
  const { node, ask } = world
  await ask('operator.set', { name: 'administrator', language: 'en' }, 'test')
  // What the merchant had was set aside to be paid, each day.
  const deposit = {
    merchant: 'Abarrotes del Bajío',
    reference: 'SPEI 4711',
    amount: '250000.00',
    currency: 'MXN',
  }
  await ask('deposit.add', { ...deposit, reason: 'for the pictures' }, 'test')
  const made = await node.request({
    as: 'mk_mix0',
    path: merchantPath('PAY_OUT'),
    body: payOutBody({ price: '1250.50', description: 'Retiro de saldo, pedido 4711' }),
  })
  const id: string = made.json.id
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  return {
    now: node.clock.now(),
    locale: 'es-MX',
    pictures: [
      { name: 'docs-checkout', url: `${node.publicUrl}/checkout/${id}` },
      { name: 'docs-console', url: `${node.operatorUrl}/orders` },
      { name: 'docs-inspector', url: `${node.operatorUrl}/inspect/orders/${world.orders.completed}?step=3` },
    ],
    enter: (page) => signIn(page, node.operatorUrl),
    async stop() {
      await world.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** In whatever language. */
async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/sign-in`)
  await page.locator('[name=name]').fill('administrator')
  await page.locator('[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/`)
}
