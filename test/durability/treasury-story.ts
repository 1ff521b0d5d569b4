/**
 * One random story of a treasury: money comes for orders and for nothing, leaves as refunds and otherwise, changes
 * without a word, while endpoints omit, reorder, renumber, truncate, lag, lie and fall silent for a while. In the end
 * treasury, chain deposits, refunds and ledger agree to the unit, or an open exception says why not.
 */

import { refundReference } from '../../actors/exceptions/exception-id.ts'
import { stakeOf } from '../../actors/exceptions/stake.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { EndpointFaults, LightChain } from '../support/chains/light/light-chain.ts'
import { withLightChain } from '../support/chains/light/light-chain.ts'
import { lightChains } from '../support/chains/light/light-chains.ts'
import { type Random, seededRandom } from './random.ts'
import { openExceptions, TreasuryProblems } from './treasury-problems.ts'
import { openTreasuryWorld, type TreasuryWorld } from './treasury-world.ts'

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
    lightChains[blockchain]({ clock: () => clock.now(), opening, endpoints, seed }),
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
      if (this.#promised.length === 0)
        problems = await new TreasuryProblems(this.#world, this.#paid, this.#explained).all()
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
    const open = (await openExceptions(this.#world)).filter(
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
    const open = (await openExceptions(this.#world)).filter(({ kind }) => kind.startsWith('treasury_'))
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
}
