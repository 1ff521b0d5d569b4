/**
 * Claims about the cash of orders that have ended: parties open and answer them by signed messages, the operator opens some itself, and
 * decides what waits. What each moves is told by the journals, and reckoned by the bookkeeper.
 */
import type { Random } from '../durability/random.ts'
import type { Bookkeeper } from '../support/model/bookkeeper.ts'
import type { ClaimedCash } from '../support/model/facts.ts'
import { written } from '../support/model/figures.ts'
import type { Host } from './host.ts'
import type { Network } from './network.ts'
import type { Ending } from './operators.ts'
import { type Answer, signed } from './requests.ts'
import { merchants, tills } from './terms.ts'
import type { JournalLine } from './view.ts'

const booked: readonly ClaimedCash[] = ['credited_not_paid', 'twice', 'wrong_amount', 'false_note']
const inDoubt = ['expired_while_locked', 'cancelled_while_locked', 'confirmed_after_return']

export interface ClaimantsOptions {
  host: Host
  random: Random
  books: Bookkeeper
  network: Pick<Network, 'send'>
  stamp: () => number
  ask: (name: string, input: object) => Promise<Ending>
  /** Tells the bookkeeper all that the orders went through until now. */
  catchUp: () => void
  /** Whether its cash was handled, as far as those know it who were there. */
  hasCash: (orderId: string) => boolean
  isInHand: (orderId: string) => boolean
  /** So much more than it was is what a pay-in has brought; cents. */
  corrected: (orderId: string, moreMinor: bigint) => void
  problem: (text: string) => void
  note: (text: string) => void
}

interface Disputed {
  id: string
  merchant_id: string
  provider_id: string
  status: string
  price_minor: bigint
  direction: string
  is_given_back: bigint
}

interface Waiting {
  number: bigint
  kind: ClaimedCash | 'paid_not_credited'
  order_id: string
  merchant_id: string
  provider_id: string
  respondent: 'merchant' | 'provider'
  state: string
  price_minor: bigint
  amount_minor: bigint | null
  direction: string
}

type Decided = Pick<Waiting, 'direction' | 'price_minor' | 'amount_minor'> & { kind: ClaimedCash }

export class Claimants {
  readonly #options: ClaimantsOptions
  opened = 0
  moved = 0

  constructor(options: ClaimantsOptions) {
    this.#options = options
  }

  /** Somebody claims something of one of the last orders that have ended in somebody's hand. */
  async open(): Promise<void> {
    const { host, random, ask } = this.#options
    if (host.process === null) return
    await host.platform.rest()
    const order = this.#pick(this.#ended())
    if (order === undefined) return
    const claim = { order: order.id, ...this.#claimOf(order) }
    if (random.chance(0.4)) {
      const ended = await ask('claim.open', { ...claim, reason: 'a mail' })
      this.opened += ended?.ok === true ? 1 : 0
    } else this.#say(order, random.chance(0.5) ? 'merchant' : 'provider', 'claims/', claim)
  }

  /** Whoever is claimed against says something. */
  answer(): void {
    const claim = this.#pick(this.#waiting())
    if (claim === undefined) return
    const answer = this.#options.random.chance(0.5) ? 'agrees' : 'denies'
    this.#say(claim, claim.respondent, `claims/${claim.number}/answer/`, { answer })
  }

  /** @returns whether there was something to decide */
  async decide(): Promise<boolean> {
    const { host, random, ask, books, problem, catchUp } = this.#options
    if (host.process === null) return false
    await host.platform.rest()
    catchUp()
    const claim = this.#pick(this.#waiting())
    if (claim === undefined) return false
    const { number, kind, order_id: order, amount_minor } = claim
    const isRejected = kind === 'paid_not_credited' ? !this.#isOwed(order) : random.chance(0.3)
    const verb = isRejected ? 'reject' : claim.state === 'denied' ? 'uphold' : 'accept'
    const amount = amount_minor === null ? null : written(amount_minor, 'MXN')
    const mayMove = kind === 'paid_not_credited' || books.corrections.mayClaim({ order, kind, amount })
    const ended = await ask(`claim.${verb}`, { number: Number(number), reason: 'the receipt was seen' })
    if (ended === null || isRejected || (!ended.ok && ended.asked !== null)) return true
    if (ended.ok !== mayMove)
      problem(`claim ${number} (${kind}) of order ${order} ${ended.ok ? 'has' : 'has not'} moved money`)
    return true
  }

  /** The journal tells how one has ended. What is decided by an exception's money is told as that. */
  ended({ order, at, event }: JournalLine): void {
    const { host, books, corrected } = this.#options
    if (event.as !== 'accepted' && event.as !== 'upheld') return
    this.moved += 1
    const [claim] = host.reader.all<Decided>(
      `SELECT kind, direction, price_minor, amount_minor FROM claims WHERE number = ? AND is_by_exception = 0`,
      event.claim,
    )
    if (claim === undefined) return
    if (claim.direction === 'PAY_IN') corrected(order, moreOf(claim))
    const amount = claim.amount_minor === null ? null : written(claim.amount_minor, 'MXN')
    books.tell({ is: 'claim', at, order, kind: claim.kind, amount })
  }

  /** Its money waits for somebody's word, and its cash was handled. */
  #isOwed(order: string): boolean {
    const { host, hasCash, isInHand } = this.#options
    return hasCash(order) && !isInHand(order) && isOpen(host, order)
  }

  #claimOf({ status, direction, price_minor: price, is_given_back }: Disputed) {
    const { random } = this.#options
    if (status !== 'COMPLETED') return { kind: 'paid_not_credited' }
    // What a pay-in has brought is not taken back once something of it was given back, and a refund is handed out.
    const isBound = is_given_back > 0n
    const kind = isBound ? (direction === 'PAY_IN' ? 'twice' : 'false_note') : this.#pick(booked)
    const amount = written(BigInt(1 + random.below(Number(price))), 'MXN')
    return kind === 'wrong_amount' || kind === 'false_note' ? { kind, amount } : { kind }
  }

  #ended(): Disputed[] {
    const { host } = this.#options
    return host.reader
      .all<Disputed>(
        `SELECT id, merchant_id, lock_provider_id AS provider_id, status, price_minor, direction,
            refund_of IS NOT NULL OR EXISTS (SELECT 1 FROM orders AS back WHERE back.refund_of = orders.id) AS is_given_back
          FROM orders WHERE status IN ('COMPLETED', 'EXPIRED', 'CANCELLED') AND lock_provider_id IS NOT NULL
          ORDER BY id DESC LIMIT 20`,
      )
      .filter(({ id, status }) => status === 'COMPLETED' || isOpen(host, id))
  }

  #waiting(): Waiting[] {
    return this.#options.host.reader.all(
      `SELECT number, kind, order_id, merchant_id, provider_id, respondent, state, price_minor, amount_minor, direction
        FROM claims WHERE ended_at IS NULL ORDER BY number`,
    )
  }

  #say(
    of: { merchant_id: string; provider_id: string },
    by: 'merchant' | 'provider',
    path: string,
    document: object,
  ): void {
    const { host, network, stamp, note, problem } = this.#options
    const name = host.reader.name(by === 'merchant' ? of.merchant_id : of.provider_id)
    const party = [...merchants, ...tills].find((one) => one.name === name)
    if (party === undefined) throw new Error(`Nobody is called ${name}.`)
    const message = signed(party.key, {
      method: 'POST',
      path: `/api/v1/${by}s/${path}`,
      at: stamp(),
      document,
    })
    network.send(message, (answer: Answer | null) => {
      note(`${name} ${path} ${JSON.stringify(document)}: ${answer?.status ?? 'no answer'}`)
      if (answer === null) return
      if (answer.status === 201) this.opened += 1
      // A wrong clock, a frozen party, what there is already, what has ended, and what one has opened oneself.
      if (![200, 201, 400, 403, 409, 422].includes(answer.status))
        problem(`${name} ${path} was answered ${answer.status} ${answer.text}`)
    })
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#options.random.below(Math.max(1, list.length))]
  }
}

function isOpen({ reader }: Host, order: string): boolean {
  const open = reader.all<{ kind: string }>(
    "SELECT kind FROM exceptions WHERE order_id = ? AND state = 'open'",
    order,
  )
  return open.some(({ kind }) => inDoubt.includes(kind))
}

function moreOf({ kind, price_minor, amount_minor }: Decided): bigint {
  if (kind === 'twice') return price_minor
  if (kind === 'credited_not_paid') return -price_minor
  return kind === 'false_note' ? -(amount_minor ?? 0n) : (amount_minor ?? 0n) - price_minor
}
