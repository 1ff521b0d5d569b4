/**
 * The deliveries that are killed: the worker on a real database and real connections, `webhook-node.ts FILE
 * ORIGINS AHEAD_MS`. It keeps two hundred webhooks waiting for the receivers until it is told to add no more, and
 * tells its parent when none is left.
 */
import pino from 'pino'
import { createActor, waitFor } from 'xstate'
import { root } from '../../actors/foundation/root.ts'
import { worker } from '../../actors/foundation/worker.ts'
import { WebhookDelivery } from '../../actors/webhooks/delivery.ts'
import { createWebhookSender } from '../../actors/webhooks/sender.ts'
import { productionRetries } from '../../machines/retry.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import type { Write } from '../../persistence/store.ts'
import { orderWithWebhooks } from '../support/webhook-world.ts'

const [file = '', origins = '', ahead = '0', mode = 'add'] = process.argv.slice(2)
const waitingAtLeast = 200
/** What an order has; three of four have something before their final event. */
const shapes = ['f', 'nf', 'nnf', 'nnnf']

/** Time is further on in each life, so that nobody waits for a retry. */
const clock = { now: () => Date.now() + Number(ahead) }
const store = openSqliteStore({ file, clock })

const known = statement<Record<never, never>>()('kill.orders', ({ db }) =>
  db.selectFrom('orders').select(({ fn }) => fn.countAll<number>().as('orders')),
)
const pending = statement<Record<never, never>>()('kill.pending', ({ db }) =>
  db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('webhooks'))
    .where('settled_at', 'is', null),
)
const countOrders = async () => (await store.query(known, {}))[0]?.orders ?? 0
const countPending = async () => (await store.query(pending, {}))[0]?.webhooks ?? 0

if ((await countOrders()) === 0) {
  await commit([
    { insert: 'parties', values: { id: 'shop', kind: 'merchant', name: 'Shop', contact: '', created_at: 0 } },
    {
      insert: 'credentials',
      values: { key: 'mk_shop', party_id: 'shop', secret_ciphertext: '', created_at: 0 },
    },
  ])
}

const delivery = new WebhookDelivery({
  store,
  clock,
  credentials: { webhookCredential: async () => ({ key: 'mk_shop', secret: 'x'.repeat(40) }) },
  sender: createWebhookSender({ resolve: async () => [] }),
  rulesFor: () => ({
    allowPrivate: false,
    ports: [443],
    exemptOrigins: origins.split(','),
    ownAddresses: () => [],
  }),
  policy: productionRetries,
  timeoutMs: 15_000,
  isTrusted: () => true,
  log: pino({ level: 'silent' }),
  wake: () => actor.send({ type: 'worker.wake', id: 'webhooks' }),
})
const input = {
  pass: () => delivery.pass(),
  finish: () => delivery.finish(),
  clock,
  pollMs: 100,
  onError: failed,
}
const actor = createActor(root, { input: { workers: [{ id: 'webhooks', logic: worker, input }] } }).start()
store.subscribe('webhooks', () => actor.send({ type: 'worker.wake', id: 'webhooks' }))

// The parent is gone: nobody would end this otherwise.
process.on('disconnect', () => process.exit(0))
if (mode === 'add') await addForEver()
else await drain()

async function addForEver(): Promise<void> {
  for (let number = await countOrders(); ; ) {
    const missing = waitingAtLeast - (await countPending())
    const writes: Write[] = []
    for (let added = 0; added < missing; number++) {
      const shape = shapes[number % shapes.length] ?? 'f'
      const urls = origins.split(',')
      const url = `${urls[number % urls.length]}/hooks`
      writes.push(...orderWithWebhooks(`order-${number}`, 'shop', shape, clock.now(), { url }))
      added += shape.length
    }
    if (writes.length > 0) await commit(writes)
    process.send?.('busy')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Until nothing is due any more: the parent starts the next life later in time. */
async function drain(): Promise<void> {
  for (let quiet = 0, before = -1; quiet < 20; ) {
    const left = await countPending()
    quiet = left === before ? quiet + 1 : 0
    before = left
    if (left === 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  actor.send({ type: 'workers.stop' })
  await waitFor(actor, (snapshot) => snapshot.status === 'done')
  const left = await countPending()
  await store.close()
  process.send?.({ left }, () => process.exit(0))
}

async function commit(writes: readonly Write[]): Promise<void> {
  await store.step({ rows: {}, decide: () => ({ answer: null, writes, wake: ['webhooks'] }) })
}

function failed(error: unknown): never {
  throw error
}
