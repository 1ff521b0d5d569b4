/** What is moved after the fact: corrections of a party, and claims about the cash of an order. */
import type { Fact } from './facts.ts'
import { minor } from './figures.ts'
import type { Order } from './foreign-orders.ts'

type Side = readonly [kind: string, owner: string]
type Noted = { amount: bigint; fee?: bigint; tax?: bigint }
type ClaimFact = Extract<Fact, { is: 'claim' }>

interface Books {
  orders: ReadonlyMap<string, Order>
  isMerchant(party: string, currency: string): boolean
  move(at: number, amount: bigint, currency: string, from: Side, to: Side): void
  note(at: number, party: string, currency: string, line: Noted): void
  provide(at: number, amount: bigint, merchant: string, currency: string): void
  repay(at: number, merchant: string, currency: string): void
  /** Whoever has handled an order's cash, and what it has earned by it. */
  earned(order: Order): { provider: string; fee: bigint; tax: bigint }
}

export class Corrections {
  readonly #books: Books
  /** What is booked of the cash of orders that claims have moved. */
  readonly #booked = new Map<string, bigint>()

  constructor(books: Books) {
    this.#books = books
  }

  /** Signed: the party gets it, or pays it. */
  adjust(at: number, { party, currency, ...told }: Extract<Fact, { is: 'adjustment' }>): void {
    const { move, note, provide, repay, isMerchant: isMerchantOf } = this.#books
    const [amount, tax] = [minor(told.amount, currency), minor(told.tax, currency)]
    const isMerchant = isMerchantOf(party, currency)
    const place: Side = [isMerchant ? 'available' : 'provider', party]
    const isGiven = amount + tax > 0n
    if (isMerchant && !isGiven) provide(at, -amount - tax, party, currency)
    for (const [size, kind] of [
      [amount, 'fee'],
      [tax, isMerchant ? 'tax_collected' : 'tax_credited'],
    ] as const) {
      if (isGiven) move(at, size, currency, [kind, party], place)
      else move(at, -size, currency, place, [kind, party])
    }
    if (isMerchant && isGiven) repay(at, party, currency)
    note(at, party, currency, { amount, tax })
  }

  /** What was booked of an order's cash may be corrected to no less than nothing, and once it was taken back there is nothing to correct. */
  mayClaim({ order: id, ...claim }: Pick<ClaimFact, 'order' | 'kind' | 'amount'>): boolean {
    const order = this.#orderOf(id)
    const booked = this.#booked.get(id) ?? order.price
    if (order.status !== 'COMPLETED' || booked === takenBack) return false
    if (claim.kind === 'credited_not_paid') return booked >= order.price
    return booked + beyond(order, claim) >= 0n
  }

  /** A claim about cash that is booked was accepted or upheld. */
  claim(at: number, fact: ClaimFact): void {
    if (!this.mayClaim(fact))
      throw new Error(`A ${fact.kind} of order ${fact.order} moves what is not booked.`)
    const order = this.#orderOf(fact.order)
    const isReversed = fact.kind === 'credited_not_paid'
    const more = isReversed ? -order.price : beyond(order, fact)
    const booked = this.#booked.get(fact.order) ?? order.price
    this.#booked.set(fact.order, isReversed ? takenBack : booked + more)
    const { merchant, currency } = order
    const { provider, ...earned } = this.#books.earned(order)
    const fees = isReversed ? order : { fee: 0n, tax: 0n }
    // More cash is owed by whoever took it in, and to whoever handed it out.
    const toMerchant = order.direction === 'PAY_IN' ? more : -more
    if (order.bought === null) this.#moveMerchants(at, order, provider, toMerchant, fees)
    else this.#move(at, toMerchant, currency, ['fee', ''], provider)
    if (isReversed) {
      this.#books.move(at, earned.fee, currency, ['provider', provider], ['fee', provider])
      this.#books.move(at, earned.tax, currency, ['provider', provider], ['tax_credited', provider])
    }
    if (order.bought === null)
      this.#books.note(at, merchant, currency, { amount: toMerchant, fee: fees.fee, tax: fees.tax })
    const less = isReversed ? { fee: -earned.fee, tax: -earned.tax } : {}
    this.#books.note(at, provider, currency, { amount: -toMerchant, ...less })
  }

  #moveMerchants(
    at: number,
    { merchant, currency }: Order,
    provider: string,
    toMerchant: bigint,
    { fee, tax }: { fee: bigint; tax: bigint },
  ): void {
    const { move, provide, repay } = this.#books
    if (toMerchant < 0n) provide(at, -toMerchant, merchant, currency)
    this.#move(at, toMerchant, currency, ['available', merchant], provider)
    move(at, fee, currency, ['fee', merchant], ['available', merchant])
    move(at, tax, currency, ['tax_collected', merchant], ['available', merchant])
    if (toMerchant > 0n || fee + tax > 0n) repay(at, merchant, currency)
  }

  /** Signed: from the provider, or to it. */
  #move(at: number, amount: bigint, currency: string, place: Side, provider: string): void {
    const theirs: Side = ['provider', provider]
    if (amount > 0n) this.#books.move(at, amount, currency, theirs, place)
    else this.#books.move(at, -amount, currency, place, theirs)
  }

  #orderOf(id: string): Order {
    const order = this.#books.orders.get(id)
    if (order === undefined) throw new Error(`The model knows no order ${id}.`)
    return order
  }
}

const takenBack = -1n

/** How much more cash was handled than the price. */
function beyond({ price, currency }: Order, { kind, amount }: Pick<ClaimFact, 'kind' | 'amount'>): bigint {
  if (kind === 'twice') return price
  const told = minor(amount ?? '0', currency)
  return kind === 'false_note' ? -told : told - price
}
