import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  payOutBody,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  type TestRequest,
} from '../../support/node.ts'
import { call, merchantPath, newOrder, orderIn, paymentBody, providerPath } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000' } })
})
test.after(() => stopTestNode(node))

const payOuts = merchantPath('PAY_OUT')
const unknownId = '0f8fad5b-d9cb-469f-a165-70867728950e'

const create = (overrides: Record<string, unknown> = {}, request: Partial<TestRequest> = {}) =>
  node.request({ as: 'mk_shop', path: payOuts, body: payOutBody(overrides), ...request })

/** `attr code` of each error. */
const problems = ({ json }: TestAnswer): string[] =>
  json.errors.map(({ attr, code }: { attr: string | null; code: string }) => `${attr} ${code}`)

test('Error bodies: each kind has its shape', async () => {
  const { code } = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const order = code
  const detail = 'This field is required.'
  const rows: [what: string, answer: TestAnswer, status: number, body: unknown][] = [
    [
      'fields',
      await call(node, { direction: 'PAY_OUT', code }, 'start', 'pk_a', {}),
      400,
      { type: 'validation_error', errors: [{ attr: 'network_id', code: 'required', detail }] },
    ],
    [
      'no object',
      await node.request({ as: 'mk_shop', path: payOuts, body: '[1]' }),
      400,
      {
        type: 'validation_error',
        errors: [
          {
            attr: 'non_field_errors',
            code: 'invalid',
            detail: 'Invalid data. Expected a dictionary, but got list.',
          },
        ],
      },
    ],
    ...(await Promise.all(
      (
        [
          ['null', 'null', 'No data provided'],
          ['"text"', 'invalid', 'Invalid data. Expected a dictionary, but got str.'],
          ['1', 'invalid', 'Invalid data. Expected a dictionary, but got int.'],
          ['1.0', 'invalid', 'Invalid data. Expected a dictionary, but got float.'],
          ['true', 'invalid', 'Invalid data. Expected a dictionary, but got bool.'],
        ] as const
      ).flatMap(([body, code, detail]) =>
        [
          { as: 'mk_shop', path: payOuts, body },
          { as: 'mk_shop', path: merchantPath('PAY_IN'), body },
          { as: 'mk_shop', path: '/api/v1/merchants/quotes/', body },
          { as: 'pk_a', path: providerPath('PAY_OUT', order, 'start'), body },
        ].map(
          async (request): Promise<[string, TestAnswer, number, unknown]> => [
            `${body} to ${request.path}`,
            await node.request(request),
            400,
            { type: 'validation_error', errors: [{ attr: 'non_field_errors', code, detail }] },
          ],
        ),
      ),
    )),
    [
      'a business rule',
      await create({ country: 'AR', price_currency: 'ARS' }),
      400,
      {
        detail: 'No matching configuration found for merchant, country, and currency',
        type: 'validation_error',
        errors: [
          {
            attr: null,
            code: 'invalid',
            detail: 'No matching configuration found for merchant, country, and currency',
          },
        ],
      },
    ],
    [
      'a conflict',
      await call(node, { direction: 'PAY_OUT', code }, 'start', 'pk_b'),
      409,
      { detail: 'Order is currently being processed by another provider.' },
    ],
    [
      'not found',
      await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', unknownId) }),
      404,
      {
        detail: 'Not found.',
        type: 'client_error',
        errors: [{ attr: null, code: 'not_found', detail: 'Not found.' }],
      },
    ],
  ]
  for (const [what, answer, status, body] of rows) {
    assert.is(answer.status, status, what)
    assert.is(answer.text, JSON.stringify(body), what)
  }
  const unparsable = await node.request({ as: 'mk_shop', path: payOuts, body: '{' })
  assert.equal(Object.keys(unparsable.json), ['type', 'errors'])
  assert.is(unparsable.json.type, 'client_error')
  assert.match(unparsable.json.errors[0].detail, /^JSON parse error - /)
  assert.equal(problems(unparsable), ['null parse_error'])
})

test('Order of checks: of two faults the earlier one is told', async () => {
  const { code } = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const taken = payOutBody()
  await node.request({ as: 'mk_shop', path: payOuts, body: taken })
  const large = 'x'.repeat(64 * 1024 + 1)
  const start = providerPath('PAY_OUT', code, 'start')
  const gone = providerPath('PAY_OUT', '000000000000000', 'start')
  const text = { 'Content-Type': 'text/plain' }
  const html = { Accept: 'text/html' }
  const rows: [what: string, request: TestRequest, status: number, problem: string][] = [
    ['413 before 403', { path: payOuts, body: large }, 413, 'null request_too_large'],
    ['403 before 405', { path: payOuts, method: 'PUT', body: '{}' }, 403, 'null permission_denied'],
    ['403 before 404', { path: gone, body: '{}' }, 403, 'null permission_denied'],
    [
      '405 before 406',
      { as: 'mk_shop', path: payOuts, method: 'PUT', body: '{}', headers: html },
      405,
      'null method_not_allowed',
    ],
    [
      '406 before the query',
      { as: 'mk_shop', path: payOuts, query: '?a', body: '{}', headers: html },
      406,
      'null not_acceptable',
    ],
    [
      'the query before 415',
      { as: 'mk_shop', path: payOuts, query: '?a', body: '{}', headers: text },
      400,
      'non_field_errors invalid',
    ],
    [
      '405 before 415',
      { as: 'mk_shop', path: payOuts, method: 'PUT', body: '{}', headers: text },
      405,
      'null method_not_allowed',
    ],
    [
      '415 before unparsable',
      { as: 'mk_shop', path: payOuts, body: '{', headers: text },
      415,
      'null unsupported_media_type',
    ],
    ['unparsable before 404', { as: 'pk_a', path: gone, body: '{' }, 400, 'null parse_error'],
    ['404 before fields', { as: 'pk_a', path: gone, body: '{}' }, 404, 'null not_found'],
    [
      'fields before the lock',
      { as: 'pk_b', path: start, body: { network_id: '0001' } },
      400,
      'network_id invalid',
    ],
    [
      'fields before the pair',
      { as: 'mk_shop', path: payOuts, body: { ...taken, country: 'AR', description: '' } },
      400,
      'description blank',
    ],
    [
      'the pair before uniqueness',
      { as: 'mk_shop', path: payOuts, body: { ...taken, country: 'AR' } },
      400,
      'null invalid',
    ],
    [
      'price limits before uniqueness',
      { as: 'mk_shop', path: payOuts, body: { ...taken, price: '1' } },
      400,
      'price invalid',
    ],
  ]
  for (const [what, request, status, problem] of rows) {
    const answer = await node.request(request)
    assert.is(answer.status, status, what)
    assert.equal(problems(answer), [problem], what)
  }
})

test('Order of checks: all field errors together, the price’s limits among them', async () => {
  const answer = await create({ price: '0.01', description: '', expiry: 'soon', notify_url: true })
  assert.equal(problems(answer), [
    'price invalid',
    'description blank',
    'notify_url invalid',
    'expiry invalid',
  ])
  const limited = await create({ price: '9.99', expiry: 'soon' })
  assert.equal(
    limited.json.errors.map(({ detail }: { detail: string }) => detail.slice(0, 17)),
    ['Value is too low.', 'Datetime has wron'],
  )
})

test('Routes: an unknown path is a JSON 404, signed or not; the slash at the end may be missing', async () => {
  for (const path of [
    '/api/v1/',
    '/api/v1/nothing/',
    '/api/v1/merchants/',
    '/api/v2/merchants/orders/pay-out/',
    '/',
  ]) {
    const unsigned = await node.request({ path })
    const signed = await node.request({ as: 'mk_shop', path })
    assert.equal([unsigned.status, signed.status], [404, 404], path)
    assert.is(unsigned.text, signed.text)
    assert.equal(problems(unsigned), ['null not_found'])
  }
  const { code } = await newOrder(node, 'PAY_OUT')
  for (const action of ['start', 'cancel']) {
    const path = providerPath('PAY_OUT', code, action).slice(0, -1)
    assert.is((await node.request({ as: 'pk_a', path, body: paymentBody() })).status, 200)
  }
  assert.is((await create({}, { path: payOuts.slice(0, -1) })).status, 201)
})

test('Routes: a body of 64 KiB is taken, one byte more is not', async () => {
  const body = JSON.stringify(payOutBody())
  const filled = (length: number) => body.padEnd(length)
  assert.is((await create({}, { body: filled(64 * 1024) })).status, 201)
  const large = await create({}, { body: filled(64 * 1024 + 1) })
  assert.is(large.status, 413)
  assert.is(large.json.detail, 'The request body is larger than 65536 bytes.')
})

test('Methods: OPTIONS is one like the others, and every 405 says what there is', async () => {
  const { id, code } = await newOrder(node, 'PAY_OUT')
  const rows: [as: string, path: string, allow: string][] = [
    ['mk_shop', payOuts, 'GET, HEAD, POST'],
    ['mk_shop', merchantPath('PAY_OUT', id), 'GET, HEAD'],
    ['pk_a', providerPath('PAY_OUT', code), 'GET, HEAD'],
    ['pk_a', providerPath('PAY_OUT', code, 'start'), 'POST'],
  ]
  for (const [as, path, allow] of rows) {
    for (const method of ['OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await node.request({ as, path, method })
      assert.equal([answer.status, answer.headers.get('allow')], [405, allow])
      assert.is(answer.json.detail, `Method "${method}" not allowed.`)
      assert.is(answer.headers.get('access-control-allow-origin'), null)
    }
    assert.is((await node.request({ path, method: 'OPTIONS' })).status, 403)
  }
  assert.is((await node.request({ as: 'pk_a', path: providerPath('PAY_OUT', code, 'start') })).status, 405)
})

test('Accept: only a header that excludes JSON is 406, and changes nothing', async () => {
  const accepted = await create({}, { headers: { Accept: 'application/json; charset=utf-8' } })
  assert.is(accepted.status, 201)
  const body = payOutBody()
  const refused = await create({}, { body, headers: { Accept: 'text/html, application/xml;q=0.9' } })
  assert.is(refused.status, 406)
  assert.is(refused.json.detail, 'Could not satisfy the request Accept header.')
  assert.is((await create({}, { body, headers: { Accept: '*/*' } })).status, 201)
})

test.run()
