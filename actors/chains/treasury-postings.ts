/** What the treasury's own movements are in the ledger, where what belongs to the operator is its *fee*. */
import { maxMinorUnits } from '../../machines/money.ts'
import type { Posting, Write } from '../../persistence/store.ts'
import { own } from '../orders/foreign-postings.ts'

/** Far below what an account can hold, so that no number of strange deposits makes one overflow. */
export const maxCarriedMinor = maxMinorUnits / 1000n

/** An amount into the treasury against another of the node's accounts; below zero out of it. None of nothing. */
export function treasuryPosting(
  kind: 'opening' | 'difference' | 'outflow' | 'unsent' | 'own_transfer',
  currency: string,
  { minor, against, reference }: { minor: bigint; against: 'fee' | 'suspense'; reference: string },
): Write[] {
  const amountMinor = minor < 0n ? -minor : minor
  if (amountMinor === 0n || amountMinor > maxCarriedMinor) return []
  const [treasury, other] = [own('treasury', currency), own(against, currency)]
  const [debit, credit] = minor > 0n ? [treasury, other] : [other, treasury]
  const post: Posting = { kind, debit, credit, amountMinor, orderId: null, reference }
  return [{ post }]
}

/** What writes move into the treasury of the ledger; below zero out of it. */
export function intoTreasury(writes: readonly Write[]): bigint {
  let minor = 0n
  for (const write of writes) {
    if (!('post' in write)) continue
    if (write.post.debit.kind === 'treasury') minor += write.post.amountMinor
    if (write.post.credit.kind === 'treasury') minor -= write.post.amountMinor
  }
  return minor
}
