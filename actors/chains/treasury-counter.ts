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
import { ReadingAgain } from './reading-again.ts'
import type { TreasuryBooks } from './treasury-books.ts'
import type { Judged } from './treasury-differences.ts'

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

export interface TreasuryCounter {
  /** The first look, before anything is read, so that no block lies between the two. */
  open(): Promise<void>
  /** One small piece of work, to be asked for once the scanner has caught up. */
  pass(): Promise<Counted>
}

const countEveryMs = 60_000
const confirmAfterMs = 20_000
/** A scanner that has not come past a look by then is in trouble of its own, which it tells. */
const lookForMs = 600_000
/** Each block is read again when it is at least this old. */
const secondAfterMs = 300_000
/** What was told is looked for after this, then after twice as long, and so on up to the longest. */
const firstPauseMs = 120_000
const longestPauseMs = 3_600_000
/** Endpoints that count differently this often in a row are told. */
const maxDisputes = 5

interface Looking {
  readonly look: TreasuryLook
  readonly at: Instant
  readonly reader: ChainReader
  reading: ReadingAgain | null
  readAgain: { from: number; to: number } | null
}

export function createTreasuryCounter(options: CounterOptions): TreasuryCounter {
  const { chain, clock, books, standing, log } = options
  const { blockchain } = chain
  const readers = new Map<number, ChainReader>()
  let turn = 0
  let nextAt: Instant = 0
  let looking: Looking | null = null
  /** What the look before found, which nothing explained. */
  let suspicion: { differences: ReadonlyMap<string, bigint>; height: string; endpoint: string } | null = null
  let disputes = 0
  /** What was the last block at a time that is minutes ago: up to there blocks are read a second time. */
  let mark: { height: number; at: Instant } | null = null
  let second: ReadingAgain | null = null
  const search = { nextAt: 0, pauseMs: firstPauseMs }

  /** Endpoints are asked in turn: one that lies must not be the only one to be heard. Each reader keeps its doubts. */
  function readerNow(): ChainReader {
    const reader = readers.get(turn) ?? chain.reader(turn)
    readers.set(turn, reader)
    return reader
  }

  function rest(ms: number): Counted {
    looking = null
    nextAt = clock.now() + ms
    return { more: false, nextAt }
  }

  function failed(failure: ChainFailure): Counted {
    turn = (turn + 1) % chain.endpoints
    looking = null
    nextAt = standing.failed(failure)
    return { more: false, nextAt }
  }

  async function look(): Promise<Counted> {
    const reader = readerNow()
    const looked = await reader.look()
    if (!looked.ok) return failed(looked.failure)
    if (!(await books.open(blockchain, looked.value))) return rest(1_000)
    const behind = (await books.counts(blockchain)).find(
      ({ book_height }) => Number(looked.value.height) < book_height,
    )
    if (behind !== undefined) return failed(lagging(looked.value, behind.book_height))
    mark ??= { height: Number(looked.value.height), at: clock.now() }
    looking = { look: looked.value, at: clock.now(), reader, reading: null, readAgain: null }
    return { more: true, nextAt: clock.now() }
  }

  async function judge(found: Looking): Promise<Counted> {
    const judged = await books.judge(found.look, blockchain)
    const told = judged.filter(({ count }) => count.told_units !== '0')
    const differing = judged.filter((one) => one.difference !== 0n && !wasTold(one))
    const isSearched = told.length > 0 && clock.now() >= search.nextAt && found.readAgain === null
    if (differing.length === 0 && !(isSearched && told.some(({ difference }) => difference !== 0n)))
      return await agreed(found, judged)
    if (found.readAgain === null && !(await isScanned(found))) {
      if (clock.now() - found.at > lookForMs) return rest(countEveryMs)
      return { more: false, nextAt: null }
    }
    if (found.readAgain === null) return await readOn(found, judged)
    if (differing.length === 0) {
      search.nextAt = clock.now() + search.pauseMs
      search.pauseMs = Math.min(longestPauseMs, 2 * search.pauseMs)
      return await agreed(found, judged)
    }
    return await doubt(found, judged, differing)
  }

  async function isScanned({ look }: Looking): Promise<boolean> {
    const scannedTo = await options.scannedTo()
    return scannedTo !== null && scannedTo > look.at
  }

  async function agreed(found: Looking, judged: readonly Judged[]): Promise<Counted> {
    for (const one of judged) await books.settle(one, found.look)
    const isDisputed = suspicion !== null && suspicion.endpoint !== found.look.endpoint
    disputes = isDisputed ? disputes + 1 : suspicion === null && disputes > 0 ? disputes - 1 : disputes
    if (disputes >= maxDisputes && suspicion !== null)
      standing.failed(disputed(suspicion.endpoint, found.look.endpoint))
    else if (disputes < maxDisputes) standing.answered()
    suspicion = null
    turn = (turn + 1) % chain.endpoints
    return rest(countEveryMs)
  }

  /** From what was read twice on: a look that was wrong may have agreed with books that were, too. */
  async function readOn(found: Looking, judged: readonly Judged[]): Promise<Counted> {
    const heights = judged.map(({ count }) =>
      Math.min(count.read_twice_height, count.missing_since_height ?? count.read_twice_height),
    )
    found.reading ??= new ReadingAgain(found.reader, Math.min(...heights), record)
    const read = await found.reading.go()
    if (read.failure !== null) return failed(read.failure)
    if (read.done) found.readAgain = { from: found.reading.from, to: Number(found.look.height) }
    return { more: true, nextAt: clock.now() }
  }

  /**
   * Every block is read a second time, minutes later: what an endpoint has left out comes to light even where one
   * missing amount hides another from the count.
   */
  async function readSecondTime(from: number, to: number): Promise<Counted> {
    second ??= new ReadingAgain(readerNow(), from, record)
    const read = await second.go()
    if (read.failure === null && !read.done) return { more: true, nextAt: clock.now() }
    second = null
    if (read.failure !== null) {
      // A look comes first: a second reading that fails must not keep the count waiting.
      mark = null
      return failed(read.failure)
    }
    await books.wasReadTwice(blockchain, to)
    mark = null
    return { more: true, nextAt: clock.now() }
  }

  async function record(page: ChainDepositPage): Promise<void> {
    const news = await options.record(page)
    if (news > 0) log.warn({ chain: blockchain, found: news }, 'reading again has found what was missing')
  }

  async function doubt(
    found: Looking,
    judged: readonly Judged[],
    differing: readonly Judged[],
  ): Promise<Counted> {
    const { look, readAgain } = found
    const differences = new Map(differing.map(({ count, difference }) => [count.asset_id, difference]))
    const before = suspicion
    const isConfirmed =
      before !== null &&
      before.height !== look.height &&
      differing.every(({ count, difference }) => before.differences.get(count.asset_id) === difference)
    turn = (turn + 1) % chain.endpoints
    if (!isConfirmed || readAgain === null) {
      if (before !== null) disputes += 1
      if (disputes >= maxDisputes) standing.failed(disputed(before?.endpoint ?? look.endpoint, look.endpoint))
      suspicion = { differences, height: look.height, endpoint: look.endpoint }
      return rest(confirmAfterMs)
    }
    for (const one of judged) await books.settle(one, look, readAgain)
    for (const { count, held, booked } of differing)
      log.error(
        { chain: blockchain, asset: count.symbol, held: `${held}`, booked: `${booked}` },
        'the treasury differs',
      )
    suspicion = null
    disputes = 0
    search.pauseMs = firstPauseMs
    search.nextAt = clock.now() + firstPauseMs
    standing.answered()
    return rest(countEveryMs)
  }

  return {
    async open() {
      const looked = await readerNow().look()
      if (looked.ok) await books.open(blockchain, looked.value)
    },
    async pass() {
      if (looking !== null) return await judge(looking)
      const isDue = mark !== null && clock.now() - mark.at >= secondAfterMs
      const [first] = isDue ? (await books.counts(blockchain)).map((one) => one.read_twice_height) : []
      if (mark !== null && first !== undefined) return await readSecondTime(first, mark.height)
      if (clock.now() < nextAt) return { more: false, nextAt }
      return await look()
    },
  }
}

function wasTold({ count, difference }: Judged): boolean {
  return difference.toString() === count.told_units
}

function lagging({ endpoint, height }: TreasuryLook, counted: number): ChainFailure {
  const message =
    `${endpoint} tells what the treasury held at block ${height}, and block ${counted} was counted already: it is ` +
    'behind. It is asked again; see that it follows the chain.'
  return { kind: 'inconsistent', endpoint, message, retryable: true, retryAfterMs: 5_000 }
}

function disputed(one: string, other: string): ChainProblem {
  const message =
    `${one} and ${other} keep on counting the treasury differently: one of them does not tell the truth. ` +
    'Compare them with a block explorer, and take the wrong one out of the settings.'
  return { kind: 'inconsistent', endpoint: one, message, retryAfterMs: null }
}
