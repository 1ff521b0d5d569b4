/**
 * The big list of naughty strings, written wherever somebody may write a text, and read wherever one is shown: by pages,
 * tables, webhooks, commands, logs, and by hledger.
 *
 * `npm test` takes a few of them, `npm run test:durability` all.
 */
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../actors/foundation/operation.ts'
import { inOrder } from '../../http/checkout/places.ts'
import { listFileHref } from '../../http/console/list-links.ts'
import { statement } from '../../persistence/statement.ts'
import { isLargeShare } from '../durability/share.ts'
import { addOperators, type ConsoleVisitor, dispatchOf, onSqlite, visitorAs } from '../support/console.ts'
import { readPage } from '../support/elements.ts'
import { hasHledger, hledgerBalances, journalOf } from '../support/hledger.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { merchantPath } from '../support/orders.ts'
import { closerOf } from '../support/statement-world.ts'
import { ventanilla } from '../support/terminal.ts'
import { readVectors } from '../support/vectors.ts'

/** Always the same in `npm test`. */
const every = isLargeShare ? 1 : 40
const all = readVectors<{ text: string }>('naughty-strings').map(({ text }) => text)
/** The list has no controls of a terminal, nothing that ends a line of a log or of CSV, and no half characters. */
const more = [
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  'a\r\n=1+1',
  'a\u2028=1+1',
  '\ud800',
  '\u0000',
  '\u202eabc',
]
const texts = [...all.filter((_, index) => index % every === 0), ...more]

let node: TestNode
let visitor: ConsoleVisitor
const logged: string[] = []
/** Orders by the text that they were made with. */
const made = new Map<string, { id: string; description: string; reference: string }>()
/** Of plain words; the others are not cancelled. */
const plain: string[] = []
const plainOpen: string[] = []

async function refusedOr<Result>(done: Promise<Result>): Promise<Result | OperationError> {
  try {
    return await done
  } catch (error) {
    assert.instance(error, OperationError, String(error))
    return error as OperationError
  }
}

async function create(text: string, reference = text) {
  const body = payOutBody({ description: text, merchant_order_id: reference, price: '10.00' })
  const { status, json } = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body })
  assert.ok([201, 400].includes(status), `${status} ${JSON.stringify(text)}`)
  return status === 201 ? json : null
}

test.before(async () => {
  const limits = { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000' }
  const { directory, env } = onSqlite() as { directory: string; env: Record<string, string> }
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
  node = await startTestNode({ directory, env: { ...env, ...limits }, log })
  await addOperators(node)
  for (const text of ['plain', 'plain text '.repeat(20).trim()]) {
    const order = await create(text, text.slice(0, 100))
    plain.push(order.id)
    plainOpen.push((await create(text, `open ${text.slice(0, 100)}`)).id)
    await dispatchOf(node)('order.cancel', { id: order.id, reason: text }, 'test')
  }
})
test.after(() => stopTestNode(node))

test('an order takes each of them as it is, or says which field does not', async () => {
  for (const text of texts) {
    const order = await create(text)
    if (order === null) continue
    assert.equal([order.description, order.merchant_order_id], [text.trim(), text.trim()])
    made.set(text, { id: order.id, description: order.description, reference: order.merchant_order_id })
    const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', order.id) })
    assert.is(read.json.description, text.trim())
  }
  assert.ok(made.size > texts.length * 0.8, `${made.size} of ${texts.length}`)
})

/** Browsers take one sign for the end of a line. */
const asParsed = (text: string) => text.replaceAll(/\r\n?/g, '\n')

/** Nothing is on a page that is on none about plain words, and no script. */
function assertInert(page: string, known: ReadonlySet<string>, what: string): void {
  const { kinds, scripts } = readPage(page)
  assert.equal(
    [...kinds].filter((kind) => !known.has(kind)),
    [],
    what,
  )
  assert.ok(scripts <= 2, what)
}

async function plainKinds(
  paths: readonly string[],
  get: (path: string) => Promise<string>,
): Promise<Set<string>> {
  const known = new Set<string>()
  for (const path of paths) for (const kind of readPage(await get(path)).kinds) known.add(kind)
  return known
}

test('a checkout page has no more on it for what a merchant wrote, in any language', async () => {
  for (const id of [...plainOpen, ...[...made.values()].map((order) => order.id)]) {
    await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  }
  const get = async (path: string) => {
    const answer = await fetch(`${node.publicUrl}${path}`)
    assert.is(answer.status, 200, path)
    return answer.text()
  }
  for (const [index, language] of ['es', 'en', 'pt'].entries()) {
    const known = await plainKinds(
      plainOpen.map((id) => `/checkout/${id}?lang=${language}`),
      get,
    )
    for (const [at, { id, description }] of [...made.values()].entries()) {
      if (at % 3 !== index) continue
      const page = await get(`/checkout/${id}?lang=${language}`)
      assertInert(page, known, description)
      assert.ok(
        readPage(page)
          .texts.join('\n')
          .includes(inOrder(asParsed(description))),
        description,
      )
    }
  }
})

test('operations take each of them as a name, a reference, a reason or a contact, or refuse it in words', async () => {
  const ask = dispatchOf(node)
  const pairs = [{ country: 'MX', currency: 'MXN', min: '1', max: '2' }]
  let taken = 0
  for (const [index, text] of texts.entries()) {
    const id = made.get(text)?.id
    const tries = [
      () =>
        ask(
          'deposit.add',
          { merchant: 'Shop', currency: 'MXN', amount: '1.00', reference: text, reason: text },
          'test',
        ),
      () => node.apply({ merchants: [{ name: text, contact: text, pairs }] }),
      () => node.apply({ providers: [{ name: `till ${text}`, contact: text, networks: [`n${index}`] }] }),
      () => ask('party.freeze', { kind: 'provider', name: 'Network B', reason: text }, 'test'),
      () => ask('party.unfreeze', { kind: 'provider', name: 'Network B', reason: text }, 'test'),
      () => ask('order.list', { merchant: text, status: text }, text),
      () => ask('merchant.show', { name: text }, text),
      ...(id === undefined ? [] : [() => ask('order.cancel', { id, reason: text }, text)]),
    ]
    for (const attempt of tries) {
      const outcome = await refusedOr<unknown>(attempt())
      if (!(outcome instanceof OperationError)) taken++
    }
  }
  assert.ok(taken > texts.length * 4, `${taken} of ${texts.length}`)
})

test('what a webhook tells is what the order was given', async () => {
  const bodies = statement<Record<never, never>>()('test.bodies', ({ db }) =>
    db.selectFrom('webhooks').select(['order_id', 'body']),
  )
  const told = new Map(
    (await node.core.store.query(bodies, {})).map(({ order_id, body }) => [order_id, JSON.parse(body)]),
  )
  for (const { id, description, reference } of made.values()) {
    const order = told.get(id)
    assert.equal([order?.description, order?.merchant_order_id], [description, reference])
  }
})

test('no page of the console has more on it for what others wrote', async () => {
  visitor = await visitorAs(node, 'administrator')
  const get = async (path: string) => {
    const { status, text } = await visitor.get(path)
    assert.ok(status < 500, `${status} ${path}`)
    return text
  }
  for (const place of ['/orders/', '/inspect/orders/']) {
    const known = await plainKinds(
      plain.map((id) => place + id),
      get,
    )
    for (const { id, description } of made.values()) {
      const page = await get(place + id)
      assertInert(page, known, place + description)
      if (place === '/orders/') assert.ok(readPage(page).texts.includes(asParsed(description)), description)
    }
  }
  const known = await plainKinds(
    [
      '/',
      '/orders',
      '/parties',
      '/audit',
      '/webhooks',
      ...plain.map((id) => `/orders/${id}`),
      '/orders?q=plain&merchant=Shop&from=x',
      '/merchants/Shop',
      '/merchants/none',
      '/sign-in?to=/',
    ],
    get,
  )
  for (const path of ['/', '/orders', '/parties', '/audit', '/webhooks'])
    assertInert(await get(path), known, path)
  for (const text of texts.filter((one) => !['', '.', '..'].includes(one) && one.isWellFormed())) {
    const asked = encodeURIComponent(text)
    for (const path of [
      `/orders?q=${asked}&merchant=${asked}&from=${asked}`,
      `/merchants/${asked}`,
      `/sign-in?to=${asked}`,
    ]) {
      assertInert(await get(path), known, path)
    }
  }
})

const formula = /(^|[,;|\t\r\n])[\s"]*[=+\-@|＝＋－＠]/

test('a table has each of them in one cell, never as a formula', async () => {
  const { text } = await visitor.get(listFileHref('/orders', 'orders'))
  const rows: string[][] = parse(text, { bom: true })
  const byId = new Map(rows.map((row) => [row[0], row]))
  for (const { id, reference } of made.values()) {
    const row = byId.get(id) ?? []
    assert.is(row.length, rows[0]?.length, reference)
    const cell = row.find((each) => each.replaceAll("'", '') === reference.replaceAll("'", ''))
    assert.ok(cell !== undefined, `${reference}: ${row.join(' | ')}`)
    assert.not.match(cell, formula, reference)
  }
})

test('a statement with all of them is printed, and is a table', async () => {
  await dispatchOf(node)('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
  const shop = 'kind=merchant&party=Shop&currency=MXN&number=1'
  const page = (await visitor.get(`/statement/print?${shop}`)).text
  const { kinds, scripts, texts: shown } = readPage(page)
  assert.is(scripts, 0)
  assert.equal(
    [...kinds].filter((kind) => / on|^(img|iframe|object|embed|svg|comment|form)/.test(kind)),
    [],
  )
  assert.ok(shown.length > texts.length, String(shown.length))
  const rows: string[][] = parse((await visitor.get(`/statement.csv?${shop}`)).text, { bom: true })
  assert.ok(rows.length > texts.length * 0.5, String(rows.length))
  for (const cell of rows.flat()) if (!/^-?\d+\.\d+$/.test(cell)) assert.not.match(cell, formula)
})

test('no command writes what a terminal would obey', async () => {
  const env = { VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}` }
  const run = async (...args: string[]) => {
    const { out, err } = await ventanilla(
      { cwd: node.directory, env, clock: node.clock, isTerminal: true },
      ...args,
    )
    assert.not.match(out + err, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u, args.join(' '))
    return out
  }
  const lists = [
    'order list',
    'merchant list',
    'provider list',
    'exception list',
    'webhook list',
    'audit list',
    'merchant show Shop',
  ]
  for (const command of lists) assert.ok((await run(...command.split(' '))).length > 10, command)
  const orders = [...made.values()]
  for (const [index, { id }] of orders.entries()) {
    if (index % 20 === 0 || index > orders.length - 8) await run('order', 'show', id)
  }
  for (const text of more) if (!text.includes('\0')) await run('merchant', 'show', text)
})

if (hasHledger('test/vectors/naughty-strings.test.ts'))
  test('hledger reads the ledger that they are all over', async () => {
    const balances = hledgerBalances(await journalOf(`sqlite:${join(node.directory, 'node.db')}`))
    assert.ok(balances.size > 2)
  })

test('each line of the log is one document, and what is stored is true', async () => {
  const lines = logged.join('').trimEnd().split('\n')
  assert.ok(lines.length > 10)
  for (const line of lines) assert.is(typeof JSON.parse(line).msg, 'string', line)
  assert.equal(
    lines.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
  const { ok, checks } = await node.core.verification.verify()
  assert.ok(ok, JSON.stringify(checks.filter((check) => !check.ok)))
})

test.run()
