/** Orders on a real database file, beside a clock that stands still: a shop, two providers, and their keys. */

import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Answer, MessageGuard } from '../../actors/orders/answers.ts'
import type { Created } from '../../actors/orders/creating.ts'
import type { NewOrder } from '../../actors/orders/creation.ts'
import { fundWaitingOrders } from '../../actors/orders/funding.ts'
import type { Actor } from '../../actors/orders/journal.ts'
import { move } from '../../actors/orders/postings.ts'
import {
  createOrderRegistry,
  type OrderRegistry,
  type RegistryOptions,
} from '../../actors/orders/registry.ts'
import { takeableRows, takeBack } from '../../actors/orders/taking-back.ts'
import { type OrderRef, orderRef, type Said, type Told } from '../../actors/orders/telling.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { Instant } from '../../machines/time.ts'
import { openStore } from '../../persistence/index.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { TableName } from '../../persistence/schema.ts'
import type { AccountRef, Row, Store, Write } from '../../persistence/store.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { allRows, testDatabases } from './database.ts'
import { stuckOrdersOf } from './stuck-orders.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const graceMs = 10 * minuteMs
export const maxOutageMs = 6 * hourMs
export const journalKey = 'a key of the journal'
export const checkoutUrl = 'https://pay.example/checkout'

export type Till = 'A' | 'B'

export const shop = { kind: 'merchant', id: 'shop', name: 'Shop', credential: 'mk_shop' } as const
export const otherShop = { kind: 'merchant', id: 'other', name: 'Other', credential: 'mk_other' } as const
export const tills = {
  A: { kind: 'provider', id: 'network-a', name: 'Network A', credential: 'pk_a' },
  B: { kind: 'provider', id: 'network-b', name: 'Network B', credential: 'pk_b' },
} as const
export const operator = { kind: 'operator', name: 'ana' } as const

/** What is told, by whom; `extra` are the parts of a message that few of them have. */
export interface Telling {
  guard?: MessageGuard
  revision?: number
  hasTerms?: true
}

export interface OrderWorld {
  /** Of its database. */
  url: string
  store: Store
  clock: FakeClock
  orders: OrderRegistry
  /** Set to false while the clock is in doubt. */
  expiry: { mayExpire: boolean }
  /** Puts money into the shop's account, and funds what waits for it. */
  deposit(amountMinor: bigint, currency?: string): Promise<void>
  /** Takes money out again, as a deposit is reversed: what is not available becomes a debt. */
  takeBack(amountMinor: bigint): Promise<void>
  fund(): Promise<void>
  create(changes?: Partial<NewOrder>, guard?: MessageGuard): Promise<Created>
  /** A new order of the shop; it is funded where the shop's balance holds it. */
  order(changes?: Partial<NewOrder>): Promise<Row<'orders'>>
  tell(orderId: string, actor: Actor, said: Said, telling?: Telling): Promise<Told>
  start(orderId: string, till: Till, telling?: Telling): Promise<Told>
  confirm(orderId: string, till: Till, telling?: Telling): Promise<Told>
  giveBack(orderId: string, till: Till, telling?: Telling): Promise<Told>
  cancel(orderId: string, force?: boolean, telling?: Telling): Promise<Told>
  /** The row as it is, without applying what fell due. */
  row(orderId: string): Promise<Row<'orders'>>
  rows<T extends TableName>(table: T): Promise<Row<T>[]>
  balance(account: Partial<AccountRef>): Promise<bigint>
}

/** Plays in a world of its own, on a new database, and closes it afterwards. */
export type Play = (play: (world: OrderWorld) => Promise<void>) => Promise<void>

/**
 * Worlds for the tests of a file.
 *
 * @param prepare done once; each world begins as it leaves its database
 */
export function orderWorlds(test: Test, prepare?: (world: OrderWorld) => Promise<void>): Play {
  const databases = testDatabases(test)
  const begin = async (url: string, play: (world: OrderWorld) => Promise<void>, hasParties: boolean) => {
    const clock = fakeClock()
    const store = await openStore(url, { clock })
    try {
      if (!hasParties) await commit(store, [shop, otherShop, tills.A, tills.B].flatMap(partyOf))
      await play({ ...worldOf(store, clock), url })
    } finally {
      await store.close()
    }
  }
  let prepared: string | null = null
  return async (play) => {
    if (prepare !== undefined && prepared === null) {
      prepared = await databases.create()
      await begin(prepared, prepare, false)
    }
    const url = await (prepared === null ? databases.create() : databases.copy(prepared))
    try {
      await begin(url, play, prepared !== null)
    } finally {
      await databases.drop(url)
    }
  }
}

/** Registers tests that each play in a world of their own. */
export function inOrderWorld(test: Test) {
  const inWorld = orderWorlds(test)
  return (name: string, play: (world: OrderWorld) => Promise<void>): void => {
    test(name, () => inWorld(play))
  }
}

/** The registry of a store, as a world's own but for what is changed. */
export function registryOf(
  store: Store,
  clock: FakeClock,
  mayExpire = () => true,
  changes: Partial<RegistryOptions> = {},
): OrderRegistry {
  return createOrderRegistry({
    store,
    clock,
    chains: new Map(),
    referenceKey: 'a key of references',
    fundingWindowMs: 30 * minuteMs,
    answerTo: (_, order, refusal) => (refusal === null ? answerOf(order) : refusedAs(refusal, order)),
    journalKey,
    checkoutUrl,
    confirmGraceMs: graceMs,
    maxOutageMs,
    mayExpire,
    ...changes,
  })
}

function worldOf(store: Store, clock: FakeClock): Omit<OrderWorld, 'url'> {
  const expiry = { mayExpire: true }
  const orders = registryOf(store, clock, () => expiry.mayExpire)
  const world = { store, clock, orders, expiry }
  return {
    ...world,
    ...accounting(store, orders),
    ...creating(store, clock, orders),
    ...telling(store, orders),
  }
}

/** The store with some of it done in another way: to change what is seen or written. */
export function changedStore(store: Store, changes: Partial<Store>): Store {
  return {
    engine: store.engine,
    step: (step) => store.step(step),
    query: (asked, args) => store.query(asked, args),
    execute: (asked, args) => store.execute(asked, args),
    followClock: () => store.followClock(),
    lead: (role) => store.lead(role),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    close: () => store.close(),
    ...changes,
  }
}

/** Commits writes that depend on nothing. */
export async function commit(store: Store, writes: readonly Write[]): Promise<void> {
  const result = await store.step({ rows: {}, decide: () => ({ answer: null, writes }) })
  assert.is(result.outcome, 'committed')
}

export function partyOf({ kind, id, name, credential }: Extract<Actor, { credential: string }>): Write[] {
  const contact = 'ops@shop.example'
  return [
    { insert: 'parties', values: { id, kind, name, contact, created_at: 0 } },
    {
      insert: 'credentials',
      values: { key: credential, party_id: id, secret_ciphertext: '', created_at: 0 },
    },
  ]
}

function accounting(store: Store, orders: OrderRegistry) {
  const fund = async () => {
    while ((await fundWaitingOrders(store, orders, stuckOrdersOf(store))).more);
  }
  return {
    fund,
    async deposit(amountMinor: bigint, currency = 'MXN') {
      const debit = { kind: 'bank', ownerId: '', currency } as const
      const credit = { kind: 'available', ownerId: shop.id, currency } as const
      const posting = { kind: 'deposit', debit, credit, amountMinor, orderId: null, reference: null }
      await commit(store, move(posting).writes)
      await fund()
    },
    async takeBack(amountMinor: bigint) {
      const debit = { kind: 'available', ownerId: shop.id, currency: 'MXN' } as const
      const credit = { kind: 'bank', ownerId: '', currency: 'MXN' } as const
      const posting = { kind: 'reverse', debit, credit, amountMinor, orderId: null, reference: null }
      await store.step({
        rows: await takeableRows(store, debit),
        decide: (held, at) => ({ answer: null, writes: takeBack(posting, held, at) }),
      })
    },
    async balance({ kind = 'available', ownerId = shop.id, currency = 'MXN' }: Partial<AccountRef>) {
      const accounts = await allRows(store, 'accounts')
      const account = accounts.find((one) => one.id === `${kind}:${ownerId}:${currency}`)
      return account?.balance_minor ?? 0n
    },
    rows: <T extends TableName>(table: T) => allRows(store, table),
  }
}

let created = 0

export function newOrder(at: Instant, changes: Partial<NewOrder> = {}): NewOrder {
  return {
    merchant: shop,
    direction: 'PAY_OUT',
    orderType: 'LocalCurrencyOrder',
    merchantOrderId: `order-${++created}`,
    country: 'MX',
    priceMinor: 100_000n,
    currency: 'MXN',
    description: 'Refund of order 1234',
    notifyUrl: 'https://shop.example:8443/hooks?source=node',
    returnUrl: 'https://shop.example/done',
    consumerEmail: 'ana@example.com',
    consumerPhoneNumber: '+525512345678',
    expiryAt: at + 24 * hourMs,
    ...changes,
  }
}

function creating(store: Store, clock: FakeClock, orders: OrderRegistry) {
  const create = (changes: Partial<NewOrder> = {}, guard?: MessageGuard) =>
    orders.create(newOrder(clock.now(), changes), guard)
  const row = async (orderId: string) => {
    const found = (await allRows(store, 'orders')).find(({ id }) => id === orderId)
    assert.ok(found, `there is no order ${orderId}`)
    return found
  }
  return {
    create,
    row,
    async order(changes?: Partial<NewOrder>) {
      const made = await create(changes)
      assert.is(made.outcome, 'created')
      if (made.outcome !== 'created') throw new Error(made.outcome)
      while ((await fundWaitingOrders(store, orders, stuckOrdersOf(store))).more);
      return row(made.order.id)
    },
  }
}

/** An answer that tells one moment of an order from another. */
export function answerOf({ status, modified_at, revision }: Row<'orders'>, code = 200): Answer {
  return { status: code, body: JSON.stringify({ status, modified: modified_at, revision }) }
}

/** Like the API, only a node that is drained does not judge. */
function refusedAs(reason: RefusalReason, { status }: Row<'orders'>): Answer {
  return { status: reason === 'node_drained' ? 503 : 400, body: `${reason} ${status}` }
}

const unknown = {
  merchant_id: shop.id,
  machine: 'payOutLocal',
  currency: 'MXN',
  direction: 'PAY_OUT',
  refund_of: null,
} as const

/** What never changes of an order, as whoever speaks to it has found it. */
export async function refOf(store: Store, id: string): Promise<OrderRef> {
  const [order] = await store.query(orderById, { id })
  return order === undefined ? { ...unknown, id } : orderRef(order)
}

function telling(store: Store, orders: OrderRegistry) {
  const tell = async (orderId: string, actor: Actor, said: Said, more: Telling = {}) =>
    orders.tell({ order: await refOf(store, orderId), actor, ...said, ...more })
  return {
    tell,
    start: (orderId: string, till: Till, more?: Telling) =>
      tell(
        orderId,
        tills[till],
        { type: 'payment.start', providerId: tills[till].id, networkId: `000${till}` },
        more,
      ),
    confirm: (orderId: string, till: Till, more?: Telling) =>
      tell(orderId, tills[till], { type: 'payment.confirm', providerId: tills[till].id }, more),
    giveBack: (orderId: string, till: Till, more?: Telling) =>
      tell(orderId, tills[till], { type: 'payment.cancel', providerId: tills[till].id }, more),
    cancel: (orderId: string, force = false, more?: Telling) =>
      tell(orderId, operator, { type: 'operator.cancel', reason: 'fraud', force }, more),
  }
}

/** A READY order with its money reserved, a minute old. */
export async function readyOrder(world: OrderWorld): Promise<Row<'orders'>> {
  await world.deposit(100_000n)
  const order = await world.order()
  assert.is(order.status, 'READY')
  world.clock.advance(minuteMs)
  return order
}

/** How a message ended, in one word or two. */
export function ending(told: Told): string {
  return told.outcome === 'refused' ? `refused ${told.reason}` : told.outcome
}

/** What the speaker was answered. */
export function answered(told: Told): Answer {
  if (!('answer' in told)) throw new Error(told.outcome)
  return told.answer
}
