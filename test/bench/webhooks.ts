/**
 * Webhooks: how many are delivered a second together with the state changes that cause them, and what a hundred
 * thousand that wait cost everything else. `npm run bench -- webhooks`, or alone.
 *
 * The orders' steps are taken without HTTP in front of them, so that the share of the webhooks shows. A sandbox keeps what it has sent, and
 * is measured beside.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import type { Actor } from '../../actors/orders/journal.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import { type Node, startNode } from '../../node/node.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { partyByName } from '../../persistence/queries/provisioning.ts'
import { statement } from '../../persistence/statement.ts'
import type { Write } from '../../persistence/store.ts'
import { refOf } from '../support/order-world.ts'
import { median, printTable, spread } from './figures.ts'

const callers = 64

const modes = ['production', 'sandbox'] as const
type Mode = (typeof modes)[number]

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:9/hooks'

export async function benchWebhooks({ rounds = 5, events = 4000, waiting = 100_000 } = {}): Promise<void> {
  console.log(
    `${rounds} rounds of ${events} events; ${callers} callers; one receiver in a process of its own`,
  )
  const figures: Record<Mode, Delivered[]> = { production: [], sandbox: [] }
  for (let round = 0; round < rounds; round++) {
    for (const mode of modes) figures[mode].push(await deliver(events, mode))
  }
  const names = ['ratePerSecond', 'coreMicroseconds', 'processMicroseconds'] as const
  printTable(
    ['confirmed and delivered', 'a second', "µs of the core's thread for one", 'of all threads'],
    modes.map((mode) => [mode, ...names.map((name) => spread(figures[mode].map((one) => one[name])))]),
  )
  if (waiting === 0) return
  const pairs = await costOfWaiting({ rounds, pairs: events / 2, waiting })
  printTable(
    ['start+confirm', 'pairs a second'],
    [
      ['nothing waits', spread(pairs.without)],
      [`${waiting.toLocaleString('en')} webhooks wait`, spread(pairs.with)],
      ['cost', `${(100 * median(pairs.costs)).toFixed(1)} %`],
    ],
  )
}

/** Processor time is of what was measured alone, and of one event. */
interface Delivered {
  ratePerSecond: number
  coreMicroseconds: number
  processMicroseconds: number
}

/** Confirms orders as fast as it goes, until the last webhook of them was acknowledged and settled. */
async function deliver(events: number, mode: Mode): Promise<Delivered> {
  const receiver = await startReceiver()
  const bench = await openBench(mode, [new URL(receiver.url).origin])
  try {
    const codes = await lockedOrders(bench, events, receiver.url)
    const startedAt = performance.now()
    const [core, all] = [process.threadCpuUsage(), process.cpuUsage()]
    await inParallel(codes, (id) => confirm(bench, id))
    while ((await bench.node.core.store.query(pending, {})).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const seconds = (performance.now() - startedAt) / 1000
    const forOne = ({ user, system }: NodeJS.CpuUsage) => (user + system) / events
    return {
      ratePerSecond: events / seconds,
      coreMicroseconds: forOne(process.threadCpuUsage(core)),
      processMicroseconds: forOne(process.cpuUsage(all)),
    }
  } finally {
    await bench.close()
    await receiver.stop()
  }
}

/** Start+confirm pairs, in turn on a database where nothing waits and one where much does. */
async function costOfWaiting({ rounds, pairs, waiting }: { rounds: number; pairs: number; waiting: number }) {
  const hanging = createTcpServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const { port } = hanging.address() as AddressInfo
  const origins = [`http://127.0.0.1:${port}`, new URL(nowhere).origin]
  const [idle, busy] = [await openBench('production', origins), await openBench('production', origins)]
  const result = { without: [] as number[], with: [] as number[], costs: [] as number[] }
  try {
    await addWaiting(busy, waiting, `http://127.0.0.1:${port}/hooks`)
    for (let round = 0; round < rounds; round++) {
      // Each first in every other round: what the disk does then is nobody's cost.
      const order = round % 2 === 0 ? [idle, busy] : [busy, idle]
      for (const bench of order) {
        const rate = await pairRate(bench, pairs)
        ;(bench === idle ? result.without : result.with).push(rate)
      }
      result.costs.push(1 - (result.with.at(-1) ?? 0) / (result.without.at(-1) ?? 1))
    }
  } finally {
    await Promise.all([idle.close(), busy.close()])
    hanging.close()
  }
  return result
}

async function pairRate(bench: Bench, pairs: number): Promise<number> {
  const ids = await readyOrders(bench, pairs, nowhere)
  const startedAt = performance.now()
  await inParallel(ids, async (id) => {
    await start(bench, id)
    await confirm(bench, id)
  })
  return pairs / ((performance.now() - startedAt) / 1000)
}

type SigningActor = Extract<Actor, { credential: string }>

interface Bench {
  node: Node
  merchant: SigningActor
  provider: SigningActor
  close(): Promise<void>
}

const parties = {
  merchants: ['Bench Shop', 'Waiting Shop'].map((name) => ({
    name,
    contact: 'bench@shop.example',
    credentials: [{ key: `mk_${name.replace(' ', '_')}` }],
    pairs: [{ country: 'MX', currency: 'MXN', min: '1.00', max: '50000.00' }],
    deposits: [{ currency: 'MXN', amount: '900000000000.00', reference: 'opening' }],
  })),
  providers: [{ name: 'Bench Network', contact: '', credentials: [{ key: 'pk_bench' }], networks: ['0001'] }],
}

/** @param origins where webhooks may go although it is this machine */
async function openBench(mode: Mode, origins: readonly string[]): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'node.key'), generateMasterKey(), { mode: 0o600 })
  const settings = loadSettings({
    cwd: folder,
    env: {
      VENTANILLA_MODE: mode,
      VENTANILLA_DATABASE: `sqlite:${folder}/data/node.db`,
      VENTANILLA_KEYS_FILE: `${folder}/node.key`,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
    },
  })
  const log = pino({ level: 'info' }, pino.destination({ dest: `${folder}/log`, sync: false }))
  const exemptOrigins = Object.fromEntries(parties.merchants.map(({ name }) => [name, origins]))
  const node = await startNode({ settings, log, exemptOrigins, ballastBytes: 1024 * 1024 })
  const { store } = node.core
  await apply.run({ ...node.core, clock: systemClock, operator: 'bench' }, parties)
  const idOf = async (kind: 'merchant' | 'provider', name: string) =>
    (await store.query(partyByName, { kind, name }))[0]?.id ?? ''
  return {
    node,
    merchant: {
      kind: 'merchant',
      id: await idOf('merchant', 'Bench Shop'),
      name: 'Bench Shop',
      credential: 'mk_Bench_Shop',
    },
    provider: {
      kind: 'provider',
      id: await idOf('provider', 'Bench Network'),
      name: 'Bench Network',
      credential: 'pk_bench',
    },
    async close() {
      await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const pending = statement<Record<never, never>>()('bench.pending', ({ db }) =>
  db.selectFrom('webhooks').select('id').where('settled_at', 'is', null).limit(1),
)

const readyIds = statement<{ limit: number }>()('bench.ready', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'READY')
    .orderBy('created_at', 'desc')
    .limit(arg('limit')),
)

let created = 0

async function readyOrders(bench: Bench, count: number, notifyUrl: string): Promise<string[]> {
  const { orders, store } = bench.node.core
  await inParallel(
    Array.from({ length: count }, () => `bench-${created++}`),
    async (merchantOrderId) => {
      await orders.create({
        merchant: bench.merchant,
        direction: 'PAY_OUT',
        orderType: 'LocalCurrencyOrder',
        merchantOrderId,
        country: 'MX',
        priceMinor: 100_000n,
        currency: 'MXN',
        description: 'Refund of order 1234',
        notifyUrl,
        returnUrl: 'https://shop.example/done',
        consumerEmail: 'ana@example.com',
        consumerPhoneNumber: '',
        expiryAt: systemClock.now() + 86_400_000,
      })
    },
  )
  for (;;) {
    const ready = await store.query(readyIds, { limit: count })
    if (ready.length === count) return ready.map(({ id }) => id)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function lockedOrders(bench: Bench, count: number, notifyUrl: string): Promise<string[]> {
  const ids = await readyOrders(bench, count, notifyUrl)
  await inParallel(ids, (id) => start(bench, id))
  return ids
}

async function start({ node, provider }: Bench, orderId: string): Promise<void> {
  const told = await node.core.orders.tell({
    order: await refOf(node.core.store, orderId),
    actor: provider,
    type: 'payment.start',
    providerId: provider.id,
    networkId: '0001',
  })
  if (told.outcome !== 'accepted') throw new Error(`a start was ${told.outcome}`)
}

async function confirm({ node, provider }: Bench, orderId: string): Promise<void> {
  const told = await node.core.orders.tell({
    order: await refOf(node.core.store, orderId),
    actor: provider,
    type: 'payment.confirm',
    providerId: provider.id,
  })
  if (told.outcome !== 'accepted') throw new Error(`a confirmation was ${told.outcome}`)
}

/** Orders of another merchant that have ended, each with a webhook that is due at a receiver that hangs. */
async function addWaiting({ node }: Bench, count: number, url: string): Promise<void> {
  const { store } = node.core
  const [merchant] = await store.query(partyByName, { kind: 'merchant', name: 'Waiting Shop' })
  const now = systemClock.now()
  for (let from = 0; from < count; from += 1000) {
    const writes = Array.from({ length: Math.min(1000, count - from) }, (_, index) =>
      waitingOrder(from + index, merchant?.id ?? '', url, now),
    )
    await store.step({ rows: {}, decide: () => ({ answer: null, writes: writes.flat() }) })
  }
}

function waitingOrder(number: number, merchantId: string, url: string, at: number): Write[] {
  const id = `waiting-${number}`
  const order = {
    code: id,
    direction: 'PAY_OUT',
    order_type: 'LocalCurrencyOrder',
    merchant_id: merchantId,
    merchant_order_id: id,
    credential_key: 'mk_Waiting_Shop',
    country: 'MX',
    price_minor: 100_000n,
    currency: 'MXN',
    description: 'Refund of order 1234',
    notify_url: url,
    return_url: 'https://shop.example/done',
    created_at: at,
    modified_at: at,
    expiry_at: at,
    status: 'CANCELLED',
    locks: 0,
    revision: 1,
    journal_count: 0,
    journal_head: '',
    refusals: 0,
    webhook_count: 1,
    machine: 'payOutLocal',
    machine_version: 1,
    snapshot: '{}',
  } as const
  const webhook = {
    id,
    order_id: id,
    merchant_id: merchantId,
    sequence: 1,
    order_status: 'CANCELLED',
    is_final: 1,
    url,
    host: new URL(url).host,
    body: JSON.stringify({ ...order, price_minor: '100000' }),
    state: 'pending',
    created_at: at,
    due_at: at,
    attempts: 0,
  } as const
  return [
    { insert: 'orders', values: { id, ...order } },
    { insert: 'webhooks', values: webhook },
  ]
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      // All callers share one iterator.
      for (const item of rest) await work(item)
    }),
  )
}

async function startReceiver(): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'servers/receiver.ts'))
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async stop() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

if (process.argv[1] === import.meta.filename) await benchWebhooks()
