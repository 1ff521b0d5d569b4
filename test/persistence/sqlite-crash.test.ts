/** What survives when the process or the disk fails. This file is also the program that is made to fail. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseLocked } from '../../persistence/database-errors.ts'
import { openSqliteStore, type SqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../persistence/store.ts'
import { accountsOf, balanceOf, write } from './rows.ts'

const clock = { now: () => 1000 }

/** Writes facts and postings from 16 callers at once, and tells how each step ended, until one does not succeed. */
async function keepWriting(file: string): Promise<void> {
  const tell = (ending: string, name: string) => process.stdout.write(`${ending} ${name}\n`)
  const store = openSqliteStore({ file, clock, onFailure: () => store.close() })
  tell('open', file)
  const caller = async (_: unknown, index: number) => {
    for (let count = 0; ; count++) {
      const name = `${index}-${count}`
      try {
        await write(store, [
          { insert: 'facts', values: { name, value: 'x'.repeat(100) } },
          {
            post: { kind: 'k', ...accountsOf('MXN'), amountMinor: 1n, orderId: null, reference: name },
          },
        ])
        tell('committed', name)
      } catch (error) {
        if (error instanceof OutcomeUnknown) tell('unknown', name)
        else if (error instanceof StoreUnavailable) tell(error.reason, name)
        else throw error
        return
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
}

if (process.argv[2] === 'write') await keepWriting(String(process.argv[3]))
else runTests()

const names = statement<Record<never, never>>()('facts.names', ({ db }) =>
  db.selectFrom('facts').select('name'),
)
const references = statement<Record<never, never>>()('postings.references', ({ db }) =>
  db.selectFrom('postings').select('reference'),
)

/** Each step is there whole or not at all, and the ledger is what its postings say. Returns the steps' names. */
async function assertWhole(store: SqliteStore): Promise<Set<string | null>> {
  const written = new Set<string | null>((await store.query(names, {})).map((fact) => fact.name))
  const posted = await store.query(references, {})
  assert.is(posted.length, written.size)
  assert.ok(posted.every((posting) => written.has(posting.reference)))
  assert.is(await balanceOf(store, 'available:m1:MXN'), BigInt(written.size))
  assert.is(await balanceOf(store, 'bank::MXN'), -BigInt(written.size))
  return written
}

/** Collects what a writer tells, by how the steps ended, until it ends. */
async function listen(
  writer: ChildProcessByStdio<null, Readable, null>,
  onStep: (committed: number) => void = () => {},
): Promise<Map<string, string[]>> {
  const endings = new Map<string, string[]>()
  for await (const line of createInterface(writer.stdout)) {
    const [ending = '', name = ''] = line.split(' ')
    const steps = endings.get(ending) ?? []
    endings.set(ending, steps)
    steps.push(name)
    if (ending === 'committed') onStep(steps.length)
  }
  return endings
}

function runTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-crash-'))
  test.after(() => rmSync(folder, { recursive: true }))

  test('killed in the middle of concurrent steps, all that was acknowledged is there', async () => {
    const file = join(folder, 'killed.db')
    const writer = spawn(process.execPath, [import.meta.filename, 'write', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const endings = await listen(writer, (committed) => {
      if (committed === 300) writer.kill('SIGKILL')
    })
    assert.equal([...endings.keys()], ['open', 'committed'])
    const store = openSqliteStore({ file, clock })
    const written = await assertWhole(store)
    assert.equal(
      endings.get('committed')?.filter((name) => !written.has(name)),
      [],
    )
    await store.close()
  })

  test('another process finds the database locked, until its owner dies', async () => {
    const file = join(folder, 'owned.db')
    const owner = spawn(process.execPath, [import.meta.filename, 'write', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(owner, 'close')
    await once(owner.stdout, 'data')
    let error: unknown
    try {
      openSqliteStore({ file, clock })
    } catch (thrown) {
      error = thrown
    }
    owner.stdout.resume()
    owner.kill('SIGKILL')
    await ended
    assert.instance(error, DatabaseLocked)
    const store = openSqliteStore({ file, clock })
    await assertWhole(store)
    await store.close()
  })

  if (process.platform !== 'win32') {
    test('when the disk fails during a commit its steps are unknown, and the store stops', async () => {
      const file = join(folder, 'failing.db')
      // No file of the writer may grow beyond this many blocks: SQLite meets it as a failed write in a commit. All
      // migrations are one commit, and fit however many there will be.
      const limited = 'ulimit -f 4000; exec "$0" "$@"'
      const { NODE_V8_COVERAGE: _, ...environment } = process.env
      const writer = spawn('sh', ['-c', limited, process.execPath, import.meta.filename, 'write', file], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: environment,
      })
      const exited = once(writer, 'exit')
      const endings = await listen(writer)
      assert.equal(await exited, [0, null])
      assert.is(endings.get('unknown')?.length, 16)
      assert.equal([...endings.keys()].sort(), ['committed', 'open', 'unknown'])
      const store = openSqliteStore({ file, clock })
      const written = await assertWhole(store)
      assert.equal(
        endings.get('committed')?.filter((name) => !written.has(name)),
        [],
      )
      await store.close()
    })
  }

  test.run()
}
