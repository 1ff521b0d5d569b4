/** Whether a database that something happened to still holds all that was acknowledged, and nothing impossible. */
import { existsSync, readFileSync } from 'node:fs'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey, type Vault } from '../../actors/keys/vault.ts'
import { readOrderFacts } from '../../actors/verification/order-facts.ts'
import { verify } from '../../actors/verification/verify.ts'
import { openReader } from '../../persistence/index.ts'
import { readLines } from '../../persistence/line-log.ts'
import { secretByName } from '../../persistence/queries/node.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import type { Reader } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import type { Told } from './story.ts'

/**
 * Opens the database as a node would, and looks at everything.
 * @returns what is wrong, one sentence each; what was lost begins with `lost`.
 */
export async function problemsAfter(file: string, acknowledged: readonly Told[]): Promise<string[]> {
  // Nothing but the lock, the names and the settings: what a start does before it answers.
  const store = openSqliteStore({ file, clock: fakeClock() })
  try {
    const files = { keyFile: `${file}.key`, anchorsFile: `${file}.anchors` }
    return await problemsIn(`sqlite:${file}`, files, acknowledged)
  } finally {
    await store.close()
  }
}

/** The same of any database, beside nodes that have it open. */
export async function problemsIn(
  database: string,
  { keyFile, anchorsFile }: { keyFile: string; anchorsFile: string },
  acknowledged: readonly Told[],
): Promise<string[]> {
  const reader = await openReader(database)
  try {
    const lost = await lostOf(reader, acknowledged)
    const vault = vaultOf(keyFile)
    const [made] = await reader.snapshot((query) => query(secretByName, { name: 'journal' }))
    if (made === undefined) {
      // The power went before the first start was through: nobody can have been told anything yet.
      if (acknowledged.length > 0) lost.push("lost: the node's secrets")
      return lost
    }
    if (vault === null) return [...lost, 'lost: the master key']
    const journalKey = await readJournalKey(reader, vault)
    const { checks } = await verify({ reader, journalKey, anchors: readLines(anchorsFile) })
    return [...lost, ...checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)]
  } finally {
    await reader.close()
  }
}

async function lostOf(reader: Reader, acknowledged: readonly Told[]): Promise<string[]> {
  const facts = new Map((await readOrderFacts(reader, '', 1_000_000)).map((one) => [one.order.id, one]))
  const lost: string[] = []
  for (const { id, status, revision } of acknowledged) {
    const accepted = facts.get(id)?.journal.filter((entry) => entry.outcome === 'accepted') ?? []
    const found = accepted[revision - 1]?.to_status
    if (found !== status) lost.push(`lost: order ${id} was ${status} at revision ${revision}, not ${found}`)
  }
  return lost
}

/** @throws VaultError when there is a key that no node could start with. */
function vaultOf(file: string): Vault | null {
  return existsSync(file) ? createVault(parseMasterKey(readFileSync(file, 'utf8'))) : null
}
