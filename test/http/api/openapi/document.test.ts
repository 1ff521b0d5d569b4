import { get } from 'node:http'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { representOrder } from '../../../../actors/orders/representation.ts'
import { webhookHeaders } from '../../../../actors/webhooks/headers.ts'
import type { ApiDocument } from '../../../../http/api/openapi/document.ts'
import { webhookHeaderTexts } from '../../../../http/api/openapi/texts.ts'
import { fieldProblems } from '../../../../http/catalogue/field-problems.ts'
import { refusals } from '../../../../http/catalogue/refusals.ts'
import { documented } from '../../../support/documented.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../../support/node.ts'
import { newOrder } from '../../../support/orders.ts'

let node: TestNode
let text: string
let document: ApiDocument
test.before(async () => {
  node = await startTestNode()
  text = await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text()
  document = JSON.parse(text)
})
test.after(() => stopTestNode(node))

test('the document agrees with the schema of OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text))
  assert.ok(valid, JSON.stringify(errors))
  assert.is(validator.version, '3.1')
})

test('a linter finds nothing in it', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Documented paths end in a slash.
    rules: { 'no-path-trailing-slash': 'off' },
  })
  const problems = await lintFromString({ source: text, config })
  assert.equal(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})

test('its examples agree with its own schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  let count = 0
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { schema, example, examples }: Record<string, unknown> = { ...part }
    if (typeof schema === 'object' && schema !== null) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map((one) =>
          '$ref' in one
            ? document.components.examples?.[String(one.$ref).split('/').at(-1) ?? '']?.value
            : one.value,
        ),
      ]
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
      for (const value of values) {
        assert.ok(validate(value), `${JSON.stringify(value)} ${JSON.stringify(validate.errors)}`)
        count++
      }
    }
    for (const value of Object.values(part)) look(value)
  }
  look(document.paths)
  look(document.webhooks)
  assert.ok(count > 300, `${count} examples`)
})

test('every route is in it, and every entry of the catalogue', () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  assert.equal(operations.toSorted(), [
    'get /merchants/balances/',
    'get /merchants/claims/',
    'get /merchants/claims/{number}/',
    'get /merchants/movements/',
    'get /merchants/orders/pay-in/',
    'get /merchants/orders/pay-in/{id}/',
    'get /merchants/orders/pay-out/',
    'get /merchants/orders/pay-out/{id}/',
    'get /merchants/statements/',
    'get /merchants/statements/{number}/',
    'get /merchants/webhooks/',
    'get /merchants/webhooks/{id}/',
    'get /providers/claims/',
    'get /providers/claims/{number}/',
    'get /providers/orders/pay-in/{code}/',
    'get /providers/orders/pay-out/{code}/',
    'get /providers/reports/',
    'get /providers/statements/',
    'get /providers/statements/{number}/',
    'get /sandbox/deliveries/',
    'get /sandbox/faults/',
    'get /sandbox/go-live/',
    'get /sandbox/inbox/',
    'get /sandbox/requests/',
    'post /merchants/claims/',
    'post /merchants/claims/{number}/answer/',
    'post /merchants/claims/{number}/texts/',
    'post /merchants/claims/{number}/withdrawal/',
    'post /merchants/orders/pay-in/',
    'post /merchants/orders/pay-out/',
    'post /merchants/quotes/',
    'post /merchants/webhooks/ping/',
    'post /merchants/webhooks/resend/',
    'post /merchants/webhooks/{id}/resend/',
    'post /merchants/withdrawals/',
    'post /providers/claims/',
    'post /providers/claims/{number}/answer/',
    'post /providers/claims/{number}/texts/',
    'post /providers/claims/{number}/withdrawal/',
    'post /providers/orders/pay-in/{code}/cancel-payment/',
    'post /providers/orders/pay-in/{code}/confirm-payment/',
    'post /providers/orders/pay-in/{code}/start-payment/',
    'post /providers/orders/pay-out/{code}/cancel-payment/',
    'post /providers/orders/pay-out/{code}/confirm-payment/',
    'post /providers/orders/pay-out/{code}/start-payment/',
    'post /providers/reports/',
    'post /sandbox/faults/',
    'post /sandbox/faults/{id}/remove/',
    'post /sandbox/orders/{order}/simulate/',
  ])
  const told = Object.keys(document.components.examples ?? {})
  const known = [...Object.keys(refusals), ...Object.keys(fieldProblems)]
  assert.equal(
    known.filter((name) => !told.includes(name)),
    [],
  )
})

test('webhooks have the body and the headers that it describes', async () => {
  const headers = webhookHeaders(
    { id: 'w', sequence: 1, url: 'https://shop.example/hooks', body: '{}' },
    1,
    { key: 'mk_shop', secret: 's' },
    node.clock.now(),
  )
  assert.equal(
    Object.keys(webhookHeaderTexts),
    Object.keys(headers).filter((name) => name !== 'Content-Type' && name !== 'User-Agent'),
  )
  for (const [direction, name] of [
    ['PAY_OUT', 'PayOutWebhook'],
    ['PAY_IN', 'PayInWebhook'],
  ] as const) {
    const { id } = await newOrder(node, direction)
    const found = await node.core.orders.find(id)
    assert.ok(found)
    if (!found) return
    const body = representOrder(found.order, found, 'https://pay.example/checkout')
    const schema = document.components.schemas?.[name]
    // What only a foreign-currency order has may be missing.
    assert.equal(schema?.required, Object.keys(body))
  }
})

test('an answer that it does not describe fails the test that gets it', () => {
  const check = documented(document)
  const path = '/api/v1/providers/orders/pay-out/123456789012347/'
  const view = {
    price: '1000.00',
    price_currency: 'MXN',
    created: '2026-03-01T12:00:00.000Z',
    modified: '2026-03-01T12:00:00.000Z',
    status: 'READY',
    expiry: '2026-03-01T12:00:00.000Z',
  }
  const given = (status: number, body: object, at = path) =>
    check({ method: 'GET', path: at, status, text: JSON.stringify(body) })
  given(200, view)
  const refusal = (code: string, detail: string) => ({
    detail,
    type: 'client_error',
    errors: [{ attr: null, code, detail }],
  })
  given(404, refusal('not_found', 'Not found.'))
  assert.throws(() => given(200, { ...view, code: '1' }), /must NOT have additional properties/)
  assert.throws(() => given(200, { ...view, price: '1000' }), /must match pattern/)
  assert.throws(() => given(201, view), /no such status/)
  assert.throws(() => given(404, refusal('not_found', 'Gone.')), /has no not_found/)
  assert.throws(() => given(403, refusal('throttled', 'Not found.')), /has no throttled/)
  assert.throws(() => given(200, view, '/api/v1/nowhere/'), /no such path/)
})

test('it may be read by anybody, kept, and asked for again', async () => {
  const first = await fetch(`${node.publicUrl}/api/v1/openapi.json`)
  assert.is(first.headers.get('access-control-allow-origin'), '*')
  await first.text()
  // fetch says no-cache as soon as it is given a validator.
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = await new Promise((resolve) =>
    get(`${node.publicUrl}/api/v1/openapi.json`, { headers }, (answer) =>
      resolve(answer.resume().statusCode),
    ),
  )
  assert.is(again, 304)
  const put = await fetch(`${node.publicUrl}/api/v1/openapi.json`, { method: 'PUT' })
  assert.equal([put.status, put.headers.get('allow')], [405, 'GET, HEAD'])
})

test.run()
