/** Terms as operators read them. */
import { formatPrice } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row } from '../../persistence/store.ts'
import type { Every } from './entries.ts'
import { accountsAt, feeTermsAt } from './in-force.ts'
import type { PartyTerms } from './known.ts'
import { mappingOf, type ReportMapping } from './report-mapping.ts'

export type FeeState = 'past' | 'in force' | 'coming'

export interface FeeDocument {
  direction: Direction
  currency: string
  from: string
  begins: string
  state: FeeState
  fixed: string
  bps: number
  min: string | null
  max: string | null
  taxBps: number
}

export interface SettlesDocument {
  currency: string
  timeZone: string
  cutOff: string
  every: Every
  calendar: string | null
  afterBankingDays: number
  minimum: string | null
  keep: string | null
  account: string | null
  accountSince: string | null
  /** What a change of account waits for. */
  nextAccount: string | null
  nextAccountFrom: string | null
  /** The next ones, the first of them first. */
  cutOffs: { day: string; ends: string }[]
}

export interface NetworkDocument {
  id: string
  name: string | null
  country: string | null
  currency: string | null
  min: string | null
  max: string | null
  counterFee: string | null
  hours: string | null
  text: Readonly<Record<string, string>>
  /** How its reports are read; null as usual. */
  report: ReportMapping | null
  commissions: FeeDocument[]
}

export interface TermsDocument {
  name: string
  kind: PartyKind
  settles: SettlesDocument[]
  exposure: { currency: string; limit: string; warnAtPercent: number }[]
  fees: (FeeDocument & { country: string })[]
  networks: NetworkDocument[]
}

const shownCutOffs = 3

export function termsDocument(
  { name, kind }: Pick<Row<'parties'>, 'name' | 'kind'>,
  terms: PartyTerms,
  at: Instant,
): TermsDocument {
  const documents = terms.fees.map((row) => ({ row, document: feeDocument(row, terms.fees, at) }))
  return {
    name,
    kind,
    settles: terms.settles.map((row) => settlesDocument(row, terms.cutOffs.get(row.currency) ?? [], at)),
    exposure: terms.exposure.map(({ currency, limit_minor, warn_at_percent }) => ({
      currency,
      limit: formatPrice(limit_minor, currency),
      warnAtPercent: warn_at_percent,
    })),
    fees: documents
      .filter(({ row }) => row.kind === 'fee')
      .map(({ row, document }) => ({ country: row.country, ...document })),
    networks: terms.networks.map((network) =>
      networkDocument(
        network,
        documents
          .filter(({ row }) => row.kind === 'commission' && row.network_id === network.network_id)
          .map(({ document }) => document),
      ),
    ),
  }
}

/** Whether nothing was agreed on: networks have their ids alone. */
export function isWithoutTerms({ settles, exposure, fees, networks }: TermsDocument): boolean {
  const isPlain = ({ id: _, commissions, text, ...members }: NetworkDocument) =>
    commissions.length === 0 &&
    Object.keys(text).length === 0 &&
    Object.values(members).every((member) => member === null)
  return settles.length + exposure.length + fees.length === 0 && networks.every(isPlain)
}

function settlesDocument(
  row: Row<'settlement_terms'>,
  cutOffs: readonly Row<'cut_offs'>[],
  at: Instant,
): SettlesDocument {
  const { currency } = row
  const { account, account_from_at, next_account, next_account_at } = accountsAt(row, at)
  const every: Every = JSON.parse(row.every_json)
  return {
    currency,
    timeZone: row.time_zone,
    cutOff: row.cut_off,
    every,
    calendar: row.calendar,
    afterBankingDays: row.after_banking_days,
    minimum: amountOrNull(row.minimum_minor, currency),
    keep: amountOrNull(row.keep_minor, currency),
    account,
    accountSince: instantOrNull(account_from_at),
    nextAccount: next_account,
    nextAccountFrom: instantOrNull(next_account_at),
    cutOffs: cutOffs
      .filter(({ ends_at }) => ends_at > at)
      .slice(0, shownCutOffs)
      .map(({ day, ends_at }) => ({ day, ends: formatInstant(ends_at) })),
  }
}

function networkDocument(row: Row<'networks'>, commissions: FeeDocument[]): NetworkDocument {
  const { currency, text_json } = row
  const amount = (minor: bigint | null) => (currency === null ? null : amountOrNull(minor, currency))
  const text: Record<string, string> = text_json === null ? {} : JSON.parse(text_json)
  return {
    id: row.network_id,
    name: row.name,
    country: row.country,
    currency,
    min: amount(row.min_minor),
    max: amount(row.max_minor),
    counterFee: amount(row.counter_fee_minor),
    hours: row.hours,
    text,
    report: row.report_json === null ? null : mappingOf(row.report_json),
    commissions,
  }
}

function feeDocument(row: Row<'fee_terms'>, all: readonly Row<'fee_terms'>[], at: Instant): FeeDocument {
  const { currency } = row
  return {
    direction: row.direction,
    currency,
    from: row.from_day,
    begins: formatInstant(row.from_at),
    state: stateOf(row, all, at),
    fixed: formatPrice(row.fixed_minor, currency),
    bps: row.bps,
    min: amountOrNull(row.min_minor, currency),
    max: amountOrNull(row.max_minor, currency),
    taxBps: row.tax_bps,
  }
}

function stateOf(row: Row<'fee_terms'>, all: readonly Row<'fee_terms'>[], at: Instant): FeeState {
  if (row.from_at > at) return 'coming'
  const alike = all.filter(
    ({ party_id, network_id, country }) =>
      party_id === row.party_id && network_id === row.network_id && country === row.country,
  )
  return feeTermsAt(alike, row, at)?.id === row.id ? 'in force' : 'past'
}

function amountOrNull(minor: bigint | null, currency: string): string | null {
  return minor === null ? null : formatPrice(minor, currency)
}

function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}
