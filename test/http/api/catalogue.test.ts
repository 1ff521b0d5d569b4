import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RefundLook } from '../../../actors/orders/refunds.ts'
import {
  readOrderList,
  readPayInCreation,
  readPayOutCreation,
  readProviderAction,
} from '../../../http/api/requests.ts'
import { readMovementList } from '../../../http/api/settlement-requests.ts'
import { type FieldProblemName, fieldProblems } from '../../../http/catalogue/field-problems.ts'
import { refusals } from '../../../http/catalogue/refusals.ts'
import {
  answerRefusal,
  type FieldError,
  fieldError,
  type HttpRefusal,
} from '../../../http/foundation/errors.ts'
import type { Json } from '../../../http/foundation/json.ts'
import { errorsPage } from '../../../scripts/errors-page.ts'
import { localOrder, newYear } from '../../support/order-requests.ts'
import { claimProblems } from './claim-problems.ts'
import { reportProblems } from './report-problems.ts'

const rules = { now: newYear, judgeNotifyUrl: () => null, priceLimits: null }

function errorsOf(outcome: { ok: boolean; refusal?: HttpRefusal }): readonly FieldError[] {
  assert.is(outcome.refusal?.name, 'fields')
  return outcome.refusal?.name === 'fields' ? outcome.refusal.errors : []
}

const { price: _, ...orderWithoutPrice } = localOrder

const order = (change: Record<string, Json>) =>
  errorsOf(readPayOutCreation({ ...localOrder, ...change }, rules))

const refund = (found: RefundLook) =>
  errorsOf(
    readPayOutCreation(
      { ...localOrder, refund_of: '7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33' },
      { ...rules, refund: found },
    ),
  )

const action = (change: Record<string, Json>, isNetworkKnown = true) =>
  errorsOf(
    readProviderAction(
      { network_id: '0001', ...change },
      { isPriceRequired: false, priceMinor: 100_000n, currency: 'MXN', isNetworkKnown },
    ),
  )

const movementErrors = (query: string) => errorsOf(readMovementList(query))

/**
 * Each entry by a real input, or, where only the database knows, as its endpoint says it; and its exact item.
 */
const problems: Record<
  FieldProblemName,
  [errors: readonly FieldError[], attr: string, code: string, detail: string]
> = {
  required: [
    errorsOf(readPayInCreation(orderWithoutPrice, rules)),
    'price',
    'required',
    'This field is required.',
  ],
  null: [order({ country: null }), 'country', 'null', 'This field may not be null.'],
  blank: [order({ description: ' \t ' }), 'description', 'blank', 'This field may not be blank.'],
  no_data: [errorsOf(readPayOutCreation(null, rules)), 'non_field_errors', 'null', 'No data provided'],
  not_an_object: [
    errorsOf(readPayOutCreation([], rules)),
    'non_field_errors',
    'invalid',
    'Invalid data. Expected a dictionary, but got list.',
  ],
  not_a_string: [order({ description: true }), 'description', 'invalid', 'Not a valid string.'],
  not_a_number: [order({ price: '12,34' }), 'price', 'invalid', 'A valid number is required.'],
  not_an_integer: [errorsOf(readOrderList('limit=ten')), 'limit', 'invalid', 'A valid integer is required.'],
  not_a_datetime: [
    order({ expiry: '2026-13-45' }),
    'expiry',
    'invalid',
    'Datetime has wrong format. Use one of these formats instead: ' +
      'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
  ],
  not_a_date: [
    movementErrors('?currency=MXN&from=2026-02-30'),
    'from',
    'invalid',
    'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  ],
  not_a_uuid: [
    order({ order_type: 'ForeignCurrencyOrder', wallet: 'w', quote: '42' }),
    'quote',
    'invalid',
    'Must be a valid UUID.',
  ],
  not_a_choice: [
    order({ order_type: 'Nope' }),
    'order_type',
    'invalid_choice',
    '"Nope" is not a valid choice.',
  ],
  max_length: [
    order({ merchant_order_id: 'x'.repeat(128) }),
    'merchant_order_id',
    'max_length',
    'Ensure this field has no more than 127 characters.',
  ],
  null_characters: [
    order({ description: 'a\0b' }),
    'description',
    'null_characters_not_allowed',
    'Null characters are not allowed.',
  ],
  surrogate_characters: [
    order({ description: 'a\ud800b' }),
    'description',
    'surrogate_characters_not_allowed',
    'Surrogate characters are not allowed: U+D800.',
  ],
  not_a_url: [order({ return_url: 'shop.example' }), 'return_url', 'invalid', 'Enter a valid URL.'],
  not_an_email: [
    order({ consumer_email: 'ana@' }),
    'consumer_email',
    'invalid',
    'Enter a valid email address.',
  ],
  max_string_length: [
    order({ price: '1'.repeat(1001) }),
    'price',
    'max_string_length',
    'String value too large.',
  ],
  max_digits: [
    order({ price: '1.000000000000000001' }),
    'price',
    'max_digits',
    'Ensure that there are no more than 18 digits in total.',
  ],
  max_decimal_places: [
    order({ price: '10.001' }),
    'price',
    'max_decimal_places',
    'Ensure that there are no more than 2 decimal places.',
  ],
  max_whole_digits: [
    action({ price: '12345678901234567' }),
    'price',
    'max_whole_digits',
    'Ensure that there are no more than 16 digits before the decimal point.',
  ],
  min_value: [
    action({ price: '-0.01' }),
    'price',
    'min_value',
    'Ensure this value is greater than or equal to 0.',
  ],
  expiry_past: [
    order({ expiry: '2026-01-01T00:00:00Z' }),
    'expiry',
    'invalid',
    'The expiry must be in the future.',
  ],
  target_refused: [
    errorsOf(readPayOutCreation(localOrder, { ...rules, judgeNotifyUrl: () => 'Not there, please.' })),
    'notify_url',
    'invalid',
    'Not there, please.',
  ],
  network_unknown: [
    action({}, false),
    'network_id',
    'invalid',
    'This network is not registered for this provider.',
  ],
  price_differs: [
    action({ price: '999.99' }),
    'price',
    'invalid',
    'Value does not match the price of the order.',
  ],
  currency_differs: [
    action({ price_currency: 'CLP' }),
    'price_currency',
    'invalid',
    'Value does not match the currency of the order.',
  ],
  consumer_contact: [
    order({ consumer_email: '' }),
    'non_field_errors',
    'invalid',
    'At least one of consumer_email and consumer_phone_number is required.',
  ],
  price_too_low: [[fieldError('price', 'price_too_low')], 'price', 'invalid', 'Value is too low.'],
  price_below_fee: [
    [fieldError('price', 'price_below_fee')],
    'price',
    'invalid',
    'Value does not cover the fee.',
  ],
  price_too_high: [[fieldError('price', 'price_too_high')], 'price', 'invalid', 'Value is too high.'],
  refund_unknown: [
    refund({ ok: false, problem: { reason: 'refund_unknown' } }),
    'refund_of',
    'does_not_exist',
    'Invalid pk "7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33" - object does not exist.',
  ],
  refund_unpaid: [
    refund({ ok: false, problem: { reason: 'refund_unpaid' } }),
    'refund_of',
    'invalid',
    'This pay-in has not been paid.',
  ],
  refund_currency: [
    refund({ ok: false, problem: { reason: 'refund_currency' } }),
    'price_currency',
    'invalid',
    'Value does not match the currency of the pay-in.',
  ],
  refund_exceeds: [
    refund({ ok: true, leftMinor: 12_000n }),
    'price',
    'invalid',
    'Value is more than what is left to refund of the pay-in: 120.00 MXN.',
  ],
  not_unique: [
    [fieldError('merchant_order_id', 'not_unique')],
    'merchant_order_id',
    'unique',
    'This field must be unique.',
  ],
  quote_unknown: [
    [fieldError('quote', 'quote_unknown', { quote: 'q' })],
    'quote',
    'does_not_exist',
    'Invalid pk "q" - object does not exist.',
  ],
  quote_expired: [[fieldError('quote', 'quote_expired')], 'quote', 'invalid', 'This quote has expired.'],
  quote_used: [[fieldError('quote', 'quote_used')], 'quote', 'invalid', 'This quote has already been used.'],
  quote_unusable: [
    [fieldError('quote', 'quote_unusable')],
    'quote',
    'invalid',
    'The blockchain of this quote is not available.',
  ],
  wallet_invalid: [
    [fieldError('wallet', 'wallet_invalid')],
    'wallet',
    'invalid',
    'This is not a wallet that can sign on the blockchain of the quote.',
  ],
  withdrawal_not_agreed: [
    [fieldError('currency', 'withdrawal_not_agreed')],
    'currency',
    'does_not_exist',
    'No settlement is agreed on for this currency.',
  ],
  withdrawal_by_itself: [
    [fieldError('currency', 'withdrawal_by_itself')],
    'currency',
    'invalid',
    'This account is closed by itself, not on request.',
  ],
  withdrawal_no_account: [
    [fieldError('currency', 'withdrawal_no_account')],
    'currency',
    'invalid',
    'No bank account is agreed on for this currency.',
  ],
  withdrawal_closed: [
    [fieldError('currency', 'withdrawal_closed', { day: '2026-03-01' })],
    'currency',
    'invalid',
    'The account is closed for 2026-03-01. What comes now can be withdrawn once the next day has begun.',
  ],
  withdrawal_nothing: [
    [fieldError('currency', 'withdrawal_nothing')],
    'currency',
    'invalid',
    'There is nothing to withdraw.',
  ],
  withdrawal_exceeds: [
    [fieldError('amount', 'withdrawal_exceeds', { most: '5.00', currency: 'MXN' })],
    'amount',
    'invalid',
    'Value is more than what can be withdrawn: 5.00 MXN.',
  ],
  ...reportProblems,
  ...claimProblems,
  step_of_others: [
    [fieldError('step', 'step_of_others')],
    'step',
    'invalid',
    'A provider simulates what happens at its counter: start, confirm, cancel, hold.',
  ],
  cursor_unknown: [[fieldError('cursor', 'cursor_unknown')], 'cursor', 'invalid', 'Invalid cursor.'],
  query_not_allowed: [
    [fieldError('non_field_errors', 'query_not_allowed')],
    'non_field_errors',
    'invalid',
    'This path takes no query string.',
  ],
  body_not_allowed: [
    [fieldError('non_field_errors', 'body_not_allowed')],
    'non_field_errors',
    'invalid',
    'A list takes no body.',
  ],
}

for (const [name, [errors, attr, code, detail]] of Object.entries(problems)) {
  test(`${name} is said of ${attr} as "${detail}"`, () => {
    assert.equal(errors, [{ attr, code, detail }])
    assert.equal(answerRefusal({ name: 'fields', errors }), {
      status: 400,
      headers: { 'Content-Type': 'application/json' },
      body: `{"type":"validation_error","errors":[${JSON.stringify({ attr, code, detail })}]}`,
    })
  })
}

test('the catalogue says when each of its entries is said', () => {
  for (const { code, text, when } of [...Object.values(fieldProblems), ...Object.values(refusals)]) {
    assert.match(code, /^[a-z_]+$/)
    assert.ok(text.length > 0)
    assert.match(when, /^\S.+\.$/)
  }
})

test('docs/errors.md has the catalogue as it is (node scripts/errors-page.ts writes it)', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  assert.is(page, errorsPage(page))
})

test.run()
