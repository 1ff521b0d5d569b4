/**
 * The books of a treasury: what should be there. They open with what was there at the first look; from then on each
 * deposit and each outflow gets into them, whenever it is found. A look at a block is compared with the books and with
 * what is not in them yet up to that block.
 */
import type { TreasuryLook } from '../../chain/chain.ts'
import { assetCurrency, formatUnits } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { accountBalance, treasuryCounts, treasuryMovements } from '../../persistence/queries/treasuries.ts'
import { accountId, type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { treasuryDifferenceId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { own } from '../orders/foreign-postings.ts'
import { treasuryPosting } from './treasury-postings.ts'

export type Count = Row<'treasury_counts'>
type Movement = Row<'treasury_movements'>
type Holding = TreasuryLook['holdings'][number]

/** What a look found of one asset. */
export interface Judged {
  readonly count: Count
  readonly held: bigint
  /** Those that are in the look, some perhaps with the next fold. */
  readonly movements: readonly Movement[]
  /** What should be there. */
  readonly booked: bigint
  /** What is there beyond that; below zero what is missing. */
  readonly difference: bigint
}

/** Which blocks were read again to find what is missing. */
export interface ReadAgain {
  readonly from: number
  readonly to: number
}

/** More movements than these are folded in several steps, and a look is judged with all of them. */
const maxFolded = 200
const maxJudged = 100_000

export function createTreasuryBooks(store: Store) {
  async function counts(blockchain: string): Promise<Count[]> {
    return (await store.query(treasuryCounts, {})).filter((count) => count.blockchain === blockchain)
  }

  async function movementsTo(blockchain: string, assetId: string, height: number): Promise<Movement[]> {
    const all = await store.query(treasuryMovements, { blockchain, assetId, limit: maxJudged })
    return all.filter((movement) => movement.height <= height)
  }

  /** Compares a look with the books; what was never counted is not among the answers. */
  async function judge(look: TreasuryLook, blockchain: string): Promise<Judged[]> {
    const judged: Judged[] = []
    for (const count of await counts(blockchain)) {
      const holding = look.holdings.find(({ asset }) => asset.id === count.asset_id)
      if (holding === undefined || count.treasury !== look.treasury) continue
      const movements = await movementsTo(blockchain, count.asset_id, Number(look.height))
      const booked = movements.reduce((sum, one) => sum + newUnits(count, one), BigInt(count.book_units))
      judged.push({ count, held: holding.units, movements, booked, difference: holding.units - booked })
    }
    return judged
  }

  /** Opens the books of what was never counted, or was another treasury's. False when it has to be tried again. */
  async function open(blockchain: string, look: TreasuryLook): Promise<boolean> {
    const known = await counts(blockchain)
    let isOpen = true
    for (const holding of look.holdings) {
      const count = known.find(({ asset_id }) => asset_id === holding.asset.id)
      if (count?.treasury === look.treasury) continue
      isOpen = (await openOne(blockchain, look, holding)) && isOpen
    }
    return isOpen
  }

  async function openOne(blockchain: string, look: TreasuryLook, holding: Holding): Promise<boolean> {
    const { symbol, id: asset_id, decimals } = holding.asset
    const currency = assetCurrency(symbol, blockchain, decimals)
    const treasury = accountId(own('treasury', currency))
    // Whoever posts something between these reads and the step changes the balance: then all of it is read again.
    const [before] = await store.query(accountBalance, { id: treasury })
    const all = await store.query(treasuryMovements, { blockchain, assetId: asset_id, limit: maxJudged })
    const height = Number(look.height)
    const later = all.filter((movement) => movement.height > height)
    const result = await store.step({
      rows: {
        treasury: row('accounts', { id: treasury }),
        count: row('treasury_counts', { blockchain, asset_id }),
      },
      decide: ({ treasury: account, count }, at): Decision<boolean> => {
        const balance = account?.balance_minor ?? 0n
        if (balance !== (before?.balance_minor ?? 0n)) return { answer: false, writes: [] }
        const carriedLater = later.reduce((sum, { ledger_minor }) => sum + ledger_minor, 0n)
        const minor = holding.units - (-balance - carriedLater)
        const values = opened(blockchain, look, { ...holding, currency }, at)
        const { blockchain: _, asset_id: __, ...set } = values
        return {
          answer: true,
          writes: [
            ...all
              .filter((movement) => movement.height <= height)
              .map(({ id }): Write => ({ delete: 'treasury_movements', key: { id } })),
            ...treasuryPosting('opening', currency, { minor, against: 'fee', reference: `${look.height}` }),
            count === null
              ? { insert: 'treasury_counts', values }
              : { update: 'treasury_counts', key: { blockchain, asset_id }, set },
          ],
        }
      },
    })
    return result.outcome === 'committed' && result.answer
  }

  /**
   * Takes what a look has found into the books: movements, and the difference, where it is to be told or has gone.
   *
   * @param readAgain where a difference is told that was not told before
   */
  async function settle(judged: Judged, look: TreasuryLook, readAgain?: ReadAgain): Promise<void> {
    const { blockchain, asset_id } = judged.count
    const height = Number(look.height)
    let last = judged.movements
    for (; last.length > maxFolded; last = last.slice(maxFolded))
      await fold(judged.count, last.slice(0, maxFolded))
    const { exception_id } = judged.count
    await store.step({
      rows: {
        count: row('treasury_counts', { blockchain, asset_id }),
        exception: exception_id === null ? undefined : row('exceptions', { id: exception_id }),
        ...movementRows(last),
      },
      decide: ({ count, exception, ...found }, at): Decision<null> => {
        // Somebody has accepted a difference, or counted, meanwhile: the next look tells.
        if (count === null || !isSame(count, judged.count)) return { answer: null, writes: [] }
        const folded = folding(count, Object.values<Movement | null>(found))
        const told =
          corrected(judged, readAgain !== undefined) ??
          telling(judged, look, exception ?? null, readAgain, at)
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

  async function fold({ blockchain, asset_id }: Count, movements: readonly Movement[]): Promise<void> {
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

  /** Every block up to this one was read twice. */
  async function wasReadTwice(blockchain: string, height: number): Promise<void> {
    for (const { asset_id } of await counts(blockchain)) {
      await store.step({
        rows: { count: row('treasury_counts', { blockchain, asset_id }) },
        decide: ({ count }): Decision<null> => {
          if (count === null || count.read_twice_height >= height) return { answer: null, writes: [] }
          const set = { read_twice_height: height }
          return { answer: null, writes: [{ update: 'treasury_counts', key: { blockchain, asset_id }, set }] }
        },
      })
    }
  }

  return { counts, judge, open, settle, wasReadTwice }
}

export type TreasuryBooks = ReturnType<typeof createTreasuryBooks>

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

function opened(
  blockchain: string,
  { treasury, height }: TreasuryLook,
  { asset, units, currency }: Holding & { currency: string },
  at: Instant,
): Count {
  return {
    blockchain,
    asset_id: asset.id,
    symbol: asset.symbol,
    decimals: asset.decimals,
    currency,
    treasury,
    opened_height: Number(height),
    opened_units: units.toString(),
    opened_at: at,
    is_opening_confirmed: 0,
    corrected_units: '0',
    book_height: Number(height),
    book_units: units.toString(),
    held_units: units.toString(),
    counted_at: at,
    told_units: '0',
    exception_id: null,
    missing_since_height: null,
    read_twice_height: Number(height),
  }
}

/**
 * The first look is one endpoint's word. Where two later ones say otherwise before anything has agreed with it, they are
 * right; and where what explains them is found after that, the first one was.
 */
function corrected({ count, difference }: Judged, isNews: boolean): Telling | null {
  const isFirst = count.is_opening_confirmed === 0 && isNews
  const isUndone =
    difference === -BigInt(count.corrected_units) && count.read_twice_height <= count.opened_height
  if (difference === 0n || (!isFirst && !isUndone)) return null
  const { opened_units, corrected_units, currency, opened_height } = count
  return {
    booked: difference,
    set: {
      is_opening_confirmed: 1,
      opened_units: (BigInt(opened_units) + difference).toString(),
      corrected_units: (BigInt(corrected_units) + difference).toString(),
    },
    writes: treasuryPosting('opening', currency, {
      minor: difference,
      against: 'fee',
      reference: `${opened_height}`,
    }),
  }
}

/** `booked` is what gets into the books beside the movements. */
type Telling = { set: Partial<Count>; writes: Write[]; booked?: bigint }

function telling(
  { count, held, booked, difference }: Judged,
  look: TreasuryLook,
  exception: Row<'exceptions'> | null,
  readAgain: ReadAgain | undefined,
  at: Instant,
): Telling {
  const isOpen = exception?.state === 'open'
  if (difference === 0n) {
    const found = exception !== null && isOpen ? [foundAgain(exception, at)] : []
    const settled = { told_units: '0', exception_id: null, missing_since_height: null }
    const set = count.told_units === '0' ? {} : settled
    return { set: { ...set, is_opening_confirmed: 1 }, writes: found }
  }
  if (readAgain === undefined || difference.toString() === count.told_units) return { set: {}, writes: [] }
  const evidence = {
    count: { blockchain: count.blockchain, assetId: count.asset_id },
    treasury: look.treasury,
    height: look.height,
    held: held.toString(),
    booked: booked.toString(),
    difference: difference.toString(),
    openedWith: { units: count.opened_units, height: count.opened_height },
    readAgain,
    endpoint: look.endpoint,
  }
  const reason = wordsOf(count, { held, booked, difference }, look.height)
  const amount = formatUnits(difference < 0n ? -difference : difference, count.decimals)
  const set = {
    told_units: difference.toString(),
    // A look that was wrong may have agreed with books that were, too: only what was read twice is behind it.
    missing_since_height: count.missing_since_height ?? count.read_twice_height,
  }
  if (exception !== null && isOpen) {
    const changed = {
      reason,
      amount,
      evidence_json: JSON.stringify(evidence),
      revision: exception.revision + 1,
    }
    return { set, writes: [{ update: 'exceptions', key: { id: exception.id }, set: changed }] }
  }
  const values = newException({
    id: treasuryDifferenceId(count.blockchain, count.asset_id, look.height),
    kind: 'treasury_differs',
    order_id: null,
    reason,
    evidence,
    opened_at: at,
    amount,
    asset: count.symbol,
    chain: count.blockchain,
  })
  return { set: { ...set, exception_id: values.id }, writes: [{ insert: 'exceptions', values }] }
}

/** For the operator: the thing, both figures, the next step. */
function wordsOf(
  { symbol, decimals, blockchain }: Pick<Count, 'symbol' | 'decimals' | 'blockchain'>,
  { held, booked, difference }: { held: bigint; booked: bigint; difference: bigint },
  height: string,
): string {
  const text = (units: bigint) => `${formatUnits(units < 0n ? -units : units, decimals)} ${symbol}`
  const signed = (units: bigint) => `${units < 0n ? '−' : ''}${text(units)}`
  const which = difference > 0n ? 'more' : 'less'
  const means =
    difference > 0n
      ? 'A deposit may have been missed, or a refund that was said to be sent was not.'
      : 'Something may have left that no endpoint tells of.'
  return (
    `On ${blockchain} the treasury holds ${signed(held)} at block ${height}, ${text(difference)} ${which} than the ` +
    `${signed(booked)} of its books. ${means} The blocks since it last agreed are read again by themselves; look ` +
    `further back with chain rescan ${blockchain} --from HEIGHT, or dismiss this with the reason.`
  )
}

function foundAgain({ id, revision }: Row<'exceptions'>, at: Instant): Write {
  const set = {
    state: 'resolved',
    resolved_at: at,
    resolution: 'found',
    resolution_reason: 'The treasury and its books agree again.',
    revision: revision + 1,
  } as const
  return { update: 'exceptions', key: { id }, set }
}
