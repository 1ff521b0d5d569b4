/**
 * Every operation of the document that the running node serves, asked as the document says and with one thing changed,
 * rightly signed: never a 5xx, and each answer is as the document says, in status, type and schema. What the document has
 * nothing against is not refused for its form.
 *
 * In a process of its own: the command line says how long.
 * `node test/http/api/openapi/fuzz.test.ts SECONDS [SEED]` goes on for as long, with a seed of its own or this one.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApiDocument } from '../../../../http/api/openapi/document.ts'
import type { fieldProblems } from '../../../../http/catalogue/field-problems.ts'
import type { Direction } from '../../../../machines/order.ts'
import { type ApiOperation, operationsIn } from '../../../support/api-requests/operations.ts'
import { type ApiRequest, apiRequests } from '../../../support/api-requests/requests.ts'
import type { KnownThings } from '../../../support/api-requests/values.ts'
import { dispatchOf } from '../../../support/console.ts'
import { documented, isOfEntry } from '../../../support/documented.ts'
import { signedHeaders, startTestNode, stopTestNode, type TestNode } from '../../../support/node.ts'
import { type OrderOfTest, orderIn, type Situation } from '../../../support/orders.ts'
import { exchange } from '../../../support/raw-http.ts'

const seconds = Number(process.argv[2] ?? 0)
const seed = Number(process.argv[3] ?? (seconds > 0 ? Date.now() : 20_261_129))
const isLong = seconds > 0

let node: TestNode
let port = ''
let check: ReturnType<typeof documented>
let operations: ReturnType<typeof operationsIn>
let known: KnownThings = {}

test.before(async () => {
  const limits = ['REQUESTSPERMINUTE', 'UNAUTHENTICATEDPERMINUTE', 'CODEMISSESPERMINUTE', 'CODEMISSESPERDAY']
  node = await startTestNode({
    env: Object.fromEntries(limits.map((name) => [`VENTANILLA_LIMITS_${name}`, '1000000'])),
  })
  port = new URL(node.publicUrl).port
  const document = (await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).json()) as ApiDocument
  check = documented(document)
  operations = operationsIn(document)
  await orderIn(node, 'PAY_OUT', 'COMPLETED')
  for (const party of ['Shop', 'Network A'])
    await dispatchOf(node)('statement.close', { currency: 'MXN', party }, 'test')
  // What was available is due by the statement.
  const money = {
    merchant: 'Shop',
    currency: 'MXN',
    reason: 'test',
    amount: '1000000000.00',
    reference: 'more',
  }
  await dispatchOf(node)('deposit.add', money, 'test')
  known = {
    number: ['1', '2'],
    network_id: ['0001', 'a_shops', '0002'],
    country: ['MX', 'CL'],
    target_country: ['MX', 'CL'],
    price_currency: ['MXN', 'CLP'],
    target_currency: ['MXN', 'CLP'],
    send_currency: ['USDC'],
    currency: ['MXN', 'MXN', 'CLP'],
    price: ['1000.00', '1000'],
    notify_url: ['http://127.0.0.1:9/hooks'],
  }
})
test.after(() => stopTestNode(node))

/** Orders in every situation, new for each round: those of the one before have ended. */
async function newOrders(): Promise<Record<Direction, OrderOfTest[]>> {
  const of = async (direction: Direction, situations: readonly Situation[]) => {
    const orders: OrderOfTest[] = []
    for (const situation of situations) orders.push(await orderIn(node, direction, situation))
    return orders
  }
  return {
    PAY_OUT: await of('PAY_OUT', ['CREATED', 'READY', 'READY', 'LOCKED', 'COMPLETED', 'CANCELLED']),
    PAY_IN: await of('PAY_IN', ['READY', 'READY', 'LOCKED', 'COMPLETED', 'CANCELLED']),
  }
}

function knownTo(operation: ApiOperation, orders: Record<Direction, OrderOfTest[]>): KnownThings {
  const own = orders[operation.template.includes('/pay-in/') ? 'PAY_IN' : 'PAY_OUT']
  return {
    ...known,
    id: own.map(({ id }) => id),
    code: own.map(({ code }) => code),
    refund_of: orders.PAY_IN.map(({ id }) => id),
    // Of claims: those that are there, and those that are opened by being asked.
    order: [...orders.PAY_IN, ...orders.PAY_OUT].map(({ id }) => id),
    number: ['1', '2', '3'],
  }
}

/** What a value of the wrong form is told. */
const ofForm = [
  'required',
  'null',
  'blank',
  'no_data',
  'not_an_object',
  'not_a_string',
  'not_a_number',
  'not_an_integer',
  'not_a_datetime',
  'not_a_date',
  'not_a_uuid',
  'not_a_choice',
  'max_length',
  'null_characters',
  'surrogate_characters',
  'not_a_url',
  'not_an_email',
  'max_string_length',
  'query_not_allowed',
  'body_not_allowed',
] as const satisfies (keyof typeof fieldProblems)[]

let sent = 0
async function answerTo({ operation, method, path, headers, body }: ApiRequest) {
  // Each is another message; time goes on for the node, too.
  node.clock.advance(5)
  const at = node.clock.now() / 1000 + (++sent % 1000) / 1_000_000
  const key = operation.tag === 'provider' ? 'pk_a' : 'mk_shop'
  const takesQuery = operation.parameters.some((parameter) => parameter.in === 'query')
  const signedPath = takesQuery ? path : path.replace(/\?.*/, '')
  const own = Object.entries(signedHeaders(key, at, method, signedPath, body))
  const replaced = new Set(headers.map(([name]) => name))
  const all = [
    ['Host', 'node'],
    ['Connection', 'close'],
    ...own.filter(([name]) => !replaced.has(name)),
    ...headers,
  ]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = `${method} ${path} HTTP/1.1\r\n${lines}Content-Length: ${body.length}\r\n\r\n`
  return exchange(port, Buffer.concat([Buffer.from(head, 'latin1'), body]), { isHead: method === 'HEAD' })
}

const counts = new Map<string, number>()

async function judge(request: ApiRequest): Promise<void> {
  const { operation, method, path, isValid, change } = request
  const [answer, ...more] = await answerTo(request)
  const what = `${operation.id} ${method} ${path} with ${change}: ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 2000)}`
  assert.ok(answer !== undefined && more.length === 0, what)
  const { status, text, headers } = answer
  counts.set(`${operation.id} ${status}`, (counts.get(`${operation.id} ${status}`) ?? 0) + 1)
  assert.ok(status >= 200 && status < 500, `${status} ${text} to ${what}`)
  if (method === 'HEAD') return
  const type = headers['content-type'] ?? ''
  assert.match(type, /^(application\/json|text\/csv; charset=utf-8)/, what)
  try {
    check({ method, path, status, text, type })
  } catch (error) {
    throw new Error(`${String(error)}, to ${what}`, { cause: error })
  }
  if (!isValid || type.startsWith('text/csv')) return
  const { errors = [] }: { errors?: { attr: string | null; code: string; detail: string }[] } =
    JSON.parse(text)
  const form = errors.filter(({ code, detail }) => ofForm.some((name) => isOfEntry(name, code, detail)))
  assert.equal(form, [], `${status} ${text} to ${what}`)
  assert.not.ok([403, 405, 415].includes(status) && !/permission/.test(text), `${status} ${text} to ${what}`)
}

test('every operation answers as the document says, whatever it is asked', async () => {
  if (isLong) console.log(`seed ${seed}, ${seconds} s`)
  const until = performance.now() + seconds * 1000
  let round = 0
  do {
    const orders = await newOrders()
    for (const [index, operation] of operations.entries()) {
      await fc.assert(fc.asyncProperty(apiRequests(operation, knownTo(operation, orders)), judge), {
        seed: seed + index + operations.length * round,
        numRuns: isLong ? 100 : 15,
        ...(isLong ? { endOnFailure: false } : {}),
      })
    }
    round++
  } while (performance.now() < until)
  const asked = new Set([...counts.keys()].map((key) => key.split(' ')[0]))
  assert.is(asked.size, operations.length)
  assert.ok([...counts.keys()].filter((key) => / 20[01]$/.test(key)).length > operations.length / 2)
  if (isLong) for (const [key, count] of [...counts].toSorted()) console.log(`${count}\t${key}`)
})

test.run()
