/**
 * Deposits as they are read from a chain: each is stored once, and credited to its order or put before a person, in one
 * step. The cursor moves in the step behind the last of its page, so that a node that dies in between reads the page
 * again; the identity of a deposit makes that harmless.
 */

import type { ChainAdapter } from '../../chain/chain.ts'
import { type ChainDeposit, chainDepositIdentity, type Outflow } from '../../chain/chain-deposits.ts'
import type { FundableOrder } from '../../chain/matching.ts'
import { type RecordedChainDeposit, unrecorded } from '../../chain/recorded.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import { archivedOrderByReference } from '../../persistence/queries/archive.ts'
import {
  chainCursor,
  chainDepositsOfTransaction,
  foreignOrderByReference,
  waitingOrdersOfWallet,
} from '../../persistence/queries/foreign-orders.ts'
import { treasuryOutflowById } from '../../persistence/queries/treasuries.ts'
import { type Decision, type Row, row, rows, type Store } from '../../persistence/store.ts'
import type { AdvanceContext } from '../orders/advance.ts'
import { beginReading, type CursorMove, moveCursor } from './chain-cursors.ts'
import { decideChainDeposit, fundable, takeOver } from './crediting.ts'
import { outflowIdentity, recordOutflow } from './outflows.ts'
import { markSeen } from './seen-chain-deposits.ts'
import type { SortedPage } from './treasuries.ts'

export interface ChainDepositBookOptions extends AdvanceContext {
  store: Store
}

/** What an adapter says of itself that storing its deposits needs. */
export type ChainOfDeposits = Pick<ChainAdapter, 'blockchain' | 'assets'>

export interface PageRecord {
  /** The deposits are stored all the same. */
  outcome: CursorMove
  /** How many deposits of the page were not known before. */
  stored: number
  /** Orders that were credited, some perhaps with a part only. */
  credited: string[]
}

/** What of a page was not known before. */
export interface Found {
  deposits: readonly ChainDeposit[]
  outflows: readonly Outflow[]
}

/** A sender with more waiting orders than this gets no proposal: nobody could tell which was meant. */
const maxProposed = 100

/** The order that was credited; `null` for none, `undefined` when the deposit was known. */
type Recorded = string | null | undefined

/** A deposit with the orders it may have to do with. References are unique and never change, so these stay the same. */
interface Prepared {
  deposit: ChainDeposit
  id: string
  named: readonly string[]
  byWallet: readonly FundableOrder[]
  archived: readonly string[]
}

export class ChainDepositBook {
  readonly #store: Store
  readonly #options: ChainDepositBookOptions

  constructor(options: ChainDepositBookOptions) {
    this.#store = options.store
    this.#options = options
  }

  /** Where the next page of a chain begins; `null` when it was never read. */
  async cursor(blockchain: string): Promise<Row<'chain_cursors'> | null> {
    return (await this.#store.query(chainCursor, { blockchain }))[0] ?? null
  }

  /** Keeps where reading a chain begins; nothing where it has begun already. */
  async begin(blockchain: string, cursor: string): Promise<void> {
    await beginReading(this.#store, blockchain, cursor)
  }

  /**
   * Stores a page of final deposits and then its cursor.
   *
   * @param from the stored cursor that the page was read from
   * @throws when the store fails; the page is then to be read again.
   */
  async recordPage(chain: ChainOfDeposits, from: string, page: SortedPage): Promise<PageRecord> {
    const recorded = await this.recordFound(chain, page)
    const outcome = await moveCursor(this.#store, chain.blockchain, from, page)
    return { outcome, ...recorded }
  }

  /** Stores what of a page is not known, as any deposit; the cursor stays where it is. */
  async recordFound(chain: ChainOfDeposits, page: SortedPage): Promise<Omit<PageRecord, 'outcome'>> {
    const ends = await this.#recordDeposits(chain, page.deposits)
    // One after another: a refund that two of them could be is only one's.
    for (const outflow of page.outflows ?? []) await recordOutflow(this.#store, chain, outflow)
    for (const deposit of await this.#notOnRecord(chain.blockchain, page.between?.deposits ?? []))
      await this.#recordOwn(chain, deposit)
    for (const outflow of page.between?.outflows ?? []) await recordOutflow(this.#store, chain, outflow, true)
    const stored = ends.filter((end) => end !== undefined)
    const credited = new Set(stored.filter((end) => end !== null))
    return { stored: stored.length, credited: [...credited] }
  }

  /** What of a page is not known: nothing is stored. */
  async unknownOf({ blockchain, assets }: ChainOfDeposits, page: SortedPage): Promise<Found> {
    const outflows: Outflow[] = []
    for (const outflow of [...(page.outflows ?? []), ...(page.between?.outflows ?? [])]) {
      const [known] = await this.#store.query(treasuryOutflowById, { id: outflowIdentity(outflow) })
      if (known === undefined && assets.some(({ id }) => id === outflow.assetId)) outflows.push(outflow)
    }
    const all = [...page.deposits, ...(page.between?.deposits ?? [])]
    return { deposits: await this.#notOnRecord(blockchain, all), outflows }
  }

  /**
   * Notes which orders have money on its way, so that no further transaction is offered for them. Give it all
   * unfinalized deposits of a chain, also none: an order whose deposit is no longer among them, and did not become
   * final either, is offered a transaction again.
   */
  async markSeen(blockchain: Blockchain, deposits: readonly ChainDeposit[]): Promise<void> {
    await markSeen(this.#store, blockchain, deposits)
  }

  /** Those of one order one after another, as the chain has them: the first to come is the one that counts. */
  async #recordDeposits(chain: ChainOfDeposits, deposits: readonly ChainDeposit[]): Promise<Recorded[]> {
    const news: Prepared[] = []
    // Recent blocks are read again and again: what is on record needs no step.
    for (const deposit of await this.#notOnRecord(chain.blockchain, deposits))
      news.push(await this.#prepare(deposit))
    const lanes = Map.groupBy(news, ({ named, id }) => named[0] ?? id)
    const ends = await Promise.all(
      [...lanes.values()].map(async (lane) => {
        const ended: Recorded[] = []
        for (const prepared of lane) ended.push(await this.#record(chain, prepared))
        return ended
      }),
    )
    return ends.flat()
  }

  /** Under whatever name: a database holds those of earlier versions, and of readings that saw less. */
  async #notOnRecord(blockchain: Blockchain, deposits: readonly ChainDeposit[]): Promise<ChainDeposit[]> {
    const news: ChainDeposit[] = []
    for (const [transactionId, ofOne] of Map.groupBy(deposits, (one) => one.transactionId)) {
      const known = await this.#store.query(chainDepositsOfTransaction, { blockchain, transactionId })
      news.push(...unrecorded(blockchain, ofOne, known.map(recordedChainDeposit)))
    }
    return news
  }

  async #prepare(deposit: ChainDeposit): Promise<Prepared> {
    const id = chainDepositIdentity(deposit)
    const [named, archived]: [string[], string[]] = [[], []]
    for (const reference of new Set(deposit.references)) {
      const [foreign] = await this.#store.query(foreignOrderByReference, { reference })
      if (foreign !== undefined) named.push(foreign.order_id)
      else
        for (const { id } of await this.#store.query(archivedOrderByReference, { reference }))
          archived.push(id)
    }
    const isKnown = named.length > 0 || archived.length > 0
    const byWallet = isKnown || deposit.sender === null ? [] : await this.#waiting(deposit, deposit.sender)
    return { deposit, id, named, byWallet, archived }
  }

  /** Only for a proposal, which is judged anew when somebody accepts it: no lock is needed. */
  async #waiting({ blockchain }: ChainDeposit, wallet: string): Promise<FundableOrder[]> {
    const limit = maxProposed + 1
    const found = await this.#store.query(waitingOrdersOfWallet, { blockchain, wallet, limit })
    if (found.length > maxProposed) return []
    return found.map((foreign) => fundable(foreign, 'CREATED'))
  }

  async #record({ assets }: ChainOfDeposits, prepared: Prepared): Promise<Recorded> {
    const { deposit, id, named, byWallet, archived } = prepared
    const result = await this.#store.step({
      rows: chainDepositRows(id, named),
      decide: (held, at): Decision<Recorded> => {
        if (held.deposit !== null) return { answer: undefined, writes: [] }
        const orders = named.map((orderId, index) => ({
          order: present(held.orders[index], orderId),
          foreign: present(held.foreigns[index], orderId),
          consumer: held.consumers[index] ?? null,
        }))
        return decideChainDeposit(this.#options, { deposit, id, assets, orders, byWallet, archived }, at)
      },
    })
    if (result.outcome === 'violated') throw new Error(`Chain deposit ${id} violated ${result.constraint}.`)
    return result.answer
  }

  async #recordOwn({ assets }: ChainOfDeposits, deposit: ChainDeposit): Promise<void> {
    const id = chainDepositIdentity(deposit)
    await this.#store.step({
      rows: { known: row('deposits', { id }) },
      decide: ({ known }, at): Decision<null> => {
        if (known !== null) return { answer: null, writes: [] }
        return takeOver({ deposit, id, assets, orders: [], byWallet: [], archived: [] }, at)
      },
    })
  }
}

function recordedChainDeposit(deposit: Row<'deposits'>): RecordedChainDeposit {
  return {
    index: deposit.transfer_index,
    assetId: deposit.asset_id,
    sender: deposit.sender,
    amount: BigInt(deposit.amount),
    evidence: JSON.parse(deposit.evidence_json),
  }
}

function chainDepositRows(chainDepositId: string, orderIds: readonly string[]) {
  const ofOrders = orderIds.map((order_id) => ({ order_id }))
  return {
    deposit: row('deposits', { id: chainDepositId }),
    orders: rows(
      'orders',
      orderIds.map((id) => ({ id })),
    ),
    foreigns: rows('foreign_orders', ofOrders),
    consumers: rows('consumers', ofOrders),
  }
}

function present<R>(found: R | null | undefined, orderId: string): R {
  if (found === null || found === undefined) throw new Error(`Order ${orderId} is gone.`)
  return found
}
