/** The postings that a step writes, or would write: shown before the button is pressed, and after. */
import { formatPrice } from '../../machines/money.ts'
import { type AccountRef, accountId, type Row, type Write } from '../../persistence/store.ts'

export interface ShownPosting {
  kind: string
  /** `payable Shop`, `bank main`, `fee`. */
  debit: string
  credit: string
  amount: string
  currency: string
}

/** What an account is called by people. */
export type Names = (ownerId: string) => string | undefined

/**
 * @param accounts as the step holds them: what a merchant owes is repaid by the store itself, behind what arrives.
 */
export function shownPostings(
  writes: readonly Write[],
  names: Names,
  accounts: readonly (Row<'accounts'> | null)[] = [],
): ShownPosting[] {
  const balances = new Map(accounts.flatMap((one) => (one === null ? [] : [[one.id, one.balance_minor]])))
  const shown: ShownPosting[] = []
  const post = (kind: string, debit: AccountRef, credit: AccountRef, amountMinor: bigint) => {
    for (const [account, moved] of [
      [debit, -amountMinor],
      [credit, amountMinor],
    ] as const) {
      const id = accountId(account)
      balances.set(id, (balances.get(id) ?? 0n) + moved)
    }
    const { currency } = debit
    shown.push({
      kind,
      debit: called(debit, names),
      credit: called(credit, names),
      amount: formatPrice(amountMinor, currency),
      currency,
    })
  }
  for (const write of writes) {
    if ('post' in write) post(write.post.kind, write.post.debit, write.post.credit, write.post.amountMinor)
    if (!('repay' in write)) continue
    const { merchantId: ownerId, currency } = write.repay
    const [available, debt] = [
      { kind: 'available', ownerId, currency } as const,
      { kind: 'debt', ownerId, currency } as const,
    ]
    const owed = -(balances.get(accountId(debt)) ?? 0n)
    const held = balances.get(accountId(available)) ?? 0n
    const repaid = held < owed ? held : owed
    if (repaid > 0n) post('repay', available, debt, repaid)
  }
  return shown
}

function called({ kind, ownerId }: AccountRef, names: Names): string {
  const word = kind.replaceAll('_', ' ')
  return ownerId === '' ? word : `${word} ${names(ownerId) ?? ownerId}`
}
