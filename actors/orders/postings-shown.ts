/** The postings that a step writes, or would write: shown before the button is pressed, and after. */
import { currencyDecimals, formatPrice, parseAmount } from '../../machines/money.ts'
import { type AccountRef, accountId, type Repayment, type Row, type Write } from '../../persistence/store.ts'
import { accountName } from './account-name.ts'

export interface ShownPosting {
  kind: string
  /** `payable of Shop`, `bank of main`, `fee`. */
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
  const known = accounts.flatMap((one) => (one === null ? [] : [[one.id, one.balance_minor] as const]))
  return postingsShower(names, new Map(known))(writes)
}

/**
 * The same for one list of writes after the other.
 * @param balances by account id, in minor units; they follow what is shown
 */
export function postingsShower(
  names: Names,
  balances: Map<string, bigint>,
): (writes: readonly Write[]) => ShownPosting[] {
  const post = (kind: string, debit: AccountRef, credit: AccountRef, amountMinor: bigint): ShownPosting => {
    for (const [account, moved] of [
      [debit, -amountMinor],
      [credit, amountMinor],
    ] as const) {
      const id = accountId(account)
      balances.set(id, (balances.get(id) ?? 0n) + moved)
    }
    const { currency } = debit
    const amount = formatPrice(amountMinor, currency)
    return { kind, debit: called(debit, names), credit: called(credit, names), amount, currency }
  }
  const repay = ({ merchantId: ownerId, currency }: Repayment): ShownPosting[] => {
    const [available, debt] = [
      { kind: 'available', ownerId, currency } as const,
      { kind: 'debt', ownerId, currency } as const,
    ]
    const owed = -(balances.get(accountId(debt)) ?? 0n)
    const held = balances.get(accountId(available)) ?? 0n
    const repaid = held < owed ? held : owed
    return repaid > 0n ? [post('repay', available, debt, repaid)] : []
  }
  return (writes) =>
    writes.flatMap((write) => {
      if ('post' in write) {
        const { kind, debit, credit, amountMinor } = write.post
        return [post(kind, debit, credit, amountMinor)]
      }
      return 'repay' in write ? repay(write.repay) : []
    })
}

/** Those of many steps: one for all of a kind that go from one account to another, the first of each in its place. */
export function summedPostings(postings: readonly ShownPosting[]): ShownPosting[] {
  const sums = new Map<string, { posting: ShownPosting; minor: bigint }>()
  for (const posting of postings) {
    const { kind, debit, credit, amount, currency } = posting
    const key = JSON.stringify([kind, debit, credit, currency])
    const minor = parseAmount(amount, currencyDecimals(currency))
    if (typeof minor !== 'bigint') throw new Error(`A posting of ${currency} has the amount ${amount}.`)
    sums.set(key, { posting, minor: (sums.get(key)?.minor ?? 0n) + minor })
  }
  return [...sums.values()].map(({ posting, minor }) => ({
    ...posting,
    amount: formatPrice(minor, posting.currency),
  }))
}

function called({ kind, ownerId }: AccountRef, names: Names): string {
  return accountName(kind, ownerId === '' ? null : (names(ownerId) ?? ownerId))
}
