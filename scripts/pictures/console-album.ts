/** The console's pages and the inspector's, from nodes with fixed data, ids and clocks. */
import { Readable } from 'node:stream'
import type { Page } from 'playwright-core'
import type { RunDocument } from '../../actors/reconciliation/run-document.ts'
import { quarantineOpenOrders } from '../../persistence/queries/quarantine.ts'
import { type ConsoleWorld, onSqlite, password, startConsoleWorld } from '../../test/support/console.ts'
import { sendForm } from '../../test/support/console-barriers.ts'
import { startTestNode, stopTestNode } from '../../test/support/node.ts'
import { closerOf } from '../../test/support/statement-world.ts'
import type { Album, Picture } from './camera.ts'
import { seedRandomness } from './seeded-randomness.ts'

const rate = { send: 'USDC', country: 'MX', target: 'MXN', rate: '17.00', feeFixed: '0.50' }

/** Shown without being signed in: the first administrator's page is of a node that has none. */
export async function entranceAlbum(): Promise<Album> {
  seedRandomness()
  const empty = await startTestNode(onSqlite())
  return {
    now: empty.clock.now(),
    locale: 'en-US',
    pictures: [{ name: 'console-first-administrator', url: `${empty.operatorUrl}/sign-in` }],
    enter: async () => {},
    stop: () => stopTestNode(empty),
  }
}

export async function consoleAlbum(): Promise<Album> {
  seedRandomness()
  const world = await startConsoleWorld(onSqlite())
  const { node } = world
  await node.apply({ rates: [{ blockchains: ['SOLANA'], ...rate }] })
  await settleNetwork(world)
  const looked = await reportDay(world)
  const base = node.operatorUrl
  // As after a backup was restored, which is no everyday sight, so it comes last.
  const hold = async (page: Page) => {
    await node.core.store.execute(quarantineOpenOrders, { at: node.clock.now() })
    await page.reload()
  }
  const paths = { ...(await pathsOf(world)), 'report-preview': `/reconciliation/files/${looked}` }
  const pictures: Picture[] = Object.entries(paths).map(([name, path]) => ({ name, url: base + path }))
  return {
    now: node.clock.now(),
    locale: 'en-US',
    pictures: [
      ...pictures.map(({ name, url }) => ({ name: `console-${name}`, url })),
      ...Object.entries(previews).map(([name, { path, action, values }]) => ({
        name: `console-${name}`,
        url: base + path,
        prepare: (page: Page) => sendForm(page, action, values, true),
      })),
      { name: 'console-overview-quarantined', url: `${base}/`, prepare: hold },
      { name: 'console-quarantined', url: `${base}/quarantined`, prepare: hold },
      { name: 'console-sign-in', url: `${base}/sign-in`, prepare: (page) => signOut(page, base) },
    ],
    enter: (page) => signIn(page, base),
    stop: () => world.stop(),
  }
}

/** Something is closed, something is due, something closes next, and a limit is near. */
async function settleNetwork({ node, ask }: ConsoleWorld): Promise<void> {
  const settles = { currency: 'MXN', timeZone: 'UTC', every: 'day', account: 'CLABE …1234' }
  await node.apply({
    banks: [{ name: 'main', currency: 'MXN' }],
    providers: [
      {
        name: 'Network A',
        settles: [settles],
        exposure: [{ currency: 'MXN', limit: '1200.00', warnAtPercent: 80 }],
      },
    ],
    merchants: [{ name: 'Shop', settles: [{ ...settles, account: 'CLABE …5678' }] }],
  })
  for (const party of ['Network A', 'Shop']) await ask('statement.close', { party, currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
}

/** A report of the network with differences is applied, and a corrected one is looked at. */
async function reportDay({ node, ask, orders }: ConsoleWorld): Promise<string> {
  const network = { id: '0001', name: 'Tiendas A', currency: 'MXN' }
  await node.apply({ providers: [{ name: 'Network A', networks: [network] }] })
  const report = async (lines: string[], day = '2026-03-01') => {
    const text = ['order,outcome,amount,paid_at,reference', ...lines, ''].join('\r\n')
    const received = await node.core.uploads.receive(Readable.from([Buffer.from(text)]))
    if (!received.ok) throw new Error(received.reason)
    const input = { file: received.upload.id, provider: 'Network A', network: '0001', day }
    const { run } = (await ask('reconciliation.read', input, 'ana')) as RunDocument
    await node.core.reports.settled(run)
    return run
  }
  const apply = async (run: string) => {
    await ask('reconciliation.apply', { run }, 'ana')
    await node.core.reports.settled(run)
  }
  const at = '2026-03-01T13:05:00Z'
  const common = [`${orders.stranded},paid,1000.00,${at},F-7001`, `${orders.ready},paid,1000.00,${at},F-7003`]
  await apply(
    await report([`${orders.completed},paid,990.00,${at},F-7002`, ...common, `,paid,75.50,${at},F-7004`]),
  )
  await apply(await report([], '2026-02-28'))
  return report([`${orders.completed},paid,1000.00,${at},F-7002`, ...common])
}

/** Forms whose booking is looked at first: filled in, and sent with their last box. */
const previews = {
  'changes-preview': {
    path: '/merchants/Shop?form=deposit',
    action: '/apply/preview',
    values: { amount: '1250.00', currency: 'MXN', reference: 'SPEI 88' },
  },
  'run-preview': {
    path: '/payments',
    action: '/payment/due',
    values: { on: '2026-12-31', bank: 'main' },
  },
  'correction-preview': {
    path: '/adjustments',
    action: '/adjustment/record',
    values: {
      ...{ party: 'Network A', because: 'dispute', currency: 'MXN', statement: '1', line: '1' },
      ...{ amount: '-2.50', tax: '-0.40', reference: 'claim 88', reason: 'the new commission held already' },
    },
  },
} as const

async function pathsOf({ ask, orders }: ConsoleWorld): Promise<Readonly<Record<string, string>>> {
  const { exceptions } = (await ask('exception.list', {}, 'test')) as { exceptions: { id: string }[] }
  const { webhooks } = (await ask('webhook.list', { state: 'dead' }, 'test')) as {
    webhooks: { id: string }[]
  }
  return {
    overview: '/',
    orders: '/orders',
    'orders-filtered': '/orders?status=READY&merchant=Shop',
    'orders-none': '/orders?q=nothing',
    'search-none': '/search?q=no+such+thing',
    'search-names': '/search?q=network',
    'order-started': `/orders/${orders.started}`,
    'order-completed': `/orders/${orders.completed}`,
    'order-stranded': `/orders/${orders.stranded}`,
    exceptions: '/exceptions',
    exception: `/exceptions/${exceptions[0]?.id}`,
    webhooks: '/webhooks',
    webhook: `/webhooks/${webhooks[0]?.id}`,
    parties: '/parties',
    'parties-file': '/parties?form=file',
    merchant: '/merchants/Shop',
    'merchant-limits': '/merchants/Shop?form=pair-MX-MXN',
    'terms-merchant': '/terms?kind=merchant&party=Shop',
    'terms-provider': '/terms?kind=provider&party=Network%20A',
    'terms-network': '/terms?kind=provider&party=Network%20A&form=network-0001',
    calendars: '/calendars',
    provider: '/providers/Network%20B',
    settlement: '/settlement',
    statements: '/statements',
    'statement-provider': '/statement?kind=provider&party=Network%20A&currency=MXN&number=1',
    'statement-merchant': '/statement?kind=merchant&party=Shop&currency=MXN&number=1',
    payments: '/payments',
    reconciliation: '/reconciliation',
    'reconciliation-day': '/reconciliation/days/0001/2026-03-01',
    rates: '/rates',
    rate: '/rates/SOLANA/USDC/MX/MXN',
    health: '/health',
    queue: '/queue',
    audit: '/audit',
    operators: '/operators',
    settings: '/settings',
    account: '/account',
    inspector: '/inspect/',
    replay: `/inspect/orders/${orders.completed}?step=3`,
    machine: '/inspect/machines/payOutForeign',
    'not-found': '/orders/00000000-0000-4000-8000-000000000000',
  }
}

async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/sign-in`)
  await page.getByLabel('Name').fill('administrator')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${base}/`)
}

async function signOut(page: Page, base: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${base}/sign-in`)
}
