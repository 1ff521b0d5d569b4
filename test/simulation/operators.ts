/**
 * Operators, signed in or by the token: they book deposits, cancel, freeze, drain, and resolve what waits, by what is known of the cash.
 * What takes two of them is done when it is carried out, by whomever.
 */
import type { Random } from '../durability/random.ts'
import type { Bookkeeper } from '../support/model/bookkeeper.ts'
import type { PaymentAnswer } from '../support/model/facts.ts'
import { written } from '../support/model/figures.ts'
import type { Host } from './host.ts'
import type { ApprovalTruth, SeenApproval, Who } from './model/approvals.ts'
import type { Moved } from './model/sums.ts'
import type { Truth } from './model/truth.ts'
import type { PeopleAtWork } from './people.ts'
import { merchants } from './terms.ts'

const reason = 'as was said'
export const settled = ['Shop', 'Network A', 'Network B', 'Kiosk']
/** Exceptions that only who knows of the cash can resolve. */
const ofCash = ['expired_while_locked', 'cancelled_while_locked', 'confirmed_after_return']

export interface OperatorOptions {
  host: Host
  random: Random
  truth: Truth
  books: Bookkeeper
  people: PeopleAtWork
  approvals: ApprovalTruth
  problem: (text: string) => void
  note: (text: string) => void
  /** Tells the bookkeeper all that the orders went through until now. */
  catchUp: () => void
  /** Whether a till has the order in hand, so that nobody can say what becomes of its cash. */
  isInHand: (orderId: string) => boolean
}

/** How an operation ended: `null` where it is not known. */
export type Ending =
  | { ok: true; output: Record<string, unknown>; who: Who }
  | { ok: false; code: string; message: string; who: Who; asked: number | null }
  | null

interface Booked {
  merchant: string
  currency: string
  amount: string
  reference: string
}

interface Payment {
  id: string
  state: string
}

export class OperatorAtWork {
  readonly #options: OperatorOptions
  readonly #deposits: Booked[] = []
  readonly #payments: Payment[] = []
  /** Exceptions' orders that somebody has resolved alone, until their journals tell of it. */
  readonly #resolvedAlone = new Map<string, Who>()
  #references = 0
  /** Whether the node was told to begin nothing new. */
  isDrained = false
  /** What takes two is approved at once. */
  isHurried = false

  constructor(options: OperatorOptions) {
    this.#options = options
  }

  async deposit(): Promise<void> {
    const { random, books, approvals } = this.#options
    const { name: merchant } = this.#pick(merchants)
    const amount = written(BigInt(50_000 + random.below(600_000)), 'MXN')
    const told = { merchant, currency: 'MXN', amount, reference: `deposit ${++this.#references}` }
    const input = { ...told, reason }
    const ended = await this.#ask('deposit.add', input)
    if (ended === null) return
    if (ended.ok) {
      this.#deposits.push(told)
      this.#alone('deposit.add', ended.who, () => books.tell({ is: 'deposit', at: this.#now, ...told }))
    } else if (ended.asked !== null) {
      const request = { operation: 'deposit.add', input: JSON.stringify(input), who: ended.who }
      approvals.askedFor(request, { minor: BigInt(amount.replace('.', '')), parties: [merchant] })
    }
    await this.#second(ended)
  }

  async reverse(): Promise<void> {
    const { books, random } = this.#options
    const told = this.#deposits[random.below(Math.max(1, this.#deposits.length))]
    if (told === undefined) return
    const { merchant, reference } = told
    const ended = await this.#ask('deposit.reverse', { merchant, reference, reason })
    if (ended?.ok) {
      this.#forget(reference)
      this.#alone('deposit.reverse', ended.who, () => books.tell({ is: 'reversal', at: this.#now, ...told }))
    }
    await this.#second(ended)
  }

  #forget(reference: string): void {
    const index = this.#deposits.findIndex((one) => one.reference === reference)
    if (index >= 0) this.#deposits.splice(index, 1)
  }

  cancel(orderId: string, force: boolean): Promise<Ending> {
    return this.#ask('order.cancel', { id: orderId, force, reason })
  }

  /** What takes two is approved at once. @returns how it ended then */
  async claim(name: string, input: object): Promise<Ending> {
    const ended = await this.#ask(name, input)
    if (ended === null || ended.ok || ended.asked === null) return ended
    const isDone = await this.#options.people.second(ended.asked)
    return isDone ? { ok: true, output: {}, who: ended.who } : ended
  }

  async freeze(): Promise<void> {
    const { approvals } = this.#options
    const name = this.#pick(['Shop', 'Kiosk', 'Network A', 'Network B'])
    if (approvals.frozen.has(name)) await this.unfreeze(name)
    else if ((await this.#ask('party.freeze', { name, reason }))?.ok) approvals.freezes(name)
  }

  async unfreeze(name: string): Promise<void> {
    const input = { name, reason }
    const ended = await this.#ask('party.unfreeze', input)
    if (ended?.ok)
      this.#options.approvals.alone(
        { operation: 'party.unfreeze', input: JSON.stringify(input), who: ended.who },
        this.#now,
      )
    await this.#second(ended)
  }

  async drain(): Promise<void> {
    const ended = await (this.isDrained ? this.#ask('node.undrain', {}) : this.#ask('node.drain', { reason }))
    if (ended !== null) this.isDrained = !this.isDrained
  }

  async acceptClock(): Promise<void> {
    await this.#ask('clock.accept', {})
  }

  /** @returns whether there was something to resolve */
  async resolve(): Promise<boolean> {
    const { host, truth, isInHand, random, catchUp } = this.#options
    const open = host.reader
      .all<{ id: string; kind: string; order_id: string | null; evidence_json: string }>(
        "SELECT id, kind, order_id, evidence_json FROM exceptions WHERE state = 'open' ORDER BY id",
      )
      // Now and then nobody asks the till that has it in hand, and what was returned is confirmed after all.
      .filter(({ order_id }) => order_id === null || !isInHand(order_id) || random.chance(0.6))
    if (open.length === 0) return false
    const { id, kind, order_id, evidence_json } = this.#pick(open)
    const was =
      order_id !== null && truth.hasCash(order_id)
        ? 'honour'
        : kind === 'confirmed_after_return'
          ? 'dismiss'
          : 'return'
    const as = ofCash.includes(kind) ? was : 'dismiss'
    const ended = await this.#ask('exception.resolve', { id, as, reason })
    if (ended?.ok) {
      if (order_id !== null) this.#resolvedAlone.set(order_id, ended.who)
      catchUp()
      if (order_id !== null) this.#resolvedAlone.delete(order_id)
      this.#tellAsset(kind, order_id, JSON.parse(evidence_json))
    }
    await this.#second(ended)
    return true
  }

  /** The journal of an order tells that its exception is resolved. */
  resolved(order: string, tell: () => void): void {
    const who = this.#resolvedAlone.get(order)
    if (who === undefined) tell()
    else this.#alone('exception.resolve', who, tell)
  }

  /** What waited of an asset is the operator's. */
  #tellAsset(kind: string, order: string | null, { stake }: { stake?: { currency: string; minor: string } }) {
    const { books } = this.#options
    const at = this.#now
    if (kind === 'refund_due' && order !== null) books.tell({ is: 'assetEnds', at, order, as: 'dismiss' })
    else if (kind === 'deposit_unmatched' && stake !== undefined) {
      const amount = written(BigInt(stake.minor), stake.currency)
      books.tell({ is: 'unmatchedKept', at, asset: stake.currency, amount })
    }
  }

  /** Of one party, or of each. */
  async closeStatements(parties: readonly string[] = [this.#pick(settled)]): Promise<void> {
    for (const party of parties) await this.#closeStatement(party)
  }

  async #closeStatement(party: string): Promise<void> {
    const { books, host } = this.#options
    const ended = await this.#ask('statement.close', { party, currency: 'MXN' }, [
      'conflict',
      'refused',
      'invalid',
    ])
    if (ended?.ok === true) books.closeNow(party, 'MXN', this.#now)
    else if (ended === null) throw new Error('a closing was cut off, and nobody looked for it')
    await host.platform.rest()
  }

  async orderPayment(): Promise<void> {
    const party = this.#pick(['Shop', 'Network A'])
    const ended = await this.#ask('payment.order', { party, bank: 'main', reason }, [
      'conflict',
      'refused',
      'invalid',
    ])
    await this.#payment('payment.order', ended)
  }

  async moveOn(): Promise<void> {
    const { random } = this.#options
    const going = this.#payments.filter(({ state }) => state !== 'returned')
    if (going.length === 0) return
    const { id, state } = this.#pick(going)
    const reference = `line ${++this.#references}`
    const chosen = random.below(10)
    const [name, more] =
      chosen < 3 && state === 'ordered'
        ? (['payment.sent', {}] as const)
        : chosen < 7 && state !== 'booked'
          ? (['payment.book', { reference }] as const)
          : (['payment.return', state === 'booked' ? { reference } : {}] as const)
    await this.#payment(name, await this.#ask(name, { id, reason, ...more }))
  }

  async #payment(name: string, ended: Ending): Promise<void> {
    if (ended?.ok)
      this.#alone(name, ended.who, () => this.#tellPayment(ended.output.payment as PaymentAnswer))
    await this.#second(ended)
  }

  #tellPayment(payment: PaymentAnswer): void {
    const known = this.#payments.find(({ id }) => id === payment.id)
    if (known === undefined) this.#payments.push({ id: payment.id, state: payment.state })
    else known.state = payment.state
    this.#options.books.tell({ is: 'payment', at: this.#now, payment })
  }

  /** It took two, and was carried out then: what it has moved is what was asked for. */
  carriedOut({ operation, input, events }: SeenApproval): void {
    const { books, host } = this.#options
    const at = events.at(-1)?.at ?? this.#now
    const asked = JSON.parse(input)
    if (operation === 'deposit.add') {
      const { merchant, currency, amount, reference }: Booked = asked
      const told = { merchant, currency, amount, reference }
      this.#deposits.push(told)
      books.tell({ is: 'deposit', at, ...told })
    } else if (operation === 'deposit.reverse') {
      const told = this.#deposits.find(({ reference }) => reference === asked.reference)
      if (told === undefined) this.#options.problem(`what is reversed was never booked: ${input}`)
      else books.tell({ is: 'reversal', at, ...told })
      this.#forget(asked.reference)
    } else if (operation === 'exception.resolve') {
      const [row] = host.reader.all<{ kind: string; order_id: string | null; evidence_json: string }>(
        'SELECT kind, order_id, evidence_json FROM exceptions WHERE id = ?',
        asked.id,
      )
      if (row !== undefined) this.#tellAsset(row.kind, row.order_id, JSON.parse(row.evidence_json))
    } else if (operation.startsWith('payment.')) {
      for (const payment of host.reader.payments()) this.#tellPayment(payment)
    }
  }

  /** What somebody has done alone is what the bookkeeper moves when it is told of it. */
  #alone(operation: string, who: Who, tell: () => void): void {
    const { books, approvals } = this.#options
    const before = books.balances()
    tell()
    approvals.alone({ operation, input: '{}', who }, this.#now, movedBetween(before, books.balances()))
  }

  /** What takes two is approved at once, now and then. */
  async #second(ended: Ending): Promise<void> {
    const { people, random } = this.#options
    if (ended === null || ended.ok || ended.asked === null) return
    if (this.isHurried || random.chance(0.4)) await people.second(ended.asked)
  }

  get #now(): number {
    return this.#options.host.platform.clock.now()
  }

  #pick<T>(list: readonly T[]): T {
    const found = list[this.#options.random.below(list.length)]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }

  /** Nothing else is under way: whatever went before it has ended, so that the bookkeeper hears of everything in its order. */
  async #ask(name: string, input: object, expected = ['conflict', 'refused', 'not_found']): Promise<Ending> {
    const { host, problem, catchUp, people } = this.#options
    if (host.process === null) return null
    await host.platform.rest()
    catchUp()
    const who = people.asker
    const outcome = await host.drive(people.operate(who, name, input))
    if (!outcome.ok && outcome.asked === null && !expected.includes(outcome.code))
      problem(`${name} ${JSON.stringify(input)}: ${outcome.code} ${outcome.message}`)
    return { ...outcome, who }
  }
}

/** Of MXN: all that has arrived somewhere, and whose accounts have changed. */
function movedBetween(before: ReadonlyMap<string, bigint>, after: ReadonlyMap<string, bigint>): Moved {
  const places = new Set([...before.keys(), ...after.keys()])
  const changes = [...places].flatMap((place) => {
    const change = (after.get(place) ?? 0n) - (before.get(place) ?? 0n)
    const [, kind = '', owner = ''] = /^(\S+) (.*) MXN$/.exec(place) ?? []
    return change === 0n || kind === '' ? [] : [{ change, kind, owner }]
  })
  return {
    minor: changes.reduce((sum, { change }) => (change > 0n ? sum + change : sum), 0n),
    parties: [
      ...new Set(changes.flatMap(({ kind, owner }) => (owner === '' || kind === 'bank' ? [] : [owner]))),
    ],
  }
}
