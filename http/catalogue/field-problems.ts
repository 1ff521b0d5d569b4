/**
 * What the API says of fields, one by one or together: the items of `errors[]` of a 400 answer. Data, so that
 * the documentation is made of it.
 *
 * Codes and texts are Django REST framework's, which the documented examples follow (protocol 7.1); what it has
 * no text for is said in its manner. `{name}` stands for a value that is filled in.
 */

import { claimProblems } from './claim-problems.ts'

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
    when: 'A field is null. No field may be null; optional fields can be left out.',
  },
  blank: {
    code: 'blank',
    text: 'This field may not be blank.',
    when: 'A required text is empty or consists of blanks.',
  },
  no_data: {
    code: 'null',
    text: 'No data provided',
    when: 'The body is null. attr is non_field_errors.',
  },
  not_an_object: {
    code: 'invalid',
    text: 'Invalid data. Expected a dictionary, but got {datatype}.',
    when: 'The body is JSON, but not an object. attr is non_field_errors.',
  },
  not_a_string: {
    code: 'invalid',
    text: 'Not a valid string.',
    when: 'A text is a boolean, a list or an object. Numbers are taken as they are written.',
  },
  not_a_number: {
    code: 'invalid',
    text: 'A valid number is required.',
    when: 'An amount is not a plain decimal number: digits, then optionally a point and more digits.',
  },
  not_an_integer: {
    code: 'invalid',
    text: 'A valid integer is required.',
    when: 'A numeric query parameter is not a whole number.',
  },
  not_a_datetime: {
    code: 'invalid',
    text: 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    when: 'A time has another format, or there is no such day, hour or year (1 to 9999). No offset means UTC.',
  },
  not_a_date: {
    code: 'invalid',
    text: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
    when: 'A day has another format, or there is no such day.',
  },
  not_a_uuid: {
    code: 'invalid',
    text: 'Must be a valid UUID.',
    when: 'An id is not a UUID.',
  },
  not_a_choice: {
    code: 'invalid_choice',
    text: '"{input}" is not a valid choice.',
    when: 'The value is not one of the field’s choices.',
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
    when: 'The value is not an http or https URL.',
  },
  not_an_email: {
    code: 'invalid',
    text: 'Enter a valid email address.',
    when: 'consumer_email is not an e-mail address.',
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
    when: 'A number is below its field’s minimum: 1 for limit, 0 for amounts, what is agreed on for a withdrawal. A new order’s price is reported as too low instead.',
  },
  max_value: {
    code: 'max_value',
    text: 'Ensure this value is less than or equal to {max_value}.',
    when: 'part of a report is greater than parts, or parts greater than a report may have.',
  },
  not_a_list: {
    code: 'not_a_list',
    text: 'Expected a list of items but got type "{datatype}".',
    when: 'lines of a report is no list.',
  },
  max_items: {
    code: 'max_length',
    text: 'Ensure this list contains no more than {max_items} items.',
    when: 'A part of a report has more lines than a part may have.',
  },
  expiry_past: {
    code: 'invalid',
    text: 'The expiry must be in the future.',
    when: 'expiry is not after the time of the request.',
  },
  target_refused: {
    code: 'invalid',
    text: '{problem}',
    when: 'notify_url is a URL, but webhooks may not be sent there: it must be public and https.',
  },
  network_unknown: {
    code: 'invalid',
    text: 'This network is not registered for this provider.',
    when: 'network_id is not registered, or belongs to another provider.',
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
    when: 'price is zero or less, or amount of a withdrawal is zero; or price is below the merchant’s minimum for the country and currency, which is itself allowed.',
  },
  price_below_fee: {
    code: 'invalid',
    text: 'Value does not cover the fee.',
    when: 'price of a pay-in is less than the merchant’s fee for it and the tax on that, which are taken from it.',
  },
  price_too_high: {
    code: 'invalid',
    text: 'Value is too high.',
    when: 'price, or what send of a quote comes to, is above the merchant’s maximum for the country and currency, which is itself allowed.',
  },
  refund_unknown: {
    code: 'does_not_exist',
    text: 'Invalid pk "{refund_of}" - object does not exist.',
    when: 'refund_of is the id of no pay-in of this merchant.',
  },
  refund_unpaid: {
    code: 'invalid',
    text: 'This pay-in has not been paid.',
    when: 'Nothing was credited for the pay-in that refund_of names: it is open, or ended without its cash.',
  },
  refund_currency: {
    code: 'invalid',
    text: 'Value does not match the currency of the pay-in.',
    when: 'price_currency is not that of the pay-in that refund_of names.',
  },
  refund_exceeds: {
    code: 'invalid',
    text: 'Value is more than what is left to refund of the pay-in: {left} {currency}.',
    when: 'price, with the other refunds of the pay-in that are open, paid or in doubt, is more than was paid.',
  },
  not_unique: {
    code: 'unique',
    text: 'This field must be unique.',
    when: 'The merchant has used this merchant_order_id before.',
  },
  quote_unknown: {
    code: 'does_not_exist',
    text: 'Invalid pk "{quote}" - object does not exist.',
    when: 'The merchant has no quote with this id.',
  },
  quote_expired: {
    code: 'invalid',
    text: 'This quote has expired.',
    when: 'The quote has expired.',
  },
  quote_used: {
    code: 'invalid',
    text: 'This quote has already been used.',
    when: 'Another order was created from the quote.',
  },
  quote_unusable: {
    code: 'invalid',
    text: 'The blockchain of this quote is not available.',
    when: 'The operator has turned off the blockchain or the asset since the quote.',
  },
  wallet_invalid: {
    code: 'invalid',
    text: 'This is not a wallet that can sign on the blockchain of the quote.',
    when: 'wallet is not an address on the quote’s blockchain, or has no key of its own. STELLAR: an account, G….',
  },
  withdrawal_not_agreed: {
    code: 'does_not_exist',
    text: 'No settlement is agreed on for this currency.',
    when: 'currency of a withdrawal is one in which the merchant has no terms of settlement.',
  },
  withdrawal_by_itself: {
    code: 'invalid',
    text: 'This account is closed by itself, not on request.',
    when: 'currency of a withdrawal is one in which the merchant’s days are closed and paid as its terms have it.',
  },
  withdrawal_no_account: {
    code: 'invalid',
    text: 'No bank account is agreed on for this currency.',
    when: 'The merchant’s terms do not say where a withdrawal would be paid.',
  },
  withdrawal_closed: {
    code: 'invalid',
    text: 'The account is closed for {day}. What comes now can be withdrawn once the next day has begun.',
    when: 'A withdrawal, where the running day of the account has its statement already: one a day.',
  },
  withdrawal_nothing: {
    code: 'invalid',
    text: 'There is nothing to withdraw.',
    when: 'A withdrawal of all there is, where that is nothing, or less than the minimum agreed on.',
  },
  withdrawal_exceeds: {
    code: 'invalid',
    text: 'Value is more than what can be withdrawn: {most} {currency}.',
    when: 'amount of a withdrawal is more than what is available but for what is kept and what orders wait for.',
  },
  ...claimProblems,
  report_currency: {
    code: 'invalid',
    text: 'No currency is agreed on for this network.',
    when: 'A report of a network whose terms name no currency, so that nothing can be compared.',
  },
  report_day: {
    code: 'invalid',
    text: 'Reports are taken of days from {first} to {last}.',
    when: 'day of a report is to come, or longer ago than reports are taken for.',
  },
  report_too_many: {
    code: 'invalid',
    text: 'There are {most} reports of this day already.',
    when: 'A day is reported anew more often than it may be.',
  },
  report_too_long: {
    code: 'invalid',
    text: 'A report has at most {most} lines, and a sum that the ledger can hold.',
    when: 'All parts together have more lines than the report of one day may have.',
  },
  report_differs: {
    code: 'invalid',
    text: '{count} lines differ: this is hardly the report of this network and day.',
    when: 'More than 2,000 lines of a report differ from what is booked.',
  },
  report_line_count: {
    code: 'invalid',
    text: 'All parts together have {count} lines.',
    when: 'line_count, said with the last part, is not what was sent; the part is not taken.',
  },
  report_paid_amount: {
    code: 'invalid',
    text: 'The payments of all parts together are {amount}.',
    when: 'paid_amount, said with the last part, is not the sum of what was sent; the part is not taken.',
  },
  report_line_unnamed: {
    code: 'required',
    text: 'At least one of order and reference is required.',
    when: 'A line of a report names neither.',
  },
  step_of_others: {
    code: 'invalid',
    text: 'A provider simulates what happens at its counter: start, confirm, cancel, hold.',
    when: 'In a sandbox: a provider’s key asks for a step that is not at a counter.',
  },
  cursor_unknown: {
    code: 'invalid',
    text: 'Invalid cursor.',
    when: 'cursor is not the `next` of an earlier page of the same list.',
  },
  consumer_contact: {
    code: 'invalid',
    text: 'At least one of consumer_email and consumer_phone_number is required.',
    when: 'A pay-out has neither; reported once all other fields are valid. attr is non_field_errors.',
  },
  query_not_allowed: {
    code: 'invalid',
    text: 'This path takes no query string.',
    when: 'The request target of a specified route has a query string. attr is non_field_errors.',
  },
  body_not_allowed: {
    code: 'invalid',
    text: 'A list takes no body.',
    when: 'A request with a query string also has a body. attr is non_field_errors.',
  },
} as const satisfies Record<string, FieldProblemEntry>

export type FieldProblemName = keyof typeof fieldProblems
