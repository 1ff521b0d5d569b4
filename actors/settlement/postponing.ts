/**
 * When a day on which something falls due turns out to be none on which banks work, because a calendar was changed since, the statement keeps
 * its `due_on` and says to when it is put off (protocol 15.10).
 */
import { dueStatementsAfter } from '../../persistence/queries/statement-pages.ts'
import { allSettlementTerms } from '../../persistence/queries/terms.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import { type BankCalendar, bankingDayAfter, type Day } from '../terms/days.ts'
import { readCalendars } from '../terms/known.ts'

/** The next day on which banks work, where they do not on the one it fell due on; null where they do. */
export function postponedTo(dueOn: Day, calendar: BankCalendar | undefined): Day | null {
  const day = bankingDayAfter(dueOn, 0, calendar)
  return day === dueOn ? null : day
}

const statementsPerPage = 200

/** Looks at all that something is left of. @returns how many were changed. */
export async function postpone(store: Store): Promise<number> {
  const calendars = await readCalendars(store)
  const terms = new Map<string, Row<'settlement_terms'>>()
  for (const one of await store.query(allSettlementTerms, {})) {
    terms.set(`${one.party_id} ${one.currency}`, one)
  }
  let changed = 0
  for (let after = { party: '', of: '', number: 0 }; ; ) {
    const page = await store.query(dueStatementsAfter, { ...after, limit: statementsPerPage })
    for (const { party_id, currency, number, due_on, postponed_to } of page) {
      if (due_on === null) continue
      const name = terms.get(`${party_id} ${currency}`)?.calendar
      const day = postponedTo(due_on, name ? calendars.get(name) : undefined)
      if (day !== postponed_to && (await write(store, { party_id, currency, number }, day))) changed += 1
    }
    const last = page.at(-1)
    if (last === undefined || page.length < statementsPerPage) return changed
    after = { party: last.party_id, of: last.currency, number: last.number }
  }
}

async function write(
  store: Store,
  key: { party_id: string; currency: string; number: number },
  day: Day | null,
): Promise<boolean> {
  const result = await store.step({
    rows: { held: row('statements', key) },
    decide: ({ held }) => {
      const isLeft = held !== null && held.allocated_minor !== held.due_minor && held.postponed_to !== day
      return {
        answer: isLeft,
        writes: isLeft ? [{ update: 'statements', key, set: { postponed_to: day } }] : [],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Postponing a statement violated ${result.constraint}.`)
  return result.answer
}
