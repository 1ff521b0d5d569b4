import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openNodeSecrets, WrongMasterKey } from '../../../actors/keys/node-secrets.ts'
import { createVault, VaultError } from '../../../actors/keys/vault.ts'
import { commit, inOrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const vault = createVault(new Uint8Array(32).fill(7))

/** What opening the secrets fails with. */
function failure(opening: Promise<unknown>): Promise<unknown> {
  return opening.then(
    () => null,
    (error: unknown) => error,
  )
}

play('a new database gets secrets of its own, and keeps them', async ({ store, rows }) => {
  const made = await openNodeSecrets(store, vault)
  assert.match(made.journal, /^[A-Za-z0-9_-]{43}$/)
  assert.match(made.reference, /^[A-Za-z0-9_-]{43}$/)
  assert.is.not(made.journal, made.reference)
  assert.equal(await openNodeSecrets(store, createVault(new Uint8Array(32).fill(7))), made)
  assert.is((await rows('secrets')).length, 2)
})

play('two starts at once make one set of secrets', async ({ store }) => {
  const [one, other] = await Promise.all([openNodeSecrets(store, vault), openNodeSecrets(store, vault)])
  assert.equal(one, other)
})

play('the secrets do not stand in the database as they are', async ({ store, rows }) => {
  const { journal, reference } = await openNodeSecrets(store, vault)
  const stored = JSON.stringify([await rows('secrets'), await rows('facts')])
  assert.not(stored.includes(journal) || stored.includes(reference))
  assert.ok(stored.includes(vault.fingerprint))
})

play('another master key is told by its fingerprint, and changes nothing', async ({ store, rows }) => {
  await openNodeSecrets(store, vault)
  const before = [await rows('secrets'), await rows('facts')]
  const other = createVault(new Uint8Array(32))
  const error = await failure(openNodeSecrets(store, other))
  assert.instance(error, WrongMasterKey)
  assert.is(
    String(error),
    `WrongMasterKey: This database was made under master key ${vault.fingerprint}, not ${other.fingerprint}.`,
  )
  assert.equal([await rows('secrets'), await rows('facts')], before)
})

play('a secret that is missing, or was exchanged for the other, is an error', async ({ store, rows }) => {
  await openNodeSecrets(store, vault)
  const journal = (await rows('secrets')).find(({ name }) => name === 'journal')
  assert.ok(journal)
  const { ciphertext } = journal
  await commit(store, [{ update: 'secrets', key: { name: 'reference' }, set: { ciphertext } }])
  assert.instance(await failure(openNodeSecrets(store, vault)), VaultError)
  await commit(store, [{ delete: 'secrets', key: { name: 'reference' } }])
  assert.match(String(await failure(openNodeSecrets(store, vault))), /A secret of the node is missing/)
})

test.run()
