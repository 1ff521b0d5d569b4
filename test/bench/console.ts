/**
 * How long the pages of the console take over many orders: each page, each way to narrow a list, pages far down, and
 * the first bytes of the table for spreadsheets. `npm run bench -- console --orders 1000000`.
 *
 * Whoever asks is in the node's own process, so that what is measured is a little more than what a browser waits for.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { apply } from '../../actors/provisioning/operations.ts'
import { startNode } from '../../node/node.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { readTokenFile } from '../../node/token-file.ts'
import { statement } from '../../persistence/statement.ts'
import type { Store } from '../../persistence/store.ts'
import { ConsoleVisitor } from '../support/console.ts'
import { median, printTable } from './figures.ts'
import { assertRoom, fill } from './filling.ts'
import { finishOneOrder } from './growth.ts'
import { closedLoop } from './load.ts'
import { creation } from './orders.ts'
import { startServer } from './servers/running.ts'

const aimMs = 200
/** Beside those that ended. */
const openOrders = 300

export async function benchConsole({ orders = 1_000_000, rounds = 20 } = {}): Promise<void> {
  assertRoom(tmpdir(), orders)
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  try {
    await prepare(folder, orders)
    const { node, visitor } = await openBench(folder)
    try {
      report(await measure(visitor, await placesOf(node.core.store), rounds), rounds)
    } finally {
      await node.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function prepare(folder: string, orders: number): Promise<void> {
  await finishOneOrder(folder)
  console.log(`filling with ${orders.toLocaleString('en')} orders, which takes the longest`)
  await fill(folder, orders)
  console.log(`filled: ${(statSync(join(folder, 'node.db')).size / 1e9).toFixed(2)} GB`)
  const server = await startServer('node.ts', { folder })
  await closedLoop(server.port, { connections: 8, units: openOrders }, creation('open'))
  await server.stop()
}

/** Parties that have no order: what looks for theirs must not look at all others. */
const idle = {
  merchants: [
    {
      name: 'Idle Shop',
      contact: 'idle@shop.example',
      pairs: [{ country: 'MX', currency: 'MXN', min: '1.00', max: '50000.00' }],
    },
  ],
  providers: [{ name: 'Idle Network', networks: ['0999'] }],
}

/** A node over what was filled, and somebody who is signed in to its console. */
export async function openBench(folder: string) {
  const file = `${folder}/node.db`
  const settings = loadSettings({
    cwd: folder,
    env: {
      VENTANILLA_DATABASE: `sqlite:${file}`,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true',
    },
  })
  const log = pino({ level: 'info' }, pino.destination({ dest: `${folder}/log`, sync: false }))
  const node = await startNode({ settings, log })
  await apply.run({ ...node.core, clock: systemClock, operator: 'bench' }, idle)
  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.get('/sign-in')
  const { token } = readTokenFile(file) ?? { token: '' }
  const first = { name: 'bench', password: 'a bench needs no rest', node_token: token }
  const { status } = await visitor.post('/first-administrator', first)
  if (status !== 303) throw new Error(`The console did not let the bench in: ${status}`)
  return { node, visitor }
}

const oldest = statement<{ status: 'COMPLETED' | 'READY' }>()('bench.oldest', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .innerJoin('webhooks', 'webhooks.order_id', 'orders.id')
    .select(['orders.id', 'code', 'merchant_order_id', 'orders.created_at', 'webhooks.id as webhook_id'])
    .where('orders.status', '=', arg('status'))
    .orderBy('orders.created_at')
    .limit(1)
    // So many are left for a page far down.
    .offset(200),
)

/** Every page, and the lists in every way that they are narrowed. */
async function placesOf(store: Store): Promise<string[]> {
  const [deep] = await store.query(oldest, { status: 'COMPLETED' })
  if (deep === undefined) throw new Error('There are too few orders.')
  const cursor = Buffer.from(`${deep.created_at} ${deep.id}`).toString('base64url')
  const webhookCursor = Buffer.from(`${deep.created_at} ${deep.webhook_id}`).toString('base64url')
  const day = new Date(deep.created_at).toISOString().slice(0, 10)
  const shops = ['', 'merchant=Bench+Shop', 'merchant=Idle+Shop']
  const networks = ['', 'provider=Bench+Network', 'provider=Idle+Network']
  const statuses = ['', 'status=COMPLETED', 'status=CANCELLED', 'status=PAYMENT_STARTED', 'status=READY']
  const spans = ['', `from=${day}&to=${day}`, `to=${day}`, `cursor=${cursor}`]
  const lists = shops.flatMap((shop) =>
    networks.flatMap((network) =>
      statuses.flatMap((status) =>
        spans.map((span) => [shop, network, status, span].filter(Boolean).join('&')),
      ),
    ),
  )
  return [
    ...fixedPages,
    `/orders/${deep.id}`,
    `/inspect/orders/${deep.id}`,
    `/webhooks/${deep.webhook_id}`,
    `/webhooks?cursor=${webhookCursor}`,
    `/webhooks?state=delivered&merchant=Bench+Shop&cursor=${webhookCursor}`,
    '/webhooks?state=delivered&merchant=Idle+Shop',
    '/webhooks?state=superseded&merchant=Bench+Shop',
    `/orders?q=${deep.id}`,
    `/orders?q=${deep.code}`,
    `/orders?q=${deep.merchant_order_id}`,
    `/orders?q=${deep.merchant_order_id}&provider=Bench+Network&status=COMPLETED&from=${day}`,
    '/orders?q=nothing-of-the-kind&status=COMPLETED&provider=Idle+Network',
    ...lists.map((query) => `/orders?${query}`),
    '/orders.csv',
    `/orders.csv?merchant=Bench+Shop&provider=Bench+Network&to=${day}`,
  ]
}

const fixedPages: readonly string[] = [
  '/',
  '/quarantined',
  '/exceptions',
  '/exceptions?state=resolved',
  '/webhooks',
  '/webhooks?state=dead',
  '/parties',
  '/merchants/Bench%20Shop',
  '/providers/Bench%20Network',
  '/rates',
  '/health',
  '/audit',
  '/audit?operator=nobody',
  '/operators',
  '/settings',
  '/account',
  '/inspect/',
  '/inspect/machines/payOutLocal',
]

interface Measured {
  place: string
  taken: number[]
}

/** Each place in turn, so that a bad moment of the machine is not one page's. */
async function measure(
  visitor: ConsoleVisitor,
  places: readonly string[],
  rounds: number,
): Promise<Measured[]> {
  const measured = places.map((place): Measured => ({ place, taken: [] }))
  console.log(`${places.length} pages, ${rounds} times each after a first one that is not counted`)
  for (let round = 0; round <= rounds; round++) {
    for (const { place, taken } of measured) {
      const startedAt = performance.now()
      await fetched(visitor, place)
      if (round > 0) taken.push(performance.now() - startedAt)
    }
  }
  return measured
}

async function fetched(visitor: ConsoleVisitor, place: string): Promise<void> {
  if (!place.startsWith('/orders.csv')) {
    const { status } = await visitor.get(place)
    if (status !== 200) throw new Error(`${place} answered ${status}`)
    return
  }
  const response = await fetch(visitor.url + place, { headers: { Cookie: visitor.cookie ?? '' } })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  if (response.status !== 200 || first === undefined || first.done) throw new Error(`${place} is empty`)
  await reader?.cancel()
}

function report(measured: readonly Measured[], rounds: number): void {
  const slowestFirst = measured.toSorted((a, b) => median(b.taken) - median(a.taken))
  const milliseconds = (value: number) => value.toFixed(1)
  printTable(
    ['page', 'median ms', 'max ms', `over ${aimMs} ms`],
    slowestFirst.map(({ place, taken }) => [
      place.length > 90 ? `${place.slice(0, 89)}…` : place,
      milliseconds(median(taken)),
      milliseconds(Math.max(...taken)),
      `${taken.filter((each) => each > aimMs).length} of ${rounds}`,
    ]),
  )
  const slow = measured.filter(({ taken }) => median(taken) > aimMs)
  console.log(
    `${slow.length} of ${measured.length} pages have a median over ${aimMs} ms; of tables the first bytes.`,
  )
}
