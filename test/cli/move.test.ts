/** `ventanilla move`: from SQLite to PostgreSQL and back, with commands that work on either. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore, openTransferSource, openTransferTarget } from '../../persistence/index.ts'
import { recordFact } from '../../persistence/queries/node.ts'
import { transfer } from '../../persistence/transfer.ts'
import { fakeClock } from '../support/clock.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { orderIn } from '../support/orders.ts'
import { emptyPostgresDatabase, hasPostgres } from '../support/postgres.ts'
import { type Ran, ventanilla } from '../support/terminal.ts'

const directory = mkdtempSync(join(tmpdir(), 'ventanilla-move-'))
const old = `sqlite:${join(directory, 'node.db')}`
const keyFile = join(directory, 'node.key')
test.after(() => rmSync(directory, { recursive: true, force: true }))

let clock: TestNode['clock'] | undefined

async function start(database: string, isFirst = false): Promise<TestNode> {
  const node = await startTestNode({
    directory,
    env: { VENTANILLA_DATABASE: database, VENTANILLA_KEYS_FILE: keyFile },
    ...(clock ? { clock } : {}),
    ...(isFirst ? {} : { parties: null }),
  })
  clock = node.clock
  return node
}

const run = (database: string, ...args: string[]): Promise<Ran> =>
  ventanilla(
    {
      cwd: directory,
      env: { VENTANILLA_DATABASE: database, VENTANILLA_KEYS_FILE: keyFile },
      ...(clock ? { clock } : {}),
    },
    ...args,
  )

const pick = ({ json }: Ran) => json.orders.map(({ id, status }: Record<string, string>) => `${id} ${status}`)

test('a target that cannot be read is never shown', async () => {
  for (const to of [
    'postgres://me:hunter2@hunter3/orders@db.example/orders',
    'postgres://me:hunter2 @db.example/orders',
    'mysql://me:hunter2@db.example/orders',
    'sqlite:hunter2\rhunter3',
  ]) {
    const ran = await run(old, 'move', '--to', to)
    assert.is(ran.code, 2)
    assert.match(
      ran.err,
      /^--to: it must be sqlite:FILE or postgres:\/\/USER:PASSWORD@HOST\/NAME[^\r\n]*\.\n$/,
    )
    assert.not.match(ran.err, 'hunter')
  }
})

if (hasPostgres('moving to PostgreSQL')) {
  test('everything is moved to PostgreSQL and back, and nothing is left to be used by mistake', async () => {
    const server = await emptyPostgresDatabase()
    const back = `sqlite:${join(directory, 'back.db')}`
    let node = await start(old, true)
    for (const status of ['READY', 'LOCKED', 'COMPLETED'] as const) await orderIn(node, 'PAY_OUT', status)

    const running = await run(old, 'move', '--to', server, '--json')
    assert.is(running.code, 3)
    assert.match(running.json.error.message, 'another process owns it')
    await node.stop()
    const before = pick(await run(old, 'order', 'list', '--json'))
    assert.is(before.length, 3)

    const moved = await run(old, 'move', '--to', server, '--json')
    assert.is(moved.code, 0, moved.err)
    const rowsOf = (name: string) =>
      moved.json.tables.find((table: { name: string }) => table.name === name)?.rows
    assert.is(rowsOf('orders'), 3)
    assert.ok(rowsOf('journal') > 6 && rowsOf('postings') > 3)
    assert.ok(moved.json.checks.every(({ ok }: { ok: boolean }) => ok))

    const abandoned = await run(old, 'order', 'list', '--json')
    assert.is(abandoned.code, 3)
    assert.match(abandoned.json.error.message, 'The database was moved to ')
    assert.match((await run(old, 'move', '--to', server, '--json')).json.error.message, 'it was moved to')

    node = await start(server)
    assert.equal(pick(await run(server, 'order', 'list', '--json')), before, 'a command beside the node')
    const made = await node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/orders/pay-out/',
      body: payOutBody(),
      at: 50,
    })
    assert.is(made.status, 201, made.text)
    const connected = await run(server, 'move', '--to', back, '--json')
    assert.is(connected.code, 3)
    assert.match(connected.json.error.message, 'nodes are connected to it')
    await node.stop()
    const verified = await run(server, 'verify', '--json')
    assert.is(verified.json.ok, true, verified.out)

    const again = await run(server, 'move', '--to', back, '--json')
    assert.is(again.code, 0, again.err)
    node = await start(back)
    const after = pick(await run(back, 'order', 'list', '--json'))
    assert.is(after.length, 4)
    assert.is((await run(back, 'verify', '--json')).json.ok, true)
    const overview = await node.core.orders.find(made.json.id)
    assert.is(overview?.order.merchant_order_id, made.json.merchant_order_id)
    await node.stop()
  })

  /** As it is when a move from `from` to `to` is killed behind the copy, or behind the mark of the source. */
  async function cutOff(from: string, to: string, behind: 'copy' | 'mark'): Promise<void> {
    const options = { clock: clock ?? fakeClock() }
    const source = await openTransferSource(from, options)
    const target = await openTransferTarget(to, options)
    const move = { id: 'a move', from: source.place }
    await transfer(source, target, { move }, () => {})
    if (behind === 'mark') await source.markMoved(target.place, move.id)
    await target.close()
    await source.close()
  }

  /** Where orders are, the node starts; the other one names the next command. */
  async function assertOnlyOneServes(
    used: string | null,
    others: [database: string, says: RegExp][],
  ): Promise<void> {
    for (const [database, says] of others) {
      const refused = await run(database, 'order', 'list', '--json')
      assert.is(refused.code, 3, database)
      const { message, hint } = refused.json.error
      assert.match(`${message} ${hint}`, says)
    }
    if (used !== null) assert.is((await run(used, 'order', 'list', '--json')).code, 0)
  }

  const isTarget =
    /is the target of a move from \S+ that was cut off: no node starts on it .* run `ventanilla move --to` this one once more/
  const isMoved = /The database was moved to \S+\. .* run the same `ventanilla move` again/

  test('what is copied to PostgreSQL is not counted once more, and what comes after it is', async () => {
    const from = `sqlite:${join(directory, 'counted.db')}`
    const server = await emptyPostgresDatabase()
    rmSync(`${keyFile}.anchors`, { force: true })
    const node = await start(from, true)
    await orderIn(node, 'PAY_OUT', 'COMPLETED')
    await node.stop()
    const options = { clock: clock ?? fakeClock() }
    const source = await openTransferSource(from, options)
    const target = await openTransferTarget(server, options)
    const counters: Promise<number>[] = []
    await transfer(source, target, { move: { id: 'a move', from: source.place } }, ({ table }) => {
      if (table === 'orders') counters.push(target.count('order_days'))
    })
    assert.equal(await Promise.all(counters), [0])
    assert.ok((await target.count('order_days')) > 0)
    await target.close()
    await source.close()
    const client = new Client({ connectionString: server })
    await client.connect()
    const { rows } = await client.query("SELECT tgname FROM pg_trigger WHERE tgenabled = 'D'")
    await client.end()
    assert.equal(rows, [])
  })

  for (const direction of ['SQLite to PostgreSQL', 'PostgreSQL to SQLite'] as const) {
    test(`from ${direction}, a move that was cut off leaves one database in use, and is resumed`, async () => {
      const sqlite = `sqlite:${join(directory, `${direction.replaceAll(' ', '-')}.db`)}`
      const server = await emptyPostgresDatabase()
      const [from, to] = direction === 'SQLite to PostgreSQL' ? [sqlite, server] : [server, sqlite]
      // Of the databases before.
      rmSync(`${keyFile}.anchors`, { force: true })
      let node = await start(from, true)
      await orderIn(node, 'PAY_OUT', 'READY')
      await node.stop()

      await cutOff(from, to, 'copy')
      await assertOnlyOneServes(from, [[to, isTarget]])
      // The source is in use, so it goes on.
      node = await start(from)
      await orderIn(node, 'PAY_OUT', 'LOCKED')
      await node.stop()
      const backwards = await run(to, 'move', '--to', from, '--json')
      assert.match(backwards.json.error.message, /it is the target of a move from \S+ that was cut off/)

      await cutOff(from, to, 'mark')
      await assertOnlyOneServes(null, [
        [from, isMoved],
        [to, isTarget],
      ])
      const resumed = await run(from, 'move', '--to', to, '--json')
      assert.is(resumed.code, 0, resumed.err)
      await assertOnlyOneServes(to, [[from, isMoved]])
      assert.is(pick(await run(to, 'order', 'list', '--json')).length, 2)
      assert.is((await run(to, 'verify', '--json')).json.ok, true)
      const again = await run(from, 'move', '--to', to, '--json')
      assert.match(again.json.error.message, 'it was moved to')
    })
  }

  test('a node that was cut off from PostgreSQL while it was moved can write no more', async () => {
    const server = await emptyPostgresDatabase()
    const node = await start(server, true)
    await node.stop()
    const opened = await openStore(server, { clock: node.clock })
    await opened.close()
    const moved = await run(server, 'move', '--to', `sqlite:${join(directory, 'away.db')}`, '--json')
    assert.is(moved.code, 0, moved.err)
    const back = await openStore(server, { clock: node.clock })
    let error: unknown
    await back.execute(recordFact, { name: 'drained', value: 'null' }).catch((thrown: unknown) => {
      error = thrown
    })
    await back.close()
    assert.match(
      String(error instanceof Error && error.cause ? error.cause : error),
      /this database was moved to/,
    )
  })

  test('a database with rows of its own takes no others', async () => {
    const other = `sqlite:${join(directory, 'other.db')}`
    const node = await start(other, true)
    await node.stop()
    const refused = await run(`sqlite:${join(directory, 'back.db')}`, 'move', '--to', other, '--json')
    assert.is(refused.code, 3)
    assert.match(refused.json.error.message, 'it is not empty')
    assert.is((await run(other, 'verify', '--json')).json.ok, true)
  })

  test('a target that is none is a matter of usage', async () => {
    assert.is((await run(old, 'move', '--to', 'mysql://x', '--json')).code, 2)
    assert.is((await run(old, 'move', '--to', old, '--json')).code, 2)
  })
}

test.run()
