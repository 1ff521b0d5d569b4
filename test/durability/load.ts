/**
 * Merchants, providers and an operator who keep a node busy on several connections, and remember for themselves
 * what it told them. Who got no answer asks again once the node is back, as the interface asks of them.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../node/system-clock.ts'
import { send, type TestAnswer, type TestRequest } from '../support/node.ts'
import {
  bodyOf,
  type Direction,
  expect,
  type Order,
  price,
  type Step,
  type Till,
  withKey,
} from './load-messages.ts'
import type { Unanswered } from './load-node.ts'
import type { NodeProcess } from './node-process.ts'
import type { Random } from './random.ts'
import type { Told } from './story.ts'

/** So long somebody with a key for his message waits for an answer, before he asks another node. */
const patienceMs = 2_000

const keys = { A: { key: 'pk_a', network: '0001' }, B: { key: 'pk_b', network: '0002' } }

/** A node and where it is reached. */
export interface Host {
  node: NodeProcess
  url: string
}

const unanswered: Unanswered = 'unanswered'

/** The node is gone. */
class Gone extends Error {
  override readonly name = 'Gone'
}

export class Load {
  /** Every answer that told a status, in the order they came. */
  readonly told: Told[] = []
  readonly statistics = { orders: 0, unsure: 0, resumed: 0 }
  readonly #random: Random
  readonly #notifyUrl: string
  /** Orders that wait for the node to come back. */
  readonly #interrupted: Order[] = []
  #hosts: () => readonly Host[] = () => []
  #messages = 0
  #isPatient = true
  #awaited: { count: number; resolve: () => void } | null = null

  constructor(random: Random, notifyUrl = 'http://127.0.0.1:9/hooks') {
    this.#random = random
    this.#notifyUrl = notifyUrl
  }

  /** Keeps `connections` busy until the node is gone. Rejects on the first answer that cannot be right. */
  async run(node: NodeProcess, url: string, connections: number): Promise<void> {
    this.#hosts = () => [{ node, url }]
    await Promise.all(Array.from({ length: connections }, () => this.#connection()))
  }

  /** Resolves as soon as so many more answers have come. */
  heard(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited = { count: this.told.length + count, resolve }
    })
  }

  /**
   * Keeps `connections` busy over nodes that come and go until it is told to stop: each request goes to any of those
   * that are there, and who got no answer in time, or 503, sends the same with the same idempotency key to any other.
   */
  async runOver(nodes: () => readonly Host[], connections: number, isOver: () => boolean): Promise<void> {
    this.#hosts = nodes
    this.#isPatient = false
    const connection = async () => {
      while (!isOver()) {
        const order = this.#interrupted.pop() ?? this.#newOrder()
        try {
          await this.#play(order)
        } catch (error) {
          if (!(error instanceof Gone)) throw error
          this.#interrupted.unshift(order)
          await delay(5 + this.#random.below(20))
        }
      }
    }
    await Promise.all(Array.from({ length: connections }, connection))
  }

  async #connection(): Promise<void> {
    for (;;) {
      const order = this.#interrupted.pop() ?? this.#newOrder()
      try {
        await this.#play(order)
      } catch (error) {
        if (!(error instanceof Gone)) throw error
        this.#interrupted.push(order)
        return
      }
    }
  }

  #newOrder(): Order {
    this.statistics.orders++
    const create: Step = { kind: 'create' }
    const funds: Step = { kind: 'await funds' }
    const one: Till = this.#random.chance(0.5) ? 'A' : 'B'
    const other: Till = one === 'A' ? 'B' : 'A'
    const paidBy = (till: Till): Step[] => [
      { kind: 'start', till },
      { kind: 'confirm', till },
    ]
    const given: Step[] = [
      { kind: 'start', till: one },
      { kind: 'cancel', till: one },
    ]
    const scripts: [Direction, Step[]][] = [
      ['pay-out', [create, funds, ...paidBy(one)]],
      ['pay-out', [create, funds, ...paidBy(one)]],
      ['pay-out', [create, funds, ...given, ...paidBy(other)]],
      ['pay-out', [create, funds, { kind: 'race' }]],
      ['pay-out', [create, funds, { kind: 'operator cancels', force: false }]],
      ['pay-out', [create, funds, { kind: 'start', till: one }, { kind: 'operator cancels', force: true }]],
      ['pay-out', [create, { kind: 'let it expire' }]],
      ['pay-in', [create, ...paidBy(one)]],
      ['pay-in', [create, ...given, ...paidBy(other)]],
      ['pay-in', [create, { kind: 'let it expire' }]],
    ]
    const [direction, steps] = scripts[this.#random.below(scripts.length)] ?? ['pay-in', [create]]
    const isShort = steps.some((step) => step.kind === 'let it expire')
    const order: Order = {
      direction,
      body: {},
      steps,
      isUnsure: false,
      key: this.#isPatient ? '' : randomUUID(),
      id: '',
      code: '',
      revision: 0,
      paid: null,
    }
    order.body = bodyOf(isShort ? 300 + this.#random.below(700) : 86_400_000, this.#notifyUrl)
    return order
  }

  async #play(order: Order): Promise<void> {
    for (let step = order.steps[0]; step !== undefined; step = order.steps[0]) {
      if (order.isUnsure) this.statistics.resumed++
      await this.#take(order, step)
      order.isUnsure = false
      order.steps.shift()
    }
  }

  async #take(order: Order, step: Step): Promise<void> {
    switch (step.kind) {
      case 'create':
        return this.#create(order)
      case 'await funds':
        return this.#awaitFunds(order)
      case 'start':
      case 'confirm':
      case 'cancel':
        return this.#act(order, step.kind, step.till)
      case 'confirm again':
        return this.#confirmAgain(order, step.till)
      case 'race':
        return this.#race(order)
      case 'operator cancels':
        return this.#operatorCancels(order, step.force)
      case 'let it expire':
        return this.#letItExpire(order)
    }
  }

  async #create(order: Order): Promise<void> {
    const path = `/api/v1/merchants/orders/${order.direction}/`
    const request: TestRequest = { as: 'mk_shop', path, body: order.body }
    // With a key it is told again what was made; without one it is only told that there is one.
    const mayBeMade = order.isUnsure && order.key === ''
    const answer = await this.#ask(order, withKey(request, order, 'create'))
    const isMade = mayBeMade && answer.text.includes('"unique"')
    if (answer.status === 400 && (isMade || answer.text.includes('must be in the future'))) {
      // It was made, and its maker never learned its id; or its time was over before it was heard.
      order.steps = [{ kind: 'create' }]
      return
    }
    expect(answer, 201)
    order.id = answer.json.id
    this.#hear(order, answer.json.status)
    order.code = answer.json.code ?? ''
  }

  async #awaitFunds(order: Order): Promise<void> {
    while ((await this.#statusOf(order)) === 'CREATED') await delay(this.#isPatient ? 5 : 20)
    this.#hear(order, 'READY')
  }

  async #act(order: Order, kind: 'start' | 'confirm' | 'cancel', till: Till): Promise<void> {
    // With a key it is answered as the first time would have been.
    const wasUnsure = order.isUnsure && order.key === ''
    const answer = await this.#tell(order, kind, till)
    const status = { start: 'PAYMENT_STARTED', confirm: 'COMPLETED', cancel: 'READY' }[kind]
    if (wasUnsure && (answer.status === 400 || answer.status === 403) && kind !== 'confirm') {
      // The first time was heard (403 is for pay-ins: protocol 4.4). A confirmation says so itself.
      const found = await this.#statusOf(order)
      if (found !== status) throw new Error(`wrong: after a ${kind} without an answer it is ${found}`)
    } else {
      expect(answer, 200, status)
    }
    this.#hear(order, status)
    if (kind !== 'confirm') return
    order.paid = answer.json.paid
    if (this.#random.chance(0.2)) order.steps.splice(1, 0, { kind: 'confirm again', till })
  }

  /** Cash cannot be un-handed: the same again, with the same time. */
  async #confirmAgain(order: Order, till: Till): Promise<void> {
    const answer = await this.#tell(order, 'confirm', till)
    expect(answer, 200, 'COMPLETED')
    if (answer.json.paid !== order.paid)
      throw new Error(`wrong: paid at ${order.paid}, then at ${answer.json.paid}`)
  }

  /** Two tills of two providers at once: one of them gets the order, and pays. */
  async #race(order: Order): Promise<void> {
    const tills: Till[] = ['A', 'B']
    const answers = await Promise.allSettled(tills.map((till) => this.#tell(order, 'start', till)))
    const winners = tills.filter((_, index) => {
      const answer = answers[index]
      return answer?.status === 'fulfilled' && answer.value.status === 200
    })
    if (winners.length > 1) throw new Error(`wrong: two providers hold order ${order.id}`)
    const [winner] = winners
    // Nobody was told that he holds it: it stays as it is.
    if (winner === undefined) return
    this.#hear(order, 'PAYMENT_STARTED')
    order.steps.splice(1, 0, { kind: 'confirm', till: winner })
  }

  async #operatorCancels(order: Order, force: boolean): Promise<void> {
    const answer = await this.#inTime(this.#host().node.ask({ kind: 'cancel', id: order.id, force }))
    if (answer === null || answer === unanswered) {
      order.isUnsure = true
      throw new Gone()
    }
    if (answer !== 'CANCELLED' && !(order.isUnsure && answer.startsWith('refused')))
      throw new Error(`wrong: cancelling ended as ${answer}`)
    this.#hear(order, 'CANCELLED')
  }

  async #letItExpire(order: Order): Promise<void> {
    const expiry = Date.parse(String(order.body.expiry))
    await delay(Math.max(0, expiry - systemClock.now()) + 20)
    const found = await this.#statusOf(order)
    if (found !== 'EXPIRED') throw new Error(`wrong: past its expiry it is ${found}`)
  }

  async #statusOf(order: Order): Promise<string> {
    const path = `/api/v1/merchants/orders/${order.direction}/${order.id}/`
    const answer = await this.#ask(order, { as: 'mk_shop', path })
    expect(answer, 200)
    return answer.json.status
  }

  async #tell(order: Order, action: 'start' | 'confirm' | 'cancel', till: Till): Promise<TestAnswer> {
    if (order.code === '') {
      const code = await this.#inTime(this.#host().node.ask({ kind: 'code', id: order.id }))
      if (code === null || code === unanswered) throw new Gone()
      order.code = code
    }
    const { key, network } = keys[till]
    const body = { network_id: network, price, price_currency: 'MXN' }
    const path = `/api/v1/providers/orders/${order.direction}/${order.code}/${action}-payment/`
    return this.#ask(order, withKey({ as: key, path, body }, order, `${action} ${order.revision} ${till}`))
  }

  /** `null` where a node that stands still would have been waited for. */
  #inTime(asked: Promise<string | null>): Promise<string | null> {
    return this.#isPatient ? asked : Promise.race([asked, delay(patienceMs, null)])
  }

  async #ask(order: Order, request: TestRequest): Promise<TestAnswer> {
    // No two messages are the same to the byte: a repetition would be answered from the store.
    const at = (this.#messages++ % 1_000_000) / 1e6
    const clock = { now: () => Math.floor(systemClock.now() / 1000) * 1000 }
    try {
      const signal = this.#isPatient ? {} : { signal: AbortSignal.timeout(patienceMs) }
      const answer = await send(this.#host().url, clock, { ...request, at, ...signal })
      // A node that stood still may believe that the request did.
      const isAnswered = answer.status !== 503 && (this.#isPatient || answer.status !== 408)
      if (isAnswered) return answer
      throw new Gone()
    } catch {
      if (request.body !== undefined && !order.isUnsure) {
        this.statistics.unsure++
        order.isUnsure = true
      }
      throw new Gone()
    }
  }

  #host(): Host {
    const hosts = this.#hosts()
    const host = hosts[this.#random.below(hosts.length)]
    if (host === undefined) throw new Gone()
    return host
  }

  #hear(order: Order, status: string): void {
    order.revision++
    this.told.push({ id: order.id, status, revision: order.revision })
    if (this.told.length === this.#awaited?.count) this.#awaited.resolve()
  }
}
