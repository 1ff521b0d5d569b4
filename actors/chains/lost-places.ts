/**
 * Where reading a chain goes on is lost when open orders have been offered a treasury and nothing is stored of how far it
 * was read: somebody has deleted the row. What was paid since must not be passed over. Every block up to the one that the
 * count of the treasury has seen read twice is on record in this very database, so that reading can go on behind it.
 */
import type { ChainAdapter, ChainFailure, Outcome } from '../../chain/chain.ts'
import { formatInstant } from '../../machines/time.ts'
import { placesLost } from '../../persistence/queries/alarms.ts'
import { treasuriesOfOpenOrders } from '../../persistence/queries/foreign-orders.ts'
import type { Decision, Store } from '../../persistence/store.ts'
import { placeLostId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { treasuriesNamed } from './named-treasuries.ts'
import { type KnownPlaces, treasuryName } from './treasuries.ts'
import type { TreasuryBooks } from './treasury-books.ts'

export interface LostPlacesOptions {
  readonly store: Store
  readonly chain: Pick<ChainAdapter, 'blockchain' | 'reader'>
  readonly books: Pick<TreasuryBooks, 'counts'>
  /** The name of the present one. */
  readonly treasury: string
}

/** Treasuries that have no place to be read from. */
export interface Unplaced {
  readonly treasuries: readonly string[]
  /** Nothing is stored of any other one either. */
  readonly isAll: boolean
}

interface Lost {
  readonly orders: number
  readonly oldestAt: number
}

export class LostPlaces {
  readonly #options: LostPlacesOptions

  constructor(options: LostPlacesOptions) {
    this.#options = options
  }

  /** @returns where reading goes on, as far as that is known; what an order needs and is missing is told. */
  async find(unplaced: Unplaced): Promise<Outcome<KnownPlaces, ChainFailure>> {
    const none = { ok: true, value: new Map<string, string>() } as const
    const lost = await this.#neededBy(unplaced)
    if (lost === null) return none
    const { treasury, chain } = this.#options
    const height = unplaced.treasuries.includes(treasury) ? await this.#readTwice(lost) : null
    await this.#tell(lost, height)
    if (height === null) return none
    const reader = chain.reader(0)
    const cursor = await reader.cursorAt(height.toString())
    await reader.close()
    if (cursor.ok) return { ok: true, value: new Map([[treasury, cursor.value]]) }
    // What the endpoints do not keep any more cannot be waited for: what was told says what to do.
    return cursor.failure.retryable ? cursor : none
  }

  async #neededBy({ treasuries, isAll }: Unplaced): Promise<Lost | null> {
    const { store, chain } = this.#options
    const offered = await store.query(treasuriesOfOpenOrders, { blockchain: chain.blockchain })
    const needing = offered.filter(
      (some) => isAll || treasuriesNamed(some).some((name) => treasuries.includes(name)),
    )
    if (needing.length === 0) return null
    return {
      orders: needing.reduce((sum, { orders }) => sum + Number(orders), 0),
      oldestAt: Math.min(...needing.map(({ oldest_at }) => Number(oldest_at))),
    }
  }

  /** By a count that is older than the orders: one that began when the place was gone already knows nothing of it. */
  async #readTwice({ oldestAt }: Lost): Promise<number | null> {
    const { books, treasury } = this.#options
    const heights = (await books.counts())
      .filter((count) => treasuryName(count.treasury) === treasury && count.opened_at <= oldestAt)
      .map(({ read_twice_height }) => read_twice_height)
    return heights.length === 0 ? null : Math.min(...heights)
  }

  /** Once, while it is open. */
  async #tell({ orders, oldestAt }: Lost, height: number | null): Promise<void> {
    const { store, chain } = this.#options
    const { blockchain } = chain
    const told = await store.query(placesLost, {})
    if (told.some(({ chain: one }) => one === blockchain)) return
    const since = formatInstant(oldestAt)
    const waiting = orders === 1 ? '1 open order' : `${orders} open orders`
    const from =
      height === null
        ? `Nothing tells how far it was read: it goes on at the present head. Read what lies before it: chain rescan ` +
          `${blockchain} --from HEIGHT, with the height of a block from before ${since}, when the oldest was made.`
        : `It goes on behind block ${height}, up to which all was on record. If an endpoint keeps no block that old: ` +
          `chain rescan ${blockchain} --from ${height} --endpoint NUMBER, with one that does.`
    const reason =
      `How far ${blockchain} was read is not stored any more, and ${waiting} may have been paid meanwhile. ${from} ` +
      'Then dismiss this.'
    await store.step({
      rows: {},
      decide: (_, at): Decision<null> => {
        const evidence = { orders, oldest: since, readFrom: height }
        const id = placeLostId(blockchain, at)
        const kind = 'chain_place_lost'
        const about = {
          id,
          kind,
          order_id: null,
          reason,
          evidence,
          opened_at: at,
          chain: blockchain,
        } as const
        return {
          answer: null,
          writes: [{ insert: 'exceptions', values: newException(about) }],
          wake: ['exceptions'],
        }
      },
    })
  }
}
