/**
 * The lines of a statement, made of the postings of ranges of numbers: one account's in the order of its numbers, and all of them
 * together in the order of their times. Read page by page, so that it costs the same memory however many there are.
 */

import { type AccountRange, creditsOfRange, debitsOfRange } from '../../persistence/queries/statements.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Query, Row } from '../../persistence/store.ts'

/** A line before it has its place and its balance. */
export interface PostingLine {
  day: string
  aboutDay: string | null
  postedAt: number
  kind: string
  direction: 'PAY_OUT' | 'PAY_IN' | null
  orderId: string | null
  networkId: string | null
  reference: string | null
  amountMinor: bigint
  feeMinor: bigint
  taxMinor: bigint
  account: string
  /** Of its first posting in that account, and of its last. */
  firstNumber: number
  lastNumber: number
  postings: number
  /** Money that came or went by a bank: it settles what is due, and is no part of it. */
  isByBank: boolean
}

export function totalOf({ amountMinor, feeMinor, taxMinor }: PostingLine): bigint {
  return amountMinor + feeMinor + taxMinor
}

export interface LinesOf {
  kind: PartyKind
  /** Accounts of the position. */
  position: ReadonlySet<string>
  ranges: readonly AccountRange[]
}

const numbersPerPage = 500

/** What of a line a posting is, where it goes with the one before it of the same order's step, or of the same correction. */
const parts: Readonly<Record<string, 'feeMinor' | 'taxMinor'>> = {
  fee: 'feeMinor',
  commission: 'feeMinor',
  fee_tax: 'taxMinor',
  commission_tax: 'taxMinor',
  adjustment_tax: 'taxMinor',
  claim_fee: 'feeMinor',
  claim_commission: 'feeMinor',
  claim_fee_tax: 'taxMinor',
  claim_commission_tax: 'taxMinor',
}

interface Head {
  line: PostingLine
  /** Of its first posting, to tell apart those of one moment. */
  id: number
  rest: AsyncGenerator<Omit<Head, 'rest'>>
}

export async function* postingLines(query: Query, of: LinesOf): AsyncGenerator<PostingLine> {
  const heads: Head[] = []
  const advance = async (rest: Head['rest']) => {
    const { value, done } = await rest.next()
    if (!done) heads.push({ ...value, rest })
  }
  for (const range of of.ranges) await advance(linesOfAccount(query, of, range))
  for (;;) {
    heads.sort((a, b) => a.line.postedAt - b.line.postedAt || a.id - b.id)
    const first = heads.shift()
    if (first === undefined) return
    yield first.line
    await advance(first.rest)
  }
}

async function* linesOfAccount(
  query: Query,
  { kind, position }: LinesOf,
  range: AccountRange,
): AsyncGenerator<Omit<Head, 'rest'>> {
  let open: Omit<Head, 'rest'> | null = null
  for (let first = range.first; first <= range.last; first += numbersPerPage) {
    const page = { ...range, first, last: Math.min(first + numbersPerPage - 1, range.last) }
    for (const posting of await readPage(query, page)) {
      if (position.has(posting.other)) continue
      if (open !== null && isPartOf(posting, open.line)) {
        addPart(open.line, posting)
        continue
      }
      if (open !== null) yield open
      open = { id: posting.id, line: lineOf(kind, range.account, posting) }
    }
  }
  if (open !== null) yield open
}

type Side = Pick<
  Row<'postings'>,
  'kind' | 'amount_minor' | 'order_id' | 'reference' | 'posted_at' | 'about_day'
> & {
  id: number
  number: number
  day: string
  other: string
  direction: 'PAY_OUT' | 'PAY_IN' | null
  network_id: string | null
  merchant_order_id: string | null
}

async function readPage(query: Query, page: AccountRange): Promise<Side[]> {
  const debits: Side[] = await query(debitsOfRange, page)
  const credits: Side[] = await query(creditsOfRange, page)
  const taken = debits.map((side) => ({ ...side, amount_minor: -side.amount_minor }))
  return [...taken, ...credits].sort((a, b) => a.number - b.number)
}

function isPartOf({ kind, order_id, reference, posted_at, number }: Side, line: PostingLine): boolean {
  const isOfSame =
    order_id === null ? reference !== null && reference === line.reference : order_id === line.orderId
  return kind in parts && isOfSame && posted_at === line.postedAt && number === line.lastNumber + 1
}

function addPart(line: PostingLine, { kind, amount_minor, number }: Side): void {
  line[parts[kind] ?? 'amountMinor'] += amount_minor
  line.lastNumber = number
  line.postings += 1
}

function lineOf(partyKind: PartyKind, account: string, side: Side): PostingLine {
  const line: PostingLine = {
    day: side.day,
    aboutDay: side.about_day,
    postedAt: side.posted_at,
    kind: side.kind,
    direction: side.direction,
    orderId: side.order_id,
    networkId: side.network_id,
    // A merchant knows its orders by its own ids; a provider has no business with them.
    reference: side.reference ?? (partyKind === 'merchant' ? side.merchant_order_id : null),
    amountMinor: 0n,
    feeMinor: 0n,
    taxMinor: 0n,
    account,
    firstNumber: side.number,
    lastNumber: side.number,
    postings: 1,
    isByBank: side.other.startsWith('bank:'),
  }
  line[parts[side.kind] ?? 'amountMinor'] += side.amount_minor
  return line
}
