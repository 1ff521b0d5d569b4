import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { networkIdOf, readProviderAction } from '../../../http/api/requests.ts'
import { type Json, JsonNumber } from '../../../http/foundation/json.ts'
import { problemsOf } from '../../support/order-requests.ts'

const order = { priceMinor: 100_000n, currency: 'MXN', isNetworkKnown: true }

const payments: [
  message: 'any' | 'start of a pay-in',
  body: Json,
  problems: string[],
  isNetworkKnown?: boolean,
][] = [
  ['any', { network_id: '0001' }, []],
  ['any', { network_id: '0001', price: '1000', price_currency: 'MXN' }, []],
  ['any', { network_id: '0001', price: new JsonNumber('1000.0') }, []],
  ['any', {}, ['network_id required']],
  [
    'any',
    { network_id: '9', price: '1', price_currency: 'CLP' },
    ['network_id invalid', 'price invalid', 'price_currency invalid'],
    false,
  ],
  [
    'any',
    { network_id: '', price: null, price_currency: '' },
    ['network_id blank', 'price null', 'price_currency blank'],
  ],
  // The order's currency says how many decimals there are, whatever the message says.
  ['any', { network_id: '0001', price: '1000.00', price_currency: 'CLP' }, ['price_currency invalid']],
  ['any', { network_id: '0001', price: '1000.001' }, ['price max_decimal_places']],
  ['any', { network_id: '0001', price_currency: 'mxn' }, ['price_currency invalid']],
  ['start of a pay-in', { network_id: '0001', price: '1000.00', price_currency: 'MXN' }, []],
  ['any', { network_id: '0001', reference: '', shop_id: ' ', till_id: 'x'.repeat(100) }, []],
  ['any', { network_id: '0001', reference: 'x'.repeat(101) }, ['reference max_length']],
  [
    'any',
    { network_id: '0001', shop_id: null, till_id: 'a\0' },
    ['shop_id null', 'till_id null_characters_not_allowed'],
  ],
  ['start of a pay-in', {}, ['network_id required', 'price required', 'price_currency required']],
  ['start of a pay-in', [], ['non_field_errors invalid']],
]
for (const [message, body, problems, isNetworkKnown = true] of payments)
  test(`a provider's message, ${message}, ${JSON.stringify(body)} has ${problems.join() || 'no problem'}`, () => {
    const isPriceRequired = message === 'start of a pay-in'
    assert.equal(
      problemsOf(readProviderAction(body, { ...order, isPriceRequired, isNetworkKnown })),
      problems,
    )
  })

const networks: [body: Json, networkId: string | null][] = [
  [{ network_id: ' 0001 ' }, '0001'],
  [{ network_id: new JsonNumber('12') }, '12'],
  [{ network_id: '0001', price: 'nonsense' }, '0001'],
  [{ network_id: ' ' }, null],
  [{ network_id: 'a\0' }, null],
  [{ network_id: '\ud800' }, null],
  [{ network_id: 'x'.repeat(128) }, null],
  [{ network_id: null }, null],
  [{}, null],
  ['0001', null],
]
for (const [body, networkId] of networks)
  test(`${JSON.stringify(body).slice(0, 50)} names ${networkId ?? 'no network'}`, () =>
    assert.is(networkIdOf(body), networkId))

test.run()
