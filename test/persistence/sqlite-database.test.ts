import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseLocked, DatabaseTooNew, DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openStore, sqliteFile } from '../../persistence/index.ts'
import { type Migration, migrations } from '../../persistence/migrations/index.ts'
import { inLockingOrder, refsOf } from '../../persistence/row-order.ts'
import { assertSettings, openDatabase } from '../../persistence/sqlite/database.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { migrate } from '../../persistence/sqlite/migrate.ts'
import { StatementCache } from '../../persistence/sqlite/prepared.ts'
import { statement } from '../../persistence/statement.ts'
import { row, type Store, StoreUnavailable } from '../../persistence/store.ts'
import { find, provision, rejection } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-database-'))
test.after(() => rmSync(folder, { recursive: true }))

let names = 0
const newFile = () => join(folder, `${names++}.db`)
const clock = { now: () => 1000 }

function thrown(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

/** Changes a database that no store has open. */
function change(file: string, definitions: string): void {
  const database = new Database(file)
  database.exec(definitions)
  database.close()
}

test('the settings for money hold, also after the first write', () => {
  const database = openDatabase(newFile())
  const setting = (name: string) => database.pragma(name, { simple: true })
  for (const definitions of ['', 'CREATE TABLE notes (text TEXT) STRICT']) {
    database.exec(definitions)
    assert.is(setting('journal_mode'), 'wal')
    assert.is(setting('synchronous'), 2n)
    assert.is(setting('foreign_keys'), 1n)
    assert.is(setting('trusted_schema'), 0n)
    assert.is(setting('cell_size_check'), 1n)
    assert.ok(Number(setting('busy_timeout')) <= 250)
    assert.is(setting('fullfsync'), 1n)
    assert.is(setting('checkpoint_fullfsync'), 1n)
  }
  database.close()
})

test('a setting that was dropped stops the start, and is named', () => {
  for (const [drop, name] of [
    ['synchronous = NORMAL', 'synchronous=2'],
    ['journal_mode = DELETE', 'journal_mode=wal'],
    ['foreign_keys = OFF', 'foreign_keys=1'],
  ] as const) {
    const database = openDatabase(newFile())
    assertSettings(database)
    database.pragma(drop)
    const error = thrown(() => assertSettings(database))
    assert.instance(error, DatabaseUnusable)
    assert.match(String(error), name)
    database.close()
  }
})

test('a setting that SQLite drops after the first statement is noticed at the opening', () => {
  const { pragma } = Database.prototype
  // Never set, it reads FULL until the log's first use and NORMAL from then on.
  Database.prototype.pragma = function (this: Database.Database, source, options) {
    return source.startsWith('synchronous =') ? [] : pragma.call(this, source, options)
  }
  const error = thrown(() => openDatabase(newFile()))
  Database.prototype.pragma = pragma
  assert.match(String(error), 'synchronous=2 (it is 1)')
})

test('a database in memory is refused', async () => {
  assert.instance(await rejection(openStore('sqlite::memory:', { clock })), DatabaseUnusable)
})

test('a database URL names a file, a relative one under the working directory', async () => {
  assert.is(sqliteFile('sqlite:data/x.db'), resolve('data/x.db'))
  assert.is(sqliteFile('sqlite:/var/lib/x.db'), resolve('/var/lib/x.db'))
  for (const url of ['sqlite:', 'data/x.db', 'mysql://user:secret@host/x', '']) {
    const error = await rejection(openStore(url, { clock }))
    assert.instance(error, DatabaseUnusable)
    assert.not.match(String(error), 'secret')
  }
})

if (process.platform !== 'win32') {
  test('the file and a folder made for it are private; an existing file keeps its mode', async () => {
    const file = join(folder, 'private', 'deep', 'x.db')
    const store = openSqliteStore({ file, clock })
    await provision(store)
    for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}.lock`]) {
      assert.is(statSync(name).mode & 0o777, 0o600, name)
    }
    assert.is(statSync(join(folder, 'private', 'deep')).mode & 0o777, 0o700)
    await store.close()
    chmodSync(file, 0o640)
    await openSqliteStore({ file, clock }).close()
    assert.is(statSync(file).mode & 0o777, 0o640)
  })

  test('a database has one lock, also behind a link', async () => {
    const file = newFile()
    const store = openSqliteStore({ file, clock })
    const link = join(folder, 'link.db')
    symlinkSync(file, link)
    assert.instance(
      thrown(() => openSqliteStore({ file: link, clock })),
      DatabaseLocked,
    )
    await store.close()
    await openSqliteStore({ file: link, clock }).close()
  })
}

test('a database that is open is locked, and free once it is closed', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock })
  const error = thrown(() => openSqliteStore({ file, clock }))
  assert.instance(error, DatabaseLocked)
  assert.match(String(error), `${file}: another process owns it`)
  await provision(store)
  await store.close()
  await openSqliteStore({ file, clock }).close()
})

test('a database with two names is refused: the second has a lock of its own', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock })
  linkSync(file, `${file}.other`)
  const error = thrown(() => openSqliteStore({ file: `${file}.other`, clock }))
  assert.instance(error, DatabaseUnusable)
  assert.match(String(error), /2 names \(hard links\)/)
  await store.close()
  rmSync(`${file}.other`)
  await openSqliteStore({ file, clock }).close()
})

test('closing moves the log into the database and leaves one whole file', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock })
  await provision(store)
  await store.close()
  assert.is(existsSync(`${file}-wal`), false)
})

test('a lock that is no lock is refused', () => {
  const file = newFile()
  writeFileSync(`${file}.lock`, 'not a database, but long enough to have a header'.repeat(100))
  const error = thrown(() => openSqliteStore({ file, clock }))
  assert.instance(error, DatabaseUnusable)
  assert.match(String(error), `${file}.lock`)
})

test('what is no database, or cannot be opened, is refused in words that name it', () => {
  const garbage = newFile()
  writeFileSync(garbage, 'not a database, but long enough to have a header'.repeat(100))
  const directory = newFile()
  mkdirSync(directory)
  const underFile = join(garbage, 'x.db')
  for (const file of [garbage, directory, underFile]) {
    const error = thrown(() => openSqliteStore({ file, clock }))
    assert.instance(error, DatabaseUnusable)
    assert.match(String(error), file)
  }
})

test('the database of another program is left alone', () => {
  const file = newFile()
  change(file, 'CREATE TABLE photos (id INTEGER PRIMARY KEY)')
  const error = thrown(() => openSqliteStore({ file, clock }))
  assert.instance(error, DatabaseUnusable)
  assert.match(String(error), 'another program')
  const database = new Database(file)
  assert.equal(database.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['photos'])
  database.close()
})

test('migrations are applied once, in order, and recorded', () => {
  const database = openDatabase(newFile())
  const two: Migration[] = [
    { name: '0001-a', sqlite: 'CREATE TABLE a (x INTEGER) STRICT' },
    { name: '0002-b', sqlite: 'ALTER TABLE a ADD COLUMN y INTEGER' },
  ]
  assert.equal(migrate(database, two.slice(0, 1), 5), ['0001-a'])
  assert.equal(migrate(database, two, 6), ['0002-b'])
  assert.equal(migrate(database, two, 7), [])
  assert.equal(database.prepare('SELECT * FROM migrations ORDER BY name').all(), [
    { name: '0001-a', applied_at: 5n },
    { name: '0002-b', applied_at: 6n },
  ])
  database.close()
})

test('migrations are applied together or not at all, and the lock is let go', async () => {
  const file = newFile()
  const broken: Migration = {
    name: '9999-broken',
    sqlite: 'CREATE TABLE b (x INTEGER); CREATE TABLE facts (x)',
  }
  const error = thrown(() => openSqliteStore({ file, clock, migrations: [...migrations, broken] }))
  assert.match(String(error), 'table facts already exists')
  assert.not.instance(error, DatabaseUnusable)
  const database = new Database(file)
  assert.equal(database.prepare('SELECT name FROM sqlite_schema').pluck().all(), [])
  database.close()
  await openSqliteStore({ file, clock }).close()
})

test('a database that a later version changed is refused, unchanged', async () => {
  const file = newFile()
  await openSqliteStore({ file, clock }).close()
  change(file, `INSERT INTO migrations VALUES ('0999-later', 1)`)
  const error = thrown(() => openSqliteStore({ file, clock }))
  assert.instance(error, DatabaseTooNew)
  assert.match(String(error), '0999-later')
})

/** Overwrites the first page of a table of a closed database. */
function damage(file: string, table: string): void {
  const database = new Database(file)
  const page = Number(
    database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table),
  )
  const pageSize = Number(database.pragma('page_size', { simple: true }))
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(pageSize, 0xff), 0, pageSize, (page - 1) * pageSize)
  closeSync(descriptor)
}

const parties = statement<Record<never, never>>()('parties.all', ({ db }) =>
  db.selectFrom('parties').selectAll(),
)

for (const [how, read] of Object.entries({
  step: (store: Store) => find(store, row('parties', { id: 'm1' })),
  query: (store: Store) => store.query(parties, {}),
})) {
  test(`a damaged page stops the store when a ${how} reads it`, async () => {
    const file = newFile()
    const store = openSqliteStore({ file, clock })
    await provision(store)
    await store.close()
    damage(file, 'parties')

    const failures: Error[] = []
    const damaged = openSqliteStore({ file, clock, onFailure: (error) => failures.push(error) })
    const refused = await rejection(read(damaged))
    assert.is(refused instanceof StoreUnavailable && refused.reason, 'unreachable')
    const later = await rejection(find(damaged, row('facts', { name: 'x' })))
    assert.is(later instanceof StoreUnavailable && later.reason, 'closed')
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(
      failures.map((error) => error.message),
      ['database disk image is malformed'],
    )
    await damaged.close()
  })
}

test('a text is prepared once while it is used, and forgotten when 500 others were used since', () => {
  const database = openDatabase(newFile())
  const cache = new StatementCache(database)
  const used = cache.prepare('SELECT 0')
  const unused = cache.prepare('SELECT 1')
  for (let count = 2; count <= 500; count++) {
    cache.prepare(`SELECT ${count}`)
    assert.is(cache.prepare('SELECT 0'), used)
  }
  assert.is.not(cache.prepare('SELECT 1'), unused)
  database.close()
})

test('rows are locked in table order, then by key, whatever the order they are named in', () => {
  const refs = {
    webhook: row('webhooks', { id: 'w' }),
    second: row('accounts', { id: 'b' }),
    nothing: undefined,
    order: row('orders', { merchant_order_id: 'x', merchant_id: 'm' }),
    first: row('accounts', { id: 'a' }),
    again: row('accounts', { id: 'a' }),
  }
  assert.equal(
    inLockingOrder(refsOf(refs)).map((ref) => Object.entries(refs).find(([, named]) => named === ref)?.[0]),
    ['order', 'first', 'again', 'second', 'webhook'],
  )
})

test.run()
