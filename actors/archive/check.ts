/**
 * `archive verify`: whether the files of the archive say, order by order, what the database says it has put there, and
 * whether every order in them still proves itself: its journal's chain, its money, its story.
 */
import {
  archivedBalances,
  archivedEntryAt,
  archivedOrderById,
  archivedOrdersAfter,
} from '../../persistence/queries/archive.ts'
import type { Query, Reader, Row } from '../../persistence/store.ts'
import { consumerDigest } from '../orders/consumer-digest.ts'
import { problemsOf } from './order-problems.ts'
import {
  type AccountSum,
  type ArchiveRecord,
  factsOf,
  openPersonalData,
  parseRecord,
  sumsOf,
} from './record.ts'

export interface ArchiveCheck {
  ok: boolean
  /** Orders whose line was found and holds. */
  orders: number
  /** Entries of the journal in these. */
  entries: number
  /** Lines that no archived order speaks of: cut off by a crash, from before a restore, or newer than this check. */
  spare: number
  /** At most so many as anybody reads. */
  problems: string[]
}

/** A file of the archive, its lines the oldest first. */
export interface ArchiveFile {
  name: string
  lines: AsyncIterable<string> | Iterable<string>
}

type Remains = Pick<Row<'archived_orders'>, 'digest' | 'file'> & { isFound: boolean }

const pageSize = 1000
const maxProblems = 20

export async function checkArchive(
  { reader, journalKey }: { reader: Reader; journalKey: string },
  files: AsyncIterable<ArchiveFile> | Iterable<ArchiveFile>,
): Promise<ArchiveCheck> {
  // What is archived from now on is not looked for; what stays of an order does not change any more.
  const { remains, balances } = await reader.snapshot(readRemains)
  const found = { orders: 0, entries: 0, spare: 0 }
  const sums = new Map<string, AccountSum>()
  const problems: string[] = []
  let untold = 0
  const tell = (told: readonly string[], where: string) => {
    for (const problem of told) {
      if (problems.length < maxProblems) problems.push(where + problem)
      else untold += 1
    }
  }
  for await (const { name, lines } of files) {
    let number = 0
    for await (const line of lines) {
      number += 1
      const read = parseRecord(journalKey, line)
      if (read === null) {
        tell(['it is not as this node has sealed it'], `${name}, line ${number}: `)
        continue
      }
      const { record, digest } = read
      const known = remains.get(record.id)
      // A copy of a file brings a line a second time.
      if (known === undefined || known.digest !== digest || known.isFound) {
        found.spare += 1
        continue
      }
      known.isFound = true
      found.orders += 1
      found.entries += record.rows.journal.length
      for (const [account, { minor, count }] of sumsOf(record.rows.postings)) {
        const sum = sums.get(account) ?? { minor: 0n, count: 0 }
        sums.set(account, { minor: sum.minor + minor, count: sum.count + count })
      }
      const told = await reader.snapshot((query) => recordProblems(query, journalKey, record))
      tell(told, `${name}, line ${number}, order ${record.id}: `)
    }
  }
  for (const [id, { file, isFound }] of remains)
    if (!isFound) tell([`its line is not there; it was written to ${file}`], `order ${id}: `)
  // The sums can only be held against all lines.
  if (found.orders === remains.size) tell(balanceProblems(sums, balances), '')
  if (untold > 0) problems.push(`and ${untold} more`)
  return { ok: problems.length === 0, ...found, problems }
}

async function readRemains(
  query: Query,
): Promise<{ remains: Map<string, Remains>; balances: Map<string, AccountSum> }> {
  const remains = new Map<string, Remains>()
  for (let after = ''; ; ) {
    const page = await query(archivedOrdersAfter, { after, limit: pageSize })
    for (const { id, digest, file } of page) remains.set(id, { digest, file, isFound: false })
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
  }
  const rows = await query(archivedBalances, {})
  return {
    remains,
    balances: new Map(
      rows.map((row) => [row.account_id, { minor: row.balance_minor, count: row.posting_count }]),
    ),
  }
}

async function recordProblems(query: Query, journalKey: string, record: ArchiveRecord): Promise<string[]> {
  const { id, rows } = record
  const problems = problemsOf(factsOf(rows), journalKey)
  const [remains] = await query(archivedOrderById, { id })
  if (remains !== undefined) problems.push(...remainsProblems(remains, record, journalKey))
  for (const { position, sequence, hash } of rows.journal) {
    const [kept] = await query(archivedEntryAt, { position })
    if (kept?.hash !== hash)
      problems.push(`entry ${sequence} of its journal is not what the anchors cover at ${position}`)
  }
  return problems
}

/** What keeps its code and its merchant's id for it from being used again, and its consumer from being forgotten. */
function remainsProblems(
  remains: Row<'archived_orders'>,
  record: ArchiveRecord,
  journalKey: string,
): string[] {
  const { order, foreign } = record.rows
  const changed = copiedColumns.filter((column) => remains[column] !== order[column])
  const problems = changed.map((column) => `the database says ${column} ${remains[column]}`)
  if (remains.reference !== (foreign?.reference ?? null))
    problems.push(`the database says reference ${remains.reference}`)
  if (remains.personal_key === null) return problems
  try {
    const { email, phone_number } = openPersonalData(remains.personal_key, record).consumer
    if (remains.email_digest !== consumerDigest(journalKey, email))
      problems.push('its consumer is not found by their e-mail')
    if (remains.phone_digest !== consumerDigest(journalKey, phone_number))
      problems.push('its consumer is not found by their telephone number')
  } catch {
    problems.push('the key in the database does not open its personal data')
  }
  return problems
}

const copiedColumns = [
  ...(['code', 'merchant_id', 'merchant_order_id', 'direction', 'status'] as const),
  ...(['created_at', 'journal_count', 'journal_head'] as const),
]

function balanceProblems(
  sums: ReadonlyMap<string, AccountSum>,
  balances: ReadonlyMap<string, AccountSum>,
): string[] {
  const nothing: AccountSum = { minor: 0n, count: 0 }
  return [...new Set([...sums.keys(), ...balances.keys()])].flatMap((account) => {
    const [archived, kept] = [sums.get(account) ?? nothing, balances.get(account) ?? nothing]
    const problems: string[] = []
    if (archived.minor !== kept.minor)
      problems.push(
        `${account}: the archived postings come to ${archived.minor}, the database says ${kept.minor}`,
      )
    if (archived.count !== kept.count)
      problems.push(
        `${account}: the archived postings have ${archived.count} numbers, the database says ${kept.count}`,
      )
    return problems
  })
}
