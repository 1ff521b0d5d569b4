/** One example of each entry of the catalogue: a new entry does not compile until it has its own. */
import type { FieldProblemName } from '../../catalogue/field-problems.ts'
import type { RefusalName } from '../../catalogue/refusals.ts'
import {
  answerRefusal,
  type FieldError,
  fieldError,
  type HttpRefusal,
  nonFieldErrors,
} from '../../foundation/errors.ts'

const refusalExamples: { [Name in RefusalName]: Extract<HttpRefusal, { name: Name }> } = {
  malformed_request: { name: 'malformed_request' },
  parse_error: {
    name: 'parse_error',
    values: { reason: "Expected ',' or '}' after property value in JSON at position 9 (line 1 column 10)" },
  },
  pair_not_configured: { name: 'pair_not_configured' },
  quote_pair_invalid: {
    name: 'quote_pair_invalid',
    values: { send_currency: 'USDC', target_currency: 'MXN', blockchain: 'SOLANA' },
  },
  send_too_low: { name: 'send_too_low' },
  status_refused: { name: 'status_refused', values: { action: 'started', status: 'COMPLETED' } },
  permission_denied: { name: 'permission_denied' },
  not_found: { name: 'not_found' },
  method_not_allowed: { name: 'method_not_allowed', values: { method: 'PUT', allow: ['GET', 'HEAD'] } },
  not_acceptable: { name: 'not_acceptable' },
  request_timeout: { name: 'request_timeout' },
  locked_by_other: { name: 'locked_by_other' },
  order_changed: { name: 'order_changed' },
  idempotency_in_flight: { name: 'idempotency_in_flight' },
  closing_in_flight: { name: 'closing_in_flight' },
  body_too_large: { name: 'body_too_large', values: { max_bytes: 65_536 } },
  unsupported_media_type: { name: 'unsupported_media_type', values: { media_type: 'text/plain' } },
  unsupported_encoding: { name: 'unsupported_encoding', values: { encoding: 'gzip' } },
  idempotency_key_reused: { name: 'idempotency_key_reused' },
  idempotency_key_invalid: { name: 'idempotency_key_invalid' },
  ended_while_locked: { name: 'ended_while_locked', values: { status: 'EXPIRED' } },
  provider_frozen: { name: 'provider_frozen' },
  network_currency: { name: 'network_currency', values: { currency: 'MXN' } },
  network_limits: { name: 'network_limits' },
  exposure_reached: { name: 'exposure_reached' },
  merchant_frozen: { name: 'merchant_frozen' },
  order_quarantined: { name: 'order_quarantined' },
  dependency_failed: { name: 'dependency_failed' },
  throttled: { name: 'throttled', values: { wait: 30 } },
  error: { name: 'error' },
  unavailable: { name: 'unavailable' },
  settlement_stopped: { name: 'settlement_stopped' },
  draining: { name: 'draining' },
}

const problemExamples: Record<FieldProblemName, FieldError> = {
  required: fieldError('merchant_order_id', 'required'),
  null: fieldError('merchant_order_id', 'null'),
  blank: fieldError('description', 'blank'),
  no_data: fieldError(nonFieldErrors, 'no_data'),
  not_an_object: fieldError(nonFieldErrors, 'not_an_object', { datatype: 'list' }),
  not_a_string: fieldError('description', 'not_a_string'),
  not_a_number: fieldError('price', 'not_a_number'),
  not_an_integer: fieldError('limit', 'not_an_integer'),
  not_a_datetime: fieldError('expiry', 'not_a_datetime'),
  not_a_date: fieldError('from', 'not_a_date'),
  not_a_uuid: fieldError('quote', 'not_a_uuid'),
  not_a_choice: fieldError('order_type', 'not_a_choice', { input: 'Order' }),
  max_length: fieldError('merchant_order_id', 'max_length', { max_length: 127 }),
  null_characters: fieldError('description', 'null_characters'),
  surrogate_characters: fieldError('description', 'surrogate_characters', { code_point: 'D83D' }),
  not_a_url: fieldError('return_url', 'not_a_url'),
  not_an_email: fieldError('consumer_email', 'not_an_email'),
  max_string_length: fieldError('price', 'max_string_length'),
  max_digits: fieldError('price', 'max_digits', { max_digits: 18 }),
  max_decimal_places: fieldError('price', 'max_decimal_places', { max_decimal_places: 2 }),
  max_whole_digits: fieldError('price', 'max_whole_digits', { max_whole_digits: 16 }),
  min_value: fieldError('limit', 'min_value', { min_value: 1 }),
  expiry_past: fieldError('expiry', 'expiry_past'),
  target_refused: fieldError('notify_url', 'target_refused', { problem: 'The URL must use https.' }),
  network_unknown: fieldError('network_id', 'network_unknown'),
  price_differs: fieldError('price', 'price_differs'),
  currency_differs: fieldError('price_currency', 'currency_differs'),
  price_too_low: fieldError('price', 'price_too_low'),
  price_below_fee: fieldError('price', 'price_below_fee'),
  price_too_high: fieldError('price', 'price_too_high'),
  refund_unknown: fieldError('refund_of', 'refund_unknown', {
    refund_of: '7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33',
  }),
  refund_unpaid: fieldError('refund_of', 'refund_unpaid'),
  refund_currency: fieldError('price_currency', 'refund_currency'),
  refund_exceeds: fieldError('price', 'refund_exceeds', { left: '120.00', currency: 'MXN' }),
  not_unique: fieldError('merchant_order_id', 'not_unique'),
  quote_unknown: fieldError('quote', 'quote_unknown', { quote: '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55' }),
  quote_expired: fieldError('quote', 'quote_expired'),
  quote_used: fieldError('quote', 'quote_used'),
  quote_unusable: fieldError('quote', 'quote_unusable'),
  wallet_invalid: fieldError('wallet', 'wallet_invalid'),
  withdrawal_not_agreed: fieldError('currency', 'withdrawal_not_agreed'),
  withdrawal_by_itself: fieldError('currency', 'withdrawal_by_itself'),
  withdrawal_no_account: fieldError('currency', 'withdrawal_no_account'),
  withdrawal_closed: fieldError('currency', 'withdrawal_closed', { day: '2026-03-01' }),
  withdrawal_nothing: fieldError('currency', 'withdrawal_nothing'),
  withdrawal_exceeds: fieldError('amount', 'withdrawal_exceeds', { most: '120.00', currency: 'MXN' }),
  cursor_unknown: fieldError('cursor', 'cursor_unknown'),
  consumer_contact: fieldError(nonFieldErrors, 'consumer_contact'),
  query_not_allowed: fieldError(nonFieldErrors, 'query_not_allowed'),
  body_not_allowed: fieldError(nonFieldErrors, 'body_not_allowed'),
}

/** The body of a refusal of this name. */
export function refusalExample(name: RefusalName): unknown {
  return JSON.parse(answerRefusal(refusalExamples[name]).body)
}

/** The body of a 400 with this one problem. */
export function problemExample(name: FieldProblemName): unknown {
  return JSON.parse(answerRefusal({ name: 'fields', errors: [problemExamples[name]] }).body)
}
