/** Reads of terms: what was agreed on with parties, and with whom and when it holds. */
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { FeeKind } from '../schema-settlement.ts'
import { statement } from '../statement.ts'

export const allBanks = statement<Record<never, never>>()('bank.all', ({ db }) =>
  db.selectFrom('banks').selectAll().orderBy('name'),
)

export const allCalendars = statement<Record<never, never>>()('calendar.all', ({ db }) =>
  db.selectFrom('calendars').selectAll().orderBy('name'),
)

export const allCalendarDays = statement<Record<never, never>>()('calendar.allDays', ({ db }) =>
  db.selectFrom('calendar_days').selectAll().orderBy('calendar').orderBy('day'),
)

export const settlementTermsOfParty = statement<{ partyId: string }>()('terms.ofParty', ({ db }, arg) =>
  db.selectFrom('settlement_terms').selectAll().where('party_id', '=', arg('partyId')).orderBy('currency'),
)

export const settlementTermsIn = statement<{ partyId: string; currency: string }>()(
  'terms.in',
  ({ db }, arg) =>
    db
      .selectFrom('settlement_terms')
      .selectAll()
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency')),
)

export const allSettlementTerms = statement<Record<never, never>>()('terms.all', ({ db }) =>
  db.selectFrom('settlement_terms').selectAll().orderBy('party_id').orderBy('currency'),
)

/** Merchants that are settled when they ask for it, and are not frozen, with the accounts that they may be paid to. */
export const settledOnRequest = statement<{ limit: number }>()('terms.onRequest', ({ db }, arg) =>
  db
    .selectFrom('settlement_terms')
    .innerJoin('parties', 'parties.id', 'settlement_terms.party_id')
    .select(['parties.name', 'settlement_terms.currency'])
    .select(['account', 'account_from_at', 'next_account', 'next_account_at'])
    .where('parties.kind', '=', 'merchant')
    .where('parties.frozen_at', 'is', null)
    .where('settlement_terms.every_json', '=', '"request"')
    .orderBy('parties.name')
    .orderBy('settlement_terms.currency')
    .limit(arg('limit')),
)

/** Days that end behind an instant, the first of them first: the one with the least end is the instant's. */
export const cutOffsAfter = statement<{ partyId: string; currency: string; at: Instant }>()(
  'cutOff.after',
  ({ db }, arg) =>
    db
      .selectFrom('cut_offs')
      .selectAll()
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('ends_at', '>', arg('at'))
      .orderBy('ends_at'),
)

/** Of fees and commissions, the oldest first. */
export const feeTermsOfParty = statement<{ partyId: string }>()('feeTerms.ofParty', ({ db }, arg) =>
  db
    .selectFrom('fee_terms')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .orderBy('kind')
    .orderBy('network_id')
    .orderBy('country')
    .orderBy('currency')
    .orderBy('direction')
    .orderBy('from_at'),
)

/** The latest terms of one key that have begun by an instant: at most one, by one look into an index. */
export const feeTermsInForce = statement<{
  partyId: string
  kind: FeeKind
  networkId: string
  country: string
  currency: string
  direction: Direction
  at: Instant
}>()('feeTerms.inForce', ({ db }, arg) =>
  db
    .selectFrom('fee_terms')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('kind', '=', arg('kind'))
    .where('network_id', '=', arg('networkId'))
    .where('country', '=', arg('country'))
    .where('currency', '=', arg('currency'))
    .where('direction', '=', arg('direction'))
    .where('from_at', '<=', arg('at'))
    .orderBy('from_at', 'desc')
    .limit(1),
)

export const exposureLimitsOfProvider = statement<{ providerId: string }>()(
  'exposure.ofProvider',
  ({ db }, arg) =>
    db
      .selectFrom('exposure_limits')
      .selectAll()
      .where('provider_id', '=', arg('providerId'))
      .orderBy('currency'),
)

export const networkTermsOfProvider = statement<{ providerId: string }>()(
  'network.termsOfProvider',
  ({ db }, arg) =>
    db.selectFrom('networks').selectAll().where('provider_id', '=', arg('providerId')).orderBy('network_id'),
)
