/** Until when a claim is answered and decided: so many banking days of whoever is claimed against (protocol 16.8). */
import type { Instant } from '../../machines/time.ts'
import { settlementTermsOfParty } from '../../persistence/queries/terms.ts'
import type { Store } from '../../persistence/store.ts'
import { addDays, bankingDayAfter, type Day, localDay, startOfDay } from '../terms/days.ts'
import { readCalendars } from '../terms/known.ts'

export interface Deadline {
  day: Day
  /** At which that day is over. */
  at: Instant
}

export async function deadlineOf(
  store: Pick<Store, 'query'>,
  { partyId, currency, bankingDays }: { partyId: string; currency: string; bankingDays: number },
  now: Instant,
): Promise<Deadline> {
  const settles = await store.query(settlementTermsOfParty, { partyId })
  const terms = settles.find((one) => one.currency === currency)
  const timeZone = terms?.time_zone ?? 'UTC'
  const calendar = terms?.calendar == null ? undefined : (await readCalendars(store)).get(terms.calendar)
  const day = bankingDayAfter(localDay(now, timeZone), bankingDays, calendar)
  return { day, at: startOfDay(addDays(day, 1), timeZone) }
}
