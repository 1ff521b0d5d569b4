/** The merchants' back ends: they create orders, and say again what was not answered. */
import type { Random } from '../durability/random.ts'
import { written } from '../support/model/figures.ts'
import type { ListedOrder } from './listings.ts'
import type { Direction, Truth } from './model/truth.ts'
import type { Network } from './network.ts'
import { type Message, signed } from './requests.ts'
import type { merchants } from './terms.ts'
import type { Witness } from './witness.ts'

export type Merchant = (typeof merchants)[number]

interface Asked {
  merchantOrderId: string
  direction: Direction
  price: string
  expiryAt: number
  refundOf: string | undefined
  document: Record<string, unknown>
  idempotencyKey: string | null
  message: Message | null
  signedAt: number
  /** How often it was said. */
  said: number
}

const minuteMs = 60_000
const repeatableMs = 250_000

export interface ShopOptions {
  merchant: Merchant
  random: Random
  truth: Truth
  network: Network
  now: () => number
  /** The time for a message: no two are the same. */
  stamp: () => number
  problem: (text: string) => void
  witness: Witness
  note: (text: string) => void
}

export class Shop {
  readonly merchant: Merchant
  readonly #options: ShopOptions
  #asked = 0
  /** Creations that were not answered. */
  readonly #unsure: Asked[] = []
  /** Pay-ins it was promised; some of them are paid. */
  readonly #payIns: { id: string; price: string }[] = []
  readonly #orders: ListedOrder[] = []
  created = 0

  constructor(options: ShopOptions) {
    this.merchant = options.merchant
    this.#options = options
  }

  get isSure(): boolean {
    return this.#unsure.length === 0
  }

  create(): void {
    const { random, now, merchant } = { ...this.#options, merchant: this.merchant }
    const direction = random.chance(0.55) ? 'PAY_OUT' : 'PAY_IN'
    const merchantOrderId = `${merchant.key.name}-${++this.#asked}`
    const minutes = random.chance(0.5) ? 2 + random.below(30) : 60 + random.below(4_000)
    const expiryAt = now() + minutes * minuteMs
    const refundOf =
      direction === 'PAY_OUT' && this.#payIns.length > 0 && random.chance(0.35)
        ? this.#payIns.at(-1 - random.below(Math.min(3, this.#payIns.length)))
        : undefined
    const any = written(BigInt(1_000 + random.below(random.chance(0.3) ? 5_000 : 200_000)), 'MXN')
    const price = refundOf !== undefined && random.chance(0.6) ? refundOf.price : any
    this.#ask({
      merchantOrderId,
      direction,
      price,
      expiryAt,
      refundOf: refundOf?.id,
      idempotencyKey: random.chance(0.5) ? `key of ${merchantOrderId}` : null,
      message: null,
      signedAt: 0,
      said: 0,
      document: {
        order_type: 'LocalCurrencyOrder',
        country: 'MX',
        price,
        price_currency: 'MXN',
        description: 'groceries',
        merchant_order_id: merchantOrderId,
        notify_url: `https://${merchant.name.toLowerCase()}.example/hooks`,
        return_url: `https://${merchant.name.toLowerCase()}.example/done`,
        expiry: new Date(expiryAt).toISOString(),
        consumer_email: 'ana@example.com',
        ...(refundOf === undefined ? {} : { refund_of: refundOf.id }),
      },
    })
  }

  /** What it was promised, the oldest first. */
  get orders(): readonly ListedOrder[] {
    return [...this.#orders]
  }

  /** Looks at one of its last orders. */
  look(): void {
    const { random, stamp, network, witness } = this.#options
    const last = this.#orders.slice(-6)
    const order = last[random.below(Math.max(1, last.length))]
    if (order === undefined) return
    const path = `/api/v1/merchants/orders/${order.direction === 'PAY_OUT' ? 'pay-out' : 'pay-in'}/${order.id}/`
    const message = signed(this.merchant.key, { method: 'GET', path, at: stamp() })
    const name = message.headers['Message-Hash'] ?? ''
    witness.begins(order, name, { does: 'look' })
    network.send(message, (answer) => {
      if (answer?.status === 200) witness.ends(order, name, JSON.parse(answer.text).status)
      else witness.withdraws(order, name)
    })
  }

  /** Says once more what was not answered. @returns whether there was something */
  repeat(): boolean {
    const [asked] = this.#unsure.splice(0, 1)
    if (asked === undefined) return false
    const { now, random } = this.#options
    if (now() - asked.signedAt > repeatableMs || random.chance(0.3)) asked.message = null
    this.#ask(asked)
    return true
  }

  #ask(asked: Asked): void {
    const { now, network, truth, note, problem } = this.#options
    const { key } = this.merchant
    if (asked.message === null) {
      asked.signedAt = now()
      const path = `/api/v1/merchants/orders/${asked.direction === 'PAY_OUT' ? 'pay-out' : 'pay-in'}/`
      const made = signed(key, { method: 'POST', path, at: this.#options.stamp(), document: asked.document })
      const named = asked.idempotencyKey === null ? {} : { 'Idempotency-Key': asked.idempotencyKey }
      asked.message = { ...made, headers: { ...made.headers, ...named } }
    }
    asked.said += 1
    network.send(asked.message, (answer) => {
      note(`${key.name} creates ${asked.merchantOrderId}: ${answer?.status ?? 'no answer'}`)
      if (answer === null || answer.status === 409) return void this.#unsure.push(asked)
      if (answer.status !== 201) {
        if (asked.said === 1 && answer.text.includes('"unique"'))
          problem(`${asked.merchantOrderId} was said once, and answered ${answer.text}`)
        // A wrong clock, a frozen party, what is there already, or a refund of what was not paid: all of them are expected.
        if (![400, 403].includes(answer.status))
          problem(`a creation was answered ${answer.status} ${answer.text}`)
        return
      }
      const { id } = JSON.parse(answer.text)
      this.created += 1
      const { merchantOrderId, direction, price, expiryAt, refundOf } = asked
      truth.promised(id, {
        merchant: this.merchant.name,
        merchantOrderId,
        direction,
        price,
        expiryAt,
        refundOf,
      })
      this.#options.witness.knows(id, direction, expiryAt)
      this.#orders.push({ id, direction, price })
      if (direction === 'PAY_IN') this.#payIns.push({ id, price })
    })
  }
}
