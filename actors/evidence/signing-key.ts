/** The node's Ed25519 keys: one signs, those before it stay known. They are sealed like its other secrets, and are in every backup. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { formatInstant } from '../../machines/time.ts'
import { factByName, secretByName } from '../../persistence/queries/node.ts'
import type { Decision, Store, Write } from '../../persistence/store.ts'
import { secretName } from '../keys/node-secrets.ts'
import type { Vault } from '../keys/vault.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { keyFingerprint } from './manifest.ts'

export interface EvidenceKey {
  fingerprint: string
  /** PEM. */
  publicKey: string
  since: string
  /** Since then another one signs. */
  until: string | null
}

const keysFact = 'evidence_keys'
const nameOf = (fingerprint: string) => `evidence:${fingerprint}`

/** The oldest first: the last one signs. */
export async function evidenceKeys(store: Pick<Store, 'query'>): Promise<EvidenceKey[]> {
  const [fact] = await store.query(factByName, { name: keysFact })
  return fact === undefined ? [] : JSON.parse(fact.value)
}

/** Made once, whenever the first evidence is asked for. */
export async function signingKey(
  store: Store,
  vault: Vault,
): Promise<{ key: KeyObject; about: EvidenceKey }> {
  const known = await evidenceKeys(store)
  const about = known.at(-1) ?? (await addKey(store, vault, 'first'))
  const [secret] = await store.query(secretByName, { name: nameOf(about.fingerprint) })
  if (secret === undefined) throw new Error('The key that signs evidence is missing.')
  const der = vault.open(secretName(nameOf(about.fingerprint)), secret.ciphertext)
  const key = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' })
  return { key, about }
}

/**
 * One after the other, and beside no change of the master key, which seals anew what it has read.
 * @param when `first`: unless there is one already
 */
export async function addKey(store: Store, vault: Vault, when: 'first' | 'next'): Promise<EvidenceKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const fingerprint = keyFingerprint(publicKey)
  const name = nameOf(fingerprint)
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const der = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return changeProvisioning(store, {
    read: () => evidenceKeys(store),
    decide: (known, at): Decision<EvidenceKey> => {
      const last = known.at(-1)
      if (when === 'first' && last !== undefined) return { answer: last, writes: [] }
      const since = formatInstant(at)
      const added = { fingerprint, publicKey: pem, since, until: null }
      const ended = known.map((one) => ({ ...one, until: one.until ?? since }))
      const value = JSON.stringify([...ended, added])
      const ciphertext = vault.seal(secretName(name), der)
      const write: Write =
        last === undefined
          ? { insert: 'facts', values: { name: keysFact, value } }
          : { update: 'facts', key: { name: keysFact }, set: { value } }
      return { answer: added, writes: [write, { insert: 'secrets', values: { name, ciphertext } }] }
    },
  })
}
