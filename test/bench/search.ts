/**
 * How long it takes to find one order among many by each thing that people have in hand, through the console, and what
 * the indexes that this needs cost: their size, and what they add to writing an order down.
 * `npm run bench -- search --orders 1000000`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pino from 'pino'
import { emailDigest, phoneDigest } from '../../actors/orders/consumer-digest.ts'
import { timeOrderedId } from '../../actors/orders/time-ordered-id.ts'
import { startNode } from '../../node/node.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { readTokenFile } from '../../node/token-file.ts'
import { ConsoleVisitor } from '../support/console.ts'
import { median, printTable } from './figures.ts'
import { assertRoom, fill } from './filling.ts'
import { finishOneOrder } from './growth.ts'
import { closedLoop } from './load.ts'
import { creation } from './orders.ts'
import { startServer } from './servers/running.ts'

const rounds = 30
/** As many as one commit has under load. */
const ordersPerCommit = 32
const commits = 100
/** Beside those that ended. */
const openOrders = 300

export async function benchSearch({ orders = 1_000_000 } = {}): Promise<void> {
  assertRoom(tmpdir(), orders)
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  try {
    await prepare(folder, orders)
    const { node, visitor } = await openBench(folder)
    const database = new Database(join(folder, 'node.db'))
    try {
      giveEmails(database, node.core.journalKey)
      await measure(database, (path) => visitor.get(path))
    } finally {
      database.close()
      await node.stop()
    }
    measureCost(join(folder, 'node.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(folder: string, orders: number): Promise<void> {
  await finishOneOrder(folder)
  console.log(`filling with ${orders.toLocaleString('en')} orders, which takes the longest`)
  await fill(folder, orders)
  console.log(`filled: ${(statSync(join(folder, 'node.db')).size / 1e9).toFixed(2)} GB`)
  const server = await startServer('node.ts', { folder })
  await closedLoop(server.port, { connections: 8, units: openOrders }, creation('open'))
  await server.stop()
}

/** A node over what was filled, and somebody who is signed in to its console. */
async function openBench(folder: string) {
  const file = `${folder}/node.db`
  const settings = loadSettings({
    cwd: folder,
    env: {
      VENTANILLA_DATABASE: `sqlite:${file}`,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true',
    },
  })
  const log = pino({ level: 'info' }, pino.destination({ dest: `${folder}/log`, sync: false }))
  const node = await startNode({ settings, log })
  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.get('/sign-in')
  const { token } = readTokenFile(file) ?? { token: '' }
  const first = { name: 'bench', password: 'a bench needs no rest', node_token: token }
  const { status } = await visitor.post('/first-administrator', first)
  if (status !== 303) throw new Error(`The console did not let the bench in: ${status}`)
  return { node, visitor }
}

function giveEmails(database: Database.Database, journalKey: string): void {
  database.function('digest', (email) => emailDigest(journalKey, String(email)))
  database.function('phone_digest', (phone) => phoneDigest(journalKey, String(phone)))
  database.exec(`
    UPDATE consumers SET email = 'c' || rowid_of.number || '@mail.example',
        phone_number = '+5255' || (10000000 + rowid_of.number)
      FROM (SELECT order_id, row_number() OVER (ORDER BY order_id) AS number FROM consumers) AS rowid_of
      WHERE rowid_of.order_id = consumers.order_id;
    UPDATE consumers SET email_digest = digest(email), phone_digest = phone_digest(phone_number)`)
}

interface Sample {
  id: string
  code: string
  merchant_order_id: string
  email: string
  phone_number: string
}

async function measure(
  database: Database.Database,
  get: (path: string) => Promise<{ status: number }>,
): Promise<void> {
  const count = database.prepare<[], { orders: number }>('SELECT count(*) AS orders FROM orders').get()
  const pick = database.prepare<
    [number],
    Sample
  >(`SELECT orders.id, code, merchant_order_id, email, phone_number FROM orders
    JOIN consumers ON consumers.order_id = orders.id WHERE orders.rowid >= ? LIMIT 1`)
  const ways: Readonly<Record<string, (order: Sample) => string>> = {
    'an id': ({ id }) => id,
    'the first 13 signs of an id': ({ id }) => id.slice(0, 13),
    'the last eight digits': ({ id }) => `…${id.slice(-8)}`,
    'the last six digits, which may be the first': ({ id }) => id.slice(-6),
    'a code': ({ code }) => code,
    'a merchant_order_id': (order) => order.merchant_order_id,
    'an e-mail': ({ email }) => email,
    'a telephone number': ({ phone_number }) => phone_number,
    'a part of a name': () => 'bench',
    'what nobody has': () => 'nothing of the kind',
    'a transaction that nobody knows': () => `0x${'ab'.repeat(32)}`,
  }
  const taken = new Map(Object.keys(ways).map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    const order = pick.get(1 + Math.floor(((count?.orders ?? 1) * (round + 0.5)) / rounds))
    if (order === undefined) throw new Error('There are too few orders.')
    for (const [name, textOf] of Object.entries(ways)) {
      const begunAt = performance.now()
      const { status } = await get(`/search?q=${encodeURIComponent(textOf(order))}`)
      taken.get(name)?.push(performance.now() - begunAt)
      if (status !== 200 && status !== 303) throw new Error(`${name} was answered ${status}`)
    }
  }
  printTable(
    ['found by', 'median ms', 'max ms'],
    [...taken].map(([name, each]) => [name, median(each).toFixed(1), Math.max(...each).toFixed(1)]),
  )
}

const measured = ['orders_by_last_digits', 'consumers_by_email', 'consumers_by_phone'] as const

/** The same rows written with the indexes, as they have grown, and then without: bytes of the log, and time. */
function measureCost(file: string): void {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = OFF')
  database.pragma('wal_autocheckpoint = 0')
  database.pragma('foreign_keys = OFF')
  // As the node has it.
  database.pragma('cache_size = -16000')
  const sizes = database.prepare<[string], { bytes: number; entries: number }>(
    'SELECT sum(pgsize) AS bytes, sum(ncell) AS entries FROM dbstat WHERE name = ?',
  )
  for (const name of measured) {
    const { bytes, entries } = sizes.get(name) ?? { bytes: 0, entries: 0 }
    console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / entries).toFixed(1)} bytes an entry`)
  }
  const write = writerOf(database)
  // Made anew an index is packed full, and each row would split a page of it: they are dropped once.
  const grown = write()
  for (const name of measured) database.exec(`DROP INDEX ${name}`)
  const results = { with: grown, without: write() }
  printTable(
    ['indexes', 'bytes of log an order', 'µs an order'],
    Object.entries(results).map(([name, { bytes, microseconds }]) => [
      name,
      bytes.toFixed(0),
      microseconds.toFixed(1),
    ]),
  )
  database.close()
}

interface Written {
  bytes: number
  microseconds: number
}

/** Writes orders with their consumers, as many a commit as come at once. */
function writerOf(database: Database.Database): () => Written {
  const columns = database
    .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('orders')`)
    .all()
    .map(({ name }) => name)
  const changed: Readonly<Record<string, string>> = { id: '@id', code: '@code', merchant_order_id: '@name' }
  const order = database.prepare(`INSERT INTO orders (${columns.join(', ')}) SELECT
    ${columns.map((name) => changed[name] ?? name).join(', ')} FROM orders WHERE rowid = 1`)
  const consumer = database.prepare(
    'INSERT INTO consumers (order_id, email, phone_number, email_digest, phone_digest) VALUES (?, ?, ?, ?, ?)',
  )
  let phones = 10_000_000
  return () => {
    database.pragma('wal_checkpoint(TRUNCATE)')
    const begunAt = performance.now()
    for (let commit = 0; commit < commits; commit++) {
      database.exec('BEGIN')
      for (let number = 0; number < ordersPerCommit; number++) {
        const [id, name] = [timeOrderedId(systemClock.now()), randomUUID()]
        order.run({ id, code: name.replaceAll('-', ''), name })
        const digests = [emailDigest('a key', name), phoneDigest('a key', String(++phones))]
        consumer.run(id, `${name}@mail.example`, '+52', ...digests)
      }
      database.exec('COMMIT')
    }
    const taken = performance.now() - begunAt
    const written = commits * ordersPerCommit
    const [log] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number }[]
    return { bytes: ((log?.log ?? 0) * 4096) / written, microseconds: (taken * 1000) / written }
  }
}
