/** Nodes behind PgBouncer: in session mode they work, in any other they are refused. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openStore, openTransferTarget } from '../../persistence/index.ts'
import { row, type Store, StoreUnavailable, type Write } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { hasPgBouncer, type PgBouncer, type PoolMode, startPgBouncer } from '../support/pgbouncer.ts'
import { emptyPostgresDatabase, hasPostgres, newPostgresDatabase, tell } from '../support/postgres.ts'
import { ventanilla } from '../support/terminal.ts'
import { find, rejection, write } from './rows.ts'

const clock = { now: () => 1000 }
const open = (url: string) => openStore(url, { clock })

/** Behind one in front of a new database. */
async function behind(
  mode: PoolMode,
  settings: Readonly<Record<string, string>>,
  run: (bouncer: PgBouncer) => Promise<void>,
): Promise<void> {
  const bouncer = await startPgBouncer(await newPostgresDatabase(), mode, settings)
  try {
    await run(bouncer)
  } finally {
    bouncer.stop()
  }
}

/** A database whose owner has set what this program sets: settings that are there prove nothing. */
async function withTimeouts(): Promise<string> {
  const url = await emptyPostgresDatabase()
  await tell(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET lock_timeout = '5s'`)
  return url
}
let database: Promise<string> | undefined

const refused: readonly [name: string, mode: PoolMode, settings: Record<string, string>][] = [
  ['transaction mode', 'transaction', {}],
  ['transaction mode that hears no options', 'transaction', { ignore_startup_parameters: 'options' }],
  ['transaction mode with a reset each time', 'transaction', { server_reset_query_always: '1' }],
  ['transaction mode that takes sessions in turn', 'transaction', { server_round_robin: '1' }],
  [
    'transaction mode that makes sessions in advance, and takes them in turn',
    'transaction',
    { server_round_robin: '1', min_pool_size: '8', server_reset_query_always: '1' },
  ],
  ['statement mode', 'statement', {}],
]

const pooler = /^DatabaseUnusable: database \S+: A connection pooler answers there, and /
const shares = /gives one session to several connections\. .* set pool_mode=session, with eleven sessions/

let facts = 0
const fact = (): Write => ({ insert: 'facts', values: { name: `f${facts++}`, value: '' } })

/** Many at once, so that they share whatever can be shared. */
const manyTogether = (store: Store) =>
  Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? find(store, row('facts', { name: 'f0' })) : write(store, [fact()]),
    ),
  )

if (hasPostgres('nodes behind a pooler') && hasPgBouncer('nodes behind a pooler')) {
  for (const [name, mode, settings] of refused) {
    test(`no node starts behind ${name}`, async () => {
      database ??= withTimeouts()
      const bouncer = await startPgBouncer(await database, mode, settings)
      const error = await rejection(open(bouncer.url))
      assert.instance(error, DatabaseUnusable)
      assert.match(String(error), pooler)
      assert.match(String(error), shares)
      bouncer.stop()
    })
  }

  test('a session that is handed on as it was left is none', () =>
    behind('session', { server_reset_query: '' }, async ({ url }) => {
      const first = await open(url)
      await first.close()
      assert.match(String(await rejection(open(url))), shares)
    }))

  test('a start that is refused says it in a line, and ends with 3', () =>
    behind('transaction', {}, async ({ url }) => {
      const cwd = mkdtempSync(join(tmpdir(), 'pooled-'))
      try {
        const env = { VENTANILLA_DATABASE: url, VENTANILLA_KEYS_FILE: join(cwd, 'node.key') }
        for (const command of [['serve'], ['order', 'list']]) {
          const { code, err } = await ventanilla({ cwd, env }, ...command)
          assert.is(code, 3)
          assert.match(
            err,
            /A connection pooler answers there, and gives one session to several connections\./,
          )
          assert.is(err.trim().split('\n').length, 1)
        }
      } finally {
        rmSync(cwd, { recursive: true, force: true })
      }
    }))

  test('a pooler with too few sessions is told at the start', () =>
    behind('session', { default_pool_size: '2', query_wait_timeout: '1' }, async ({ url }) => {
      const error = String(await rejection(open(url)))
      assert.match(error, pooler)
      assert.match(error, 'has no 4 sessions at once')
    }))

  test('behind session mode two nodes work, lead, hear each other and follow each other', () =>
    behind('session', { default_pool_size: '22' }, async ({ url }) => {
      const [a, b] = [await open(url), await open(url)]
      const heard = new Promise<void>((resolve) => b.subscribe('orders', resolve))
      for (const { status } of await manyTogether(a)) assert.is(status, 'fulfilled')
      assert.ok(await a.lead('work'))
      assert.is(await b.lead('work'), null)
      // It may not be listening yet, and a hint that nobody hears is lost.
      for (let isHeard = false; !isHeard; ) {
        await a.step({ rows: {}, decide: () => ({ answer: null, writes: [], wake: ['orders'] }) })
        isHeard = await Promise.race([heard.then(() => true), delay(20, false)])
      }
      await a.close()
      // The pooler first cleans the session that held the lock.
      let next: Store | null = null
      while (next === null) next = await b.lead('work')
      assert.is((await write(next, [fact()])).outcome, 'committed')
      await b.close()
      // Sessions that nobody has any more are no nodes.
      const target = await openTransferTarget(url, { clock: fakeClock() })
      await target.close()
    }))

  test('a pooler that leaves session mode while nodes run is noticed', () =>
    behind('session', {}, async (bouncer) => {
      const store = await open(bouncer.url)
      for (const { status } of await manyTogether(store)) assert.is(status, 'fulfilled')
      await bouncer.set('pool_mode', 'transaction')
      let reasons: Error[] = []
      // A moment in which each happens to be given its own again does no harm.
      for (let round = 0; reasons.length === 0; round++) {
        assert.ok(round < 500, 'nobody noticed')
        const ended = await manyTogether(store)
        reasons = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      }
      for (const reason of reasons) {
        assert.instance(reason, StoreUnavailable)
        assert.match(String(reason.cause), shares)
      }
      await bouncer.set('pool_mode', 'session')
      // Each session that was shared is cleaned once, at the end of the connection that finds it so.
      let rounds = 0
      const isWell = async () => (await manyTogether(store)).every(({ status }) => status === 'fulfilled')
      while (!(await isWell())) assert.ok(++rounds < 500, 'it does not recover')
      await store.close()
    }))
}

test.run()
