/** The tables of settlement; what columns hold is said in `schema.ts`. Days are texts such as `2026-12-01`. */
import type { Generated } from 'kysely'
import type { Direction } from '../machines/order.ts'
import type { Instant } from '../machines/time.ts'

/** Where a provider takes and hands out cash. */
export interface NetworkTable {
  network_id: string
  provider_id: string
  /** What people call it; null, like all below, where nothing was agreed on. */
  name: Generated<string | null>
  country: Generated<string | null>
  currency: Generated<string | null>
  /** Inclusive limits of what it takes or hands out at once, in its currency. */
  min_minor: Generated<bigint | null>
  max_minor: Generated<bigint | null>
  /** What it asks of the end user beside the price. */
  counter_fee_minor: Generated<bigint | null>
  hours: Generated<string | null>
  /** What the checkout tells, by language: `{ "es": … }`. */
  text_json: Generated<string | null>
  /** How its reports are to be read, as JSON; null where they are as usual. */
  report_json: Generated<string | null>
}

/** An account of the operator's at a bank, by the name that postings call it. */
export interface BankTable {
  name: string
  currency: string
  /** How its statements are to be read where they are CSV, as JSON; null where it gives camt.053 alone. */
  statement_json: Generated<string | null>
}

/** On which days banks are closed. */
export interface CalendarTable {
  name: string
  /** Weekdays, `["SAT", "SUN"]`. */
  weekend_json: string
}

/** A closed day beside the weekends. */
export interface CalendarDayTable {
  calendar: string
  day: string
  note: string
}

/** How a party is settled in a currency. A party without terms has UTC days. */
export interface SettlementTermsTable {
  party_id: string
  currency: string
  /** IANA name. */
  time_zone: string
  /** `HH:MM`, from `00:01` to `24:00`. */
  cut_off: string
  /** `"day"`, `"request"`, or a list of weekdays. */
  every_json: string
  /** Null where every day is a banking day. */
  calendar: string | null
  after_banking_days: number
  /** Less than this is carried over; null where everything is paid. */
  minimum_minor: bigint | null
  /** What a sweep leaves with a merchant. */
  keep_minor: bigint | null
  /** Where the party is paid. Past `next_account_at` the next one counts, although it still stands there. */
  account: string | null
  account_from_at: Instant | null
  next_account: string | null
  next_account_at: Instant | null
  changed_at: Instant
}

/**
 * When a party's days end: a step at `t` is of the day with the least `ends_at` above `t`. Days and ends rise together; a day
 * may be left out where terms were changed.
 */
export interface CutOffTable {
  party_id: string
  currency: string
  day: string
  /** The first instant that no longer belongs to it. */
  ends_at: Instant
}

export type FeeKind = 'fee' | 'commission'

/**
 * What an order costs its merchant (a fee), or what a provider earns by it (a commission), from an instant until the next row's of the
 * same party, kind, network, country, currency and direction. What has begun is never changed.
 */
export interface FeeTermsTable {
  id: string
  party_id: string
  kind: FeeKind
  /** '' of a fee. */
  network_id: string
  /** '' of a commission. */
  country: string
  currency: string
  direction: Direction
  from_day: string
  /** The start of that day in the party's zone; of terms written on that day itself, when they were. */
  from_at: Instant
  fixed_minor: bigint
  bps: number
  /** Bounds of the fee before tax. */
  min_minor: bigint | null
  max_minor: bigint | null
  tax_bps: number
}

/** How much a provider may owe in a currency, with what it is about to. */
export interface ExposureLimitTable {
  provider_id: string
  currency: string
  limit_minor: bigint
  warn_at_percent: number
}

export interface SettlementTables {
  networks: NetworkTable
  banks: BankTable
  calendars: CalendarTable
  calendar_days: CalendarDayTable
  settlement_terms: SettlementTermsTable
  cut_offs: CutOffTable
  fee_terms: FeeTermsTable
  exposure_limits: ExposureLimitTable
}
