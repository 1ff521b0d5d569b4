/**
 * What a plan changes, member by member, as a person reads it before it is done: the members are those of the file, by their names in
 * it, and money is shown as the postings that book it. Nothing in it depends on the moment alone, so that the same plan reads the same
 * until something has changed.
 */
import { createHash } from 'node:crypto'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { postingsShower, type ShownPosting } from '../orders/postings-shown.ts'
import { accountsAt } from '../terms/in-force.ts'
import { accountDelayMs } from '../terms/plan.ts'
import type { ChangedTable, PlannedTable, PlannedWrite } from '../terms/planned-write.ts'
import type { Known } from './known.ts'
import { type Member, membersOf } from './row-members.ts'

/** One line of what a plan changes, and the writes that do it. */
export interface PlannedChange {
  what: string
  writes: readonly PlannedWrite[]
}

export interface Difference {
  /** The same line as `apply` answers: `merchant Demo Shop: MX MXN set`. */
  what: string
  members: ChangedMember[]
  /** What is booked; empty where no money moves. */
  postings: ShownPosting[]
}

export interface ChangedMember {
  name: string
  /** `null` where there was, or is, none. */
  before: string | null
  after: string | null
  begins: Beginning
}

/** From when on it holds. */
export type Beginning =
  | { at: 'once' }
  | { at: 'day'; day: string; timeZone: string }
  | { at: 'delay'; hours: number }

export interface PlannedWith {
  known: Known
  at: Instant
  /** Keys whose secrets are made by the plan. */
  madeKeys: ReadonlySet<string>
}

const once: Beginning = { at: 'once' }

export function differencesOf(changes: readonly PlannedChange[], planned: PlannedWith): Difference[] {
  const inserted = changes.flatMap(({ writes }) => writes).filter((write) => 'insert' in write)
  const names = new Map(
    [...planned.known.parties.values()].map(({ party }) => [party.id, party.name] as const),
  )
  for (const write of inserted) {
    if (write.insert === 'parties') names.set(write.values.id, write.values.name)
  }
  const zones = zonesOf(changes, planned.known)
  const show = postingsShower((id) => names.get(id), new Map(planned.known.balances))
  return changes.map(({ what, writes }) => ({
    what,
    members: changedMembers(writes, planned, zones),
    postings: show(writes),
  }))
}

/** SHA-256, in hex, of what is shown to whoever decides: what is applied has to come to the same. */
export function previewDigest(differences: readonly Difference[], problems: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify({ differences, problems })).digest('hex')
}

type Zones = (partyId: string, currency: string) => string

function zonesOf(changes: readonly PlannedChange[], { terms }: Known): Zones {
  const set = new Map<string, string>()
  for (const { party_id, currency, time_zone } of [...terms.parties.values()].flatMap(
    ({ settles }) => settles,
  ))
    set.set(`${party_id}:${currency}`, time_zone)
  for (const write of changes.flatMap(({ writes }) => writes)) {
    if ('insert' in write && write.insert === 'settlement_terms') {
      const { party_id, currency, time_zone } = write.values
      set.set(`${party_id}:${currency}`, time_zone)
    }
    if ('update' in write && write.update === 'settlement_terms' && write.set.time_zone !== undefined) {
      const { party_id, currency } = write.key
      set.set(`${party_id}:${currency}`, write.set.time_zone)
    }
  }
  return (partyId, currency) => set.get(`${partyId}:${currency}`) ?? 'UTC'
}

function changedMembers(
  writes: readonly PlannedWrite[],
  planned: PlannedWith,
  zones: Zones,
): ChangedMember[] {
  const days = writes.filter((write) => isOf(write, 'cut_offs'))
  if (days.length > 0) return firstChangedDay(days, planned.known)
  return writes.flatMap((write): ChangedMember[] => {
    if ('post' in write || 'repay' in write) return []
    const { table, before, after } = rowsOf(write, planned)
    if (table === 'account_deposits' || table === 'credentials') {
      const row = after ?? {}
      const made = planned.madeKeys.has(String(row.key))
      return compared([], membersOf(table, { ...row, made }), () => once)
    }
    const begins = beginningOf(table, before, after, planned.at, zones)
    return compared(
      before === null ? [] : membersOf(table, before),
      after === null ? [] : membersOf(table, after),
      begins,
    )
  })
}

type Values = Readonly<Record<string, unknown>>

function isOf(write: PlannedWrite, table: PlannedTable): boolean {
  return (
    ('insert' in write && write.insert === table) ||
    ('update' in write && write.update === table) ||
    ('delete' in write && write.delete === table)
  )
}

/** The row as it is and as it will be. Terms of a later day are compared with those whose place they take. */
function rowsOf(
  write: Exclude<PlannedWrite, { post: unknown } | { repay: unknown }>,
  { known, at }: PlannedWith,
): { table: PlannedTable; before: Values | null; after: Values | null } {
  if ('insert' in write) {
    const after: Values = { ...write.values }
    const before = write.insert === 'fee_terms' ? termsBefore(after, known) : null
    return { table: write.insert, before, after }
  }
  const table = 'update' in write ? write.update : write.delete
  const stored = findRow(table, { ...write.key }, known, at)
  if (!('update' in write)) return { table, before: stored, after: null }
  return { table, before: stored, after: { ...stored, ...write.key, ...write.set } }
}

function findRow(table: ChangedTable, key: Values, known: Known, at: Instant): Values | null {
  const rows: readonly Values[] = readers[table](known, at)
  return rows.find((row) => hasKey(row, key)) ?? null
}

function hasKey(row: Values, key: Values): boolean {
  return Object.entries(key).every(([name, value]) => row[name] === value)
}

/** What is there of each table that a plan may change. */
const readers: { readonly [Table in ChangedTable]: (known: Known, at: Instant) => Row<Table>[] } = {
  banks: ({ terms }) =>
    [...terms.banks].map(([name, currency]) => ({
      name,
      currency,
      statement_json: terms.statements.get(name) ?? null,
    })),
  calendar_days: ({ terms }) =>
    [...terms.calendars].flatMap(([calendar, { notes }]) =>
      [...notes].map(([day, note]) => ({ calendar, day, note })),
    ),
  calendars: ({ terms }) =>
    [...terms.calendars].map(([name, { weekend }]) => ({ name, weekend_json: JSON.stringify(weekend) })),
  cut_offs: (known) => ofParties(known).flatMap(({ cutOffs }) => [...cutOffs.values()].flat()),
  exposure_limits: (known) => ofParties(known).flatMap(({ exposure }) => exposure),
  fee_terms: (known) => ofParties(known).flatMap(({ fees }) => fees),
  networks: (known) => ofParties(known).flatMap(({ networks }) => networks),
  pairs: ({ parties }) => [...parties.values()].flatMap(({ pairs }) => pairs),
  parties: ({ parties }) => [...parties.values()].map(({ party }) => party),
  rates: ({ rates }) => [...rates.values()],
  settlement_terms: (known, at) =>
    ofParties(known).flatMap(({ settles }) => settles.map((row) => ({ ...row, ...accountsAt(row, at) }))),
}

const ofParties = ({ terms }: Known) => [...terms.parties.values()]

const sameTerms = ['party_id', 'kind', 'network_id', 'country', 'currency', 'direction'] as const

/** The latest that begins before: what holds until then. */
function termsBefore(row: Values, { terms }: Known): Values | null {
  const same = [...terms.parties.values()]
    .flatMap(({ fees }) => fees)
    .filter((other) => sameTerms.every((name) => other[name] === row[name]))
    .filter((other) => other.from_at < Number(row.from_at))
  return same.toSorted((one, other) => other.from_at - one.from_at)[0] ?? null
}

function beginningOf(
  table: string,
  before: Values | null,
  after: Values | null,
  at: Instant,
  zones: Zones,
): (member: string) => Beginning {
  if (table === 'fee_terms' && after !== null && after.from_at !== at) {
    const timeZone = zones(String(after.party_id), String(after.currency))
    return () => ({ at: 'day', day: String(after.from_day), timeZone })
  }
  const next = after?.next_account ?? null
  const isDelayed = table === 'settlement_terms' && next !== null && next !== before?.next_account
  const delayed: Beginning = { at: 'delay', hours: accountDelayMs / 3_600_000 }
  return (member) => (isDelayed && member === 'account' ? delayed : once)
}

function compared(
  before: readonly Member[],
  after: readonly Member[],
  begins: (member: string) => Beginning,
): ChangedMember[] {
  const was = new Map(before)
  const is = new Map(after)
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({
      name,
      before: was.get(name) ?? null,
      after: is.get(name) ?? null,
      begins: begins(name),
    }))
    .filter((member) => member.before !== member.after)
}

/** Of the coming days of a party the first that ends at another moment; the others follow its rule. */
function firstChangedDay(writes: readonly PlannedWrite[], { terms }: Known): ChangedMember[] {
  const ends = writes.flatMap((write) =>
    'insert' in write && write.insert === 'cut_offs' ? [write.values] : [],
  )
  const [first] = ends.toSorted((one, other) => one.ends_at - other.ends_at)
  if (first === undefined) return []
  const planned: Row<'cut_offs'>[] = [
    ...(terms.parties.get(first.party_id)?.cutOffs.get(first.currency) ?? []),
  ]
  const before = planned.find(({ day }) => day === first.day)
  return [
    {
      name: `end of ${first.day}`,
      before: before === undefined ? null : formatInstant(before.ends_at),
      after: formatInstant(first.ends_at),
      begins: once,
    },
  ]
}
