/**
 * The treasuries of a chain: the one that transactions name now, and former ones, to which what was offered before may
 * still be paid. Deposits to all of them are read, from one stored cursor that holds the place of each.
 */

import type { ChainAdapter, ChainFailure, Outcome } from '../../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage, Outflow } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'

/** What reads one treasury's deposits. */
export type TreasuryReader = Pick<ChainAdapter, 'startCursor' | 'deposits' | 'unfinalizedChainDeposits'>

export interface Treasury {
  /** `treasuryName` of its address. */
  readonly name: string
  readonly chain: TreasuryReader
}

export interface ChainTreasuries {
  readonly current: Treasury
  readonly former: readonly Treasury[]
}

/** One text for one treasury: hexadecimal addresses are written in small letters and in mixed ones. */
export function treasuryName(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address
}

/** A page, and apart from it what the present treasury got from former ones or sent there: nobody's, but counted. */
export interface SortedPage extends ChainDepositPage {
  readonly between?: { readonly deposits: readonly ChainDeposit[]; readonly outflows: readonly Outflow[] }
}

/** A page of all treasuries. One that cannot be read does not keep the others from being read. */
export interface TreasuriesPage extends SortedPage {
  readonly problem: ChainFailure | null
}

type Places = Readonly<Record<string, string>>

/** Cursors by treasury. */
export type KnownPlaces = ReadonlyMap<string, string>

export class TreasuryReading {
  readonly #all: readonly Treasury[]
  readonly #current: Treasury

  constructor({ current, former }: ChainTreasuries) {
    this.#current = current
    this.#all = [current, ...former.filter(({ name }) => name !== current.name)]
  }

  /** Whether what is paid to the present treasury from now on is read from this cursor. */
  isReadFrom(cursor: string): boolean {
    return this.#current.name in this.#placesIn(cursor)
  }

  /** Treasuries without a place in the cursor; all of them where none is stored. */
  unplacedIn(cursor: string | null): readonly string[] {
    const places = cursor === null ? {} : this.#placesIn(cursor)
    return this.#all.map(({ name }) => name).filter((name) => !(name in places))
  }

  /** Treasuries that other settings have read, and these do not know. */
  strangersIn(cursor: string): readonly string[] {
    return Object.keys(this.#placesIn(cursor)).filter((name) => !this.#isOurs(name))
  }

  /**
   * @param from the stored cursor, which keeps its places
   * @param known where treasuries without a place begin; the others do at the present head.
   */
  async startCursor(
    from: string | null,
    known: KnownPlaces = new Map(),
  ): Promise<Outcome<string, ChainFailure>> {
    const places: Record<string, string> = {
      ...Object.fromEntries(known),
      ...(from === null ? {} : this.#placesIn(from)),
    }
    for (const { name, chain } of this.#all) {
      if (name in places) continue
      const start = await chain.startCursor()
      if (!start.ok) return start
      places[name] = start.value
    }
    return { ok: true, value: written(places) }
  }

  async deposits(cursor: string): Promise<Outcome<TreasuriesPage, ChainFailure>> {
    const places = this.#placesIn(cursor)
    const next: Record<string, string> = { ...places }
    const pages: ChainDepositPage[] = []
    let between: SortedPage['between']
    const failures: ChainFailure[] = []
    for (const treasury of this.#all) {
      const place = places[treasury.name]
      if (place === undefined) throw new Error(`the treasury ${treasury.name} has no place in the cursor`)
      const read = await treasury.chain.deposits(place)
      if (!read.ok) {
        failures.push(read.failure)
        continue
      }
      next[treasury.name] = read.value.cursor
      if (treasury === this.#current) between = this.sorted(read.value).between
      pages.push(treasury === this.#current ? read.value : formerPage(treasury, read.value))
    }
    const [problem = null] = failures
    if (problem !== null && pages.length === 0) return { ok: false, failure: problem }
    const deposits = pages.flatMap((page) => page.deposits).filter(({ sender }) => !this.#isOwn(sender))
    const outflows = pages.flatMap((page) => page.outflows ?? []).filter(({ to }) => !this.#isOwn(to))
    const value = {
      deposits,
      ...(outflows.length === 0 ? {} : { outflows }),
      ...(between === undefined ? {} : { between }),
      cursor: written(next),
      more: pages.some(({ more }) => more),
      scannedTo: problem === null ? earliest(pages) : null,
      problem,
    }
    return { ok: true, value }
  }

  /** A page of the present treasury alone, however it was read. */
  sorted(page: ChainDepositPage): SortedPage {
    const { deposits, outflows = [], ...rest } = page
    const between = {
      deposits: deposits.filter(({ sender }) => this.#isOwn(sender)),
      outflows: outflows.filter(({ to }) => this.#isOwn(to)),
    }
    if (between.deposits.length + between.outflows.length === 0) return page
    return {
      ...rest,
      deposits: deposits.filter(({ sender }) => !this.#isOwn(sender)),
      outflows: outflows.filter(({ to }) => !this.#isOwn(to)),
      between,
    }
  }

  async unfinalizedChainDeposits(): Promise<Outcome<readonly ChainDeposit[], ChainFailure>> {
    const seen: ChainDeposit[] = []
    for (const { chain } of this.#all) {
      const read = await chain.unfinalizedChainDeposits()
      if (!read.ok) return read
      seen.push(...read.value)
    }
    return { ok: true, value: seen }
  }

  #isOurs(name: string): boolean {
    return this.#all.some((treasury) => treasury.name === name)
  }

  /** What goes from one treasury to another is nobody's payment. */
  #isOwn(address: string | null): boolean {
    return address !== null && this.#isOurs(treasuryName(address))
  }

  /** The cursors of version 0.1.0 were those of its one treasury. */
  #placesIn(cursor: string): Places {
    return placesIn(cursor) ?? { [this.#current.name]: cursor }
  }
}

/** Whether a stored cursor says which treasuries it is of: those of version 0.1.0 do not. */
export function namesTreasuries(cursor: string): boolean {
  return placesIn(cursor) !== null
}

function placesIn(cursor: string): Places | null {
  const known: unknown = JSON.parse(cursor)
  if (typeof known !== 'object' || known === null || !('treasuries' in known)) return null
  const { treasuries } = known
  if (typeof treasuries !== 'object' || treasuries === null) return null
  return Object.fromEntries(Object.entries(treasuries).map(([name, place]) => [name, String(place)]))
}

function written(treasuries: Places): string {
  return JSON.stringify({ treasuries })
}

/** What it holds is no part of the present treasury's balance. */
function formerPage({ name }: Treasury, page: ChainDepositPage): ChainDepositPage {
  const deposits = page.deposits.map((deposit) => ({
    ...deposit,
    evidence: { ...deposit.evidence, formerTreasury: name },
  }))
  const outflows = page.outflows?.map((outflow) => ({ ...outflow, formerTreasury: name }))
  return { ...page, deposits, ...(outflows === undefined ? {} : { outflows }) }
}

/** Before it nothing is missing of any treasury. */
function earliest(pages: readonly ChainDepositPage[]): Instant | null {
  return pages.reduce<Instant | null>(
    (first, { scannedTo }) => (first === null || scannedTo === null ? null : Math.min(first, scannedTo)),
    pages[0]?.scannedTo ?? null,
  )
}
