/**
 * Numbers and days of postings: each account has every number once, from one to the last it counts, and its days never
 * go back from one to the next (protocol 15.4). What is missing is in the archive, and as many as that says.
 */
import { archivedBalances } from '../../persistence/queries/archive.ts'
import {
  allAccounts,
  creditBeyond,
  creditsNumbered,
  debitBeyond,
  debitsNumbered,
} from '../../persistence/queries/verification.ts'
import type { Query, Reader, Row } from '../../persistence/store.ts'

const numbersPerPage = 2000

type Account = Pick<Row<'accounts'>, 'id' | 'posting_count' | 'first_open_day'>

/** What is wrong with the numbers of all accounts, one sentence each. */
export async function numberProblems(reader: Reader): Promise<string[]> {
  const { accounts, archived: before, beyond } = await reader.snapshot(readAccounts)
  const problems = beyond.map(
    ({ id, posting_count }) => `${id} has postings beyond the ${posting_count} it counts`,
  )
  const missing = new Map<string, number>()
  for (const account of accounts) {
    const found = await lookAt(reader, account)
    problems.push(...found.problems)
    missing.set(account.id, found.missing)
  }
  // Orders are archived meanwhile: between the two counts is what was missing at its time.
  const after = await reader.snapshot(readArchived)
  for (const [id, count] of missing) {
    const [least, most] = [before.get(id) ?? 0, after.get(id) ?? 0]
    if (count < least || count > most)
      problems.push(`${id} lacks ${count} of its numbers, and ${most} of them are in the archive`)
  }
  return problems
}

async function readAccounts(query: Query) {
  const accounts: Account[] = await query(allAccounts, {})
  const beyond: Account[] = []
  for (const account of accounts) {
    const range = { account: account.id, last: account.posting_count }
    const found = [...(await query(debitBeyond, range)), ...(await query(creditBeyond, range))]
    if (found.length > 0) beyond.push(account)
  }
  return { accounts, beyond, archived: await readArchived(query) }
}

async function readArchived(query: Query): Promise<Map<string, number>> {
  const archived = await query(archivedBalances, {})
  return new Map(archived.map(({ account_id, posting_count }) => [account_id, posting_count]))
}

async function lookAt(reader: Reader, account: Account): Promise<{ problems: string[]; missing: number }> {
  const { id, posting_count: last, first_open_day } = account
  const problems: string[] = []
  let missing = 0
  let before = { number: 0, day: '' }
  for (let first = 1; first <= last; first += numbersPerPage) {
    const range = { account: id, first, last: Math.min(first + numbersPerPage - 1, last) }
    const sides = await reader.snapshot((query) => readSides(query, range))
    missing += range.last - range.first + 1 - new Set(sides.map(({ number }) => number)).size
    for (const side of sides) {
      if (side.number === before.number) problems.push(`${id} has its number ${side.number} twice`)
      if (side.day < before.day)
        problems.push(`${id} goes back from ${before.day} to ${side.day} with its number ${side.number}`)
      before = side
    }
  }
  if (before.day > first_open_day)
    problems.push(`${id} is open from ${first_open_day}, and has postings of ${before.day}`)
  return { problems, missing }
}

async function readSides(
  query: Query,
  range: { account: string; first: number; last: number },
): Promise<{ number: number; day: string }[]> {
  const sides = [...(await query(debitsNumbered, range)), ...(await query(creditsNumbered, range))]
  return sides.sort((a, b) => a.number - b.number)
}
