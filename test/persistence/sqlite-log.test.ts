import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openAlone } from '../../persistence/sqlite/claim.ts'
import { openDatabase, secureLog } from '../../persistence/sqlite/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-log-'))
test.after(() => rmSync(folder, { recursive: true }))

/** A database whose log holds a row. */
function written(name: string) {
  const file = join(folder, name)
  const database = openDatabase(file)
  database.exec('CREATE TABLE migrations (name TEXT); CREATE TABLE notes (text TEXT) STRICT')
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

test('what a killed process left in the log is in the database before its next owner is told of anything', () => {
  const { database, file } = written('left.db')
  const copy = join(folder, 'copy.db')
  for (const end of ['', '-wal']) copyFileSync(file + end, copy + end)
  database.close()
  const owned = openAlone(copy, { migrations: [] })
  assert.is(existsSync(`${copy}-wal`) ? statSync(`${copy}-wal`).size : 0, 0)
  assert.equal(owned.prepare('SELECT text FROM notes').pluck().all(), ['a'])
  owned.close()
})

test.run()
