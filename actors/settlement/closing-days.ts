/** Which days are closed by themselves, and which one where somebody asks. */
import { accountById } from '../../persistence/queries/provisioning.ts'
import { bookOf, firstCreditFrom, firstDebitFrom } from '../../persistence/queries/statements.ts'
import { settlementTermsIn } from '../../persistence/queries/terms.ts'
import { accountId, type Row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { addDays, type Day, dayOf, weekdayOf } from '../terms/days.ts'
import type { Every } from '../terms/entries.ts'
import { type Holder, positionOf } from './position.ts'

/** A day that is closed by a wrong clock stays closed, and those before it with it. */
export function clockInDoubt(): OperationError {
  return new OperationError('refused', 'The clock is in doubt: nobody knows which day is to be closed.', {
    hint: 'clock show says why; once it is right: clock accept',
  })
}

export function isClosing(every: Every, day: Day): boolean {
  if (every === 'day') return true
  return every !== 'request' && every.includes(weekdayOf(day))
}

/**
 * Today by the party's clock; or the later day of what it was told last, as where its zone was agreed on after it had postings: what
 * came up to now is in the statement, whatever day it has. Where a closing has shut all accounts, and is
 * still at work or was killed, it is the day that it was for: what came since has the next one, which has not begun.
 */
export async function dayToClose(store: Pick<Store, 'query'>, holder: Holder, now: number): Promise<Day> {
  const { partyId, currency } = holder
  const [terms] = await store.query(settlementTermsIn, { partyId, currency })
  const rule = terms
    ? { timeZone: terms.time_zone, cutOff: terms.cut_off }
    : { timeZone: 'UTC', cutOff: '24:00' }
  const today = dayOf(now, rule)
  // Before the book: what a closing has moved on is seen with the day that it has closed.
  const ids = positionOf(holder).map(accountId)
  const accounts = await Promise.all(ids.map((id) => store.query(accountById, { id })))
  const days = await Promise.all(accounts.flat().map((account) => lastDayOf(store, account)))
  const [book] = await store.query(bookOf, { partyId, currency })
  if (book !== undefined && book.closed_day >= today) return today
  const open = accounts.map(([account]) => account?.first_open_day ?? '').toSorted()[0] ?? ''
  if (open > today) return addDays(open, -1)
  return [today, ...days].toSorted().at(-1) ?? today
}

/** Of its last posting; '' where it has none. */
async function lastDayOf(
  store: Pick<Store, 'query'>,
  { id: account, posting_count: first }: Row<'accounts'>,
): Promise<Day> {
  if (first === 0) return ''
  const [debit] = await store.query(firstDebitFrom, { account, first })
  const [credit] = await store.query(firstCreditFrom, { account, first })
  return [debit?.day ?? '', credit?.day ?? ''].toSorted().at(-1) ?? ''
}
