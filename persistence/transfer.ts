/** What moving a database from one engine to the other needs of each: all rows of a source, and an empty target. */
import type { Instant } from '../machines/time.ts'

export type TransferValue = bigint | string | null

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** Tables whose rows its own refer to. */
  readonly parents: readonly string[]
}

/** Nobody else writes to it as long as it is open. */
export interface TransferSource {
  /** For people. */
  readonly place: string
  tables(): Promise<TableShape[]>
  count(table: string): Promise<number>
  pages(table: TableShape): AsyncIterable<TransferValue[][]> | Iterable<TransferValue[][]>
  /** From now on no node starts on it: what happened since is elsewhere. */
  markMoved(to: string): Promise<void>
  close(): Promise<void>
}

/** Everything that is written to it becomes true with the commit, or nothing. */
export interface TransferTarget {
  readonly place: string
  begin(): Promise<void>
  count(table: string): Promise<number>
  clear(table: string): Promise<void>
  insert(table: TableShape, rows: readonly TransferValue[][]): Promise<void>
  commit(): Promise<void>
  close(): Promise<void>
}

export interface TransferProgress {
  table: string
  rows: number
  /** Of all tables. */
  done: number
  total: number
}

export interface TransferOptions {
  clock: { now(): Instant }
}

/** The fact that keeps a node from starting on a database that was moved away. */
export const movedTo = 'moved_to'

/** Kept by triggers, which have counted what was copied before these. */
const counted = ['order_totals', 'order_days']
/** The database's own. */
const left = ['migrations']
/** Of these a target may have rows: nothing happened in it yet. */
const harmless = [...left, ...counted]

export function alreadyMoved(place: string, to: string): TransferRefused {
  return new TransferRefused(`${place}: it was moved to ${to} already.`)
}

export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/**
 * Copies all rows in one transaction and counts them on the other side.
 * @returns how many rows each table has.
 * @throws TransferRefused when the target has rows of its own, or does not hold what it was given.
 */
export async function transfer(
  source: TransferSource,
  target: TransferTarget,
  onProgress: (progress: TransferProgress) => void,
): Promise<Record<string, number>> {
  const tables = inOrder((await source.tables()).filter(({ name }) => !left.includes(name)))
  const counts: Record<string, number> = {}
  for (const { name } of tables) counts[name] = await source.count(name)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  await target.begin()
  for (const { name } of tables) {
    if (harmless.includes(name) || (await target.count(name)) === 0) continue
    throw new TransferRefused(`${target.place}: it is not empty (it has rows in ${name}).`)
  }
  let done = 0
  for (const table of tables) {
    if (counted.includes(table.name)) await target.clear(table.name)
    let rows = 0
    for await (const page of source.pages(table)) {
      await target.insert(table, page)
      rows += page.length
      done += page.length
      onProgress({ table: table.name, rows, done, total })
    }
  }
  for (const { name } of tables) {
    const found = await target.count(name)
    if (found !== counts[name])
      throw new TransferRefused(`${target.place}: ${name} has ${found} rows, not ${counts[name]}.`)
  }
  await target.commit()
  return counts
}

/** Each table behind those it refers to, and what triggers count behind all that they count. */
function inOrder(tables: readonly TableShape[]): TableShape[] {
  const ordered: TableShape[] = []
  const waiting = [...tables].sort(
    (a, b) => Number(counted.includes(a.name)) - Number(counted.includes(b.name)),
  )
  while (waiting.length > 0) {
    const isWaiting = (name: string) => waiting.some((table) => table.name === name)
    const next = waiting.findIndex(
      ({ name, parents }) => !parents.some((parent) => parent !== name && isWaiting(parent)),
    )
    const [table] = waiting.splice(Math.max(0, next), 1)
    if (table) ordered.push(table)
  }
  return ordered
}
