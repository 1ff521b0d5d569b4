/** The operator: books deposits, cancels, freezes, drains, and resolves what waits, by what is known of the cash. */
import { OperationError } from '../../actors/foundation/operation.ts'
import type { Random } from '../durability/random.ts'
import type { Bookkeeper } from '../support/model/bookkeeper.ts'
import type { PaymentAnswer } from '../support/model/facts.ts'
import { written } from '../support/model/figures.ts'
import type { Host } from './host.ts'
import type { Truth } from './model/truth.ts'
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
  problem: (text: string) => void
  note: (text: string) => void
  /** Tells the bookkeeper all that the orders went through until now. */
  catchUp: () => void
  /** Whether a till has the order in hand, so that nobody can say what becomes of its cash. */
  isInHand: (orderId: string) => boolean
}

/** How an operation ended: `null` where it is not known. */
export type Ending =
  | { ok: true; output: Record<string, unknown> }
  | { ok: false; code: string; message: string }
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
  #references = 0
  /** Whether the node was told to begin nothing new. */
  isDrained = false
  readonly frozen = new Set<string>()

  constructor(options: OperatorOptions) {
    this.#options = options
  }

  async deposit(): Promise<void> {
    const { random, books } = this.#options
    const { name: merchant } = this.#pick(merchants)
    const amount = written(BigInt(50_000 + random.below(600_000)), 'MXN')
    const told = { merchant, currency: 'MXN', amount, reference: `deposit ${++this.#references}` }
    const ended = await this.#ask('deposit.add', { ...told, reason })
    if (ended?.ok !== true && !this.#isThere(told)) return
    this.#deposits.push(told)
    books.tell({ is: 'deposit', at: this.#now, ...told })
  }

  async reverse(): Promise<void> {
    const { books, random, host } = this.#options
    const told = this.#deposits.splice(random.below(Math.max(1, this.#deposits.length)), 1)[0]
    if (told === undefined) return
    const { merchant, reference } = told
    const ended = await this.#ask('deposit.reverse', { merchant, reference, reason })
    const isDone = ended?.ok === true
    const [row] =
      isDone || host.process !== null
        ? [undefined]
        : host.reader.all<{ reversed_at: bigint | null }>(
            'SELECT reversed_at FROM account_deposits WHERE reference = ?',
            reference,
          )
    if (isDone || (row?.reversed_at ?? null) !== null) books.tell({ is: 'reversal', at: this.#now, ...told })
    else this.#deposits.push(told)
  }

  cancel(orderId: string, force: boolean): Promise<Ending> {
    return this.#ask('order.cancel', { id: orderId, force, reason })
  }

  claim(name: string, input: object): Promise<Ending> {
    return this.#ask(name, input)
  }

  async freeze(): Promise<void> {
    const name = this.#pick(['Shop', 'Kiosk', 'Network A', 'Network B'])
    if (this.frozen.has(name)) await this.unfreeze(name)
    else if ((await this.#ask('party.freeze', { name, reason })) !== null) this.frozen.add(name)
  }

  async unfreeze(name: string): Promise<void> {
    if ((await this.#ask('party.unfreeze', { name, reason })) !== null) this.frozen.delete(name)
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
    const { host, truth, isInHand, random } = this.#options
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
    if (ended?.ok === true) this.#tellAsset(kind, order_id, JSON.parse(evidence_json))
    return true
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
    if (ended?.ok === true) this.#tellPayment(ended.output.payment as PaymentAnswer)
  }

  async moveOn(): Promise<void> {
    const { random } = this.#options
    const going = this.#payments.filter(({ state }) => state !== 'returned')
    if (going.length === 0) return
    const { id, state } = this.#pick(going)
    const reference = `line ${++this.#references}`
    const chosen = random.below(10)
    const ended =
      chosen < 3 && state === 'ordered'
        ? await this.#ask('payment.sent', { id, reason })
        : chosen < 7 && state !== 'booked'
          ? await this.#ask('payment.book', { id, reason, reference })
          : await this.#ask('payment.return', { id, reason, ...(state === 'booked' ? { reference } : {}) })
    if (ended?.ok === true) this.#tellPayment(ended.output.payment as PaymentAnswer)
  }

  #tellPayment(payment: PaymentAnswer): void {
    const known = this.#payments.find(({ id }) => id === payment.id)
    if (known === undefined) this.#payments.push({ id: payment.id, state: payment.state })
    else known.state = payment.state
    this.#options.books.tell({ is: 'payment', at: this.#now, payment })
  }

  get #now(): number {
    return this.#options.host.platform.clock.now()
  }

  #isThere({ reference }: Booked): boolean {
    const { reader } = this.#options.host
    return reader.all('SELECT 1 FROM account_deposits WHERE reference = ?', reference).length > 0
  }

  #pick<T>(list: readonly T[]): T {
    const found = list[this.#options.random.below(list.length)]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }

  /** Alone: whatever went before it has ended, so that the bookkeeper hears of everything in its order. */
  async #ask(name: string, input: object, expected = ['conflict', 'refused', 'not_found']): Promise<Ending> {
    const { host, note, problem, catchUp } = this.#options
    const { process } = host
    if (process === null) return null
    await host.platform.rest()
    catchUp()
    try {
      const output = (await host.drive(process.operate(name, input, 'ana'))) as Record<string, unknown>
      note(`operator ${name} ${JSON.stringify(input)}: done`)
      return { ok: true, output }
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      note(`operator ${name} ${JSON.stringify(input)}: ${error.code} ${error.message}`)
      if (!expected.includes(error.code))
        problem(`${name} ${JSON.stringify(input)}: ${error.code} ${error.message}`)
      return { ok: false, code: error.code, message: error.message }
    }
  }
}
