/**
 * A sandbox whose clock is far ahead tells no time of the world's: on no page, in no answer, in no row. What the world has a part in is
 * the exception, and is listed here.
 */
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operationsOf } from '../../actors/operations/index.ts'
import { fakeClock } from '../support/clock.ts'
import { dispatchOf, onSqlite, visitorAs } from '../support/console.ts'
import { everyPage } from '../support/console-barriers.ts'

const stops: (() => Promise<unknown>)[] = []
test.after.each(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** So that no date of the world can be one of the sandbox's. */
const aheadMs = 800 * 86_400_000
const sandboxNow = Date.UTC(2026, 2, 1, 12)
const worldYear = new Date(sandboxNow - aheadMs).getUTCFullYear()

async function farAhead() {
  const clock = fakeClock(sandboxNow - aheadMs)
  return everyPage({ closing: (stop) => stops.push(stop) }, { ...onSqlite(), clock, aheadMs })
}

/** What tells of the world: the machine's clock and its check, backups' files, and what signs a request now. */
const ofWorld = new Set(['clock.show', 'sandbox.clock.show', 'backup.list', 'doctor', 'credential.sign'])
/** It was made with the database, before anybody moved the clock. */
const older = 'evidence.key'
const checkOfClock = /<bdi>it is 2023-12-22T13:00:00\.000Z<\/bdi>/

test('no page and no answer has a time of the world', async () => {
  const { node, addresses } = await farAhead()
  assert.is(worldYear, 2023)
  const found: string[] = []
  const look = (where: string, text: string) => {
    const at = text.search(/\b2023\b/)
    if (at >= 0) found.push(`${where}: ${text.slice(Math.max(0, at - 80), at + 40)}`)
  }
  const visitor = await visitorAs(node, 'administrator')
  for (const path of addresses) {
    const { text, status } = await visitor.get(path)
    assert.is(status, 200, path)
    look(path, path === '/health' ? text.replace(checkOfClock, '') : text)
    assert.match(text, /class="sandbox-clock/, `${path} says that its clock is ahead`)
  }
  const ask = dispatchOf(node)
  let asked = 0
  for (const { name, isRead } of operationsOf('sandbox')) {
    if (!isRead || ofWorld.has(name) || name === older) continue
    const answer = await ask(name, {}, 'ana').catch(() => null)
    if (answer === null) continue
    asked += 1
    look(
      name,
      JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
  }
  assert.ok(asked > 20, `${asked} operations were asked`)
  const paths = [
    '/api/v1/merchants/orders/pay-out/',
    '/api/v1/merchants/orders/pay-in/',
    '/api/v1/merchants/balances/',
    '/api/v1/merchants/webhooks/',
    '/api/v1/merchants/statements/',
    '/api/v1/sandbox/requests/',
  ]
  for (const path of paths) {
    const { status, text } = await node.request({ as: 'mk_shop', path })
    assert.is(status, 200, `${path} ${text}`)
    look(path, text)
  }
  assert.equal(found, [])
})

test('no row is dated by the world’s clock', async () => {
  const { node } = await farAhead()
  const { database } = node.settings
  if (database.engine !== 'sqlite') throw new Error('It is on SQLite.')
  const reader = new Database(database.file, { readonly: true })
  const columns = reader
    .prepare<[], { name: string; column: string }>(
      `SELECT m.name, c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND c.name LIKE '%\\_at' ESCAPE '\\'`,
    )
    .all()
  assert.ok(columns.length > 50)
  const found = columns.flatMap(({ name, column }) => {
    const [row] = reader
      .prepare<[number, number], { at: number }>(
        `SELECT "${column}" AS at FROM "${name}" WHERE "${column}" > ? AND "${column}" < ? LIMIT 1`,
      )
      .all(sandboxNow - aheadMs - 86_400_000, sandboxNow - aheadMs / 2)
    return row === undefined ? [] : [`${name}.${column} ${new Date(row.at).toISOString()}`]
  })
  reader.close()
  // Migrations are of the time before anybody knows how far the clock is ahead.
  assert.equal(
    found.filter((line) => !line.startsWith('migrations.')),
    [],
  )
})

test.run()
