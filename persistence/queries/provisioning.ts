/** Reads of what `apply` changes: parties with all that belongs to them. */
import type { PartyKind } from '../schema.ts'
import { statement } from '../statement.ts'

export const partyByName = statement<{ kind: PartyKind; name: string }>()('party.byName', ({ db }, arg) =>
  db.selectFrom('parties').selectAll().where('kind', '=', arg('kind')).where('name', '=', arg('name')),
)

export const partiesOfKind = statement<{ kind: PartyKind }>()('party.ofKind', ({ db }, arg) =>
  db.selectFrom('parties').selectAll().where('kind', '=', arg('kind')).orderBy('name'),
)

/** Names alone: to find one that looks like another. */
export const partyNames = statement<Record<never, never>>()('party.names', ({ db }) =>
  db.selectFrom('parties').select(['id', 'kind', 'name']),
)

export const networkIds = statement<Record<never, never>>()('network.ids', ({ db }) =>
  db
    .selectFrom('networks')
    .innerJoin('parties', 'parties.id', 'networks.provider_id')
    .select(['networks.network_id', 'parties.name']),
)

export const anyParty = statement<Record<never, never>>()('party.any', ({ db }) =>
  db.selectFrom('parties').select('id').limit(1),
)

/** A party's credentials, revoked ones too, the oldest first. */
export const credentialsOfParty = statement<{ partyId: string }>()('credential.allOfParty', ({ db }, arg) =>
  db
    .selectFrom('credentials')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .orderBy('created_at')
    .orderBy('key'),
)

/** Every key that is not revoked, with whose it is. */
export const liveCredentials = statement<Record<never, never>>()('credential.allLive', ({ db }) =>
  db
    .selectFrom('credentials')
    .innerJoin('parties', 'parties.id', 'credentials.party_id')
    .select(['credentials.key', 'credentials.party_id', 'parties.name'])
    .select(['credentials.created_at', 'credentials.first_used_at'])
    .where('credentials.revoked_at', 'is', null)
    .orderBy('parties.name')
    .orderBy('credentials.created_at'),
)

/** Whose a key is, revoked or not. */
export const ownerOfKey = statement<{ key: string }>()('credential.owner', ({ db }, arg) =>
  db
    .selectFrom('credentials')
    .innerJoin('parties', 'parties.id', 'credentials.party_id')
    .select(['parties.id', 'parties.kind', 'parties.name'])
    .where('credentials.key', '=', arg('key')),
)

export const pairsOfMerchant = statement<{ merchantId: string }>()('pair.allOfMerchant', ({ db }, arg) =>
  db
    .selectFrom('pairs')
    .selectAll()
    .where('merchant_id', '=', arg('merchantId'))
    .orderBy('country')
    .orderBy('currency'),
)

export const ownerOfNetwork = statement<{ networkId: string }>()('network.owner', ({ db }, arg) =>
  db
    .selectFrom('networks')
    .innerJoin('parties', 'parties.id', 'networks.provider_id')
    .select(['parties.id', 'parties.name'])
    .where('network_id', '=', arg('networkId')),
)

export const networksOfProvider = statement<{ providerId: string }>()('network.ofProvider', ({ db }, arg) =>
  db
    .selectFrom('networks')
    .select(['network_id', 'currency'])
    .where('provider_id', '=', arg('providerId'))
    .orderBy('network_id'),
)

export const depositByReference = statement<{ merchantId: string; reference: string }>()(
  'deposit.byReference',
  ({ db }, arg) =>
    db
      .selectFrom('account_deposits')
      .selectAll()
      .where('merchant_id', '=', arg('merchantId'))
      .where('reference', '=', arg('reference')),
)

export const depositsOfMerchant = statement<{ merchantId: string }>()('deposit.ofMerchant', ({ db }, arg) =>
  db
    .selectFrom('account_deposits')
    .selectAll()
    .where('merchant_id', '=', arg('merchantId'))
    .orderBy('deposited_at')
    .orderBy('reference'),
)

export const accountById = statement<{ id: string }>()('account.byId', ({ db }, arg) =>
  db.selectFrom('accounts').selectAll().where('id', '=', arg('id')),
)

export const accountsOfOwner = statement<{ ownerId: string }>()('account.ofOwner', ({ db }, arg) =>
  db.selectFrom('accounts').selectAll().where('owner_id', '=', arg('ownerId')).orderBy('currency'),
)
