/**
 * Closing: a party's days up to one become a statement (protocol 15.10). Its boundary is fixed and its amounts are worked out of what never
 * changes any more; then one step of constant size, which holds the party's accounts and its book, writes it, or nothing where another one
 * was faster. Lines are stored later, by who seals it.
 */

import { waitingOfMerchant } from '../../persistence/queries/operations.ts'
import { paymentsWithRest } from '../../persistence/queries/payments.ts'
import { bookOf, openStatementsOf, rangesOf, statementBefore } from '../../persistence/queries/statements.ts'
import { settlementTermsIn } from '../../persistence/queries/terms.ts'
import {
  accountId,
  type ConstraintName,
  type Decision,
  type Posting,
  type Query,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { addDays, bankingDayAfter, type Day } from '../terms/days.ts'
import { type KnownCalendar, readCalendars } from '../terms/known.ts'
import { type Boundary, readBoundaries, shut, sweepKind } from './boundary.ts'
import { type ClosingRequest, noRequestRows, type Withdrawn } from './closing-request.ts'
import { remainders } from './dues.ts'
import { accountOf, type Holder, positionOf } from './position.ts'
import { type PostingLine, postingLines, totalOf } from './posting-lines.ts'
import { stopRow } from './stopping.ts'

/** All that a closing is worked out of, as of the end of its day. */
export interface KnownClosing {
  holder: Holder
  day: Day
  book: Row<'statement_books'> | null
  before: Row<'statements'> | null
  /** Where the statement before ended, by account. */
  rangesBefore: ReadonlyMap<string, Row<'statement_ranges'>>
  boundaries: readonly Boundary[]
  lines: LineSums
  /** Left of earlier statements. */
  openMinor: bigint
  /** What was paid ahead, and settles nothing yet. */
  paidAheadMinor: bigint
  /** What orders wait for that are not funded. */
  waitingMinor: bigint
  terms: Row<'settlement_terms'> | null
  calendar: KnownCalendar | null
}

interface LineSums {
  count: number
  sumMinor: bigint
  /** Of those that came or went by a bank. */
  byBankMinor: bigint
  firstDay: Day | null
}

export interface ClosingPlan {
  number: number
  fromDay: Day
  toDay: Day
  openingMinor: bigint
  closingMinor: bigint
  sweptMinor: bigint
  dueMinor: bigint
  dueOn: Day | null
  lineCount: number
}

/**
 * Pure: what the statement would be; null where the days have no line, and nothing is withdrawn.
 *
 * @param availableMinor now
 * @param withdrawn what its merchant asks for; without it, all is swept that comes with the days' lines
 */
export function planClosing(
  known: KnownClosing,
  availableMinor: bigint,
  withdrawn: Withdrawn | null = null,
): ClosingPlan | null {
  const { holder, day, book, before, boundaries, lines } = known
  const isEmpty = lines.count === 0
  const closingMinor = boundaries.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
  const openingMinor = before?.closing_minor ?? closingMinor - lines.sumMinor
  // What was archived before anything was closed was never asked for.
  const unclosedMinor = before === null ? openingMinor : 0n
  if (isEmpty && withdrawn === null && unclosedMinor === 0n) return null
  const sweptMinor = holder.kind === 'merchant' ? sweepOf(known, availableMinor, withdrawn) : 0n
  const dueMinor =
    holder.kind === 'merchant' ? sweptMinor : unclosedMinor + lines.sumMinor - lines.byBankMinor
  if (isEmpty && dueMinor === 0n) return null
  if (openingMinor + lines.sumMinor !== closingMinor) {
    throw new Error(
      `The statement of ${holder.partyId} to ${day} does not add up: ${openingMinor} and lines of ${lines.sumMinor} are not ${closingMinor} ${holder.currency}.`,
    )
  }
  return {
    number: (book?.last_number ?? 0) + 1,
    fromDay: book === null || book.closed_day === '' ? (lines.firstDay ?? day) : addDays(book.closed_day, 1),
    toDay: day,
    openingMinor,
    closingMinor,
    sweptMinor,
    dueMinor,
    dueOn: dueOnOf(known, dueMinor),
    lineCount: lines.count,
  }
}

/** What was available at the boundary and still is, but for what is kept and what waits; no more than is withdrawn. */
function sweepOf(known: KnownClosing, availableMinor: bigint, withdrawn: Withdrawn | null): bigint {
  const { holder, boundaries } = known
  const available = accountOf(holder, 'available')
  const ofAvailable = boundaries.find(({ account }) => account === available)
  const then = (ofAvailable?.balanceMinor ?? 0n) - (ofAvailable?.sweptSinceMinor ?? 0n)
  const least = then < availableMinor ? then : availableMinor
  const swept = sweepableMinor(known, least)
  const asked = withdrawn?.amountMinor ?? null
  return asked === null || asked > swept ? swept : asked
}

/** What of this much a closing takes to *payable*: nothing where it is less than the minimum. */
export function sweepableMinor(
  { terms, waitingMinor }: Pick<KnownClosing, 'terms' | 'waitingMinor'>,
  availableMinor: bigint,
): bigint {
  const swept = availableMinor - (terms?.keep_minor ?? 0n) - waitingMinor
  return swept <= 0n || swept < (terms?.minimum_minor ?? 0n) ? 0n : swept
}

/** With what earlier statements left, it is worth a payment, or is carried to a later one. */
function dueOnOf(known: KnownClosing, dueMinor: bigint): Day | null {
  const { day, terms, calendar, paidAheadMinor } = known
  const left = known.openMinor + dueMinor
  // What was paid ahead settles what the party owes, and is not paid out with what it is owed.
  const stillOwed = left + paidAheadMinor
  const size = left >= 0n ? left : stillOwed < 0n ? -stillOwed : 0n
  if (dueMinor === 0n || size < (terms?.minimum_minor ?? 0n)) return null
  return terms === null ? day : bankingDayAfter(day, terms.after_banking_days, calendar ?? undefined)
}

export type Closed =
  | { ok: true; plan: ClosingPlan | null }
  /** `overtaken`: somebody else closes it. `stopped`: a restore has stopped closings. */
  | { ok: false; reason: 'overtaken' | 'stopped' | 'closed_already' }

export async function closeDay(store: Store, holder: Holder, day: Day): Promise<Closed> {
  const closed = await closeOnRequest<never>(store, holder, day, null)
  if (!closed.ok && closed.reason === 'refused')
    throw new Error('A closing was refused that nobody asked for.')
  return closed
}

/** The same for somebody who asks: what is asked is judged, and what is answered kept, in the step that closes. */
export async function closeOnRequest<Refusal>(
  store: Store,
  holder: Holder,
  day: Day,
  request: ClosingRequest<ClosingPlan, Refusal> | null,
): Promise<Closed | { ok: false; reason: 'refused'; refusal: Refusal }> {
  type Answer = Closed | { ok: false; reason: 'refused'; refusal: Refusal }
  await shut(store, holder, day)
  const known = await readClosing(store, holder, day)
  if (known.book !== null && known.book.closed_day >= day) return { ok: false, reason: 'closed_already' }
  const bookKey = { party_id: holder.partyId, currency: holder.currency }
  const result = await store.step({
    rows: {
      ...(request?.rows ?? noRequestRows),
      stop: stopRow,
      book: row('statement_books', bookKey),
      accounts: rows(
        'accounts',
        positionOf(holder).map((account) => ({ id: accountId(account) })),
      ),
    },
    // What is asked for can wait until there is room on the disk.
    isEssential: request === null,
    decide: ({ stop, book, accounts, ...held }, at): Decision<Answer> => {
      if (stop !== null) return { answer: { ok: false, reason: 'stopped' }, writes: [] }
      const isSame =
        book?.last_number === known.book?.last_number && book?.closed_day === known.book?.closed_day
      if (!isSame) return { answer: { ok: false, reason: 'overtaken' }, writes: [] }
      if (accounts.some((account) => account === null || account.first_open_day <= day)) {
        throw new Error(`The accounts of ${holder.partyId} in ${holder.currency} are open for ${day}.`)
      }
      const available = accounts.find((account) => account?.kind === 'available')?.balance_minor ?? 0n
      const plan = planClosing(known, available, request)
      const judged = request?.judge(held, plan, at)
      if (judged !== undefined && !judged.ok) {
        return { answer: { ok: false, reason: 'refused', refusal: judged.refusal }, writes: [] }
      }
      const last = plan?.number ?? book?.last_number ?? 0
      const set = { last_number: last, closed_day: day, closed_at: at }
      const bookWrite: Write =
        book === null
          ? { insert: 'statement_books', values: { ...bookKey, ...set } }
          : { update: 'statement_books', key: bookKey, set }
      return {
        answer: { ok: true, plan },
        writes: [
          bookWrite,
          ...(plan === null ? [] : writesOf(known, plan, at)),
          ...(judged === undefined ? [] : judged.writes),
        ],
        wake: plan === null ? [] : ['statements'],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  // Its key was taken at the same moment: whoever looks again finds the answer.
  if (isOfRequest(result.constraint)) return { ok: false, reason: 'overtaken' }
  throw new Error(`A closing violated ${result.constraint}.`)
}

function isOfRequest(constraint: ConstraintName): boolean {
  return constraint === 'idempotency_keys.key' || constraint === 'repeated_messages.digest'
}

function writesOf(
  { holder, boundaries, rangesBefore }: KnownClosing,
  plan: ClosingPlan,
  at: number,
): Write[] {
  const { partyId: party_id, kind: party_kind, currency } = holder
  const key = { party_id, currency, number: plan.number }
  return [
    {
      insert: 'statements',
      values: {
        ...key,
        party_kind,
        from_day: plan.fromDay,
        to_day: plan.toDay,
        closed_at: at,
        due_on: plan.dueOn,
        opening_minor: plan.openingMinor,
        closing_minor: plan.closingMinor,
        due_minor: plan.dueMinor,
        swept_minor: plan.sweptMinor,
        line_count: plan.lineCount,
      },
    },
    ...boundaries.map(({ account, last, balanceMinor }): Write => {
      const first = (rangesBefore.get(account)?.last_number ?? 0) + 1
      return {
        insert: 'statement_ranges',
        values: {
          ...key,
          account_id: account,
          first_number: first,
          last_number: last,
          balance_minor: balanceMinor,
          sealed_number: first - 1,
        },
      }
    }),
    ...sweepWrites(holder, plan),
  ]
}

/** What a closing sets aside to be paid, as it is booked and as it is shown before. */
export function sweepWrites(
  { partyId: ownerId, currency }: Pick<Holder, 'partyId' | 'currency'>,
  { number, sweptMinor: amountMinor }: Pick<ClosingPlan, 'number' | 'sweptMinor'>,
): { post: Posting }[] {
  if (amountMinor === 0n) return []
  const own = (kind: 'available' | 'payable') => ({ kind, ownerId, currency })
  const posting = { kind: sweepKind, debit: own('available'), credit: own('payable'), amountMinor }
  return [{ post: { ...posting, orderId: null, reference: `statement ${number}` } }]
}

/** Reads what is known of a party's days; after `shut` it is the same for whoever reads it. */
export async function readClosing(
  store: Pick<Store, 'query'>,
  holder: Holder,
  day: Day,
): Promise<KnownClosing> {
  const query: Query = (statement, args) => store.query(statement, args)
  const { partyId, currency, kind } = holder
  const [book] = await query(bookOf, { partyId, currency })
  const [before] = await query(statementBefore, { partyId, currency, number: Number.MAX_SAFE_INTEGER })
  const ranges =
    before === undefined ? [] : await query(rangesOf, { partyId, currency, number: before.number })
  const rangesBefore = new Map(ranges.map((range) => [range.account_id, range]))
  const since = new Map(ranges.map((range) => [range.account_id, range.last_number]))
  const boundaries = await readBoundaries(query, holder, { day, since })
  const position = new Set(positionOf(holder).map(accountId))
  const lines = await sumLines(
    postingLines(query, {
      kind,
      position,
      ranges: boundaries.map(({ account, last }) => ({
        account,
        first: (since.get(account) ?? 0) + 1,
        last,
      })),
    }),
  )
  const open = await query(openStatementsOf, { partyId, currency, limit: 10_000 })
  const rests = await query(paymentsWithRest, { partyId, currency, limit: 10_000 })
  const waiting = kind === 'merchant' ? await query(waitingOfMerchant, { merchantId: partyId }) : []
  const [terms] = await query(settlementTermsIn, { partyId, currency })
  return {
    holder,
    day,
    book: book ?? null,
    before: before ?? null,
    rangesBefore,
    boundaries,
    lines,
    openMinor: remainders(open),
    paidAheadMinor: rests.reduce((sum, { rest_minor }) => sum + rest_minor, 0n),
    waitingMinor: waiting.find((one) => one.currency === currency)?.waiting_minor ?? 0n,
    terms: terms ?? null,
    calendar: terms?.calendar ? ((await readCalendars(store)).get(terms.calendar) ?? null) : null,
  }
}

async function sumLines(all: AsyncGenerator<PostingLine>): Promise<LineSums> {
  const sums: LineSums = { count: 0, sumMinor: 0n, byBankMinor: 0n, firstDay: null }
  for await (const line of all) {
    sums.count += 1
    sums.sumMinor += totalOf(line)
    if (line.isByBank) sums.byBankMinor += totalOf(line)
    if (sums.firstDay === null || line.day < sums.firstDay) sums.firstDay = line.day
  }
  return sums
}
