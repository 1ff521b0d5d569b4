import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase, secureLog } from '../../persistence/sqlite/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-log-'))
test.after(() => rmSync(folder, { recursive: true }))

/** A database whose log holds a row. */
function written(name: string) {
  const file = join(folder, name)
  const database = openDatabase(file)
  database.exec('CREATE TABLE notes (text TEXT) STRICT')
  database.exec("INSERT INTO notes VALUES ('a')")
  return { database, log: `${file}-wal`, file }
}

test('what the log holds is moved into the database', () => {
  const { database, log } = written('moved.db')
  assert.ok(statSync(log).size > 0)
  secureLog(database)
  assert.is(statSync(log).size, 0)
  database.close()
  assert.is(existsSync(log), false)
})

test('while an older state is read, what the log holds is synced by a commit behind it', () => {
  const { database, log, file } = written('read.db')
  const reader = new Database(file, { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT * FROM notes').all()
  database.exec("INSERT INTO notes VALUES ('b')")
  const size = statSync(log).size
  secureLog(database)
  // One frame: a header of 24 bytes and a page.
  assert.is(statSync(log).size, size + 24 + 4096)
  reader.close()
  assert.equal(database.prepare('SELECT text FROM notes').pluck().all(), ['a', 'b'])
  database.close()
})

test.run()
