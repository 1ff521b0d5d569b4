/**
 * What stays in the database of archived orders: its parts say the same. Whether it is what the archive's files say,
 * `archive verify` looks at with the files at hand.
 */
import {
  archivedBalances,
  archivedEntryCount,
  archivedOrderSums,
  entriesKeptTwice,
} from '../../persistence/queries/archive.ts'
import type { Reader } from '../../persistence/store.ts'

export interface ArchiveFacts {
  orders: number
  /** Entries of the journal, as the orders count them, as they are there, and there in the journal too. */
  counted: number
  kept: number
  keptTwice: number
  /** What the archived postings come to, by currency, in minor units. */
  sums: ReadonlyMap<string, bigint>
}

export async function readArchiveFacts(reader: Reader): Promise<ArchiveFacts> {
  return reader.snapshot(async (query) => {
    const [orders] = await query(archivedOrderSums, {})
    const [kept] = await query(archivedEntryCount, {})
    const [twice] = await query(entriesKeptTwice, {})
    const sums = new Map<string, bigint>()
    for (const { currency, balance_minor } of await query(archivedBalances, {}))
      sums.set(currency, (sums.get(currency) ?? 0n) + balance_minor)
    return {
      orders: orders?.orders ?? 0,
      counted: orders?.entries ?? 0,
      kept: kept?.entries ?? 0,
      keptTwice: twice?.entries ?? 0,
      sums,
    }
  })
}

/** What is wrong with it, one sentence each. */
export function archiveProblems({ orders, counted, kept, keptTwice, sums }: ArchiveFacts): string[] {
  const problems: string[] = []
  if (counted !== kept)
    problems.push(`${orders} archived orders had ${counted} entries in the journal, and ${kept} are kept`)
  if (keptTwice > 0) problems.push(`${keptTwice} archived entries of the journal are in it again`)
  for (const [currency, sum] of sums) {
    if (sum !== 0n) problems.push(`what was archived of ${currency} comes to ${sum}, not to zero`)
  }
  return problems
}
