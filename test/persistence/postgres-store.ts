import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseTooNew, DatabaseUnusable } from '../../persistence/database-errors.ts'
import { openReader, openStore } from '../../persistence/index.ts'
import { migrations } from '../../persistence/migrations/index.ts'
import { Connections } from '../../persistence/postgres/database.ts'
import { openPostgresStore, type PostgresStore } from '../../persistence/postgres/engine.ts'
import { isLost } from '../../persistence/postgres/errors.ts'
import { journalEnd } from '../../persistence/queries/anchors.ts'
import { LeadershipLost, OutcomeUnknown, row, StoreUnavailable, type Write } from '../../persistence/store.ts'
import { problemsOf } from '../support/looks.ts'
import { emptyPostgresDatabase, hasPostgres, newPostgresDatabase, testServer } from '../support/postgres.ts'
import { assertNumbered, ledgerBefore } from './numbered-upgrade.ts'
import { balanceOf, find, newOrder, provision, rejection, write } from './rows.ts'
import { storeContract } from './store-contract.ts'

const clock = { now: () => 1000 }
const fact = (name: string, value = ''): Write => ({ insert: 'facts', values: { name, value } })
const deposit = (from: string, to: string): Write => ({
  post: {
    kind: 'deposit',
    debit: { kind: 'bank', ownerId: from, currency: 'MXN' },
    credit: { kind: 'bank', ownerId: to, currency: 'MXN' },
    amountMinor: 1n,
    orderId: null,
    reference: null,
  },
})

/** Runs on some nodes' stores of one new database. */
function withNodes(
  name: string,
  count: number,
  run: (stores: PostgresStore[], url: string) => Promise<void>,
): void {
  test(name, async () => {
    const url = await newPostgresDatabase()
    const stores = await Promise.all(Array.from({ length: count }, () => openPostgresStore({ url, clock })))
    try {
      await run(stores, url)
    } finally {
      await Promise.all(stores.map((store) => store.close()))
    }
  })
}

/** Somebody else on the same database. */
async function withClient<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

const count = (store: PostgresStore) =>
  store.step({
    rows: { fact: row('facts', { name: 'count' }) },
    decide: ({ fact: found }) => {
      const value = String(Number(found?.value) + 1)
      return { answer: value, writes: [{ update: 'facts', key: { name: 'count' }, set: { value } }] }
    },
  })

if (hasPostgres('the PostgreSQL engine')) {
  storeContract(test, () => {
    const url = newPostgresDatabase()
    return { open: async (at) => openStore(await url, { clock: at }) }
  })

  withNodes('steps of three nodes follow one another', 3, async (stores) => {
    const [first] = stores
    if (!first) return
    await write(first, [fact('count', '0')])
    await Promise.all(stores.flatMap((store) => Array.from({ length: 30 }, () => count(store))))
    assert.equal(await find(first, row('facts', { name: 'count' })), { name: 'count', value: '90' })
  })

  withNodes(
    'many rows that a step puts into one table go there in one statement',
    1,
    async ([store], url) => {
      if (!store) return
      await withClient(url, async (client) => {
        await client.query(`
        CREATE TABLE statements_counted (rows BIGINT);
        CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO statements_counted SELECT count(*) FROM added; RETURN NULL; END $$;
        CREATE TRIGGER counted AFTER INSERT ON facts REFERENCING NEW TABLE AS added
          FOR EACH STATEMENT EXECUTE FUNCTION count_statement()`)
        const facts = (name: string) => Array.from({ length: 500 }, (_, index) => fact(`${name} ${index}`))
        await write(store, [...facts('a'), { delete: 'facts', key: { name: 'a 1' } }, ...facts('b')])
        const { rows: counted } = await client.query('SELECT rows::int FROM statements_counted')
        assert.equal(counted, [{ rows: 500 }, { rows: 500 }])
      })
    },
  )

  withNodes('money that goes both ways between the same accounts stops nobody', 2, async ([a, b]) => {
    if (!a || !b) return
    const there = Array.from({ length: 50 }, () => write(a, [deposit('x', 'y')]))
    const back = Array.from({ length: 50 }, () => write(b, [deposit('y', 'x')]))
    for (const { outcome } of await Promise.all([...there, ...back])) assert.is(outcome, 'committed')
    assert.is(await balanceOf(a, 'bank:x:MXN'), 0n)
  })

  withNodes('two steps that lock each other out both end', 1, async ([store], url) => {
    if (!store) return
    await write(store, [fact('a', '0'), fact('b', '0')])
    await withClient(url, async (client) => {
      await client.query('BEGIN')
      await client.query("UPDATE facts SET value = '1' WHERE name = 'b'")
      const step = store.step({
        rows: { a: row('facts', { name: 'a' }), b: row('facts', { name: 'b' }) },
        decide: (rows) => ({ answer: rows.b?.value, writes: [] }),
      })
      // It holds a and waits for b: now the other wants a, and the server ends one of the two.
      await until(client, "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND mode <> 'x'")
      const other = await client
        .query("UPDATE facts SET value = '1' WHERE name = 'a'")
        .catch((error) => error)
      await client.query(other instanceof Error ? 'ROLLBACK' : 'COMMIT')
      const result = await step
      assert.is(result.outcome === 'committed' && result.answer, other instanceof Error ? '0' : '1')
    })
  })

  withNodes('steps and reads go on when their connections are cut', 1, async ([store], url) => {
    if (!store) return
    await write(store, [fact('count', '0')])
    for (let round = 0; round < 3; round++) {
      await withClient(url, (client) =>
        client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`),
      )
      assert.is((await count(store)).outcome, 'committed')
      assert.is((await store.query(journalEnd, {})).length, 0)
    }
    assert.equal(await find(store, row('facts', { name: 'count' })), { name: 'count', value: '3' })
  })

  withNodes(
    'a commit whose answer was lost is unknown, and what was written is there',
    1,
    async ([store], url) => {
      if (!store) return
      await withClient(url, async (client) => {
        // What is checked at the commit holds it back until this lets it go.
        await client.query(`
        CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_advisory_xact_lock(1, 1); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER late AFTER INSERT ON facts DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait_for_test()`)
        await client.query('SELECT pg_advisory_lock(1, 1)')
        const lost = rejection(write(store, [fact('a')]))
        await until(
          client,
          "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        )
        await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query = 'COMMIT'`)
        assert.instance(await lost, OutcomeUnknown)
        await client.query('SELECT pg_advisory_unlock(1, 1)')
        assert.is((await write(store, [fact('b')])).outcome, 'committed', 'and the node goes on')
      })
    },
  )

  withNodes('a row that nobody lets go of is no reason to wait for ever', 1, async ([store], url) => {
    if (!store) return
    await write(store, [fact('a', '0'), fact('count', '0')])
    await withClient(url, async (client) => {
      await client.query("BEGIN; UPDATE facts SET value = '1' WHERE name = 'a'")
      const blocked = rejection(find(store, row('facts', { name: 'a' })))
      assert.is((await count(store)).outcome, 'committed', 'others go on meanwhile')
      const error = await blocked
      assert.is(error instanceof StoreUnavailable && error.reason, 'unreachable')
      await client.query('ROLLBACK')
    })
  })

  withNodes('other nodes hear of a topic', 2, async ([a, b]) => {
    if (!a || !b) return
    const heard = new Promise<void>((resolve) => b.subscribe('orders', resolve))
    // It may not be listening yet, and a hint that nobody hears is lost.
    const isHeard = heard.then(() => true)
    for (let told = false; !told; told = await Promise.race([isHeard, sleep(50, false)])) {
      await a.step({ rows: {}, decide: () => ({ answer: null, writes: [], wake: ['orders'] }) })
    }
  })

  withNodes('one node leads, and another follows it when it is gone', 2, async ([a, b]) => {
    if (!a || !b) return
    const first = await a.lead('work')
    assert.ok(first)
    assert.is(await b.lead('work'), null)
    assert.ok(await b.lead('other work'))
    await a.close()
    const second = await b.lead('work')
    assert.ok(second)
    assert.is((await write(second ?? b, [fact('a')])).outcome, 'committed')
  })

  withNodes('who led before another does writes nothing', 2, async ([a, b], url) => {
    if (!a || !b) return
    const first = await a.lead('work')
    await withClient(url, (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'ventanilla leader'`),
    )
    assert.ok(await b.lead('work'))
    assert.instance(await rejection(write(first ?? b, [fact('a')])), LeadershipLost)
    assert.is(await find(b, row('facts', { name: 'a' })), null)
    assert.is(await a.lead('work'), null)
  })

  withNodes('the end of the journal waits for what was begun before it', 1, async ([store], url) => {
    if (!store) return
    await provision(store)
    await write(store, [newOrder('o1', 1)])
    const entry = (sequence: number): Write => ({
      insert: 'journal',
      values: {
        order_id: 'o1',
        sequence,
        entry_at: 1,
        actor: 'clock',
        event_json: '{}',
        to_status: 'CREATED',
        outcome: 'accepted',
        hash: 'h',
      },
    })
    await withClient(url, async (client) => {
      await client.query(`BEGIN; INSERT INTO journal (order_id, sequence, entry_at, actor, event_json, to_status,
        outcome, hash) VALUES ('o1', 1, 1, 'clock', '{}', 'CREATED', 'accepted', 'h')`)
      assert.is((await write(store, [entry(2)])).outcome, 'committed', 'others add theirs meanwhile')
      const end = store.query(journalEnd, {})
      assert.is(await Promise.race([end, sleep(30, 'waits')]), 'waits')
      await client.query('COMMIT')
      assert.equal(await end, [{ position: 2 }])
    })
    const failed = await rejection(
      write(store, [{ update: 'journal', key: { order_id: 'o1', sequence: 1 }, set: { actor: 'nobody' } }]),
    )
    assert.match(String(failed), 'the journal is append-only')
  })

  withNodes('a reader sees one state, and what refers to nothing', 1, async ([store], url) => {
    if (!store) return
    await provision(store)
    const reader = await openReader(url)
    const seen = await reader.snapshot(async (query) => {
      const before = await query(journalEnd, {})
      await write(store, [newOrder('o1', 1)])
      return [before, await query(journalEnd, {})]
    })
    assert.equal(seen, [[], []])
    assert.equal(await problemsOf(reader.damages()), [])
    assert.equal(await problemsOf(reader.brokenReferences()), [])
    await withClient(url, (client) =>
      client.query(`SET session_replication_role = replica; DELETE FROM credentials WHERE key = 'mk_demo'`),
    )
    const broken = await problemsOf(reader.brokenReferences())
    assert.equal(broken, ['1 rows of orders refer to no row of credentials'])
    await reader.close()
  })

  test('a node that stands still inside a step keeps its rows from others for less long than they wait', async () => {
    const url = await newPostgresDatabase()
    const connections = new Connections(url, { name: 'writer' }, 1)
    const store = await openPostgresStore({ url, clock })
    try {
      await write(store, [fact('count', '0')])
      const stoodStill = connections.use(async (client) => {
        await client.query(`BEGIN; UPDATE facts SET value = '7' WHERE name = 'count'`)
        const answer = await count(store)
        assert.is(answer.outcome === 'committed' && answer.answer, '1')
        await client.query('COMMIT')
      })
      assert.ok(isLost(await rejection(stoodStill)))
      assert.equal(await find(store, row('facts', { name: 'count' })), { name: 'count', value: '1' })
    } finally {
      await Promise.all([store.close(), connections.close()])
    }
  })

  test('nodes that start together on an empty database make its tables once', async () => {
    const url = await emptyPostgresDatabase()
    const stores = await Promise.all([1, 2, 3].map(() => openStore(url, { clock })))
    const applied = await withClient(url, (client) =>
      client.query('SELECT name FROM migrations ORDER BY name'),
    )
    assert.equal(
      applied.rows.map(({ name }) => name),
      migrations.map(({ name }) => name),
    )
    for (const store of stores) await store.close()
    await withClient(url, (client) => client.query("INSERT INTO migrations VALUES ('9999-later', 1)"))
    const error = await rejection(openStore(url, { clock }))
    assert.instance(error, DatabaseTooNew)
    assert.match(String(error), '9999-later')
  })

  test('a database that cannot be used is named, without its password', async () => {
    const others = await emptyPostgresDatabase()
    await withClient(others, (client) => client.query('CREATE TABLE wordpress (id int)'))
    const none = (await testServer()).url('nothing_here')
    const cases: [string, RegExp][] = [
      [others, /it belongs to another program \(it has wordpress/],
      [none, /database "nothing_here" does not exist/],
      ['postgres://ana:hunter2@127.0.0.1:9/orders', /127\.0\.0\.1:9\/orders: .*ECONNREFUSED/],
    ]
    for (const [url, message] of cases) {
      const error = await rejection(openStore(url, { clock }))
      assert.instance(error, DatabaseUnusable)
      assert.match(String(error), message)
      assert.not.match(String(error), 'hunter2')
    }
  })
}

/** Waits until a count is no longer zero. */
async function until(client: Client, text: string): Promise<void> {
  for (let n = 0; n === 0; ) n = (await client.query<{ n: number }>(text)).rows[0]?.n ?? 0
}

test('an upgrade numbers the postings that are there, and says up to which', async () => {
  const url = await emptyPostgresDatabase()
  const at = migrations.findIndex(({ name }) => name.endsWith('posting-days'))
  await (await openPostgresStore({ url, clock, migrations: migrations.slice(0, at) })).close()
  await withClient(url, (client) => client.query(ledgerBefore))
  await (await openPostgresStore({ url, clock })).close()
  await withClient(url, (client) => assertNumbered(async (sql) => (await client.query(sql)).rows))
})

test.run()
