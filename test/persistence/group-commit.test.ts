import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CommitQueue } from '../../persistence/sqlite/group-commit.ts'
import { type Transactions, transactionsOf } from '../../persistence/sqlite/transactions.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'
import { rejection } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'group-commit-'))
test.after(() => rmSync(folder, { recursive: true }))

let files = 0

/** A queue on a real database, some of whose transaction's statements fail. */
function queueWith(faults: (real: Transactions) => Partial<Transactions>) {
  const database = new Database(join(folder, `${files++}.db`))
  database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT')
  const insert = database.prepare('INSERT INTO notes VALUES (?)')
  const real = transactionsOf(database)
  const failures: Error[] = []
  const queue = new CommitQueue({
    transactions: Object.defineProperties(
      Object.create(real),
      Object.getOwnPropertyDescriptors(faults(real)),
    ),
    batch: 64,
    onFailure: (error) => failures.push(error),
    makeRoom: () => false,
    onCommit: () => {},
  })
  const add = (text: string) => queue.add({ run: (write) => write(() => insert.run(text).changes) })
  const notes = () => database.prepare('SELECT text FROM notes ORDER BY text').pluck().all()
  return { queue, add, notes, failures, close: () => database.close() }
}

const failing = (code: string) => () => {
  throw new Database.SqliteError(`simulated ${code}`, code)
}

function once(fault: () => void, otherwise: () => void): () => void {
  let isFirst = true
  return () => {
    const act = isFirst ? fault : otherwise
    isFirst = false
    act()
  }
}

const deferred = () => new Promise((resolve) => setImmediate(resolve))

test('after a commit that failed nobody knows what was written, and nothing further runs', async () => {
  const { queue, add, failures, close } = queueWith(() => ({ commit: failing('SQLITE_IOERR_FSYNC') }))
  const answers = await Promise.all([rejection(add('a')), rejection(add('b'))])
  for (const answer of answers) assert.instance(answer, OutcomeUnknown)
  const later = await rejection(add('c'))
  assert.is(later instanceof StoreUnavailable && later.reason, 'closed')
  await deferred()
  assert.equal(
    failures.map((error) => error.message),
    ['simulated SQLITE_IOERR_FSYNC'],
  )
  assert.is(queue.failure, failures[0])
  assert.equal(queue.statistics, { commits: 0, steps: 0, largestBatch: 0 })
  close()
})

test('steps that wait behind a commit that failed are refused: nothing of them ran', async () => {
  const { add, close } = queueWith(() => ({ commit: failing('SQLITE_IOERR_FSYNC') }))
  const answers = await Promise.all(Array.from({ length: 65 }, (_, index) => rejection(add(String(index)))))
  assert.is(answers.filter((answer) => answer instanceof OutcomeUnknown).length, 64)
  const last = answers.at(-1)
  assert.is(last instanceof StoreUnavailable && last.reason, 'closed')
  close()
})

test('a commit that failed and left its transaction open is unknown too, even on a full disk', async () => {
  const { add, close } = queueWith(() => ({ commit: failing('SQLITE_FULL') }))
  assert.instance(await rejection(add('a')), OutcomeUnknown)
  close()
})

test('a commit that a full disk rolled back runs again one by one', async () => {
  const { add, notes, failures, close } = queueWith((real) => ({
    commit: once(
      () => {
        real.rollback()
        failing('SQLITE_FULL')()
      },
      () => real.commit(),
    ),
  }))
  await Promise.all([add('a'), add('b')])
  assert.equal(notes(), ['a', 'b'])
  assert.equal(failures, [])
  close()
})

test('what fails is undone without the others of its batch, which run once more and are committed together', async () => {
  const begun: string[] = []
  const { queue, add, notes, close } = queueWith((real) => ({
    begin: () => {
      begun.push('transaction')
      real.begin()
    },
    savepoint: () => {
      begun.push('savepoint')
      real.savepoint()
    },
  }))
  await Promise.all([add('a'), add('b')])
  assert.equal(begun.splice(0), ['transaction'], 'nothing had to be undone')
  const answers = await Promise.allSettled([add('c'), add('a'), add('d')])
  assert.equal(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(begun, ['transaction', 'transaction', 'savepoint', 'savepoint', 'savepoint'])
  assert.equal(notes(), ['a', 'b', 'c', 'd'])
  assert.is(queue.statistics.commits, 2)
  close()
})

test('reads of one turn share a transaction, which holds no commit up', async () => {
  const database = new Database(join(folder, `${files++}.db`))
  database.exec('CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT')
  const transactions = transactionsOf(database)
  transactions.read()
  transactions.read()
  assert.ok(database.inTransaction)
  transactions.begin()
  database.exec(`INSERT INTO notes VALUES ('a')`)
  await deferred()
  assert.ok(database.inTransaction, 'the end of the reading ended what writes')
  transactions.commit()
  transactions.read()
  await deferred()
  assert.not.ok(database.inTransaction)
  database.close()
})

test('a lone commit that a full disk rolled back is refused, and the next may succeed', async () => {
  const { add, notes, close } = queueWith((real) => ({
    commit: once(
      () => {
        real.rollback()
        failing('SQLITE_FULL')()
      },
      () => real.commit(),
    ),
  }))
  const full = await rejection(add('a'))
  assert.is(full instanceof StoreUnavailable && full.reason, 'full')
  await add('b')
  assert.equal(notes(), ['b'])
  close()
})

test('while another connection writes, steps are refused and the store goes on', async () => {
  const { add, notes, failures, close } = queueWith((real) => ({
    begin: once(failing('SQLITE_BUSY'), () => real.begin()),
  }))
  const busy = await rejection(add('a'))
  assert.is(busy instanceof StoreUnavailable && busy.reason, 'unreachable')
  await add('b')
  assert.equal(notes(), ['b'])
  assert.equal(failures, [])
  close()
})

test('an I/O error before the commit stops the store, with nothing written', async () => {
  const { queue, add, notes, failures, close } = queueWith(() => ({}))
  const read = queue.add({ run: failing('SQLITE_IOERR_READ') })
  const answers = await Promise.all([rejection(add('a')), rejection(read), rejection(add('b'))])
  for (const answer of answers) {
    assert.is(answer instanceof StoreUnavailable && answer.reason, 'unreachable')
  }
  await deferred()
  assert.is(failures.length, 1)
  assert.equal(notes(), [])
  close()
})

test('a step that cannot be undone stops the store: it must not be committed with the others', async () => {
  const { add, notes, failures, close } = queueWith(() => ({ rollbackToSavepoint: failing('SQLITE_NOMEM') }))
  const answers = await Promise.all([rejection(add('a')), rejection(add('a')), rejection(add('b'))])
  for (const answer of answers) {
    assert.is(answer instanceof StoreUnavailable && answer.reason, 'unreachable')
  }
  await deferred()
  assert.is(failures.length, 1)
  assert.equal(notes(), [])
  close()
})

test('a transaction that cannot be rolled back stops the store', async () => {
  const { queue, failures, close } = queueWith(() => ({ rollback: failing('SQLITE_NOMEM') }))
  await rejection(queue.add({ run: failing('SQLITE_IOERR_READ') }))
  await deferred()
  assert.equal(
    failures.map((error) => error.message),
    ['simulated SQLITE_IOERR_READ'],
  )
  close()
})

test.run()
