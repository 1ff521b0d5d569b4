/** `POST /merchants/quotes/`: protocol 2.4 and 10.4. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { createMerchantClient } from '../../../client/index.ts'
import { statement } from '../../../persistence/statement.ts'
import type { Row } from '../../../persistence/store.ts'
import { row } from '../../../persistence/store.ts'
import { unreachableSolana, unreachableStellar } from '../../support/chains/unreachable.ts'
import {
  secretOf,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  type TestRequest,
} from '../../support/node.ts'

const path = '/api/v1/merchants/quotes/'

const merchant = (name: string, key: string, pairs: object[]) => ({
  name,
  credentials: [{ key, secret: secretOf(key) }],
  pairs,
})

const rate = (changes: Record<string, unknown>) => ({
  blockchains: ['SOLANA', 'STELLAR'],
  send: 'USDC',
  country: 'MX',
  target: 'MXN',
  rate: '17.25',
  feeFixed: '0.50',
  feeBps: 100,
  ...changes,
})

const parties = {
  merchants: [
    merchant('Shop', 'mk_shop', [
      { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00', cashIncrement: '0.50' },
      { country: 'CL', currency: 'CLP', min: '1000', max: '5000000', directions: ['PAY_IN'] },
      { country: 'AR', currency: 'ARS', min: '10', max: '5000000' },
      { country: 'PE', currency: 'PEN', min: '1', max: '5000' },
    ]),
    merchant('Other Shop', 'mk_other', [
      { country: 'MX', currency: 'MXN', min: '1.00', max: '100.00', cashIncrement: '0.01' },
    ]),
  ],
  rates: [
    rate({}),
    rate({ country: 'CL', target: 'CLP', rate: '950' }),
    rate({ blockchains: ['MONAD'] }),
    rate({ country: 'PE', target: 'PEN', rate: '3.70', maxAgeSeconds: 60 }),
    rate({ blockchains: ['SOLANA'], send: 'EURC' }),
  ],
}

let node: TestNode
test.before(async () => {
  node = await startTestNode({
    // Monad stays off.
    env: { ...unreachableSolana, ...unreachableStellar },
    parties,
  })
})
test.after(() => stopTestNode(node))

const valid = {
  blockchain: 'SOLANA',
  send: '100.00',
  send_currency: 'USDC',
  target_country: 'MX',
  target_currency: 'MXN',
}

const quote = (changes: Record<string, unknown> = {}, request: Partial<TestRequest> = {}) =>
  node.request({ as: 'mk_shop', path, body: { ...valid, ...changes }, ...request })

async function quoteRow(id: string): Promise<Row<'quotes'> | null> {
  const result = await node.core.store.step({
    rows: { quote: row('quotes', { id }) },
    decide: (rows) => ({ answer: rows.quote, writes: [] }),
  })
  return result.outcome === 'committed' ? result.answer : null
}

const countQuotes = statement<Record<never, never>>()('test.quotes', ({ db }) =>
  db.selectFrom('quotes').select('id'),
)

test('a quote has the fields of protocol 2.4, in their order, exact to the cash increment', async () => {
  const now = node.clock.now()
  const answer = await quote()
  assert.is(answer.status, 201)
  assert.match(answer.json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  // 100.00 less 0.50 and less 1 % is 98.50; times 17.25 is 1699.125; cash comes in steps of 0.50.
  assert.is(
    answer.text,
    JSON.stringify({
      id: answer.json.id,
      ...valid,
      fee: '1.50',
      fee_currency: 'USDC',
      order_price: '1699.00',
      order_price_currency: 'MXN',
      rate: '17.25',
      expires: new Date(now + 300_000).toISOString(),
    }),
  )
})

test('its row keeps what it was made of', async () => {
  const now = node.clock.now()
  const { json } = await quote()
  const kept = await quoteRow(json.id)
  assert.ok(kept)
  const { evidence_json = '', merchant_id: _, ...columns } = kept ?? {}
  assert.equal(columns, {
    id: json.id,
    blockchain: 'SOLANA',
    send_currency: 'USDC',
    asset_id: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    asset_decimals: 6,
    send_minor: 100_000_000n,
    fee_minor: 1_500_000n,
    target_country: 'MX',
    target_currency: 'MXN',
    order_price_minor: 169_900n,
    rounding_minor: 12n,
    rate: '17.25',
    rate_source: 'fixed',
    rate_at: now,
    created_at: now,
    expires_at: now + 300_000,
    order_id: null,
  })
  assert.equal(JSON.parse(evidence_json), {
    feeFixed: '0.5',
    feeBps: 100,
    cashIncrementMinor: '50',
    minMinor: '1000',
    maxMinor: '5000000',
    reading: null,
  })
})

/** What is sent, and what the answer says of it: send, fee, order price. */
const amounts: [changes: Record<string, unknown>, shown: [string, string, string]][] = [
  [{ send: 100 }, ['100.00', '1.50', '1699.00']],
  [{ send: '100.5' }, ['100.50', '1.505', '1707.50']],
  [{ send: ' 000100.000000 ' }, ['100.00', '1.50', '1699.00']],
  [{ send: '1.123456' }, ['1.123456', '0.511235', '10.50']],
  // Stellar's USDC has seven decimals.
  [{ blockchain: 'STELLAR', send: '1.1234567' }, ['1.1234567', '0.5112346', '10.50']],
  [{ send: '2928.34' }, ['2928.34', '29.7834', '50000.00']],
]

for (const [changes, shown] of amounts)
  test(`${JSON.stringify(changes)} comes to ${shown.join(', ')}`, async () => {
    const { status, json } = await quote(changes)
    assert.is(status, 201, JSON.stringify(json))
    assert.equal([json.send, json.fee, json.order_price], shown)
  })

/** A field that is wrong: attr, code and detail. */
const wrongFields: [changes: Record<string, unknown>, errors: [string, string, string][]][] = [
  [{ blockchain: 'BITCOIN' }, [['blockchain', 'invalid_choice', '"BITCOIN" is not a valid choice.']]],
  [{ blockchain: 'solana' }, [['blockchain', 'invalid_choice', '"solana" is not a valid choice.']]],
  [{ blockchain: null }, [['blockchain', 'null', 'This field may not be null.']]],
  [{ send: 'a lot' }, [['send', 'invalid', 'A valid number is required.']]],
  [{ send: '1e3' }, [['send', 'invalid', 'A valid number is required.']]],
  [{ send: '' }, [['send', 'invalid', 'A valid number is required.']]],
  [{ send: true }, [['send', 'invalid', 'A valid number is required.']]],
  [{ send: '-1' }, [['send', 'min_value', 'Ensure this value is greater than or equal to 0.']]],
  [
    { send: '1.1234567' },
    [['send', 'max_decimal_places', 'Ensure that there are no more than 6 decimal places.']],
  ],
  [
    { blockchain: 'STELLAR', send: '1.12345678' },
    [['send', 'max_decimal_places', 'Ensure that there are no more than 7 decimal places.']],
  ],
  [
    { send: '1234567890123' },
    [['send', 'max_whole_digits', 'Ensure that there are no more than 12 digits before the decimal point.']],
  ],
  [
    { send: '9'.repeat(19) },
    [['send', 'max_digits', 'Ensure that there are no more than 18 digits in total.']],
  ],
  [{ send_currency: '' }, [['send_currency', 'blank', 'This field may not be blank.']]],
  [
    { send_currency: 'X'.repeat(13) },
    [['send_currency', 'max_length', 'Ensure this field has no more than 12 characters.']],
  ],
  [
    { target_country: 'MEX', target_currency: 'PESO' },
    [
      ['target_country', 'max_length', 'Ensure this field has no more than 2 characters.'],
      ['target_currency', 'max_length', 'Ensure this field has no more than 3 characters.'],
    ],
  ],
  [
    {
      blockchain: undefined,
      send: undefined,
      send_currency: undefined,
      target_country: undefined,
      target_currency: undefined,
    },
    ['blockchain', 'send', 'send_currency', 'target_country', 'target_currency'].map(
      (field): [string, string, string] => [field, 'required', 'This field is required.'],
    ),
  ],
]

for (const [changes, errors] of wrongFields)
  test(`refused on its fields: ${JSON.stringify(changes)}`, async () => {
    const { status, json } = await quote(changes)
    assert.is(status, 400)
    assert.equal(json, {
      type: 'validation_error',
      errors: errors.map(([attr, code, detail]) => ({ attr, code, detail })),
    })
  })

test('all fields at fault are told together, before any rule of the business', async () => {
  const { status, json } = await quote({ blockchain: 'BITCOIN', send: 'x', target_country: 'CL' })
  assert.is(status, 400)
  assert.equal(
    json.errors.map(({ attr }: { attr: string }) => attr),
    ['blockchain', 'send'],
  )
})

const notConfigured = 'No matching configuration found for merchant, country, and currency'

/** A rule of the business, and the very text of protocol 7.3. */
const refused: [what: string, changes: Record<string, unknown>, detail: string][] = [
  [
    'a country the merchant is not enabled for',
    { target_country: 'CO', target_currency: 'COP' },
    notConfigured,
  ],
  ['a currency of another country', { target_currency: 'CLP' }, notConfigured],
  [
    'a pair that is enabled for pay-ins only',
    { target_country: 'CL', target_currency: 'CLP' },
    notConfigured,
  ],
  [
    'a pair without a rate',
    { target_country: 'AR', target_currency: 'ARS' },
    'USDC:ARS is not a valid pair for SOLANA blockchain',
  ],
  [
    'an asset that nobody knows',
    { send_currency: 'DOGE' },
    'DOGE:MXN is not a valid pair for SOLANA blockchain',
  ],
  [
    'an asset that has a rate, and that the chain does not accept',
    { send_currency: 'EURC' },
    'EURC:MXN is not a valid pair for SOLANA blockchain',
  ],
  [
    'another spelling of an asset',
    { send_currency: 'usdc' },
    'usdc:MXN is not a valid pair for SOLANA blockchain',
  ],
  ['a chain that is off', { blockchain: 'MONAD' }, 'USDC:MXN is not a valid pair for MONAD blockchain'],
  ['less than the fee', { send: '0.50' }, 'The amount to send is too low.'],
  ['nothing', { send: '0' }, 'The amount to send is too low.'],
  // 1.09 less 0.5109 is 0.5791; times 17.25 is 9.98 and a bit.
  ['what comes to less than the minimum', { send: '1.09' }, 'The amount to send is too low.'],
]

for (const [what, changes, detail] of refused)
  test(`refused with the text of protocol 7.3: ${what}`, async () => {
    const { status, json } = await quote(changes)
    assert.is(status, 400)
    assert.equal(json, {
      detail,
      type: 'validation_error',
      errors: [{ attr: null, code: 'invalid', detail }],
    })
  })

test('what comes to more than the maximum is refused with the text of a price too high', async () => {
  const { status, json } = await quote({ send: '2928.37' })
  assert.is(status, 400)
  assert.equal(json, {
    type: 'validation_error',
    errors: [{ attr: 'send', code: 'invalid', detail: 'Value is too high.' }],
  })
})

test('a rate past its age is 424, and another rate goes on', async () => {
  const pen = { target_country: 'PE', target_currency: 'PEN' }
  assert.is((await quote(pen)).status, 201)
  node.clock.advance(60_000)
  assert.is((await quote(pen)).status, 201, 'at its very age')
  node.clock.advance(1)
  const { status, json } = await quote(pen)
  assert.is(status, 424)
  const detail = 'A dependent operation failed.'
  assert.equal(json, {
    detail,
    type: 'client_error',
    errors: [{ attr: null, code: 'dependency_failed', detail }],
  })
  assert.is((await quote()).status, 201)
  // A rate that ages is confirmed by applying it again.
  await node.apply({ rates: parties.rates.filter(({ target }) => target === 'PEN') })
  assert.is((await quote(pen)).status, 201)
})

test('each merchant has its own limits and increment', async () => {
  const own = await quote({ send: '2.00' }, { as: 'mk_other' })
  assert.is(own.json.order_price, '25.53')
  assert.equal((await quote({}, { as: 'mk_other' })).json.errors[0].detail, 'Value is too high.')
})

test('an Idempotency-Key gives the same quote, and no other request', async () => {
  const headers = { 'Idempotency-Key': 'quote-1' }
  const before = (await node.core.store.query(countQuotes, {})).length
  const first = await quote({}, { headers })
  node.clock.advance(1000)
  const again = await quote({}, { headers })
  assert.equal([again.status, again.text], [201, first.text])
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
  const other = await quote({ send: '101.00' }, { headers })
  assert.equal([other.status, other.json.errors[0].code], [422, 'idempotency_key_reused'])
  // The key is the party's own.
  const foreign = await quote({ send: '2.00' }, { headers, as: 'mk_other' })
  assert.is(foreign.status, 201)
})

test('of requests under one Idempotency-Key that arrive together one makes a quote', async () => {
  const headers = { 'Idempotency-Key': 'quote-2' }
  const before = (await node.core.store.query(countQuotes, {})).length
  const answers = await Promise.all([1, 2, 3].map(() => quote({}, { headers })))
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length >= 1)
  assert.is(new Set(made.map(({ text }) => text)).size, 1)
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
})

test('a refusal is not kept under its Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'quote-3' }
  assert.is((await quote({ send: '0.10' }, { headers })).status, 400)
  assert.is((await quote({}, { headers })).status, 201)
})

test('a frozen merchant is quoted nothing', async () => {
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  await partyFreeze.run(context, { name: 'Shop', reason: 'its key has leaked' })
  const { status, json } = await quote()
  await partyUnfreeze.run(context, { name: 'Shop', reason: 'all is well' })
  assert.equal([status, json.errors[0].code], [403, 'permission_denied'])
  assert.is((await quote()).status, 201)
})

test('the client asks for a quote, and asks again under the same key when the answer was lost', async () => {
  const before = (await node.core.store.query(countQuotes, {})).length
  let lost = 0
  const merchant = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: node.clock.now,
    sleep: async () => {},
    async fetch(url, init) {
      const answer = await fetch(url, init)
      if (lost++ > 0) return answer
      await answer.text()
      throw new TypeError('the connection broke')
    },
  })
  const { order_price, rate: at } = await merchant.createQuote({ body: { ...valid, blockchain: 'SOLANA' } })
  assert.equal([order_price, at], ['1699.00', '17.25'])
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
})

test('providers, other methods, queries and other bodies are refused as everywhere', async () => {
  const cases: [request: Partial<TestRequest>, status: number, code: string][] = [
    [{ as: 'pk_nobody' }, 403, 'permission_denied'],
    [{ method: 'GET', body: undefined }, 405, 'method_not_allowed'],
    [{ query: '?a=1' }, 400, 'invalid'],
    [{ body: '[]' }, 400, 'invalid'],
    [{ body: '{' }, 400, 'parse_error'],
    [{ headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
  ]
  for (const [request, status, code] of cases) {
    const answer: TestAnswer = await quote({}, request)
    assert.equal([answer.status, answer.json.errors[0].code], [status, code], JSON.stringify(request))
  }
})

test.run()
