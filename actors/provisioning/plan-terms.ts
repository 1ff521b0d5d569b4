/** The terms of a provisioning file: of each party, after what they refer to. */
import type { Row } from '../../persistence/store.ts'
import { type NetworkEntry, noteRepeatedFees, readFee } from '../terms/entries.ts'
import { noTerms } from '../terms/known.ts'
import {
  isSame,
  type PlannedParty,
  planBank,
  planCalendar,
  planExposure,
  plannedNetwork,
  planSettles,
  type TermsPlan,
} from '../terms/plan.ts'
import { moveFees, planFees } from '../terms/plan-fees.ts'
import type { MerchantEntry, ProviderEntry, ProvisioningFile } from './file.ts'

/** What parties refer to comes before them. */
export function planBanksAndCalendars(plan: TermsPlan, file: ProvisioningFile): void {
  for (const entry of file.banks) planBank(plan, entry)
  for (const entry of file.calendars) planCalendar(plan, entry)
}

export function calendarNames({ known }: TermsPlan, file: ProvisioningFile): string[] {
  return [...new Set([...known.calendars.keys(), ...file.calendars.map(({ name }) => name)])].toSorted()
}

/** @param pairs those that were there before */
export function planMerchantTerms(
  plan: TermsPlan,
  party: PlannedParty,
  entry: MerchantEntry,
  pairs: readonly Row<'pairs'>[],
  calendars: readonly string[],
): void {
  const zones = planAllSettles(plan, party, entry, calendars)
  for (const { path, country, currency, fees, maxMinor } of entry.pairs) {
    const before = pairs.find((pair) => pair.country === country && pair.currency === currency)
    const key = { kind: 'fee', partyId: party.id, networkId: '', country, currency } as const
    const what = `${party.who}: fee of ${country} ${currency}`
    const maxPriceMinor = maxMinor ?? before?.max_minor ?? null
    const place = { path, isNew: before === undefined }
    planFees(plan, { ...key, ...place, maxPriceMinor, what, timeZone: zones(currency) }, fees)
  }
}

/** @param register makes a network that is new, or says whose it is; `false` where it cannot be this provider's */
export function planProviderTerms(
  plan: TermsPlan,
  party: PlannedParty,
  entry: ProviderEntry,
  register: (network: NetworkEntry, values: Partial<Row<'networks'>>) => boolean,
  calendars: readonly string[],
): void {
  const zones = planAllSettles(plan, party, entry, calendars)
  for (const one of entry.exposure) planExposure(plan, party, one)
  for (const network of entry.networks) planNetwork(plan, party, network, register, zones)
}

function planAllSettles(
  plan: TermsPlan,
  party: PlannedParty,
  { settles }: Pick<MerchantEntry, 'settles'>,
  calendars: readonly string[],
): (currency: string) => string {
  const known = plan.known.parties.get(party.id) ?? noTerms
  const before = (currency: string) => known.settles.find((row) => row.currency === currency)?.time_zone
  for (const one of settles) {
    planSettles(plan, party, one, calendars)
    if (one.timeZone !== undefined && one.timeZone !== (before(one.currency) ?? 'UTC')) {
      moveFees(plan, party.id, one.currency, one.timeZone)
    }
  }
  return (currency) => settles.find((one) => one.currency === currency)?.timeZone ?? before(currency) ?? 'UTC'
}

function planNetwork(
  plan: TermsPlan,
  party: PlannedParty,
  entry: NetworkEntry,
  register: (network: NetworkEntry, values: Partial<Row<'networks'>>) => boolean,
  zones: (currency: string) => string,
): void {
  const { problems, known, change } = plan
  const terms = known.parties.get(party.id) ?? noTerms
  const { networkId, path } = entry
  const before = terms.networks.find((row) => row.network_id === networkId)
  const hasCommissions = terms.fees.some((row) => row.network_id === networkId)
  const planned = plannedNetwork(plan, entry, before, hasCommissions)
  if (planned === null) return
  const { currency, values } = planned
  if (before === undefined) {
    if (!register(entry, values)) return
  } else if (!isSame(before, values)) {
    const set = { update: 'networks', key: { network_id: networkId }, set: values } as const
    change(`${party.who}: network ${networkId} set`, set)
  }
  if (currency === null) {
    if (entry.commissions.length > 0) {
      problems.add(`${path}.commissions`, 'are of no currency: say the network’s currency')
    }
    return
  }
  const fees = entry.commissions.flatMap(
    ({ value, path: at }) => readFee(value, at, problems, currency) ?? [],
  )
  noteRepeatedFees(problems, fees)
  const key = { kind: 'commission', partyId: party.id, networkId, country: '', currency } as const
  const what = `${party.who}: commission of network ${networkId}`
  // A commission is the operator's expense, whatever the price.
  const place = { path, isNew: before === undefined, maxPriceMinor: null }
  planFees(plan, { ...key, ...place, what, timeZone: zones(currency) }, fees)
}
