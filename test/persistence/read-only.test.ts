/** What only reads a database meets what a killed process has left in its middle. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '../../persistence/migrations/index.ts'
import { copySqliteDatabase } from '../../persistence/sqlite/copy.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { pendingSqliteMigrations } from '../../persistence/sqlite/migrate.ts'
import { openReadOnly } from '../../persistence/sqlite/read-only.ts'
import { openSqliteReader } from '../../persistence/sqlite/reader.ts'
import { problemsOf } from '../support/looks.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-only-'))
test.after(() => rmSync(folder, { recursive: true }))

const whole = join(folder, 'whole.db')
let names = 0

/** A database and its journal as they are in the middle of a transaction of whoever was killed then. */
function halfWritten(): string {
  const file = join(folder, `${names++}.db`)
  const database = new Database(whole)
  database.pragma('journal_mode = DELETE')
  database.pragma('cache_size = 1')
  database.exec('BEGIN')
  database.exec("INSERT INTO facts (name, value) VALUES ('half', '')")
  const insert = database.prepare('INSERT INTO secrets (name, ciphertext) VALUES (?, ?)')
  for (let count = 0; count < 200; count++) insert.run(`half ${count}`, 'x'.repeat(3_000))
  cpSync(whole, file)
  cpSync(`${whole}-journal`, `${file}-journal`)
  database.exec('ROLLBACK')
  database.close()
  const blind = new Database(file, { readonly: true })
  assert.throws(() => blind.prepare('SELECT * FROM facts').all(), /readonly/)
  blind.close()
  return file
}

test.before(() => openSqliteStore({ file: whole, clock: { now: () => 1000 } }).close())

test('what a transaction had begun is undone by whoever reads first', () => {
  const file = halfWritten()
  const database = openReadOnly(file, 250)
  const found = ['facts', 'secrets'].map((table) =>
    database.prepare(`SELECT count(*) FROM ${table} WHERE name LIKE 'half%'`).pluck().get(),
  )
  assert.throws(() => database.exec("INSERT INTO facts (name, value) VALUES ('mine', '')"), /readonly/)
  database.close()
  assert.equal([found, existsSync(`${file}-journal`)], [[0, 0], false])
})

test('a stopped node can be asked, copied and brought to this version after a kill', async () => {
  assert.equal(pendingSqliteMigrations(halfWritten(), migrations), [])
  const reader = openSqliteReader(halfWritten())
  assert.equal(await problemsOf(reader.damages()), [])
  await reader.close()
  const target = join(folder, 'copy.db')
  copySqliteDatabase(halfWritten(), target)
  assert.equal(pendingSqliteMigrations(target, migrations), [])
})

test.run()
