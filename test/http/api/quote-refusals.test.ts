/** What is refused of `POST /merchants/quotes/`: protocol 2.4, 7.2 and 7.3. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { stopTestNode, type TestAnswer, type TestNode, type TestRequest } from '../../support/node.ts'
import { type Quote, quoteOn, startQuotingNode } from '../../support/quoting.ts'

let node: TestNode
let quote: Quote
test.before(async () => {
  node = await startQuotingNode()
  quote = quoteOn(node)
})
test.after(() => stopTestNode(node))

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
  [{ send: '1234567890123' }, [['send', 'invalid', 'Value is too high.']]],
  [{ send: '9'.repeat(19) }, [['send', 'invalid', 'Value is too high.']]],
  [
    { send: '1.000000000000000001' },
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

test('a frozen merchant is quoted nothing', async () => {
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  await partyFreeze.run(context, { name: 'Shop', reason: 'its key has leaked' })
  const { status, json } = await quote()
  await partyUnfreeze.run(context, { name: 'Shop', reason: 'all is well' })
  assert.equal([status, json.errors[0].code], [403, 'permission_denied'])
  assert.is((await quote()).status, 201)
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
