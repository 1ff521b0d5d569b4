/** What the database holds of terms, for the parties that something is to be changed of. */
import type { Instant } from '../../machines/time.ts'
import {
  allBanks,
  allCalendarDays,
  allCalendars,
  cutOffsAfter,
  exposureLimitsOfProvider,
  feeTermsOfParty,
  networkTermsOfProvider,
  settlementTermsOfParty,
} from '../../persistence/queries/terms.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { BankCalendar, Weekday } from './days.ts'

export interface KnownCalendar extends BankCalendar {
  /** By day. */
  notes: ReadonlyMap<string, string>
}

export interface PartyTerms {
  settles: readonly Row<'settlement_terms'>[]
  /** By currency; those that end no more than two days ago, and all that come. */
  cutOffs: ReadonlyMap<string, readonly Row<'cut_offs'>[]>
  fees: readonly Row<'fee_terms'>[]
  exposure: readonly Row<'exposure_limits'>[]
  networks: readonly Row<'networks'>[]
}

export interface KnownTerms {
  banks: ReadonlyMap<string, string>
  /** How banks' statements are read, as JSON; of those that have agreed on it. */
  statements: ReadonlyMap<string, string | null>
  calendars: ReadonlyMap<string, KnownCalendar>
  /** By party id. */
  parties: ReadonlyMap<string, PartyTerms>
}

export const noTerms: PartyTerms = { settles: [], cutOffs: new Map(), fees: [], exposure: [], networks: [] }

const recentMs = 2 * 86_400_000

export async function readKnownTerms(
  store: Store,
  partyIds: readonly string[],
  now: Instant,
): Promise<KnownTerms> {
  const banks = await store.query(allBanks, {})
  const parties = new Map<string, PartyTerms>()
  for (const id of partyIds) parties.set(id, await readPartyTerms(store, id, now - recentMs))
  return {
    banks: new Map(banks.map((bank) => [bank.name, bank.currency])),
    statements: new Map(banks.map((bank) => [bank.name, bank.statement_json])),
    calendars: await readCalendars(store),
    parties,
  }
}

/** @param since cut-offs from then on */
export async function readPartyTerms(store: Store, partyId: string, since: Instant): Promise<PartyTerms> {
  const settles = await store.query(settlementTermsOfParty, { partyId })
  const cutOffs = new Map<string, Row<'cut_offs'>[]>()
  for (const { currency } of settles) {
    cutOffs.set(currency, await store.query(cutOffsAfter, { partyId, currency, at: since }))
  }
  return {
    settles,
    cutOffs,
    fees: await store.query(feeTermsOfParty, { partyId }),
    exposure: await store.query(exposureLimitsOfProvider, { providerId: partyId }),
    networks: await store.query(networkTermsOfProvider, { providerId: partyId }),
  }
}

export async function readCalendars(store: Pick<Store, 'query'>): Promise<Map<string, KnownCalendar>> {
  const days = Map.groupBy(await store.query(allCalendarDays, {}), ({ calendar }) => calendar)
  return new Map(
    (await store.query(allCalendars, {})).map(({ name, weekend_json }) => {
      const notes = new Map((days.get(name) ?? []).map(({ day, note }) => [day, note]))
      const weekend: Weekday[] = JSON.parse(weekend_json)
      return [name, { weekend, closed: new Set(notes.keys()), notes }]
    }),
  )
}
