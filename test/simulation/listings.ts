/** Merchants that read their lists page by page while orders come and change, and hold them against what they know. */
import type { Random } from '../durability/random.ts'
import type { Direction } from './model/truth.ts'
import type { Network } from './network.ts'
import { type Answer, signed } from './requests.ts'
import type { merchants } from './terms.ts'

type Merchant = (typeof merchants)[number]

export interface ListedOrder {
  id: string
  direction: Direction
  price: string
}

interface Walk {
  direction: Direction
  limit: number
  /** What it was promised before it began: each is listed once, whatever comes meanwhile. */
  known: readonly ListedOrder[]
  seen: { id: string; price: string; created: number }[]
  cursor: string | null
  isWaiting: boolean
}

export interface ListingOptions {
  merchant: Merchant
  random: Random
  network: Network
  stamp: () => number
  /** When an order was made, by its id. */
  createdAt: (id: string) => number
  problem: (text: string) => void
}

export class Listing {
  readonly #options: ListingOptions
  #walk: Walk | null = null
  walked = 0

  constructor(options: ListingOptions) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#walk === null
  }

  /** Asks for the next page, or begins. @param known what its merchant was promised, the oldest first */
  turn(known: readonly ListedOrder[]): void {
    const { random } = this.#options
    if (this.#walk === null) {
      const direction = random.chance(0.5) ? 'PAY_OUT' : 'PAY_IN'
      this.#walk = {
        direction,
        limit: 1 + random.below(4),
        known: known.filter((one) => one.direction === direction),
        seen: [],
        cursor: null,
        isWaiting: false,
      }
    }
    if (!this.#walk.isWaiting) this.#ask(this.#walk)
  }

  #ask(walk: Walk): void {
    const { merchant, network, stamp } = this.#options
    const cursor = walk.cursor === null ? '' : `&cursor=${encodeURIComponent(walk.cursor)}`
    const collection = walk.direction === 'PAY_OUT' ? 'pay-out' : 'pay-in'
    const path = `/api/v1/merchants/orders/${collection}/?limit=${walk.limit}${cursor}`
    walk.isWaiting = true
    network.send(signed(merchant.key, { method: 'GET', path, at: stamp() }), (answer) => {
      walk.isWaiting = false
      if (answer !== null) this.#read(walk, answer)
    })
  }

  #read(walk: Walk, { status, text }: Answer): void {
    // By a wrong clock of the node no message is of this time.
    if (status === 403) return
    if (status !== 200) {
      this.#options.problem(`a list was answered ${status} ${text}`)
      return
    }
    const { results, next } = JSON.parse(text)
    for (const { id, price } of results) walk.seen.push({ id, price, created: this.#options.createdAt(id) })
    walk.cursor = next
    if (next !== null) return
    this.#walk = null
    this.walked += 1
    this.#judge(walk)
  }

  #judge({ known, seen, direction }: Walk): void {
    const { problem, merchant } = this.#options
    const name = `the list of ${merchant.name}'s ${direction}`
    for (const { id, price } of known) {
      const found = seen.filter((one) => one.id === id)
      if (found.length !== 1) problem(`${name} has order ${id} ${found.length} times`)
      else if (found[0]?.price !== price) problem(`${name} has order ${id} with the price ${found[0]?.price}`)
    }
    if (new Set(seen.map(({ id }) => id)).size !== seen.length) problem(`${name} has an order twice`)
    const isSorted = seen.every(
      ({ created }, index) => index === 0 || created <= (seen[index - 1]?.created ?? 0),
    )
    if (!isSorted) problem(`${name} is not sorted`)
  }
}
