/** SQLite's log goes into the database beside the thread that writes, whoever reads and whatever fails. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCheckpointer } from '../../node/checkpointer.ts'
import { type Checkpointer, Checkpoints, moveLog } from '../../persistence/sqlite/checkpoints.ts'
import { openDatabase } from '../../persistence/sqlite/database.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import { type Store, StoreUnavailable } from '../../persistence/store.ts'
import { rejection, write } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-checkpoints-'))
test.after(() => rmSync(folder, { recursive: true }))

const clock = { now: () => 1000 }
const pageBytes = 4096
let files = 0
const newFile = () => join(folder, `${files++}.db`)

/** One commit after the other, each of some pages. */
async function writeFacts(store: Store, name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await write(store, [
      { insert: 'facts', values: { name: `${name}-${index}`, value: 'x'.repeat(2 * pageBytes) } },
    ])
}

const anyFact = statement<Record<never, never>>()('facts.any', ({ db }) =>
  db.selectFrom('facts').select('name').limit(1),
)

const logSize = (file: string) => statSync(`${file}-wal`).size / pageBytes

/** How many facts somebody sees who opens the database anew. */
function factsIn(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare<[], number>('SELECT count(*) FROM facts').pluck().get() ?? 0
  } finally {
    database.close()
  }
}

/** A checkpointer of this thread that counts, and does first what it is told to. */
function countingCheckpointer(before: (attempt: number) => Promise<void> | void = () => {}) {
  const counted = { attempts: 0, isClosed: false }
  const start = (file: string): Checkpointer => {
    const database = openDatabase(file)
    return {
      async checkpoint() {
        counted.attempts += 1
        await before(counted.attempts)
        return moveLog(database)
      },
      async close() {
        counted.isClosed = true
        database.close()
      },
    }
  }
  return { counted, start }
}

/** Pages in the log that is in use: its file keeps the size it once had. */
function logLength(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number }[]
    return state?.log ?? 0
  } finally {
    database.close()
  }
}

test('the log does not grow with what is written', async () => {
  const file = newFile()
  const store = openSqliteStore({ file, clock, checkpoints: { start: createCheckpointer, pages: 100 } })
  let written = 0
  const writeSome = async () => {
    await writeFacts(store, `facts-${written}`, 20)
    written += 20
  }
  // Until the thread is there the log grows on; then it is begun anew, again and again.
  for (let shorter = 0, before = 0; shorter < 3 && written < 20_000; ) {
    await writeSome()
    const length = logLength(file)
    if (length < before) shorter += 1
    before = length
  }
  assert.ok(written < 20_000, 'it was begun anew')
  assert.is(factsIn(file), written)
  await store.close()
  assert.is(factsIn(file), written)
})

test('nothing is moved before the log is long', async () => {
  const { counted, start } = countingCheckpointer()
  const store = openSqliteStore({ file: newFile(), clock, checkpoints: { start } })
  await writeFacts(store, 'few', 100)
  assert.is(counted.attempts, 0)
  await store.close()
  assert.ok(counted.isClosed)
})

test('a log of 2,000 pages is long', async () => {
  const { counted, start } = countingCheckpointer()
  const file = newFile()
  const store = openSqliteStore({ file, clock, checkpoints: { start } })
  while (counted.attempts === 0) await writeFacts(store, `${logSize(file)}`, 1)
  assert.ok(logSize(file) >= 2000 && logSize(file) < 2100, `${logSize(file)} pages`)
  await store.close()
})

test('while somebody reads an older state the log grows, and is moved once nobody does', async () => {
  const file = newFile()
  const { counted, start } = countingCheckpointer()
  const store = openSqliteStore({ file, clock, checkpoints: { start, pages: 50 } })
  await writeFacts(store, 'before', 3)
  const reader = new Database(file, { readonly: true })
  reader.exec('BEGIN')
  const seen = reader.prepare<[], number>('SELECT count(*) FROM facts').pluck()
  assert.is(seen.get(), 3)
  await writeFacts(store, 'beside', 1500)
  assert.is(seen.get(), 3)
  const grown = logSize(file)
  assert.ok(grown > 4500, `${grown} pages`)
  // Once for each fifty pages, not with each commit.
  assert.ok(counted.attempts < grown / 50 + 1, `${counted.attempts} attempts`)
  reader.exec('COMMIT')
  await writeFacts(store, 'after', 100)
  assert.is(factsIn(file), 1603)
  // The disk has the room back.
  assert.ok(logSize(file) <= 4100, `${logSize(file)} pages`)
  reader.close()
  await store.close()
})

test('where the thread fails it is told, and the log is moved all the same', async () => {
  const file = newFile()
  const { counted, start } = countingCheckpointer(() => {
    throw new Error('no thread can be started')
  })
  const warned = once(process, 'warning')
  const store = openSqliteStore({ file, clock, checkpoints: { start, pages: 50 } })
  await writeFacts(store, 'facts', 100)
  const [warning] = await warned
  assert.is(warning.message, 'no thread can be started')
  assert.ok(counted.attempts > 2, `${counted.attempts} attempts`)
  assert.ok(logLength(file) < 150, `${logLength(file)} pages`)
  assert.is(factsIn(file), 100)
  await store.close()
})

test("whoever reads meanwhile is in nobody's way", async () => {
  const warnings: Error[] = []
  const listen = (warning: Error) => warnings.push(warning)
  process.on('warning', listen)
  const file = newFile()
  const { counted, start } = countingCheckpointer(async (attempt) => {
    // It is through at one moment of their reading or another.
    for (let moment = 0; moment < 10 + attempt; moment++) await null
  })
  const store = openSqliteStore({ file, clock, checkpoints: { start, pages: 50 } })
  for (let index = 0; index < 200; index++) {
    await writeFacts(store, `facts-${index}`, 1)
    // Whoever had the answer asks on, within the same turn of the event loop.
    for (let question = 0; question < 20; question++) await store.query(anyFact, {})
  }
  await store.close()
  await new Promise(setImmediate)
  process.off('warning', listen)
  assert.ok(counted.attempts > 2, `${counted.attempts} attempts`)
  assert.equal(warnings, [])
})

test('on a full disk nobody waits for a thread', async () => {
  const file = newFile()
  const { counted, start } = countingCheckpointer()
  const database = openDatabase(file)
  database.exec('CREATE TABLE notes (text TEXT) STRICT')
  const place = { database, file, endReading: () => {}, isUrgent: () => true }
  const checkpoints = new Checkpoints(place, { start, pages: 50 })
  const insert = database.prepare('INSERT INTO notes VALUES (?)')
  for (let index = 0; index < 100; index++) {
    insert.run('x'.repeat(2 * pageBytes))
    checkpoints.committed()
    assert.ok(logLength(file) < 60, `${logLength(file)} pages`)
    await null
  }
  await checkpoints.close()
  assert.is(counted.attempts, 0)
  database.close()
})

test('who writes faster than is moved waits for the rest', async () => {
  const file = newFile()
  let store: Store | null = null
  const { counted, start } = countingCheckpointer(async (attempt) => {
    // A disk so slow that a hundred commits come meanwhile.
    if (store !== null && attempt <= 3) await writeFacts(store, `meanwhile-${attempt}`, 100)
  })
  store = openSqliteStore({ file, clock, checkpoints: { start, pages: 50 } })
  for (let index = 0; counted.attempts < 4; index++) await writeFacts(store, `facts-${index}`, 1)
  // The third left hundreds of pages, which were moved all the same: only what came later is in the log now.
  assert.ok(logLength(file) < 150, `${logLength(file)} pages`)
  await store.close()
})

test('closing waits until nothing is moved any more', async () => {
  const file = newFile()
  const steps: string[] = []
  const moving = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { start } = countingCheckpointer(async () => {
    begun.resolve()
    await moving.promise
    steps.push('moved')
  })
  const store = openSqliteStore({ file, clock, checkpoints: { start, pages: 50 } })
  await writeFacts(store, 'facts', 100)
  await begun.promise
  const closed = store.close().then(() => steps.push('closed'))
  assert.instance(await rejection(writeFacts(store, 'late', 1)), StoreUnavailable)
  moving.resolve()
  await closed
  assert.equal(steps, ['moved', 'closed'])
  assert.not.ok(statSync(`${file}-wal`, { throwIfNoEntry: false }), 'the log is gone')
  assert.is(factsIn(file), 100)
})

test('a thread that cannot open the database says so, and the next attempt starts another', async () => {
  const file = newFile()
  const checkpointer = createCheckpointer(join(folder, 'missing\0name'))
  assert.instance(await rejection(checkpointer.checkpoint()), Error)
  assert.instance(await rejection(checkpointer.checkpoint()), Error)
  await checkpointer.close()
  const working = createCheckpointer(file)
  assert.is(await working.checkpoint(), true)
  await working.close()
})

test.run()
