import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RefusalName } from '../../../http/catalogue/refusals.ts'
import { answerRefusal, type HttpRefusal } from '../../../http/foundation/errors.ts'

type RefusalCase = {
  [Name in RefusalName]: [
    refusal: Extract<HttpRefusal, { name: Name }>,
    status: number,
    code: string,
    detail: string,
    headers?: Record<string, string>,
  ]
}

const close = { Connection: 'close' }

const answers: RefusalCase = {
  malformed_request: [{ name: 'malformed_request' }, 400, 'parse_error', 'Malformed request.', close],
  parse_error: [
    { name: 'parse_error', values: { reason: 'The body is not JSON' } },
    400,
    'parse_error',
    'JSON parse error - The body is not JSON',
  ],
  pair_not_configured: [
    { name: 'pair_not_configured' },
    400,
    'invalid',
    'No matching configuration found for merchant, country, and currency',
  ],
  quote_pair_invalid: [
    {
      name: 'quote_pair_invalid',
      values: { send_currency: 'USDC', target_currency: 'ARS', blockchain: 'MONAD' },
    },
    400,
    'invalid',
    'USDC:ARS is not a valid pair for MONAD blockchain',
  ],
  send_too_low: [{ name: 'send_too_low' }, 400, 'invalid', 'The amount to send is too low.'],
  status_refused: [
    { name: 'status_refused', values: { action: 'started', status: 'EXPIRED' } },
    400,
    'invalid',
    'The payment cannot be started: the status of the order is EXPIRED.',
  ],
  permission_denied: [
    { name: 'permission_denied' },
    403,
    'permission_denied',
    'You do not have permission to perform this action.',
  ],
  not_found: [{ name: 'not_found' }, 404, 'not_found', 'Not found.'],
  method_not_allowed: [
    { name: 'method_not_allowed', values: { method: 'PUT', allow: ['GET', 'POST'] } },
    405,
    'method_not_allowed',
    'Method "PUT" not allowed.',
    { Allow: 'GET, POST' },
  ],
  not_acceptable: [
    { name: 'not_acceptable' },
    406,
    'not_acceptable',
    'Could not satisfy the request Accept header.',
  ],
  request_timeout: [
    { name: 'request_timeout' },
    408,
    'request_timeout',
    'The request body did not arrive in time.',
    close,
  ],
  locked_by_other: [
    { name: 'locked_by_other' },
    409,
    'conflict',
    'Order is currently being processed by another provider.',
  ],
  order_changed: [
    { name: 'order_changed' },
    409,
    'conflict',
    'The order has changed since this message was first received. Sign it again.',
  ],
  idempotency_in_flight: [
    { name: 'idempotency_in_flight' },
    409,
    'conflict',
    'A request with this Idempotency-Key is still being processed.',
  ],
  webhook_in_flight: [
    { name: 'webhook_in_flight' },
    409,
    'conflict',
    'An attempt of this webhook is under way.',
  ],
  webhook_removed: [
    { name: 'webhook_removed' },
    409,
    'conflict',
    'The body of this webhook was removed for its age.',
  ],
  body_too_large: [
    { name: 'body_too_large', values: { max_bytes: 65_536 } },
    413,
    'request_too_large',
    'The request body is larger than 65536 bytes.',
    close,
  ],
  unsupported_media_type: [
    { name: 'unsupported_media_type', values: { media_type: 'text/plain' } },
    415,
    'unsupported_media_type',
    'Unsupported media type "text/plain" in request.',
  ],
  unsupported_encoding: [
    { name: 'unsupported_encoding', values: { encoding: 'gzip' } },
    415,
    'unsupported_media_type',
    'Unsupported content encoding "gzip" in request.',
  ],
  idempotency_key_reused: [
    { name: 'idempotency_key_reused' },
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request.',
  ],
  idempotency_key_invalid: [
    { name: 'idempotency_key_invalid' },
    422,
    'idempotency_key_invalid',
    'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
  ],
  dry_run_invalid: [
    { name: 'dry_run_invalid' },
    422,
    'dry_run_invalid',
    'The Dry-Run header must be true or false.',
  ],
  dry_run_unknown: [
    { name: 'dry_run_unknown' },
    422,
    'dry_run_unknown',
    'This operation has no dry run. Nothing was done.',
  ],
  ended_while_locked: [
    { name: 'ended_while_locked', values: { status: 'EXPIRED' } },
    422,
    'ended_while_locked',
    'The order became EXPIRED while it was locked. The operator has to settle it.',
  ],
  provider_frozen: [
    { name: 'provider_frozen' },
    422,
    'provider_frozen',
    'The operator has suspended this provider. No payment can be started.',
  ],
  network_currency: [
    { name: 'network_currency', values: { currency: 'MXN' } },
    422,
    'network_currency',
    'This network does not handle MXN. No payment can be started.',
  ],
  network_limits: [
    { name: 'network_limits' },
    422,
    'network_limits',
    'The price is outside the limits of this network. No payment can be started.',
  ],
  exposure_reached: [
    { name: 'exposure_reached' },
    422,
    'exposure_reached',
    'The provider has reached the limit of what it may owe. No pay-in can be started.',
  ],
  merchant_frozen: [
    { name: 'merchant_frozen' },
    422,
    'merchant_frozen',
    'The operator has suspended the merchant of this order. No payment can be started.',
  ],
  order_quarantined: [
    { name: 'order_quarantined' },
    422,
    'order_quarantined',
    'The order is quarantined. No payment can be started.',
  ],
  report_part_differs: [
    { name: 'report_part_differs' },
    409,
    'conflict',
    'This part was received before with other content. A corrected report has another name.',
  ],
  claim_ended: [
    { name: 'claim_ended', values: { state: 'rejected' } },
    409,
    'conflict',
    'The claim is rejected.',
  ],
  claim_full: [{ name: 'claim_full' }, 409, 'conflict', 'No more is kept for this claim.'],
  report_part_expected: [
    { name: 'report_part_expected', values: { part: 3 } },
    409,
    'conflict',
    'Part 3 of this report is expected.',
  ],
  closing_in_flight: [
    { name: 'closing_in_flight' },
    409,
    'conflict',
    'The account is being closed by another request.',
  ],
  settlement_stopped: [
    { name: 'settlement_stopped' },
    503,
    'service_unavailable',
    'Settlement is stopped at the moment, try again later.',
  ],
  draining: [
    { name: 'draining' },
    503,
    'service_unavailable',
    'The service takes nothing new on at the moment, try again later.',
    { 'Retry-After': '60' },
  ],
  simulation_refused: [
    { name: 'simulation_refused', values: { why: 'The order waits for no funds: it is READY.' } },
    422,
    'simulation_refused',
    'The order waits for no funds: it is READY.',
  ],
  dependency_failed: [
    { name: 'dependency_failed' },
    424,
    'dependency_failed',
    'A dependent operation failed.',
  ],
  throttled: [
    { name: 'throttled', values: { wait: 30 } },
    429,
    'throttled',
    'Request was throttled. Expected available in 30 seconds.',
    { 'Retry-After': '30' },
  ],
  error: [{ name: 'error' }, 500, 'error', 'A server error occurred.'],
  unavailable: [
    { name: 'unavailable' },
    503,
    'service_unavailable',
    'Service temporarily unavailable, try again later.',
  ],
}

/** Protocol 7.1. */
function shapeOf(status: number, code: string, detail: string): object {
  const errors = [{ attr: null, code, detail }]
  if (status === 409) return { detail }
  if (code === 'parse_error') return { type: 'client_error', errors }
  if (status === 400) return { detail, type: 'validation_error', errors }
  return { detail, type: status < 500 ? 'client_error' : 'server_error', errors }
}

for (const [refusal, status, code, detail, headers] of Object.values(answers)) {
  test(`${refusal.name} is answered ${status} "${detail}"`, () =>
    assert.equal(answerRefusal(refusal), {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(shapeOf(status, code, detail)),
    }))
}

test('a conflict says its detail and nothing else', () =>
  assert.is(
    answerRefusal({ name: 'locked_by_other' }).body,
    '{"detail":"Order is currently being processed by another provider."}',
  ))

test('one second is not written as several', () => {
  const detailOf = (wait: number) =>
    JSON.parse(answerRefusal({ name: 'throttled', values: { wait } }).body).detail
  assert.is(detailOf(1), 'Request was throttled. Expected available in 1 second.')
  assert.is(detailOf(11), 'Request was throttled. Expected available in 11 seconds.')
})

test('values are filled in as they are, even when they look like placeholders', () => {
  const { body } = answerRefusal({
    name: 'quote_pair_invalid',
    values: { send_currency: '{blockchain}', target_currency: '$&', blockchain: 'SOLANA' },
  })
  assert.is(JSON.parse(body).detail, '{blockchain}:$& is not a valid pair for SOLANA blockchain')
})

test.run()
