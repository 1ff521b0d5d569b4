/**
 * One random story of a treasury: money comes for orders and for nothing, leaves as refunds and otherwise, changes
 * without a word, while endpoints omit, reorder, renumber, truncate, lag, lie and fall silent for a while. In the end
 * treasury, chain deposits, refunds and ledger agree to the unit, or an open exception says why not.
 */

import { explainedParts } from '../../actors/chains/outflows.ts'
import { refundReference } from '../../actors/exceptions/exception-id.ts'
import { stakeOf } from '../../actors/exceptions/stake.ts'
import { type Blockchain, evmBlockchains, perBlockchain } from '../../machines/blockchains.ts'
import { assetCurrency } from '../../machines/money.ts'
import type { Row } from '../../persistence/store.ts'
import type { EndpointFaults, LightChain } from '../support/chains/light/light-chain.ts'
import { withLightChain } from '../support/chains/light/light-chain.ts'
import { lightEvm } from '../support/chains/light/light-evm.ts'
import { lightSolana } from '../support/chains/light/light-solana.ts'
import { lightStellar } from '../support/chains/light/light-stellar.ts'
import { type Random, seededRandom } from './random.ts'
import { openTreasuryWorld, type TreasuryWorld } from './treasury-world.ts'

const makers: Readonly<Record<Blockchain, typeof lightSolana>> = {
  SOLANA: lightSolana,
  STELLAR: lightStellar,
  ...perBlockchain(evmBlockchains, lightEvm),
}

export interface StoryEnd {
  /** What does not agree, and nobody is told of. */
  readonly problems: readonly string[]
  readonly figures: {
    readonly movements: number
    readonly faults: number
    readonly restarts: number
    /** Differences that were told, and of these those that were found again. */
    readonly told: number
    readonly foundAgain: number
    /** How long it took after the last fault until everything agreed, in ms of chain time. */
    readonly settledMs: number
  }
}

const tickMs = 10_000
const opening = 1_000_000_000n

export async function tellStory(blockchain: Blockchain, seed: number): Promise<StoryEnd> {
  const random = seededRandom(seed)
  const endpoints = 1 + random.below(3)
  const world = await openTreasuryWorld((clock) =>
    makers[blockchain]({ clock: () => clock.now(), opening, endpoints, seed }),
  )
  try {
    return await withLightChain(world.chain, () => new Story(world, random).tell())
  } finally {
    await world.close()
  }
}

class Story {
  readonly #world: TreasuryWorld
  readonly #random: Random
  /** To be said to be refunded later: exception and transaction. */
  readonly #promised: { exception: string; transaction: string; afterMs: number }[] = []
  readonly #refunded = new Set<string>()
  readonly #paid = new Map<string, bigint>()
  /** What operators have explained of differences: what is found of it after that is one again, and told. */
  #explained = 0n
  #faults = 0
  #restarts = 0
  /** When the last of the faults is over. */
  #healedAt = 0

  constructor(world: TreasuryWorld, random: Random) {
    this.#world = world
    this.#random = random
  }

  get #chain(): LightChain {
    return this.#world.chain
  }

  async tell(): Promise<StoryEnd> {
    const { clock } = this.#world
    // What was there before: nobody reads it, and the first look finds it.
    if (this.#random.chance(0.3)) this.#chain.move(50n)
    clock.advance(60_000)
    if (this.#random.chance(0.3)) this.#begin('downUntil', clock.now() + this.#random.below(45_000))
    const ticks = 12 + this.#random.below(16)
    for (let tick = 0; tick < ticks; tick += 1) {
      for (let count = this.#random.below(3); count > 0; count -= 1) await this.#happen()
      await this.#tick()
    }
    const endedAt = Math.max(clock.now(), this.#healedAt)
    while (clock.now() < endedAt) await this.#tick()
    for (const promise of this.#promised) promise.afterMs = 0
    let problems: readonly string[] = ['it was never looked at']
    // A silent change is told after two looks; what was told is looked for a few minutes later.
    for (let tick = 0; tick < 60 && problems.length > 0; tick += 1) {
      await this.#tick(2 * tickMs)
      if (this.#promised.length === 0) problems = await this.#problems()
    }
    const told = (await this.#world.rows('exceptions')).filter(({ kind }) => kind === 'treasury_differs')
    return {
      problems,
      figures: {
        movements: this.#chain.ledger.movements.length,
        faults: this.#faults,
        restarts: this.#restarts,
        told: told.length,
        foundAgain: told.filter(({ resolution }) => resolution === 'found').length,
        settledMs: clock.now() - endedAt,
      },
    }
  }

  async #tick(ms = tickMs): Promise<void> {
    await this.#world.work()
    this.#world.clock.advance(ms)
    this.#heal()
    for (const promise of [...this.#promised]) {
      promise.afterMs -= ms
      if (promise.afterMs > 0) continue
      const outcome = await this.#world.resolve(
        promise.exception,
        'refunded',
        `sent in ${promise.transaction}`,
      )
      if (outcome !== 'resolved') throw new Error(`a refund was ${outcome}`)
      this.#promised.splice(this.#promised.indexOf(promise), 1)
    }
  }

  async #happen(): Promise<void> {
    const dice = this.#random.fraction()
    if (dice < 0.2) return this.#payOrder()
    if (dice < 0.36) return void this.#moved(this.#chain.move(this.#units()))
    if (dice < 0.5) return this.#refund()
    if (dice < 0.54) return void this.#moved(this.#chain.move(-this.#units()))
    if (dice < 0.57) return this.#dismiss()
    if (dice < 0.58) return this.#changeSilently()
    if (dice < 0.64) return this.#restart()
    if (dice < 0.67) return this.#cancel()
    this.#fault()
  }

  #units(): bigint {
    // Few amounts, so that some cancel each other out.
    return 10n * BigInt(1 + this.#random.below(4))
  }

  /** An endpoint or several may not list it for a while. */
  #moved(id: string): string {
    if (!this.#random.chance(0.35)) return id
    const until = this.#world.clock.now() + this.#random.below(150_000)
    for (const { faults } of this.#chain.endpoints)
      if (this.#random.chance(0.7)) faults.omitted.set(id, until)
    this.#healedAt = Math.max(this.#healedAt, until)
    this.#faults += 1
    return id
  }

  /** Nothing is payable before reading has begun. */
  async #payOrder(): Promise<void> {
    if ((await this.#world.rows('chain_cursors')).length === 0) return
    const units = this.#units()
    const { order_id, wallet, reference } = await this.#world.order(units)
    const isPart = this.#random.chance(0.2)
    this.#moved(this.#chain.move(isPart ? units / 2n : units, { wallet, references: [reference] }))
    this.#paid.set(order_id, isPart ? units / 2n : units)
  }

  async #refund(): Promise<void> {
    const open = (await this.#exceptions()).filter(
      ({ kind, id }) => (kind === 'deposit_unmatched' || kind === 'refund_due') && !this.#refunded.has(id),
    )
    const exception = open[this.#random.below(open.length)]
    const stake = exception && stakeOf(exception.evidence_json)
    if (!exception || !stake) return
    this.#refunded.add(exception.id)
    const references = this.#random.chance(0.6) ? [refundReference(exception.id)] : []
    const transaction = this.#moved(this.#chain.move(-stake.minor, { references }))
    this.#promised.push({ exception: exception.id, transaction, afterMs: this.#random.below(120_000) })
  }

  /** What an operator knows of: an outflow of its own, or a difference that is explained. */
  async #dismiss(): Promise<void> {
    const open = (await this.#exceptions()).filter(({ kind }) => kind.startsWith('treasury_'))
    const exception = open[this.#random.below(open.length)]
    if (exception === undefined || this.#promised.length > 0) return
    const counts = await this.#world.rows('treasury_counts')
    const told = counts.find(({ exception_id }) => exception_id === exception.id)
    const outcome = await this.#world.resolve(exception.id, 'dismiss', null)
    if (outcome === 'resolved') this.#explained += BigInt(told?.told_units ?? 0)
  }

  #changeSilently(): void {
    const units = this.#random.chance(0.5) ? this.#units() : -this.#units()
    this.#chain.move(units, { isSilent: true })
  }

  async #restart(): Promise<void> {
    this.#restarts += 1
    await this.#world.restart()
  }

  async #cancel(): Promise<void> {
    const orders = (await this.#world.rows('orders')).filter(({ status }) => status === 'READY')
    const order = orders[this.#random.below(orders.length)]
    if (order !== undefined) await this.#world.cancel(order.id)
  }

  #fault(): void {
    const until = this.#world.clock.now() + this.#random.below(60_000)
    const names = ['downUntil', 'lagBlocks', 'truncatedTo', 'isShuffled', 'lie'] as const
    this.#begin(names[this.#random.below(names.length)] ?? 'lie', until)
  }

  readonly #ends: { faults: EndpointFaults; name: keyof EndpointFaults; until: number }[] = []

  #begin(name: Exclude<keyof EndpointFaults, 'omitted'>, until: number): void {
    const endpoint = this.#chain.endpoints[this.#random.below(this.#chain.endpoints.length)]
    if (endpoint === undefined) return
    const { faults } = endpoint
    if (name === 'downUntil') faults.downUntil = until
    if (name === 'lagBlocks') faults.lagBlocks = 1 + this.#random.below(20)
    if (name === 'truncatedTo') faults.truncatedTo = 1 + this.#random.below(3)
    if (name === 'isShuffled') faults.isShuffled = true
    if (name === 'lie') faults.lie = { units: BigInt(10 * (this.#random.below(9) - 4)), until }
    this.#ends.push({ faults, name, until })
    this.#healedAt = Math.max(this.#healedAt, until)
    this.#faults += 1
  }

  #heal(): void {
    const now = this.#world.clock.now()
    for (const { faults, name, until } of this.#ends) {
      if (until > now) continue
      if (name === 'lagBlocks') faults.lagBlocks = 0
      if (name === 'truncatedTo') faults.truncatedTo = null
      if (name === 'isShuffled') faults.isShuffled = false
      if (name === 'lie') faults.lie = null
    }
    this.#ends.splice(0, this.#ends.length, ...this.#ends.filter(({ until }) => until > now))
  }

  async #exceptions(): Promise<Row<'exceptions'>[]> {
    // Their ids are random, and a story has to go the same way each time.
    const keyOf = ({ opened_at, kind, amount }: Row<'exceptions'>) => `${opened_at} ${kind} ${amount}`
    return (await this.#world.rows('exceptions'))
      .filter(({ state }) => state === 'open')
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  /** What does not hold. Movements of blocks that no look has counted yet are a problem that time solves. */
  async #problems(): Promise<readonly string[]> {
    const { chain } = this.#world
    const [count] = await this.#world.rows('treasury_counts')
    if (count === undefined) return ['nothing was counted']
    const last = chain.ledger.movements.at(-1)?.height ?? 0
    if (count.book_height < last) return [`counted up to ${count.book_height}, and ${last} moved something`]
    return [
      ...(await this.#countProblems(count)),
      ...(await this.#movementProblems(count)),
      ...(await this.#ledgerProblems(count)),
      ...(await this.#world.verifyTreasury()),
      ...(await this.#orderProblems()),
    ]
  }

  /**
   * What is there beyond what was there at the first look, is on record and was explained by an operator. What an
   * endpoint's lie about a balance has made of a deposit, a token that keeps a part, is on record as that.
   */
  async #inexplicable({ opened_height, opened_units }: Row<'treasury_counts'>): Promise<bigint> {
    const sum = (units: readonly bigint[]) => units.reduce((total, one) => total + one, 0n)
    const isLater = ({ height }: { height: number | string }) => Number(height) > opened_height
    const deposits = (await this.#world.rows('deposits')).filter(isLater)
    const outflows = (await this.#world.rows('treasury_outflows')).filter(isLater)
    return (
      this.#chain.balance -
      BigInt(opened_units) -
      sum(deposits.map(({ amount }) => BigInt(amount))) +
      sum(outflows.map(({ units }) => BigInt(units))) -
      this.#explained
    )
  }

  async #countProblems(count: Row<'treasury_counts'>): Promise<string[]> {
    const { balance } = this.#chain
    const pending = (await this.#world.rows('treasury_movements')).map(({ id }) => id)
    const told = (await this.#exceptions()).filter(({ kind }) => kind === 'treasury_differs')
    const problems = pending.map((id) => `${id} is not in the books`)
    const said = BigInt(count.told_units)
    if (BigInt(count.book_units) + said !== balance)
      problems.push(`the books say ${count.book_units} and ${said} is told, but it holds ${balance}`)
    if (said !== 0n && !told.some(({ id }) => id === count.exception_id))
      problems.push(`a difference of ${said} is told nowhere`)
    if (said === 0n && told.length > 0) problems.push('a difference is told that is none')
    const inexplicable = await this.#inexplicable(count)
    if (said !== inexplicable) problems.push(`${inexplicable} cannot be explained, and ${said} is told`)
    return problems
  }

  /** What an endpoint tells of sooner or later is on record, once. */
  async #movementProblems({ opened_height }: Row<'treasury_counts'>): Promise<string[]> {
    const deposits = Map.groupBy(await this.#world.rows('deposits'), (one) => one.transaction_id)
    const outflows = Map.groupBy(await this.#world.rows('treasury_outflows'), (one) => one.transaction_id)
    return this.#chain.ledger.movements.flatMap(({ id, units, height, isSilent }) => {
      const found =
        units > 0n
          ? (deposits.get(id) ?? []).map(({ amount }) => BigInt(amount))
          : (outflows.get(id) ?? []).map((one) => -BigInt(one.units))
      if (isSilent || (found.length === 0 && height <= opened_height)) return []
      const [only = 0n] = found
      // More than arrived is on record nowhere; less is what the count tells of.
      const isRight = found.length === 1 && (units > 0n ? only <= units && only > 0n : only === units)
      return isRight
        ? []
        : [`${units} in ${id.slice(0, 8)} is on record as ${found.join(' and ') || 'nothing'}`]
    })
  }

  /** The treasury of the ledger holds what is there, but for what was sent back and not said to be. */
  async #ledgerProblems(count: Row<'treasury_counts'>): Promise<string[]> {
    const { blockchain, asset } = this.#chain
    const currency = assetCurrency(asset.symbol, blockchain, asset.decimals)
    const accounts = (await this.#world.rows('accounts')).filter((one) => one.currency === currency)
    const problems: string[] = []
    const sum = accounts.reduce((total, { balance_minor }) => total + balance_minor, 0n)
    if (sum !== 0n) problems.push(`the ledger sums to ${sum}`)
    const treasury = accounts.find(({ kind }) => kind === 'treasury')
    const open = new Set((await this.#exceptions()).map(({ id }) => id))
    let unsaid = 0n
    for (const outflow of await this.#world.rows('treasury_outflows'))
      for (const { exception, units } of explainedParts(outflow))
        if (open.has(exception)) unsaid += BigInt(units)
    const held = -(treasury?.balance_minor ?? 0n)
    if (held - unsaid + BigInt(count.told_units) !== this.#chain.balance)
      problems.push(
        `the ledger holds ${held} (${unsaid} of it sent back, ${count.told_units} told), it is ${this.#chain.balance}`,
      )
    return problems
  }

  /** Money that no order was credited with waits for a person; what an order was paid with is that, or its own. */
  async #orderProblems(): Promise<string[]> {
    const waiting = new Map(
      (await this.#world.rows('deposits'))
        .filter(({ order_id }) => order_id === null)
        .map((one) => [one.references_json, one.outcome]),
    )
    const recorded = new Map(
      (await this.#world.rows('deposits')).map((one) => [one.references_json, BigInt(one.amount)]),
    )
    const foreign = new Map((await this.#world.rows('foreign_orders')).map((one) => [one.order_id, one]))
    const orders = new Map((await this.#world.rows('orders')).map((one) => [one.id, one]))
    return [...this.#paid].flatMap(([id, sent]) => {
      const side = foreign.get(id)
      if (side === undefined) return [`the order ${id} has no foreign side`]
      const { received_minor, expected_minor, reference } = side
      // In the eyes of a lying endpoint the balance did not rise by it: somebody has to look.
      if (received_minor === 0n && waiting.get(JSON.stringify([reference])) === 'unexplained') return []
      const paid = recorded.get(JSON.stringify([reference])) ?? sent
      const status = orders.get(id)?.status
      const isRight = received_minor === paid && (paid < expected_minor || status !== 'CREATED')
      return isRight ? [] : [`an order paid with ${paid} has ${received_minor} and is ${status}`]
    })
  }
}
