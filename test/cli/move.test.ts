/** `ventanilla move`: from SQLite to PostgreSQL and back, with commands that work on either. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
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
