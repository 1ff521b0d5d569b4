/**
 * Counts the treasury of one chain: about once a minute it looks at what is there behind a final block, and compares
 * that with the books once the scanner has read past that block. Where they differ, the blocks since they last agreed
 * are read again at the same endpoint, and what was missing is recorded as any deposit. Where they still differ, the
 * next endpoint is asked; what two looks agree about is told. What was told is looked for further, less and less often.
 */

import type { ChainAdapter, ChainFailure, ChainReader, TreasuryLook } from '../../chain/chain.ts'
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'
import type { ChainProblem } from './chain-standing.ts'
import { ReadersInTurn } from './readers-in-turn.ts'
import { ReadingAgain } from './reading-again.ts'
import { SecondReading } from './second-reading.ts'
import { Suspicion } from './suspicion.ts'
import type { TreasuryBooks } from './treasury-books.ts'
import type { Judged, ReadAgain } from './treasury-differences.ts'

export interface CounterOptions {
  readonly chain: Pick<ChainAdapter, 'blockchain' | 'endpoints' | 'reader'>
  readonly clock: { now(): Instant }
  readonly books: TreasuryBooks
  readonly standing: { failed(problem: ChainProblem): Instant; answered(): void }
  readonly log: Record<'warn' | 'error', (facts: object, message: string) => void>
  /** Chain time before which the scanner has missed nothing that its endpoints tell. */
  scannedTo(): Promise<Instant | null>
  /** @returns how much of the page was not known. */
  record(page: ChainDepositPage): Promise<number>
}

export interface Counted {
  readonly more: boolean
  /** `null` while it waits for the scanner. */
  readonly nextAt: Instant | null
}

const countEveryMs = 60_000
const confirmAfterMs = 20_000
/** A scanner that has not come past a look by then is in trouble of its own, which it tells. */
const lookForMs = 600_000
/** What was told is looked for after this, then after twice as long, and so on up to the longest. */
const firstPauseMs = 120_000
const longestPauseMs = 3_600_000

/** A look that is to be judged, and what was read again for it. */
interface Looking {
  readonly look: TreasuryLook
  readonly at: Instant
  readonly reader: ChainReader
  reading: ReadingAgain | null
  readAgain: ReadAgain | null
}

export class TreasuryCounter {
  readonly #options: CounterOptions
  readonly #readers: ReadersInTurn
  readonly #second: SecondReading
  readonly #suspicion = new Suspicion()
  #looking: Looking | null = null
  #nextAt: Instant = 0
  #searchAt: Instant = 0
  #searchPauseMs = firstPauseMs

  constructor(options: CounterOptions) {
    this.#options = options
    this.#readers = new ReadersInTurn(options.chain)
    this.#second = new SecondReading((page) => this.#record(page))
  }

  /** The first look, before anything is read, so that no block lies between the two. */
  async open(): Promise<void> {
    const looked = await this.#readers.present.look()
    if (looked.ok) await this.#options.books.open(looked.value)
  }

  /** One small piece of work, to be asked for once the scanner has caught up. */
  async pass(): Promise<Counted> {
    if (this.#looking !== null) return await this.#judge(this.#looking)
    if (this.#second.isDue(this.#now)) {
      const [count] = await this.#options.books.counts()
      if (count !== undefined) return await this.#readSecondTime(count.read_twice_height)
    }
    if (this.#now < this.#nextAt) return { more: false, nextAt: this.#nextAt }
    return await this.#look()
  }

  get #now(): Instant {
    return this.#options.clock.now()
  }

  get #goOn(): Counted {
    return { more: true, nextAt: this.#now }
  }

  #rest(ms: number): Counted {
    this.#looking = null
    this.#nextAt = this.#now + ms
    return { more: false, nextAt: this.#nextAt }
  }

  #failed(failure: ChainFailure): Counted {
    this.#readers.next()
    this.#looking = null
    this.#nextAt = this.#options.standing.failed(failure)
    return { more: false, nextAt: this.#nextAt }
  }

  async #look(): Promise<Counted> {
    const { books } = this.#options
    const reader = this.#readers.present
    const looked = await reader.look()
    if (!looked.ok) return this.#failed(looked.failure)
    const look = looked.value
    if (!(await books.open(look))) return this.#rest(1_000)
    const behind = (await books.counts()).find(({ book_height }) => Number(look.height) < book_height)
    if (behind !== undefined) return this.#failed(lagging(look, behind.book_height))
    this.#second.mark(Number(look.height), this.#now)
    this.#looking = { look, at: this.#now, reader, reading: null, readAgain: null }
    return this.#goOn
  }

  async #judge(found: Looking): Promise<Counted> {
    const judged = await this.#options.books.judge(found.look)
    const differing = judged.filter((one) => one.difference !== 0n && !wasTold(one))
    if (differing.length === 0 && !this.#isSearchDue(judged)) return await this.#agreed(found, judged)
    if (found.readAgain === null) {
      if (await this.#isScanned(found.look)) return await this.#readOn(found, judged)
      if (this.#now - found.at > lookForMs) return this.#rest(countEveryMs)
      return { more: false, nextAt: null }
    }
    if (differing.length > 0) return await this.#doubt(found, found.readAgain, judged, differing)
    this.#searchLater()
    return await this.#agreed(found, judged)
  }

  /** What was told, and is still not there, is looked for now and then. */
  #isSearchDue(judged: readonly Judged[]): boolean {
    const isMissing = judged.some(({ count, difference }) => count.told_units !== '0' && difference !== 0n)
    return isMissing && this.#now >= this.#searchAt
  }

  #searchLater(): void {
    this.#searchPauseMs = Math.min(longestPauseMs, 2 * this.#searchPauseMs)
    this.#searchAt = this.#now + this.#searchPauseMs
  }

  async #isScanned({ at }: TreasuryLook): Promise<boolean> {
    const scannedTo = await this.#options.scannedTo()
    return scannedTo !== null && scannedTo > at
  }

  async #agreed({ look }: Looking, judged: readonly Judged[]): Promise<Counted> {
    const { books, standing } = this.#options
    for (const one of judged) await books.settle(one, look)
    const problem = this.#suspicion.drop(look)
    if (problem !== null) standing.failed(problem)
    else if (this.#suspicion.isCalm) standing.answered()
    this.#readers.next()
    return this.#rest(countEveryMs)
  }

  /** From what was read twice on: a look that was wrong may have agreed with books that were, too. */
  async #readOn(found: Looking, judged: readonly Judged[]): Promise<Counted> {
    const heights = judged.map(({ count }) =>
      Math.min(count.read_twice_height, count.missing_since_height ?? count.read_twice_height),
    )
    found.reading ??= new ReadingAgain(found.reader, Math.min(...heights), (page) => this.#record(page))
    const read = await found.reading.go()
    if (read.failure !== null) return this.#failed(read.failure)
    // What lies further back an operator asks for.
    if (read.done || found.reading.isTired)
      found.readAgain = { from: found.reading.from, to: Number(found.look.height) }
    return this.#goOn
  }

  async #readSecondTime(from: number): Promise<Counted> {
    const { failure, readTo } = await this.#second.go(from, this.#readers.present)
    if (failure !== null) return this.#failed(failure)
    if (readTo !== null) await this.#options.books.wasReadTwice(readTo)
    return this.#goOn
  }

  async #record(page: ChainDepositPage): Promise<void> {
    const { chain, log, record } = this.#options
    const found = await record(page)
    if (found > 0) log.warn({ chain: chain.blockchain, found }, 'reading again has found what was missing')
  }

  async #doubt(
    { look }: Looking,
    readAgain: ReadAgain,
    judged: readonly Judged[],
    differing: readonly Judged[],
  ): Promise<Counted> {
    const { books, standing } = this.#options
    this.#readers.next()
    if (!this.#suspicion.isConfirmedBy(look, differing)) {
      const problem = this.#suspicion.raise(look, differing)
      if (problem !== null) standing.failed(problem)
      return this.#rest(confirmAfterMs)
    }
    for (const one of judged) await books.settle(one, look, readAgain)
    for (const one of differing) this.#tell(one)
    this.#suspicion.settle()
    this.#searchAt = this.#now + firstPauseMs
    this.#searchPauseMs = firstPauseMs
    standing.answered()
    return this.#rest(countEveryMs)
  }

  #tell({ count, held, booked }: Judged): void {
    const { chain, log } = this.#options
    const facts = { chain: chain.blockchain, asset: count.symbol, held: `${held}`, booked: `${booked}` }
    log.error(facts, 'the treasury differs')
  }
}

function wasTold({ count, difference }: Judged): boolean {
  return difference.toString() === count.told_units
}

function lagging({ endpoint, height }: TreasuryLook, counted: number): ChainFailure {
  const message =
    `${endpoint} tells what the treasury held at block ${height}, and block ${counted} was counted already: it is ` +
    'behind. It will be asked again; check that it follows the chain.'
  return { kind: 'inconsistent', endpoint, message, retryable: true, retryAfterMs: 5_000 }
}
