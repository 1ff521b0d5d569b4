/** The page of migrations has a row for each, and says of each whether it goes through what was there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Migration, migrations } from '../../persistence/migrations/index.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/migrations.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d{4}) \| (kept|gone through: [^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number = '', before = '', lost = '']) => ({ number, before, lost }),
)

/** What a trigger does comes later; what a table is made of is not there yet. */
function goesThrough({ sqlite, onlySqlite = '' }: Migration): boolean {
  const now = (sqlite + onlySqlite).replaceAll(/CREATE TRIGGER[\s\S]*?\bEND;/g, '')
  return /(?:^|;)\s*(?:--.*\n\s*)*(?:UPDATE|DELETE FROM|INSERT INTO|DROP TABLE|ALTER TABLE \S+ (?:RENAME|DROP))\b/.test(
    now.replaceAll(/--.*$/gm, ''),
  )
}

test('each migration has its row, in their order', () => {
  assert.equal(
    rows.map(({ number }) => number),
    migrations.map(({ name }) => name.slice(0, 4)),
  )
})

test('what goes through rows says so, and nothing else does', () => {
  for (const [index, migration] of migrations.entries())
    assert.is(rows[index]?.before.startsWith('gone through'), goesThrough(migration), migration.name)
})

test('each row says what is lost, in words', () => {
  for (const { number, lost } of rows) assert.ok(lost.trim().length > 5, number)
})

test.run()
