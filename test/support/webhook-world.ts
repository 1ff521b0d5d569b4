/**
 * The webhook worker on a real database, beside a clock that stands still and receivers that are functions: what
 * takes four days goes by in a moment.
 */
import pino from 'pino'
import type { Test } from 'uvu'
import type { PassResult } from '../../actors/foundation/worker.ts'
import type { DeliveryOptions } from '../../actors/webhooks/attempts.ts'
import { WebhookDelivery } from '../../actors/webhooks/delivery.ts'
import type { AttemptResult, WebhookMessage, WebhookSender } from '../../actors/webhooks/sender.ts'
import { productionRetries } from '../../machines/retry.ts'
import type { Instant } from '../../machines/time.ts'
import { openStore } from '../../persistence/index.ts'
import type { TableName } from '../../persistence/schema.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { newOrder } from '../persistence/rows.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { allRows, testDatabases } from './database.ts'
import { changedStore } from './order-world.ts'

/** What a receiver makes of a message; undefined while it has not answered, and then `answer` says it. */
export type Receiving = (message: WebhookMessage, at: Instant) => Partial<AttemptResult> | undefined

export interface WebhookWorld {
  store: Store
  clock: FakeClock
  sender: FakeSender
  /** Adds an order with webhooks: one for each letter, `f` for a final one. Returns their ids. */
  order(webhooks: string, more?: Partial<Row<'webhooks'>>): Promise<string[]>
  /** A delivery that knows nothing of an earlier one, like that of a node that starts. */
  start(options?: Partial<DeliveryOptions>): WorldDelivery
  webhook(id: string): Promise<Row<'webhooks'>>
  attempts(id: string): Promise<Row<'webhook_attempts'>[]>
  rows<T extends TableName>(table: T): Promise<Row<T>[]>
  commit(writes: readonly Write[]): Promise<void>
}

export interface WorldDelivery {
  delivery: Pick<WebhookDelivery, 'lookAgain' | 'finish'>
  /** One pass, as its worker makes it. */
  pass(): Promise<PassResult>
  /** Passes as long as there is something to do now. */
  run(): Promise<PassResult>
  /** Lets time go by until then, or until nothing will fall due any more. */
  runUntil(at: Instant): Promise<void>
}

const merchants = ['shop', 'other'] as const
export const contact = 'ops@shop.example'

export class FakeSender implements WebhookSender {
  readonly sent: { at: Instant; message: WebhookMessage }[] = []
  receive: Receiving = () => ({ outcome: 'acknowledged', status: 200 })
  isClosed = false
  readonly #clock: FakeClock
  readonly #waiting: { url: string; answer: (result: Partial<AttemptResult>) => void }[] = []

  constructor(clock: FakeClock) {
    this.#clock = clock
  }

  async send(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptResult> {
    const at = this.#clock.now()
    this.sent.push({ at, message })
    const received = this.receive(message, at)
    return resultOf(received ?? (await this.#wait(message, signal)))
  }

  /** Ends the oldest attempt that waits for an answer. */
  answer(result: Partial<AttemptResult>): void {
    this.#waiting.shift()?.answer(result)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  close(): void {
    this.isClosed = true
  }

  #wait({ url }: WebhookMessage, signal: AbortSignal | undefined): Promise<Partial<AttemptResult>> {
    return new Promise((resolve) => {
      this.#waiting.push({ url, answer: resolve })
      signal?.addEventListener('abort', () => resolve({ outcome: 'unknown', wasSent: url.includes('slow') }))
    })
  }
}

function resultOf(given: Partial<AttemptResult>): AttemptResult {
  return {
    outcome: 'acknowledged',
    status: null,
    address: '192.0.2.1',
    answer: null,
    answerBytes: 0,
    isCut: false,
    retryAfter: null,
    milliseconds: 20,
    error: null,
    wasSent: true,
    ...given,
  }
}

/** Worlds for the tests of a file. */
export function webhookWorlds(test: Test) {
  const databases = testDatabases(test)
  return (name: string, play: (world: WebhookWorld) => Promise<void>): void => {
    test(name, async () => {
      const clock = fakeClock()
      const url = await databases.create()
      const store = await openStore(url, { clock })
      try {
        await play(await settle(watched(store), clock))
      } finally {
        await store.close()
        await databases.drop(url)
      }
    })
  }
}

interface WatchedStore extends Store {
  /** Resolves once nothing that was asked is unanswered. */
  idle(): Promise<void>
}

function watched(store: Store): WatchedStore {
  const underWay = new Set<Promise<unknown>>()
  const watch = async <Result>(asked: Promise<Result>): Promise<Result> => {
    underWay.add(asked)
    try {
      return await asked
    } finally {
      underWay.delete(asked)
    }
  }
  return {
    ...changedStore(store, {
      step: (step) => watch(store.step(step)),
      query: (asked, args) => watch(store.query(asked, args)),
      execute: (asked, args) => watch(store.execute(asked, args)),
    }),
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

async function settle(store: WatchedStore, clock: FakeClock): Promise<WebhookWorld> {
  const sender = new FakeSender(clock)
  const commit = async (writes: readonly Write[]) => {
    await store.step({ rows: {}, decide: () => ({ answer: null, writes, wake: ['webhooks'] }) })
  }
  await commit(merchants.flatMap(partyOf))
  let orders = 0
  return {
    store,
    clock,
    sender,
    commit,
    async order(webhooks, more = {}) {
      const merchantId = more.merchant_id ?? 'shop'
      const writes = orderWithWebhooks(`o${++orders}`, merchantId, webhooks, clock.now(), more)
      await commit(writes)
      return writes.flatMap((write) =>
        'insert' in write && write.insert === 'webhooks' ? write.values.id : [],
      )
    },
    start: (options) => startDelivery(store, clock, sender, options),
    webhook: async (id) => {
      const found = (await allRows(store, 'webhooks')).find((webhook) => webhook.id === id)
      if (found === undefined) throw new Error(`there is no webhook ${id}`)
      return found
    },
    attempts: async (id) =>
      (await allRows(store, 'webhook_attempts')).filter(({ webhook_id }) => webhook_id === id),
    rows: (table) => allRows(store, table),
  }
}

function partyOf(id: (typeof merchants)[number]): Write[] {
  const name = id === 'shop' ? 'Shop' : 'Other Shop'
  return [
    { insert: 'parties', values: { id, kind: 'merchant', name, contact, created_at: 0 } },
    {
      insert: 'credentials',
      values: { key: `mk_${id}`, party_id: id, secret_ciphertext: '', created_at: 0 },
    },
  ]
}

/** An order and its webhooks, as steps would have written them. */
export function orderWithWebhooks(
  id: string,
  merchantId: string,
  webhooks: string,
  at: Instant,
  more: Partial<Row<'webhooks'>> = {},
): Write[] {
  const url = more.url ?? `https://${merchantId}.example/hooks?source=node`
  const order = newOrder(id, at, {
    merchant_id: merchantId,
    credential_key: `mk_${merchantId}`,
    notify_url: url,
    webhook_count: webhooks.length,
  })
  return [
    order,
    ...[...webhooks].map((letter, index): Write => {
      const status = letter === 'f' ? 'CANCELLED' : 'CREATED'
      return {
        insert: 'webhooks',
        values: {
          id: `${id}-${index + 1}`,
          order_id: id,
          merchant_id: merchantId,
          sequence: index + 1,
          order_status: status,
          is_final: letter === 'f' ? 1 : 0,
          url,
          host: new URL(url).host,
          body: JSON.stringify({ id, status, number: index + 1 }),
          state: 'pending',
          created_at: at,
          due_at: at,
          attempts: 0,
          ...more,
        },
      }
    }),
  ]
}

function startDelivery(
  store: WatchedStore,
  clock: FakeClock,
  sender: WebhookSender,
  options: Partial<DeliveryOptions> = {},
): WorldDelivery {
  let isWoken = false
  const unsubscribe = store.subscribe('webhooks', () => {
    isWoken = true
  })
  const delivery = new WebhookDelivery({
    store,
    clock,
    credentials: {
      webhookCredential: async (id) => ({ key: `mk_${id}`, secret: `a secret of ${id} that is long enough` }),
    },
    sender,
    rulesFor: () => ({ allowPrivate: false, ports: [443], exemptOrigins: [], ownAddresses: () => [] }),
    policy: productionRetries,
    timeoutMs: 15_000,
    isTrusted: () => true,
    log: pino({ level: 'silent' }),
    wake: () => {
      isWoken = true
    },
    random: () => 0,
    graceMs: 0,
    lingerMs: 0,
    ...options,
  })
  const run = async () => {
    isWoken = true
    let result: PassResult = { more: false }
    // An attempt takes a few turns of the event loop: its step, and those that follow from it.
    for (let quiet = 0; quiet < 8; quiet++) {
      while (isWoken || result.more) {
        isWoken = false
        quiet = 0
        result = await delivery.pass()
      }
      await new Promise((resolve) => setImmediate(resolve))
      await store.idle()
    }
    return result
  }
  const runUntil = async (at: Instant) => {
    for (;;) {
      const { nextAt = null } = await run()
      if (nextAt === null || nextAt > at) break
      clock.advance(nextAt - clock.now())
    }
    if (clock.now() >= at) return
    clock.advance(at - clock.now())
    await run()
  }
  return {
    delivery: {
      lookAgain: () => delivery.lookAgain(),
      finish: async () => {
        unsubscribe()
        await delivery.finish()
      },
    },
    pass: () => delivery.pass(),
    run,
    runUntil,
  }
}
