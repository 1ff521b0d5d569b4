/** The first look at an asset of a treasury opens its books. */
import type { TreasuryLook } from '../../chain/chain.ts'
import { assetCurrency } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { accountBalance, treasuryMovements } from '../../persistence/queries/treasuries.ts'
import { accountId, type Decision, row, type Store, type Write } from '../../persistence/store.ts'
import { own } from '../orders/foreign-postings.ts'
import type { Count } from './treasury-differences.ts'
import { treasuryPosting } from './treasury-postings.ts'

type Holding = TreasuryLook['holdings'][number]

/** A look is judged with all movements up to this many. */
export const maxJudged = 100_000

/** @returns whether they are open; false when it has to be tried again. */
export async function openBooks(
  store: Store,
  blockchain: string,
  look: TreasuryLook,
  holding: Holding,
): Promise<boolean> {
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
