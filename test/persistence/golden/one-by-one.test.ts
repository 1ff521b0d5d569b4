/** A database of each released version is brought up to date one migration at a time, as one that was upgraded each time. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseTooNew } from '../../../persistence/database-errors.ts'
import { migrations } from '../../../persistence/migrations/index.ts'
import { openSqliteStore } from '../../../persistence/sqlite/engine.ts'
import { fakeClock } from '../../support/clock.ts'

const files = globSync(join(import.meta.dirname, '*.db.gz')).toSorted()
const clock = fakeClock()

/** What no migration may change: what was ordered, what became of it, what was booked. */
const kept = [
  'SELECT id, status, price_minor, revision FROM orders ORDER BY id',
  'SELECT position, order_id, outcome, to_status, hash FROM journal ORDER BY position',
  'SELECT id, debit_account, credit_account, amount_minor, posted_at FROM postings ORDER BY id',
  'SELECT id, balance_minor FROM accounts ORDER BY id',
  'SELECT id, state, body FROM webhooks ORDER BY id',
]

function readKept(file: string): unknown[] {
  const database = new Database(file, { readonly: true })
  try {
    return kept.map((text) => database.prepare(text).all())
  } finally {
    database.close()
  }
}

function appliedTo(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare<[], number>('SELECT count(*) FROM migrations').pluck().get() ?? 0
  } finally {
    database.close()
  }
}

for (const packed of files)
  test(`${basename(packed, '.db.gz')}: no migration changes what was ordered and booked, and each is refused by the program before it`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ventanilla-golden-steps-'))
    try {
      const file = join(folder, 'node.db')
      writeFileSync(file, gunzipSync(readFileSync(packed)), { mode: 0o600 })
      const before = readKept(file)
      const begun = appliedTo(file)
      assert.ok(begun < migrations.length, 'there is nothing to migrate')
      for (let count = begun + 1; count <= migrations.length; count++) {
        const { name = '' } = migrations[count - 1] ?? {}
        await openSqliteStore({ file, clock, migrations: migrations.slice(0, count) }).close()
        assert.equal(readKept(file), before, name)
        const bytes = readFileSync(file)
        const former = migrations.slice(0, count - 1)
        assert.throws(
          () => openSqliteStore({ file, clock, migrations: former }),
          (error: unknown) => {
            return error instanceof DatabaseTooNew && error.message.includes(name)
          },
        )
        assert.ok(readFileSync(file).equals(bytes), `${name}: who refused it has changed it`)
        const copy = new Database(`${file}.before-${name}`, { readonly: true })
        assert.is(copy.pragma('integrity_check', { simple: true }), 'ok', name)
        copy.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

test.run()
