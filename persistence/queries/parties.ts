/** Reads of parties, their credentials, and what they are enabled for. */
import { sql } from 'kysely'
import type { Instant } from '../../machines/time.ts'
import type { PartyKind } from '../schema.ts'
import { statement } from '../statement.ts'

/** A live credential with the party it belongs to. */
export const credentialByKey = statement<{ key: string }>()('credential.byKey', ({ db }, arg) =>
  db
    .selectFrom('credentials')
    .innerJoin('parties', 'parties.id', 'credentials.party_id')
    .select([
      'credentials.key',
      'credentials.secret_ciphertext',
      'credentials.first_used_at',
      'credentials.last_used_at',
      'parties.id as party_id',
      'parties.kind',
      'parties.name',
      'parties.frozen_at',
      'parties.requests_per_minute',
    ])
    .where('credentials.key', '=', arg('key'))
    .where('credentials.revoked_at', 'is', null),
)

/**
 * A live credential with its party: always one row, of nulls where there is none, for which a party is looked up all the
 * same. Joined from that row on, SQLite takes less than for two reads; an inner join took it five times as long. It is not kept
 * in memory: known keys would be told from unknown ones by the time they take.
 */
export const credentialInUse = statement<{ key: string }>()('credential.inUse', ({ db, engine }, arg) =>
  db
    .selectFrom(
      db
        .selectNoFrom(
          engine === 'postgres'
            ? sql<string>`${arg('key')}::text`.as('key')
            : sql<string>`${arg('key')}`.as('key'),
        )
        .as('asked'),
    )
    .leftJoin('credentials', (join) =>
      join.onRef('credentials.key', '=', 'asked.key').on('credentials.revoked_at', 'is', null),
    )
    .leftJoin('parties', (join) =>
      join.on(({ eb, fn, val }) => eb('parties.id', '=', fn.coalesce('credentials.party_id', val('')))),
    )
    .select([
      'credentials.key',
      'credentials.secret_ciphertext',
      'parties.id as party_id',
      'parties.kind',
      'parties.name',
      'parties.frozen_at',
      'parties.requests_per_minute',
    ])
    // A credential always has its party.
    .$castTo<CredentialInUse | { key: null }>(),
)

interface CredentialInUse {
  key: string
  secret_ciphertext: string
  party_id: string
  kind: PartyKind
  name: string
  frozen_at: Instant | null
  requests_per_minute: number | null
}

/** A merchant's live credentials, the oldest first, each beside what an operator chose for its webhooks. */
export const webhookCredentials = statement<{ partyId: string }>()('credential.ofWebhooks', ({ db }, arg) =>
  db
    .selectFrom('credentials')
    .innerJoin('parties', 'parties.id', 'credentials.party_id')
    .select([
      'credentials.key',
      'credentials.secret_ciphertext',
      'credentials.first_used_at',
      'parties.webhook_credential_key',
      'parties.webhook_credential_at',
      'parties.webhook_secret_ciphertext',
      'parties.former_webhook_secret_ciphertext',
      'parties.former_webhook_secret_until_at',
    ])
    .where('credentials.party_id', '=', arg('partyId'))
    .where('credentials.revoked_at', 'is', null)
    .orderBy('credentials.created_at')
    .orderBy('credentials.key'),
)

export const recordFirstUse = statement<{ key: string; at: Instant }>()(
  'credential.firstUse',
  ({ db }, arg) =>
    db
      .updateTable('credentials')
      .set({ first_used_at: arg('at'), last_used_at: arg('at') })
      .where('key', '=', arg('key'))
      .where('first_used_at', 'is', null)
      .returning('key'),
)

export const recordLastUse = statement<{ key: string; at: Instant }>()('credential.lastUse', ({ db }, arg) =>
  db
    .updateTable('credentials')
    .set({ last_used_at: arg('at') })
    .where('key', '=', arg('key'))
    .returning('key'),
)

/** With how many fees were agreed on for it, so that nobody has to ask for none. */
export const pairOfMerchant = statement<{ merchantId: string; country: string; currency: string }>()(
  'pair.ofMerchant',
  ({ db }, arg) =>
    db
      .selectFrom('pairs')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('fee_terms')
          .select(({ fn }) => fn.countAll<number>().as('fees'))
          .whereRef('fee_terms.party_id', '=', 'pairs.merchant_id')
          .where('fee_terms.kind', '=', 'fee')
          .where('fee_terms.network_id', '=', '')
          .whereRef('fee_terms.country', '=', 'pairs.country')
          .whereRef('fee_terms.currency', '=', 'pairs.currency')
          .as('fees'),
      )
      .where('merchant_id', '=', arg('merchantId'))
      .where('country', '=', arg('country'))
      .where('currency', '=', arg('currency')),
  { isOfReference: true },
)

/** Fees of a merchant for a country and currency, from whenever. */
export const feeTermsOfPair = statement<{ merchantId: string; country: string; currency: string }>()(
  'feeTerms.ofPair',
  ({ db }, arg) =>
    db
      .selectFrom('fee_terms')
      .selectAll()
      .where('party_id', '=', arg('merchantId'))
      .where('kind', '=', 'fee')
      .where('network_id', '=', '')
      .where('country', '=', arg('country'))
      .where('currency', '=', arg('currency')),
)

/** What a network's provider earns by it, from whenever. */
export const commissionTermsOfNetwork = statement<{ networkId: string }>()(
  'feeTerms.ofNetwork',
  ({ db }, arg) =>
    db
      .selectFrom('fee_terms')
      .innerJoin('networks', (join) =>
        join
          .onRef('networks.provider_id', '=', 'fee_terms.party_id')
          .onRef('networks.network_id', '=', 'fee_terms.network_id'),
      )
      .selectAll('fee_terms')
      .where('networks.network_id', '=', arg('networkId'))
      .where('fee_terms.kind', '=', 'commission'),
)

/** Commissions of a provider for all of its networks, from whenever. */
export const commissionTermsOfProvider = statement<{ providerId: string }>()(
  'feeTerms.ofProvider',
  ({ db }, arg) =>
    db
      .selectFrom('fee_terms')
      .selectAll()
      .where('party_id', '=', arg('providerId'))
      .where('kind', '=', 'commission'),
)

/** With how many commissions and limits of exposure its provider has, so that nobody has to ask for none. */
export const networkById = statement<{ networkId: string }>()(
  'network.byId',
  ({ db }, arg) =>
    db
      .selectFrom('networks')
      .selectAll()
      .select(({ selectFrom }) => [
        selectFrom('fee_terms')
          .select(({ fn }) => fn.countAll<number>().as('commissions'))
          .whereRef('fee_terms.party_id', '=', 'networks.provider_id')
          .where('fee_terms.kind', '=', 'commission')
          .whereRef('fee_terms.network_id', '=', 'networks.network_id')
          .as('commissions'),
        selectFrom('exposure_limits')
          .select(({ fn }) => fn.countAll<number>().as('exposures'))
          .whereRef('exposure_limits.provider_id', '=', 'networks.provider_id')
          .as('exposures'),
      ])
      .where('network_id', '=', arg('networkId')),
  { isOfReference: true },
)

export const partyById = statement<{ id: string }>()('party.byId', ({ db }, arg) =>
  db.selectFrom('parties').selectAll().where('id', '=', arg('id')),
)
