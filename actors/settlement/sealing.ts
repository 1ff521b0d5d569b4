/**
 * Sealing: the lines of a closed statement are stored once, a page a step, and its digest binds them to the statement before. It may be
 * killed anywhere: the next one goes on behind the last page that was stored.
 */
import { createHash } from 'node:crypto'
import { lastLineOf, linesAfter, rangesOf, statementBefore } from '../../persistence/queries/statements.ts'
import {
  accountId,
  type Query,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { canonicalHead, canonicalLine } from './canonical.ts'
import { LineSums } from './line-sums.ts'
import { positionOf } from './position.ts'
import { type PostingLine, postingLines, totalOf } from './posting-lines.ts'

type Statement = Row<'statements'>

/** On SQLite all others wait for a step; on PostgreSQL they do not, and each costs some round trips and a commit. */
export const linesPerStep: Readonly<Record<Store['engine'], number>> = { sqlite: 200, postgres: 1000 }
const linesPerPage = 1000

/** @returns false where another one seals it, or has; and where it was stopped in between. */
export async function sealStatement(
  store: Store,
  statement: Statement,
  isStopping = () => false,
): Promise<boolean> {
  if (statement.anchored_at === null) return false
  if (!(await storeLines(store, statement, isStopping))) return false
  const query: Query = (asked, args) => store.query(asked, args)
  const key = keyOf(statement)
  const [stored] = await query(lastLineOf, argumentsOf(statement))
  // What is withdrawn of an earlier position has no line.
  const last = stored ?? { line: 0, balance_minor: statement.opening_minor }
  if (last.line !== statement.line_count || last.balance_minor !== statement.closing_minor) {
    throw new Error(
      `Statement ${key.number} of ${key.party_id} in ${key.currency} was closed with ${statement.line_count} lines to ${statement.closing_minor}, ` +
        `and has ${last.line} to ${last.balance_minor}.`,
    )
  }
  const [before] = await query(statementBefore, argumentsOf(statement))
  if (before !== undefined && before.digest === null) return false
  const previous = before?.digest ?? ''
  const whole = await readWhole(query, statement, { previous, isStopping })
  if (whole === null) return false
  const { digest, sums } = whole
  const result = await store.step({
    rows: { held: row('statements', key) },
    decide: ({ held }, at) => {
      if (held === null || held.sealed_at !== null) return { answer: false, writes: [] }
      const set = { sealed_at: at, digest, previous_digest: previous }
      const kept = sums.map((values): Write => ({ insert: 'statement_sums', values }))
      return { answer: true, writes: [{ update: 'statements', key, set }, ...kept] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A sealing violated ${result.constraint}.`)
  return result.answer
}

interface Whole {
  /** SHA-256, in hex, over its canonical form. */
  digest: string
  sums: readonly Row<'statement_sums'>[]
}

/** A statement whose lines are stored; null where it was stopped in between. */
async function readWhole(
  query: Query,
  statement: Statement,
  { previous, isStopping }: { previous: string; isStopping: () => boolean },
): Promise<Whole | null> {
  const sums = new LineSums()
  const hash = createHash('sha256').update(`${canonicalHead(statement, previous)}\n`)
  for (let line = 0; ; ) {
    if (isStopping()) return null
    const page = await query(linesAfter, { ...argumentsOf(statement), line, limit: linesPerPage })
    for (const one of page) {
      hash.update(`${canonicalLine(one)}\n`)
      sums.add(one)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < linesPerPage)
      return { digest: hash.digest('hex'), sums: sums.all }
    line = last.line
  }
}

async function storeLines(store: Store, statement: Statement, isStopping: () => boolean): Promise<boolean> {
  const query: Query = (asked, args) => store.query(asked, args)
  const ranges = await query(rangesOf, argumentsOf(statement))
  const [last] = await query(lastLineOf, argumentsOf(statement))
  const progress: Progress = {
    line: last?.line ?? 0,
    balanceMinor: last?.balance_minor ?? statement.opening_minor,
    sealed: new Map(ranges.map((range) => [range.account_id, range.sealed_number])),
  }
  const holder = { partyId: statement.party_id, kind: statement.party_kind, currency: statement.currency }
  const lines = postingLines(query, {
    kind: statement.party_kind,
    position: new Set(positionOf(holder).map(accountId)),
    ranges: ranges.map(({ account_id: account, sealed_number, last_number }) => ({
      account,
      first: sealed_number + 1,
      last: last_number,
    })),
  })
  let page: PostingLine[] = []
  for await (const line of lines) {
    page.push(line)
    if (page.length < linesPerStep[store.engine]) continue
    if (isStopping() || !(await storePage(store, statement, ranges, progress, page))) return false
    page = []
  }
  return page.length === 0 || storePage(store, statement, ranges, progress, page)
}

interface Progress {
  line: number
  balanceMinor: bigint
  /** By account, up to which number its lines are stored. */
  sealed: Map<string, number>
}

async function storePage(
  store: Store,
  statement: Statement,
  ranges: readonly Row<'statement_ranges'>[],
  progress: Progress,
  page: readonly PostingLine[],
): Promise<boolean> {
  const key = keyOf(statement)
  const next: Progress = { ...progress, sealed: new Map(progress.sealed) }
  const writes: Write[] = page.map((line) => ({ insert: 'statement_lines', values: rowOf(key, line, next) }))
  const result = await store.step({
    rows: {
      held: row('statements', key),
      ranges: rows(
        'statement_ranges',
        ranges.map(({ account_id }) => ({ ...key, account_id })),
      ),
    },
    decide: (held) => {
      const isSame = held.ranges.every(
        (range) => range?.sealed_number === progress.sealed.get(range?.account_id ?? ''),
      )
      if (held.held?.sealed_at !== null || !isSame) return { answer: false, writes: [] }
      const moved = [...next.sealed].filter(([account, number]) => number !== progress.sealed.get(account))
      const cursors = moved.map(
        ([account_id, sealed_number]): Write => ({
          update: 'statement_ranges',
          key: { ...key, account_id },
          set: { sealed_number },
        }),
      )
      return { answer: true, writes: [...writes, ...cursors] }
    },
  })
  if (result.outcome === 'violated')
    throw new Error(`The lines of a statement violated ${result.constraint}.`)
  if (result.answer) Object.assign(progress, next)
  return result.answer
}

function rowOf(
  key: { party_id: string; currency: string; number: number },
  line: PostingLine,
  next: Progress,
): Row<'statement_lines'> {
  next.line += 1
  next.balanceMinor += totalOf(line)
  next.sealed.set(line.account, line.lastNumber)
  return {
    ...key,
    line: next.line,
    day: line.day,
    about_day: line.aboutDay,
    posted_at: line.postedAt,
    kind: line.kind,
    direction: line.direction,
    order_id: line.orderId,
    network_id: line.networkId,
    reference: line.reference,
    amount_minor: line.amountMinor,
    fee_minor: line.feeMinor,
    tax_minor: line.taxMinor,
    balance_minor: next.balanceMinor,
    account_id: line.account,
    account_number: line.firstNumber,
    posting_count: line.postings,
  }
}

function keyOf({ party_id, currency, number }: Statement) {
  return { party_id, currency, number }
}

function argumentsOf({ party_id: partyId, currency, number }: Statement) {
  return { partyId, currency, number }
}
