/** The ledger as a journal for other programs, on one state of the database, in pieces: its length costs no memory. */
import type { Instant } from '../../machines/time.ts'
import { archivedBalances } from '../../persistence/queries/archive.ts'
import {
  creditsBefore,
  debitsBefore,
  exportedAccounts,
  postedWithin,
  postingsPage,
} from '../../persistence/queries/ledger-export.ts'
import type { Query, Reader, Row } from '../../persistence/store.ts'
import {
  accountNames,
  assertions,
  dayOf,
  declarations,
  type ExportedAccount,
  opening,
  transaction,
} from './hledger.ts'

export interface ExportOptions {
  reader: Reader
  /** The first day (UTC) whose postings are told one by one; what lies before is in the opening balances. */
  from: string | null
  /** The last day; without it all that there is, and in the end each balance for hledger to compare. */
  to: string | null
  write(text: string): void
  now: Instant
}

export interface Exported {
  accounts: number
  transactions: number
  postings: number
}

const postingsPerPage = 1000
const dayMs = 86_400_000
/** Beyond every posting, and an integer for both engines. */
const never = 253_402_300_800_000

/**
 * What was archived is in the opening balances too: its postings are not in the database any more. It has to be one state
 * that is read, since numbers of postings do not commit in their order, and since the archive takes some away.
 */
export function exportLedger({ reader, from, to, write, now }: ExportOptions): Promise<Exported> {
  const period = {
    from: from === null ? 0 : Date.parse(from),
    until: to === null ? never : Date.parse(to) + dayMs,
  }
  return reader.snapshot(async (query) => {
    const accounts: ExportedAccount[] = await query(exportedAccounts, {})
    const names = accountNames(accounts)
    const nameOf = (id: string) => names.get(id) ?? id
    const { first = null, last = null } = (await query(postedWithin, period))[0] ?? {}
    write(
      `; The ledger of a Ventanilla node, as of ${new Date(now).toISOString()}. Dates are UTC; debits are positive.\n\n`,
    )
    write(declarations(accounts, names))
    const balances = await balancesBefore(query, period.from)
    const lines = accounts.flatMap(({ id, currency }) => {
      const minor = balances.get(id) ?? 0n
      return minor === 0n ? [] : [[nameOf(id), minor, currency] as const]
    })
    write(opening(from ?? dayOf(first ?? now), lines))
    const told = await writePostings(query, period, write, nameOf)
    if (to === null) {
      const ends = accounts.map(
        ({ id, balance_minor, currency }) => [nameOf(id), balance_minor, currency] as const,
      )
      const openingDay = from ?? dayOf(first ?? now)
      write(assertions([openingDay, dayOf(last ?? now)].toSorted().at(-1) ?? openingDay, ends))
    }
    return { accounts: accounts.length, ...told }
  })
}

/** What was archived, and what was posted before. */
async function balancesBefore(query: Query, at: Instant): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>()
  const add = (account: string, minor: bigint) => balances.set(account, (balances.get(account) ?? 0n) + minor)
  for (const { account_id, balance_minor } of await query(archivedBalances, {}))
    add(account_id, balance_minor)
  if (at === 0) return balances
  for (const { account, sum_minor } of await query(creditsBefore, { at })) add(account, BigInt(sum_minor))
  for (const { account, sum_minor } of await query(debitsBefore, { at })) add(account, -BigInt(sum_minor))
  return balances
}

async function writePostings(
  query: Query,
  period: { from: Instant; until: Instant },
  write: (text: string) => void,
  nameOf: (id: string) => string,
): Promise<Omit<Exported, 'accounts'>> {
  let group: Row<'postings'>[] = []
  let transactions = 0
  let postings = 0
  const end = () => {
    if (group.length === 0) return
    write(transaction(group, nameOf))
    transactions++
    group = []
  }
  for (let after = 0; ; ) {
    const page = await query(postingsPage, { ...period, after, limit: postingsPerPage })
    for (const posting of page) {
      const [first] = group
      const isSame =
        first !== undefined &&
        first.order_id !== null &&
        first.order_id === posting.order_id &&
        first.posted_at === posting.posted_at
      if (!isSame) end()
      group.push(posting)
      postings++
      after = posting.id
    }
    if (page.length < postingsPerPage) break
  }
  end()
  return { transactions, postings }
}
