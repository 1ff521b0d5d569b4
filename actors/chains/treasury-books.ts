/**
 * The books of a treasury: what should be there. They open with what was there at the first look; from then on each
 * deposit and each outflow gets into them, whenever it is found. A look at a block is compared with the books and with
 * what is not in them yet up to that block.
 */
import type { TreasuryLook } from '../../chain/chain.ts'
import { treasuryCounts, treasuryMovements } from '../../persistence/queries/treasuries.ts'
import { type Decision, row, type Store, type Write } from '../../persistence/store.ts'
import {
  type Count,
  corrected,
  type Judged,
  type Movement,
  type ReadAgain,
  telling,
} from './treasury-differences.ts'
import { maxJudged, openBooks } from './treasury-opening.ts'
import { treasuryPosting } from './treasury-postings.ts'

/** More movements than these are folded in several steps. */
const maxFolded = 200

export class TreasuryBooks {
  readonly #store: Store
  readonly #blockchain: string

  constructor(store: Store, blockchain: string) {
    this.#store = store
    this.#blockchain = blockchain
  }

  /** Of each asset that was ever counted. */
  async counts(): Promise<Count[]> {
    const all = await this.#store.query(treasuryCounts, {})
    return all.filter((count) => count.blockchain === this.#blockchain)
  }

  /** Compares a look with the books; what was never counted is not among the answers. */
  async judge(look: TreasuryLook): Promise<Judged[]> {
    const judged: Judged[] = []
    for (const count of await this.counts()) {
      const holding = look.holdings.find(({ asset }) => asset.id === count.asset_id)
      if (holding === undefined || count.treasury !== look.treasury) continue
      const movements = await this.#movementsTo(count.asset_id, Number(look.height))
      const booked = movements.reduce((sum, one) => sum + newUnits(count, one), BigInt(count.book_units))
      judged.push({ count, held: holding.units, movements, booked, difference: holding.units - booked })
    }
    return judged
  }

  async #movementsTo(assetId: string, height: number): Promise<Movement[]> {
    const about = { blockchain: this.#blockchain, assetId, limit: maxJudged }
    const all = await this.#store.query(treasuryMovements, about)
    return all.filter((movement) => movement.height <= height)
  }

  /** Opens the books of what was never counted, or was another treasury's. False when it has to be tried again. */
  async open(look: TreasuryLook): Promise<boolean> {
    const known = await this.counts()
    let isOpen = true
    for (const holding of look.holdings) {
      const count = known.find(({ asset_id }) => asset_id === holding.asset.id)
      if (count?.treasury === look.treasury) continue
      isOpen = (await openBooks(this.#store, this.#blockchain, look, holding)) && isOpen
    }
    return isOpen
  }

  /**
   * Takes what a look has found into the books: movements, and the difference, where it is to be told or has gone.
   *
   * @param readAgain where a difference is told that was not told before
   */
  async settle(judged: Judged, look: TreasuryLook, readAgain?: ReadAgain): Promise<void> {
    let last = judged.movements
    for (; last.length > maxFolded; last = last.slice(maxFolded))
      await fold(this.#store, judged.count, last.slice(0, maxFolded))
    await settle(this.#store, { ...judged, movements: last }, look, readAgain)
  }

  /**
   * Every block up to this one was read twice. Behind where the books last agreed that proves nothing yet: the same endpoint may have
   * been asked both times, and a difference that nobody was told of is looked for from here on.
   */
  async wasReadTwice(height: number): Promise<void> {
    for (const { blockchain, asset_id } of await this.counts()) {
      const key = { blockchain, asset_id }
      await this.#store.step({
        rows: { count: row('treasury_counts', key) },
        decide: ({ count }): Decision<null> => {
          if (count === null) return { answer: null, writes: [] }
          const to = count.told_units === '0' ? Math.min(height, count.book_height) : height
          if (count.read_twice_height >= to) return { answer: null, writes: [] }
          const set = { read_twice_height: to }
          return { answer: null, writes: [{ update: 'treasury_counts', key, set }] }
        },
      })
    }
  }
}

/** Of no more movements than a step can hold. */
async function settle(
  store: Store,
  judged: Judged,
  look: TreasuryLook,
  readAgain?: ReadAgain,
): Promise<void> {
  const { blockchain, asset_id } = judged.count
  const height = Number(look.height)
  const { exception_id } = judged.count
  await store.step({
    rows: {
      count: row('treasury_counts', { blockchain, asset_id }),
      exception: exception_id === null ? undefined : row('exceptions', { id: exception_id }),
      ...movementRows(judged.movements),
    },
    decide: ({ count, exception, ...found }, at): Decision<null> => {
      // Somebody has accepted a difference, or counted, meanwhile: the next look tells.
      if (count === null || !isSame(count, judged.count)) return { answer: null, writes: [] }
      const folded = folding(count, Object.values<Movement | null>(found))
      const told =
        corrected(judged, readAgain !== undefined) ?? telling(judged, look, exception ?? null, readAgain, at)
      const set = {
        book_units: (folded.units + (told.booked ?? 0n)).toString(),
        book_height: Math.max(count.book_height, height),
        held_units: judged.held.toString(),
        counted_at: at,
        ...told.set,
      }
      return {
        answer: null,
        writes: [
          ...folded.writes,
          ...told.writes,
          { update: 'treasury_counts', key: { blockchain, asset_id }, set },
        ],
        wake: told.writes.length === 0 ? [] : ['exceptions'],
      }
    },
  })
}

async function fold(
  store: Store,
  { blockchain, asset_id }: Count,
  movements: readonly Movement[],
): Promise<void> {
  await store.step({
    rows: { count: row('treasury_counts', { blockchain, asset_id }), ...movementRows(movements) },
    decide: ({ count, ...found }): Decision<null> => {
      if (count === null) return { answer: null, writes: [] }
      const { units, writes } = folding(count, Object.values<Movement | null>(found))
      const set = { book_units: units.toString() }
      return {
        answer: null,
        writes: [...writes, { update: 'treasury_counts', key: { blockchain, asset_id }, set }],
      }
    },
  })
}

function isSame(a: Count, b: Count): boolean {
  return a.told_units === b.told_units && a.exception_id === b.exception_id && a.treasury === b.treasury
}

function movementRows(movements: readonly Movement[]) {
  return Object.fromEntries(
    movements.map(({ id }) => [`movement ${id}` as const, row('treasury_movements', { id })]),
  )
}

/** What was there at the beginning already is in the books, whenever it is found. */
function newUnits({ opened_height }: Count, { height, units }: Movement): bigint {
  return height <= opened_height ? 0n : BigInt(units)
}

function folding(count: Count, found: readonly (Movement | null)[]): { units: bigint; writes: Write[] } {
  let units = BigInt(count.book_units)
  const writes: Write[] = []
  for (const movement of found) {
    if (movement === null) continue
    units += newUnits(count, movement)
    writes.push({ delete: 'treasury_movements', key: { id: movement.id } })
    // It was booked twice in the ledger: as what was there at the beginning, and as itself.
    if (movement.height <= count.opened_height)
      writes.push(
        ...treasuryPosting('opening', count.currency, {
          minor: -movement.ledger_minor,
          against: 'fee',
          reference: movement.id,
        }),
      )
  }
  return { units, writes }
}
