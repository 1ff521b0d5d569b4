/** What is kept of the reference tables is never older than what was committed, and never what was not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { changesReference, isReferenceTable } from '../../persistence/reference-tables.ts'
import { openSqliteStore, type SqliteStore } from '../../persistence/sqlite/engine.ts'
import { Prepared } from '../../persistence/sqlite/prepared.ts'
import { statement } from '../../persistence/statement.ts'
import { sharedRow, type Write } from '../../persistence/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'kept-reads-'))
test.after(() => rmSync(folder, { recursive: true }))

let files = 0
const newFile = () => join(folder, `${files++}.db`)

const factValue = statement<{ name: string }>()(
  'fact.value',
  ({ db }, arg) => db.selectFrom('facts').select('value').where('name', '=', arg('name')),
  { isOfReference: true },
)
const changeFact = statement<{ value: string }>()('fact.change', ({ db }, arg) =>
  db
    .updateTable('facts')
    .set({ value: arg('value') })
    .where('name', '=', 'one')
    .returning('name'),
)

const insertion = (value: string): Write => ({ insert: 'facts', values: { name: 'one', value } })
const change = (value: string): Write => ({ update: 'facts', key: { name: 'one' }, set: { value } })

const written = (store: SqliteStore, ...writes: Write[]) =>
  store.step({ rows: {}, decide: () => ({ answer: null, writes }) })

async function inStep(store: SqliteStore): Promise<string | undefined> {
  const rows = { fact: sharedRow('facts', { name: 'one' }) }
  const seen = await store.step({ rows, decide: ({ fact }) => ({ answer: fact?.value, writes: [] }) })
  return seen.outcome === 'committed' ? seen.answer : undefined
}

const inQuery = async (store: SqliteStore) => (await store.query(factValue, { name: 'one' }))[0]?.value

/** How many statements SQLite runs for it. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  const { get, all } = Prepared.prototype
  let count = 0
  Prepared.prototype.get = function (values) {
    count++
    return get.call(this, values)
  }
  Prepared.prototype.all = function (values) {
    count++
    return all.call(this, values)
  }
  try {
    await work()
  } finally {
    Object.assign(Prepared.prototype, { get, all })
  }
  return count
}

async function withStore(work: (store: SqliteStore) => Promise<void>): Promise<void> {
  const store = openSqliteStore({ file: newFile(), clock: { now: () => 1000 } })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

test('a reference table is read once, also for what is not there', () =>
  withStore(async (store) => {
    for (const look of [inStep, inQuery]) {
      assert.is(await look(store), undefined)
      assert.is(await reads(() => look(store)), 0)
    }
    await written(store, insertion('first'))
    for (const look of [inStep, inQuery]) {
      assert.is(await look(store), 'first')
      assert.is(await reads(() => look(store)), 0)
    }
  }))

test('what a step or a statement has changed is read anew', () =>
  withStore(async (store) => {
    await written(store, insertion('first'))
    for (const look of [inStep, inQuery]) await look(store)
    await written(store, change('second'))
    for (const look of [inStep, inQuery]) assert.is(await look(store), 'second')
    await store.execute(changeFact, { value: 'third' })
    for (const look of [inStep, inQuery]) assert.is(await look(store), 'third')
    await written(store, { delete: 'facts', key: { name: 'one' } })
    for (const look of [inStep, inQuery]) assert.is(await look(store), undefined)
  }))

test('a step of the same transaction sees what the one before it has changed', () =>
  withStore(async (store) => {
    await written(store, insertion('first'))
    await inStep(store)
    const [, seen] = await Promise.all([written(store, change('second')), inStep(store)])
    assert.is(seen, 'second')
    assert.is(store.statistics.commits, 2)
  }))

test('what was rolled back was never kept', () =>
  withStore(async (store) => {
    await written(store, insertion('first'))
    await inStep(store)
    const broken = written(store, change('second'), insertion('twice')).catch(() => 'refused')
    const [outcome, seen] = await Promise.all([broken, inStep(store)])
    assert.is(outcome, 'refused')
    assert.is(seen, 'first')
    for (const look of [inStep, inQuery]) assert.is(await look(store), 'first')
  }))

test('nobody can change for others what is kept', () =>
  withStore(async (store) => {
    await written(store, insertion('first'))
    const [row] = await store.query(factValue, { name: 'one' })
    assert.throws(() => Object.assign(row ?? {}, { value: 'mine' }), /read only/)
    const rows = await store.query(factValue, { name: 'one' })
    rows.pop()
    assert.is(await inQuery(store), 'first')
  }))

test('a statement that is said to read reference tables alone reads no other', () =>
  withStore(async (store) => {
    const ofOrders = statement<Record<never, never>>()(
      'orders.kept',
      ({ db }) => db.selectFrom('facts').innerJoin('orders', 'orders.id', 'facts.name').select('orders.id'),
      { isOfReference: true },
    )
    const refused = await store.query(ofOrders, {}).catch(String)
    assert.match(String(refused), /orders.kept reads orders/)
  }))

test('what a text changes is read from it', () => {
  assert.ok(changesReference('update "parties" set "name" = ?'))
  assert.ok(changesReference('insert into facts (name) values (?)'))
  assert.ok(changesReference('INSERT OR REPLACE INTO "pairs" VALUES (?)'))
  assert.ok(changesReference('with a as (select 1) delete from "fee_terms"'))
  assert.ok(changesReference('vacuum'))
  assert.not.ok(
    changesReference('update "webhooks" set "due_at" = ? where "id" in (select "id" from "parties")'),
  )
})

test('no trigger and no reference changes a reference table behind the back of who writes', () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock: { now: () => 1000 } })
  return store.close().then(() => {
    const database = new Database(file, { readonly: true })
    const all = database
      .prepare<[], { type: string; name: string; sql: string | null }>(
        'SELECT type, name, sql FROM sqlite_schema',
      )
      .all()
    database.close()
    for (const { type, name, sql } of all) {
      const [, body = ''] = /\bBEGIN\b(.*)$/is.exec(sql ?? '') ?? []
      if (type === 'trigger' && /\b(insert|update|delete|replace)\b/i.test(body)) {
        assert.not.ok(changesReference(body), name)
      }
      if (type === 'table' && isReferenceTable(name)) assert.not.match(sql ?? '', /ON (DELETE|UPDATE)/i)
    }
  })
})

test.run()
