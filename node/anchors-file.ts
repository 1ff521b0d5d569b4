/** What the journal was, kept outside the database it speaks of. */
import type { Settings } from './settings/config.ts'

export function anchorsFileOf(databaseFile: string): string {
  return `${databaseFile}.anchors`
}

/**
 * Beside a SQLite database it is that database's. Of a server's each node keeps its own, beside its master key: so a
 * server that was put back, or lost what it had acknowledged, is told of by every node that saw more.
 */
export function anchorsFileOfNode({ database, keys }: Pick<Settings, 'database' | 'keys'>): string {
  return anchorsFileOf(database.engine === 'sqlite' ? database.file : keys.file)
}
