/** What a foreign-currency order was credited with, kept with the order so that whatever is said of its money names it. */
import { formatUnits } from '../../machines/money.ts'
import type { Row } from '../../persistence/store.ts'

type Kept = Pick<Row<'foreign_orders'>, 'credits_json'>

interface StoredCredit {
  readonly transactionId: string
  /** Smallest units, decimal text. */
  readonly minor: string
  readonly sender: string | null
}

/** As evidence tells it. */
export interface NamedChainDeposit extends StoredCredit {
  readonly amount: string
}

/** @returns the column with one credit more. */
export function withCredit(
  { credits_json }: Kept,
  {
    transactionId,
    amountMinor,
    sender,
  }: { transactionId: string; amountMinor: bigint; sender: string | null },
): string {
  const credits: StoredCredit[] = JSON.parse(credits_json)
  return JSON.stringify([...credits, { transactionId, minor: amountMinor.toString(), sender }])
}

/** The oldest first. */
export function namedDeposits({
  credits_json,
  asset_decimals,
}: Kept & Pick<Row<'foreign_orders'>, 'asset_decimals'>): readonly NamedChainDeposit[] {
  const credits: StoredCredit[] = JSON.parse(credits_json)
  return credits.map((credit) => ({ ...credit, amount: formatUnits(BigInt(credit.minor), asset_decimals) }))
}
