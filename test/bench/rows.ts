/**
 * What a life of an order leaves in the database: rows, entries of indexes, bytes, and pages of SQLite's log, table by table.
 * Counts, no times: a busy machine does not change them.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { printTable } from './figures.ts'
import { closedLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
/** A page of 4,096 bytes with its header in the log. */
const frameBytes = 4096 + 24

interface Stored {
  table: string
  rows: number
  entries: number
  bytes: number
}

export async function benchRows({ units = 4000 } = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-rows-'))
  try {
    // Nothing is moved out of the log, so that its length tells how much was written.
    const server = await startServer('node.ts', { folder, args: ['--keep-log'] })
    const log = () => statSync(join(folder, 'node.db-wal')).size
    const before = log()
    await live(server, units)
    const pages = (log() - before) / frameBytes / units
    await server.stop()
    report(storedIn(join(folder, 'node.db')), units, pages)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function live({ port, ...server }: RunningServer, units: number): Promise<void> {
  await closedLoop(port, { connections, units }, creation('rows'))
  const codes = await readyCodes({ port, ...server }, units)
  await closedLoop(port, { connections, units }, pair(codes))
}

/** What a b-tree of a table with rowids holds is in its leaves; of all others also in the pages above them. */
const cells = `SELECT coalesce(schema.tbl_name, stat.name) AS "table",
    sum(CASE WHEN schema.type = 'table' AND (is_keyed OR pagetype = 'leaf') THEN ncell ELSE 0 END) AS "rows",
    sum(CASE WHEN schema.type = 'index' THEN ncell ELSE 0 END) AS entries,
    sum(payload) AS bytes
  FROM dbstat AS stat
    JOIN (SELECT type, name, tbl_name, coalesce(sql LIKE '%WITHOUT ROWID%', 0) AS is_keyed FROM sqlite_schema) AS schema
      ON schema.name = stat.name
  GROUP BY 1`

function storedIn(file: string): Stored[] {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare<[], Stored>(cells).all()
  } finally {
    database.close()
  }
}

function report(stored: readonly Stored[], units: number, pages: number): void {
  const perLife = (count: number) => (count / units).toFixed(1)
  // A table of a few rows is no order's.
  const ofLives = stored
    .filter(({ rows }) => rows > units / 10)
    .toSorted((left, right) => right.bytes - left.bytes)
  const all = { table: 'together', rows: 0, entries: 0, bytes: 0 }
  for (const { rows, entries, bytes } of ofLives) {
    all.rows += rows
    all.entries += entries
    all.bytes += bytes
  }
  printTable(
    ['table', 'rows', 'index entries', 'bytes'],
    [...ofLives, all].map(({ table, rows, entries, bytes }) => [
      table,
      perLife(rows),
      perLife(entries),
      perLife(bytes),
    ]),
  )
  console.log(
    `Of one life, of ${units} over ${connections} connections; ${pages.toFixed(1)} pages of the log each.`,
  )
}
