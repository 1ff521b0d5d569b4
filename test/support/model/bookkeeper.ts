/**
 * An independent bookkeeper: from the text of the terms, answers of the API and of operations, and lines of banks it reckons every balance,
 * every statement, what is due and what was paid. It shares no import with the program; `npm run layers` sees to that.
 * Money is in places, such as `available Shop MXN`. Above zero the operator owes it, below zero somebody owes the operator.
 */
import { type Agreement, bankOf, contractOf, contractsOf, feeRate, networkOf } from './agreement.ts'
import { Corrections } from './corrections.ts'
import type { Fact, PaymentAnswer } from './facts.ts'
import { charge, dayAt, minor, rateOn, smaller } from './figures.ts'
import { ForeignOrders, type Order } from './foreign-orders.ts'
import {
  type Allocation,
  archive,
  arrive,
  balance,
  closeDay,
  dayOf,
  dueBy,
  endedDays,
  type Ledger,
  latestDay,
  newLedger,
  release,
  type Statement,
  settle,
  type Withdrawn,
} from './ledger.ts'
import { ownLine } from './own-lines.ts'

export class Bookkeeper {
  readonly #agreement: Agreement
  readonly #since: number
  readonly #balances = new Map<string, bigint>()
  readonly #ledgers = new Map<string, Ledger>()
  readonly #orders = new Map<string, Order>()
  readonly #foreign = new ForeignOrders({
    orders: this.#orders,
    move: (at, ...moved) => this.#move(at, ...moved),
    note: (at, party, currency, line) => this.#note(at, party, currency, line),
    pay: (at, id, order, from) => this.#pay(at, id, order, from),
  })
  readonly corrections = new Corrections({
    orders: this.#orders,
    isMerchant: (party, currency) => this.#ledgerOf(party, currency).contract.isMerchant,
    move: (at, ...moved) => this.#move(at, ...moved),
    note: (at, party, currency, line) => this.#note(at, party, currency, line),
    provide: (at, ...lacked) => this.#provide(at, ...lacked),
    repay: (at, merchant, currency) => this.#repay(at, merchant, currency),
    earned: (order) => this.#earnedBy(order),
  })
  readonly #payments = new Map<string, { state: string; settled: Allocation[] }>()

  /** @param since when the terms began to hold */
  constructor(agreement: Agreement, since: number) {
    this.#agreement = agreement
    this.#since = since
  }

  tell(fact: Fact): void {
    if (fact.is === 'order') this.#tellOrder(fact.at, fact)
    else if (fact.is === 'adjustment') this.corrections.adjust(fact.at, fact)
    else if (fact.is === 'claim') this.corrections.claim(fact.at, fact)
    else if (fact.is === 'resolution') this.#resolve(fact.at, fact.order, fact.as)
    else if (fact.is === 'payment') this.#tellPayment(fact.at, fact.payment, fact.statement)
    else if (fact.is === 'bankLine' || fact.is === 'identified') this.#move(fact.at, ...ownLine(fact))
    else if (fact.is === 'deposit' || fact.is === 'reversal') this.#deposit(fact.at, fact)
    else this.#foreign.tell(fact)
  }

  /** Closes each day that has ended, of everybody who has agreed on days. */
  endDays(at: number): void {
    for (const { party, currency } of contractsOf(this.#agreement)) {
      const ledger = this.#ledgerOf(party, currency)
      for (const day of endedDays(ledger, this.#since, at)) this.#close(ledger, day, at)
    }
  }

  /** Closes the running day of one party, or a later one that something was told of by a clock that was ahead. */
  closeNow(party: string, currency: string, at: number): void {
    const ledger = this.#ledgerOf(party, currency)
    this.#close(ledger, latestDay(ledger, at), at)
  }

  /** Whether the running day of one party is over for it. */
  isClosed(party: string, currency: string, at: number): boolean {
    const { closedDay, contract } = this.#ledgerOf(party, currency)
    return closedDay !== null && closedDay >= dayAt(at, contract.zone, contract.cutOff)
  }

  /** What is available to a merchant, but for what its orders wait for. */
  withdrawable(merchant: string, currency: string): bigint {
    const left = this.#held('available', merchant, currency) - this.#waiting(merchant, currency)
    return left > 0n ? left : 0n
  }

  /** A merchant withdraws so much, or all that it can: its running day is closed with it. */
  withdraw(merchant: string, currency: string, at: number, withdrawn: Withdrawn): void {
    const ledger = this.#ledgerOf(merchant, currency)
    this.#close(ledger, dayAt(at, ledger.contract.zone, ledger.contract.cutOff), at, withdrawn)
  }

  archive(orders: ReadonlySet<string>): void {
    for (const ledger of this.#ledgers.values()) archive(ledger, orders)
  }

  balances(): Map<string, bigint> {
    return new Map([...this.#balances].filter(([, amount]) => amount !== 0n))
  }

  statements(party: string, currency: string): readonly Statement[] {
    return this.#ledgerOf(party, currency).statements
  }

  /** Due by a day, net: above zero the operator owes it. */
  due(party: string, currency: string, day: string): bigint {
    return dueBy(this.#ledgerOf(party, currency).statements, day)
  }

  /** How much of an asset could be sold for a money. */
  exchangedFor(asset: string, currency: string): bigint {
    return this.#foreign.exchangedFor(asset, currency)
  }

  #held(kind: string, owner: string, currency: string): bigint {
    return this.#balances.get(`${kind} ${owner} ${currency}`) ?? 0n
  }

  #ledgerOf(party: string, currency: string): Ledger {
    const key = `${party} ${currency}`
    const found =
      this.#ledgers.get(key) ?? newLedger(party, currency, contractOf(this.#agreement, party, currency))
    this.#ledgers.set(key, found)
    return found
  }

  /** The two sides are places of an owner, in one currency. */
  #move(at: number, amount: bigint, currency: string, from: Side, to: Side, isSweep = false): void {
    if (amount === 0n) return
    for (const [[kind, owner], moved] of [
      [from, -amount],
      [to, amount],
    ] as const) {
      this.#balances.set(`${kind} ${owner} ${currency}`, this.#held(kind, owner, currency) + moved)
      if (kind !== 'available') continue
      const ledger = this.#ledgerOf(owner, currency)
      ledger.moves.push({ day: dayOf(ledger, at), amount: moved, isSweep })
    }
  }

  #note(at: number, party: string, currency: string, line: Noted): void {
    const ledger = this.#ledgerOf(party, currency)
    const { order = null, amount, fee = 0n, tax = 0n, isByBank = false } = line
    ledger.lines.push({ day: dayOf(ledger, at), order, amount, fee, tax, isByBank })
  }

  /** What has arrived repays a debt first. */
  #repay(at: number, merchant: string, currency: string): void {
    const [available, owed] = [
      this.#held('available', merchant, currency),
      -this.#held('debt', merchant, currency),
    ]
    this.#move(at, smaller(available, owed), currency, ['available', merchant], ['debt', merchant])
  }

  /** What is not available is taken from what is set aside and not ordered, which is due no more; the rest is a debt. */
  #provide(at: number, amount: bigint, merchant: string, currency: string): void {
    const missing = amount - this.#held('available', merchant, currency)
    if (missing <= 0n) return
    const aside = this.#held('payable', merchant, currency)
    const taken = smaller(missing, aside)
    this.#move(at, taken, currency, ['payable', merchant], ['available', merchant])
    settle(this.#ledgerOf(merchant, currency).statements, taken)
    this.#move(at, missing - taken, currency, ['debt', merchant], ['available', merchant])
  }

  #tellOrder(at: number, fact: Extract<Fact, { is: 'order' }>): void {
    const { id, status } = fact.order
    const order = this.#orders.get(id) ?? this.#newOrder(at, fact)
    const { status: before, merchant, currency, direction } = order
    this.#orders.set(id, order)
    order.status = status
    if (status === before) return
    const whole = order.price + order.fee + order.tax
    const wasReserved = before === 'READY' || before === 'PAYMENT_STARTED'
    const hasEnded = status === 'CANCELLED' || status === 'EXPIRED'
    if (status === 'PAYMENT_STARTED') {
      order.network = fact.network
      order.lockedAt = at
    }
    if (direction === 'PAY_OUT' && !wasReserved && status !== 'CREATED' && !hasEnded) {
      this.#move(at, whole, currency, ['available', merchant], ['reserved', merchant])
    }
    if (status === 'COMPLETED') this.#pay(at, id, order, 'reserved')
    if (direction !== 'PAY_OUT' || !hasEnded || !wasReserved) return
    if (before === 'PAYMENT_STARTED') {
      order.isSuspended = true
      this.#move(at, whole, currency, ['reserved', merchant], ['suspense', merchant])
    } else {
      this.#move(at, whole, currency, ['reserved', merchant], ['available', merchant])
      this.#repay(at, merchant, currency)
    }
  }

  #newOrder(at: number, { merchant, country, order }: Extract<Fact, { is: 'order' }>): Order {
    const { direction, price_currency: currency } = order
    const price = minor(order.price, currency)
    const { zone } = this.#ledgerOf(merchant, currency).contract
    const rate = feeRate(
      this.#agreement,
      { merchant, country, currency },
      direction,
      dayAt(at, zone, '24:00'),
    )
    const status = direction === 'PAY_OUT' ? 'CREATED' : ''
    const made = { merchant, direction, currency, price, status }
    const later = { network: null, lockedAt: 0, isSuspended: false, bought: null }
    return { ...made, ...later, ...charge(rate, price, currency) }
  }

  #earnedBy({ network, currency, direction, lockedAt, price }: Order) {
    const { provider, commissions } = networkOf(this.#agreement, network ?? '')
    const { zone } = this.#ledgerOf(provider, currency).contract
    const rate = rateOn(commissions, direction, dayAt(lockedAt, zone, '24:00'))
    return { provider, ...charge(rate, price, currency) }
  }

  /** The cash has changed hands: everybody has earned what was agreed on. */
  #pay(at: number, id: string, order: Order, from: 'reserved' | 'suspense' | 'available'): void {
    const { merchant, currency, price, fee, tax, direction } = order
    const { provider, ...earned } = this.#earnedBy(order)
    const isPayIn = direction === 'PAY_IN'
    const place = isPayIn ? 'available' : from
    // Of a foreign order the asset may be on its way back by then: the cash is the operator's.
    const isLost = order.bought !== null && from === 'available'
    if (isPayIn) this.#move(at, price, currency, ['provider', provider], ['available', merchant])
    else {
      if (from === 'available' && !isLost) this.#provide(at, price + fee + tax, merchant, currency)
      this.#move(at, price, currency, isLost ? ['fee', ''] : [from, merchant], ['provider', provider])
    }
    this.#move(at, fee, currency, [place, merchant], ['fee', merchant])
    this.#move(at, tax, currency, [place, merchant], ['tax_collected', merchant])
    this.#move(at, earned.fee, currency, ['fee', provider], ['provider', provider])
    this.#move(at, earned.tax, currency, ['tax_credited', provider], ['provider', provider])
    if (isPayIn) this.#repay(at, merchant, currency)
    const amount = isPayIn ? price : -price
    if (!isLost) this.#note(at, merchant, currency, { order: id, amount, fee: -fee, tax: -tax })
    this.#note(at, provider, currency, { order: id, amount: -amount, fee: earned.fee, tax: earned.tax })
  }

  #resolve(at: number, id: string, as: 'honour' | 'return' | 'dismiss'): void {
    const order = this.#orders.get(id)
    if (order === undefined) throw new Error(`The model knows no order ${id}.`)
    const { merchant, currency, isSuspended } = order
    if (as !== 'dismiss') order.isSuspended = false
    if (as === 'honour') this.#pay(at, id, order, isSuspended ? 'suspense' : 'available')
    else if (as === 'return' && order.bought !== null && isSuspended)
      this.#foreign.unwind(at, id, order, 'suspense')
    else if (as === 'return' && isSuspended) {
      const whole = order.price + order.fee + order.tax
      this.#move(at, whole, currency, ['suspense', merchant], ['available', merchant])
      this.#repay(at, merchant, currency)
    }
  }

  #deposit(
    at: number,
    { is, merchant, currency, amount }: Extract<Fact, { merchant: string; amount: string }>,
  ): void {
    const size = minor(amount, currency)
    const bank: Side = ['bank', bankOf(this.#agreement, currency)]
    if (is === 'deposit') {
      this.#move(at, size, currency, bank, ['available', merchant])
      this.#repay(at, merchant, currency)
    } else {
      this.#provide(at, size, merchant, currency)
      this.#move(at, size, currency, ['available', merchant], bank)
    }
    this.#note(at, merchant, currency, { amount: is === 'deposit' ? size : -size, isByBank: true })
  }

  #tellPayment(at: number, payment: PaymentAnswer, only?: number): void {
    const { id, party, direction, currency, bank, state } = payment
    const ledger = this.#ledgerOf(party, currency)
    const { contract, statements } = ledger
    const amount = minor(payment.amount, currency)
    const known = this.#payments.get(id)
    const told = known ?? { state: '', settled: [] }
    this.#payments.set(id, told)
    const before = told.state
    if (state === before) return
    told.state = state
    const transit: Side = ['transit', party]
    if (direction === 'in') {
      const place: Side = [contract.isMerchant ? 'available' : 'provider', party]
      const isBack = state === 'returned'
      if (isBack && contract.isMerchant) this.#provide(at, amount, party, currency)
      this.#move(at, amount, currency, isBack ? place : ['bank', bank], isBack ? ['bank', bank] : place)
      this.#note(at, party, currency, { amount: isBack ? -amount : amount, isByBank: true })
      if (contract.isMerchant && !isBack) this.#repay(at, party, currency)
      else if (!contract.isMerchant) arrive(ledger, id, isBack ? null : amount)
      return
    }
    const place: Side = [contract.isMerchant ? 'payable' : 'provider', party]
    if (known === undefined) {
      this.#move(at, amount, currency, place, transit)
      told.settled = settle(statements, amount, only)
    }
    if (state === 'booked') {
      this.#move(at, amount, currency, transit, ['bank', bank])
      this.#note(at, party, currency, { amount: -amount, isByBank: true })
    }
    if (state !== 'returned') return
    if (before === 'booked') {
      this.#move(at, amount, currency, ['bank', bank], transit)
      this.#note(at, party, currency, { amount, isByBank: true })
    }
    this.#move(at, amount, currency, transit, place)
    release(statements, told.settled)
    balance(ledger)
  }

  #waiting(merchant: string, currency: string): bigint {
    return [...this.#orders.values()]
      .filter((one) => one.merchant === merchant && one.currency === currency && one.status === 'CREATED')
      .reduce((sum, { price, fee, tax }) => sum + price + fee + tax, 0n)
  }

  #close(ledger: Ledger, day: string, at: number, withdrawn: Withdrawn | null = null): void {
    const { party, currency } = ledger
    const now = {
      available: this.#held('available', party, currency),
      waiting: this.#waiting(party, currency),
    }
    const swept = closeDay(ledger, day, now, withdrawn)
    this.#move(at, swept, currency, ['available', party], ['payable', party], true)
  }
}

type Side = readonly [kind: string, owner: string]

interface Noted {
  order?: string
  amount: bigint
  fee?: bigint
  tax?: bigint
  isByBank?: boolean
}
