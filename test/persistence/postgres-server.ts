/** What the port promises, where the server or the other nodes could break it. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openPostgresStore, type PostgresStore } from '../../persistence/postgres/engine.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { statement } from '../../persistence/statement.ts'
import { row, StoreUnavailable, type Write } from '../../persistence/store.ts'
import { startMovingAddress } from '../support/moving-address.ts'
import {
  dropPostgresDatabase,
  hasPostgres,
  newPostgresDatabase,
  startPostgres,
  startStandby,
  tell,
  testServer,
} from '../support/postgres.ts'
import { find, newOrder, provision, rejection, write } from './rows.ts'

const clock = { now: () => 1000 }
const fact = (name: string): Write => ({ insert: 'facts', values: { name, value: '' } })
const addFact = statement<{ name: string }>()('test.addFact', ({ db }, arg) =>
  db.insertInto('facts').values({ name: arg('name'), value: '' }),
)

async function withStore(run: (store: PostgresStore, url: string) => Promise<void>): Promise<void> {
  const url = await newPostgresDatabase()
  const store = await openPostgresStore({ url, clock })
  try {
    await run(store, url)
  } finally {
    await store.close()
  }
}

async function rowsAt(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

if (hasPostgres('the PostgreSQL server')) {
  test('what a server has no room for is refused as such, and those beside it are committed', () =>
    withStore(async (store, url) => {
      // What is raised here is what the server says when its disk, or its memory, is full.
      await tell(
        url,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$;
         CREATE TRIGGER no_disk BEFORE INSERT ON facts FOR EACH ROW WHEN (NEW.name = 'large')
           EXECUTE FUNCTION refuse('53100');
         CREATE TRIGGER no_memory BEFORE INSERT ON facts FOR EACH ROW WHEN (NEW.name = 'huge')
           EXECUTE FUNCTION refuse('53200')`,
      )
      const [before, large, huge, after] = await Promise.allSettled([
        write(store, [fact('before')]),
        write(store, [fact('undone'), fact('large')]),
        store.execute(addFact, { name: 'huge' }),
        write(store, [fact('after')]),
      ])
      assert.equal([before.status, after.status], ['fulfilled', 'fulfilled'])
      for (const full of [large, huge]) {
        assert.is(
          full.status === 'rejected' && full.reason instanceof StoreUnavailable && full.reason.reason,
          'full',
        )
      }
      assert.equal(await rowsAt(url, 'SELECT name FROM facts ORDER BY name'), [
        { name: 'after' },
        { name: 'before' },
      ])
    }))

  test('a standby to which the address leads is not believed, and no node starts on it', async () => {
    const primary = await startPostgres()
    const socketOf = ({ folder }: { folder: string }) => join(folder, '.s.PGSQL.5432')
    const address = await startMovingAddress(socketOf(primary))
    const url = `postgres://test@127.0.0.1:${address.port}/postgres`
    const store = await openPostgresStore({ url, clock: { now: () => 1000 } })
    const standby = await startStandby(primary)
    try {
      await write(store, [fact('before')])
      address.moveTo(socketOf(standby))
      assert.instance(await rejection(store.query(factByName, { name: 'before' })), StoreUnavailable)
      const refused = await rejection(openPostgresStore({ url, clock: { now: () => 1000 } }))
      assert.match(String(refused), /^DatabaseUnusable: .*: The server is a replica, which takes no writes/)
      address.moveTo(socketOf(primary))
      assert.is((await store.query(factByName, { name: 'before' })).length, 1)
    } finally {
      await store.close()
      await address.close()
      for (const server of [standby, primary]) server.end()
    }
  })

  test('what happens to an order is no earlier than what another node, a little ahead, has done to it', async () => {
    const url = await newPostgresDatabase()
    const times = { ahead: 5000, behind: 1000 }
    const ahead = await openPostgresStore({ url, clock: { now: () => times.ahead } })
    const behind = await openPostgresStore({ url, clock: { now: () => times.behind } })
    const timeOf = async (id: string) => {
      const result = await behind.step({
        rows: { order: row('orders', { id }) },
        decide: (_, at) => ({ answer: at, writes: [] }),
      })
      return result.outcome === 'committed' ? result.at : null
    }
    try {
      await provision(ahead)
      await write(ahead, [newOrder('a', 5000), newOrder('far', 6001)])
      assert.is(await timeOf('none'), 1000)
      assert.is(await timeOf('a'), 5000)
      assert.is(await timeOf('none'), 5000, 'its own time does not run back either')
      times.behind = 5001
      assert.is(await timeOf('a'), 5001)
      behind.followClock()
      times.behind = 1000
      assert.is(await timeOf('far'), 1000, 'a clock that is further off is not followed')
    } finally {
      await Promise.all([ahead.close(), behind.close()])
    }
  })

  test('all texts compare byte by byte, as pages and ranges of ids assume', () =>
    withStore(async (_, url) => {
      const others = `SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        JOIN pg_collation l ON l.oid = a.attcollation
        WHERE c.relkind IN ('r', 'i') AND c.relnamespace = current_schema()::regnamespace AND l.collname <> 'C'`
      assert.equal(await rowsAt(url, others), [])
    }))

  test('sessions keep what money needs, whatever the database says', async () => {
    const url = await newPostgresDatabase()
    const database = new URL(url).pathname.slice(1)
    const server = await testServer()
    const setTo = (name: string, value: string) =>
      tell(server.url('postgres'), `ALTER DATABASE ${database} SET ${name} = ${value}`)
    await setTo('synchronous_commit', 'off')
    await setTo('default_transaction_isolation', "'serializable'")
    await setTo('default_transaction_read_only', 'on')
    const settings = statement<Record<never, never>>()('test.settings', ({ db }) => ({
      compile: () =>
        sql<Record<'commit' | 'isolation', string>>`SELECT current_setting('synchronous_commit') AS commit,
          current_setting('transaction_isolation') AS isolation`.compile(db),
    }))
    const store = await openPostgresStore({ url, clock })
    try {
      assert.equal(await store.execute(settings, {}), [{ commit: 'on', isolation: 'read committed' }])
      assert.is((await write(store, [fact('a')])).outcome, 'committed')
      assert.ok(await find(store, row('facts', { name: 'a' })))
    } finally {
      await store.close()
    }
    await setTo('synchronous_commit', 'remote_apply')
    const strict = await openPostgresStore({ url, clock })
    assert.equal(await strict.execute(settings, {}), [
      { commit: 'remote_apply', isolation: 'read committed' },
    ])
    await strict.close()
  })

  test('a database of another encoding is refused', async () => {
    const server = await testServer()
    const encoding = "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
    await tell(server.url('postgres'), `CREATE DATABASE of_bytes TEMPLATE template0 ${encoding}`)
    const error = await rejection(openPostgresStore({ url: server.url('of_bytes'), clock }))
    await dropPostgresDatabase(server.url('of_bytes'))
    assert.instance(error, DatabaseUnusable)
    assert.match(String(error), /Its encoding is SQL_ASCII\. Make it with ENCODING 'UTF8'\./)
  })
}

test.run()
