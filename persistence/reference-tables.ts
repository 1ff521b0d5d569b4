/**
 * What every step looks at and hardly anything changes: who there is, and what was agreed on. An engine that is the only one
 * to write may keep what it has read of these tables until one of them is written.
 */
import type { TableName } from './schema.ts'
import type { Write } from './store.ts'

const referenceTables: ReadonlySet<string> = new Set([
  'parties',
  'networks',
  'pairs',
  'fee_terms',
  'exposure_limits',
  'facts',
] satisfies TableName[])

export function isReferenceTable(table: string): boolean {
  return referenceTables.has(table)
}

/** Whether a write changes one of them. */
export function isOfReference(write: Write): boolean {
  if ('update' in write) return isReferenceTable(write.update)
  if ('insert' in write) return isReferenceTable(write.insert)
  return 'delete' in write && isReferenceTable(write.delete)
}

const changed =
  /\b(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(\w+)/gi
const read = /\b(?:from|join)\s+"?(\w+)/gi

/** The same of a statement's text; true of one that does not say what it changes. */
export function changesReference(sql: string): boolean {
  const tables = Array.from(sql.matchAll(changed), ([, table = '']) => table)
  return tables.length === 0 || tables.some(isReferenceTable)
}

/** @throws Error where a statement that is said to read these tables alone reads another. */
export function assertReadsReference(name: string, sql: string): void {
  const other = Array.from(sql.matchAll(read), ([, table = '']) => table).find(
    (table) => !isReferenceTable(table),
  )
  if (other !== undefined) throw new Error(`${name} reads ${other}, which changes with every order`)
}
