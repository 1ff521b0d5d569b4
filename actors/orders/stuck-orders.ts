/**
 * Orders that a pass of the node cannot work on: because their snapshot cannot be read, or whatever else is wrong with
 * this one order. The others of the pass go on; each of these is an exception until it can be worked on again, and
 * while one is open the node is degraded.
 */

import type { Instant } from '../../machines/time.ts'
import { stuckOrderExceptions } from '../../persistence/queries/alarms.ts'
import { openOrdersAfter, orderById } from '../../persistence/queries/orders.ts'
import {
  LeadershipLost,
  OutcomeUnknown,
  type Row,
  row,
  type Store,
  StoreUnavailable,
} from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import { orderStuckId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import type { PassResult } from '../foundation/worker.ts'
import { unreadable } from './decide.ts'

export interface StuckOrders {
  /**
   * Works on each at once. An order that fails is told of, and tried again after a minute.
   * @returns what the others came to
   * @throws what is not the order's: the store does not answer, or another node leads
   */
  each<Item, Result>(
    pass: string,
    items: readonly Item[],
    orderOf: (item: Item) => string,
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]>
  /** Tells of an order that a pass could not work on, and that it tries again by itself after a day. */
  report(pass: string, orderId: string, problem: string): Promise<void>
  /** How many are not tried at the moment, so that a pass can look beyond them. */
  readonly count: number
  /** Looks for open orders that cannot be read before a pass needs them, and for what is over. */
  look(): Promise<PassResult>
}

interface Stuck {
  pass: string
  /** Whether the pass itself says when it is over. */
  isTried: boolean
  retryAt: Instant
}

const retryMs = 60_000
const dayMs = 86_400_000
const lookEveryMs = 60_000
/** All open orders are read again so often: only another program makes one unreadable. */
const readEveryMs = 3_600_000
const ordersPerLook = 200
const maxOpen = 100

interface StuckOrdersOptions {
  store: Store
  clock: { now(): Instant }
  condition: Condition
  log: { error(facts: object, message: string): void }
}

export function createStuckOrders(options: StuckOrdersOptions): StuckOrders {
  return new OrdersSetAside(options)
}

class OrdersSetAside implements StuckOrders {
  readonly #options: StuckOrdersOptions
  readonly #stuck = new Map<string, Stuck>()
  /** Where the reading of all open orders has come to; `null` between two of them. */
  #place: { afterDue: Instant; afterId: string } | null = beginning
  #readAgainAt = 0

  constructor(options: StuckOrdersOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#stuck.size
  }

  async each<Item, Result>(
    pass: string,
    items: readonly Item[],
    orderOf: (item: Item) => string,
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const ends = await Promise.allSettled(
      items.map((item) => this.#attempt(pass, orderOf(item), () => work(item))),
    )
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== null ? [end.value.result] : []))
  }

  report(pass: string, orderId: string, problem: string): Promise<void> {
    const retryAt = this.#options.clock.now() + dayMs
    return this.#report({ pass, isTried: false, retryAt }, orderId, problem)
  }

  async look(): Promise<PassResult> {
    const now = this.#options.clock.now()
    if (this.#place === null && now >= this.#readAgainAt) this.#place = beginning
    if (this.#place === null) {
      await this.#releaseReadable()
      await this.#tellCondition()
      return { more: false, nextAt: now + lookEveryMs }
    }
    this.#place = await this.#readPage(this.#place, now)
    if (this.#place === null) this.#readAgainAt = now + readEveryMs
    return { more: true, seen: { stuck: this.#stuck.size } }
  }

  /** @returns where the next page begins; `null` after the last one. */
  async #readPage(place: { afterDue: Instant; afterId: string }, now: Instant) {
    const page = await this.#options.store.query(openOrdersAfter, { ...place, limit: ordersPerLook })
    for (const order of page) {
      const problem = unreadable(order)
      if (problem !== null)
        await this.#report({ pass: reading, isTried: false, retryAt: now + retryMs }, order.id, problem)
      else if (this.#stuck.get(order.id)?.pass === reading) await this.#release(order.id)
    }
    const last = page.length < ordersPerLook ? undefined : page.at(-1)
    return last === undefined ? null : { afterDue: last.due_at ?? 0, afterId: last.id }
  }

  async #attempt<Result>(
    pass: string,
    orderId: string,
    work: () => Promise<Result>,
  ): Promise<{ result: Result } | null> {
    const { clock, log } = this.#options
    const known = this.#stuck.get(orderId)
    if (known !== undefined && known.pass === pass && clock.now() < known.retryAt) return null
    try {
      const result = await work()
      if (known?.pass === pass) await this.#release(orderId)
      return { result }
    } catch (error) {
      if (isNotOfTheOrder(error)) throw error
      log.error({ err: error, order: orderId, pass }, 'an order could not be worked on')
      await this.#report(
        { pass, isTried: true, retryAt: clock.now() + retryMs },
        orderId,
        error instanceof Error ? error.message : String(error),
      )
      return null
    }
  }

  async #report(found: Stuck, orderId: string, problem: string): Promise<void> {
    const { pass } = found
    this.#stuck.set(orderId, found)
    await this.#options.store.step({
      rows: {
        order: row('orders', { id: orderId }),
        known: row('exceptions', { id: orderStuckId(orderId) }),
      },
      decide: ({ order, known }, at) => {
        // Whoever has dismissed it knows of it.
        if (order === null || known?.state === 'open' || (known !== null && known.resolution !== itself))
          return { answer: null, writes: [] }
        const opened = stuckException(order, pass, problem, at)
        const { id, ...set } = opened
        return {
          answer: null,
          writes: [
            known === null
              ? { insert: 'exceptions', values: opened }
              : { update: 'exceptions', key: { id }, set: { ...set, revision: known.revision + 1 } },
          ],
          wake: ['exceptions'],
        }
      },
    })
    await this.#tellCondition()
  }

  async #release(orderId: string): Promise<void> {
    this.#stuck.delete(orderId)
    await this.#options.store.step({
      rows: { known: row('exceptions', { id: orderStuckId(orderId) }) },
      decide: ({ known }, at) => {
        if (known?.state !== 'open') return { answer: null, writes: [] }
        const set = {
          state: 'resolved' as const,
          resolved_at: at,
          resolution: itself,
          revision: known.revision + 1,
        }
        return {
          answer: null,
          writes: [{ update: 'exceptions', key: { id: known.id }, set }],
          wake: ['exceptions'],
        }
      },
    })
    await this.#tellCondition()
  }

  async #tellCondition(): Promise<void> {
    const open = await this.#options.store.query(stuckOrderExceptions, { limit: maxOpen + 1 })
    if (open.length === 0) return this.#options.condition.send({ type: 'recover', part: 'orders' })
    const count = open.length > maxOpen ? `More than ${maxOpen}` : String(open.length)
    // Strangers read it in /readyz, so that it names no order.
    const reason = `${count} order(s) cannot be worked on. \`ventanilla alarm list\` and the exceptions name them.`
    this.#options.condition.send({ type: 'degrade', part: 'orders', reason })
  }

  /** An exception of an earlier run, or of another node, whose order can be read and that no pass of ours fails at. */
  async #releaseReadable(): Promise<void> {
    for (const { order_id } of await this.#options.store.query(stuckOrderExceptions, { limit: maxOpen })) {
      const known = order_id === null ? undefined : this.#stuck.get(order_id)
      const isWaited = known !== undefined && (known.isTried || this.#options.clock.now() < known.retryAt)
      if (order_id === null || isWaited) continue
      const [order] = await this.#options.store.query(orderById, { id: order_id })
      if (order !== undefined && unreadable(order) === null) await this.#release(order_id)
    }
  }
}

const beginning = { afterDue: 0, afterId: '' }
const reading = 'reading'
/** How what is over by itself is resolved. */
const itself = 'worked'

function isNotOfTheOrder(error: unknown): boolean {
  return (
    error instanceof StoreUnavailable || error instanceof OutcomeUnknown || error instanceof LeadershipLost
  )
}

function stuckException(order: Row<'orders'>, pass: string, problem: string, at: Instant): Row<'exceptions'> {
  return newException({
    id: orderStuckId(order.id),
    kind: 'order_stuck',
    order_id: order.id,
    reason: `The node cannot work on the order (${pass}): ${problem}`,
    evidence: { pass, problem, status: order.status, machine: order.machine, version: order.machine_version },
    opened_at: at,
  })
}
