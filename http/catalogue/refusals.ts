/**
 * What the API says when it refuses a request as a whole: one item of `errors[]`, with attr null. Data, so
 * that the documentation is made of it; codes and texts are Django REST framework's where it has some.
 */

export interface RefusalEntry {
  status: number
  /** `validation_error` for a 400 about what was asked, else the side at fault. */
  type: 'validation_error' | 'client_error' | 'server_error'
  code: string
  text: string
  when: string
}

export const refusals = {
  malformed_request: {
    status: 400,
    type: 'client_error',
    code: 'parse_error',
    text: 'Malformed request.',
    when: 'The body ended before its declared length.',
  },
  parse_error: {
    status: 400,
    type: 'client_error',
    code: 'parse_error',
    text: 'JSON parse error - {reason}',
    when: 'The body is not JSON, or not UTF-8. An empty body counts as {}.',
  },
  pair_not_configured: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: 'No matching configuration found for merchant, country, and currency',
    when: 'The merchant is not enabled for the country and currency.',
  },
  quote_pair_invalid: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: '{send_currency}:{target_currency} is not a valid pair for {blockchain} blockchain',
    when: 'The pair has no rate on this blockchain, or the blockchain is off.',
  },
  send_too_low: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: 'The amount to send is too low.',
    when: 'What is left of send after the fee is below the merchant’s minimum.',
  },
  status_refused: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: 'The payment cannot be {action}: the status of the order is {status}.',
    when: 'A start, confirm or cancel that the order’s status does not allow.',
  },
  permission_denied: {
    status: 403,
    type: 'client_error',
    code: 'permission_denied',
    text: 'You do not have permission to perform this action.',
    when: 'Authentication failed, the order is another provider’s at the moment, or the merchant is suspended.',
  },
  not_found: {
    status: 404,
    type: 'client_error',
    code: 'not_found',
    text: 'Not found.',
    when: 'There is no such path or object, or it belongs to another merchant.',
  },
  method_not_allowed: {
    status: 405,
    type: 'client_error',
    code: 'method_not_allowed',
    text: 'Method "{method}" not allowed.',
    when: 'The path exists, but only for the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    type: 'client_error',
    code: 'not_acceptable',
    text: 'Could not satisfy the request Accept header.',
    when: 'The Accept header does not allow JSON.',
  },
  request_timeout: {
    status: 408,
    type: 'client_error',
    code: 'request_timeout',
    text: 'The request body did not arrive in time.',
    when: 'The sender is too slow.',
  },
  locked_by_other: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'Order is currently being processed by another provider.',
    when: 'A start of a pay-out that another provider holds.',
  },
  order_changed: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'The order has changed since this message was first received. Sign it again.',
    when: 'A start, confirm or cancel was repeated byte for byte after the order had changed; nothing was changed.',
  },
  idempotency_in_flight: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'A request with this Idempotency-Key is still being processed.',
    when: 'Two requests with one Idempotency-Key arrive together.',
  },
  closing_in_flight: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'The account is being closed by another request.',
    when: 'A withdrawal beside others of the same account; nothing was withdrawn by it.',
  },
  report_part_differs: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'This part was received before with other content. A corrected report has another name.',
    when: 'A part of a report comes again and says something else, or another number of parts; nothing was changed.',
  },
  report_part_expected: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'Part {part} of this report is expected.',
    when: 'A part of a report comes before those in front of it; nothing was changed.',
  },
  claim_ended: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'The claim is {state}.',
    when: 'A claim that was decided or withdrawn is answered, withdrawn or gets a text; nothing was changed.',
  },
  claim_full: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'No more is kept for this claim.',
    when: 'A claim has as many texts, files and answers as it may, or its consumer’s data were erased; nothing was changed.',
  },
  body_too_large: {
    status: 413,
    type: 'client_error',
    code: 'request_too_large',
    text: 'The request body is larger than {max_bytes} bytes.',
    when: 'The body is larger than 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'client_error',
    code: 'unsupported_media_type',
    text: 'Unsupported media type "{media_type}" in request.',
    when: 'There is a body and its Content-Type is not application/json, in UTF-8.',
  },
  unsupported_encoding: {
    status: 415,
    type: 'client_error',
    code: 'unsupported_media_type',
    text: 'Unsupported content encoding "{encoding}" in request.',
    when: 'Content-Encoding is not identity.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'client_error',
    code: 'idempotency_key_reused',
    text: 'This Idempotency-Key was used for another request.',
    when: 'The key was used within 24 hours with another method, path or body.',
  },
  idempotency_key_invalid: {
    status: 422,
    type: 'client_error',
    code: 'idempotency_key_invalid',
    text: 'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
    when: 'The Idempotency-Key header is empty, too long, or sent twice.',
  },
  ended_while_locked: {
    status: 422,
    type: 'client_error',
    code: 'ended_while_locked',
    text: 'The order became {status} while it was locked. The operator has to settle it.',
    when: 'A confirmation by the provider that held the order when it ended.',
  },
  provider_frozen: {
    status: 422,
    type: 'client_error',
    code: 'provider_frozen',
    text: 'The operator has suspended this provider. No payment can be started.',
    when: 'A start by a frozen provider; it can still confirm.',
  },
  network_currency: {
    status: 422,
    type: 'client_error',
    code: 'network_currency',
    text: 'This network does not handle {currency}. No payment can be started.',
    when: 'A payment is started through a network that was agreed on for another currency.',
  },
  network_limits: {
    status: 422,
    type: 'client_error',
    code: 'network_limits',
    text: 'The price is outside the limits of this network. No payment can be started.',
    when: 'A payment is started through a network that takes or hands out only less, or only more, at once.',
  },
  exposure_reached: {
    status: 422,
    type: 'client_error',
    code: 'exposure_reached',
    text: 'The provider has reached the limit of what it may owe. No pay-in can be started.',
    when: 'A pay-in is started whose price, with what its provider owes, holds and has in doubt, is more than agreed on; confirmations go on.',
  },
  merchant_frozen: {
    status: 422,
    type: 'client_error',
    code: 'merchant_frozen',
    text: 'The operator has suspended the merchant of this order. No payment can be started.',
    when: 'A start of a frozen merchant’s order; payments already started can be confirmed.',
  },
  order_quarantined: {
    status: 422,
    type: 'client_error',
    code: 'order_quarantined',
    text: 'The order is quarantined. No payment can be started.',
    when: 'A start of an order that was open in a restored backup: it may have been paid since.',
  },
  dependency_failed: {
    status: 424,
    type: 'client_error',
    code: 'dependency_failed',
    text: 'A dependent operation failed.',
    when: 'There is no acceptable exchange rate at the moment; try later or another blockchain.',
  },
  throttled: {
    status: 429,
    type: 'client_error',
    code: 'throttled',
    text: 'Request was throttled. Expected available in {wait} seconds.',
    when: 'A limit is exceeded; the Retry-After header says how long to wait.',
  },
  error: {
    status: 500,
    type: 'server_error',
    code: 'error',
    text: 'A server error occurred.',
    when: 'A fault of the service. Whether anything changed is not known: check before trying again.',
  },
  unavailable: {
    status: 503,
    type: 'server_error',
    code: 'service_unavailable',
    text: 'Service temporarily unavailable, try again later.',
    when: 'The service is starting, stopping or out of disk space.',
  },
  settlement_stopped: {
    status: 503,
    type: 'server_error',
    code: 'service_unavailable',
    text: 'Settlement is stopped at the moment, try again later.',
    when: 'A withdrawal after the operator has restored a backup, until what the banks have paid since is booked.',
  },
  draining: {
    status: 503,
    type: 'server_error',
    code: 'service_unavailable',
    text: 'The service takes nothing new on at the moment, try again later.',
    when: 'The operator has drained the service for maintenance: creations, quotes and starts have to wait; confirmations, releases and everything else continue. The Retry-After header says when to try again.',
  },
} as const satisfies Record<string, RefusalEntry>

export type RefusalName = keyof typeof refusals
