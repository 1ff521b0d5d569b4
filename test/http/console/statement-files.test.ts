/** Statements as files: a table, JSON whose digest anybody can compute, and a page for paper. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readCsv } from '../../../actors/foundation/csv.ts'
import { addOperators, type ConsoleVisitor, dispatchOf, onSqlite, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { addWires, closerOf } from '../../support/statement-world.ts'
import { ventanilla } from '../../support/terminal.ts'

let node: TestNode
let visitor: ConsoleVisitor
/** More than a part of a file has. */
const wires = 1100
const shop = 'kind=merchant&party=Shop&currency=MXN'

test.before(async () => {
  node = await startTestNode(onSqlite())
  await addOperators(node)
  const ask = dispatchOf(node)
  const deposit = { merchant: 'Shop', currency: 'MXN', reason: 'test' }
  const add = (reference: string, amount: string) =>
    ask('deposit.add', { ...deposit, reference, amount }, 'test')
  await add('=SUM(A1) <b>', '0.01')
  await ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  node.clock.advance(86_400_000)
  await addWires(node, wires)
  await ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
  visitor = await visitorAs(node, 'viewer')
})

test.after(() => stopTestNode(node))

interface Exported {
  number: number
  closing: string
  digest: string
  previousDigest: string
  canonical: string
  entries: { line: number; balance: string; canonical: string }[]
}

async function exported(number: number): Promise<Exported> {
  const { text } = await visitor.get(`/statement.json?${shop}&number=${number}`)
  return JSON.parse(text)
}

test('a table has each line once, and nothing in it is a formula', async () => {
  const { text, headers } = await visitor.get(`/statement.csv?${shop}&number=2`)
  assert.is(headers.get('content-disposition'), 'attachment; filename="statement-MXN-2.csv"')
  const read = readCsv(text)
  assert.ok(read.ok)
  const [head, ...rows] = read.value.map(({ cells }) => cells)
  assert.equal(head?.slice(0, 4), ['party', 'statement', 'currency', 'line'])
  assert.equal(
    rows.map((row) => Number(row[3])),
    Array.from({ length: wires }, (_, index) => index + 1),
  )
  const first = await visitor.get(`/statement.csv?${shop}&number=1`)
  assert.match(first.text, /"'=SUM\(A1\) <b>"/)
})

test('the digest is that of the canonical texts, and names the one before', async () => {
  const one = await exported(1)
  const two = await exported(2)
  for (const { canonical, entries, digest } of [one, two]) {
    const texts = [canonical, ...entries.map((entry) => entry.canonical)]
    const hash = createHash('sha256')
    for (const each of texts) hash.update(`${each}\n`)
    assert.is(hash.digest('hex'), digest)
  }
  assert.is(two.entries.length, wires)
  assert.is(one.previousDigest, '')
  assert.is(two.previousDigest, one.digest)
  assert.is(two.entries.at(-1)?.balance, two.closing)
})

test('the command prints several as one table, or each as JSON', async () => {
  const env = { VENTANILLA_DATABASE: `sqlite:${node.directory}/node.db` }
  const run = (...args: string[]) =>
    ventanilla({ cwd: node.directory, env, clock: node.clock }, 'statement', 'export', ...args)
  const table = await run('Shop', '1', '2', '--currency', 'MXN')
  const read = readCsv(table.out)
  assert.ok(read.ok)
  assert.is(read.value.length, 1 + 1 + wires + 1)
  assert.equal([...new Set(read.value.map(({ cells }) => cells[1]))], ['statement', '1', '2'])
  const json = await run('Shop', '1', '--currency', 'MXN', '--format', 'json')
  assert.is(JSON.parse(json.out).digest, (await exported(1)).digest)
  const missing = await run('Shop', '3', '--currency', 'MXN')
  assert.match(missing.err, /Shop has no statement 3 in MXN/)
})

test('what is printed is in the language of its party, or the one that is asked for', async () => {
  const print = (more = '') => visitor.get(`/statement/print?${shop}&number=1${more}`)
  const { text, headers } = await print()
  assert.match(headers.get('content-disposition') ?? '', /^inline/)
  assert.match(text, /<html lang="es">[\s\S]*Estado de cuenta n\.º 1/)
  assert.match(text, /<bdi>=SUM\(A1\) &lt;b&gt;<\/bdi>/)
  assert.not.match(text, /class="rooms"|<form|<script/)
  assert.match((await print('&language=pt')).text, /<html lang="pt">[\s\S]*Extrato n\.º 1/)
  assert.match((await print('&language=en')).text, /<html lang="en">[\s\S]*Statement no\. 1/)
  assert.match((await print('&language=xx')).text, /<html lang="es">/)
})

test('a long one is printed with all of its lines and one total', async () => {
  const { text } = await visitor.get(`/statement/print?${shop}&number=2`)
  assert.is(text.match(/wire \d+/g)?.length, wires)
  // In the summary, and behind the last line.
  assert.is(text.match(/Saldo final</g)?.length, 2)
  assert.ok(text.endsWith('</html>\n'))
})

test('there is no file of what is nobody’s, and none for strangers', async () => {
  for (const path of ['/statement.csv', '/statement.json', '/statement/print']) {
    assert.is((await visitor.get(`${path}?${shop}&number=9`)).status, 404, path)
    assert.is((await visitor.get(path)).status, 400, path)
    assert.is(
      (await fetch(`${node.operatorUrl}${path}?${shop}&number=1`, { redirect: 'manual' })).status,
      302,
    )
  }
})

test.run()
