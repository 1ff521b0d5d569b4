/**
 * What moved a merchant's position, the oldest first (protocol 15.14): the lines of its sealed statements, and behind them what no
 * statement tells of yet. A place is a line, and behind the last of them a number in each account, so that whoever goes on from
 * there is told all that has come since, once, whatever is written or sealed meanwhile.
 */
import { formatInstant } from '../../machines/time.ts'
import {
  type DayBounds,
  firstStatementFrom,
  lastSealed,
  lastStatementTo,
  type SealedPlace,
  sealedLines,
} from '../../persistence/queries/movements.ts'
import { accountById } from '../../persistence/queries/provisioning.ts'
import { rangesOf } from '../../persistence/queries/statements.ts'
import { accountId, type Query, type Row, type Store } from '../../persistence/store.ts'
import { addDays } from '../terms/days.ts'
import { lastNumberOf } from './boundary.ts'
import { type Holder, positionOf } from './position.ts'
import { type PostingLine, postingLines } from './posting-lines.ts'
import { type StatementLine, signed, statementLine } from './statement-documents.ts'

export interface Movement extends Omit<StatementLine, 'line' | 'balance'> {
  /** The statement that tells of it, its line there, and the position after it: null until it is sealed. */
  statement: number | null
  line: number | null
  balance: string | null
}

export interface Movements {
  movements: Movement[]
  next: string | null
  /** Behind the last that was told: asked with it later, what has come since is told. */
  resume: string | null
}

interface Asked extends DayBounds {
  limit: number
  /** The `next` or `resume` of an earlier page; null for the first. */
  cursor: string | null
}

/** Up to where something was told. */
interface Place {
  sealed: SealedPlace
  /** By account: what was told beyond the sealed lines. Empty where nothing was. */
  told: Map<string, number>
}

/** `null` where the cursor is not of an earlier page of the same currency. */
export async function ownMovements(
  store: Pick<Store, 'query'>,
  { partyId, currency }: { partyId: string; currency: string },
  { limit, cursor, from, to }: Asked,
): Promise<Movements | null> {
  const query: Query = (asked, args) => store.query(asked, args)
  const holder: Holder = { partyId, kind: 'merchant', currency }
  const [sealed] = await query(lastSealed, { partyId, currency })
  const last = sealed?.number ?? 0
  const place = cursor === null ? await firstPlace(query, holder, from, last) : readPlace(holder, cursor)
  if (place === null) return null
  const most = limit + 1
  const stored = await storedLines(query, holder, place, { sealed: last, from, to, most })
  const left = most - stored.length
  const coming = left === 0 ? [] : await comingLines(query, holder, place, { sealed: last, from, to, left })
  const told = [...stored.map(ofStored), ...coming.map((line) => ofPosting(line, currency))].slice(0, limit)
  const end = placeBehind(place, stored.slice(0, limit), coming.slice(0, Math.max(0, limit - stored.length)))
  const isMore = stored.length + coming.length > limit
  const written = told.length === 0 ? cursor : writePlace(holder, end)
  return { movements: told, next: isMore ? written : null, resume: written }
}

/** Before the first line of the statement that has the day; where none has, behind all that are sealed. */
async function firstPlace(
  query: Query,
  { partyId, currency }: Holder,
  from: string | null,
  sealed: number,
): Promise<Place> {
  if (from === null) return { sealed: { number: 0, line: 0 }, told: new Map() }
  const [first] = await query(firstStatementFrom, { partyId, currency, day: from })
  return { sealed: { number: first?.number ?? sealed + 1, line: 0 }, told: new Map() }
}

async function storedLines(
  query: Query,
  { partyId, currency }: Holder,
  { sealed: after, told }: Place,
  { sealed, from, to, most }: DayBounds & { sealed: number; most: number },
): Promise<Row<'statement_lines'>[]> {
  const book = { partyId, currency }
  const [last] = to === null ? [] : await query(lastStatementTo, { ...book, day: to })
  const upTo = to === null ? sealed : Math.min(sealed, last?.number ?? 0)
  return query(sealedLines(book, { after, upTo, limit: most }, { from, to }, told), {})
}

/** What no sealed statement tells of. */
async function comingLines(
  query: Query,
  holder: Holder,
  { told }: Place,
  { sealed, from, to, left }: DayBounds & { sealed: number; left: number },
): Promise<PostingLine[]> {
  const { partyId, currency, kind } = holder
  const ends = await query(rangesOf, { partyId, currency, number: sealed })
  const sealedTo = new Map(ends.map(({ account_id, last_number }) => [account_id, last_number]))
  const ranges: { account: string; first: number; last: number }[] = []
  for (const account of positionOf(holder).map(accountId)) {
    const [row] = await query(accountById, { id: account })
    if (row === undefined) continue
    const since = Math.max(sealedTo.get(account) ?? 0, told.get(account) ?? 0)
    const before = from === null ? since : await lastNumberOf(query, row, { day: addDays(from, -1), since })
    const last = to === null ? row.posting_count : await lastNumberOf(query, row, { day: to, since })
    ranges.push({ account, first: Math.max(since, before) + 1, last })
  }
  const lines: PostingLine[] = []
  const position = new Set(positionOf(holder).map(accountId))
  for await (const line of postingLines(query, { kind, position, ranges })) {
    lines.push(line)
    if (lines.length === left) break
  }
  return lines
}

function placeBehind(
  { sealed, told }: Place,
  stored: readonly Row<'statement_lines'>[],
  coming: readonly PostingLine[],
): Place {
  const last = stored.at(-1)
  return {
    sealed: last === undefined ? sealed : { number: last.number, line: last.line },
    told: new Map([...told, ...coming.map((line): [string, number] => [line.account, line.lastNumber])]),
  }
}

function ofStored(row: Row<'statement_lines'>): Movement {
  return { ...statementLine(row), statement: row.number }
}

function ofPosting(line: PostingLine, currency: string): Movement {
  return {
    statement: null,
    line: null,
    day: line.day,
    aboutDay: line.aboutDay,
    at: formatInstant(line.postedAt),
    kind: line.kind,
    direction: line.direction,
    order: line.orderId,
    network: line.networkId,
    reference: line.reference,
    amount: signed(line.amountMinor, currency),
    fee: signed(line.feeMinor, currency),
    tax: signed(line.taxMinor, currency),
    balance: null,
  }
}

/** The currency, the place among what is sealed, and what was told of each account beyond it. */
function writePlace(holder: Holder, { sealed, told }: Place): string {
  const numbers = positionOf(holder).map((account) => told.get(accountId(account)) ?? 0)
  const words = [holder.currency, sealed.number, sealed.line, ...(told.size === 0 ? [] : numbers)]
  return Buffer.from(words.join(' ')).toString('base64url')
}

function readPlace(holder: Holder, cursor: string): Place | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [currency, ...written] = text.split(' ')
  const accounts = positionOf(holder).map(accountId)
  const isWhole = written.length === 2 || written.length === 2 + accounts.length
  const numbers = written.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : Number.NaN))
  if (currency !== holder.currency || !isWhole || numbers.some(Number.isNaN)) return null
  const [number = 0, line = 0, ...told] = numbers
  return { sealed: { number, line }, told: new Map(told.map((last, index) => [accounts[index] ?? '', last])) }
}
