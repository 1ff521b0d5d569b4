/**
 * What really came on the chain, as somebody knows it who keeps its final blocks: which payments there are, and what each
 * order may be credited with. It shares no import with the program; `npm run layers` sees to that.
 */

/** A payment to the treasury, in the chain's smallest units. */
export interface Movement {
  id: string
  units: bigint
  wallet: string
  reference: string | null
  /** Time of its block. */
  at: number
  /** Its block can no longer be replaced. */
  isFinal: boolean
  /** An endpoint has left it out for a while: who asked that one could not know of it before the treasury was counted. */
  wasLeftOut: boolean
}

/** A deposit as the database has it. */
export interface SeenDeposit {
  id: string
  transaction: string
  units: bigint
  order: string | null
  credited: bigint
  outcome: string
}

/** The foreign side of an order as the database has it. */
export interface SeenForeignOrder {
  id: string
  status: string
  reference: string
  wallet: string
  expected: bigint
  received: bigint
  fundingDeadline: number
}

export interface ChainView {
  deposits: readonly SeenDeposit[]
  orders: readonly SeenForeignOrder[]
  exceptions: readonly { kind: string; order: string | null; transaction: string | null }[]
}

const unpaid = ['CREATED', 'CANCELLED', 'EXPIRED']

export class ChainTruth {
  /** What callers were told to pay, by order: it must never change. */
  readonly #offered = new Map<string, string>()
  readonly #problems: string[] = []

  /** A transaction was offered for an order. */
  offered(id: string, { reference, wallet }: { reference: string; wallet: string }): void {
    const told = `${reference} from ${wallet}`
    const known = this.#offered.get(id)
    if (known !== undefined && known !== told)
      this.#problems.push(`order ${id} was to be paid with ${known}, and is with ${told}`)
    this.#offered.set(id, told)
  }

  /** @returns what cannot be, in the order in which it was found */
  check(movements: readonly Movement[], { deposits, orders }: ChainView): string[] {
    const problems = this.#problems.splice(0)
    const byId = new Map(movements.map((one) => [one.id, one]))
    const orderById = new Map(orders.map((one) => [one.id, one]))
    const seen = new Set<string>()
    const credited = new Map<string, bigint>()
    for (const deposit of deposits) {
      const movement = byId.get(deposit.transaction)
      if (seen.has(deposit.transaction)) problems.push(`payment ${deposit.transaction} is recorded twice`)
      seen.add(deposit.transaction)
      if (!movement?.isFinal) problems.push(`deposit ${deposit.id} is recorded, and is not final`)
      else if (movement.units !== deposit.units)
        problems.push(`deposit ${deposit.id} is of ${deposit.units}, and ${movement.units} were paid`)
      else problems.push(...checkCredit(deposit, movement, orderById))
      if (deposit.order !== null)
        credited.set(deposit.order, (credited.get(deposit.order) ?? 0n) + deposit.credited)
    }
    for (const { id, status, expected, received } of orders) {
      if ((credited.get(id) ?? 0n) !== received)
        problems.push(`order ${id} has received ${received}, and is credited with ${credited.get(id) ?? 0n}`)
      if (received > expected) problems.push(`order ${id} has received ${received} of ${expected}`)
      if (received < expected && !unpaid.includes(status))
        problems.push(`order ${id} is ${status}, and has received ${received} of ${expected}`)
      if (received === expected && status === 'CREATED')
        problems.push(`order ${id} has received all, and is ${status}`)
    }
    return problems
  }

  /** Once everything is healed, and the chain has been read for a while. */
  checkAtRest(movements: readonly Movement[], view: ChainView): string[] {
    const recorded = new Map(view.deposits.map((one) => [one.transaction, one]))
    const orders = new Map(view.orders.map((one) => [one.reference, one]))
    return movements.flatMap((movement) => {
      const deposit = recorded.get(movement.id)
      if (deposit === undefined) return [`payment ${movement.id} is final, and recorded nowhere`]
      const order = movement.reference === null ? undefined : orders.get(movement.reference)
      const isInTime = order?.wallet === movement.wallet && movement.at <= order.fundingDeadline
      const isTold = view.exceptions.some(
        ({ kind, order: id }) => kind === 'chain_outage' && id === order?.id,
      )
      if (isInTime && deposit.outcome === 'order_expired' && !isTold && !movement.wasLeftOut)
        return [`order ${order.id} was paid in time by ${movement.id}, and has expired`]
      const left = movement.units - deposit.credited
      const isToldOf = view.exceptions.some(
        ({ kind, transaction }) => kind === 'deposit_unmatched' && transaction === movement.id,
      )
      if (left > 0n && !isToldOf) return [`of payment ${movement.id} ${left} are nobody's`]
      return []
    })
  }
}

function checkCredit(
  { id, order: orderId, credited, units }: SeenDeposit,
  movement: Movement,
  orders: ReadonlyMap<string, SeenForeignOrder>,
): string[] {
  if (orderId === null) return []
  const order = orders.get(orderId)
  if (order === undefined) return [`deposit ${id} is an order's that is not there`]
  if (credited > units) return [`deposit ${id} of ${units} credits ${credited}`]
  if (movement.reference !== order.reference || movement.wallet !== order.wallet)
    return [`deposit ${id} credits order ${orderId}, for which it was not meant`]
  return movement.at > order.fundingDeadline ? [`deposit ${id} came too late for order ${orderId}`] : []
}
