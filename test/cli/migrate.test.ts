/** Upgrades: forward only, with a copy of what was there. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations, openStore } from '../../persistence/index.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { fakeClock } from '../support/clock.ts'
import { ventanilla } from '../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-migrate-'))
const clock = fakeClock()
const [first, ...later] = migrations
const world = { cwd: folder, env: { VENTANILLA_DATABASE: 'sqlite:node.db' }, clock }
const file = join(folder, 'node.db')
const copies = () => readdirSync(folder).filter((name) => name.includes('.before-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

function appliedIn(name: string): unknown[] {
  const database = new Database(name, { readonly: true })
  try {
    return database.prepare('SELECT name FROM migrations ORDER BY name').pluck().all()
  } finally {
    database.close()
  }
}

test.before(async () => {
  assert.ok(first && later.length > 0)
  await openSqliteStore({ file, clock, migrations: [first] }).close()
})

test('a new database needs no copy', () => {
  assert.equal(copies(), [])
})

test('a dry run says what would be applied, and applies nothing', async () => {
  const { code, json } = await ventanilla(world, 'migrate', '--dry-run', '--json')
  assert.is(code, 0)
  assert.equal(json, { pending: later.map(({ name }) => name), isDone: false, copy: null })
  assert.equal(appliedIn(file), [first?.name])
  assert.equal(copies(), [])
})

test('a migration that fails leaves the database as it was', () => {
  const broken = { name: '9999-broken', sqlite: 'CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);' }
  const other = join(folder, 'other.db')
  copyFileSync(file, other)
  assert.throws(
    () => openSqliteStore({ file: other, clock, migrations: [...migrations, broken] }),
    /half already exists/,
  )
  assert.equal(appliedIn(other), [first?.name])
  assert.equal(appliedIn(`${other}.before-${later[0]?.name}`), [first?.name])
})

test('an upgrade keeps what the database was', async () => {
  const { code, json, err } = await ventanilla(world, 'migrate', '--json')
  assert.is(code, 0, err)
  assert.is(json.copy, `${file}.before-${later[0]?.name}`)
  assert.equal(appliedIn(json.copy), [first?.name])
  assert.equal(
    appliedIn(file),
    migrations.map(({ name }) => name),
  )
  assert.not.ok(existsSync(`${json.copy}.draft`))
  assert.match((await ventanilla(world, 'migrate')).out, /Nothing to do/)
})

test('a database of a later version is refused in one line, and while a node runs nothing is migrated', async () => {
  const store = await openStore(`sqlite:${file}`, { clock })
  await store.close()
  const database = new Database(file)
  database.exec("INSERT INTO migrations VALUES ('9999-later', 1)")
  database.close()
  const { code, err } = await ventanilla(world, 'migrate')
  assert.is(code, 3)
  assert.match(err, /changed by a later version \(9999-later\)/)
})

test.run()
