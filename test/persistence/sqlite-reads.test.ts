/** Reads on another thread see what was committed before they were asked for, however the turns of the two fall. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareState } from '../../node/front/shared-state.ts'
import { openSqliteStore, type SqliteStore } from '../../persistence/sqlite/engine.ts'
import { Prepared } from '../../persistence/sqlite/prepared.ts'
import { openSqliteReads, type Reads } from '../../persistence/sqlite/reads.ts'
import { statement } from '../../persistence/statement.ts'
import { write } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-reads-'))
test.after(() => rmSync(folder, { recursive: true }))

const facts = statement<Record<never, never>>()('facts.names', ({ db }) =>
  db.selectFrom('facts').select('name').orderBy('name'),
)
const forgetFacts = statement<Record<never, never>>()('facts.forget', ({ db }) => db.deleteFrom('facts'))
const forgetNothing = statement<Record<never, never>>()('orders.forget', ({ db }) =>
  db.deleteFrom('orders').where('id', '=', 'x'),
)
const namesOf = async (reads: Reads) => (await reads.query(facts, {})).map(({ name }) => name)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

let files = 0

async function play(
  story: (parts: {
    store: SqliteStore
    reads: Reads
    file: string
    committed: (isOfReference: boolean) => void
  }) => Promise<void>,
): Promise<void> {
  const file = join(folder, `${files++}.db`)
  const state = shareState()
  const { committed } = state
  const store = openSqliteStore({ file, clock: { now: () => 0 }, onCommit: committed })
  const reads = openSqliteReads(file, state)
  try {
    await story({ store, reads, file, committed })
  } finally {
    reads.close()
    await store.close()
  }
}

const fact = (name: string) => [{ insert: 'facts', values: { name, value: '' } }] as const

test('a commit is seen by what is read after it, though others have read in the same turn', () =>
  play(async ({ store, reads }) => {
    // The commit comes in this turn behind the first read, and before the end of what that has begun to read.
    const written = write(store, fact('a'))
    const before = namesOf(reads)
    await written
    assert.equal([await before, await namesOf(reads)], [[], ['a']])
  }))

test('what one task reads is of one state', () =>
  play(async ({ reads, file, committed }) => {
    const other = new Database(file)
    const seen = [await namesOf(reads)]
    other.exec("INSERT INTO facts (name, value) VALUES ('a', '')")
    committed(true)
    seen.push(await namesOf(reads))
    await turn()
    seen.push(await namesOf(reads))
    other.close()
    assert.equal(seen, [[], [], ['a']])
  }))

/** What `openSqliteReads` may keep: it names the reference tables that it reads, and no other. */
const keptFacts = statement<Record<never, never>>()(
  'facts.kept',
  ({ db }) => db.selectFrom('facts').select('name').orderBy('name'),
  { isOfReference: true },
)
const keptNames = async (reads: Reads) => (await reads.query(keptFacts, {})).map(({ name }) => name)

const orderRows = statement<Record<never, never>>()('orders.ids', ({ db }) =>
  db.selectFrom('orders').select('id'),
)

/** How often SQLite is asked. */
async function asked(work: () => Promise<unknown>): Promise<number> {
  const { all } = Prepared.prototype
  let count = 0
  Prepared.prototype.all = function (values) {
    count++
    return all.call(this, values)
  }
  try {
    await work()
  } finally {
    Prepared.prototype.all = all
  }
  return count
}

test('what is read of the reference tables is kept until one of them is written, whoever writes the others', () =>
  play(async ({ store, reads }) => {
    await write(store, fact('a'))
    assert.is(await asked(() => keptNames(reads)), 1)
    await turn()
    assert.is(await asked(() => keptNames(reads)), 0)
    // It counts as a commit, and changes none of them.
    await store.execute(forgetNothing, {})
    assert.is(await asked(() => keptNames(reads)), 0)
    await write(store, fact('b'))
    assert.equal(await keptNames(reads), ['a', 'b'])
    await store.execute(forgetFacts, {})
    assert.equal(await keptNames(reads), [])
  }))

test('what a task reads of a state before a change is kept for nobody', () =>
  play(async ({ reads, file, committed }) => {
    const other = new Database(file)
    // One task: its state is held from its first read on.
    const first = reads.query(orderRows, {})
    other.exec("INSERT INTO facts (name, value) VALUES ('a', '')")
    committed(true)
    const held = keptNames(reads)
    await first
    assert.equal(await held, [])
    await turn()
    assert.equal(await keptNames(reads), ['a'])
    other.close()
  }))

test('rows that are kept cannot be changed by who has read them, nor their list', () =>
  play(async ({ store, reads }) => {
    await write(store, fact('a'))
    const rows = await reads.query(keptFacts, {})
    assert.throws(() => Object.assign(rows[0] ?? {}, { name: 'b' }), /read only/)
    rows.pop()
    assert.equal(await keptNames(reads), ['a'])
  }))

test('nothing is held from one turn to the next: the log can be moved', () =>
  play(async ({ store, reads, file }) => {
    await write(store, fact('a'))
    await namesOf(reads)
    await turn()
    await turn()
    const other = new Database(file)
    const [moved] = other.pragma('wal_checkpoint(TRUNCATE)') as { busy: number; log: number }[]
    other.close()
    assert.equal([moved?.busy, moved?.log], [0, 0])
  }))

test('it cannot write', () =>
  play(async ({ reads }) => {
    const error = await reads.query(forgetFacts, {}).catch((refused: unknown) => refused)
    assert.match(String(error), /facts\.forget writes/)
  }))

test('its subscribers are woken by what it is told', () =>
  play(async ({ reads }) => {
    let woken = 0
    const stop = reads.subscribe('orders', () => woken++)
    reads.wake(['orders'])
    await turn()
    stop()
    reads.wake(['orders'])
    await turn()
    assert.is(woken, 1)
  }))

test.run()
