/**
 * The catalogue of everything the API says when it refuses: data, so that the documentation is made of it.
 *
 * Codes and texts are Django REST framework's, which the specification's examples follow (part 7); what it has
 * no text for is said in its manner. `{name}` stands for a value that is filled in.
 */

/** A problem with one field, or with the fields together: an item of `errors[]` of a 400 answer. */
interface FieldProblemEntry {
  code: string
  text: string
  /** When it is said, for the documentation. */
  when: string
}

/** In this order where one field has several problems. */
export const fieldProblems = {
  required: {
    code: 'required',
    text: 'This field is required.',
    when: 'A required field is missing.',
  },
  null: {
    code: 'null',
    text: 'This field may not be null.',
    when: 'A field is null. No field may be; one that is not required can be left out.',
  },
  blank: {
    code: 'blank',
    text: 'This field may not be blank.',
    when: 'A required text is empty or consists of blanks.',
  },
  not_an_object: {
    code: 'invalid',
    text: 'Invalid data. Expected a dictionary, but got {datatype}.',
    when: 'The body is JSON, but no object. attr is non_field_errors.',
  },
  not_a_string: {
    code: 'invalid',
    text: 'Not a valid string.',
    when: 'A text is a boolean, a list or an object. Numbers are taken as they are written.',
  },
  not_a_number: {
    code: 'invalid',
    text: 'A valid number is required.',
    when: 'An amount is no plain decimal number: digits, and digits after a point.',
  },
  not_an_integer: {
    code: 'invalid',
    text: 'A valid integer is required.',
    when: 'A query parameter that counts is no whole number.',
  },
  not_a_datetime: {
    code: 'invalid',
    text: 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    when: 'A time has another form, or names a day or an hour that does not exist, or a year beyond 1 to 9999. No offset means UTC.',
  },
  not_a_uuid: {
    code: 'invalid',
    text: 'Must be a valid UUID.',
    when: 'An id is no UUID.',
  },
  not_a_choice: {
    code: 'invalid_choice',
    text: '"{input}" is not a valid choice.',
    when: 'A field with a closed list of values has another one.',
  },
  max_length: {
    code: 'max_length',
    text: 'Ensure this field has no more than {max_length} characters.',
    when: 'A text is too long, in Unicode code points and without the blanks around it.',
  },
  null_characters: {
    code: 'null_characters_not_allowed',
    text: 'Null characters are not allowed.',
    when: 'A text has U+0000 in it.',
  },
  surrogate_characters: {
    code: 'surrogate_characters_not_allowed',
    text: 'Surrogate characters are not allowed: U+{code_point}.',
    when: 'A text has one half of a surrogate pair in it.',
  },
  not_a_url: {
    code: 'invalid',
    text: 'Enter a valid URL.',
    when: 'An address is no http or https URL.',
  },
  not_an_email: {
    code: 'invalid',
    text: 'Enter a valid email address.',
    when: 'consumer_email is no e-mail address.',
  },
  max_string_length: {
    code: 'max_string_length',
    text: 'String value too large.',
    when: 'A number is written with more than 1,000 characters.',
  },
  max_digits: {
    code: 'max_digits',
    text: 'Ensure that there are no more than {max_digits} digits in total.',
    when: 'An amount has too many digits; leading zeros and zeros at the end of the decimals do not count.',
  },
  max_decimal_places: {
    code: 'max_decimal_places',
    text: 'Ensure that there are no more than {max_decimal_places} decimal places.',
    when: 'An amount has more decimals than its currency; zeros at the end do not count.',
  },
  max_whole_digits: {
    code: 'max_whole_digits',
    text: 'Ensure that there are no more than {max_whole_digits} digits before the decimal point.',
    when: 'An amount has too many digits before the point.',
  },
  min_value: {
    code: 'min_value',
    text: 'Ensure this value is greater than or equal to {min_value}.',
    when: 'A number is below the least one of its field, whatever the merchant’s limits: 0 for amounts.',
  },
  expiry_past: {
    code: 'invalid',
    text: 'The expiry must be in the future.',
    when: 'expiry is not after the time of the request.',
  },
  target_refused: {
    code: 'invalid',
    text: '{problem}',
    when: 'notify_url is a URL, but none that webhooks may be sent to: it must be public and https.',
  },
  network_unknown: {
    code: 'invalid',
    text: 'This network is not registered for this provider.',
    when: 'network_id is not registered, or to another provider.',
  },
  price_differs: {
    code: 'invalid',
    text: 'Value does not match the price of the order.',
    when: 'price is not the order’s. "100" and "100.00" are the same.',
  },
  currency_differs: {
    code: 'invalid',
    text: 'Value does not match the currency of the order.',
    when: 'price_currency is not the order’s.',
  },
  price_too_low: {
    code: 'invalid',
    text: 'Value is too low.',
    when: 'price is below the merchant’s minimum for the country and currency, which is itself allowed.',
  },
  price_too_high: {
    code: 'invalid',
    text: 'Value is too high.',
    when: 'price is above the merchant’s maximum for the country and currency, which is itself allowed.',
  },
  not_unique: {
    code: 'unique',
    text: 'This field must be unique.',
    when: 'The merchant has used this merchant_order_id before.',
  },
  quote_unknown: {
    code: 'does_not_exist',
    text: 'Invalid pk "{quote}" - object does not exist.',
    when: 'quote is the id of no quote of this merchant.',
  },
  quote_expired: {
    code: 'invalid',
    text: 'This quote has expired.',
    when: 'The quote is past its expires.',
  },
  quote_used: {
    code: 'invalid',
    text: 'This quote has already been used.',
    when: 'Another order was created from the quote.',
  },
  cursor_unknown: {
    code: 'invalid',
    text: 'Invalid cursor.',
    when: 'cursor is not the next of an earlier page of the same list.',
  },
  consumer_contact: {
    code: 'invalid',
    text: 'At least one of consumer_email and consumer_phone_number is required.',
    when: 'A pay-out has neither; said once all fields are right. attr is non_field_errors.',
  },
  query_not_allowed: {
    code: 'invalid',
    text: 'This path takes no query string.',
    when: 'The request target of a specified route has a query string. attr is non_field_errors.',
  },
} as const satisfies Record<string, FieldProblemEntry>

/** Everything else that is refused: one item of `errors[]`, with attr null. */
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
    when: 'The body ended before its announced length.',
  },
  parse_error: {
    status: 400,
    type: 'client_error',
    code: 'parse_error',
    text: 'JSON parse error - {reason}',
    when: 'The body is no JSON, or no UTF-8. An empty body is taken for {}.',
  },
  pair_not_configured: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: 'No matching configuration found for merchant, country, and currency',
    when: 'The merchant is not enabled for the country and currency (part 7.3).',
  },
  quote_pair_invalid: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: '{send_currency}:{target_currency} is not a valid pair for {blockchain} blockchain',
    when: 'The pair has no rate on this blockchain, or the blockchain is off (part 7.3).',
  },
  send_too_low: {
    status: 400,
    type: 'validation_error',
    code: 'invalid',
    text: 'The amount to send is too low.',
    when: 'What is left of send after the fee is below the merchant’s minimum (part 7.3).',
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
    when: 'Authentication failed, or the order is another provider’s at the moment.',
  },
  not_found: {
    status: 404,
    type: 'client_error',
    code: 'not_found',
    text: 'Not found.',
    when: 'There is no such path or object, or it is another merchant’s.',
  },
  method_not_allowed: {
    status: 405,
    type: 'client_error',
    code: 'method_not_allowed',
    text: 'Method "{method}" not allowed.',
    when: 'The path exists, for the methods that the header Allow names.',
  },
  not_acceptable: {
    status: 406,
    type: 'client_error',
    code: 'not_acceptable',
    text: 'Could not satisfy the request Accept header.',
    when: 'The request accepts no JSON.',
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
    when: 'A start of a pay-out that another provider holds (part 7.3).',
  },
  order_changed: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'The order has changed since this message was first accepted.',
    when: 'A start or cancel is sent again, byte for byte, after the order has moved on.',
  },
  idempotency_in_flight: {
    status: 409,
    type: 'client_error',
    code: 'conflict',
    text: 'A request with this Idempotency-Key is still being processed.',
    when: 'Two requests with one Idempotency-Key arrive together.',
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
    when: 'The key comes again within 24 hours with another method, path or body.',
  },
  idempotency_key_invalid: {
    status: 422,
    type: 'client_error',
    code: 'idempotency_key_invalid',
    text: 'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
    when: 'The header Idempotency-Key is empty, too long, or comes twice.',
  },
  ended_while_locked: {
    status: 422,
    type: 'client_error',
    code: 'ended_while_locked',
    text: 'The order became {status} while it was locked. The operator has to settle it.',
    when: 'A confirmation comes from the provider that held the order when it ended.',
  },
  provider_frozen: {
    status: 422,
    type: 'client_error',
    code: 'provider_frozen',
    text: 'The operator has suspended this provider. No payment can be started.',
    when: 'A frozen provider starts a payment; its confirmations go on.',
  },
  dependency_failed: {
    status: 424,
    type: 'client_error',
    code: 'dependency_failed',
    text: 'A dependent operation failed.',
    when: 'There is no acceptable exchange rate at the moment; try later or another blockchain (part 7.3).',
  },
  throttled: {
    status: 429,
    type: 'client_error',
    code: 'throttled',
    text: 'Request was throttled. Expected available in {wait} seconds.',
    when: 'A limit is used up; the header Retry-After says for how long.',
  },
  error: {
    status: 500,
    type: 'server_error',
    code: 'error',
    text: 'A server error occurred.',
    when: 'A fault of the service. Whether a change was made is not known: look before trying again.',
  },
  unavailable: {
    status: 503,
    type: 'server_error',
    code: 'service_unavailable',
    text: 'Service temporarily unavailable, try again later.',
    when: 'The service is starting, stopping or out of disk space.',
  },
} as const satisfies Record<string, RefusalEntry>

export type FieldProblemName = keyof typeof fieldProblems
export type RefusalName = keyof typeof refusals
