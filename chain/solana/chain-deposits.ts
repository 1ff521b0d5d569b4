/** Final deposits page by page, and those of blocks that are not final yet. */
import type { Connection } from '@solana/web3.js'
import type { ChainFailure, Outcome } from '../chain.ts'
import type { ChainDeposit, ChainDepositPage, Outflow } from '../chain-deposits.ts'
import { Doubts } from '../doubts.ts'
import { Repeats } from '../repeats.ts'
import { type Credits, creditsOf } from './credits.ts'
import { type Cursor, type Place, readCursor, writeCursor } from './cursor.ts'
import { blockTime, Lister, type Listing } from './listing.ts'
import { ChainFailed, finality, type SolanaNetwork } from './network.ts'
import { outflowsOf } from './outflows.ts'
import { isSigned } from './signed.ts'

/** Requests for transactions that are under way at the same time. */
const parallelRequests = 8

/** Signatures of the latest blocks that are looked at for transfers on their way. */
const unfinalizedLimit = 200

interface Reading {
  readonly connection: Connection
  readonly host: string
  readonly commitment: 'confirmed' | typeof finality
}

interface Backlog extends Listing {
  /** The cursor that goes on with it. */
  readonly cursor: string
}

/** What one transaction moved, in and out. */
interface Movements {
  readonly deposits: readonly ChainDeposit[]
  readonly outflows: readonly Outflow[]
}

export class SolanaChainDeposits {
  readonly #network: SolanaNetwork
  readonly #lister: Lister
  readonly #repeats = new Repeats()
  /** What is left of a listing, so that the next page need not list again. */
  #backlog: Backlog | null = null
  /** Transactions that were read for a page that failed afterwards. */
  readonly #read = new Map<string, Movements>()
  /** Those that were not final when they were looked at last. */
  #seen = new Map<string, Movements>()
  readonly #doubts: Doubts

  constructor(network: SolanaNetwork, options: { onlyAccepted?: boolean } = {}) {
    this.#network = network
    this.#lister = new Lister(network, options)
    this.#doubts = new Doubts(network.clock)
  }

  async startCursor(): Promise<Outcome<string, ChainFailure>> {
    return await this.#network.ask(async (connection) => {
      const head = await connection.getSlot(finality)
      const others = Object.fromEntries((await this.#lister.balancesOfOthers(connection)) ?? [])
      const start = { floor: head, readTo: null, anchors: {}, others, othersFloor: head, pass: null }
      return writeCursor(start)
    })
  }

  async page(cursorText: string): Promise<Outcome<ChainDepositPage, ChainFailure>> {
    const cursor = readCursor(cursorText)
    this.#repeats.asked(cursorText)
    return await this.#network.ask(async (connection, host) => {
      const listing =
        this.#backlog?.cursor === cursorText ? this.#backlog : await this.#lister.list(connection, cursor)
      this.#backlog = { ...listing, cursor: cursorText }
      const isUnknown = ({ signature }: Place): boolean => !this.#repeats.isStored(signature)
      const unknown = listing.places.filter(isUnknown)
      const inTurn = unknown.slice(0, this.#network.pageSize)
      const left = unknown.slice(inTurn.length)
      const places = left.length === 0 ? [...inTurn, ...listing.placesOfOthers.filter(isUnknown)] : inTurn
      const moved = await this.#readAll({ connection, host, commitment: finality }, places, this.#read)
      const next = left.length === 0 ? finished(cursor, listing) : unfinished(cursor, listing, inTurn)
      const page = {
        deposits: moved.flatMap(({ deposits }) => deposits),
        outflows: moved.flatMap(({ outflows }) => outflows),
        cursor: writeCursor(next),
        more: left.length > 0,
        scannedTo: next.readTo,
      }
      this.#backlog = page.more ? { ...listing, places: left, cursor: page.cursor } : null
      this.#read.clear()
      for (const { signature } of places) this.#doubts.settle(signature)
      this.#repeats.handed(
        page.cursor,
        places.map(({ signature }) => signature),
      )
      return page
    })
  }

  /** Below *confirmed* the RPC serves no transactions. */
  async unfinalized(): Promise<Outcome<readonly ChainDeposit[], ChainFailure>> {
    return await this.#network.ask(async (connection, host) => {
      const final = await connection.getSlot(finality)
      const places = new Map<string, Place>()
      for (const { account } of this.#network.assets) {
        const options = { limit: unfinalizedLimit }
        for (const { signature, slot, err } of await connection.getSignaturesForAddress(
          account,
          options,
          'confirmed',
        ))
          if (slot > final && err === null) places.set(signature, { signature, slot })
      }
      const seen = new Map([...this.#seen].filter(([signature]) => places.has(signature)))
      this.#seen = seen
      const reading = { connection, host, commitment: 'confirmed' as const }
      const moved = await this.#readAll(reading, [...places.values()], seen)
      return moved.flatMap(({ deposits }) => deposits)
    })
  }

  async #readAll(
    reading: Reading,
    places: readonly Place[],
    read: Map<string, Movements>,
  ): Promise<readonly Movements[]> {
    const doubts: string[] = []
    for (let first = 0; first < places.length; first += parallelRequests) {
      const some = places.slice(first, first + parallelRequests)
      const answers = await Promise.all(some.map((place) => this.#readOne(reading, place, read)))
      doubts.push(...answers.filter((doubt) => doubt !== null))
    }
    const [doubt] = doubts
    // All of a page are asked for before one of them is waited for.
    if (doubt !== undefined)
      throw new ChainFailed(
        'inconsistent',
        `serves transaction ${doubt}. It is asked again; add another endpoint to chains.SOLANA.rpc.`,
      )
    return places.flatMap(({ signature }) => read.get(signature) ?? [])
  }

  async #readOne(
    { connection, host, commitment }: Reading,
    { signature, slot }: Place,
    read: Map<string, Movements>,
  ): Promise<string | null> {
    if (read.has(signature)) return null
    const transaction = await connection.getTransaction(signature, {
      commitment,
      maxSupportedTransactionVersion: this.#network.settings.maxTransactionVersion,
    })
    if (transaction === null && commitment === 'confirmed') return null
    // A transaction that was final and is in another slot now would be another network's.
    if (transaction === null || (commitment === finality && transaction.slot !== slot))
      throw new ChainFailed('inconsistent', `lists transaction ${signature} and does not serve it.`)
    const accounts = this.#network.assets.map(({ account }) => account.toBase58())
    const { treasury } = this.#network.settings
    const whole = { ...transaction, blockTime: transaction.blockTime ?? (await secondsOf(connection, slot)) }
    const credits = creditsOf(whole, {
      signature,
      treasury,
      accounts,
      symbolOf: (mint) => this.#network.symbolOf(mint),
    })
    const outflows = outflowsOf(whole, { signature, accounts: new Set(accounts) })
    const moved = { deposits: credits.deposits, outflows }
    const isProved = credits.deposits.length + outflows.length === 0 ? true : isSigned(whole, signature)
    // No number of endpoints makes a message true that its payer has not signed.
    if (isProved === false) return `${signature} without the message that was signed`
    const doubt = doubtOf({ ...credits, ...moved }, isProved)
    if (doubt !== null && commitment === finality) {
      const said = JSON.stringify([
        doubt,
        [...moved.deposits, ...outflows].map(({ index, amount, at }) => [index, `${amount}`, at]),
      ])
      if (!this.#doubts.isBelieved(signature, host, said)) return `${signature} without ${doubt}`
    }
    read.set(signature, moved)
    return null
  }
}

/** What may be missing in an answer that can be read. */
function doubtOf(
  { deposits, outflows, doubt }: Credits & Movements,
  isProved: boolean | null,
): string | null {
  if (isProved === null) return 'a message whose signature can be checked'
  if ([...deposits, ...outflows].some(({ at }) => at === null)) return 'the time of its block'
  return doubt
}

async function secondsOf(connection: Connection, slot: number): Promise<number | null> {
  const at = await blockTime(connection, slot)
  return at === null ? null : at / 1000
}

function unfinished(cursor: Cursor, listing: Listing, places: readonly Place[]): Cursor {
  const last = places.at(-1)
  if (last === undefined) throw new Error('a page without places has nothing left')
  const { slot, signature } = last
  return { ...cursor, pass: { target: listing.target, readTo: listing.readTo, after: { slot, signature } } }
}

function finished(cursor: Cursor, { target, readTo, anchors, others }: Listing): Cursor {
  return {
    floor: target,
    readTo,
    anchors: { ...cursor.anchors, ...anchors },
    others: others ?? cursor.others,
    othersFloor: others === null ? cursor.othersFloor : Math.max(cursor.othersFloor, target),
    pass: null,
  }
}
