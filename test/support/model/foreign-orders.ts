/** Orders in foreign currency as the bookkeeper sees them: paid on a chain, handed out in cash, or sent back. */
import type { Fact } from './facts.ts'
import { minor } from './figures.ts'
import { type Bought, boughtBy, Treasury } from './treasury.ts'

export interface Order {
  merchant: string
  direction: string
  currency: string
  price: bigint
  fee: bigint
  tax: bigint
  status: string
  network: string | null
  lockedAt: number
  isSuspended: boolean
  /** Of one that is paid in a foreign currency. */
  bought: Bought | null
}

type Side = readonly [kind: string, owner: string]
type Foreign = Extract<
  Fact,
  {
    is:
      | 'foreignOrder'
      | 'chainDeposit'
      | 'unmatched'
      | 'unmatchedKept'
      | 'assetEnds'
      | 'outflow'
      | 'conversion'
      | 'sale'
  }
>

interface Books {
  orders: Map<string, Order>
  move(at: number, amount: bigint, currency: string, from: Side, to: Side): void
  note(at: number, party: string, currency: string, line: { order: string; amount: bigint }): void
  pay(at: number, id: string, order: Order, from: 'reserved'): void
}

/** From which of the operator's places to which. */
const ways = {
  outflow: ['suspense', 'treasury'],
  conversion: ['transit', 'suspense'],
  unmatched: ['treasury', 'suspense'],
  unmatchedKept: ['suspense', 'fee'],
} as const

export class ForeignOrders {
  readonly #books: Books
  readonly #treasury = new Treasury()

  constructor(books: Books) {
    this.#books = books
  }

  /** How much of an asset could be sold for a money. */
  exchangedFor(asset: string, currency: string): bigint {
    return this.#treasury.exchangedFor(asset, currency)
  }

  tell(fact: Foreign): void {
    const { at } = fact
    const move = this.#movesAt(at)
    if (fact.is === 'foreignOrder') this.#tellOrder(at, fact)
    else if (fact.is === 'sale') this.#treasury.sell(fact, move)
    else if ('asset' in fact) {
      const [from, to] = ways[fact.is]
      move(minor(fact.amount, fact.asset), fact.asset, [from, ''], [to, ''])
    } else {
      const { bought, merchant } = this.#boughtOf(fact.order)
      if (fact.is === 'chainDeposit') {
        this.#treasury.come(bought, minor(fact.amount, bought.asset), merchant, move)
      } else {
        const place = fact.as === 'refunded' ? 'treasury' : 'fee'
        move(bought.received, bought.asset, ['suspense', ''], [place, ''])
      }
    }
  }

  #boughtOf(id: string): { bought: Bought; merchant: string } {
    const { bought, merchant } = this.#books.orders.get(id) ?? { bought: null, merchant: '' }
    if (bought === null) throw new Error(`The model knows no asset of order ${id}.`)
    return { bought, merchant }
  }

  #movesAt(at: number) {
    return (amount: bigint, currency: string, from: Side, to: Side) =>
      this.#books.move(at, amount, currency, from, to)
  }

  #tellOrder(at: number, fact: Extract<Fact, { is: 'foreignOrder' }>): void {
    const { merchant, order: told, quote, network } = fact
    const { id, status, price_currency: currency } = told
    const price = minor(told.price, currency)
    const order = this.#books.orders.get(id) ?? {
      ...{
        merchant,
        direction: 'PAY_OUT',
        currency,
        price,
        fee: 0n,
        tax: 0n,
        status: 'AWAITED',
        network: null,
      },
      ...{ lockedAt: 0, isSuspended: false, bought: boughtBy(quote, currency) },
    }
    this.#books.orders.set(id, order)
    const { status: before, bought } = order
    const now = status === 'CREATED' ? 'AWAITED' : status
    if (now === before || bought === null) return
    order.status = now
    const move = this.#movesAt(at)
    const hasEnded = now === 'CANCELLED' || now === 'EXPIRED'
    if (now === 'PAYMENT_STARTED') {
      order.network = network
      order.lockedAt = at
    }
    if (before === 'AWAITED' && hasEnded) {
      move(bought.received, bought.asset, ['deposit', merchant], ['suspense', ''])
    } else if (before === 'AWAITED') {
      this.#treasury.exchange(bought, order, move)
      this.#books.note(at, merchant, currency, { order: id, amount: price })
    }
    if (now === 'COMPLETED') this.#books.pay(at, id, order, 'reserved')
    if (before === 'PAYMENT_STARTED' && hasEnded) {
      order.isSuspended = true
      move(price, currency, ['reserved', merchant], ['suspense', merchant])
    }
    if (before === 'READY' && hasEnded) this.unwind(at, id, order, 'reserved')
  }

  /** Nobody gets the cash: the asset waits to be sent back. */
  unwind(at: number, id: string, order: Order, from: 'reserved' | 'suspense'): void {
    if (order.bought === null) throw new Error(`The model knows no asset of order ${id}.`)
    this.#treasury.unwind(order.bought, order, from, this.#movesAt(at))
    this.#books.note(at, order.merchant, order.currency, { order: id, amount: -order.price })
  }
}
