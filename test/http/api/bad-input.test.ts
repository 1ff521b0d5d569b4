/** Whatever is sent: never a throw, always a value or a refusal in the specified shape. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RequestSchema } from '../../../http/api/field-schemas.ts'
import {
  networkIdOf,
  readOrderList,
  readPayInCreation,
  readPayOutCreation,
  readProviderAction,
  readQuoteRequest,
} from '../../../http/api/requests.ts'
import { requestSchemas } from '../../../http/api/schemas.ts'
import { fieldProblems } from '../../../http/catalogue/field-problems.ts'
import { refusals } from '../../../http/catalogue/refusals.ts'
import { parseBody } from '../../../http/foundation/body.ts'
import { answerRefusal, type Outcome } from '../../../http/foundation/errors.ts'
import { type Json, JsonNumber, parseJson } from '../../../http/foundation/json.ts'
import { foreignOrder, localOrder, newYear } from '../../support/order-requests.ts'

const rules = { now: newYear, judgeNotifyUrl: () => null, priceLimits: null }
const order = { priceMinor: 100_000n, currency: 'MXN', isNetworkKnown: true }

/** Every way to read a body, with the schemas whose fields its errors may name. */
const readers: [read: (body: Json) => Outcome<object>, schemas: RequestSchema[]][] = [
  [(body) => readPayOutCreation(body, rules), [requestSchemas.localPayOut, requestSchemas.foreignPayOut]],
  [(body) => readPayInCreation(body, rules), [requestSchemas.payIn]],
  [(body) => readProviderAction(body, { ...order, isPriceRequired: false }), [requestSchemas.paymentAction]],
  [(body) => readProviderAction(body, { ...order, isPriceRequired: true }), [requestSchemas.payInStart]],
  [(body) => readQuoteRequest(body, () => 6), [requestSchemas.quote]],
]

const codes = new Set([...Object.values(fieldProblems), ...Object.values(refusals)].map(({ code }) => code))

/** Protocol 7.1. */
function assertShape(outcome: Outcome<unknown>, attrs: readonly (string | null)[]): void {
  if (outcome.ok) return
  const { status, body } = answerRefusal(outcome.refusal)
  const document = JSON.parse(body)
  assert.ok([400, 415].includes(status))
  assert.equal(Object.keys(document), status === 400 ? ['type', 'errors'] : ['detail', 'type', 'errors'])
  assert.ok(document.errors.length > 0)
  for (const error of document.errors) {
    assert.equal(Object.keys(error), ['attr', 'code', 'detail'])
    assert.ok(attrs.includes(error.attr), `attr ${error.attr}`)
    assert.ok(codes.has(error.code), `code ${error.code}`)
    assert.type(error.detail, 'string')
  }
  const positions = document.errors.map((error: { attr: string | null }) => attrs.indexOf(error.attr))
  assert.equal(
    positions,
    positions.toSorted((a: number, b: number) => a - b),
    'the order of the fields',
  )
}

function attrsOf(schema: RequestSchema): string[] {
  return [...Object.keys(schema.properties), 'non_field_errors']
}

function readEverywhere(body: Json): void {
  for (const [read, schemas] of readers) {
    const outcome = read(body)
    const fields = schemas.find(
      ({ properties }) =>
        outcome.ok ||
        outcome.refusal.name !== 'fields' ||
        outcome.refusal.errors.every(
          ({ attr }) => attr === 'non_field_errors' || Object.hasOwn(properties, attr ?? ''),
        ),
    )
    assert.ok(fields, 'the errors name fields of one schema')
    assertShape(outcome, attrsOf(fields))
    assert.equal(read(body), outcome, 'the same body is told the same')
  }
  networkIdOf(body)
}

const fieldNames = Object.values(requestSchemas).flatMap(({ properties }) => Object.keys(properties))
const nasty = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '')
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('\0', '\ud800', '\udfff', ' ', '9', '.', '-', 'e', ':', 'T', 'Z', '@', '/'),
    maxLength: 40,
  }),
  fc.constantFrom(...Object.values(localOrder), ...Object.values(foreignOrder)),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    text,
    fc
      .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt())
      .map((value) => new JsonNumber(String(value))),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(nasty, text), tie('json'), { maxKeys: 4 }),
  ),
})).json

const almostRequest = fc
  .tuple(
    fc.constantFrom<Record<string, Json>>({}, localOrder, foreignOrder),
    fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames), nasty), json, { maxKeys: 6 }),
  )
  .map(([valid, change]): Json => ({ ...valid, ...change }))

test('any JSON is read or refused by every endpoint', () =>
  fc.assert(fc.property(json, readEverywhere), { numRuns: 500 }))

test('a request with any of its fields changed is read or refused by every endpoint', () =>
  fc.assert(fc.property(almostRequest, readEverywhere), { numRuns: 2000 }))

test('any bytes and headers are read or refused', () => {
  const headers = fc.record(
    {
      'content-type': fc.oneof(
        fc.constantFrom('application/json', 'application/json;', ';;=', 'a/b;c="'),
        fc.string(),
      ),
      'content-encoding': fc.oneof(fc.constantFrom('identity', 'gzip', ''), fc.string()),
    },
    { requiredKeys: [] },
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'e', '-', 'null', ' ') })
      .map(Buffer.from),
    fc.json().map(Buffer.from),
  )
  fc.assert(
    fc.property(bytes, headers, (body, sent) => assertShape(parseBody(Buffer.from(body), sent), [null])),
    { numRuns: 2000 },
  )
})

test('JSON says what JSON.parse says', () =>
  fc.assert(
    fc.property(fc.json({ depthSize: 'small', maxDepth: 8 }), (written) => {
      const parsed = parseJson(Buffer.from(written))
      assert.ok(parsed.ok)
      assert.is(JSON.stringify(parsed.json), JSON.stringify(JSON.parse(written)))
    }),
    { numRuns: 500 },
  ))

test('any query string is read or refused', () => {
  const parameter = fc.tuple(
    fc.constantFrom(...Object.keys(requestSchemas.orderList.properties), '__proto__'),
    text,
  )
  const query = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parameter).map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
  )
  fc.assert(
    fc.property(query, (asked) => assertShape(readOrderList(asked), attrsOf(requestSchemas.orderList))),
    { numRuns: 1000 },
  )
})

test('a number of any length keeps each of its digits', () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.nat(), (whole, fraction) => {
      const parsed = parseJson(Buffer.from(`{"price":${whole}.${fraction}0}`))
      assert.equal(parsed, { ok: true, json: { price: new JsonNumber(`${whole}.${fraction}0`) } })
    }),
    { numRuns: 200 },
  ))

test.run()
