/**
 * The node's own secrets, made once and wrapped under the master key: so that the master key can be changed
 * without breaking what they have signed.
 */
import { factByName, secretByName } from '../../persistence/queries/node.ts'
import { type Decision, type Reader, row, type Store } from '../../persistence/store.ts'
import { generateSecret, type Vault } from './vault.ts'

export interface NodeSecrets {
  /** Chains the journals. */
  journal: string
  /** Derives the 32-byte references of foreign orders. */
  reference: string
}

/** The fingerprint of the master key. */
export const masterKeyFact = 'master_key'

/** The database was made under another master key. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey'
  /** The fingerprint of the key that the database was made under. */
  readonly expected: string

  constructor(expected: string, found: string) {
    super(`This database was made under master key ${expected}, not ${found}.`)
    this.expected = expected
  }
}

/** The name a secret of the node is sealed with. */
export function secretName(name: string): string {
  return `secret:${name}`
}

/** Whether the database is under this master key. */
export async function isUnder(store: Store, { fingerprint }: Pick<Vault, 'fingerprint'>): Promise<boolean> {
  const [known] = await store.query(factByName, { name: masterKeyFact })
  return known?.value === fingerprint
}

/** Opens the node's secrets, or makes them in a new database. @throws WrongMasterKey */
export async function openNodeSecrets(store: Store, vault: Vault): Promise<NodeSecrets> {
  const result = await store.step({
    rows: {
      fingerprint: row('facts', { name: masterKeyFact }),
      journal: row('secrets', { name: 'journal' }),
      reference: row('secrets', { name: 'reference' }),
    },
    decide: ({ fingerprint, journal, reference }): Decision<NodeSecrets> => {
      if (fingerprint === null) return makeSecrets(vault)
      if (fingerprint.value !== vault.fingerprint) {
        throw new WrongMasterKey(fingerprint.value, vault.fingerprint)
      }
      if (journal === null || reference === null) throw new Error('A secret of the node is missing.')
      const answer = {
        journal: vault.open(secretName('journal'), journal.ciphertext),
        reference: vault.open(secretName('reference'), reference.ciphertext),
      }
      return { answer, writes: [] }
    },
  })
  if (result.outcome !== 'committed') throw new Error(`The node's secrets violated ${result.constraint}.`)
  return result.answer
}

/** The secret that chains the journals, read beside the store. @throws VaultError under another master key. */
export async function readJournalKey(reader: Reader, vault: Vault): Promise<string> {
  const [secret] = await reader.snapshot((query) => query(secretByName, { name: 'journal' }))
  if (secret === undefined) throw new Error('A secret of the node is missing.')
  return vault.open(secretName('journal'), secret.ciphertext)
}

function makeSecrets(vault: Vault): Decision<NodeSecrets> {
  const answer = { journal: generateSecret(), reference: generateSecret() }
  const sealed = (name: keyof NodeSecrets) => ({
    insert: 'secrets' as const,
    values: { name, ciphertext: vault.seal(secretName(name), answer[name]) },
  })
  return {
    answer,
    writes: [
      { insert: 'facts', values: { name: masterKeyFact, value: vault.fingerprint } },
      sealed('journal'),
      sealed('reference'),
    ],
  }
}
