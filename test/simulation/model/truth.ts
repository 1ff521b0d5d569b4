/**
 * What really happened, as somebody knows it who stood at the counters and kept every answer: cash that changed hands, what
 * callers were promised, and what receivers were told. It shares no import with the program; `npm run layers` sees to that.
 */

export type Direction = 'PAY_OUT' | 'PAY_IN'

export interface Promised {
  merchant: string
  merchantOrderId: string
  direction: Direction
  /** As it was asked for and answered. */
  price: string
  expiryAt: number
  /** The pay-in that it gives back. */
  refundOf?: string | undefined
}

export interface Cash {
  provider: string
  at: number
}

interface Known {
  promised: Promised | null
  cash: Cash[]
  /** How much more than its price the cash was, as it turned out; cents. */
  more: bigint
  /** What was given back before a claim has shown that less had come: that was paid all the same. */
  givenBackBefore: bigint
  /** Such a claim has been decided since it was looked at last. */
  isLowered: boolean
  /** Who was answered that it holds the order, and has not asked to give it back since. */
  holder: string | null
  /** A provider was answered 200 to its confirm. */
  confirmedBy: string | null
  /** A provider was answered 422 to its confirm. */
  wasLate: boolean
  hasEndedAs: string | null
}

/** An order as the database has it. */
export interface SeenOrder {
  id: string
  merchant: string
  merchantOrderId: string
  direction: Direction
  price: string
  status: string
  expiryAt: number
  holder: string | null
  locks: number
  isPaid: boolean
}

export interface SeenException {
  kind: string
  order: string | null
  state: string
  resolution: string | null
}

export interface SeenWebhook {
  id: string
  order: string
  sequence: number
  status: string
  isFinal: boolean
  state: string
}

/** A message that reached a receiver. */
export interface Heard {
  order: string
  status: string
  paid: string | null
  isSignedRightly: boolean
  wasAcknowledged: boolean
}

export interface View {
  at: number
  orders: readonly SeenOrder[]
  exceptions: readonly SeenException[]
  webhooks: readonly SeenWebhook[]
}

/** `12.50` is 1250. */
function cents(price: string): bigint {
  return BigInt(price.replace('.', ''))
}

const finals = ['COMPLETED', 'CANCELLED', 'EXPIRED']
const endedKinds = ['expired_while_locked', 'cancelled_while_locked', 'confirmed_after_return']
/** How far a node's clock may be off without a doubt, and what one event of the scheduler may take. */
const toleranceMs = 35_000
const graceMs = 600_000

export class Truth {
  readonly #orders = new Map<string, Known>()
  readonly #heard = new Map<string, Heard[]>()
  readonly #problems: string[] = []

  /** A merchant was answered 201. */
  promised(id: string, promise: Promised): void {
    const known = this.#of(id)
    if (known.promised !== null && known.promised.merchantOrderId !== promise.merchantOrderId) {
      this.#problems.push(`order ${id} was promised twice, as two orders`)
    }
    known.promised = promise
  }

  holds(id: string, provider: string): void {
    const known = this.#of(id)
    if (known.holder !== null && known.holder !== provider) {
      this.#problems.push(`order ${id} is held by ${known.holder}, and ${provider} was told that it holds it`)
    }
    known.holder = provider
  }

  /** It is about to ask that it holds the order no more; from here on it hands out nothing. */
  letsGo(id: string, provider: string): void {
    const known = this.#of(id)
    if (known.holder === provider) known.holder = null
  }

  cash(id: string, cash: Cash): void {
    const known = this.#of(id)
    known.cash.push(cash)
    if (known.cash.length > 1) this.#problems.push(`the cash of order ${id} has changed hands twice`)
  }

  hasCash(id: string): boolean {
    return this.#of(id).cash.length > 0
  }

  corrected(id: string, more: bigint): void {
    const known = this.#of(id)
    known.more += more
    known.isLowered ||= more < 0n
  }

  confirmed(id: string, provider: string): void {
    this.#of(id).confirmedBy = provider
  }

  late(id: string): void {
    this.#of(id).wasLate = true
  }

  hears(heard: Heard): void {
    const list = this.#heard.get(heard.order) ?? []
    list.push(heard)
    this.#heard.set(heard.order, list)
    if (!heard.isSignedRightly) this.#problems.push(`a webhook of order ${heard.order} is not signed rightly`)
  }

  /** @returns what cannot be, in the order in which it was found */
  check(view: View): string[] {
    const problems = this.#problems.splice(0)
    const seen = new Map(view.orders.map((order) => [order.id, order]))
    for (const [id, known] of this.#orders) {
      const order = seen.get(id)
      if (order === undefined) {
        problems.push(`order ${id} was promised and is not there`)
        continue
      }
      problems.push(...this.#checkPromise(order, known), ...this.#checkCash(order, known, view))
    }
    for (const order of view.orders) problems.push(...this.#checkEnd(order, this.#of(order.id), view.at))
    problems.push(...this.#checkWebhooks(view), ...this.#checkRefunds(view))
    return problems
  }

  /** Once everything is healed and nothing is under way. */
  checkAtRest(view: View): string[] {
    const problems: string[] = []
    for (const order of view.orders) {
      const known = this.#of(order.id)
      const [cash] = known.cash
      const own = view.exceptions.filter((one) => one.order === order.id)
      const isHonoured = own.some(({ resolution }) => resolution === 'honour')
      const isCredited = order.status === 'COMPLETED' || isHonoured
      if (cash !== undefined && !isCredited)
        problems.push(`the cash of order ${order.id} was handled, and it is ${order.status}`)
      if (cash === undefined && isCredited)
        problems.push(`no cash of order ${order.id} was handled, and it is ${order.status}`)
      if (!finals.includes(order.status)) problems.push(`order ${order.id} is ${order.status} for ever`)
    }
    for (const { id, state, order } of view.webhooks) {
      if (state === 'pending') problems.push(`webhook ${id} of order ${order} is pending for ever`)
    }
    return problems
  }

  #of(id: string): Known {
    const known: Known = this.#orders.get(id) ?? {
      promised: null,
      cash: [],
      more: 0n,
      givenBackBefore: 0n,
      isLowered: false,
      holder: null,
      confirmedBy: null,
      wasLate: false,
      hasEndedAs: null,
    }
    this.#orders.set(id, known)
    return known
  }

  #checkPromise(order: SeenOrder, { promised }: Known): string[] {
    if (promised === null) return []
    const same =
      promised.merchant === order.merchant &&
      promised.merchantOrderId === order.merchantOrderId &&
      promised.direction === order.direction &&
      promised.price === order.price &&
      promised.expiryAt === order.expiryAt
    return same ? [] : [`order ${order.id} is not what was promised`]
  }

  #checkCash(order: SeenOrder, known: Known, { exceptions }: View): string[] {
    const { id, status, holder } = order
    const problems: string[] = []
    const [cash] = known.cash
    if (known.confirmedBy !== null && (status !== 'COMPLETED' || holder !== known.confirmedBy)) {
      problems.push(`order ${id} was confirmed to ${known.confirmedBy}, and is ${status}`)
    }
    if (status === 'COMPLETED' && (cash === undefined || cash.provider !== holder)) {
      problems.push(`order ${id} is COMPLETED for ${holder}, who has handled no cash`)
    }
    if (known.holder !== null && !finals.includes(status)) {
      if (status !== 'PAYMENT_STARTED' || holder !== known.holder)
        problems.push(`${known.holder} was told that it holds order ${id}, which is ${status} (${holder})`)
    }
    const own = exceptions.filter((one) => one.order === id && endedKinds.includes(one.kind))
    if ((cash !== undefined || known.holder !== null) && finals.includes(status) && status !== 'COMPLETED') {
      if (own.length === 0)
        problems.push(`order ${id} ended as ${status} while it was held, and nobody is told`)
    }
    if (known.wasLate && own.length === 0) problems.push(`a late confirm of order ${id} is written nowhere`)
    const isReturned = own.some(({ resolution }) => resolution === 'return')
    const isOpen = own.some(({ state, resolution }) => state === 'open' || resolution === 'honour')
    if (known.wasLate && isReturned && !isOpen)
      problems.push(`order ${id} was confirmed after its money was returned, and nobody is told`)
    return problems
  }

  #checkEnd(order: SeenOrder, known: Known, at: number): string[] {
    const { id, status, isPaid } = order
    const problems: string[] = []
    if (known.hasEndedAs !== null && known.hasEndedAs !== status)
      problems.push(`order ${id} was ${known.hasEndedAs}, and is ${status}`)
    if (isPaid !== (status === 'COMPLETED')) problems.push(`order ${id} is ${status}, and paid is ${isPaid}`)
    if (finals.includes(status) && known.hasEndedAs === null) {
      known.hasEndedAs = status
      const dueAt = order.expiryAt + (order.holder === null ? 0 : graceMs)
      if (status === 'EXPIRED' && at + toleranceMs < Math.min(dueAt, order.expiryAt))
        problems.push(`order ${id} expired ${Math.round((order.expiryAt - at) / 1000)} s before its time`)
    }
    return problems
  }

  /**
   * Of what a pay-in brought no more is promised back than it was. What ended without its cash is promised no more, nor is what an
   * operator has returned: who hands out its cash afterwards is told of, and that is held elsewhere.
   */
  #checkRefunds({ orders, exceptions }: View): string[] {
    const returned = new Set(
      exceptions.filter(({ resolution }) => resolution === 'return').map(({ order }) => order),
    )
    const status = new Map(orders.map((order) => [order.id, order.status]))
    const claimed = new Map<string, bigint>()
    for (const [id, { promised, cash }] of this.#orders) {
      if (promised?.refundOf === undefined) continue
      const isOver = ['CANCELLED', 'EXPIRED'].includes(status.get(id) ?? '')
      if (isOver && (cash.length === 0 || returned.has(id))) continue
      claimed.set(promised.refundOf, (claimed.get(promised.refundOf) ?? 0n) + cents(promised.price))
    }
    for (const [id, known] of this.#orders) {
      if (known.isLowered) known.givenBackBefore = claimed.get(id) ?? 0n
      known.isLowered = false
    }
    return [...claimed].flatMap(([id, sum]) => {
      const payIn = this.#of(id)
      const brought =
        payIn.promised === null || payIn.cash.length === 0 ? 0n : cents(payIn.promised.price) + payIn.more
      return sum > brought && sum > payIn.givenBackBefore
        ? [`of pay-in ${id} ${sum} is given back, and it brought ${brought}`]
        : []
    })
  }

  #checkWebhooks({ orders, webhooks, exceptions }: View): string[] {
    const problems: string[] = []
    const byOrder = Map.groupBy(webhooks, ({ order }) => order)
    for (const { id, status } of orders) {
      const finalOnes = (byOrder.get(id) ?? []).filter(({ isFinal }) => isFinal)
      const isFinal = finals.includes(status)
      if (finalOnes.length !== (isFinal ? 1 : 0))
        problems.push(`order ${id} is ${status} and has ${finalOnes.length} final webhooks`)
      const heard = this.#heard.get(id) ?? []
      for (const { status: told } of heard) {
        if (finals.includes(told) && told !== status)
          problems.push(`a receiver was told ${told} of order ${id}, which is ${status}`)
      }
      for (const one of finalOnes) {
        const isHeard = heard.some((each) => each.status === one.status && each.wasAcknowledged)
        if (one.state === 'delivered' && !isHeard)
          problems.push(`the webhook of order ${id} is delivered, and its receiver never acknowledged it`)
        const isTold = exceptions.some((each) => each.kind === 'webhook_dead' && each.order === id)
        if (one.state === 'dead' && !isTold)
          problems.push(`the webhook of order ${id} is dead, and nobody is told`)
        if (one.state === 'superseded') problems.push(`the final webhook of order ${id} is superseded`)
      }
    }
    return problems
  }
}
