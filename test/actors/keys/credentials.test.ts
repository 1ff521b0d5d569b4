import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCredentials, credentialName } from '../../../actors/keys/credentials.ts'
import { createVault, VaultError } from '../../../actors/keys/vault.ts'
import type { Row, Store } from '../../../persistence/store.ts'
import { changedStore, commit, inOrderWorld, minuteMs, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const vault = createVault(new Uint8Array(32).fill(7))

const secretOf = (key: string) => `secret of ${key}, with enough characters`

async function addMerchant(store: Store, changes: Partial<Row<'parties'>> = {}): Promise<void> {
  const values = { id: 'm', kind: 'merchant', name: 'Rotating Shop', contact: '', created_at: 0 } as const
  await commit(store, [{ insert: 'parties', values: { ...values, ...changes } }])
}

async function addKey(store: Store, key: string, changes: Partial<Row<'credentials'>> = {}): Promise<void> {
  const secret_ciphertext = vault.seal(credentialName(key), secretOf(key))
  const values = { key, party_id: 'm', secret_ciphertext, created_at: 0, ...changes }
  await commit(store, [{ insert: 'credentials', values }])
}

async function credential(world: OrderWorld, key: string): Promise<Row<'credentials'>> {
  const found = (await world.rows('credentials')).find((one) => one.key === key)
  assert.ok(found)
  return found
}

play('a live key identifies its party, with the secret it signs with', async (world) => {
  await addMerchant(world.store, { requests_per_minute: 5000 })
  await addKey(world.store, 'mk_one')
  assert.equal(await createCredentials(world.store, vault).identify('mk_one'), {
    kind: 'merchant',
    partyId: 'm',
    name: 'Rotating Shop',
    key: 'mk_one',
    secret: secretOf('mk_one'),
    isFrozen: false,
    requestsPerMinute: 5000,
  })
})

play('a key that is unknown or revoked identifies nobody', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_old', { revoked_at: 1 })
  const credentials = createCredentials(world.store, vault)
  for (const key of ['mk_old', 'mk_new', '', 'MK_OLD', "mk_old' --"])
    assert.is(await credentials.identify(key), null)
})

play('a key that is revoked while the node runs stops at once', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_one')
  const credentials = createCredentials(world.store, vault)
  assert.ok(await credentials.identify('mk_one'))
  await commit(world.store, [{ update: 'credentials', key: { key: 'mk_one' }, set: { revoked_at: 5 } }])
  assert.is(await credentials.identify('mk_one'), null)
  assert.is(await credentials.webhookCredential('m'), null)
})

play('a frozen party is identified as one', async (world) => {
  await addMerchant(world.store, { frozen_at: 5, frozen_reason: 'stolen laptop' })
  await addKey(world.store, 'mk_one')
  const identity = await createCredentials(world.store, vault).identify('mk_one')
  assert.equal([identity?.isFrozen, identity?.requestsPerMinute], [true, null])
})

play(
  'a secret under another master key, or moved from another key, is an error and no secret',
  async (world) => {
    await addMerchant(world.store)
    await addKey(world.store, 'mk_one')
    const { secret_ciphertext } = await credential(world, 'mk_one')
    await addKey(world.store, 'mk_moved', { secret_ciphertext })
    const other = createCredentials(world.store, createVault(new Uint8Array(32)))
    for (const reading of [
      other.identify('mk_one'),
      createCredentials(world.store, vault).identify('mk_moved'),
    ]) {
      const error = await reading.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      assert.instance(error, VaultError)
    }
  },
)

play('the first use of a key is kept, the last one once a minute', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_one')
  const credentials = createCredentials(world.store, vault)
  const uses = async () => {
    const { first_used_at, last_used_at } = await credential(world, 'mk_one')
    return [first_used_at, last_used_at]
  }
  assert.equal(await uses(), [null, null])
  const start = 1_000_000
  await credentials.recordUse('mk_one', start)
  assert.equal(await uses(), [start, start])
  await credentials.recordUse('mk_one', start + minuteMs - 1)
  assert.equal(await uses(), [start, start])
  await credentials.recordUse('mk_one', start + minuteMs)
  assert.equal(await uses(), [start, start + minuteMs])
  // A clock that was set back does not end the record.
  await credentials.recordUse('mk_one', start - minuteMs)
  assert.equal(await uses(), [start, start - minuteMs])
})

play('after a restart the first use stays what it was', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_one', { first_used_at: 3, last_used_at: 3 })
  await createCredentials(world.store, vault).recordUse('mk_one', 10 * minuteMs)
  const { first_used_at, last_used_at } = await credential(world, 'mk_one')
  assert.equal([first_used_at, last_used_at], [3, 10 * minuteMs])
})

play('a first use that could not be written is written with the next one', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_one')
  let isFull = true
  const store = changedStore(world.store, {
    execute: (asked, args) =>
      isFull ? Promise.reject(new Error('the disk is full')) : world.store.execute(asked, args),
  })
  const credentials = createCredentials(store, vault)
  const error = await credentials.recordUse('mk_one', 1000).catch((thrown: unknown) => thrown)
  assert.match(String(error), /disk is full/)
  isFull = false
  await credentials.recordUse('mk_one', 1001)
  assert.is((await credential(world, 'mk_one')).first_used_at, 1001)
})

play(
  'webhooks keep the old key after a rotation until the new one is used for the first time',
  async (world) => {
    await addMerchant(world.store)
    await addKey(world.store, 'mk_old', { created_at: 1 })
    const credentials = createCredentials(world.store, vault)
    const signedWith = async () => (await credentials.webhookCredential('m'))?.key
    assert.equal(await credentials.webhookCredential('m'), {
      key: 'mk_old',
      secret: secretOf('mk_old'),
      standard: null,
    })
    await credentials.recordUse('mk_old', 10)

    await addKey(world.store, 'mk_new', { created_at: 2 })
    assert.is(await signedWith(), 'mk_old')
    await credentials.recordUse('mk_old', 10 * minuteMs)
    assert.is(await signedWith(), 'mk_old')
    await credentials.recordUse('mk_new', 20 * minuteMs)
    assert.equal(await credentials.webhookCredential('m'), {
      key: 'mk_new',
      secret: secretOf('mk_new'),
      standard: null,
    })
    // The old key may still sign requests; webhooks do not go back to it.
    await credentials.recordUse('mk_old', 30 * minuteMs)
    assert.is(await signedWith(), 'mk_new')
  },
)

play('webhooks move to the key that is left when the other one is revoked', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_old', { created_at: 1, first_used_at: 1, revoked_at: 9 })
  await addKey(world.store, 'mk_new', { created_at: 2 })
  assert.is((await createCredentials(world.store, vault).webhookCredential('m'))?.key, 'mk_new')
})

play(
  'webhooks move to the key an operator chose, until another one is used for the first time',
  async (world) => {
    await addMerchant(world.store, { webhook_credential_key: 'mk_new', webhook_credential_at: 100 })
    await addKey(world.store, 'mk_old', { created_at: 1, first_used_at: 1 })
    await addKey(world.store, 'mk_new', { created_at: 2 })
    const credentials = createCredentials(world.store, vault)
    const signedWith = async () => (await credentials.webhookCredential('m'))?.key
    assert.is(await signedWith(), 'mk_new')
    await commit(world.store, [{ update: 'credentials', key: { key: 'mk_new' }, set: { revoked_at: 200 } }])
    assert.is(await signedWith(), 'mk_old')
    await addKey(world.store, 'mk_newer', { created_at: 3 })
    assert.is(await signedWith(), 'mk_old')
    await credentials.recordUse('mk_newer', 300)
    assert.is(await signedWith(), 'mk_newer')
  },
)

play('an operator may choose the old key although the new one is in use', async (world) => {
  await addMerchant(world.store, { webhook_credential_key: 'mk_old', webhook_credential_at: 100 })
  await addKey(world.store, 'mk_old', { created_at: 1, first_used_at: 1 })
  await addKey(world.store, 'mk_new', { created_at: 2, first_used_at: 50 })
  assert.is((await createCredentials(world.store, vault).webhookCredential('m'))?.key, 'mk_old')
})

play('a merchant that has used none of its keys is told with the oldest', async (world) => {
  await addMerchant(world.store)
  await addKey(world.store, 'mk_z', { created_at: 1 })
  await addKey(world.store, 'mk_a', { created_at: 2 })
  assert.is((await createCredentials(world.store, vault).webhookCredential('m'))?.key, 'mk_z')
  assert.is(await createCredentials(world.store, vault).webhookCredential('nobody'), null)
})

test.run()
