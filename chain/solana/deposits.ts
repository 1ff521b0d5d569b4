/** Final deposits page by page, and those of blocks that are not final yet. */
import type { Connection } from '@solana/web3.js'
import type { ChainFailure, Deposit, DepositPage, Outcome, Outflow } from '../chain.ts'
import { Repeats } from '../repeats.ts'
import { creditsOf } from './credits.ts'
import { type Cursor, type Place, readCursor, writeCursor } from './cursor.ts'
import { Lister, type Listing } from './listing.ts'
import { ChainFailed, type SolanaNetwork } from './network.ts'
import { outflowsOf } from './outflows.ts'

/** Requests for transactions that are under way at the same time. */
const parallelRequests = 8

/** Signatures of the latest blocks that are looked at for transfers on their way. */
const unfinalizedLimit = 200

interface Backlog extends Listing {
  /** The cursor that goes on with it. */
  readonly cursor: string
}

/** What one transaction moved, in and out. */
interface Movements {
  readonly deposits: readonly Deposit[]
  readonly outflows: readonly Outflow[]
}

export class SolanaDeposits {
  readonly #network: SolanaNetwork
  readonly #lister: Lister
  readonly #repeats = new Repeats()
  /** What is left of a listing, so that the next page need not list again. */
  #backlog: Backlog | null = null
  /** Transactions that were read for a page that failed afterwards. */
  readonly #read = new Map<string, Movements>()
  /** Those that were not final when they were looked at last. */
  #seen = new Map<string, Movements>()

  constructor(network: SolanaNetwork, options: { onlyAccepted?: boolean } = {}) {
    this.#network = network
    this.#lister = new Lister(network, options)
  }

  async startCursor(): Promise<Outcome<string, ChainFailure>> {
    return await this.#network.ask(async (connection) => {
      const head = await connection.getSlot('finalized')
      const others = Object.fromEntries((await this.#lister.balancesOfOthers(connection)) ?? [])
      const start = { floor: head, readTo: null, anchors: {}, others, othersFloor: head, pass: null }
      return writeCursor(start)
    })
  }

  async page(cursorText: string): Promise<Outcome<DepositPage, ChainFailure>> {
    const cursor = readCursor(cursorText)
    this.#repeats.asked(cursorText)
    return await this.#network.ask(async (connection) => {
      const listing =
        this.#backlog?.cursor === cursorText ? this.#backlog : await this.#lister.list(connection, cursor)
      this.#backlog = { ...listing, cursor: cursorText }
      const isUnknown = ({ signature }: Place): boolean => !this.#repeats.isStored(signature)
      const unknown = listing.places.filter(isUnknown)
      const inTurn = unknown.slice(0, this.#network.pageSize)
      const left = unknown.slice(inTurn.length)
      const places = left.length === 0 ? [...inTurn, ...listing.placesOfOthers.filter(isUnknown)] : inTurn
      const moved = await this.#readAll(connection, places, 'finalized', this.#read)
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
      this.#repeats.handed(
        page.cursor,
        places.map(({ signature }) => signature),
      )
      return page
    })
  }

  /** Below *confirmed* the RPC serves no transactions. */
  async unfinalized(): Promise<Outcome<readonly Deposit[], ChainFailure>> {
    return await this.#network.ask(async (connection) => {
      const final = await connection.getSlot('finalized')
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
      const moved = await this.#readAll(connection, [...places.values()], 'confirmed', seen)
      return moved.flatMap(({ deposits }) => deposits)
    })
  }

  async #readAll(
    connection: Connection,
    places: readonly Place[],
    commitment: 'confirmed' | 'finalized',
    read: Map<string, Movements>,
  ): Promise<readonly Movements[]> {
    for (let first = 0; first < places.length; first += parallelRequests) {
      const some = places.slice(first, first + parallelRequests)
      await Promise.all(some.map((place) => this.#readOne(connection, place, commitment, read)))
    }
    return places.flatMap(({ signature }) => read.get(signature) ?? [])
  }

  async #readOne(
    connection: Connection,
    { signature, slot }: Place,
    commitment: 'confirmed' | 'finalized',
    read: Map<string, Movements>,
  ): Promise<void> {
    if (read.has(signature)) return
    const transaction = await connection.getTransaction(signature, {
      commitment,
      maxSupportedTransactionVersion: this.#network.settings.maxTransactionVersion,
    })
    if (transaction === null && commitment === 'confirmed') return
    // A transaction that was final and is in another slot now would be another network's.
    if (transaction === null || (commitment === 'finalized' && transaction.slot !== slot))
      throw new ChainFailed('inconsistent', `lists transaction ${signature} and does not serve it.`)
    const { settings, assets } = this.#network
    read.set(signature, {
      deposits: creditsOf(transaction, {
        signature,
        treasury: settings.treasury,
        symbolOf: (mint) => this.#network.symbolOf(mint),
      }),
      outflows: outflowsOf(transaction, {
        signature,
        accounts: new Set(assets.map(({ account }) => account.toBase58())),
      }),
    })
  }
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
