/** A world: one node, those around it, what the scheduler may do to them, and what is checked after each step. */
import { createHash } from 'node:crypto'
import { Bookkeeper } from '../support/model/bookkeeper.ts'
import { written } from '../support/model/figures.ts'
import { SimulatedChain } from './chain.ts'
import { Chance } from './chance.ts'
import { Claimants } from './claimants.ts'
import { newCounts } from './counts.ts'
import { Host, type Mode } from './host.ts'
import { Listing } from './listings.ts'
import { ApprovalTruth, type SeenApproval } from './model/approvals.ts'
import { ChainTruth } from './model/chain.ts'
import { Truth } from './model/truth.ts'
import { Network } from './network.ts'
import { OperatorAtWork, settled } from './operators.ts'
import { Payers } from './payers.ts'
import { PeopleAtWork, people, thresholds } from './people.ts'
import { Platform } from './platform.ts'
import { Receivers } from './receivers.ts'
import { Shop } from './shops.ts'
import { merchants, terms, tills } from './terms.ts'
import { type Offered, Till } from './tills.ts'
import { Witness } from './witness.ts'

/** What is paid on the chain, as the ledger names it. */
const asset = 'USDC.MONAD/6'
export const beginsAt = Date.UTC(2026, 2, 2, 12)

interface OfferedRow {
  id: string
  code: string
  direction: Offered['direction']
  price_minor: bigint
  lock_provider_id: string | null
}

interface Placed {
  approval: SeenApproval
  /** In the ledger. */
  place: bigint
}

export class World {
  readonly platform: Platform
  /** Begins anew at each event, so that one that is left out changes nothing of the others' choices. */
  readonly random: Chance
  readonly host: Host
  readonly truth = new Truth()
  readonly chainTruth = new ChainTruth()
  readonly approvalTruth = new ApprovalTruth(people, thresholds)
  readonly chain: SimulatedChain
  readonly payers: Payers
  readonly books: Bookkeeper
  readonly network: Network
  readonly receivers: Receivers
  readonly people: PeopleAtWork
  readonly operator: OperatorAtWork
  readonly claimants: Claimants
  readonly shops: Shop[]
  readonly tills: Till[]
  readonly listings: Listing[]
  readonly counts = newCounts()
  readonly witness = new Witness()
  readonly problems: string[] = []
  readonly trace: string[] = []
  readonly #digest = createHash('sha256')
  #position = 0
  /** Of what was checked last. */
  #checked = ''
  /** Deposits that the bookkeeper was told of. */
  readonly #told = new Set<string>()

  constructor(seed: number, options: { mode: Mode; template: string; since: number }) {
    const { mode, template, since } = options
    this.platform = new Platform(seed, beginsAt)
    this.random = new Chance(seed)
    this.chain = new SimulatedChain(() => this.platform.trueTime, beginsAt)
    this.platform.connect((...asked) => this.chain.ask(...asked))
    const { random, truth } = this
    this.receivers = new Receivers(
      random,
      () => truth,
      (text) => this.problem(text),
    )
    const beside = () => ({
      sender: this.receivers.sender,
      onFailure: (error: Error) => this.problem(`the store has failed: ${error.message}`),
    })
    this.host = new Host(this.platform, { mode, beside, from: template })
    this.books = new Bookkeeper(terms, since)
    const faults = { lostRequest: 0.04, lostAnswer: 0.05, duplicate: 0.04 }
    const problem = (text: string) => this.problem(text)
    const note = (text: string) => this.note(text)
    let stamps = 0
    const stamp = () => this.platform.trueTime + (++stamps % 1000) / 1000
    this.network = new Network(this.host, random, faults, problem)
    const { witness } = this
    const isClockRight = () => this.platform.clockOffsetMs === 0
    const shared = {
      random,
      truth,
      network: this.network,
      now: () => this.platform.trueTime,
      stamp,
      witness,
      isClockRight,
      problem,
      note,
    }
    this.shops = merchants.map((merchant) => new Shop({ ...shared, merchant }))
    this.payers = new Payers({ ...shared, chain: this.chain, chainTruth: this.chainTruth })
    this.tills = tills.map((provider) => new Till({ ...shared, provider }))
    const createdAt = (id: string) => {
      const [row] = this.host.reader.all<{ created_at: bigint }>(
        'SELECT created_at FROM orders WHERE id = ?',
        id,
      )
      return Number(row?.created_at)
    }
    this.listings = merchants.map((merchant) => new Listing({ ...shared, merchant, createdAt }))
    const isInHand = (id: string) => this.tills.some((till) => till.orderId === id)
    const catchUp = () => this.catchUp()
    this.people = new PeopleAtWork({
      ...{ host: this.host, random, truth: this.approvalTruth, catchUp, problem, note },
    })
    this.operator = new OperatorAtWork({
      ...{ host: this.host, random, truth, books: this.books, problem, note, catchUp, isInHand },
      people: this.people,
      approvals: this.approvalTruth,
    })
    this.claimants = new Claimants({
      ...{
        host: this.host,
        random,
        books: this.books,
        network: this.network,
        stamp,
        isInHand,
        problem,
        note,
      },
      ask: (name, input) => this.operator.claim(name, input),
      catchUp,
      hasCash: (id) => truth.hasCash(id),
      corrected: (id, moreMinor) => truth.corrected(id, moreMinor),
    })
  }

  problem(text: string): void {
    this.note(`PROBLEM ${text}`)
    this.problems.push(text)
  }

  note(text: string): void {
    const line = `${this.counts.events} ${this.platform.trueTime - beginsAt} ${text}`
    this.trace.push(line)
    this.#digest.update(`${line}\n`)
  }

  get digest(): string {
    return this.#digest.copy().digest('hex')
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.random.below(Math.max(1, list.length))]
  }

  orders(status: string): Offered[] {
    const { reader } = this.host
    return reader
      .all<OfferedRow>(
        `SELECT id, code, direction, price_minor, lock_provider_id FROM orders
          WHERE status = ? ORDER BY id DESC LIMIT 20`,
        status,
      )
      .map(({ price_minor, lock_provider_id, ...order }) => ({
        ...order,
        price: written(price_minor, 'MXN'),
        holder: reader.name(lock_provider_id),
      }))
  }

  /** Tells the bookkeeper what became of orders, and of what two have agreed on, in the order of their commits. */
  catchUp(): void {
    this.#tellDeposits()
    const carriedOut = this.#carriedOut()
    for (const line of this.host.reader.journal(this.#position)) {
      this.#position = line.position
      if (line.outcome !== 'accepted') continue
      const place = carriedOut.length === 0 ? null : this.host.reader.lastPlaceOf(line.order)
      while (place !== null && carriedOut[0] !== undefined && carriedOut[0].place < place)
        this.operator.carriedOut((carriedOut.shift() as Placed).approval)
      this.note(`journal ${line.position} ${line.order} ${line.event.type} ${line.from} ${line.to}`)
      if (line.event.type === 'exception.resolve') {
        const as = line.event.as as 'honour' | 'return' | 'dismiss'
        this.operator.resolved(line.order, () =>
          this.books.tell({ is: 'resolution', at: line.at, order: line.order, as }),
        )
      } else if (line.event.type === 'claim.end') this.claimants.ended(line)
      else if (line.from !== line.to) this.#tellOrder(line)
    }
    for (const { approval } of carriedOut) this.operator.carriedOut(approval)
  }

  /** Those that nobody has heard of yet; what a deposit has moved since tells where in the ledger it stands. */
  #carriedOut(): Placed[] {
    const { reader } = this.host
    const approvals = reader.approvals()
    this.counts.approvals = approvals.length
    const carriedOut = approvals.filter(({ state }) => state === 'carried_out')
    this.counts.carriedOut = carriedOut.length
    this.counts.notCarriedOut =
      approvals.filter(({ state }) => state !== 'asked' && state !== 'approved').length - carriedOut.length
    return this.approvalTruth
      .carriedOut(carriedOut, carriedOut.length === 0 ? [] : reader.people())
      .map((approval) => {
        const { operation, input, number } = approval
        this.note(`approval ${number} of ${operation} is carried out`)
        const kind =
          operation === 'deposit.add' ? 'deposit' : operation === 'deposit.reverse' ? 'reverse' : null
        const place = kind === null ? null : reader.placeOf(kind, JSON.parse(input).reference)
        return { approval, place: place ?? 0n }
      })
      .toSorted((one, other) => Number(one.place - other.place))
  }

  #tellOrder({
    order: id,
    at,
    event,
    to,
  }: {
    order: string
    at: number
    event: Record<string, unknown>
    to: string
  }) {
    const { reader } = this.host
    const [row] = reader.all<{
      merchant_id: string
      direction: string
      price_minor: bigint
      currency: string
      expected: bigint | null
      fee: bigint
      rounding: bigint
    }>(
      `SELECT merchant_id, direction, price_minor, currency, expected_minor AS expected,
        foreign_orders.fee_minor AS fee, rounding_minor AS rounding
        FROM orders LEFT JOIN foreign_orders ON order_id = id WHERE id = ?`,
      id,
    )
    if (row === undefined) throw new Error(`The journal tells of an order ${id} that is not there.`)
    const { direction, currency, expected } = row
    const price = written(row.price_minor, currency)
    const tell = (status: string) => {
      const told = {
        ...{ at, merchant: reader.name(row.merchant_id) },
        order: { id, direction, price, price_currency: currency, status },
        network: typeof event.networkId === 'string' ? event.networkId : null,
      }
      if (expected === null) this.books.tell({ is: 'order', country: 'MX', ...told })
      else {
        const [send, fee] = [written(expected, asset), written(row.fee, asset)]
        const quote = { asset, send, fee, rounding: written(row.rounding, currency) }
        this.books.tell({ is: 'foreignOrder', quote, ...told })
      }
    }
    // Whoever lets go says that there was no cash: what ends by it was not in doubt.
    if (event.type === 'payment.cancel' && to === 'EXPIRED') tell('READY')
    tell(to)
  }

  /** What the node has recorded of the chain: the model judges whether that is so. */
  #tellDeposits(): void {
    const { deposits } = this.host.reader.chainView()
    for (const { id, order, units, credited } of deposits) {
      if (this.#told.has(id)) continue
      this.#told.add(id)
      this.note(`deposit ${id} of ${units}, ${credited} for ${order}`)
      const at = this.platform.clock.now()
      if (order !== null && credited > 0n)
        this.books.tell({ is: 'chainDeposit', at, order, amount: written(credited, asset) })
      if (units > credited)
        this.books.tell({ is: 'unmatched', at, asset, amount: written(units - credited, asset) })
    }
  }

  /** Whether the node has recorded all that is final. */
  get hasReadChain(): boolean {
    return this.chain.movements.every(({ id }) => [...this.#told].some((told) => told.includes(id)))
  }

  /** Every statement that was closed, held against what the bookkeeper says of it. */
  checkStatements(): void {
    for (const party of settled) {
      const expected = this.books.statements(party, 'MXN').map(({ number, opening, closing, due, lines }) => {
        const told = lines.map(({ order, amount, fee, tax }) => `${order} ${amount} ${fee} ${tax}`)
        return [number, opening, closing, due, ...told.toSorted()].join(', ')
      })
      const found = this.host.reader.statements(party, 'MXN')
      for (const [index, text] of expected.entries()) {
        if (found[index] !== text)
          this.problem(`a statement of ${party} is ${found[index]}, and should be ${text}`)
      }
      if (found.length !== expected.length)
        this.problem(`${party} has ${found.length} statements, and should have ${expected.length}`)
    }
  }

  /** What must hold whenever the program rests. */
  check(): void {
    const seen = this.#state()
    if (seen === this.#checked) return
    this.catchUp()
    for (const problem of this.truth.check(this.host.reader.view(this.platform.trueTime)))
      this.problem(problem)
    for (const problem of this.chainTruth.check(this.chain.movements, this.host.reader.chainView()))
      this.problem(problem)
    for (const problem of this.approvalTruth.check(this.host.reader.approvalView(this.platform.trueTime)))
      this.problem(problem)
    this.#checkBalances()
    this.#checked = this.#state()
  }

  /** What a check depends on: the database, and what those around the node were told. */
  #state(): string {
    return [this.host.reader.version, this.trace.length, this.network.answered, this.receivers.received].join(
      ' ',
    )
  }

  #checkBalances(): void {
    const expected = this.books.balances()
    const sums = new Map<string, bigint>()
    for (const { kind, owner, currency, minor } of this.host.reader.balances()) {
      sums.set(currency, (sums.get(currency) ?? 0n) + minor)
      const place = `${kind} ${owner} ${currency}`
      const reckoned = expected.get(place) ?? 0n
      expected.delete(place)
      if (reckoned !== minor)
        this.problem(
          `${place} holds ${written(minor, currency)}, and should hold ${written(reckoned, currency)}`,
        )
    }
    for (const [place, minor] of expected) this.problem(`${place} should hold ${minor}, and is not there`)
    for (const [currency, sum] of sums) if (sum !== 0n) this.problem(`the sum of ${currency} is ${sum}`)
  }
}
