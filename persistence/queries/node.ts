/** Facts and secrets of the node itself. */
import { statement } from '../statement.ts'

export const secretByName = statement<{ name: string }>()('secret.byName', ({ db }, arg) =>
  db.selectFrom('secrets').selectAll().where('name', '=', arg('name')),
)

/** Everything that is sealed under the master key. */
export const allSecrets = statement<Record<never, never>>()('secret.all', ({ db }) =>
  db.selectFrom('secrets').selectAll().orderBy('name'),
)

export const allCredentials = statement<Record<never, never>>()('credential.all', ({ db }) =>
  db.selectFrom('credentials').select(['key', 'secret_ciphertext']).orderBy('key'),
)

/** Of the parties that have one: the secrets of their webhooks by Standard Webhooks. */
export const standardSecrets = statement<Record<never, never>>()('party.standardSecrets', ({ db }) =>
  db
    .selectFrom('parties')
    .select(['id', 'webhook_secret_ciphertext', 'former_webhook_secret_ciphertext'])
    .where('webhook_secret_ciphertext', 'is not', null)
    .orderBy('id'),
)

export const factByName = statement<{ name: string }>()('fact.byName', ({ db }, arg) =>
  db.selectFrom('facts').selectAll().where('name', '=', arg('name')),
)

/** Writes a fact, new or known. */
export const recordFact = statement<{ name: string; value: string }>()('fact.record', ({ db }, arg) =>
  db
    .insertInto('facts')
    .values({ name: arg('name'), value: arg('value') })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: arg('value') }))
    .returning('name'),
)
