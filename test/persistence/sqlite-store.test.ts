import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../persistence/index.ts'
import { migrations } from '../../persistence/migrations/index.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import { type Store, StoreUnavailable, type Write } from '../../persistence/store.ts'
import { assertNumbered, ledgerBefore } from './numbered-upgrade.ts'
import { newOrder, provision, rejection, write } from './rows.ts'
import { storeContract } from './store-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-store-'))
test.after(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)
const clock = { now: () => 1000 }

storeContract(test, () => {
  const url = `sqlite:${newFile()}`
  return { open: (clock) => openStore(url, { clock }) }
})

const fact = (name: string): Write => ({ insert: 'facts', values: { name, value: '' } })
const facts = statement<Record<never, never>>()('facts.names', ({ db }) =>
  db.selectFrom('facts').select('name').orderBy('name'),
)
const namesOf = async (store: Store) => (await store.query(facts, {})).map((found) => found.name)

test('steps that arrive together share one commit', async () => {
  const store = openSqliteStore({ file: newFile(), clock })
  await Promise.all(Array.from({ length: 50 }, (_, index) => write(store, [fact(String(index))])))
  assert.equal(store.statistics, { commits: 1, steps: 50, largestBatch: 50 })
  await store.close()
})

test('no more than 64 steps share a commit', async () => {
  const store = openSqliteStore({ file: newFile(), clock })
  await Promise.all(Array.from({ length: 65 }, (_, index) => write(store, [fact(String(index))])))
  assert.equal(store.statistics, { commits: 2, steps: 65, largestBatch: 64 })
  await store.close()
})

test('without group commit each step has its own', async () => {
  const store = openSqliteStore({ file: newFile(), clock, groupCommit: false })
  await Promise.all(Array.from({ length: 10 }, (_, index) => write(store, [fact(String(index))])))
  assert.equal(store.statistics, { commits: 10, steps: 10, largestBatch: 1 })
  await store.close()
})

test('a step that writes nothing needs no commit', async () => {
  const store = openSqliteStore({ file: newFile(), clock })
  await Promise.all([write(store, []), store.step({ rows: {}, decide: () => ({ answer: 1, writes: [] }) })])
  assert.equal(store.statistics, { commits: 0, steps: 2, largestBatch: 2 })
  await store.close()
})

test('listeners are called once for all steps of a commit', async () => {
  const store = openSqliteStore({ file: newFile(), clock })
  let calls = 0
  const called = new Promise<void>((resolve) => {
    store.subscribe('orders', () => {
      calls++
      // Anything deferred further would come before this.
      setImmediate(() => setImmediate(resolve))
    })
  })
  const wake = ['orders'] as const
  const steps = ['a', 'b', 'c'].map((name) =>
    store.step({ rows: {}, decide: () => ({ answer: null, writes: [fact(name)], wake }) }),
  )
  await Promise.all([...steps, called])
  assert.is(calls, 1)
  await store.close()
})

test('a step too large for the disk is refused as such, and those beside it are committed', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock })
  await provision(store)
  // SQLite's own limit stands in for the disk's: beyond it each statement ends in SQLITE_FULL.
  const limit = statement<Record<never, never>>()('limit', ({ db }) => ({
    compile: () => sql<{ max_page_count: number }>`PRAGMA max_page_count = 1`.compile(db),
  }))
  const [limited] = await store.execute(limit, {})
  assert.ok(Number(limited?.max_page_count) > 1)
  const large = newOrder('o1', 1, { description: 'x'.repeat(1_000_000) })
  const runs = { before: 0, after: 0 }
  const counted = (name: keyof typeof runs) =>
    store.step({
      rows: {},
      decide: () => {
        runs[name]++
        return { answer: name, writes: [fact(name)] }
      },
    })
  const [before, full, after] = await Promise.allSettled([
    counted('before'),
    write(store, [fact('large'), large]),
    counted('after'),
  ])
  assert.is(before.status, 'fulfilled')
  assert.is(after.status, 'fulfilled')
  assert.is(
    full.status === 'rejected' && full.reason instanceof StoreUnavailable && full.reason.reason,
    'full',
  )
  // SQLite rolled the whole transaction back: the first step ran again.
  assert.equal(runs, { before: 2, after: 1 })
  assert.equal(await namesOf(store), ['after', 'before'])
  await store.close()
  const again = openSqliteStore({ file, clock })
  assert.equal(await namesOf(again), ['after', 'before'])
  await again.close()
})

test('steps run again one by one after one of them ended the whole transaction', async () => {
  const trigger = `CREATE TRIGGER ends_all BEFORE INSERT ON facts WHEN NEW.name = 'ends all'
    BEGIN SELECT RAISE (ROLLBACK, 'all is rolled back'); END`
  const store = openSqliteStore({
    file: newFile(),
    clock,
    migrations: [...migrations, { name: '9999-test', sqlite: trigger }],
  })
  const [first, ends, last] = await Promise.allSettled([
    write(store, [fact('first')]),
    write(store, [fact('undone'), fact('ends all')]),
    write(store, [fact('last')]),
  ])
  assert.is(first.status, 'fulfilled')
  assert.match(ends.status === 'rejected' ? String(ends.reason) : '', 'all is rolled back')
  assert.is(last.status, 'fulfilled')
  assert.equal(await namesOf(store), ['first', 'last'])
  await store.close()
})

test('the journal is append-only', async () => {
  const store = openSqliteStore({ file: newFile(), clock })
  await provision(store)
  await write(store, [
    newOrder('o1', 1),
    {
      insert: 'journal',
      values: {
        order_id: 'o1',
        sequence: 1,
        entry_at: 1,
        actor: 'clock',
        event_json: '{}',
        to_status: 'CREATED',
        outcome: 'accepted',
        hash: 'h',
      },
    },
  ])
  const failed = await rejection(
    write(store, [{ update: 'journal', key: { order_id: 'o1', sequence: 1 }, set: { actor: 'nobody' } }]),
  )
  assert.match(String(failed), 'the journal is append-only')
  await store.close()
})

test('a log that cannot be moved into the database at the end is read at the next start', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock })
  await write(store, [fact('a')])
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  const { pragma } = Database.prototype
  Database.prototype.pragma = () => {
    throw new Database.SqliteError('simulated full disk', 'SQLITE_FULL')
  }
  await store.close()
  Database.prototype.pragma = pragma
  assert.is((await warned).message, 'simulated full disk')
  const again = openSqliteStore({ file, clock })
  assert.equal(await namesOf(again), ['a'])
  await again.close()
})

test('an upgrade numbers the postings that are there, and says up to which', async () => {
  const file = newFile()
  const at = migrations.findIndex(({ name }) => name.endsWith('posting-days'))
  await openSqliteStore({ file, clock, migrations: migrations.slice(0, at) }).close()
  const database = new Database(file)
  database.exec(ledgerBefore)
  database.close()
  await openSqliteStore({ file, clock }).close()
  const upgraded = new Database(file)
  await assertNumbered(async (sql) => upgraded.prepare<[], Record<string, unknown>>(sql).all())
  assert.equal(upgraded.pragma('foreign_key_check'), [])
  upgraded.close()
})

test.run()
