/** What moving a database from one engine to the other needs of each: all rows of a source, and an empty target. */
import type { Instant } from '../machines/time.ts'

export type TransferValue = bigint | string | null

export interface TableShape {
  readonly name: string
  readonly columns: readonly string[]
  /** Tables whose rows its own refer to. */
  readonly parents: readonly string[]
}

/** A move that was begun: what its source and its target know of each other. */
export interface Move {
  id: string
  /** The place of the source, for people. */
  from: string
}

/** Nobody else writes to it as long as it is open. */
export interface TransferSource {
  /** For people. */
  readonly place: string
  /** Where it was moved to, and by which move; `null` as long as it is in use. */
  readonly moved: { to: string; id: string | null } | null
  tables(): Promise<TableShape[]>
  count(table: string): Promise<number>
  pages(table: TableShape): AsyncIterable<TransferValue[][]> | Iterable<TransferValue[][]>
  /** From now on no node starts on it: what happened since is elsewhere. */
  markMoved(to: string, id: string): Promise<void>
  close(): Promise<void>
}

/** Everything that is written to it becomes true with the commit, or nothing. */
export interface TransferTarget {
  readonly place: string
  /** The move that has not come to its end in it, as it was opened. No node starts on it until then. */
  readonly prepared: Move | null
  begin(): Promise<void>
  count(table: string): Promise<number>
  clear(table: string): Promise<void>
  insert(table: TableShape, rows: readonly TransferValue[][]): Promise<void>
  record(fact: string, value: string): Promise<void>
  forget(fact: string): Promise<void>
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
/** Beside it: which move that was. */
export const movedBy = 'moved_by'
/** The fact, a `Move` as JSON, that keeps a node from starting on a database that is not all of another one yet. */
export const movingFrom = 'moving_from'

/** @throws TransferRefused when it belongs to a move that has not come to its end: what is in it counts for nothing. */
export function refusePrepared(place: string, prepared: string | undefined): void {
  if (prepared === undefined) return
  const { from }: Move = JSON.parse(prepared)
  throw new TransferRefused(`${place}: it is the target of a move from ${from} that was cut off.`)
}

/** Kept by triggers, which may have counted what was copied before these. */
const counted = ['order_totals', 'order_days', 'exchange_pairs', 'notification_events']
/** The database's own. */
const left = ['migrations']
/** Of these a target may have rows: somebody looked into it, or started a node on it, and nothing happened in it yet. */
const harmless = [...left, ...counted, 'secrets', 'facts']

export function alreadyMoved(place: string, to: string): TransferRefused {
  return new TransferRefused(`${place}: it was moved to ${to} already.`)
}

export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/**
 * Copies all rows in one transaction and counts them on the other side. The target says from before the first row that it is one, and
 * goes on saying so: whatever moment this is killed at, no node starts on it. What an attempt before this one has left in it is removed,
 * since the source may have gone on meanwhile.
 * @param forgotten facts of the source that are not true of the target.
 * @returns how many rows each table has.
 * @throws TransferRefused when the target has rows of its own, or does not hold what it was given.
 */
export async function transfer(
  source: TransferSource,
  target: TransferTarget,
  { move, forgotten = [] }: { move: Move; forgotten?: readonly string[] },
  onProgress: (progress: TransferProgress) => void,
): Promise<Record<string, number>> {
  const tables = inOrder((await source.tables()).filter(({ name }) => !left.includes(name)))
  const counts: Record<string, number> = {}
  for (const { name } of tables) counts[name] = await source.count(name)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  await prepare(target, tables, move)
  await target.begin()
  await target.forget(movingFrom)
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
  for (const fact of forgotten) await target.forget(fact)
  await target.record(movingFrom, JSON.stringify(move))
  await target.commit()
  return counts
}

async function prepare(target: TransferTarget, tables: readonly TableShape[], move: Move): Promise<void> {
  const { prepared } = target
  if (prepared !== null && prepared.from !== move.from) {
    throw new TransferRefused(
      `${target.place}: it is the target of a move from ${prepared.from} that was cut off.`,
    )
  }
  await target.begin()
  for (const { name } of tables.toReversed()) {
    if (prepared === null && !harmless.includes(name) && (await target.count(name)) > 0)
      throw new TransferRefused(`${target.place}: it is not empty (it has rows in ${name}).`)
    await target.clear(name)
  }
  await target.record(movingFrom, JSON.stringify(move))
  await target.commit()
}

/** The last part of a move: from here on nodes start on the target. Done twice it changes nothing. */
export async function finish(target: TransferTarget): Promise<void> {
  await target.begin()
  await target.forget(movingFrom)
  await target.commit()
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
