/** Reads of parties, their credentials, and what they are enabled for. */
import type { Instant } from '../../machines/time.ts'
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

/** A live credential alone: with its party in a join, SQLite takes five times as long, and each request asks. */
export const liveCredential = statement<{ key: string }>()('credential.live', ({ db }, arg) =>
  db.selectFrom('credentials').selectAll().where('key', '=', arg('key')).where('revoked_at', 'is', null),
)

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

export const pairOfMerchant = statement<{ merchantId: string; country: string; currency: string }>()(
  'pair.ofMerchant',
  ({ db }, arg) =>
    db
      .selectFrom('pairs')
      .selectAll()
      .where('merchant_id', '=', arg('merchantId'))
      .where('country', '=', arg('country'))
      .where('currency', '=', arg('currency')),
)

export const networkById = statement<{ networkId: string }>()('network.byId', ({ db }, arg) =>
  db.selectFrom('networks').selectAll().where('network_id', '=', arg('networkId')),
)

export const partyById = statement<{ id: string }>()('party.byId', ({ db }, arg) =>
  db.selectFrom('parties').selectAll().where('id', '=', arg('id')),
)
